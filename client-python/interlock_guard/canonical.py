"""Canonical JSON of RFC 8785 (JCS): keys sorted by UTF-16 code units, numbers as ECMAScript writes them, shortest escapes, no white space."""

from __future__ import annotations

from json.encoder import encode_basestring
from typing import Any

from .limits import MAX_NESTING_DEPTH, MAX_SAFE_INTEGER
from .number_text import number_text
from .text import is_well_formed, utf16_order
from .wire_error import Unrepresentable


def canonical(value: Any, depth: int = 0) -> str:
    """The canonical text of what JSON can carry: None, bool, int, float, str, list and dict with str keys, and nothing else.

    ``depth`` is how many arrays and objects it will stand in.

    Raises ``Unrepresentable`` for anything else: NaN, infinities, integers beyond 2^53-1, lone surrogates, keys that are no
    strings, subclasses, more than 128 levels (which a cycle has).
    """
    kind = type(value)
    if kind is str:
        return quote(value)
    if value is None:
        return "null"
    if kind is bool:
        return "true" if value else "false"
    if kind is int:
        if -MAX_SAFE_INTEGER <= value <= MAX_SAFE_INTEGER:
            return str(value)
        raise Unrepresentable("an integer beyond 2^53-1")
    if kind is float:
        if value - value != 0.0:
            raise Unrepresentable("NaN" if value != value else "Infinity")
        return number_text(value)
    if kind is not dict and kind is not list:
        raise Unrepresentable(described(value))
    if depth >= MAX_NESTING_DEPTH:
        raise too_deep()
    if kind is list:
        return "[" + ",".join([canonical(item, depth + 1) for item in value]) + "]"
    return "{" + ",".join([f"{quote(key)}:{canonical(value[key], depth + 1)}" for key in sorted_keys(value)]) + "}"


def quote(text: str) -> str:
    """A JSON string. Python's encoder escapes exactly what RFC 8785 asks for, and lets lone surrogates pass."""
    if not text.isascii() and not is_well_formed(text):
        raise Unrepresentable("a string with a lone surrogate")
    return encode_basestring(text)


def sorted_keys(value: "dict[str, Any]") -> "list[str]":
    """The keys in canonical order. Raises ``Unrepresentable`` for a key that is no string."""
    for key in value:
        if type(key) is not str:
            raise Unrepresentable("an object with a key that is not a string")
    for key in value:
        # Only from U+E000 on do UTF-16 and code points disagree, and only where both sides of it are there.
        if not key.isascii():
            return sorted(value, key=utf16_order)
    return sorted(value)


def too_deep() -> Unrepresentable:
    return Unrepresentable(f"a value nested deeper than {MAX_NESTING_DEPTH} levels, or inside itself,")


def described(value: object) -> str:
    """What a refused value is, in words; never what it holds."""
    name = type(value).__name__
    shown = name if name.isidentifier() and name.isascii() and len(name) <= 64 else "object"
    return f"an instance of {shown}"
