"""What a guard raises in place of running a call."""

from __future__ import annotations

from typing import Any, Optional

from .decision import Decision
from .text import one_line


class BlockedError(Exception):
    """The call did not run, or its result was not delivered. ``decision`` says why; its verdict is never ALLOW."""

    def __init__(self, decision: Decision, action: str, why: Optional[str] = None) -> None:
        super().__init__(f"blocked action '{one_line(str(action))}': {decision.reason if why is None else why}")
        self.decision = decision
        self.action = action
        """As it was asked for; in the message it is one line."""


class NotApprovedError(BlockedError):
    """The call needs a human's yes and did not get one. ``decision`` is the ESCALATE that asked for it."""

    def __init__(self, decision: Decision, action: str, why: str, call_id: Optional[str] = None) -> None:
        super().__init__(decision, action, why if decision.reason == "" else f"{decision.reason} ({why})")
        self.approval_id: Optional[str] = None if decision.details is None else decision.details.approval_id
        """The approval that the daemon keeps for this call. With the call id it is resumed once it is granted."""
        self.call_id = call_id


class ReplayedError(BlockedError):
    """The same call ran before, and is not run again. ``decision`` is the BLOCK that says so."""

    def __init__(self, decision: Decision, action: str, result: Any, transaction_id: str) -> None:
        super().__init__(decision, action)
        self.result = result
        """What the call that ran delivered, as the result rules left it."""
        self.transaction_id = transaction_id


def blocked(action: str, reason: str) -> BlockedError:
    return BlockedError(Decision.block(reason), action)
