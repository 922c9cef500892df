"""Runs a call that somebody approved."""

from __future__ import annotations

from typing import Any, Dict, NamedTuple, Optional

from .asking import answered
from .blocked import NotApprovedError, blocked
from .decision import Decision, Verdict
from .flow import Flow
from .options import GuardOptions
from .replay import refusal_of
from .text import one_line


class Permit(NamedTuple):
    """A call that may run."""

    args: Dict[str, Any]
    transaction_id: Optional[str]
    """What the daemon holds open for this call until it hears of its end; None where it holds nothing."""


class Approval(NamedTuple):
    """An approval and the call that it is for, as a ``NotApprovedError`` carries them."""

    approval_id: str
    call_id: str


def ask_to_resume(action: str, approval: Approval, options: GuardOptions) -> Flow[Decision]:
    """The daemon's answer to one question whether the call may run by now."""
    resume = getattr(options.engine, "resume", None)
    if not callable(resume):
        raise blocked(action, "the engine of this guard cannot resume a call")
    return (yield from answered(action, "call", resume, approval.approval_id, approval.call_id, action))


def resumed(action: str, approval: Approval, decision: Decision) -> Permit:
    """What that answer permits. Raises ``BlockedError``, ``NotApprovedError`` or ``ReplayedError``: nothing."""
    if decision.verdict is Verdict.ALLOW:
        raise blocked(action, "the guard resumed a call and did not say with which arguments")
    if decision.verdict is Verdict.MODIFY:
        if decision.modified_args is None or not decision.replaces_args:
            raise blocked(action, "the guard resumed a call without the whole of its arguments")
        details = decision.details
        return Permit(dict(decision.modified_args), None if details is None else details.transaction_id)
    if decision.verdict is Verdict.ESCALATE:
        why = f"it is not approved yet, approval {one_line(approval.approval_id)}"
        raise NotApprovedError(decision, action, why, approval.call_id)
    raise refusal_of(decision, action)


def is_pending(decision: Decision, approval: Approval) -> bool:
    """Does the answer say that nobody has decided on this very approval yet?"""
    details = decision.details
    return (
        decision.verdict is Verdict.ESCALATE
        and details is not None
        and details.code == "approval_pending"
        and details.approval_id == approval.approval_id
    )
