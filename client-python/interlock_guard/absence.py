"""A time during which no connection came about."""

from __future__ import annotations

from typing import Optional

from .daemon_marks import is_marked
from .limits import FIRST_PAUSE_S, LONGEST_PAUSE_S


class Absence:
    """A restart is not absence: it lasts the grace before the daemon counts as unreachable, and begins anew for as long as the mark
    of a supervisor that is restarting the engine stands beside the socket."""

    def __init__(self, socket_path: str, now: float) -> None:
        self._socket_path = socket_path
        self._since = now
        self._pause_s = FIRST_PAUSE_S
        self.is_restart = False
        """Did the mark stand at any time? Then nothing of this absence is decided by a fallback."""
        self.is_anyone_there = False
        """Did any attempt find somebody there?"""
        self.last_error: Exception = OSError("not connected")

    @property
    def is_stopped(self) -> bool:
        """Had everything been stopped when the daemon went away? A stop is nobody's to end by ending the daemon."""
        return is_marked(self._socket_path, "stopped")

    def failed(self, error: Exception, is_anyone_there: bool, now: float) -> None:
        self.last_error = error
        self.is_anyone_there = self.is_anyone_there or is_anyone_there
        if is_marked(self._socket_path, "restarting"):
            self.is_restart = True
            self._since = now

    def next_pause_s(self, grace_s: float, now: float) -> Optional[float]:
        """Seconds until the next attempt, or None where the grace is used up."""
        left_s = grace_s - (now - self._since)
        if left_s <= 0:
            return None
        pause_s = min(self._pause_s, left_s)
        self._pause_s = min(2 * self._pause_s, LONGEST_PAUSE_S)
        return pause_s
