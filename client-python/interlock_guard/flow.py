"""One logic for synchronous and asynchronous callers: what a guard does is a generator that yields the steps which take time, and one of
two drivers takes them."""

from __future__ import annotations

import asyncio
import inspect
import threading
import time
from typing import Any, Awaitable, Callable, Generator, NamedTuple, Optional, Tuple, TypeVar

T = TypeVar("T")


class Step(NamedTuple):
    """Call ``function`` with ``arguments``, wait for what it returns, and go on with that.

    ``blocks``: it is an engine's method; an asynchronous caller lets a synchronous one run in a thread of its own. ``unwanted`` is then told
    what it returned where the caller was cancelled meanwhile, in that thread.
    """

    function: Callable[..., Any]
    arguments: Tuple[Any, ...]
    blocks: bool
    unwanted: Optional[Callable[[Any], None]] = None


Flow = Generator[Step, Any, T]


def call(function: Callable[..., Any], *arguments: Any) -> Flow[Any]:
    """A function of the caller's: a tool, or one that is asked for a yes."""
    return (yield Step(function, arguments, False))


def ask_engine(
    function: Callable[..., Any], *arguments: Any, unwanted: Optional[Callable[[Any], None]] = None
) -> Flow[Any]:
    return (yield Step(function, arguments, True, unwanted))


def pause(seconds: float) -> Flow[None]:
    yield Step(_pause, (seconds,), False)


def _pause(seconds: float) -> None:
    raise AssertionError("a driver takes pauses itself")


def run(flow: Flow[T]) -> T:
    """The driver of a synchronous caller."""
    try:
        step = next(flow)
        while True:
            try:
                if step.function is _pause:
                    time.sleep(*step.arguments)
                    value = None
                else:
                    value = step.function(*step.arguments)
            except BaseException as error:
                step = flow.throw(error)
            else:
                step = flow.send(value)
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]


async def run_async(flow: Flow[T]) -> T:
    """The driver of an asynchronous caller."""
    try:
        step = next(flow)
        while True:
            try:
                value = await _taken(step)
            except BaseException as error:
                step = flow.throw(error)
            else:
                step = flow.send(value)
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]


async def _taken(step: Step) -> Any:
    function, arguments, blocks, unwanted = step
    if function is _pause:
        return await asyncio.sleep(*arguments)
    if blocks and not inspect.iscoroutinefunction(function):
        return await _in_thread(function, arguments, unwanted)
    value = function(*arguments)
    return await value if inspect.isawaitable(value) else value


async def _in_thread(
    function: Callable[..., Any], arguments: Tuple[Any, ...], unwanted: Optional[Callable[[Any], None]]
) -> Any:
    is_cancelled = threading.Event()

    def work() -> Any:
        value = function(*arguments)
        if is_cancelled.is_set() and unwanted is not None:
            unwanted(value)
        return value

    try:
        return await asyncio.get_running_loop().run_in_executor(None, work)
    except asyncio.CancelledError:
        is_cancelled.set()
        raise


def discard(value: object) -> None:
    """An awaitable that a synchronous caller cannot wait for is closed, so that nothing warns of it later."""
    if isinstance(value, Awaitable) and hasattr(value, "close"):
        value.close()
