"""A call that ran before."""

from __future__ import annotations

from typing import Any, Dict, Optional

from .blocked import BlockedError, ReplayedError
from .decision import Decision, Verdict


def wrong_replay(decision: Decision) -> Optional[str]:
    """Why an answer that calls itself a replay is none; None where it is one, or does not say so."""
    details = decision.details
    if details is None:
        return None
    if details.replayed is not True:
        has_result = decision.verdict is Verdict.BLOCK and decision.modified_result is not None
        return "a BLOCK with a result" if has_result else None
    if decision.verdict is not Verdict.BLOCK or details.code != "replayed":
        return "a replay that is not a BLOCK of that code"
    if type(details.transaction_id) is not str:
        return "a replay of no transaction"
    return None if decision.modified_args is None else "a replay with arguments"


def refusal_of(decision: Decision, action: str) -> BlockedError:
    """The error of a BLOCK. A replay whose result was withheld is a plain one: there is nothing to hand out."""
    details = decision.details
    if details is None or not details.replayed or details.transaction_id is None or decision.modified_result is None:
        return BlockedError(decision, action)
    return ReplayedError(decision, action, recorded_result(decision.modified_result), details.transaction_id)


def recorded_form(result: Any) -> Dict[str, Any]:
    """A result as it is put to a daemon that may have to give it back: a dict as it is, anything else as ``{"result": value}``. A dict whose
    only key is ``result`` would be taken for the latter, and is wrapped like it."""
    return result if type(result) is dict and not _is_wrapped(result) else {"result": result}


def recorded_result(recorded: Any) -> Any:
    """The result that was recorded in that form."""
    return recorded["result"] if type(recorded) is dict and _is_wrapped(recorded) else recorded


def _is_wrapped(result: Dict[str, Any]) -> bool:
    return len(result) == 1 and "result" in result
