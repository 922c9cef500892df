"""The lines of an export: a header, receipts, checkpoints, an end. Each is taken only exactly as it is written."""

import json
import re
from typing import BinaryIO, Iterator, List, NamedTuple, Optional, Tuple

_MAX_LINE_BYTES = 1024 * 1024
_CHUNK_BYTES = 64 * 1024
_MAX_SAFE_INTEGER = 2**53 - 1

_HASH = '"hash":"([0-9a-f]{64})"'
_SEQ = '"seq":(0|[1-9][0-9]{0,15})'
_CHAIN = '"chain":"([0-9a-f]{32})"'
_HEADER_1 = re.compile(r'\{"after":\{%s,%s\},%s,"kind":"interlock-receipts","v":1\}' % (_HASH, _SEQ, _CHAIN))
_FRONTIER = r'"frontier":\[((?:"[0-9a-f]{64}"(?:,"[0-9a-f]{64}"){0,63})?)\]'
_KEY = r'"[ !#-\[\]-~]{1,512}"'
_KEYS = r'"keys":\[((?:%s(?:,%s){0,63})?)\]' % (_KEY, _KEY)
_HEADER_2 = re.compile(
    r'\{"after":\{%s,%s,%s\},%s,%s,"kind":"interlock-receipts","v":2\}' % (_FRONTIER, _HASH, _SEQ, _CHAIN, _KEYS)
)
_END = re.compile(r'\{"end":\{%s,%s\}\}' % (_HASH, _SEQ))
_RECEIPT = re.compile(r'\{"hash":"([0-9a-f]{64})","receipt":(\{.*)\}', re.DOTALL)
_CHECKPOINT = '{"checkpoint":"'


class NotLines(Exception):
    """The bytes are not lines of UTF-8 within the bound."""


class Head(NamedTuple):
    seq: int
    hash: str


class Header(NamedTuple):
    version: int
    chain: str
    after: Head
    # Hex; None where nobody knows it: an export of version 1 that begins in the middle.
    frontier: Optional[List[str]]


def lines_of(stream: BinaryIO) -> Iterator[str]:
    """Cuts a stream at its line feeds. A last line without one was cut off and is not given."""
    rest = b""
    while True:
        chunk = stream.read(_CHUNK_BYTES)
        if not chunk:
            return
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            if len(line) > _MAX_LINE_BYTES:
                raise NotLines
            try:
                yield line.decode("utf-8")
            except UnicodeDecodeError:
                raise NotLines from None
        if len(rest) > _MAX_LINE_BYTES:
            raise NotLines


def read_header(line: str) -> Optional[Header]:
    second = _HEADER_2.fullmatch(line)
    if second is not None:
        frontier, last_hash, seq, chain, _ = second.groups()
        if int(seq) > _MAX_SAFE_INTEGER:
            return None
        return Header(2, chain, Head(int(seq), last_hash), json.loads("[" + frontier + "]"))
    first = _HEADER_1.fullmatch(line)
    if first is None:
        return None
    last_hash, seq, chain = first.groups()
    if int(seq) > _MAX_SAFE_INTEGER:
        return None
    # A tree of no leaves has no subtrees, whichever version says nothing of it.
    return Header(1, chain, Head(int(seq), last_hash), [] if seq == "0" else None)


def read_end(line: str) -> Optional[Head]:
    found = _END.fullmatch(line)
    if found is None or int(found.group(2)) > _MAX_SAFE_INTEGER:
        return None
    return Head(int(found.group(2)), found.group(1))


def read_receipt(line: str) -> Optional[Tuple[str, str]]:
    """The hash that is stored with a receipt, and the receipt's own text."""
    found = _RECEIPT.fullmatch(line)
    return None if found is None else (found.group(1), found.group(2))


def is_checkpoint(line: str) -> bool:
    return line.startswith(_CHECKPOINT)


def read_checkpoint(line: str) -> Optional[str]:
    """The note of a checkpoint's line."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    note = value.get("checkpoint") if isinstance(value, dict) else None
    if not isinstance(note, str):
        return None
    written = json.dumps({"checkpoint": note}, ensure_ascii=False, separators=(",", ":"))
    return note if written == line else None
