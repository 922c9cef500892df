"""Strict JSON in front of Python's own parser, which keeps the last of two equal keys, takes NaN, turns 1e400 into an
infinity and lets lone surrogates pass. Each of these lets two readers of one text see two different calls (RFC 7493)."""

from __future__ import annotations

import json
import re
from typing import Any, List, Tuple

from .limits import MAX_NESTING_DEPTH, MAX_SAFE_INTEGER
from .text import is_well_formed
from .wire_error import WireError, bad_request


def admit(line: bytes) -> Any:
    """The JSON value of a text in UTF-8.

    Raises ``WireError`` (``bad_request``) for a byte order mark, invalid UTF-8, JSON's own syntax errors, an object with a key
    twice, an integer beyond 2^53-1, a number that overflows or underflows a double, a lone surrogate, more than 128 levels.
    """
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        raise bad_request("frame is not valid UTF-8: it holds an ill-formed sequence") from None
    if text.startswith("\ufeff"):
        raise _refused("it begins with a byte order mark")
    # Before the parser, so that a bomb of brackets costs no stack.
    if text.count("[") + text.count("{") > MAX_NESTING_DEPTH:
        _assert_depth(text)
    try:
        value = _decode(text)
    except WireError:
        raise
    except (ValueError, RecursionError):
        # The parser's own message quotes the text.
        raise _refused("syntax error") from None
    # Valid UTF-8 holds no surrogate, so a lone one can only have been written as an escape.
    if "\\ud" in text or "\\uD" in text:
        _assert_well_formed(value)
    return value


def _refused(what: str) -> WireError:
    return bad_request(f"frame is not valid JSON: {what}")


def _members(pairs: List[Tuple[str, Any]]) -> "dict[str, Any]":
    members = dict(pairs)
    if len(members) != len(pairs):
        raise _refused("an object holds a key twice")
    return members


def _integer(token: str) -> int:
    if len(token) <= 17:
        value = int(token)
        if -MAX_SAFE_INTEGER <= value <= MAX_SAFE_INTEGER:
            return value
    raise _refused("an integer beyond 2^53-1")


def _decimal(token: str) -> float:
    value = float(token)
    if value in (float("inf"), float("-inf")):
        raise _refused("a number that overflows")
    if value == 0.0 and _NON_ZERO.match(token):
        raise _refused("a number that underflows to zero")
    return value


_NON_ZERO = re.compile(r"[-0.]*[1-9]")


def _constant(_: str) -> Any:
    raise _refused("syntax error")


_decode = json.JSONDecoder(
    object_pairs_hook=_members, parse_int=_integer, parse_float=_decimal, parse_constant=_constant
).decode

# A whole string, to its end or the text's, or one bracket.
_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?\Z)|[\[\]{}]', re.DOTALL)


def _assert_depth(text: str) -> None:
    depth = 0
    for token in _TOKEN.finditer(text):
        first = text[token.start()]
        if first == "{" or first == "[":
            depth += 1
            if depth > MAX_NESTING_DEPTH:
                raise bad_request(f"frame is nested deeper than {MAX_NESTING_DEPTH} levels")
        elif first != '"':
            depth -= 1


def _assert_well_formed(value: Any) -> None:
    if type(value) is str:
        if not is_well_formed(value):
            raise _refused("a lone surrogate")
    elif type(value) is list:
        for item in value:
            _assert_well_formed(item)
    elif type(value) is dict:
        for key, item in value.items():
            if not is_well_formed(key):
                raise _refused("a lone surrogate in a key")
            _assert_well_formed(item)
