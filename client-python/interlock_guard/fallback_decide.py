"""How a fallback policy decides: the first block that is about the event beats every allow; without an allow it is blocked."""

from __future__ import annotations

import re
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

from .fallback_policy import Condition, FallbackPolicy, InBounds, InDirectories, Rule, Test
from .path_place import is_inside, is_plain_path


class OfflineEvent(NamedTuple):
    action: str
    phase: str
    principal: Optional[str]
    args: Dict[str, Any]
    """The JSON that the arguments have in a frame, with the feature ``escape``."""


class OfflineVerdict(NamedTuple):
    verdict: str
    """``ALLOW`` or ``BLOCK``; there is no other."""
    rule: Optional[str]
    """Whose word it is; None where no rule is about the call, which is a BLOCK."""


def decide_offline(policy: FallbackPolicy, event: OfflineEvent) -> OfflineVerdict:
    for rule in policy.rules:
        if rule.effect == "block" and _is_about(rule, event) and all(_may_be_meant(event.args, one) for one in rule.where):
            return OfflineVerdict("BLOCK", rule.id)
    for rule in policy.rules:
        if rule.effect == "allow" and _is_allow_of(rule, event):
            return OfflineVerdict("ALLOW", rule.id)
    return OfflineVerdict("BLOCK", None)


def _is_allow_of(rule: Rule, event: OfflineEvent) -> bool:
    if not _is_about(rule, event):
        return False
    if rule.only_arguments is not None and not event.args.keys() <= set(rule.only_arguments):
        return False
    return all(_is_right(event.args, condition) for condition in rule.where)


def _is_about(rule: Rule, event: OfflineEvent) -> bool:
    if rule.phase not in ("both", event.phase) or not any(_is_named(event.action, name, ".*") for name in rule.actions):
        return False
    if rule.principals is None:
        return True
    who = event.principal
    return who is not None and any(_is_named(who, name, "/*") for name in rule.principals)


def _is_named(name: str, listed: str, suffix: str) -> bool:
    """``a.*`` names what begins with ``a.``; ``*`` everything; else the name itself."""
    if listed == "*":
        return True
    return name.startswith(listed[:-1]) if listed.endswith(suffix) else name == listed


def _is_right(args: Dict[str, Any], condition: Condition) -> bool:
    """An allow needs a yes about everything that is found."""
    return all(_judged(found, condition.test) == "holds" for found in _found(args, condition.steps))


def _may_be_meant(args: Dict[str, Any], condition: Condition) -> bool:
    """A block is not escaped by a value that nobody can judge."""
    return any(_judged(found, condition.test) in ("holds", "unclear") for found in _found(args, condition.steps))


_Found = Tuple[str, Any]
"""``("value", it)``, ``("absent", None)`` or ``("unclear", None)``: what the way does not fit."""

_ABSENT: _Found = ("absent", None)
_UNCLEAR: _Found = ("unclear", None)
_POSITION = re.compile(r"0|[1-9][0-9]{0,8}")


def _found(value: Any, steps: Tuple[str, ...]) -> List[_Found]:
    """What stands at the end of the way: one, or with ``*`` one an item."""
    if value is None:
        return [_ABSENT]
    if not steps:
        return [("value", value)]
    step, rest = steps[0], steps[1:]
    if type(value) is list:
        if step == "*":
            return [found for item in value for found in _found(item, rest)] if value else [_ABSENT]
        if not _POSITION.fullmatch(step):
            return [_UNCLEAR]
        position = int(step)
        return _found(value[position] if position < len(value) else None, rest)
    if type(value) is not dict or step == "*":
        return [_UNCLEAR]
    return _found(value.get(step), rest)


def _judged(found: _Found, test: Test) -> str:
    kind, value = found
    if kind != "value":
        return kind
    if isinstance(test, InDirectories):
        if type(value) is not str or not is_plain_path(value):
            return "unclear"
        return "holds" if any(is_inside(value, directory) for directory in test.directories) else "fails"
    if isinstance(test, InBounds):
        return _in_bounds(value, test) if _type(value) == "number" else "unclear"
    # Nothing is converted: "1" is no 1, and 1 is no true.
    same_type = [listed for listed in test.values if _type(listed) == _type(value)]
    if value in same_type:
        return "holds"
    return "fails" if same_type else "unclear"


def _in_bounds(value: float, test: InBounds) -> str:
    if test.integer and (value != int(value) or abs(value) > 2**53 - 1):
        return "fails"
    return "holds" if (test.min is None or value >= test.min) and (test.max is None or value <= test.max) else "fails"


def _type(value: Any) -> str:
    kind = type(value)
    return "number" if kind in (int, float) else kind.__name__
