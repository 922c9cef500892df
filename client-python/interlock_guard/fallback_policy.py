"""What a client decides by while nobody listens on the daemon's socket, where it was made with ``unreachable="degraded"``: data that every
language reads alike. The project's page on the fallback policy is its definition."""

from __future__ import annotations

import re
from typing import Any, Callable, Dict, List, NamedTuple, NoReturn, Optional, Tuple, TypeVar, Union

from .admission import admit
from .path_place import is_plain_path
from .text import fits_bytes, printable_names
from .timestamp import parse_timestamp
from .wire_error import WireError, bad_request

MAX_RULES = 1024
MAX_LISTED = 1024
MAX_TEXT_BYTES = 4096
MAX_STEPS = 32

Scalar = Union[str, int, float, bool]


class InDirectories(NamedTuple):
    directories: Tuple[str, ...]
    """Each ends in ``/``."""


class OneOf(NamedTuple):
    values: Tuple[Scalar, ...]


class InBounds(NamedTuple):
    min: Optional[float]
    max: Optional[float]
    integer: bool


Test = Union[InDirectories, OneOf, InBounds]


class Condition(NamedTuple):
    """What one argument has to be."""

    steps: Tuple[str, ...]
    """The way to it: names, positions in arrays, and ``*`` for every item of an array."""
    test: Test


class Rule(NamedTuple):
    id: str
    effect: str
    """``allow`` or ``block``."""
    actions: Tuple[str, ...]
    phase: str
    """``call``, ``result`` or ``both``."""
    principals: Optional[Tuple[str, ...]]
    """None: whoever asks."""
    where: Tuple[Condition, ...]
    only_arguments: Optional[Tuple[str, ...]]
    """None: any."""


class FallbackPolicy(NamedTuple):
    id: str
    version: int
    """Rises with every change; a lower one than was seen is refused."""
    not_before_ms: Optional[int]
    not_after_ms: int
    rules: Tuple[Rule, ...]


def parse_fallback_policy(payload: str) -> FallbackPolicy:
    """Of the payload of a signed document. Raises ``WireError`` (``bad_request``): one line that names the place and quotes nothing."""
    try:
        json = admit(payload.encode("utf-8"))
    except (WireError, UnicodeEncodeError):
        _refuse("", "is not strict JSON")
    json = _object(json, ("created", "id", "not_after", "not_before", "rules", "v", "version"), "")
    if not _is_number(json.get("v")) or json["v"] != 1:
        _refuse("v", "must be 1")
    version: Any = json.get("version")
    if not _is_number(version) or not 1 <= version <= 2**53 - 1 or version != int(version):
        _refuse("version", "must be a whole number from 1")
    created = _time(json.get("created"), "created")
    not_after = _time(json.get("not_after"), "not_after")
    if "not_before" not in json:
        _refuse("not_before", "must be a time such as 2027-01-31T12:00:00.000Z")
    start = json["not_before"]
    not_before = None if start is None else _time(start, "not_before")
    if not_after <= max(created, created if not_before is None else not_before):
        _refuse("not_after", "must be later than created and not_before")
    listed = json.get("rules")
    if type(listed) is not list or not 1 <= len(listed) <= MAX_RULES:
        _refuse("rules", f"must be a list of 1 to {MAX_RULES}")
    rules = tuple([_rule(rule, f"rules.{index}") for index, rule in enumerate(listed)])
    if len({rule.id for rule in rules}) != len(rules):
        _refuse("rules", "has an id twice")
    return FallbackPolicy(_rule_id(json.get("id"), "id"), int(version), not_before, not_after, rules)


_RULE_KEYS = ("actions", "effect", "id", "only_arguments", "phase", "principals", "where")


def _rule(value: Any, at: str) -> Rule:
    json = _object(value, _RULE_KEYS, at)
    effect = json.get("effect")
    if effect not in ("allow", "block"):
        _refuse(f"{at}.effect", "must be allow or block")
    only = None
    if "only_arguments" in json:
        # An empty list is a call without arguments.
        is_empty = type(json["only_arguments"]) is list and not json["only_arguments"]
        only = () if is_empty else _list(json["only_arguments"], f"{at}.only_arguments", _text)
    if only is not None and effect == "block":
        _refuse(f"{at}.only_arguments", "is for an allow; a block is about what is there")
    where = _conditions(json["where"], f"{at}.where") if "where" in json else ()
    if only is not None and any(condition.steps[0] not in only for condition in where):
        _refuse(f"{at}.only_arguments", "leaves out an argument that `where` needs")
    phase = json["phase"] if "phase" in json else "call"
    if phase not in ("call", "result", "both"):
        _refuse(f"{at}.phase", "must be call, result or both")
    principals = None
    if "principals" in json:
        principals = _list(json["principals"], f"{at}.principals", lambda name, place: _named(_text(name, place), "/*", place))
    return Rule(
        _rule_id(json.get("id"), f"{at}.id"),
        effect,
        _list(json.get("actions"), f"{at}.actions", lambda name, place: _action(_text(name, place), effect, place)),
        phase,
        principals,
        where,
        only,
    )


_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


def _rule_id(json: Any, at: str) -> str:
    """Ids stand in answers, logs and receipts."""
    if type(json) is str and _ID.fullmatch(json):
        return json
    _refuse(at, "must be 1 to 64 of letters, digits, . _ and -, the first a letter or digit")


def _action(name: str, effect: str, at: str) -> str:
    """To allow whatever there is would be ``unreachable="allow"`` under another name."""
    if name != "*":
        return _named(name, ".*", at)
    if effect == "block":
        return name
    _refuse(at, "is * and only a block may be about every action")


def _named(name: str, suffix: str, at: str) -> str:
    """A star stands at the end, after a dot or a slash and something before that; or nowhere."""
    stem = name[: -len(suffix)] if name.endswith(suffix) else name
    if stem == "" or "*" in stem:
        _refuse(at, f"may have a * only as {suffix} at its end")
    return name


def _conditions(json: Any, at: str) -> Tuple[Condition, ...]:
    if type(json) is not dict:
        _refuse(at, "must be an object of arguments and what they have to be")
    if not 1 <= len(json) <= MAX_LISTED:
        _refuse(at, f"must name 1 to {MAX_LISTED}")
    return tuple([_condition(way, test, f"{at}.{index}") for index, (way, test) in enumerate(json.items())])


def _condition(way: str, test: Any, at: str) -> Condition:
    """The place is the number of the condition: a way is not shown, as it may hold anything."""
    steps = tuple(_text(way, at).split("."))
    if "" in steps or len(steps) > MAX_STEPS:
        _refuse(at, f"must be 1 to {MAX_STEPS} steps with a dot between, such as items.0.id")
    if steps[0] == "*":
        _refuse(at, "begins with a *; arguments have names")
    return Condition(steps, _test(test, at))


def _test(value: Any, at: str) -> Test:
    """``{prefix: [...]}``, ``{one_of: [...]}``, or ``{min, max, integer}``: exactly one of the three."""
    if type(value) is not dict:
        _refuse(at, 'must be an object such as {"one_of":["ro"]}')
    if "prefix" in value:
        return InDirectories(_list(_object(value, ("prefix",), at)["prefix"], f"{at}.prefix", _directory))
    if "one_of" in value:
        return OneOf(_list(_object(value, ("one_of",), at)["one_of"], f"{at}.one_of", _scalar))
    json = _object(value, ("integer", "max", "min"), at)
    for name in ("min", "max"):
        if name in json and not _is_number(json[name]):
            _refuse(f"{at}.{name}", "must be a number")
    low, high = json.get("min"), json.get("max")
    if low is None and high is None:
        _refuse(at, "needs one of prefix, one_of, min, max")
    if low is not None and high is not None and low > high:
        _refuse(at, "has a min above its max")
    integer = json["integer"] if "integer" in json else False
    if type(integer) is not bool:
        _refuse(f"{at}.integer", "must be true or false")
    return InBounds(low, high, integer)


def _directory(json: Any, at: str) -> str:
    """Ends in ``/``, so that ``/srv`` is not taken for the beginning of ``/srv-old``."""
    text = _text(json, at)
    if not text.endswith("/"):
        _refuse(at, "must end in /")
    if not is_plain_path(text):
        _refuse(at, "must have no empty segment, no . and no .., no backslash and no NUL")
    return text


def _scalar(json: Any, at: str) -> Scalar:
    if _is_number(json) or type(json) is bool or json == "":
        return json  # type: ignore[no-any-return]
    if type(json) is not str:
        _refuse(at, "must be a text, a number, true or false")
    return _text(json, at)


T = TypeVar("T")


def _list(json: Any, at: str, item: Callable[[Any, str], T]) -> Tuple[T, ...]:
    if type(json) is not list or not 1 <= len(json) <= MAX_LISTED:
        _refuse(at, f"must be a list of 1 to {MAX_LISTED}")
    parsed: List[T] = [item(value, f"{at}.{index}") for index, value in enumerate(json)]
    return tuple(parsed)


def _object(json: Any, known: Tuple[str, ...], at: str) -> Dict[str, Any]:
    if type(json) is not dict:
        _refuse(at, "must be an object")
    unknown = json.keys() - set(known)
    if unknown:
        _refuse(at, f"has unknown key(s): {printable_names(unknown)}")
    return json


def _text(json: Any, at: str) -> str:
    if type(json) is not str or json == "":
        _refuse(at, "must be a non-empty text")
    if not fits_bytes(json, MAX_TEXT_BYTES):
        _refuse(at, f"must be at most {MAX_TEXT_BYTES} bytes")
    return json


def _time(json: Any, at: str) -> int:
    milliseconds = parse_timestamp(json)
    if milliseconds is None:
        _refuse(at, "must be a time such as 2027-01-31T12:00:00.000Z")
    return milliseconds


def _is_number(json: Any) -> bool:
    return type(json) in (int, float)


def _refuse(at: str, what: str) -> NoReturn:
    raise bad_request(f"fallback policy refused: {at or 'it'} {what}")
