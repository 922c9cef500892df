"""The value codec: how arguments and results travel in JSON."""

from __future__ import annotations

from typing import Any, List

from .canonical import canonical, described, sorted_keys, too_deep
from .envelope import (
    BYTES_KEY,
    BYTES_TAG,
    TAG_KEY,
    bytes_envelope,
    envelope_tag,
    needs_escape,
    strict_base64,
)
from .limits import MAX_NESTING_DEPTH, MAX_SAFE_INTEGER, MAX_VALUE_NODES
from .text import is_well_formed, printable_name, utf16_order
from .wire_error import Unrepresentable, bad_request


def encode_value(value: Any, escape: bool = False) -> Any:
    """A value as JSON, copied.

    ========================================== ==============================================
    None, bool, int, float, str                itself
    dict with str keys                         an object
    list, tuple                                an array
    bytes, bytearray                           the bytes envelope
    set, frozenset                             an array sorted by its members' canonical text
    ========================================== ==============================================

    ``escape``: was the feature of that name agreed to? Without it an object that looks like the bytes envelope cannot be sent.

    Raises ``Unrepresentable``, which names the place, for everything else: other classes and subclasses (a named tuple, an
    enum, a datetime, a Decimal), NaN and infinities, whole numbers beyond 2^53-1, lone surrogates, keys that are no strings, more than 128
    levels or a cycle, more parts than a frame can hold.
    """
    return _Encoder(escape).encode(value, 0)


class _Encoder:
    def __init__(self, escape: bool) -> None:
        self._escape = escape
        self._nodes = 0

    def encode(self, value: Any, depth: int) -> Any:
        kind = type(value)
        if kind is str:
            if not is_well_formed(value):
                raise Unrepresentable("a string with a lone surrogate")
            return value
        if value is None or kind is bool:
            return value
        if kind is int:
            if -MAX_SAFE_INTEGER <= value <= MAX_SAFE_INTEGER:
                return value
            raise Unrepresentable("an integer beyond 2^53-1")
        if kind is float:
            return _float(value)
        if depth >= MAX_NESTING_DEPTH:
            raise too_deep()
        if kind is bytes or kind is bytearray:
            return bytes_envelope(bytes(value))
        if kind is dict:
            return self._members(value, depth + 1)
        if kind is list or kind is tuple:
            return self._items(list(value), depth + 1)
        if kind is set or kind is frozenset:
            texts = [(canonical(item), item) for item in self._items(list(value), depth + 1)]
            texts.sort(key=lambda pair: utf16_order(pair[0]))
            return [item for _, item in texts]
        raise Unrepresentable(described(value))

    def _count(self, parts: int) -> None:
        """One object that is shared many times over grows without bound when it is written out: the count ends it."""
        self._nodes += parts
        if self._nodes > MAX_VALUE_NODES:
            raise Unrepresentable("a value of more parts than a frame can hold")

    def _items(self, items: List[Any], depth: int) -> List[Any]:
        self._count(len(items))
        out: List[Any] = []
        try:
            for item in items:
                out.append(self.encode(item, depth))
        except Unrepresentable as refused:
            raise refused.inside(f"[{len(out)}]") from None
        return out

    def _members(self, value: "dict[str, Any]", depth: int) -> "dict[str, Any]":
        members = dict(value)
        keys = sorted_keys(members)
        self._count(len(keys))
        tag = envelope_tag(members)
        if tag is not None and needs_escape(tag):
            if not self._escape and tag == BYTES_TAG:
                raise Unrepresentable("an object that looks like encoded bytes")
            if not is_well_formed(tag):
                raise Unrepresentable("a string with a lone surrogate")
            b64 = self.encode(members[BYTES_KEY], depth)
            return {TAG_KEY: f"={tag}" if self._escape else tag, BYTES_KEY: b64}
        out = {}
        key = ""
        try:
            for key in keys:
                if not is_well_formed(key):
                    raise Unrepresentable("a key with a lone surrogate")
                out[key] = self.encode(members[key], depth)
        except Unrepresentable as refused:
            raise refused.inside(printable_name(key)) from None
        return out


def _float(value: float) -> float:
    if value - value != 0.0:
        raise Unrepresentable("NaN" if value != value else "Infinity")
    if value.is_integer() and not -MAX_SAFE_INTEGER <= value <= MAX_SAFE_INTEGER:
        raise Unrepresentable("an integer beyond 2^53-1")
    return value


def decode_value(json: Any, escape: bool = False) -> Any:
    """The value that JSON off the wire stands for: envelopes become bytes, escaped look-alikes themselves.

    Raises ``WireError`` (``bad_request``) for an envelope whose base64 is not strict, and for an escape that no encoder writes.
    Expects JSON that was admitted, so that its depth is bounded.
    """
    kind = type(json)
    if kind is list:
        return [decode_value(item, escape) for item in json]
    if kind is not dict:
        return json
    tag = envelope_tag(json)
    if tag == BYTES_TAG:
        raw = strict_base64(json[BYTES_KEY])
        if raw is None:
            raise bad_request("encoded bytes must be standard base64 with padding")
        return raw
    members = {key: decode_value(item, escape) for key, item in json.items()}
    if tag is None or not escape or not tag.startswith("="):
        return members
    own = tag[1:]
    if not needs_escape(own):
        raise bad_request("an escaped tag that needs no escape")
    return {TAG_KEY: own, BYTES_KEY: members[BYTES_KEY]}
