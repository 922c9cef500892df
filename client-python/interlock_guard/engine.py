"""Puts events to the daemon on a unix socket, from any number of threads."""

from __future__ import annotations

import os
import select
import threading
import time
import weakref
from typing import Any, List, Optional, Tuple

from .decision import Decision
from .connection import FOREVER
from .features import Features
from .flow import run
from .frames import Event, Outcome, offline_frame, outcome_frame, resume_frame
from .front import Front, new_delivery
from .link import Link
from .offline_report import tell_offline
from .question import Question
from .settings import engine_settings
from .spool import OfflineDecision
from .stats import EngineStats, Tally


class RemoteEngine:
    """One connection, opened when it is first needed; any number of threads ask over it at once. Every failure to get a verdict is a
    ``BlockedError`` whose decision is a BLOCK without a policy id.

    Parameters, all but the first by name:

    ``path``        the daemon's socket
    ``timeout``     seconds from a question to its verdict, connecting and asking once more included. Default 5; None waits for ever
    ``unreachable`` what becomes of a call while nobody listens on the socket: ``"deny"`` (the default) blocks, ``"degraded"`` decides by a
                    signed policy and blocks where that cannot decide, ``"allow"`` lets everything run
    ``fallback_file``, ``fallback_key_file``  with ``"degraded"``: the signed fallback policy, and public keys (PEM) of which one has to have signed
                    it. Read when they are needed. ``fallback_spool`` is where what was decided so is kept until the daemon is told
    ``on_fallback`` told of each call that was decided without the daemon. Default ``warnings.warn``. If it raises, the call is blocked
    ``grace``       seconds for which the socket may be gone before the daemon counts as unreachable; at most ``timeout``. Default 1
    ``principal``   who acts, where an event does not say
    ``token``       the bearer token that binds an identity to the connection, or a function that returns it
    ``token_file``  a file with the token, read anew at each connection
    ``scope_file``, ``scope_key_file``  a signed scope document, and public keys (PEM) of which one has to have signed it: while the daemon serves
                    another, or none, every call is blocked. Read and verified once. Or ``scope``, its pin, where it was verified elsewhere

    A forked child asks over a connection of its own. Raises ``TypeError`` or ``ValueError`` for a setting that is none.
    """

    # One of the threads that wait reads for all of them; when it has its answer it hands that over to another.

    def __init__(self, path: "str | os.PathLike[str]", **options: Any) -> None:
        self._settings = engine_settings(path, **options)
        self._begin()
        _engines.add(self)

    def _begin(self) -> None:
        self._mutex = threading.Lock()
        self._tally = Tally()
        self._front = Front(self._settings, self._tally)
        self._delivery = new_delivery(self._settings, self._tally, self._reached)
        self._telling: Optional[threading.Thread] = None
        self._reader: Optional[_Reader] = None
        self._last_reader: Optional[_Reader] = None
        self._waiters: "dict[str, threading.Event]" = {}
        self._bell = _Bell()

    def _begin_in_child(self) -> None:
        """Of a forked process: its parent's connection is closed here, and goes on there."""
        if self._delivery.link is not None:
            self._delivery.link.close()
        self._bell.close()
        self._begin()

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
        return "replay" in self._delivery.features

    @property
    def stats(self) -> EngineStats:
        with self._mutex:
            return self._delivery.stats()

    def evaluate(self, event: Event) -> Decision:
        """Raises ``BlockedError``: there is no verdict."""
        with self._mutex:
            question = self._front.event_question(self._delivery, event)
            self._settle(question)
        return self._front.concluded(question)

    def resume(self, approval_id: str, call_id: str, action: Optional[str] = None) -> Decision:
        """Asks to run an approved call. MODIFY has the whole of the arguments to run it with; ESCALATE says that nobody has approved it
        yet, BLOCK that it does not run. Where the client itself may approve, asking is saying yes."""
        with self._mutex:
            question = self._front.question(
                self._delivery,
                action or "resume",
                "resume",
                call_id,
                lambda question_id, _: resume_frame(question_id, approval_id, call_id, action),
            )
            self._settle(question)
        return self._front.concluded(question)

    def outcome(self, outcome: Outcome) -> Decision:
        """Tells what became of a call that may run and has no result. ALLOW: it is recorded. BLOCK: no such call is under way."""
        with self._mutex:
            question = self._front.question(
                self._delivery, "outcome", "outcome", None, lambda question_id, _: outcome_frame(question_id, outcome)
            )
            self._settle(question)
        return self._front.concluded(question)

    def _reached(self, features: Features) -> None:
        """There is a daemon: what was decided without it is told in a thread of its own, as whoever called waits for an answer."""
        desk = self._front.desk
        if desk is None or "offline" not in features or (self._telling is not None and self._telling.is_alive()):
            return
        flow = tell_offline(desk.spool, self._tell, self._tally)
        self._telling = threading.Thread(target=run, args=(flow,), name="interlock-offline", daemon=True)
        self._telling.start()

    def _tell(self, decisions: List[OfflineDecision]) -> Decision:
        with self._mutex:
            question = self._front.question(
                self._delivery, "offline", "offline", None, lambda question_id, _: offline_frame(question_id, decisions)
            )
            self._settle(question)
        return self._front.concluded(question)

    def close(self) -> None:
        """Waits until every question has its answer, and closes the connection. A later question opens another."""
        telling = self._telling
        if telling is not None and telling is not threading.current_thread():
            telling.join()
        with self._mutex:
            while self._delivery.pending > 0:
                if self._reader is None:
                    self._read_once()
                    self._hand_over()
                else:
                    self._wait_turn("close", FOREVER)
            self._delivery.close()
            self._last_reader = None
            self._bell.close()

    def __enter__(self) -> "RemoteEngine":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _settle(self, question: Question) -> None:
        """Returns once the question is concluded. The mutex is held, and let go of while waiting."""
        try:
            self._delivery.accept(question)
            self._reader_looks_again()
            while question.conclusion is None:
                if self._reader is None:
                    self._read_once()
                elif not self._wait_turn(question.id, question.deadline, question):
                    self._delivery.give_up(question, "no thread reads the answers")
        finally:
            # Also where a signal's handler raised: whoever waits goes on.
            if question.conclusion is None:
                self._delivery.give_up(question, "its caller was interrupted")
            self._hand_over()

    def _wait_turn(self, name: str, deadline: float, question: Optional[Question] = None) -> bool:
        """Waits until the question is concluded, or nobody reads; False where neither came to be in time."""
        told = threading.Event()
        if question is not None:
            question.wake = told.set
        self._waiters[name] = told
        self._mutex.release()
        try:
            # The reader looks after everybody's deadline; later than that, it is a call of a signal's handler, in the reader's own thread.
            return told.wait(None if deadline == FOREVER else max(0.0, deadline - time.monotonic()) + _READER_SLACK_S)
        finally:
            self._mutex.acquire()
            self._waiters.pop(name, None)
            if question is not None:
                question.wake = None

    def _hand_over(self) -> None:
        """Whoever wakes and has no answer yet reads on."""
        if self._reader is None and self._waiters:
            next(iter(self._waiters.values())).set()

    def _read_once(self) -> None:
        """Waits until there is something to do, and does it. No other thread takes from the socket meanwhile what is owed to a question."""
        delivery = self._delivery
        link = delivery.link
        reader = self._last_reader
        if reader is None or reader.link is not link or (link is not None and link.needs_care) or reader.is_writing:
            reader = self._last_reader = _Reader(link, self._bell.descriptor())
        wakeup = delivery.next_wakeup()
        self._reader = reader
        self._mutex.release()
        try:
            is_rung, is_ready = reader.wait(wakeup)
        finally:
            self._mutex.acquire()
            self._reader = None
        if is_rung:
            self._bell.hush()
        if is_ready and link is delivery.link:
            if reader.is_writing:
                delivery.writable()
            delivery.readable()
        delivery.tick()

    def _reader_looks_again(self) -> None:
        """Where a frame waits to be written or failed to be, or the connection is another one, than the reader waits for."""
        link = self._delivery.link
        if self._reader is not None and (self._reader.link is not link or (link is not None and link.needs_care)):
            self._bell.ring()


class _Reader:
    """What the thread that reads waits for."""

    def __init__(self, link: Optional[Link], bell: int) -> None:
        self.link = link
        self._bell = bell
        self._poll = select.poll()
        self._poll.register(bell, select.POLLIN)
        self.is_writing = link is not None and link.unsent_bytes > 0
        if link is not None:
            self._poll.register(link.fileno(), select.POLLIN | (select.POLLOUT if self.is_writing else 0))

    def wait(self, wakeup: float) -> Tuple[bool, bool]:
        """Has the bell been rung, and is the link ready?"""
        if self.link is not None and self.link.failure is not None:
            return False, True
        ready = self._poll.poll(_milliseconds_until(wakeup))
        if len(ready) == 1:
            is_rung = ready[0][0] == self._bell
            return is_rung, not is_rung
        return bool(ready), bool(ready)


class _Bell:
    """Wakes the thread that reads."""

    def __init__(self) -> None:
        self._ends: Optional[Tuple[int, int]] = None

    def descriptor(self) -> int:
        if self._ends is None:
            self._ends = os.pipe()
            for end in self._ends:
                os.set_blocking(end, False)
        return self._ends[0]

    def ring(self) -> None:
        try:
            if self._ends is not None:
                os.write(self._ends[1], b"!")
        except BlockingIOError:
            pass  # It has been rung often enough.

    def hush(self) -> None:
        try:
            if self._ends is not None:
                os.read(self._ends[0], 4096)
        except BlockingIOError:
            pass

    def close(self) -> None:
        if self._ends is not None:
            for end in self._ends:
                os.close(end)
        self._ends = None


_READER_SLACK_S = 0.5


def _milliseconds_until(wakeup: float) -> Optional[float]:
    if wakeup == FOREVER:
        return None
    # Rounded up: a poll that ended early would be repeated without a pause.
    return max(0.0, (wakeup - time.monotonic()) * 1000 + 1)


_engines: "weakref.WeakSet[RemoteEngine]" = weakref.WeakSet()


def _after_fork_in_child() -> None:
    for engine in list(_engines):
        engine._begin_in_child()


os.register_at_fork(after_in_child=_after_fork_in_child)
