"""Copies of arguments in which nothing is shared with the original."""

from __future__ import annotations

from typing import Any, Dict

from .limits import MAX_NESTING_DEPTH


def snapshot(args: Dict[str, Any]) -> Dict[str, Any]:
    """Values without a JSON form are kept as they are: the encoder refuses them, so that they are never approved."""
    return {key: _copied(value, 2) for key, value in args.items()}


def _copied(value: Any, depth: int) -> Any:
    kind = type(value)
    if depth > MAX_NESTING_DEPTH:
        return value
    if kind is dict:
        return {key: _copied(item, depth + 1) for key, item in value.items()}
    if kind is list:
        return [_copied(item, depth + 1) for item in value]
    if kind is tuple:
        return tuple([_copied(item, depth + 1) for item in value])
    if kind is set:
        return set(value)
    return bytearray(value) if kind is bytearray else value
