"""Tells a daemon that is back what was decided without it. A decision leaves the spool once the daemon has said that it is recorded; told
twice, it is recorded once. What goes wrong is tried again with the next connection."""

from __future__ import annotations

from typing import Any, Callable, List

from .decision import Verdict
from .flow import Flow, ask_engine
from .spool import OfflineDecision, Spool
from .stats import Tally

MAX_OFFLINE_DECISIONS = 64
"""Of one frame."""


def tell_offline(spool: Spool, put: Callable[[List[OfflineDecision]], Any], tally: Tally) -> Flow[None]:
    """Never raises."""
    try:
        while True:
            decisions = spool.entries(MAX_OFFLINE_DECISIONS)
            if not decisions:
                return
            decision = yield from ask_engine(put, decisions)
            if decision.verdict is not Verdict.ALLOW:
                return
            spool.remove(decisions)
            tally.fallbacks_told += len(decisions)
    except Exception:
        return  # They are in the spool yet.
