"""Reads what a daemon sends. Everything that is not exactly an answer is refused, so that nothing half understood becomes an ALLOW."""

from __future__ import annotations

from typing import Any, Dict, FrozenSet, NamedTuple, Optional, Union

from .admission import admit
from .codec import decode_value
from .decision import Decision, DecisionDetails, FieldError, Verdict
from .features import Features, parse_features
from .limits import MAX_LINE_BYTES, MAX_NAME_BYTES, PROTOCOL_VERSION
from .text import fits_bytes, printable_names
from .wire_error import WIRE_ERROR_CODES, WireError, bad_request


class HelloAnswer(NamedTuple):
    daemon: str
    """The program, such as ``interlock/1.0.0``."""
    features: Features
    """What both peers know."""
    max_frame: int
    """The longest frame that it reads, in bytes with the newline."""


class Answer(NamedTuple):
    """What came back for one request: a decision, the answer to the hello, or an error frame, which is neither."""

    id: str
    body: Union[Decision, HelloAnswer, WireError]


def parse_answer(line: bytes, features: Features) -> Answer:
    """Parses one line of a daemon. Raises ``WireError``.

    An error frame is looked for before the id and the other keys are checked, so that one with the id ``""`` is read.
    """
    frame = admit(line)
    if type(frame) is not dict:
        raise bad_request("frame must be a JSON object")
    version = frame.get("v")
    if type(version) not in (int, float) or version != PROTOCOL_VERSION:
        raise WireError("bad_version", f"unsupported protocol version (expected {PROTOCOL_VERSION})")
    sent_id = frame.get("id")
    if "error" in frame:
        return Answer(sent_id if type(sent_id) is str else "", _error(frame["error"]))
    if type(sent_id) is not str or sent_id == "":
        raise bad_request("id must be a non-empty string")
    if "hello" in frame:
        _only_keys(frame, _HELLO_FRAME_KEYS, "response")
        return Answer(sent_id, _hello(frame["hello"]))
    return Answer(sent_id, _decision(frame, features))


_HELLO_FRAME_KEYS = frozenset({"hello", "id", "v"})
_HELLO_KEYS = frozenset({"daemon", "features", "max_frame", "mode", "rules", "rules_version"})
_REQUIRED_KEYS = frozenset(
    {"attributed_to", "id", "modified_args", "modified_result", "policy_id", "v", "verdict"}
)
_EIGHT_KEYS = _REQUIRED_KEYS | {"reason"}
_NINE_KEYS = _EIGHT_KEYS | {"details"}
_DETAILS_KEYS = frozenset({"approval_id", "code", "errors", "replayed", "transaction_id"})
_FIELD_ERROR_KEYS = frozenset({"loc", "msg", "type"})


def _only_keys(json: Dict[str, Any], allowed: FrozenSet[str], what: str) -> None:
    unknown = json.keys() - allowed
    if unknown:
        raise bad_request(f"unknown {what} key(s): {printable_names(unknown)}")


def _error(json: Any) -> WireError:
    """Lenient, as every error blocks: what is missing or unknown is read as ``internal``."""
    if type(json) is not dict:
        return WireError("internal", "")
    code, message = json.get("code"), json.get("message")
    return WireError(
        code if type(code) is str and code in WIRE_ERROR_CODES else "internal", message if type(message) is str else ""
    )


def _hello(json: Any) -> HelloAnswer:
    if type(json) is not dict:
        raise bad_request("hello must be a JSON object")
    _only_keys(json, _HELLO_KEYS, "hello")
    max_frame = _whole_number(json.get("max_frame"), "hello.max_frame")
    if not 1 <= max_frame <= MAX_LINE_BYTES:
        raise bad_request(f"hello.max_frame must be from 1 to {MAX_LINE_BYTES}")
    # There is no other mode, so that one which enforces less could not be taken for it.
    if json.get("mode") != "enforce":
        raise bad_request("hello.mode must be enforce")
    daemon = _name(json.get("daemon"), "hello.daemon")
    _name(json.get("rules"), "hello.rules")
    _whole_number(json.get("rules_version"), "hello.rules_version")
    return HelloAnswer(daemon, parse_features(json.get("features")), max_frame)


def _decision(frame: Dict[str, Any], features: Features) -> Decision:
    """Every key must be there: a MODIFY whose rewrite is missing would run the call as it was. Only ``reason`` may be absent."""
    has_details = "details" in features
    keys = frame.keys()
    if keys != (_NINE_KEYS if has_details else _EIGHT_KEYS):
        _only_keys(frame, _NINE_KEYS if has_details else _EIGHT_KEYS, "response")
        if not keys >= _REQUIRED_KEYS or (has_details and "details" not in keys):
            raise bad_request("the answer lacks a key")
    verdict = _verdict(frame["verdict"])
    escape = "escape" in features
    args = frame["modified_args"]
    if args is not None:
        if type(args) is not dict:
            raise bad_request("modified_args must be a JSON object or null")
        args = _decoded(args, "modified_args", escape)
        if type(args) is not dict:
            raise bad_request("modified_args must be a JSON object or null")
    result = frame["modified_result"]
    if result is not None:
        result = _decoded(result, "modified_result", escape)
    if verdict is Verdict.ALLOW and (args is not None or result is not None):
        raise bad_request("an ALLOW carries no rewrite")
    details = _details(frame["details"]) if has_details else None
    replayed = details is not None and details.replayed
    if details is not None and replayed:
        _assert_replay(verdict, args, details)
    # Version 1 lets a BLOCK carry what nobody reads.
    if has_details and verdict is Verdict.BLOCK and result is not None and not (replayed and "replay" in features):
        raise bad_request("only a replay carries a result in a BLOCK")
    reason = frame.get("reason")
    if reason is None:
        reason = ""
    elif type(reason) is not str:
        raise bad_request("reason must be a string")
    return Decision(
        verdict,
        reason,
        _text_or_none(frame["policy_id"], "policy_id"),
        _text_or_none(frame["attributed_to"], "attributed_to"),
        args,
        result,
        details,
        "replace_args" in features,
    )


_VERDICTS = tuple(Verdict)


def _verdict(json: Any) -> Verdict:
    # A number may be written 1.0; true is none.
    if type(json) in (int, float) and json in _VERDICTS:
        return _VERDICTS[int(json)]
    raise bad_request("verdict must be one of 0, 1, 2, 3")


def _decoded(json: Any, where: str, escape: bool) -> Any:
    try:
        return decode_value(json, escape)
    except WireError as refused:
        raise WireError(refused.code, f"{where}: {refused.message}") from None


def _details(json: Any) -> Optional[DecisionDetails]:
    if json is None:
        return None
    if type(json) is not dict:
        raise bad_request("details must be a JSON object")
    _only_keys(json, _DETAILS_KEYS, "details")
    code, replayed, errors = json.get("code"), json.get("replayed"), json.get("errors")
    if type(code) is not str or code == "":
        raise bad_request("details.code must be a non-empty string")
    if type(replayed) is not bool:
        raise bad_request("details.replayed must be true or false")
    if type(errors) is not list:
        raise bad_request("details.errors must be an array")
    # Both keys are required: absent is not null.
    return DecisionDetails(
        code,
        _text_or_none(json.get("approval_id", _ABSENT), "details.approval_id"),
        _text_or_none(json.get("transaction_id", _ABSENT), "details.transaction_id"),
        tuple([_field_error(error) for error in errors]),
        replayed,
    )


_ABSENT = object()


def _field_error(json: Any) -> FieldError:
    if type(json) is not dict:
        raise bad_request("details.errors[] must be a JSON object")
    _only_keys(json, _FIELD_ERROR_KEYS, "details.errors[]")
    for key in ("loc", "msg", "type"):
        if type(json.get(key)) is not str:
            raise bad_request(f"details.errors[].{key} must be a string")
    return FieldError(json["loc"], json["msg"], json["type"])


def _assert_replay(verdict: Verdict, args: Any, details: DecisionDetails) -> None:
    """A replay has one form, which no client can read as leave to run the call again."""
    if verdict is not Verdict.BLOCK:
        raise bad_request("a replay is a BLOCK")
    if details.code != "replayed":
        raise bad_request("a replay has the code replayed")
    if details.transaction_id is None:
        raise bad_request("a replay names the transaction that ran")
    if args is not None:
        raise bad_request("a replay carries no arguments")


def _text_or_none(json: Any, where: str) -> Optional[str]:
    if json is None or type(json) is str:
        return json
    raise bad_request(f"{where} must be a string or null")


def _name(json: Any, where: str) -> str:
    if type(json) is not str or json == "":
        raise bad_request(f"{where} must be a non-empty string")
    if not fits_bytes(json, MAX_NAME_BYTES):
        raise bad_request(f"{where} must be at most {MAX_NAME_BYTES} bytes")
    return json


def _whole_number(json: Any, where: str) -> int:
    if type(json) in (int, float) and json >= 0 and json == int(json) and json <= 2**53 - 1:
        return int(json)
    raise bad_request(f"{where} must be a whole number")
