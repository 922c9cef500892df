"""The bearer token that binds an identity to the connection."""

from __future__ import annotations

from typing import Optional

from .limits import MAX_TOKEN_BYTES
from .settings import EngineSettings
from .text import fits_bytes


class TokenUnavailable(Exception):
    """There is no token to connect with. The message is one line and never holds one."""


def token_now(settings: EngineSettings) -> Optional[str]:
    """Read anew at each connection, so that a token that ran out is replaced where it came from. Raises ``TokenUnavailable``."""
    token = settings.token
    try:
        if settings.token_file is not None:
            with open(settings.token_file, "rb") as file:
                token = file.read(MAX_TOKEN_BYTES + 2).decode("utf-8").strip()
        elif token is not None and not isinstance(token, str):
            token = token()
    except Exception as error:
        raise TokenUnavailable(f"the token cannot be read: {type(error).__name__}") from None
    if token is None and settings.token is None:
        return None
    if type(token) is not str or token == "" or not fits_bytes(token, MAX_TOKEN_BYTES):
        raise TokenUnavailable(f"the token is not a text of 1 to {MAX_TOKEN_BYTES} bytes")
    return token
