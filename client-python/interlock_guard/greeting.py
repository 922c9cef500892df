"""The hello: what holds on a connection."""

from __future__ import annotations

import platform
from typing import NamedTuple, Optional

from .answer import HelloAnswer, parse_answer
from .features import NO_FEATURES, OFFERED, Features
from .frames import hello_frame
from .limits import MAX_LINE_BYTES
from .version import VERSION
from .wire_error import WireError, bad_request

_HELLO_ID = "h"


class Terms(NamedTuple):
    """What holds on a connection once its hello is answered."""

    features: Features
    is_v1: bool
    """The daemon knows no hello: one question at a time, no key that is not version 1's."""
    daemon: Optional[str]
    max_frame_bytes: int
    """The longest frame that the daemon reads."""


_V1_TERMS = Terms(NO_FEATURES, True, None, MAX_LINE_BYTES)


def hello_line(nonce: str, token: Optional[str]) -> bytes:
    """``nonce`` is the session that a question is asked again under: the same on each connection of an engine."""
    client = f"interlock-guard/{VERSION} python/{platform.python_version()}"
    return hello_frame(_HELLO_ID, client, OFFERED, nonce, token)


def read_terms(line: bytes, needs_hello: bool) -> Terms:
    """Reads the answer to the hello. Raises ``WireError``.

    A ``bad_request`` is how a daemon of version 1 answers a frame that it does not know, and is the one error that is read as "no
    hello here"; not where ``needs_hello``: an identity would be left out, and the call judged without it.
    """
    answer = parse_answer(line, NO_FEATURES)
    body = answer.body
    if isinstance(body, WireError):
        if body.code == "bad_request" and answer.id in (_HELLO_ID, "") and not needs_hello:
            return _V1_TERMS
        raise body
    if not isinstance(body, HelloAnswer) or answer.id != _HELLO_ID:
        raise bad_request("the first answer is not to the hello")
    # A daemon that believes in a feature which this client does not would answer in a form that is read as another one.
    if not body.features <= OFFERED:
        raise bad_request("the daemon agreed to a feature that was not offered")
    return Terms(body.features, False, body.daemon, body.max_frame)
