"""A signed fallback policy: whether it may decide."""

from __future__ import annotations

import hashlib
from typing import NamedTuple, Optional

from .fallback_policy import FallbackPolicy, parse_fallback_policy
from .signed_file import PublicKeys, SignedFileRefused, payload_signed_by
from .wire_error import WireError


class FallbackRefused(Exception):
    """Nothing is decided by the fallback policy, and the call is blocked. The message is one line, and quotes nothing of a file or a call."""

    def __init__(self, code: str, what: str) -> None:
        super().__init__(f"{code}: {what}")
        self.code = code


class SeenPolicy(NamedTuple):
    """The newest policy that something was decided by here: an older one is refused from then on."""

    id: str
    version: int
    digest: str
    """``sha256:<hex>`` over the payload."""


class AcceptedPolicy(NamedTuple):
    """A policy whose signature holds, and what is to be remembered of it."""

    policy: FallbackPolicy
    seen: SeenPolicy


_CODES = {
    "unreadable": "fallback_unreadable",
    "malformed": "fallback_malformed",
    "key_malformed": "fallback_key_unusable",
    "unknown_key": "fallback_wrong_key",
    "bad_signature": "fallback_bad_signature",
    "expired": "fallback_expired",
}


def accept_document(raw: bytes, keys: PublicKeys, path: str) -> AcceptedPolicy:
    """A file's bytes as a policy: its form, its signatures, its payload. Whether it may decide is asked each time. Raises ``FallbackRefused``."""
    try:
        payload = payload_signed_by(keys, raw, "fallback", path)
    except SignedFileRefused as error:
        raise FallbackRefused(_CODES[error.code], str(error)) from None
    try:
        policy = parse_fallback_policy(payload)
    except WireError as error:
        raise FallbackRefused("fallback_malformed", f"{path}: {error.message}") from None
    digest = f"sha256:{hashlib.sha256(payload.encode('utf-8')).hexdigest()}"
    return AcceptedPolicy(policy, SeenPolicy(policy.id, policy.version, digest))


def check_may_decide(accepted: AcceptedPolicy, seen: Optional[SeenPolicy], now_ms: float) -> None:
    """What was seen before comes before the time: an old policy is told as one. Raises ``FallbackRefused``."""
    policy, now = accepted
    if seen is not None:
        _check_seen(now, seen)
    if now_ms >= policy.not_after_ms:
        raise FallbackRefused("fallback_expired", "the fallback policy has ended; have a newer one signed")
    if policy.not_before_ms is not None and now_ms < policy.not_before_ms:
        raise FallbackRefused("fallback_not_yet_valid", "the fallback policy has not begun")


def _check_seen(now: SeenPolicy, seen: SeenPolicy) -> None:
    if now.id != seen.id:
        raise FallbackRefused(
            "fallback_other_policy",
            f"the fallback policy is {now.id}, and {seen.id} was used here; to change to it, remove seen-*.json from the spool",
        )
    if now.version < seen.version:
        raise FallbackRefused(
            "fallback_rolled_back",
            f"the fallback policy is version {now.version}, and version {seen.version} was used here",
        )
    if now.version == seen.version and now.digest != seen.digest:
        raise FallbackRefused(
            "fallback_rolled_back",
            f"the fallback policy is another than version {now.version} that was used here; a change raises the version",
        )
