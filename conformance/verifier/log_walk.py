"""Walks a log: the chain of receipts, the tree over them, and the checkpoints that were signed over the tree. It holds a frontier
and counts, whatever the log's length. The order of its checks is part of the format, so that two verifiers name the same finding."""

import hashlib
from typing import Dict, NamedTuple, Optional, Sequence, Set, Tuple

from export_lines import Head, Header
from notes import Checkpoint, VerifierKey, parse_checkpoint, signers_of
from receipt_text import Receipt, parse_receipt
from tree import Frontier


class Finding(NamedTuple):
    """The first thing that is wrong, and where."""

    seq: int
    problem: str


class Expectations(NamedTuple):
    """What the log is compared with. Nothing that it says of itself is among it."""

    keys: Sequence[VerifierKey]
    witnesses: Sequence[VerifierKey]
    # How many of the given witnesses must have cosigned one checkpoint.
    witnesses_needed: int
    # Checkpoints that were kept elsewhere.
    kept: Sequence[Checkpoint]
    # A head that was noted elsewhere.
    head: Optional[Head]
    # How many receipts may stand after the last signed checkpoint; None for any number.
    max_unsigned: Optional[int]


class LogWalk:
    """`begin`, then `receipt` and `checkpoint` as they come, then `end`. After a finding the walk is over."""

    def __init__(self, header: Header, expect: Expectations) -> None:
        self._chain = header.chain
        self._after = header.after
        self._expect = expect
        self._frontier_is_known = header.frontier is not None
        self._tree = None if header.frontier is None else Frontier.resume(header.after.seq, header.frontier)
        self._kept: Dict[int, bytes] = {}
        self._before: Optional[Checkpoint] = None
        self._most_cosigned = 0
        self.head = header.after
        # Which receipt says that those before the first one here were pruned.
        self.pruned_at: Optional[int] = None
        self.receipts = 0
        self.count = 0
        self.signed_through: Optional[int] = None
        self.keys: Set[str] = set()
        self.witnesses: Set[str] = set()

    def begin(self) -> Optional[Finding]:
        """Before the first receipt: what was given must be of this log at all."""
        if self._frontier_is_known and self._tree is None:
            return Finding(self._after.seq, "frontier_mismatch")
        for kept in self._expect.kept:
            finding = self._take_kept(kept)
            if finding is not None:
                return finding
        return None

    def receipt(self, stored_hash: str, text: str) -> Optional[Finding]:
        receipt = parse_receipt(text)
        if receipt is None:
            return Finding(self.head.seq + 1, "malformed")
        problem = self._judge_receipt(stored_hash, text, receipt)
        if problem is not None:
            return Finding(receipt.seq, problem)
        self.head = Head(receipt.seq, stored_hash)
        self.receipts += 1
        mark = "through %d:%s by " % self._after
        if receipt.event == "receipts_pruned" and receipt.detail.startswith(mark):
            self.pruned_at = receipt.seq
        if self._tree is not None:
            self._tree.add(bytes.fromhex(stored_hash))
        return self._compare_kept() if receipt.seq in self._kept else None

    def checkpoint(self, note: Optional[str]) -> Optional[Finding]:
        """One that stands after the last receipt; None for a text that could not even be read out of its line."""
        checkpoint = None if note is None else parse_checkpoint(note)
        if checkpoint is None:
            return Finding(self.head.seq, "checkpoint_malformed")
        problem = self._judge_checkpoint(checkpoint)
        if problem is not None:
            return Finding(self.head.seq, problem)
        self._before = checkpoint
        self.count += 1
        return None

    def end(self) -> Optional[Finding]:
        """After the last receipt."""
        expect, seq = self._expect, self.head.seq
        if expect.head is not None:
            if expect.head.seq > seq:
                return Finding(seq, "truncated")
            if expect.head.seq < self._after.seq:
                return Finding(self._after.seq + 1, "head_outside")
            if expect.head.seq == self._after.seq and expect.head.hash != self._after.hash:
                return Finding(self._after.seq, "head_mismatch")
        if any(kept.size > seq for kept in expect.kept):
            return Finding(seq, "truncated")
        if expect.keys and self.receipts > 0 and self.signed_through is None:
            return Finding(seq, "checkpoint_missing")
        if self._most_cosigned < expect.witnesses_needed:
            return Finding(seq, "too_few_witnesses")
        signed = self._after.seq if self.signed_through is None else self.signed_through
        if expect.max_unsigned is not None and seq - signed > expect.max_unsigned:
            return Finding(signed + 1, "unsigned_tail")
        return None

    def _take_kept(self, kept: Checkpoint) -> Optional[Finding]:
        problem = self._judge_signers(kept)
        if problem is not None:
            return Finding(kept.size, problem)
        if self._kept.setdefault(kept.size, kept.root) != kept.root:
            return Finding(kept.size, "forked")
        # Without the tree's beginning nothing can be held to a root, and what is not compared may not pass.
        if kept.size < self._after.seq or self._tree is None:
            return Finding(self._after.seq + 1, "head_outside")
        return self._compare_kept() if kept.size == self._after.seq else None

    def _compare_kept(self) -> Optional[Finding]:
        seq = self.head.seq
        if self._tree is not None and self._kept[seq] == self._tree.root():
            return None
        return Finding(seq, "checkpoint_mismatch")

    def _judge_receipt(self, stored_hash: str, text: str, receipt: Receipt) -> Optional[str]:
        hashed = hashlib.sha256(b"interlock receipt v1\n" + text.encode("utf-8")).hexdigest()
        if hashed != stored_hash:
            return "edited"
        if receipt.chain != self._chain:
            return "wrong_chain"
        if receipt.seq == self.head.seq:
            return "forked"
        if receipt.seq < self.head.seq:
            return "reordered"
        if receipt.seq > self.head.seq + 1:
            return "gap"
        if receipt.prev != self.head.hash:
            return "unlinked"
        expected = self._expect.head
        if expected is not None and expected.seq == receipt.seq and expected.hash != stored_hash:
            return "head_mismatch"
        return None

    def _judge_checkpoint(self, checkpoint: Checkpoint) -> Optional[str]:
        problem = self._judge_signers(checkpoint)
        if problem is not None:
            return problem
        if checkpoint.size != self.head.seq:
            return "checkpoint_reordered"
        if self._before is not None and checkpoint.size == self._before.size:
            return "checkpoint_reordered" if checkpoint.root == self._before.root else "forked"
        if self._tree is not None and checkpoint.root == self._tree.root():
            return None
        at_start = self.head.seq == self._after.seq and self.head.seq > 0
        return "frontier_mismatch" if at_start else "checkpoint_mismatch"

    def _judge_signers(self, checkpoint: Checkpoint) -> Optional[str]:
        """By the keys that were given, and by nothing that the log says of itself."""
        if checkpoint.origin != "interlock/" + self._chain:
            return "checkpoint_wrong_chain"
        by_log = signers_of(checkpoint, self._expect.keys)
        by_witnesses = signers_of(checkpoint, self._expect.witnesses)
        if by_log.forged or by_witnesses.forged:
            return "checkpoint_bad_signature"
        if self._expect.keys and not by_log.signed:
            return "checkpoint_unknown_key"
        self.keys.update(key.key_hash for key in by_log.signed)
        self.witnesses.update(key.name for key in by_witnesses.signed)
        # A key may be given twice, or under two names: it is one witness.
        cosigned = {key.public_key for key in by_witnesses.signed}
        self._most_cosigned = max(self._most_cosigned, len(cosigned))
        if by_log.signed:
            self.signed_through = max(self.signed_through or 0, checkpoint.size)
        return None


def verdict_of(walk: Optional[LogWalk], chain: str, finding: Optional[Finding]) -> Tuple[bool, Dict[str, object]]:
    """Is it whole, and the verdict as `interlock receipts verify --json` prints it."""
    head = walk.head if walk is not None else Head(0, "0" * 64)
    return finding is None, {
        "chain": chain,
        "checkpoints": {
            "count": walk.count if walk is not None else 0,
            "keys": sorted(walk.keys) if walk is not None else [],
            "signed_through": walk.signed_through if walk is not None else None,
            "witnesses": sorted(walk.witnesses) if walk is not None else [],
        },
        "finding": None if finding is None else {"seq": finding.seq, "problem": finding.problem},
        "head": {"hash": head.hash, "seq": head.seq},
        "pruned_at": walk.pruned_at if walk is not None else None,
        "receipts": walk.receipts if walk is not None else 0,
        "whole": finding is None,
    }
