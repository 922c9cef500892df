"""The scope document that a client holds its daemon to. What it says is the daemon's to judge by."""

from __future__ import annotations

import hashlib
import re
import time
from typing import Any, Optional

from .admission import admit
from .signed_file import SignedFileRefused, read_signed_file
from .timestamp import parse_time
from .wire_error import WireError

_PIN = re.compile(r"sha256:[0-9a-f]{64}")


def is_scope_pin(text: Any) -> bool:
    return type(text) is str and _PIN.fullmatch(text) is not None


def pinned_scope(path: str, key_path: str) -> str:
    """The pin of a scope document that one of the given public keys has signed and that has not expired: ``sha256:`` and the digest of its
    payload. Raises ``SignedFileRefused``."""
    payload = read_signed_file(path, key_path, "scopes")
    not_after = _end_of(payload, path)
    if not_after is not None and not_after <= time.time():
        raise SignedFileRefused("expired", f"{path}: the scope document has expired; have a newer one signed")
    return f"sha256:{hashlib.sha256(payload.encode('utf-8')).hexdigest()}"


def _end_of(payload: str, path: str) -> Optional[float]:
    """Seconds since the epoch, or None where it has no end."""
    malformed = SignedFileRefused("malformed", f"{path}: what is signed is not a scope document of version 1")
    try:
        json = admit(payload.encode("utf-8"))
    except WireError:
        raise malformed from None
    if type(json) is not dict or type(json.get("v")) not in (int, float) or json["v"] != 1 or "not_after" not in json:
        raise malformed
    if json["not_after"] is None:
        return None
    end = parse_time(json["not_after"])
    if end is None:
        raise malformed
    return end / 1000
