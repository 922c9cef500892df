"""The Python client of interlock: asks the policy daemon before every tool call, and blocks when it cannot."""

from .aio import AsyncRemoteEngine
from .blocked import BlockedError, NotApprovedError, ReplayedError
from .decision import Decision, DecisionDetails, FieldError, Verdict
from .enforce import (
    enforce_tool_call,
    enforce_tool_call_async,
    enforce_tool_result,
    enforce_tool_result_async,
    report_outcome,
    report_outcome_async,
    resume_tool_call,
    resume_tool_call_async,
)
from .engine import RemoteEngine
from .frames import Event, Outcome
from .options import Escalation, Replay
from .stats import EngineStats
from .version import VERSION as __version__
from .wire_error import Unrepresentable, WireError

__all__ = [
    "AsyncRemoteEngine",
    "BlockedError",
    "Decision",
    "DecisionDetails",
    "EngineStats",
    "Escalation",
    "Event",
    "FieldError",
    "NotApprovedError",
    "Outcome",
    "RemoteEngine",
    "Replay",
    "ReplayedError",
    "Unrepresentable",
    "Verdict",
    "WireError",
    "__version__",
    "enforce_tool_call",
    "enforce_tool_call_async",
    "enforce_tool_result",
    "enforce_tool_result_async",
    "report_outcome",
    "report_outcome_async",
    "resume_tool_call",
    "resume_tool_call_async",
]
