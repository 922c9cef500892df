"""A receipt of its text, or None. Only the exact text is taken that a daemon writes (RFC 8785): its keys, no other, in order,
once each, and no space. Then two readers can never disagree about what a hashed text says."""

import json
import re
from typing import Any, Callable, Dict, NamedTuple, NoReturn, Optional

_MAX_SAFE_INTEGER = 2**53 - 1


class Receipt(NamedTuple):
    """What the walk over a chain looks at."""

    seq: int
    chain: str
    prev: str
    time_ms: int
    # Of a control receipt; empty in a decision.
    event: str
    detail: str


def parse_receipt(text: str) -> Optional[Receipt]:
    """None where the text is not a receipt of version 1 or 2."""
    try:
        value = json.loads(text, parse_float=_refuse, parse_constant=_refuse)
        written = _canonical(value)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or written != text:
        return None
    if value.get("kind") != "decision":
        checks = _CONTROL
    elif _is_one_of(1)(value.get("v")):
        checks = _DECISION_1
    else:
        checks = _DECISION_2
    # Both in the order of the text: the keys are ASCII, which sorts by bytes as it does by UTF-16 units.
    if list(value) != sorted(checks) or not all(check(value[key]) for key, check in checks.items()):
        return None
    if checks is _DECISION_2 and not _commits_once(value):
        return None
    said = (value["event"], value["detail"]) if checks is _CONTROL else ("", "")
    return Receipt(value["seq"], value["chain"], value["prev"], value["time_ms"], *said)


def _canonical(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return _SURROGATE.sub(lambda found: "\\u%04x" % ord(found.group()), text)


_SURROGATE = re.compile("[\ud800-\udfff]")


def _refuse(_: str) -> NoReturn:
    raise ValueError("no number of a receipt has a fraction")


def _commits_once(value: Dict[str, Any]) -> bool:
    """What was put is one thing: the arguments of a call, or the response of a result."""
    is_result = value["phase"] == "result"
    return (value["args_commitment"] is None) == is_result and (value["response_commitment"] is None) != is_result


_Check = Callable[[Any], bool]


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= _MAX_SAFE_INTEGER


def _is_place(value: Any) -> bool:
    return _is_integer(value) and value > 0


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(_is_text(item) for item in value)


def _or_none(check: _Check) -> _Check:
    return lambda value: value is None or check(value)


def _is_one_of(*allowed: Any) -> _Check:
    # In Python `True == 1`: what is compared is of the same type.
    return lambda value: any(type(value) is type(one) and value == one for one in allowed)


def _is_hex(digits: int, prefix: str = "") -> _Check:
    pattern = re.compile("%s[0-9a-f]{%d}" % (prefix, digits))
    return lambda value: isinstance(value, str) and pattern.fullmatch(value) is not None


def _is_offline(value: Any) -> bool:
    if not isinstance(value, dict) or list(value) != ["at_ms", "policy"]:
        return False
    return _is_integer(value["at_ms"]) and _is_text(value["policy"])


_is_commitment = _is_hex(64, "sha256:")

_LINKED: Dict[str, _Check] = {
    "chain": _is_hex(32),
    "prev": _is_hex(64),
    "seq": _is_place,
    "time_ms": _is_integer,
}

_CONTROL: Dict[str, _Check] = {
    **_LINKED,
    "detail": _is_text,
    "event": _is_text,
    "kind": _is_one_of("control"),
    "rules": _or_none(_is_text),
    "rules_before": _or_none(_is_text),
    "v": _is_one_of(1),
}

_DECISION: Dict[str, _Check] = {
    **_LINKED,
    "action": _is_text,
    "attributed_to": _or_none(_is_text),
    "call_id": _or_none(_is_text),
    "code": _is_text,
    "kept": _is_one_of(True, False),
    "kind": _is_one_of("decision"),
    "parent_principal": _or_none(_is_text),
    "phase": _is_one_of("call", "result"),
    "policy_id": _or_none(_is_text),
    "principal": _or_none(_is_text),
    "principal_source": _is_one_of("claimed", "configured", "token"),
    "reason": _is_text,
    "request": _is_text,
    "rules": _is_text,
    "session": _or_none(_is_text),
    "span_id": _or_none(_is_text),
    "trace": _are_texts,
    "transaction_id": _or_none(_is_text),
    "verdict": _is_one_of("ALLOW", "BLOCK", "MODIFY", "ESCALATE"),
}

_DECISION_1: Dict[str, _Check] = {**_DECISION, "args_commitment": _is_commitment, "v": _is_one_of(1)}

_DECISION_2: Dict[str, _Check] = {
    **_DECISION,
    "args_commitment": _or_none(_is_commitment),
    "client": _or_none(_is_text),
    "contract": _or_none(_is_text),
    "decided": _or_none(_is_place),
    "final_commitment": _or_none(_is_commitment),
    "grade": _or_none(_is_one_of("async/enforce", "async/monitor", "sync/enforce", "sync/monitor")),
    "identity": _or_none(_is_text),
    "offline": _or_none(_is_offline),
    "policies": _are_texts,
    "response_commitment": _or_none(_is_commitment),
    "rules_version": _is_integer,
    "scope": _or_none(_is_text),
    "surface": _or_none(_is_text),
    "v": _is_one_of(2),
}
