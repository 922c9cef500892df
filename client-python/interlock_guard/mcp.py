"""Guards an MCP client session: any object of the shape of the official SDK's ``ClientSession``."""

from __future__ import annotations

import functools
import inspect
import secrets
import typing
from typing import Any, Callable, Dict, Mapping, Optional, Tuple, TypeVar

from .blocked import blocked
from .cut_short import is_cut_short_mcp
from .flow import Flow, call, run, run_async
from .guarded_call import CallSteps, guarded_call
from .mcp_json import from_json, to_json
from .options import GuardOptions, guard_options
from .result import deliver
from .unfit import Unfit

S = TypeVar("S")

_MARK = "__interlock_guarded__"
_REPLAY_MARK = "interlock/replayed"
"""MCP keeps ``_meta`` for what is said about a result beside it."""


def guard_mcp_session(session: S, engine: Any, **options: Any) -> S:
    """Guards the session in place and returns it. One that is guarded already stays as it is. ``options`` are those of ``GuardOptions``.

    ================= ===================== ====================================
    method            action                arguments of the call phase
    ================= ===================== ====================================
    ``call_tool``     the tool's name       the tool's arguments
    ``read_resource`` ``mcp.read_resource`` ``{uri}``
    ``get_prompt``    ``mcp.get_prompt``    ``{name, arguments}``
    ``list_tools``    ``tools/list``        none: only the result is judged
    ================= ===================== ====================================

    The result phase of each carries the whole result as MCP's JSON. One with ``isError`` is reported as failed before it is judged. A replay's
    is the recorded result with the transaction that ran under ``_meta["interlock/replayed"]``.
    """
    checked = guard_options(engine, "sync", **options)
    if not callable(getattr(session, "call_tool", None)):
        raise TypeError("guard_mcp_session: the session has no call_tool")
    for method, guarded in _METHODS.items():
        _replace(session, method, guarded, checked)
    return session


_Guarded = Callable[[Callable[..., Any], Tuple[Any, ...], Dict[str, Any], GuardOptions], Flow[Any]]


def _replace(session: Any, method: str, guarded: _Guarded, options: GuardOptions) -> None:
    original = getattr(session, method, None)
    if not callable(original) or getattr(original, _MARK, False) is True:
        return
    is_async = inspect.iscoroutinefunction(original)
    own = options._replace(caller="async") if is_async else options
    if not is_async and inspect.iscoroutinefunction(options.engine.evaluate):
        raise TypeError("guard_mcp_session: the session is synchronous and its engine is not; use RemoteEngine")

    def flow(arguments: Tuple[Any, ...], named: Dict[str, Any]) -> Flow[Any]:
        return guarded(original, arguments, named, own._replace(call_id=secrets.token_urlsafe(16)))

    if is_async:

        @functools.wraps(original)
        async def asynchronous(*arguments: Any, **named: Any) -> Any:
            return await run_async(flow(arguments, named))

        wrapper: Callable[..., Any] = asynchronous
    else:

        @functools.wraps(original)
        def synchronous(*arguments: Any, **named: Any) -> Any:
            return run(flow(arguments, named))

        wrapper = synchronous
    setattr(wrapper, _MARK, True)
    setattr(session, method, wrapper)


def _call_tool(
    original: Callable[..., Any], arguments: Tuple[Any, ...], named: Dict[str, Any], options: GuardOptions
) -> Flow[Any]:
    name, given, rest = _two(arguments, named, "name", "arguments")
    if type(name) is not str or name == "":
        raise blocked("call_tool", "call_tool was called without a name")
    if given is not None and not isinstance(given, Mapping):
        raise blocked(name, f"the arguments of '{name[:128]}' cannot be put to the guard: they are not a dict")

    def run_it(judged: Dict[str, Any]) -> Flow[Any]:
        # A tool called without arguments keeps having none, unless a rule gave it some.
        runs = None if given is None and not judged else judged
        return (yield from call(functools.partial(original, name, runs, *rest[0], **rest[1])))

    view = None if given is None else to_json(dict(given))
    return (yield from guarded_call(name, view, options, _steps(name, original, run_it, options, is_tool=True)))


def _read_resource(
    original: Callable[..., Any], arguments: Tuple[Any, ...], named: Dict[str, Any], options: GuardOptions
) -> Flow[Any]:
    action = "mcp.read_resource"
    uri, rest = _one(arguments, named, "uri")
    text = str(uri)

    def run_it(judged: Dict[str, Any]) -> Flow[Any]:
        if judged.keys() != {"uri"} or type(judged["uri"]) is not str:
            raise Unfit("a rewrite made something other than one uri")
        # The SDK's own type of it, which parses it again.
        target = uri if judged["uri"] == text else judged["uri"] if type(uri) is str else type(uri)(judged["uri"])
        return (yield from call(functools.partial(original, target, *rest[0], **rest[1])))

    return (yield from guarded_call(action, {"uri": text}, options, _steps(action, original, run_it, options)))


def _get_prompt(
    original: Callable[..., Any], arguments: Tuple[Any, ...], named: Dict[str, Any], options: GuardOptions
) -> Flow[Any]:
    action = "mcp.get_prompt"
    name, given, rest = _two(arguments, named, "name", "arguments")
    view: Dict[str, Any] = {"name": name}
    if given is not None:
        view["arguments"] = to_json(given)

    def run_it(judged: Dict[str, Any]) -> Flow[Any]:
        if "name" not in judged or not judged.keys() <= {"name", "arguments"}:
            raise Unfit("a rewrite made something other than a name and arguments")
        return (yield from call(functools.partial(original, judged["name"], judged.get("arguments"), *rest[0], **rest[1])))

    return (yield from guarded_call(action, view, options, _steps(action, original, run_it, options)))


def _list_tools(
    original: Callable[..., Any], arguments: Tuple[Any, ...], named: Dict[str, Any], options: GuardOptions
) -> Flow[Any]:
    result = yield from call(functools.partial(original, *arguments, **named))
    return (yield from _judged("tools/list", result, options))


_METHODS: Dict[str, _Guarded] = {
    "call_tool": _call_tool,
    "read_resource": _read_resource,
    "get_prompt": _get_prompt,
    "list_tools": _list_tools,
}


def _steps(
    action: str,
    original: Callable[..., Any],
    run_it: Callable[[Dict[str, Any]], Flow[Any]],
    options: GuardOptions,
    is_tool: bool = False,
) -> CallSteps:
    return CallSteps(
        run=run_it,
        deliver=lambda result: _judged(action, result, options),
        replayed=lambda result, transaction_id: _replayed(original, result, transaction_id),
        is_cut_short=is_cut_short_mcp,
        has_failed=_is_error if is_tool else lambda _: False,
    )


def _is_error(result: Any) -> bool:
    view = to_json(result)
    return type(view) is dict and view.get("isError") is True


def _judged(action: str, result: Any, options: GuardOptions) -> Flow[Any]:
    view = to_json(result)
    answer = yield from deliver(action, view, options)
    if answer is view:
        return result
    try:
        return from_json(answer, type(result))
    except Unfit as error:
        raise blocked(action, str(error)) from None


def _replayed(original: Callable[..., Any], result: Any, transaction_id: str) -> Any:
    if type(result) is dict:
        meta = result.get("_meta")
        result = {**result, "_meta": {**(meta if type(meta) is dict else {}), _REPLAY_MARK: transaction_id}}
    return from_json(result, _returned_type(original))


def _returned_type(method: Callable[..., Any]) -> Optional[type]:
    """What the method says it returns: there is no result yet whose type it could be."""
    try:
        returned = typing.get_type_hints(getattr(method, "__func__", method)).get("return")
    except Exception:
        return None
    # Of several, such as a result or a request for more, the first is what a call that ran delivers.
    for candidate in typing.get_args(returned) or (returned,):
        if isinstance(candidate, type):
            return candidate
    return None


_Rest = Tuple[Tuple[Any, ...], Dict[str, Any]]


def _one(arguments: Tuple[Any, ...], named: Dict[str, Any], first: str) -> Tuple[Any, _Rest]:
    named = dict(named)
    if arguments:
        return arguments[0], (arguments[1:], named)
    return named.pop(first, None), ((), named)


def _two(arguments: Tuple[Any, ...], named: Dict[str, Any], first: str, second: str) -> Tuple[Any, Any, _Rest]:
    one, (further, named) = _one(arguments, named, first)
    other, rest = _one(further, named, second)
    return one, other, rest
