"""Guards functions: each call is put to the guard before it runs, and its result before it is delivered."""

from __future__ import annotations

import functools
import inspect
import secrets
from typing import Any, Callable, Dict, Iterable, Mapping, Optional, TypeVar, cast

from .blocked import blocked
from .call_view import CallView, ShownCall
from .flow import Flow, call, discard, run, run_async
from .guarded_call import CallSteps, guarded_call
from .options import GuardOptions, guard_options
from .reasons import not_put_to_guard
from .result import deliver
from .unfit import Unfit

F = TypeVar("F", bound=Callable[..., Any])

_MARK = "__interlock_guarded__"


def guard(engine: Any, action: Optional[str] = None, *, hidden: Iterable[str] = (), **options: Any) -> Callable[[F], F]:
    """Decorates a function, synchronous or ``async``. It is judged as ``action`` (default: its name) with its arguments by their names, defaults
    filled in; a rewrite reaches positional and named arguments alike.

    ``hidden`` names parameters that are not shown and passed on as they are, such as a database session. ``options`` are those of
    ``GuardOptions``. The function is called with copies of the lists, dicts and sets that it is given.

    Raises ``TypeError`` for what is no function, has no signature, or is a generator, whose results come when nobody asks any more.
    """
    checked = guard_options(engine, "sync", **options)
    names = tuple(hidden)

    def decorate(function: F) -> F:
        name = getattr(function, "__name__", "guard") if action is None else action
        return cast(F, _guarded(function, name, checked, names))

    return decorate


def guard_tool_map(tools: Mapping[str, F], engine: Any, **options: Any) -> Dict[str, F]:
    """A new dict with the same keys, in which every function is guarded as by ``guard``, each under its key."""
    checked = guard_options(engine, "sync", **options)
    return {name: cast(F, _guarded(tool, name, checked, ())) for name, tool in tools.items()}


def _guarded(function: Callable[..., Any], action: str, options: GuardOptions, hidden: Iterable[str]) -> Callable[..., Any]:
    if not callable(function) or isinstance(function, type):
        raise TypeError(f"guard: '{action}' is not a function")
    if getattr(function, _MARK, False) is True:
        return function
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        raise TypeError(f"guard: '{action}' is a generator; guard the function that uses it")
    view = CallView(function, hidden)
    is_async = inspect.iscoroutinefunction(function)
    own = options._replace(caller="async") if is_async else options
    if not is_async and inspect.iscoroutinefunction(options.engine.evaluate):
        raise TypeError(f"guard: '{action}' is synchronous and its engine is not; use RemoteEngine")

    def flow(arguments: Any, named: Any) -> Flow[Any]:
        return _called(function, action, view, own._replace(call_id=_new_call_id()), arguments, named)

    if is_async:

        @functools.wraps(function)
        async def guarded_async(*arguments: Any, **named: Any) -> Any:
            return await run_async(flow(arguments, named))

        guarded: Callable[..., Any] = guarded_async
    else:

        @functools.wraps(function)
        def guarded_sync(*arguments: Any, **named: Any) -> Any:
            return run(flow(arguments, named))

        guarded = guarded_sync
    setattr(guarded, _MARK, True)
    return guarded


def _new_call_id() -> str:
    return secrets.token_urlsafe(16)


def _called(
    function: Callable[..., Any], action: str, view: CallView, options: GuardOptions, arguments: Any, named: Any
) -> Flow[Any]:
    try:
        shown = view.shown(arguments, named)
    except Unfit as error:
        raise blocked(action, not_put_to_guard(action, "call", error)) from None

    steps = CallSteps(
        run=lambda judged: _run(function, shown, judged),
        deliver=lambda result: _deliver(action, result, options),
        replayed=lambda result, _: result,
    )
    return (yield from guarded_call(action, shown.view, options, steps))


def _run(function: Callable[..., Any], shown: ShownCall, judged: Dict[str, Any]) -> Flow[Any]:
    positional, named = shown.arguments(judged)
    return (yield from call(functools.partial(function, *positional, **named)))


def _deliver(action: str, result: Any, options: GuardOptions) -> Flow[Any]:
    try:
        return (yield from deliver(action, result, options))
    finally:
        # A coroutine that a synchronous function returned has no JSON form, and is never awaited.
        discard(result)
