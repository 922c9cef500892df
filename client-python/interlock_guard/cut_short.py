"""Does an error leave open whether the effect came about? Then the call is not reported as failed, which would let the next one run: the
daemon makes it ``unknown`` once its lease is over."""

from __future__ import annotations

import asyncio
import concurrent.futures
import errno
import socket
from typing import Any, Optional

_OWN = (
    TimeoutError,
    asyncio.TimeoutError,
    asyncio.CancelledError,
    concurrent.futures.TimeoutError,
    concurrent.futures.CancelledError,
    socket.timeout,
    ConnectionResetError,
    ConnectionAbortedError,
    BrokenPipeError,
    EOFError,
)

# Of HTTP clients, databases and anyio, by the name of the class or of one that it inherits from: none of them is imported for this.
_NAMES = frozenset(
    {
        "BrokenResourceError",
        "ChunkedEncodingError",
        "ClientPayloadError",
        "ClosedResourceError",
        "EndOfStream",
        "IncompleteRead",
        "InterfaceError",
        "OperationalError",
        "ProtocolError",
        "ReadError",
        "ReadTimeout",
        "ReadTimeoutError",
        "RemoteProtocolError",
        "ServerDisconnectedError",
        "ServerTimeoutError",
        "Timeout",
        "TimeoutException",
        "WriteError",
        "WriteTimeout",
    }
)
_ERRNOS = frozenset({errno.ECONNRESET, errno.ECONNABORTED, errno.EPIPE, errno.ETIMEDOUT})
_DEEPEST_CAUSE = 8


def is_cut_short(error: BaseException) -> bool:
    at: Optional[BaseException] = error
    for _ in range(_DEEPEST_CAUSE):
        if at is None:
            return False
        # What is no Exception stopped the program, not the tool.
        if not isinstance(at, Exception) or isinstance(at, _OWN):
            return True
        if isinstance(at, OSError) and at.errno in _ERRNOS:
            return True
        if any(base.__name__ in _NAMES for base in type(at).__mro__):
            return True
        at = at.__cause__ or (None if at.__suppress_context__ else at.__context__)
    return False


# Of JSON-RPC, and of the SDK's own: the connection closed, the time ran out, and what it says of a result that it refuses.
_NOT_THE_SERVERS = frozenset({-32000, -32001, -32600, -32602, 408})


def is_cut_short_mcp(error: BaseException) -> bool:
    """The same of an MCP client's error. Only what the server itself answered tells that the tool failed, and only a code that the SDK does not
    use when it refuses the result of a tool that ran."""
    code: Any = getattr(getattr(error, "error", None), "code", None)
    return type(code) is not int or code in _NOT_THE_SERVERS
