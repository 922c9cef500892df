"""What an engine counts."""

from __future__ import annotations

from typing import NamedTuple, Optional

from .decision import Decision, Verdict
from .question import Conclusion, NoVerdict, Question


class EngineStats(NamedTuple):
    answered: int
    """Decisions that the daemon gave."""
    unanswered: int
    """Calls blocked for want of a verdict."""
    local: int
    """Calls refused here, before anything was sent."""
    fallbacks: int
    """Calls that were decided without a daemon, as ``unreachable`` says."""
    fallbacks_told: int
    """Those that this engine has told the daemon, its own and what others left behind."""
    timeouts: int
    """Questions that ran out of time."""
    resent: int
    """Questions asked a second time."""
    replayed: int
    """Repeats that were answered with what the first call delivered, or with the word that it ran."""
    reported: int
    """Ends of calls, other than results, that the daemon recorded."""
    unreported: int
    """Those that it did not, or that did not reach it."""
    connections: int
    """Connections begun."""
    pending: int
    """Questions without an answer yet, those that wait for a place on the connection included."""
    waiting: int
    protocol: str
    """``none`` while there is no connection, else ``v1`` or ``hello``."""
    daemon: Optional[str]
    """What the daemon calls itself; None without a hello."""


class Tally:
    def __init__(self) -> None:
        self.answered = 0
        self.unanswered = 0
        self.local = 0
        self.fallbacks = 0
        self.fallbacks_told = 0
        self.timeouts = 0
        self.resent = 0
        self.replayed = 0
        self.reported = 0
        self.unreported = 0
        self.connections = 0

    def count(self, question: Question, conclusion: Conclusion) -> None:
        """What becomes of a question without a daemon is counted by whoever decides that."""
        if question.subject == "offline":
            return
        if question.subject == "outcome":
            if isinstance(conclusion, Decision) and conclusion.verdict is Verdict.ALLOW:
                self.reported += 1
            else:
                self.unreported += 1
        elif isinstance(conclusion, Decision):
            self.answered += 1
            if conclusion.details is not None and conclusion.details.replayed:
                self.replayed += 1
        elif isinstance(conclusion, NoVerdict):
            self.unanswered += 1
