"""One question on its way to a decision."""

from __future__ import annotations

from typing import Callable, NamedTuple, Optional, Union

from .decision import Decision
from .features import Features


class NoVerdict(NamedTuple):
    """The call must not run."""

    reason: str


class Absent(NamedTuple):
    """There is no daemon, and none has seen the question: what becomes of it is the setting ``unreachable``."""

    reason: str
    frame: bytes
    """The question, as its arguments were when it was put."""


Conclusion = Union[Decision, NoVerdict, Absent]


class Question:
    """Waits in the line, then is asked, then concluded; what arrives later changes nothing."""

    __slots__ = (
        "id",
        "action",
        "subject",
        "call_id",
        "frame",
        "features",
        "deadline",
        "conclusion",
        "is_asked",
        "ever_asked",
        "was_lost",
        "wake",
    )

    def __init__(
        self,
        question_id: str,
        action: str,
        subject: str,
        call_id: Optional[str],
        frame: bytes,
        features: Features,
        deadline: float,
    ) -> None:
        self.id = question_id
        self.action = action
        self.subject = subject
        """``call``, ``result``, ``outcome``, ``resume`` or ``offline``. The last three are decided by no fallback."""
        self.call_id = call_id
        """The id of the call that it is to let run; None where it has none, or lets nothing run."""
        self.frame = frame
        self.features = features
        """Those that the frame was written for."""
        self.deadline = deadline
        """On the monotonic clock; infinity where the caller waits for ever."""
        self.conclusion: Optional[Conclusion] = None
        self.is_asked = False
        self.ever_asked = False
        """May a daemon have read it? Then no fallback decides it, and only one that knows what it decided is asked again."""
        self.was_lost = False
        """Did it lose a connection before? It is asked twice, and no more."""
        self.wake: Optional[Callable[[], None]] = None
        """Called once, when it is concluded."""
