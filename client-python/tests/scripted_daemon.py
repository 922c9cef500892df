"""A daemon of a few lines, on a real socket, whose answers a test writes."""

from __future__ import annotations

import json
import os
import shutil
import socket
import tempfile
import threading
from typing import Any, Callable, Dict, List, Optional

FEATURES = ["call_id", "details", "escalate", "escape", "grade", "replace_args", "replay", "resend"]

Request = Dict[str, Any]
Judge = Callable[[Request], Optional[Dict[str, Any]]]


def answer_of(request: Request, **fields: Any) -> Dict[str, Any]:
    answer: Dict[str, Any] = {
        "attributed_to": None,
        "details": None,
        "id": request["id"],
        "modified_args": None,
        "modified_result": None,
        "policy_id": None,
        "reason": "",
        "v": 1,
        "verdict": 0,
    }
    answer.update(fields)
    return answer


def details(code: str, **fields: Any) -> Dict[str, Any]:
    return {"approval_id": None, "code": code, "errors": [], "replayed": False, "transaction_id": None, **fields}


class ScriptedDaemon:
    """``judge`` is told each request but the hello, and returns the fields of its answer; None leaves it unanswered."""

    def __init__(self, judge: Optional[Judge] = None, features: Optional[List[str]] = None) -> None:
        self.directory = tempfile.mkdtemp(prefix="il-", dir="/tmp")
        self.path = os.path.join(self.directory, "g.sock")
        self.requests: List[Request] = []
        self.hellos: List[Dict[str, Any]] = []
        self.connections: List[socket.socket] = []
        self.judge: Judge = judge or (lambda _: {})
        self.features = FEATURES if features is None else features
        self.hello_error: Optional[Dict[str, Any]] = None
        self._listener: Optional[socket.socket] = None
        self.start()

    def start(self) -> None:
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listener.bind(self.path)
        listener.listen(64)
        self._listener = listener
        threading.Thread(target=self._accept, args=(listener,), daemon=True).start()

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            self.connections.append(connection)
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        try:
            with connection, connection.makefile("rb") as lines:
                for line in lines:
                    reply = self._reply(json.loads(line))
                    if reply is not None:
                        connection.sendall(json.dumps(reply).encode() + b"\n")
        except OSError:
            pass

    def _reply(self, request: Request) -> Optional[Dict[str, Any]]:
        if "hello" in request:
            self.hellos.append(request["hello"])
            if self.hello_error is not None:
                return {"error": self.hello_error, "id": request["id"], "v": 1}
            features = sorted(set(self.features) & set(request["hello"]["features"]))
            hello = {
                "daemon": "scripted/1",
                "features": features,
                "max_frame": 8388608,
                "mode": "enforce",
                "rules": "sha256:0",
                "rules_version": 1,
            }
            return {"hello": hello, "id": request["id"], "v": 1}
        self.requests.append(request)
        fields = self.judge(request)
        if fields is None:
            return None
        answer = answer_of(request, **fields)
        if "details" not in self.features:
            del answer["details"]
        return answer

    def drop_connections(self) -> None:
        for connection in self.connections:
            try:
                # Its thread closes it.
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        self.connections.clear()

    def stop(self) -> None:
        """Ends, with its socket."""
        if self._listener is not None:
            # The thread that accepts is woken by the shutdown; a close alone would leave it, and the listener, be.
            self._listener.shutdown(socket.SHUT_RDWR)
            self._listener.close()
            self._listener = None
            os.unlink(self.path)
        self.drop_connections()

    def close(self) -> None:
        self.stop()
        shutil.rmtree(self.directory, ignore_errors=True)

    def __enter__(self) -> "ScriptedDaemon":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
