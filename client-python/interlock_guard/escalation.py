"""What an ESCALATE permits, once whoever has to has said yes."""

from __future__ import annotations

import inspect
from typing import Any, Dict

from .approval_wait import wait_for_approval
from .blocked import NotApprovedError
from .codec import encode_text
from .decision import Decision
from .flow import Flow, call, discard
from .options import Escalation, GuardOptions
from .outcome import report
from .resume_call import Approval, Permit, ask_to_resume, resumed
from .snapshot import snapshot
from .text import one_line

# For these the daemon leaves the yes to the client; with any other code it is for somebody else to approve.
_APPROVABLE_HERE = frozenset({"escalated", "unknown_escalated"})


def permit_after_escalation(
    action: str, args: Dict[str, Any], decision: Decision, options: GuardOptions
) -> Flow[Permit]:
    """A call that the daemon keeps an approval for runs by resuming it, so that it is authorized once; any other runs as it was shown. The
    daemon takes a client's question to resume what that client may approve for its yes, so that question is asked after ``on_escalate`` has
    approved, or where only an operator can grant."""
    details, call_id = decision.details, options.call_id
    approval_id = None if details is None else details.approval_id
    if details is not None and details.code not in _APPROVABLE_HERE:
        can_wait = options.escalate == "wait" and details.code == "escalated_operator"
        if can_wait and approval_id is not None and call_id is not None:
            return (yield from wait_for_approval(action, Approval(approval_id, call_id), decision, options))
        named = "" if approval_id is None else f", approval {one_line(approval_id)}"
        raise NotApprovedError(decision, action, f"an operator has to approve it{named}", call_id)
    runs = yield from _approved_here(action, args, decision, options)
    if approval_id is None:
        return Permit(runs, None)
    if call_id is None:
        raise NotApprovedError(decision, action, "a call without an id cannot be resumed")
    approval = Approval(approval_id, call_id)
    permit = resumed(action, approval, (yield from ask_to_resume(action, approval, options)))
    # By what is sent for them: a set that was shown comes back as a list.
    if _text_of(runs) == _text_of(permit.args):
        return permit
    yield from report("abandoned", None, options)
    raise NotApprovedError(decision, action, "what would run now is not what was approved", call_id)


def _approved_here(action: str, args: Dict[str, Any], decision: Decision, options: GuardOptions) -> Flow[Dict[str, Any]]:
    """Asks for a human's yes and returns the arguments that may run: a copy that no callback has seen, equal to what was shown. Only
    ``True`` approves."""
    if options.on_escalate is None:
        raise NotApprovedError(decision, action, "no on_escalate was given to ask", options.call_id)
    runs = snapshot(args)
    approval_id = None if decision.details is None else decision.details.approval_id
    try:
        shown = Escalation(action, one_line(decision.reason), snapshot(runs), approval_id)
        answer = yield from call(options.on_escalate, shown)
    except Exception as error:
        raise NotApprovedError(decision, action, f"on_escalate raised {type(error).__name__}", options.call_id) from None
    if inspect.isawaitable(answer):
        discard(answer)
    if answer is not True:
        raise NotApprovedError(decision, action, "it was not approved", options.call_id)
    return runs


def _text_of(args: Dict[str, Any]) -> str:
    return encode_text(args, escape=True)
