"""Signed files that a client reads. Each is read once: what was verified is what is used."""

from __future__ import annotations

import base64
import hashlib
import os
import stat
from typing import Any, Dict, List, Optional, Tuple

from .admission import admit
from .ed25519 import verify
from .envelope import strict_base64
from .text import one_line
from .weak_keys import is_weak_key
from .wire_error import WireError

SIGNED_FILE_REFUSALS = frozenset(
    {"unreadable", "malformed", "key_malformed", "unknown_key", "bad_signature", "expired"}
)
MAX_DOCUMENT_BYTES = 1024 * 1024
MAX_KEY_FILE_BYTES = 64 * 1024
_MAX_KEYS = 64
_MAX_SIGNATURES = 16

PublicKeys = Dict[str, bytes]
"""By id: the first 16 hex digits of SHA-256 over the raw key. Public keys alone: a client signs nothing."""


class SignedFileRefused(Exception):
    """One line: which file, what is wrong with it, what to do. ``code`` is one of ``SIGNED_FILE_REFUSALS``."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(one_line(message))
        self.code = code


class FileUnread(Exception):
    """One line that names the file, and nothing of what is in it. ``why`` is ``missing``, ``unreadable`` or ``too_large``."""

    def __init__(self, why: str, message: str) -> None:
        super().__init__(one_line(message))
        self.why = why


def read_regular_file(path: str, max_bytes: int) -> bytes:
    """All of a regular file, of at most so many bytes. Raises ``FileUnread``."""
    try:
        # A pipe in its place would be waited for.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError) as error:
        why = "missing" if isinstance(error, FileNotFoundError) else "unreadable"
        raise FileUnread(why, f"{path} cannot be read ({type(error).__name__})") from None
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise FileUnread("unreadable", f"{path} is not a regular file")
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            raw = file.read(max_bytes + 1)
    except OSError as error:
        raise FileUnread("unreadable", f"{path} cannot be read ({type(error).__name__})") from None
    finally:
        os.close(descriptor)
    if len(raw) > max_bytes:
        raise FileUnread("too_large", f"{path} is larger than {max_bytes} bytes")
    return raw


def read_signed_file(path: str, key_path: str, kind: str) -> str:
    """The payload of a signed document, once one of the public keys in the key file has been seen to have signed it. Raises
    ``SignedFileRefused``."""
    keys = public_keys_of(_read(key_path, MAX_KEY_FILE_BYTES, "key_malformed"), key_path)
    return payload_signed_by(keys, _read(path, MAX_DOCUMENT_BYTES, "malformed"), kind, path)


def payload_signed_by(keys: PublicKeys, raw: bytes, kind: str, path: str) -> str:
    """The same of a document's bytes that were read elsewhere; ``path`` is only named."""
    payload, signatures = _document(raw, kind, path)
    ours = [(keys[key_id], signature) for key_id, signature in signatures if key_id in keys]
    if not ours:
        raise SignedFileRefused("unknown_key", f"{path} is signed by no key that is trusted here")
    signed = f"interlock {kind} v1\n{payload}".encode("utf-8")
    # One that does not hold is a sign of tampering, also where another does.
    if not all(verify(key, signed, signature) for key, signature in ours):
        raise SignedFileRefused("bad_signature", f"{path} was altered: its signature does not hold")
    return payload


def _document(raw: bytes, kind: str, path: str) -> Tuple[str, List[Tuple[str, bytes]]]:
    def refuse(what: str) -> SignedFileRefused:
        return SignedFileRefused("malformed", f"{path}: signed document refused: {what}")

    if len(raw) > MAX_DOCUMENT_BYTES:
        raise refuse(f"it is larger than {MAX_DOCUMENT_BYTES} bytes")
    try:
        json = admit(raw)
    except WireError:
        raise refuse("it is not strict JSON") from None
    if type(json) is not dict or json.keys() != {"document", "payload", "signatures"}:
        raise refuse("it is not an object of document, payload and signatures")
    if json["document"] != kind:
        raise refuse(f"it is not a document of the kind {kind}")
    payload, listed = json["payload"], json["signatures"]
    if type(payload) is not str:
        raise refuse("its payload is not text")
    if type(listed) is not list or not 1 <= len(listed) <= _MAX_SIGNATURES:
        raise refuse(f"it must have 1 to {_MAX_SIGNATURES} signatures")
    signatures = [_signature(one) for one in listed]
    if any(one is None for one in signatures):
        raise refuse("a signature is not an object of key_id and signature, 16 hex digits and 64 bytes of base64")
    parsed = [one for one in signatures if one is not None]
    if len({key_id for key_id, _ in parsed}) != len(parsed):
        raise refuse("it has two signatures of one key")
    return payload, parsed


def _signature(json: Any) -> Optional[Tuple[str, bytes]]:
    if type(json) is not dict or json.keys() != {"key_id", "signature"}:
        return None
    key_id = json["key_id"]
    if type(key_id) is not str or len(key_id) != 16 or not set(key_id) <= set("0123456789abcdef"):
        return None
    raw = strict_base64(json["signature"])
    return (key_id, raw) if raw is not None and len(raw) == 64 else None


# The SubjectPublicKeyInfo of an Ed25519 key (RFC 8410), up to its 32 bytes.
_SPKI = bytes.fromhex("302a300506032b6570032100")
_BEGIN, _END = "-----BEGIN PUBLIC KEY-----", "-----END PUBLIC KEY-----"


def public_keys_of(raw: bytes, path: str) -> PublicKeys:
    """Of a key file's bytes; ``path`` is only named. Raises ``SignedFileRefused``."""
    refused = SignedFileRefused(
        "key_malformed",
        f"{path} must hold 1 to {_MAX_KEYS} Ed25519 public keys in PEM, and nothing else; a client holds no private key",
    )
    keys: PublicKeys = {}
    count = 0
    block: Optional[List[str]] = None
    for line in raw.decode("utf-8", "replace").replace("\r\n", "\n").split("\n"):
        if block is None:
            if line == _BEGIN:
                block = []
            elif line.strip(" \t") != "" and not line.startswith("#"):
                raise refused
        elif line != _END:
            block.append(line)
        else:
            key = _key("".join(block))
            if key is None:
                raise refused
            keys[hashlib.sha256(key).hexdigest()[:16]] = key
            count += 1
            block = None
    if block is not None or not 1 <= count <= _MAX_KEYS:
        raise refused
    return keys


def _key(text: str) -> Optional[bytes]:
    try:
        der = base64.b64decode(text, validate=True)
    except ValueError:
        return None
    if not der.startswith(_SPKI) or len(der) != len(_SPKI) + 32:
        return None
    raw = der[len(_SPKI) :]
    return None if is_weak_key(raw) else raw


def _read(path: str, max_bytes: int, too_large: str) -> bytes:
    try:
        return read_regular_file(path, max_bytes)
    except FileUnread as error:
        raise SignedFileRefused(too_large if error.why == "too_large" else "unreadable", str(error)) from None
