"""What a daemon, or any other engine, answered to an event."""

from __future__ import annotations

import enum
from typing import Any, Dict, NamedTuple, Optional, Tuple


class Verdict(enum.IntEnum):
    """The integers are the wire's."""

    ALLOW = 0
    BLOCK = 1
    MODIFY = 2
    ESCALATE = 3


class FieldError(NamedTuple):
    """What is wrong with one argument, where the tool's contract refused it."""

    loc: str
    msg: str
    type: str


class DecisionDetails(NamedTuple):
    """The ninth key of an answer, sent only where ``details`` was agreed to."""

    code: str
    """A reason code of the daemon's catalogue, such as ``rule_blocked``."""
    approval_id: Optional[str] = None
    transaction_id: Optional[str] = None
    errors: Tuple[FieldError, ...] = ()
    replayed: bool = False


class Decision(NamedTuple):
    verdict: Verdict
    reason: str = ""
    """One line; never an argument's value."""
    policy_id: Optional[str] = None
    attributed_to: Optional[str] = None
    """The argument that a refusal is about, by name or path."""
    modified_args: Optional[Dict[str, Any]] = None
    modified_result: Any = None
    """None means no replacement; False, 0 and "" are replacements."""
    details: Optional[DecisionDetails] = None
    replaces_args: bool = False
    """True where ``modified_args`` is the whole of the arguments (feature ``replace_args``), False where it is merged."""

    @property
    def errors(self) -> Tuple[FieldError, ...]:
        """What is wrong with the arguments, field by field, where the tool's contract refused them; else empty."""
        return self.details.errors if self.details is not None else ()

    @classmethod
    def allow(cls, reason: str = "") -> "Decision":
        return cls(Verdict.ALLOW, reason)

    @classmethod
    def block(cls, reason: str, policy_id: Optional[str] = None, attributed_to: Optional[str] = None) -> "Decision":
        return cls(Verdict.BLOCK, reason, policy_id, attributed_to)
