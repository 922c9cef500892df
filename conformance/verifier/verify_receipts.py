"""Verifies an export of receipts, by itself: python3 verify_receipts.py EXPORT --key receipts.key.pub

Python 3.9 or newer and nothing else. Exit code 0: whole; 1: something is wrong, and is named; 2: it could not be verified.
"""

import argparse
import json
import re
import sys
from typing import BinaryIO, List, NamedTuple, NoReturn, Optional, Sequence

from export_lines import (
    Head,
    Header,
    NotLines,
    is_checkpoint,
    lines_of,
    read_checkpoint,
    read_end,
    read_header,
    read_receipt,
)
from log_walk import Expectations, Finding, LogWalk, verdict_of
from notes import Checkpoint, VerifierKey, log_key, parse_checkpoint, parse_public_keys, parse_verifier_key


class GivenKey(NamedTuple):
    """A key as it was given: a public key alone is a chain's own, whichever chain it turns out to be."""

    verifier_key: Optional[VerifierKey]
    public_key: bytes


class ExportWalk:
    """An export of which the lines come one by one. After a finding it is over."""

    def __init__(self, keys: Sequence[GivenKey], chain: Optional[str], expect: Expectations) -> None:
        self._keys = keys
        self._expected_chain = chain
        self._expect = expect
        self._has_tree = False
        self._end: Optional[Head] = None
        self.log: Optional[LogWalk] = None
        self.chain = ""

    def take(self, line: str) -> Optional[Finding]:
        if self.log is None:
            return self._take_header(line)
        if self._end is not None:
            return self.here("after_end")
        self._end = read_end(line)
        if self._end is not None:
            return None
        if self._has_tree and is_checkpoint(line):
            return self.log.checkpoint(read_checkpoint(line))
        row = read_receipt(line)
        return self.here("malformed") if row is None else self.log.receipt(*row)

    def end(self) -> Optional[Finding]:
        if self.log is None:
            return self.here("no_header")
        return self.log.end() if self._end == self.log.head else self.here("no_end")

    def here(self, problem: str) -> Finding:
        """Where the next receipt would stand."""
        return Finding((self.log.head.seq if self.log is not None else 0) + 1, problem)

    def _take_header(self, line: str) -> Optional[Finding]:
        header = read_header(line)
        if header is None:
            return self.here("no_header")
        self.chain = header.chain
        self._has_tree = header.version == 2
        self.log = LogWalk(header, self._expectations(header))
        if self._expected_chain is not None and header.chain != self._expected_chain:
            return self.here("wrong_chain")
        return self.log.begin()

    def _expectations(self, header: Header) -> Expectations:
        keys = [given.verifier_key or log_key(header.chain, given.public_key) for given in self._keys]
        return self._expect._replace(keys=keys)


def verify(stream: BinaryIO, walk: ExportWalk) -> Optional[Finding]:
    """The first thing that is wrong; None where nothing is."""
    try:
        for line in lines_of(stream):
            finding = walk.take(line)
            if finding is not None:
                return finding
    except NotLines:
        return walk.here("malformed")
    return walk.end()


def main(arguments: Optional[Sequence[str]] = None) -> int:
    given = _parser().parse_args(arguments)
    keys = [key for text in given.key for key in _keys_of(text)]
    witnesses = [_witness_of(text) for text in given.witness]
    needed = given.witnesses if given.witnesses is not None else len(witnesses)
    if needed > len({key.public_key for key in witnesses}):
        _refuse("fewer different witnesses are given than --witnesses needs")
    if given.max_unsigned is not None and not keys:
        _refuse("--max-unsigned needs --key: without a key nothing here is signed")
    expect = Expectations(
        keys=[],
        witnesses=witnesses,
        witnesses_needed=needed,
        kept=[_checkpoint_of(path) for path in given.checkpoint],
        head=_head_of(given.expect_head),
        max_unsigned=given.max_unsigned,
    )
    walk = ExportWalk(keys, given.chain, expect)
    try:
        with open(given.export, "rb") as stream:
            finding = verify(stream, walk)
    except OSError as error:
        _refuse("the export cannot be read (%s)" % error.strerror)
    whole, verdict = verdict_of(walk.log, walk.chain, finding)
    if given.json:
        print(json.dumps(verdict, separators=(",", ":")))
    elif finding is not None:
        print("receipt %d: %s" % finding, file=sys.stderr)
    else:
        _print_whole(walk, keys)
    return 0 if whole else 1


def _print_whole(walk: ExportWalk, keys: Sequence[GivenKey]) -> None:
    log = walk.log
    assert log is not None
    print("chain %s: %d receipts, none edited, missing or out of place" % (walk.chain, log.receipts))
    print("head %d:%s" % (log.head.seq, log.head.hash))
    if not keys:
        print("no key was given: who signed was not checked (--key)", file=sys.stderr)
    elif log.signed_through is not None:
        unsigned = log.head.seq - log.signed_through
        print("signed through receipt %d; %d after it are chained and not signed yet" % (log.signed_through, unsigned))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Verify an export of receipts by itself.")
    parser.add_argument("export", help="file that `interlock receipts export` wrote")
    parser.add_argument("--key", action="append", default=[], help="public key: a PEM file, or the text of a verifier key")
    parser.add_argument("--checkpoint", action="append", default=[], help="a checkpoint that was kept elsewhere")
    parser.add_argument("--witness", action="append", default=[], help="verifier key of a witness")
    parser.add_argument("--witnesses", type=_count, help="how many of them must have cosigned one checkpoint")
    parser.add_argument("--max-unsigned", type=_count, help="how many receipts may stand after the last signed checkpoint")
    parser.add_argument("--expect-head", help="SEQ:HASH that was noted before")
    parser.add_argument("--chain", help="refuse any other chain")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    return parser


def _count(text: str) -> int:
    if re.fullmatch("0|[1-9][0-9]{0,15}", text) is None:
        raise argparse.ArgumentTypeError("%r is not a whole number" % text)
    return int(text)


def _keys_of(text: str) -> List[GivenKey]:
    key = parse_verifier_key(text)
    if key is not None:
        return [GivenKey(key, key.public_key)]
    public_keys = parse_public_keys(_read(text, "key"))
    if public_keys is None:
        _refuse("key %s does not hold Ed25519 public keys in PEM" % text)
    return [GivenKey(None, public_key) for public_key in public_keys]


def _witness_of(text: str) -> VerifierKey:
    key = parse_verifier_key(text)
    if key is None:
        _refuse("a witness is given by the text of its verifier key, NAME+HASH+KEY")
    return key


def _checkpoint_of(path: str) -> Checkpoint:
    checkpoint = parse_checkpoint(_read(path, "checkpoint"))
    if checkpoint is None:
        _refuse("checkpoint %s is not a signed checkpoint" % path)
    return checkpoint


def _head_of(text: Optional[str]) -> Optional[Head]:
    if text is None:
        return None
    found = re.fullmatch("([1-9][0-9]{0,15}):([0-9a-f]{64})", text)
    if found is None:
        _refuse("the expected head must be SEQ:HASH")
    return Head(int(found.group(1)), found.group(2))


def _read(path: str, what: str) -> str:
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read(1024 * 1024)
    except (OSError, UnicodeDecodeError, ValueError):
        _refuse("%s %s cannot be read" % (what, path))


def _refuse(message: str) -> NoReturn:
    print("verify_receipts: %s" % message, file=sys.stderr)
    sys.exit(2)


if __name__ == "__main__":
    sys.exit(main())
