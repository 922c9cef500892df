"""Decides in the place of a daemon that cannot be reached: the policy's signature, what was seen before, its days, the decision, and a
durable note of it for the daemon, in this order. Each step that fails blocks the call."""

from __future__ import annotations

import hashlib
import os
import secrets
import time
from typing import Any, Dict, NamedTuple, Optional, Tuple

from .canonical import canonical
from .fallback_decide import OfflineEvent, decide_offline
from .fallback_document import AcceptedPolicy, FallbackRefused, accept_document, check_may_decide
from .seen_policies import newest_seen, remember_seen
from .signed_file import (
    MAX_DOCUMENT_BYTES,
    MAX_KEY_FILE_BYTES,
    FileUnread,
    SignedFileRefused,
    public_keys_of,
    read_regular_file,
)
from .spool import OfflineDecision, Spool, directory_for, secure_directory

_PREFIXES = {"call": "interlock args v1\n", "result": "interlock response v1\n"}


class FallbackPlaces(NamedTuple):
    """Absolute paths."""

    file: str
    """The signed policy."""
    key_file: str
    """The public keys that are believed."""
    spool: str
    """The directory of spools."""


class DegradedMode:
    def __init__(self, places: FallbackPlaces, socket_path: str) -> None:
        self._places = places
        self.spool = Spool(directory_for(places.spool, socket_path))
        # What was verified, and the bytes that it was: the files are read again each time, and verified where they changed.
        self._verified: Optional[Tuple[bytes, bytes, AcceptedPolicy]] = None

    def decide(self, event: Dict[str, Any]) -> OfflineDecision:
        """Of an event as it stands in its frame. Nothing is kept of it yet. Raises ``FallbackRefused``."""
        at_ms = int(time.time() * 1000)
        directory = self.spool.directory
        secure_directory(directory)
        accepted = self._accepted()
        seen = newest_seen(directory)
        check_may_decide(accepted, seen, at_ms)
        if seen is None or seen.version < accepted.seen.version:
            remember_seen(directory, accepted.seen)
            # Another process may have used a newer one, or another text of this one, meanwhile.
            check_may_decide(accepted, newest_seen(directory), at_ms)
        action, phase, principal, args = event["action"], event["phase"], event.get("principal"), event["args"]
        decided = decide_offline(accepted.policy, OfflineEvent(action, phase, principal, args))
        salt = secrets.token_hex(16)
        digest = hashlib.sha256(f"{_PREFIXES[phase]}{salt}\n{canonical(args)}".encode("utf-8")).hexdigest()
        return {
            "id": secrets.token_hex(16),
            "at_ms": at_ms,
            "action": action,
            "phase": phase,
            "principal": principal,
            "parent_principal": event.get("parent_principal"),
            "call_id": event.get("call_id"),
            "args_commitment": f"sha256:{digest}",
            "salt": salt,
            "verdict": decided.verdict,
            "rule": decided.rule,
            "policy": f"{accepted.policy.id}@{accepted.policy.version}",
        }

    def _accepted(self) -> AcceptedPolicy:
        places = self._places
        keys = _read(places.key_file, MAX_KEY_FILE_BYTES, _KEY_CODES)
        document = _read(places.file, MAX_DOCUMENT_BYTES, _DOCUMENT_CODES)
        known = self._verified
        if known is not None and known[0] == keys and known[1] == document:
            return known[2]
        self._verified = None
        try:
            public_keys = public_keys_of(keys, places.key_file)
        except SignedFileRefused as error:
            raise FallbackRefused("fallback_key_unusable", str(error)) from None
        accepted = accept_document(document, public_keys, places.file)
        self._verified = (keys, document, accepted)
        return accepted


_KEY_CODES = dict.fromkeys(("missing", "unreadable", "too_large"), "fallback_key_unusable")
_DOCUMENT_CODES = {"missing": "fallback_missing", "unreadable": "fallback_unreadable", "too_large": "fallback_malformed"}


def _read(path: str, max_bytes: int, codes: Dict[str, str]) -> bytes:
    try:
        return read_regular_file(os.fspath(path), max_bytes)
    except FileUnread as error:
        raise FallbackRefused(codes[error.why], str(error)) from None
