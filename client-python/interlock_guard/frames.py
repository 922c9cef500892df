"""The client's frames: canonical JSON and a newline. What the daemon would refuse for its shape is refused here, with words that say so."""

from __future__ import annotations

from typing import Any, Dict, NamedTuple, Optional, Sequence

from .canonical import canonical, quote
from .codec import encode_text
from .features import Features
from .limits import MAX_LINE_BYTES, MAX_NAME_BYTES
from .text import fits_bytes
from .wire_error import Unrepresentable, WireError, bad_request


class Event(NamedTuple):
    """A call or a result as a caller has it. ``args`` is not yet known to have a JSON form."""

    action: str
    args: Dict[str, Any]
    phase: str = "call"
    principal: Optional[str] = None
    parent_principal: Optional[str] = None
    span_id: Optional[str] = None
    ts: Optional[float] = None
    """Seconds since the epoch."""
    call_id: Optional[str] = None
    grade: Optional[str] = None
    """How its caller intercepts, one of ``GRADES``: told to a daemon that records it, and judged by nobody."""


GRADES = ("async/enforce", "async/monitor", "sync/enforce", "sync/monitor")


class Outcome(NamedTuple):
    """What became of a call that may run and has no result."""

    call_id: str
    status: str
    """``failed`` or ``abandoned``."""
    error_type: Optional[str] = None
    """The class of the error, never its message."""


def event_frame(request_id: str, event: Event, features: Features) -> bytes:
    """Raises ``WireError``: ``unrepresentable``, ``too_large``, or ``bad_request`` for a name that is none."""
    return _frame(f'{{"event":{_event_text(event, features)},"id":{quote(request_id)},"v":1}}')


def hello_frame(
    request_id: str, client: str, features: Features, nonce: str, scope: Optional[str], token: Optional[str]
) -> bytes:
    body: Dict[str, Any] = {"client": client, "features": sorted(features), "nonce": nonce}
    if scope is not None:
        body["scope"] = scope
    if token is not None:
        body["token"] = token
    return _frame(f'{{"hello":{canonical(body)},"id":{quote(request_id)},"v":1}}')


def outcome_frame(request_id: str, outcome: Outcome) -> bytes:
    _check_id(outcome.call_id, "the call id")
    if outcome.status not in ("failed", "abandoned"):
        raise bad_request("the status is not failed or abandoned")
    body: Dict[str, Any] = {"call_id": outcome.call_id, "status": outcome.status}
    if outcome.error_type is not None:
        _check_id(outcome.error_type, "the error's type")
        body["error_type"] = outcome.error_type
    return _frame(f'{{"id":{quote(request_id)},"outcome":{canonical(body)},"v":1}}')


def resume_frame(request_id: str, approval_id: str, call_id: str, action: Optional[str]) -> bytes:
    _check_id(approval_id, "the approval id")
    _check_id(call_id, "the call id")
    body: Dict[str, Any] = {"approval_id": approval_id, "call_id": call_id}
    if action is not None:
        _check_id(action, "the action")
        body["action"] = action
    return _frame(f'{{"id":{quote(request_id)},"resume":{canonical(body)},"v":1}}')


def offline_frame(request_id: str, decisions: Sequence[Dict[str, Any]]) -> bytes:
    """What was decided without the daemon, told to it."""
    return _frame(f'{{"id":{quote(request_id)},"offline":{canonical({"decisions": list(decisions)})},"v":1}}')


def _event_text(event: Event, features: Features) -> str:
    """Keys in canonical order; the identity fields only where there is one, ``ts`` only where it is not zero."""
    action, args, phase, principal, parent_principal, span_id, ts, call_id, grade = event
    if action == "":
        raise bad_request("the action is empty")
    if phase != "call" and phase != "result":
        raise bad_request("the phase is not call or result")
    if call_id == "":
        raise bad_request("the call id is empty")
    text = f'{{"action":{_name(action, "the action")},"args":{_args_text(args, "escape" in features)}'
    if call_id is not None:
        member = f',"call_id":{_name(call_id, "the call id")}'
        if "call_id" in features:
            text += member
    if grade is not None:
        if grade not in GRADES:
            raise bad_request(f"the grade is not one of {', '.join(GRADES)}")
        if "grade" in features:
            text += f',"grade":"{grade}"'
    if parent_principal is not None:
        text += f',"parent_principal":{_name(parent_principal, "the parent principal")}'
    text += f',"phase":"{phase}"'
    if principal is not None:
        text += f',"principal":{_name(principal, "the principal")}'
    if span_id is not None:
        text += f',"span_id":{_name(span_id, "the span id")}'
    if ts is not None and ts != 0:
        if type(ts) not in (int, float):
            raise bad_request("the time is not a number")
        text += f',"ts":{canonical(ts)}'
    return text + "}"


def _args_text(args: Any, escape: bool) -> str:
    # A set, bytes or a list is a value but not arguments; the daemon would refuse it with less to say.
    if type(args) is not dict:
        raise Unrepresentable("arguments that are not a dict")
    return encode_text(args, escape, 2)


def _name(name: Any, what: str) -> str:
    _check_name(name, what)
    return quote(name)


def _check_name(name: Any, what: str) -> None:
    if type(name) is not str:
        raise bad_request(f"{what} is not a string")
    if not fits_bytes(name, MAX_NAME_BYTES):
        raise bad_request(f"{what} is longer than {MAX_NAME_BYTES} bytes")


def _check_id(value: Any, what: str) -> None:
    _check_name(value, what)
    if value == "":
        raise bad_request(f"{what} is empty")


def _frame(text: str) -> bytes:
    """Its size is tested by the sender, as the receiver could only cut the connection."""
    line = text.encode("utf-8") + b"\n"
    if len(line) > MAX_LINE_BYTES:
        raise WireError("too_large", "frame exceeded limit")
    return line
