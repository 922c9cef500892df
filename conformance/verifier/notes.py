"""Signed notes and the checkpoints in them: C2SP signed-note, tlog-checkpoint and tlog-cosignature. Nothing in a note means
anything before a signature holds."""

import base64
import binascii
import hashlib
import re
from typing import List, NamedTuple, Optional, Sequence, Tuple

import ed25519

_MAX_NOTE_LENGTH = 256 * 1024
_MAX_SIGNATURES = 64
_LOG, _WITNESS = 0x01, 0x04
_BODY = re.compile(r"([^\n]{1,1024})\n(0|[1-9][0-9]{0,15})\n([A-Za-z0-9+/]{43}=)\n")
_VKEY = re.compile(r"([^+]{1,1024})\+([0-9a-f]{8})\+([A-Za-z0-9+/]{44})")
_UNSENDABLE = re.compile("[\x00-\x09\x0b-\x1f\ud800-\udfff]")
# RFC 8410: what stands in front of a raw Ed25519 public key.
_SPKI = bytes.fromhex("302a300506032b6570032100")


class NoteSignature(NamedTuple):
    name: str
    key_hash: str
    signature: bytes


class Checkpoint(NamedTuple):
    """What a note says: this log has a tree of this size and root. `text` is what was signed."""

    text: str
    signatures: Tuple[NoteSignature, ...]
    origin: str
    size: int
    root: bytes


class VerifierKey(NamedTuple):
    name: str
    kind: int
    key_hash: str
    public_key: bytes


class Signers(NamedTuple):
    signed: Tuple[VerifierKey, ...]
    # By name and key hash a signature of theirs, which does not hold: the note is refused, whoever else signed.
    forged: Tuple[VerifierKey, ...]


def parse_checkpoint(note: str) -> Optional[Checkpoint]:
    """None where the text is not exactly a signed note of an origin, a size and a root."""
    if _utf16_length(note) > _MAX_NOTE_LENGTH or _UNSENDABLE.search(note) is not None:
        return None
    split = note.rfind("\n\n")
    if split < 0 or not note.endswith("\n"):
        return None
    lines = note[split + 2 : -1].split("\n")
    if len(lines) > _MAX_SIGNATURES:
        return None
    signatures: List[NoteSignature] = []
    for line in lines:
        signature = _parse_line(line)
        if signature is None:
            return None
        signatures.append(signature)
    text = note[: split + 1]
    body = _BODY.fullmatch(text)
    root = _base64(body.group(3)) if body else None
    if body is None or root is None or int(body.group(2)) > 2**53 - 1:
        return None
    return Checkpoint(text, tuple(signatures), body.group(1), int(body.group(2)), root)


def log_key(chain: str, public_key: bytes) -> VerifierKey:
    """The key of a chain's own checkpoints: its name is the log's."""
    return _verifier_key("interlock/" + chain, _LOG, public_key)


def parse_verifier_key(text: str) -> Optional[VerifierKey]:
    """Of `<name>+<8 hex digits>+<base64 of the type byte and the key>`; None where the digits are not those of name and key."""
    parts = _VKEY.fullmatch(text)
    typed = _base64(parts.group(3)) if parts else None
    if parts is None or typed is None or len(typed) != 33 or typed[0] not in (_LOG, _WITNESS):
        return None
    if not _is_name(parts.group(1)):
        return None
    key = _verifier_key(parts.group(1), typed[0], typed[1:])
    return key if key.key_hash == parts.group(2) else None


def parse_public_keys(pem: str) -> Optional[List[bytes]]:
    """The raw keys of a PEM file of Ed25519 public keys (RFC 8410); None where it is none. Comments begin with `#`."""
    keys: List[bytes] = []
    block: Optional[List[str]] = None
    for line in re.split(r"\r?\n", pem):
        if block is None:
            if line == "-----BEGIN PUBLIC KEY-----":
                block = []
            elif line.strip() != "" and not line.startswith("#"):
                return None
        elif line == "-----END PUBLIC KEY-----":
            der = _base64("".join(block))
            if der is None or len(der) != 44 or not der.startswith(_SPKI):
                return None
            keys.append(der[len(_SPKI) :])
            block = None
        else:
            block.append(line)
    return keys if block is None and keys else None


def signers_of(checkpoint: Checkpoint, keys: Sequence[VerifierKey]) -> Signers:
    """Signatures of other keys are passed over: a note may have any number of them."""
    signed: List[VerifierKey] = []
    forged: List[VerifierKey] = []
    for key in keys:
        theirs = [one for one in checkpoint.signatures if (one.name, one.key_hash) == (key.name, key.key_hash)]
        if theirs:
            holds = all(_holds(checkpoint.text, one.signature, key) for one in theirs)
            (signed if holds else forged).append(key)
    return Signers(tuple(signed), tuple(forged))


def _holds(text: str, signature: bytes, key: VerifierKey) -> bool:
    if key.kind == _LOG:
        return ed25519.verify(key.public_key, text.encode("utf-8"), signature)
    if len(signature) != 8 + 64:
        return False
    time_s = int.from_bytes(signature[:8], "big")
    if time_s > 2**53 - 1:
        return False
    cosigned = "cosignature/v1\ntime %d\n%s" % (time_s, text)
    return ed25519.verify(key.public_key, cosigned.encode("utf-8"), signature[8:])


def _verifier_key(name: str, kind: int, public_key: bytes) -> VerifierKey:
    named = name.encode("utf-8") + b"\n" + bytes([kind]) + public_key
    return VerifierKey(name, kind, hashlib.sha256(named).hexdigest()[:8], public_key)


def _parse_line(line: str) -> Optional[NoteSignature]:
    parts = line.split(" ")
    if len(parts) != 3 or parts[0] != "\u2014" or not _is_name(parts[1]):
        return None
    signed = _base64(parts[2])
    if signed is None or len(signed) <= 4:
        return None
    return NoteSignature(parts[1], signed[:4].hex(), signed[4:])


def _is_name(name: str) -> bool:
    return name != "" and "+" not in name and not any(character.isspace() for character in name)


def _base64(text: str) -> Optional[bytes]:
    """Strict (RFC 4648, 3.2 to 3.5): bytes have one text."""
    try:
        decoded = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
    return decoded if base64.b64encode(decoded).decode("ascii") == text else None


def _utf16_length(text: str) -> int:
    return len(text) + sum(1 for character in text if character > "\uffff")
