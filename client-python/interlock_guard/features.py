"""What two peers may agree on in the hello. Nothing of it is used towards a peer that did not ask for it."""

from __future__ import annotations

from typing import Any, FrozenSet

from .limits import MAX_FEATURE_NAME_CHARACTERS, MAX_FEATURE_NAMES
from .wire_error import bad_request

Features = FrozenSet[str]

ACTED_ON: Features = frozenset(
    {"call_id", "details", "escalate", "escape", "grade", "replace_args", "replay", "resend"}
)
"""What this client can do with an answer. A feature that it does not act on is not offered."""

FEATURE_NAMES: Features = ACTED_ON | {"offline", "scope", "surface"}
"""Every feature of the protocol."""

NO_FEATURES: Features = frozenset()
"""A peer of version 1: it said no hello."""


def parse_features(json: Any) -> Features:
    """A list off the wire; a name that is no feature's is ignored, as a later version may have more."""
    if type(json) is not list or any(type(name) is not str for name in json):
        raise bad_request("hello.features must be an array of strings")
    if len(json) > MAX_FEATURE_NAMES:
        raise bad_request(f"hello.features must hold at most {MAX_FEATURE_NAMES} names")
    if any(len(name) > MAX_FEATURE_NAME_CHARACTERS for name in json):
        raise bad_request(f"hello.features holds a name of more than {MAX_FEATURE_NAME_CHARACTERS} bytes")
    return FEATURE_NAMES.intersection(json)
