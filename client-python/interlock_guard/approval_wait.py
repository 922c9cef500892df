"""Waits for an operator's yes."""

from __future__ import annotations

import time
from typing import Optional

from .blocked import BlockedError, NotApprovedError
from .decision import Decision
from .flow import Flow, pause
from .limits import FIRST_POLL_S, LONGEST_POLL_S
from .options import GuardOptions
from .resume_call import Approval, Permit, ask_to_resume, is_pending, resumed
from .text import one_line


def wait_for_approval(action: str, approval: Approval, escalation: Decision, options: GuardOptions) -> Flow[Permit]:
    """Asks again and again whether the call is approved by now, and runs it as approved. The last question is asked before the deadline; its
    answer may come up to the engine's own timeout later.

    A daemon that gives no verdict is asked again too, since a restart denies nothing. Any verdict other than "not yet" ends the wait.
    """
    deadline = time.monotonic() + options.escalate_deadline
    pause_s = FIRST_POLL_S
    while True:
        left_s = deadline - time.monotonic()
        if left_s <= 0:
            why = f"nobody approved it within {options.escalate_deadline:g} s, approval {one_line(approval.approval_id)}"
            raise NotApprovedError(escalation, action, why, approval.call_id)
        yield from pause(min(pause_s, left_s))
        pause_s = min(2 * pause_s, LONGEST_POLL_S)
        decision = yield from _verdict_or_none(action, approval, options)
        if decision is not None and not is_pending(decision, approval):
            return resumed(action, approval, decision)


def _verdict_or_none(action: str, approval: Approval, options: GuardOptions) -> Flow[Optional[Decision]]:
    try:
        return (yield from ask_to_resume(action, approval, options))
    except BlockedError:
        return None
