"""What an engine is told when it is made."""

from __future__ import annotations

import math
import os
import sys
import warnings
from typing import Any, Callable, NamedTuple, Optional, Union

from .degraded import FallbackPlaces
from .limits import DEFAULT_GRACE_S, DEFAULT_TIMEOUT_S
from .pinned_scope import is_scope_pin, pinned_scope
from .spool import default_spool

Token = Union[str, Callable[[], str]]

# What a socket's address holds.
_LONGEST_PATH_BYTES = 107 if sys.platform.startswith("linux") else 103


class EngineSettings(NamedTuple):
    path: str
    timeout_s: Optional[float]
    grace_s: float
    unreachable: str
    on_fallback: Callable[[str], None]
    principal: Optional[str]
    token: Optional[Token]
    token_file: Optional[str]
    scope: Optional[str]
    fallback: Optional[FallbackPlaces]
    """None but with ``degraded``."""


def engine_settings(
    path: Any,
    timeout: Optional[float] = DEFAULT_TIMEOUT_S,
    unreachable: str = "deny",
    on_fallback: Optional[Callable[[str], None]] = None,
    grace: float = DEFAULT_GRACE_S,
    principal: Optional[str] = None,
    token: Optional[Token] = None,
    token_file: Optional[str] = None,
    scope: Optional[str] = None,
    scope_file: Optional[str] = None,
    scope_key_file: Optional[str] = None,
    fallback_file: Optional[str] = None,
    fallback_key_file: Optional[str] = None,
    fallback_spool: Optional[str] = None,
) -> EngineSettings:
    """Raises ``TypeError`` or ``ValueError`` for a setting that is none: a misspelled one would weaken the guard unseen;
    ``SignedFileRefused`` for a scope document, or its keys."""
    if timeout is not None and not (_is_number(timeout) and timeout > 0):
        raise ValueError("RemoteEngine: timeout is a number of seconds above 0, or None")
    if not (_is_number(grace) and grace >= 0):
        raise ValueError("RemoteEngine: grace is a number of seconds")
    if unreachable not in ("deny", "degraded", "allow"):
        raise ValueError('RemoteEngine: unreachable is "deny", "degraded" or "allow"')
    # A program that goes elsewhere would take the daemon for absent.
    if unreachable != "deny" and not os.path.isabs(_socket_path(path)):
        raise ValueError(f'RemoteEngine: with unreachable="{unreachable}" the socket\'s path is absolute')
    if on_fallback is not None and not callable(on_fallback):
        raise TypeError("RemoteEngine: on_fallback is a function")
    if token is not None and token_file is not None:
        raise ValueError("RemoteEngine: give token or token_file, not both")
    if token is not None and not isinstance(token, str) and not callable(token):
        raise TypeError("RemoteEngine: token is a string, or a function that returns one")
    if token_file is not None and not os.fspath(token_file):
        raise ValueError("RemoteEngine: token_file is a path")
    return EngineSettings(
        path=_socket_path(path),
        timeout_s=timeout,
        grace_s=grace if timeout is None else min(grace, timeout),
        unreachable=unreachable,
        on_fallback=on_fallback or _warn,
        principal=principal,
        token=token,
        # Absolute, here and below: the program may go elsewhere.
        token_file=None if token_file is None else os.path.abspath(token_file),
        scope=_scope(scope, scope_file, scope_key_file),
        fallback=_fallback(unreachable, fallback_file, fallback_key_file, fallback_spool),
    )


def _scope(scope: Optional[str], path: Optional[str], key_path: Optional[str]) -> Optional[str]:
    if path is None and key_path is None:
        if scope is not None and not is_scope_pin(scope):
            raise ValueError("RemoteEngine: scope is sha256: and 64 hex digits")
        return scope
    if scope is not None:
        raise ValueError("RemoteEngine: scope stands in place of scope_file and scope_key_file")
    if path is None or key_path is None:
        raise ValueError("RemoteEngine: scope_file and scope_key_file go together")
    return pinned_scope(os.fspath(path), os.fspath(key_path))


def _fallback(
    unreachable: str, path: Optional[str], key_path: Optional[str], spool: Optional[str]
) -> Optional[FallbackPlaces]:
    if unreachable != "degraded":
        if path is None and key_path is None and spool is None:
            return None
        raise ValueError('RemoteEngine: a fallback policy goes with unreachable="degraded"')
    if not path or not key_path:
        raise ValueError('RemoteEngine: unreachable="degraded" needs the paths fallback_file and fallback_key_file')
    if spool == "":
        raise ValueError("RemoteEngine: fallback_spool is the path of a directory")
    places = (path, key_path, default_spool() if spool is None else spool)
    if any("\0" in os.fspath(place) for place in places):
        raise ValueError("RemoteEngine: a path of the fallback policy holds a NUL")
    return FallbackPlaces(*[os.path.abspath(place) for place in places])


def _is_number(value: object) -> bool:
    return type(value) in (int, float) and math.isfinite(value)  # type: ignore[arg-type]


def _socket_path(path: Any) -> str:
    text = os.fspath(path) if isinstance(path, os.PathLike) else path
    if type(text) is not str or text == "":
        raise TypeError("RemoteEngine: the socket's path is missing")
    # A path that begins with NUL would be one of Linux's abstract sockets, which have no file modes.
    if "\0" in text:
        raise ValueError("RemoteEngine: the socket's path holds a NUL")
    if len(os.fsencode(text)) > _LONGEST_PATH_BYTES:
        raise ValueError(f"RemoteEngine: the socket's path is longer than {_LONGEST_PATH_BYTES} bytes")
    return text


def _warn(message: str) -> None:
    warnings.warn(message, RuntimeWarning, stacklevel=2)
