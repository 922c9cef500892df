"""The hello: what holds on a connection."""

from __future__ import annotations

import platform
from typing import NamedTuple, NoReturn, Optional

from .answer import HelloAnswer, parse_answer
from .features import ACTED_ON, NO_FEATURES, Features
from .frames import hello_frame
from .limits import MAX_LINE_BYTES
from .version import VERSION
from .wire_error import WireError, bad_request

_HELLO_ID = "h"


class Greeting(NamedTuple):
    nonce: str
    """The session that a question is asked again under. The same on each connection of an engine."""
    scope: Optional[str]
    """The pin of the scope document that the daemon has to serve; None where any will do."""
    has_token: bool
    """Is the connection to be bound to an identity?"""
    tells_offline: bool = False
    """Does it decide by a fallback policy while the daemon is away, and tell it afterwards?"""


def offered_features(greeting: Greeting) -> Features:
    features = ACTED_ON | {"offline"} if greeting.tells_offline else ACTED_ON
    return features if greeting.scope is None else features | {"scope"}


class Terms(NamedTuple):
    """What holds on a connection once its hello is answered."""

    features: Features
    is_v1: bool
    """The daemon knows no hello: one question at a time, no key that is not version 1's."""
    daemon: Optional[str]
    max_frame_bytes: int
    """The longest frame that the daemon reads."""


_V1_TERMS = Terms(NO_FEATURES, True, None, MAX_LINE_BYTES)


def hello_line(greeting: Greeting, token: Optional[str]) -> bytes:
    client = f"interlock-guard/{VERSION} python/{platform.python_version()}"
    return hello_frame(_HELLO_ID, client, offered_features(greeting), greeting.nonce, greeting.scope, token)


def read_terms(line: bytes, greeting: Greeting) -> Terms:
    """Reads the answer to the hello. Raises ``WireError``.

    A ``bad_request`` is how a daemon of version 1 answers a frame that it does not know, and is the one error that is read as "no
    hello here". It is none for a client that has a token, or pins a scope document: its calls would be judged without.
    """
    answer = parse_answer(line, NO_FEATURES)
    body = answer.body
    if isinstance(body, WireError):
        if body.code != "bad_request" or answer.id not in (_HELLO_ID, ""):
            raise body
        if greeting.has_token:
            # Without the token its calls would be those of whoever they name.
            raise WireError("not_available", "a token is shown here, and this daemon binds nobody to one")
        return _V1_TERMS if greeting.scope is None else _uncompared()
    if not isinstance(body, HelloAnswer) or answer.id != _HELLO_ID:
        raise bad_request("the first answer is not to the hello")
    # A daemon that believes in a feature which this client does not would answer in a form that is read as another one.
    if not body.features <= offered_features(greeting):
        raise bad_request("the daemon agreed to a feature that was not offered")
    if greeting.scope is not None and "scope" not in body.features:
        _uncompared()
    return Terms(body.features, False, body.daemon, body.max_frame)


def _uncompared() -> NoReturn:
    raise WireError("scope_mismatch", "a scope document is pinned here, and this daemon compares none")
