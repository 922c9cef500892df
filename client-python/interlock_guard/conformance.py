"""The line protocol of the conformance suites: one task a line on standard input, one answer a line on standard output.

``python3 -m interlock_guard.conformance``; what the tasks are is in the suites' README.
"""

from __future__ import annotations

import json
import struct
import sys
import threading
from typing import Any, Callable, Dict, List

from .admission import admit
from .blocked import BlockedError
from .canonical import canonical
from .codec import encode_text
from .decision import Decision
from .enforce import enforce_tool_call
from .engine import RemoteEngine
from .fallback_decide import OfflineEvent, decide_offline
from .fallback_document import FallbackRefused, SeenPolicy, accept_document, check_may_decide
from .fallback_policy import parse_fallback_policy
from .frames import Event
from .permit import rewritten_args
from .signed_file import public_keys_of
from .timestamp import parse_timestamp
from .wire_error import WireError

Task = Dict[str, Any]


def main() -> None:
    clients = _Clients()
    writing = threading.Lock()

    def answer(task: Task) -> None:
        reply = json.dumps({"id": task["id"], **_done(task, clients)})
        with writing:
            sys.stdout.write(reply + "\n")
            sys.stdout.flush()

    threads: List[threading.Thread] = []
    for line in sys.stdin:
        # A task may wait for a daemon that never answers: each has a thread, so that no other waits for it.
        thread = threading.Thread(target=answer, args=(json.loads(line),))
        thread.start()
        threads = [one for one in threads if one.is_alive()] + [thread]
    for thread in threads:
        thread.join()


class _Clients:
    """Engines by the names that tasks give them: one name is one engine, with the settings of its first task."""

    def __init__(self) -> None:
        self._engines: Dict[str, RemoteEngine] = {}
        self._mutex = threading.Lock()

    def engine(self, task: Task) -> RemoteEngine:
        with self._mutex:
            name = task["client"]
            if name not in self._engines:
                self._engines[name] = RemoteEngine(task["socket"], timeout=task["timeout_ms"] / 1000)
            return self._engines[name]

    def close(self, name: str) -> None:
        with self._mutex:
            engine = self._engines.pop(name, None)
        if engine is not None:
            engine.close()


def _done(task: Task, clients: _Clients) -> Dict[str, Any]:
    operation = _OPERATIONS.get(task["op"])
    if operation is None:
        return {"unsupported": True}
    try:
        return operation(task, clients)
    except BlockedError as error:
        return {"blocked": error.decision.reason}
    except (FallbackRefused, WireError) as error:
        return {"refused": error.code}
    except Exception as error:
        return {"failed": f"{type(error).__name__}: {error}"}


def _evaluate(task: Task, clients: _Clients) -> Dict[str, Any]:
    event = _event(task["event"])
    decision = clients.engine(task).evaluate(event)
    return {"decision": _noted_decision(decision), "effective_args": _noted(rewritten_args(event.args, decision))}


def _call(task: Task, clients: _Clients) -> Dict[str, Any]:
    event = _event(task["event"])
    return {"args": _noted(enforce_tool_call(event.action, event.args, clients.engine(task)))}


def _close(task: Task, clients: _Clients) -> Dict[str, Any]:
    clients.close(task["client"])
    return {"closed": True}


def _canonical(task: Task, _: _Clients) -> Dict[str, Any]:
    return {"text": canonical(admit(bytes.fromhex(task["hex"])))}


def _encode(task: Task, _: _Clients) -> Dict[str, Any]:
    return {"text": encode_text(_typed(task["value"]), task["escape"])}


def _fallback_document(task: Task, _: _Clients) -> Dict[str, Any]:
    now_ms = parse_timestamp(task["now"])
    if now_ms is None:
        raise ValueError("the time is none")
    keys = public_keys_of(task["keys"].encode("utf-8"), "the keys")
    seen = None if task["seen"] is None else SeenPolicy(**task["seen"])
    accepted = accept_document(task["document"].encode("utf-8", "surrogatepass"), keys, "the document")
    check_may_decide(accepted, seen, now_ms)
    return {"accepted": True}


def _fallback_payload(task: Task, _: _Clients) -> Dict[str, Any]:
    parse_fallback_policy(task["payload"])
    return {"accepted": True}


def _fallback_decision(task: Task, _: _Clients) -> Dict[str, Any]:
    event = OfflineEvent(**{**task["event"], "args": admit(task["event"]["args"].encode("utf-8"))})
    return decide_offline(parse_fallback_policy(task["payload"]), event)._asdict()


_OPERATIONS: Dict[str, Callable[[Task, _Clients], Dict[str, Any]]] = {
    "call": _call,
    "canonical": _canonical,
    "close": _close,
    "encode": _encode,
    "evaluate": _evaluate,
    "fallback_decision": _fallback_decision,
    "fallback_document": _fallback_document,
    "fallback_payload": _fallback_payload,
}


def _event(data: Dict[str, Any]) -> Event:
    return Event(**{**data, "args": _revived(data["args"])})


def _revived(value: Any) -> Any:
    """The suites write bytes as ``{"kind":"bytes","hex":"0001ff"}``."""
    if isinstance(value, list):
        return [_revived(item) for item in value]
    if not isinstance(value, dict):
        return value
    if value.keys() == {"kind", "hex"} and value["kind"] == "bytes":
        return bytes.fromhex(value["hex"])
    return {key: _revived(item) for key, item in value.items()}


def _noted(value: Any) -> Any:
    if isinstance(value, (bytes, bytearray)):
        return {"kind": "bytes", "hex": value.hex()}
    if isinstance(value, (list, tuple)):
        return [_noted(item) for item in value]
    return {key: _noted(item) for key, item in value.items()} if isinstance(value, dict) else value


def _noted_decision(decision: Decision) -> Dict[str, Any]:
    details = decision.details
    return {
        "verdict": decision.verdict.name,
        "reason": decision.reason,
        "policy_id": decision.policy_id,
        "attributed_to": decision.attributed_to,
        "modified_args": _noted(decision.modified_args),
        "modified_result": _noted(decision.modified_result),
        "details": None
        if details is None
        else {**details._asdict(), "errors": [error._asdict() for error in details.errors]},
    }


def _typed(notation: Any) -> Any:
    """A value of the task ``encode``: ``[type, content]``."""
    kind, content = notation
    return _TYPES[kind](content)


_TYPES: Dict[str, Callable[[Any], Any]] = {
    "null": lambda _: None,
    "boolean": bool,
    "integer": int,
    "double": lambda bits: struct.unpack(">d", bytes.fromhex(bits))[0],
    "text": str,
    "bytes": bytes.fromhex,
    "list": lambda items: [_typed(item) for item in items],
    "object": lambda members: {key: _typed(item) for key, item in members},
    "set": lambda items: {_typed(item) for item in items},
}


if __name__ == "__main__":
    main()
