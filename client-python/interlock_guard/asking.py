"""Puts one event to an engine, and believes nothing that is not a decision."""

from __future__ import annotations

import inspect
import time
from typing import Any, Callable, Dict, Optional

from .blocked import BlockedError, blocked
from .decision import Decision, DecisionDetails, Verdict
from .flow import Flow, ask_engine, discard
from .frames import Event, Outcome
from .options import GuardOptions
from .replay import wrong_replay


def ask(action: str, args: Dict[str, Any], phase: str, options: GuardOptions) -> Flow[Decision]:
    """The decision; anything else, an engine that raises or answers junk included, is a ``BlockedError``."""
    event = Event(
        action,
        args,
        phase,
        options.principal,
        options.parent_principal,
        options.span_id,
        time.time(),
        options.call_id,
        f"{options.caller}/{'monitor' if options.enforcement == 'monitor' else 'enforce'}",
    )
    unwanted = _reporting_not_run(options) if phase == "call" else None
    return (yield from answered(action, phase, options.engine.evaluate, event, unwanted=unwanted))


def _reporting_not_run(options: GuardOptions) -> Optional[Callable[[Any], None]]:
    """Of a call that was let run when its caller was gone: the daemon is told, and the next such call need not wait for the lease."""
    call_id, tell = options.call_id, getattr(options.engine, "outcome", None)
    if call_id is None or not callable(tell):
        return None

    def report(answer: Any) -> None:
        is_held = type(answer) is Decision and answer.details is not None and answer.details.transaction_id is not None
        if is_held and answer.verdict in (Verdict.ALLOW, Verdict.MODIFY):
            tell(Outcome(call_id, "abandoned"))

    return report


def answered(
    action: str,
    phase: str,
    function: Callable[..., Any],
    *arguments: Any,
    unwanted: Optional[Callable[[Any], None]] = None,
) -> Flow[Decision]:
    """What an engine answers to whatever it is asked, as a decision that can be acted on."""
    try:
        answer = yield from ask_engine(function, *arguments, unwanted=unwanted)
    except BlockedError:
        raise
    except Exception as error:
        raise blocked(action, f"the guard engine gave no verdict: {type(error).__name__}") from None
    return believed(action, phase, answer)


def believed(action: str, phase: str, answer: Any) -> Decision:
    """Raises ``BlockedError``: it is no decision on such a question."""
    if type(answer) is not Decision or type(answer.verdict) is not Verdict:
        if inspect.isawaitable(answer):
            discard(answer)
            raise blocked(action, "the guard engine is asynchronous and the call is not: use RemoteEngine")
        raise blocked(action, "the guard engine gave no verdict")
    if answer.modified_args is not None and type(answer.modified_args) is not dict:
        raise blocked(action, "the guard engine gave a rewrite that is not a dict")
    if answer.details is not None and type(answer.details) is not DecisionDetails:
        raise blocked(action, "the guard engine gave details that are none")
    wrong = wrong_replay(answer)
    if wrong is not None:
        raise blocked(action, f"the guard answered with {wrong}")
    if answer.details is not None and answer.details.replayed:
        if phase == "call":
            return answer
        raise blocked(action, "the guard answered a result with a replay")
    # What was to be changed would go on unchanged: the rewrite is of the other side of the effect.
    if (answer.modified_result if phase == "call" else answer.modified_args) is not None:
        raise blocked(action, f"the guard answered a {phase} with a rewrite that is not of a {phase}")
    return answer
