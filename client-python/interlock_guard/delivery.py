"""Brings questions to the daemon. It waits for nothing: an engine calls ``readable``, ``writable`` and ``tick`` when it is time, from one
thread at a time, and is told of nothing but the conclusions of its questions."""

from __future__ import annotations

import time
from typing import Callable, Dict, List, Optional

from .absence import Absence
from .bearer import TokenUnavailable, token_now
from .connection import FOREVER, Answered, Connection
from .decision import Decision
from .features import Features
from .fit_frame import fit_frame
from .frames import Outcome, outcome_frame
from .greeting import Greeting, Terms, offered_features
from .link import Link, connect_failure
from .question import Absent, Conclusion, NoVerdict, Question
from .reasons import no_reply, no_verdict, not_put_to_guard, refused_by_daemon, stopped_before
from .read_decision import call_let_run, needs_another_token
from .settings import EngineSettings
from .stats import EngineStats, Tally
from .waiting_line import WaitingLine
from .wire_error import WireError


class Delivery:
    """Each question is in exactly one place, the line or the connection, and leaves by being concluded, once. There is at most one
    connection, or one pause before the next attempt, and neither while no question is there to need it."""

    def __init__(
        self,
        settings: EngineSettings,
        greeting: Greeting,
        id_prefix: str,
        tally: Tally,
        reached: Callable[[Features], None],
    ) -> None:
        """``reached`` is told, each time that a hello is answered, what was agreed; it must not ask anything itself."""
        self._settings = settings
        self._reached = reached
        self._greeting = greeting
        self._id_prefix = id_prefix
        self._tally = tally
        self._count = 0
        self._open: Dict[str, Question] = {}
        self._line = WaitingLine()
        self._connection: Optional[Connection] = None
        self._absence: Optional[Absence] = None
        self._pause_until = FOREVER
        self._not_run: List[str] = []
        self.features: Features = offered_features(greeting)
        """What the last daemon agreed to; what is offered, before there was one. Frames are made for it."""

    # What an engine looks at.

    @property
    def pending(self) -> int:
        """Questions without an answer."""
        return len(self._open)

    @property
    def line(self) -> WaitingLine:
        """Those of them that no connection has."""
        return self._line

    @property
    def link(self) -> Optional[Link]:
        return None if self._connection is None else self._connection.link

    def next_wakeup(self) -> float:
        """When ``tick`` is due at the latest, on the monotonic clock; infinity where nothing is."""
        first = next(iter(self._open.values()), None)
        greeting = FOREVER if self._connection is None else self._connection.greeting_deadline
        return min(FOREVER if first is None else first.deadline, greeting, self._pause_until)

    def stats(self) -> EngineStats:
        terms = None if self._connection is None else self._connection.terms
        return EngineStats(
            **vars(self._tally),
            pending=len(self._open),
            waiting=len(self._line),
            protocol="none" if terms is None else "v1" if terms.is_v1 else "hello",
            daemon=None if terms is None else terms.daemon,
        )

    # What an engine does.

    def next_id(self) -> str:
        self._count += 1
        return f"{self._id_prefix}{self._count}"

    def deadline(self) -> float:
        """When a question that is asked now runs out of time."""
        timeout_s = self._settings.timeout_s
        return FOREVER if timeout_s is None else time.monotonic() + timeout_s

    def accept(self, question: Question) -> None:
        self._open[question.id] = question
        if self._connection is not None and self._connection.has_unasked_input:
            # Nobody read while nothing was asked: what was sent unasked must not be taken for this question's answer.
            self.readable()
        connection = self._connection
        if connection is not None and connection.has_room and not self._line:
            self._ask(question, connection)
            return
        self._line.push(question)
        self._connect_for_line()

    def readable(self) -> None:
        """Takes one piece of what the daemon sent."""
        connection = self._connection
        if connection is None:
            return
        try:
            chunk = connection.link.receive()
        except OSError as error:
            # EPIPE is the answer to a write into a connection that the peer had closed: none of it was delivered.
            self._lost(connection, error, isinstance(error, BrokenPipeError))
            return
        if chunk is None:
            return
        if chunk == b"":
            self._lost(connection, WireError("bad_response", "daemon closed the connection"), False)
            return
        was_greeted = connection.terms is not None
        try:
            batch = connection.read(chunk)
        except WireError as error:
            self._anomaly(connection, error)
            return
        for answered in batch:
            self._answered(answered, connection)
        if connection.terms is not None and connection is self._connection:
            self.features = connection.terms.features
            self._absence = None
        self._ask_next()
        self._report_not_run()
        if not was_greeted and connection.terms is not None:
            self._reached(connection.terms.features)

    def writable(self) -> None:
        if self._connection is not None:
            self._connection.link.flush()
            self._ask_next()

    def tick(self) -> None:
        """Does what its time has come for."""
        now = time.monotonic()
        while self._open:
            first = next(iter(self._open.values()))
            if first.deadline > now:
                break
            self._expire(first)
        if self._connection is not None and self._connection.greeting_deadline <= now:
            self._ungreeted(self._connection, no_reply(self._settings.timeout_s or 0))
        if self._pause_until <= now:
            self._pause_until = FOREVER
            self._connect_for_line()
            if not self._line:
                self._absence = None

    def give_up(self, question: Question, why: str) -> None:
        """Nobody waits for it any more: what the daemon still lets it do is reported as not run."""
        if question.conclusion is not None:
            self._late(question, question.conclusion)
            self._report_not_run()
            return
        self._conclude(question, NoVerdict(no_verdict(self._settings.path, InterruptedError(why))))
        self._nobody_waits_for(question)

    def close(self) -> None:
        """Lets go of the connection; whoever still waits is told that there is no verdict."""
        pending = [] if self._connection is None else self._connection.close()
        self._connection = None
        for question in pending + self._line.drain():
            self._conclude(question, NoVerdict(no_verdict(self._settings.path, OSError("the engine was closed"))))

    # Connections.

    def _connect_for_line(self) -> None:
        if self._line and self._connection is None and self._pause_until == FOREVER:
            self._connect()

    def _connect(self) -> None:
        self._tally.connections += 1
        settings = self._settings
        try:
            self._connection = Connection(settings.path, self._greeting, token_now(settings), settings.timeout_s)
        except TokenUnavailable as error:
            self._block_line(f"not put to the guard: {error}")
        except OSError as error:
            failure = connect_failure(error)
            self._not_connected(error, failure != "absent", failure == "wrong")

    def _lost(self, connection: Connection, error: Exception, undelivered: bool) -> None:
        terms = connection.terms
        if terms is None:
            self._ungreeted(connection, error)
            return
        self._connection = None
        pending = connection.close()
        self._line.put_back([each for each in pending if self._is_asked_again(each, error, undelivered, terms)])
        self._connect_for_line()

    def _is_asked_again(self, question: Question, error: Exception, undelivered: bool, terms: Terms) -> bool:
        """Once more, where a daemon agreed to remember what it decided, or where the frame never reached it. Otherwise it might be decided
        twice, and is blocked."""
        # On a connection of version 1 one frame is under way at most, so that a write that failed was this one's.
        if terms.is_v1 and undelivered:
            question.ever_asked = False
        if not question.was_lost and (not question.ever_asked or "resend" in terms.features):
            question.was_lost = True
            return True
        self._conclude(question, NoVerdict(no_verdict(self._settings.path, error)))
        return False

    def _anomaly(self, connection: Connection, error: WireError) -> None:
        """The peer broke the protocol: nothing that it says on this connection is believed any more."""
        reason = refused_by_daemon(self._settings.path, error.code, error.message)
        self._connection = None
        for question in connection.close():
            self._conclude(question, NoVerdict(reason))
        # Nothing is asked before the hello is answered: those who wait for this connection share its fate.
        if connection.terms is None:
            self._block_line(reason)
        self._connect_for_line()

    def _ungreeted(self, connection: Connection, error: Exception) -> None:
        self._connection = None
        connection.close()
        self._not_connected(error, True, False)

    def _not_connected(self, error: Exception, is_anyone_there: bool, is_useless: bool) -> None:
        if not self._line:
            self._absence = None
            return
        now = time.monotonic()
        absence = self._absence or Absence(self._settings.path, now)
        absence.failed(error, is_anyone_there, now)
        pause_s = None if is_useless else absence.next_pause_s(self._settings.grace_s, now)
        if pause_s is None:
            self._absence = None
            for question in self._line.drain():
                self._unreachable(question, absence)
            return
        self._absence = absence
        self._pause_until = now + pause_s

    # Questions.

    def _ask_next(self) -> None:
        while self._connection is not None and self._connection.has_room:
            question = self._line.shift()
            if question is None:
                return
            self._ask(question, self._connection)

    def _ask(self, question: Question, connection: Connection) -> None:
        """Where what was agreed on the connection does not let it be asked, it is blocked."""
        terms = connection.terms
        if terms is None:
            raise RuntimeError("a question is not asked before the hello is answered")
        if question.ever_asked:
            if "resend" not in terms.features:
                reason = "asked once, and this daemon cannot tell what became of it"
                self._conclude(question, NoVerdict(refused_by_daemon(self._settings.path, "bad_response", reason)))
                return
            self._tally.resent += 1
        try:
            fit_frame(question, terms)
        except Exception as error:
            self._conclude(question, NoVerdict(not_put_to_guard(question.action, question.subject, error)))
            return
        connection.ask(question)

    def _answered(self, answered: Answered, connection: Connection) -> None:
        question, body = answered
        if question.conclusion is not None:
            self._late(question, body)
        elif needs_another_token(question, body, self._settings):
            # The next connection may show another. Asked so once, as after a loss.
            question.was_lost = True
            question.is_asked = False
            self._line.put_back([question])
            if connection is self._connection:
                self._lost(connection, TokenUnavailable("the token has expired"), False)
        elif isinstance(body, Decision):
            self._conclude(question, body)
        else:
            self._conclude(question, NoVerdict(refused_by_daemon(self._settings.path, body.code, body.message)))

    def _late(self, question: Question, body: object) -> None:
        """The daemon let a call run whose caller was told that it does not: it is told so, and the next such call need not wait for the lease."""
        call_id = call_let_run(question, body)
        if call_id is not None:
            self._not_run.append(call_id)

    def _report_not_run(self) -> None:
        while self._not_run:
            call_id = self._not_run.pop()
            question_id = self.next_id()
            frame = outcome_frame(question_id, Outcome(call_id, "abandoned"))
            self.accept(Question(question_id, "outcome", "outcome", None, frame, self.features, self.deadline()))

    def _expire(self, question: Question) -> None:
        self._tally.timeouts += 1
        if self._absence is not None and not question.is_asked:
            self._unreachable(question, self._absence)
        else:
            reason = no_verdict(self._settings.path, no_reply(self._settings.timeout_s or 0))
            self._conclude(question, NoVerdict(reason))
        self._nobody_waits_for(question)

    def _nobody_waits_for(self, question: Question) -> None:
        connection = self._connection
        if question.is_asked and connection is not None and not connection.expire(question):
            self._lost(connection, TimeoutError("gave up on a peer that does not answer"), False)

    def _unreachable(self, question: Question, absence: Absence) -> None:
        """Nobody answered for the whole grace. Only a call that no daemon has seen, while nobody at all is there and nothing had been stopped,
        is anything but blocked."""
        reason = no_verdict(self._settings.path, absence.last_error)
        is_event = question.subject in ("call", "result")
        is_absent = is_event and not absence.is_restart and not absence.is_anyone_there and not question.ever_asked
        if is_absent and self._settings.unreachable != "deny" and absence.is_stopped:
            self._conclude(question, NoVerdict(stopped_before(reason)))
        else:
            self._conclude(question, Absent(reason, question.frame) if is_absent else NoVerdict(reason))

    def _block_line(self, reason: str) -> None:
        for question in self._line.drain():
            self._conclude(question, NoVerdict(reason))

    def _conclude(self, question: Question, conclusion: Conclusion) -> None:
        """The one place where a question gets its answer. One that has it keeps it."""
        if question.conclusion is not None:
            return
        question.conclusion = conclusion
        del self._open[question.id]
        if not question.is_asked:
            self._line.remove(question)
        self._tally.count(question, conclusion)
        question.frame = b""
        if not self._open:
            self._pause_until = FOREVER
            self._absence = None
        if question.wake is not None:
            question.wake()
