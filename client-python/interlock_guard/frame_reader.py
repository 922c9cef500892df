"""Cuts a byte stream into lines."""

from __future__ import annotations

from typing import List

from .limits import MAX_LINE_BYTES
from .wire_error import WireError


class FrameReader:
    """Push a chunk, get its complete lines, without their newlines. What is held is at most one unfinished line of 8 MiB."""

    def __init__(self) -> None:
        self._held: List[bytes] = []
        self._held_bytes = 0

    def push(self, chunk: bytes) -> List[bytes]:
        """Raises ``WireError`` (``too_large``) as soon as a line is known to exceed 8 MiB with its newline."""
        *lines, rest = chunk.split(b"\n")
        if lines and self._held_bytes:
            self._held.append(lines[0])
            lines[0] = b"".join(self._held)
            self._held, self._held_bytes = [], 0
        if rest:
            # Joined when the line is whole, so that each byte is copied once, however slowly it drips.
            self._held.append(rest)
            self._held_bytes += len(rest)
        if self._held_bytes >= MAX_LINE_BYTES or any(len(line) >= MAX_LINE_BYTES for line in lines):
            raise WireError("too_large", "response exceeded the frame limit")
        return lines
