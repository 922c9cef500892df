"""The value codec: how arguments and results travel in JSON."""

from __future__ import annotations

from typing import Any, Iterable, List

from .canonical import canonical, described, quote, sorted_keys, too_deep
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


def encode_text(value: Any, escape: bool = False, depth: int = 0) -> str:
    """The canonical text of a value as JSON:

    ========================================== ==============================================
    None, bool, int, float, str                itself
    dict with str keys                         an object
    list, tuple                                an array
    bytes, bytearray                           the bytes envelope
    set, frozenset                             an array sorted by its members' canonical text
    ========================================== ==============================================

    ``escape``: was the feature of that name agreed to? Without it an object that looks like the bytes envelope cannot be sent.
    ``depth`` is how many arrays and objects it will stand in.

    Raises ``Unrepresentable``, which names the place, for everything else: other classes and subclasses (a named tuple, an
    enum, a datetime, a Decimal), NaN and infinities, whole numbers beyond 2^53-1, lone surrogates, keys that are no strings, more than 128
    levels or a cycle, more parts than a frame can hold.
    """
    return _Encoder(escape).text(value, depth)


class _Encoder:
    def __init__(self, escape: bool) -> None:
        self._escape = escape
        self._nodes = 0

    def text(self, value: Any, depth: int) -> str:
        kind = type(value)
        if kind is str:
            return quote(value)
        if kind is dict:
            return self._members(value, depth)
        if value is None:
            return "null"
        if kind is bool:
            return "true" if value else "false"
        if kind is int:
            if -MAX_SAFE_INTEGER <= value <= MAX_SAFE_INTEGER:
                return str(value)
            raise Unrepresentable("an integer beyond 2^53-1")
        if kind is float:
            if value.is_integer() and not -MAX_SAFE_INTEGER <= value <= MAX_SAFE_INTEGER:
                raise Unrepresentable("an integer beyond 2^53-1")
            return canonical(value)
        if kind is list or kind is tuple:
            return f"[{','.join(self._items(value, depth))}]"
        if kind is bytes or kind is bytearray:
            if depth >= MAX_NESTING_DEPTH:
                raise too_deep()
            return canonical(bytes_envelope(bytes(value)))
        if kind is set or kind is frozenset:
            return f"[{','.join(sorted(self._items(value, depth), key=utf16_order))}]"
        raise Unrepresentable(described(value))

    def _enter(self, parts: int, depth: int) -> None:
        if depth >= MAX_NESTING_DEPTH:
            raise too_deep()
        # One object that is shared many times over grows without bound when it is written out: the count ends it.
        self._nodes += parts
        if self._nodes > MAX_VALUE_NODES:
            raise Unrepresentable("a value of more parts than a frame can hold")

    def _items(self, values: Iterable[Any], depth: int) -> List[str]:
        items = list(values)
        self._enter(len(items), depth)
        texts: List[str] = []
        try:
            for item in items:
                texts.append(self.text(item, depth + 1))
        except Unrepresentable as refused:
            raise refused.inside(f"[{len(texts)}]") from None
        return texts

    def _members(self, value: "dict[str, Any]", depth: int) -> str:
        members = dict(value)
        self._enter(len(members), depth)
        keys = sorted_keys(members)
        if len(members) == 2:
            tag = envelope_tag(members)
            if tag is not None and needs_escape(tag):
                return self._look_alike(members[BYTES_KEY], tag, depth)
        texts: List[str] = []
        key = ""
        try:
            for key in keys:
                if not key.isascii() and not is_well_formed(key):
                    raise Unrepresentable("a key with a lone surrogate")
                texts.append(f"{quote(key)}:{self.text(members[key], depth + 1)}")
        except Unrepresentable as refused:
            raise refused.inside(printable_name(key)) from None
        return f"{{{','.join(texts)}}}"

    def _look_alike(self, b64: Any, tag: str, depth: int) -> str:
        if not self._escape and tag == BYTES_TAG:
            raise Unrepresentable("an object that looks like encoded bytes")
        sent = f"={tag}" if self._escape else tag
        return f'{{"{TAG_KEY}":{quote(sent)},"{BYTES_KEY}":{self.text(b64, depth + 1)}}}'


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
