"""Text as the wire orders and measures it, and as a message may show it."""

from __future__ import annotations

import re
from typing import Iterable

from .limits import MAX_REASON_BYTES


def utf16_order(text: str) -> bytes:
    """The sort key of RFC 8785: code units of UTF-16, whose order differs from that of code points beyond U+FFFF."""
    return text.encode("utf-16-be", "surrogatepass")


def is_well_formed(text: str) -> bool:
    """Holds it no lone surrogate? Python keeps none in pairs, so any surrogate is one."""
    if text.isascii():
        return True
    try:
        text.encode("utf-8")
        return True
    except UnicodeEncodeError:
        return False


def fits_bytes(text: str, max_bytes: int) -> bool:
    return len(text) * 4 <= max_bytes or len(text.encode("utf-8", "surrogatepass")) <= max_bytes


_PRINTABLE_NAME = re.compile(r"[\x20-\x7e]{1,64}")
_NAMES_SHOWN = 8


def printable_name(name: str) -> str:
    """A key's name as a message may show it. Names are the peer's to choose: what could break a line is replaced by its length."""
    return name if _PRINTABLE_NAME.fullmatch(name) else f"<{len(name)} characters>"


def printable_names(names: Iterable[str]) -> str:
    """Sorted; at most eight names, then how many more."""
    ordered = sorted(names, key=utf16_order)
    shown = ", ".join(printable_name(name) for name in ordered[:_NAMES_SHOWN])
    return f"{shown} and {len(ordered) - _NAMES_SHOWN} more" if len(ordered) > _NAMES_SHOWN else shown


# Controls, line and paragraph separators, and the bidirectional controls that make a line read as another one.
_NOT_IN_A_LINE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+")


def one_line(text: str) -> str:
    """Any text as one line of at most 512 bytes of UTF-8, cut between characters."""
    if len(text) <= MAX_REASON_BYTES and text.isascii() and text.isprintable():
        return text
    line = text[:MAX_REASON_BYTES].encode("utf-8", "replace").decode("utf-8")
    line = _NOT_IN_A_LINE.sub(" ", line)
    raw = line.encode("utf-8")
    if len(raw) <= MAX_REASON_BYTES:
        return line
    return raw[: MAX_REASON_BYTES - 3].decode("utf-8", "ignore") + "..."
