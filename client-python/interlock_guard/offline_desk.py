"""Answers a question that no daemon could be asked: decided, noted for the daemon, told to whoever watches, and only then acted on."""

from __future__ import annotations

from typing import Callable

from .admission import admit
from .blocked import BlockedError
from .decision import Decision, DecisionDetails, Verdict
from .degraded import DegradedMode, FallbackPlaces
from .fallback_document import FallbackRefused
from .reasons import decided_offline, told_offline
from .spool import Spool
from .text import one_line

_OFFLINE_CODE = "decided_offline"
"""The code of what was decided so, here and in the daemon's receipt of it."""


class OfflineDesk:
    def __init__(self, places: FallbackPlaces, socket_path: str, on_fallback: Callable[[str], None]) -> None:
        self._mode = DegradedMode(places, socket_path)
        self._on_fallback = on_fallback

    @property
    def spool(self) -> Spool:
        return self._mode.spool

    def decide(self, action: str, frame: bytes, absence: str) -> Decision:
        """What the policy says. ``frame`` holds what the arguments were when the question was put; ``absence`` is why nobody could be asked.

        Raises ``BlockedError``: nothing is said, and the call is blocked, also where verdicts are only watched.
        """
        try:
            decided = self._mode.decide(admit(frame)["event"])
            reason = decided_offline(decided["policy"], decided["rule"], decided["verdict"], absence)
            self.spool.add(decided)
            try:
                self._on_fallback(told_offline(action, reason))
            except Exception:
                self.spool.remove([decided])
                raise _refused(action, "fallback_failed", f"{absence}; and on_fallback raised") from None
        except BlockedError:
            raise
        except FallbackRefused as error:
            raise _refused(action, error.code, f"{error}; {absence}") from None
        except Exception as error:
            what = f"the fallback policy could not be asked: {type(error).__name__}; {absence}"
            raise _refused(action, "fallback_failed", what) from None
        rule = decided["rule"]
        policy_id = None if rule is None else f"fallback:{rule}"
        return Decision(Verdict[decided["verdict"]], reason, policy_id, details=DecisionDetails(_OFFLINE_CODE))


def _refused(action: str, code: str, reason: str) -> BlockedError:
    return BlockedError(Decision(Verdict.BLOCK, one_line(reason), details=DecisionDetails(code)), action)
