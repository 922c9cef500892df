"""The words of the client's own refusals."""

from __future__ import annotations

from typing import Optional

from .text import one_line
from .unfit import Unfit
from .wire_error import Unrepresentable, WireError

_SUBJECTS = {
    "call": "the arguments",
    "result": "the result",
    "outcome": "the outcome",
    "resume": "the approval",
    "offline": "the report",
}
_LONGEST_SHOWN_ACTION = 128


class SocketTimeout(Exception):
    """Nobody answered in time."""


def no_reply(timeout_s: float) -> SocketTimeout:
    return SocketTimeout(f"no reply within {timeout_s:g}s")


def refused_by_daemon(path: str, code: str, message: str) -> str:
    return one_line(f"guard daemon refused the request ({code}) at {path}: {message}")


def no_verdict(path: str, error: Exception) -> str:
    """A ``WireError`` is the daemon's doing, or its connection's; any other error is the way there."""
    if isinstance(error, WireError):
        return refused_by_daemon(path, error.code, error.message)
    return one_line(f"guard daemon unreachable at {path}: {type(error).__name__}: {error}")


def not_put_to_guard(action: str, subject: str, error: Exception) -> str:
    """Refused here, before anything was sent: says so, and never quotes the value."""
    name = str(action)
    shown = name if len(name) <= _LONGEST_SHOWN_ACTION else f"{name[:_LONGEST_SHOWN_ACTION]}..."
    return one_line(f"{_SUBJECTS[subject]} of '{shown}' cannot be put to the guard: {_what_is_wrong(error)}")


def _what_is_wrong(error: Exception) -> str:
    if isinstance(error, Unrepresentable):
        return f"{error.what}{f' at {error.where}' if error.where else ''} has no JSON form"
    if isinstance(error, Unfit):
        return str(error)
    # Any other error was raised by the value itself, and its message may quote it.
    if not isinstance(error, WireError):
        return type(error).__name__
    return "longer than a frame may be" if error.code == "too_large" else error.message


def too_many_waiting(waiting: int) -> str:
    return f"not put to the guard: {waiting} calls are waiting for it already; ask fewer at once"


def allowed_unseen(action: str, reason: str) -> str:
    return one_line(f"allowed '{action}' without a verdict: {reason}")


def decided_offline(policy: str, rule: Optional[str], verdict: str, reason: str) -> str:
    by = "no rule allows it" if rule is None else f"rule {rule}"
    said = "allowed" if verdict == "ALLOW" else "blocked"
    return one_line(f"{said} by the fallback policy {policy} ({by}): {reason}")


def told_offline(action: str, decided: str) -> str:
    return one_line(f"'{action}' was {decided}")


def stopped_before(reason: str) -> str:
    """Nobody listens, and the mark of a stop stands beside the socket."""
    return one_line(
        f"{reason}; everything was stopped before, and no fallback decides until the daemon says that it is over"
    )
