"""Puts a call to the guard before it runs."""

from __future__ import annotations

from typing import Any, Dict, Optional

from .asking import ask
from .blocked import blocked
from .decision import Decision, Verdict
from .escalation import permit_after_escalation
from .flow import Flow
from .options import GuardOptions
from .outcome import report
from .replay import refusal_of
from .resume_call import Permit
from .snapshot import snapshot


def permit_call(action: str, args: Optional[Dict[str, Any]], options: GuardOptions) -> Flow[Permit]:
    """Raises ``BlockedError``, ``NotApprovedError`` or ``ReplayedError``: it must not run."""
    copy = _own_args(action, args)
    # Where somebody may be asked, what is judged is a copy of its own: nothing can change it before it is shown and run.
    judged = copy if options.on_escalate is None else snapshot(copy)
    decision = yield from ask(action, judged, "call", options)
    transaction_id = None if decision.details is None else decision.details.transaction_id
    is_monitor = options.enforcement == "monitor"
    if decision.verdict is Verdict.ALLOW:
        return Permit(copy, transaction_id)
    if decision.verdict is Verdict.MODIFY:
        return Permit(copy if is_monitor else rewritten_args(copy, decision), transaction_id)
    if is_monitor:
        return Permit(copy, None)
    if decision.verdict is Verdict.ESCALATE:
        return (yield from permit_after_escalation(action, rewritten_args(judged, decision), decision, options))
    raise refusal_of(decision, action)


def rewritten_args(args: Dict[str, Any], decision: Decision) -> Dict[str, Any]:
    """The arguments that run after a MODIFY or an ESCALATE. Without ``replace_args`` the rewrite is merged over the copy, top-level keys only;
    with it the rewrite is the whole new object, so that a removed key is gone."""
    if decision.modified_args is None:
        return dict(args)
    return dict(decision.modified_args) if decision.replaces_args else {**args, **decision.modified_args}


def abandon(permit: Permit, options: GuardOptions) -> Flow[bool]:
    """A permit that is not used. The daemon is told only of calls that it holds something for: any other costs nothing more."""
    if permit.transaction_id is None:
        return False
    return (yield from report("abandoned", None, options))


def fail(permit: Permit, error: BaseException, options: GuardOptions) -> Flow[bool]:
    """A permitted call whose tool raised ``error``."""
    if permit.transaction_id is None:
        return False
    return (yield from report("failed", error, options))


def _own_args(action: str, args: Any) -> Dict[str, Any]:
    if args is None:
        return {}
    if type(args) is dict:
        return dict(args)
    raise blocked(action, f"the arguments of '{str(action)[:128]}' cannot be put to the guard: they are not a dict")
