"""The bearer token that binds an identity to the connection."""

from __future__ import annotations

import re
from typing import Optional

from .limits import MAX_TOKEN_BYTES
from .settings import EngineSettings
from .signed_file import FileUnread, read_regular_file

_TOKEN = re.compile(r"[\x21-\x7e]{1,%d}" % MAX_TOKEN_BYTES)
_WORDS = f"text of 1 to {MAX_TOKEN_BYTES} printable characters without spaces"


class TokenUnavailable(Exception):
    """There is no token to connect with. The message is one line and never holds one."""


def token_now(settings: EngineSettings) -> Optional[str]:
    """A file and a function are asked anew at each connection, so that a token may be short-lived. Raises ``TokenUnavailable``."""
    if settings.token_file is not None:
        return _file_token(settings.token_file)
    token = settings.token
    if token is None:
        return None
    if isinstance(token, str):
        return _checked(token, f"token is not {_WORDS}")
    try:
        told = token()
    except Exception as error:
        # What it raises is the program's, and may quote the token.
        raise TokenUnavailable(f"token raised {type(error).__name__}") from None
    return _checked(told, f"token told no {_WORDS}")


def is_renewed(settings: EngineSettings) -> bool:
    """May the next connection show another one?"""
    return settings.token_file is not None or callable(settings.token)


def is_token(text: object) -> bool:
    return type(text) is str and _TOKEN.fullmatch(text) is not None


def _file_token(path: str) -> str:
    try:
        raw = read_regular_file(path, MAX_TOKEN_BYTES + 2)
    except FileUnread as error:
        raise TokenUnavailable(f"the token file {error}") from None
    text = raw.decode("latin-1")
    for end in ("\r\n", "\n"):
        if text.endswith(end):
            text = text[: -len(end)]
            break
    return _checked(text, f"the token file {path} is not {_WORDS}")


def _checked(token: object, otherwise: str) -> str:
    if type(token) is str and is_token(token):
        return token
    raise TokenUnavailable(otherwise)
