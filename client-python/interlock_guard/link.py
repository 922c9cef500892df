"""A connected unix socket that never waits. Whoever owns it waits, by a selector of their own."""

from __future__ import annotations

import errno
import select
import socket
from typing import Callable, Optional

from .limits import READ_BYTES

_NO_SIGNAL = getattr(socket, "MSG_NOSIGNAL", 0)


class Link:
    """Raises ``OSError`` where the socket cannot be connected."""

    def __init__(self, path: str) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            # A unix socket is connected at once or refused at once; EAGAIN is a listener whose queue is full.
            self._socket.setblocking(False)
            self._socket.connect(path)
        except OSError:
            self._socket.close()
            raise
        self._outbox = bytearray()
        self._poll = select.poll()
        self._poll.register(self._socket, select.POLLIN)
        self.on_close: Optional[Callable[[], None]] = None
        self.failure: Optional[OSError] = None
        """What went wrong with it; whoever reads next is told."""

    def fileno(self) -> int:
        return self._socket.fileno()

    @property
    def unsent_bytes(self) -> int:
        return len(self._outbox)

    @property
    def needs_care(self) -> bool:
        """Is there something that the next byte from the peer does not bring up?"""
        return bool(self._outbox) or self.failure is not None

    def send(self, frame: bytes) -> None:
        """Takes all of it; what the socket does not take at once leaves by ``flush``."""
        if self._outbox or self.failure is not None:
            self._outbox += frame
            return
        try:
            sent = self._socket.send(frame, _NO_SIGNAL)
        except BlockingIOError:
            sent = 0
        except OSError as error:
            self.failure = error
            return
        if sent < len(frame):
            self._outbox += frame[sent:]

    def flush(self) -> None:
        while self._outbox and self.failure is None:
            try:
                del self._outbox[: self._socket.send(self._outbox, _NO_SIGNAL)]
            except BlockingIOError:
                return
            except OSError as error:
                self.failure = error

    def has_input(self) -> bool:
        return self.failure is not None or bool(self._poll.poll(0))

    def receive(self) -> Optional[bytes]:
        """One piece of what has come; None where nothing has, ``b""`` where the peer ended the stream. Raises ``OSError``."""
        if self.failure is not None:
            raise self.failure
        try:
            return self._socket.recv(READ_BYTES)
        except BlockingIOError:
            return None

    def close(self) -> None:
        if self.on_close is not None:
            self.on_close()
        self._socket.close()


def connect_failure(error: OSError) -> str:
    """What a failed connect says of the daemon: ``absent`` nobody listens, ``busy`` somebody may, ``wrong`` trying again is of no use."""
    if error.errno in (errno.ENOENT, errno.ECONNREFUSED):
        return "absent"
    return "busy" if error.errno in (errno.EAGAIN, errno.ECONNRESET, errno.EPIPE, errno.EINPROGRESS) else "wrong"
