"""Puts events to the daemon on a unix socket, from the tasks of an asyncio event loop."""

from __future__ import annotations

import asyncio
import os
import time
from typing import Any, Callable, List, Optional

from .blocked import blocked
from .connection import FOREVER
from .decision import Decision
from .delivery import Delivery
from .features import Features
from .flow import run_async
from .frames import Event, Outcome, offline_frame, outcome_frame, resume_frame
from .front import Front, new_delivery
from .link import Link
from .offline_report import tell_offline
from .question import Question
from .settings import engine_settings
from .spool import OfflineDecision
from .stats import EngineStats, Tally


class AsyncRemoteEngine:
    """The same engine, with the same settings, for ``asyncio``: one connection, and any number of tasks that ask over it.

    It belongs to the event loop that first asks. Once that is closed, or in a forked child, another may take it over, over a connection
    of its own; until then a question from another loop is blocked.
    """

    def __init__(self, path: "str | os.PathLike[str]", **options: Any) -> None:
        self._settings = engine_settings(path, **options)
        self._tally = Tally()
        self._front = Front(self._settings, self._tally)
        self._session: Optional[_Session] = None
        self._telling: "Optional[asyncio.Future[None]]" = None

    @property
    def path(self) -> str:
        return self._settings.path

    @property
    def timeout(self) -> Optional[float]:
        return self._settings.timeout_s

    @property
    def fallbacks(self) -> int:
        """Calls that were decided without a daemon."""
        return self._tally.fallbacks

    @property
    def replays(self) -> bool:
        """Does the daemon answer a repeat with the recorded result? Until one has said, it is taken to."""
        return self._session is None or "replay" in self._session.delivery.features

    @property
    def stats(self) -> EngineStats:
        if self._session is not None:
            return self._session.delivery.stats()
        return new_delivery(self._settings, self._tally, lambda _: None).stats()

    async def evaluate(self, event: Event) -> Decision:
        """Raises ``BlockedError``: there is no verdict."""
        return await self._ask(event.action, lambda delivery: self._front.event_question(delivery, event))

    async def resume(self, approval_id: str, call_id: str, action: Optional[str] = None) -> Decision:
        """As ``RemoteEngine.resume``."""
        name = action or "resume"
        return await self._ask(
            name,
            lambda delivery: self._front.question(
                delivery,
                name,
                "resume",
                call_id,
                lambda question_id, _: resume_frame(question_id, approval_id, call_id, action),
            ),
        )

    async def outcome(self, outcome: Outcome) -> Decision:
        """As ``RemoteEngine.outcome``."""
        return await self._ask(
            "outcome",
            lambda delivery: self._front.question(
                delivery, "outcome", "outcome", None, lambda question_id, _: outcome_frame(question_id, outcome)
            ),
        )

    async def close(self) -> None:
        """Waits until every question has its answer, and closes the connection. A later question opens another."""
        session = self._session
        if session is not None and session.is_of(asyncio.get_running_loop()):
            if self._telling is not None:
                await self._telling
            await session.close()

    async def __aenter__(self) -> "AsyncRemoteEngine":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _ask(self, action: str, make: Callable[[Delivery], Question]) -> Decision:
        session = self._session_here(action)
        question = make(session.delivery)
        await session.settle(question)
        return self._front.concluded(question)

    def _reached(self, features: Features) -> None:
        """There is a daemon: what was decided without it is told in a task of its own."""
        desk = self._front.desk
        if desk is None or "offline" not in features or (self._telling is not None and not self._telling.done()):
            return
        self._telling = asyncio.ensure_future(run_async(tell_offline(desk.spool, self._tell, self._tally)))

    async def _tell(self, decisions: List[OfflineDecision]) -> Decision:
        return await self._ask(
            "offline",
            lambda delivery: self._front.question(
                delivery, "offline", "offline", None, lambda question_id, _: offline_frame(question_id, decisions)
            ),
        )

    def _session_here(self, action: str) -> "_Session":
        loop = asyncio.get_running_loop()
        session = self._session
        if session is None or not session.is_of(loop):
            if session is not None and not session.is_over:
                self._tally.local += 1
                raise blocked(action, "not put to the guard: its engine belongs to another event loop")
            session = self._session = _Session(loop, new_delivery(self._settings, self._tally, self._reached))
        return session


class _Session:
    """One delivery in one event loop of one process."""

    def __init__(self, loop: asyncio.AbstractEventLoop, delivery: Delivery) -> None:
        self.delivery = delivery
        self._loop = loop
        self._pid = os.getpid()
        self._watched: Optional[Link] = None
        self._is_writing = False
        self._timer: Optional[asyncio.TimerHandle] = None
        self._timer_at = FOREVER
        self._drained: "list[asyncio.Future[None]]" = []

    def is_of(self, loop: asyncio.AbstractEventLoop) -> bool:
        return self._loop is loop and self._pid == os.getpid()

    @property
    def is_over(self) -> bool:
        return self._pid != os.getpid() or self._loop.is_closed()

    async def settle(self, question: Question) -> None:
        concluded = self._loop.create_future()
        question.wake = lambda: None if concluded.done() else concluded.set_result(None)
        self.delivery.accept(question)
        self._watch()
        try:
            await concluded
        except asyncio.CancelledError:
            self.delivery.give_up(question, "its task was cancelled")
            self._watch()
            raise

    async def close(self) -> None:
        if self.delivery.pending > 0:
            drained = self._loop.create_future()
            self._drained.append(drained)
            await drained
        self.delivery.close()
        self._watch()

    def _readable(self) -> None:
        self.delivery.readable()
        self._watch()

    def _writable(self) -> None:
        self.delivery.writable()
        self._watch()

    def _due(self) -> None:
        self._timer = None
        self._timer_at = FOREVER
        self.delivery.tick()
        self._watch()

    def _watch(self) -> None:
        """Has the loop call for whatever the delivery waits for now."""
        link = self.delivery.link
        if link is not None and link.failure is not None:
            self._loop.call_soon(self._readable)
        if link is not None and link is not self._watched:
            self._watched = link
            descriptor = link.fileno()
            link.on_close = lambda: self._unwatch(descriptor)
            self._loop.add_reader(descriptor, self._readable)
        if link is not None:
            self._watch_writing(link)
        wakeup = self.delivery.next_wakeup()
        # An earlier one comes too soon, does nothing, and looks again.
        if wakeup < self._timer_at:
            if self._timer is not None:
                self._timer.cancel()
            self._timer = self._loop.call_later(max(0.0, wakeup - time.monotonic()), self._due)
            self._timer_at = wakeup
        if self.delivery.pending == 0:
            for drained in self._drained:
                if not drained.done():
                    drained.set_result(None)
            self._drained.clear()

    def _watch_writing(self, link: Link) -> None:
        is_writing = link.unsent_bytes > 0 and link.failure is None
        if is_writing and not self._is_writing:
            self._loop.add_writer(link.fileno(), self._writable)
        elif self._is_writing and not is_writing:
            self._loop.remove_writer(link.fileno())
        self._is_writing = is_writing

    def _unwatch(self, descriptor: int) -> None:
        self._watched = None
        self._is_writing = False
        if not self.is_over:
            self._loop.remove_reader(descriptor)
            self._loop.remove_writer(descriptor)
