"""The left part of an RFC 6962 Merkle tree as the roots of its complete subtrees, the largest first. A receipt is one leaf: its
data is the 32 bytes of the receipt's hash."""

import hashlib
from typing import List, Optional, Sequence


class Frontier:
    """Takes leaves one by one; holds one hash for each bit that is set in the size."""

    def __init__(self, size: int, roots: List[bytes]) -> None:
        self.size = size
        self._roots = roots

    @staticmethod
    def resume(size: int, hashes: Sequence[str]) -> "Optional[Frontier]":
        """None where the hashes (64 hex digits each) are not those of a tree of this size."""
        if len(hashes) != bin(size).count("1"):
            return None
        return Frontier(size, [bytes.fromhex(text) for text in hashes])

    def add(self, receipt_hash: bytes) -> None:
        root = hashlib.sha256(b"\x00" + receipt_hash).digest()
        rest = self.size
        while rest & 1:
            root = _node(self._roots.pop(), root)
            rest >>= 1
        self._roots.append(root)
        self.size += 1

    def root(self) -> bytes:
        if not self._roots:
            return hashlib.sha256(b"").digest()
        root = self._roots[-1]
        for left in reversed(self._roots[:-1]):
            root = _node(left, root)
        return root


def _node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()
