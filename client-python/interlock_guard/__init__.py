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
from .guard import guard, guard_tool_map
from .mcp import guard_mcp_session
from .options import Escalation, Replay
from .signed_file import SignedFileRefused
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
    "SignedFileRefused",
    "Unrepresentable",
    "Verdict",
    "WireError",
    "__version__",
    "enforce_tool_call",
    "enforce_tool_call_async",
    "enforce_tool_result",
    "enforce_tool_result_async",
    "guard",
    "guard_mcp_session",
    "guard_tool_map",
    "report_outcome",
    "report_outcome_async",
    "resume_tool_call",
    "resume_tool_call_async",
]
