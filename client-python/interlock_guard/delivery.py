"""Brings questions to the daemon. It waits for nothing: an engine calls ``readable``, ``writable`` and ``tick`` when it is time, from one
thread at a time, and is told of nothing but the conclusions of its questions."""

from __future__ import annotations

import time
from collections import deque
from typing import Deque, Dict, List, Optional, Tuple, Union

from .absence import Absence
from .admission import admit
from .answer import Answer, HelloAnswer, parse_answer
from .bearer import TokenUnavailable, token_now
from .codec import decode_value
from .decision import Decision, Verdict
from .features import OFFERED, Features
from .frame_reader import FrameReader
from .frames import Event, Outcome, event_frame, outcome_frame
from .greeting import Terms, hello_line, read_terms
from .limits import (
    MAX_IN_FLIGHT_REQUESTS,
    MAX_OVERDUE_ANSWERS,
    MAX_UNSENT_BYTES,
    MAX_WAITING_BYTES,
    MAX_WAITING_QUESTIONS,
)
from .link import Link, connect_failure
from .question import Absent, Conclusion, NoVerdict, Question
from .reasons import no_reply, no_verdict, not_put_to_guard, refused_by_daemon
from .settings import EngineSettings
from .stats import EngineStats, Tally
from .wire_error import WireError, bad_request

FOREVER = float("inf")


class Delivery:
    """Each question is in exactly one place, the line or the connection, and leaves by being concluded, once. There is at most one
    connection, or one pause before the next attempt, and neither while no question is there to need it."""

    def __init__(self, settings: EngineSettings, nonce: str, id_prefix: str, tally: Tally) -> None:
        self._settings = settings
        self._nonce = nonce
        self._id_prefix = id_prefix
        self._tally = tally
        self._count = 0
        self._needs_hello = settings.token is not None or settings.token_file is not None
        self._open: Dict[str, Question] = {}
        self._line: Deque[Question] = deque()
        self._line_bytes = 0
        self._asked: Dict[str, Question] = {}
        self._overdue: Dict[str, Question] = {}
        self._link: Optional[Link] = None
        self._reader = FrameReader()
        self._terms: Optional[Terms] = None
        self._greeting_deadline = FOREVER
        self._absence: Optional[Absence] = None
        self._pause_until = FOREVER
        self._not_run: List[str] = []
        self.features: Features = OFFERED
        """What the last daemon agreed to; what is offered, before there was one. Frames are made for it."""

    # What an engine looks at.

    @property
    def pending(self) -> int:
        return len(self._open)

    @property
    def waiting(self) -> int:
        return len(self._line)

    @property
    def is_full(self) -> bool:
        return len(self._line) >= MAX_WAITING_QUESTIONS or self._line_bytes >= MAX_WAITING_BYTES

    @property
    def link(self) -> Optional[Link]:
        return self._link

    def next_wakeup(self) -> float:
        """When ``tick`` is due at the latest, on the monotonic clock; infinity where nothing is."""
        first = next(iter(self._open.values()), None)
        return min(FOREVER if first is None else first.deadline, self._greeting_deadline, self._pause_until)

    def stats(self) -> EngineStats:
        terms, tally = self._terms, self._tally
        return EngineStats(
            **vars(tally),
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
        if self._link is not None and not self._asked and self._link.has_input():
            # Nobody read while nothing was asked: what was sent unasked must not be taken for this question's answer.
            self.readable()
            if question.conclusion is not None:
                return
        if self._has_room() and not self._line:
            self._ask(question)
            return
        self._line.append(question)
        self._line_bytes += len(question.frame)
        if self._link is None and self._pause_until == FOREVER:
            self._connect()

    def readable(self) -> None:
        """Takes one piece of what the daemon sent. The answers in it are judged together before any is delivered: if a byte among them is
        out of place, none is."""
        link = self._link
        if link is None:
            return
        try:
            chunk = link.receive()
        except OSError as error:
            # EPIPE is the answer to a write into a connection that the peer had closed: none of it was delivered.
            self._lost(error, isinstance(error, BrokenPipeError))
            return
        if chunk is None:
            return
        if chunk == b"":
            self._lost(WireError("bad_response", "daemon closed the connection"), False)
            return
        try:
            terms, batch = self._read(chunk)
        except WireError as error:
            self._anomaly(error)
        except Exception as error:
            self._anomaly(WireError("internal", f"the client failed to read an answer: {type(error).__name__}"))
        else:
            for question, body in batch:
                self._answered(question, body)
            if self._terms is None and terms is not None:
                self._greeted(terms)
            self._ask_next()
            self._report_not_run()

    def writable(self) -> None:
        if self._link is not None:
            self._link.flush()
            self._ask_next()

    def tick(self) -> None:
        """Does what its time has come for."""
        now = time.monotonic()
        while self._open:
            first = next(iter(self._open.values()))
            if first.deadline > now:
                break
            self._expire(first)
        if self._greeting_deadline <= now:
            self._ungreeted(no_reply(self._settings.timeout_s or 0))
        if self._pause_until <= now:
            self._pause_until = FOREVER
            if self._line:
                self._connect()
            else:
                self._absence = None

    def give_up(self, question: Question, why: str) -> None:
        """Nobody waits for it any more: what the daemon still lets it do is reported as not run."""
        if question.conclusion is not None:
            self._late(question, question.conclusion)
            self._report_not_run()
            return
        self._conclude(question, NoVerdict(no_verdict(self._settings.path, InterruptedError(why))))
        self._overdue_if_asked(question)

    def close(self) -> None:
        """Lets go of the connection; whoever still waits is told that there is no verdict."""
        for question in self._drop_link() + self._drain_line():
            self._conclude(question, NoVerdict(no_verdict(self._settings.path, OSError("the engine was closed"))))

    # Connections.

    def _connect(self) -> None:
        self._tally.connections += 1
        settings = self._settings
        try:
            hello = hello_line(self._nonce, token_now(settings))
            link = Link(settings.path)
        except TokenUnavailable as error:
            self._block_line(f"not put to the guard: {error}")
            return
        except OSError as error:
            failure = connect_failure(error)
            self._not_connected(error, failure != "absent", failure == "wrong")
            return
        self._link = link
        self._reader = FrameReader()
        if settings.timeout_s is not None:
            self._greeting_deadline = time.monotonic() + settings.timeout_s
        link.send(hello)

    def _read(self, chunk: bytes) -> Tuple[Optional[Terms], "List[Tuple[Question, Union[Decision, WireError]]]"]:
        terms = self._terms
        batch: List[Tuple[Question, Union[Decision, WireError]]] = []
        try:
            for line in self._reader.push(chunk):
                if terms is None:
                    terms = read_terms(line, self._needs_hello)
                else:
                    batch.append(self._take(parse_answer(line, terms.features), terms))
            if not self._asked and not self._overdue and terms is not None and not chunk.endswith(b"\n"):
                raise bad_request("bytes that answer no question")
        except Exception:
            for question, _ in batch:
                if question.conclusion is None:
                    self._asked[question.id] = question
            raise
        return terms, batch

    def _take(self, answer: Answer, terms: Terms) -> Tuple[Question, Union[Decision, WireError]]:
        """The question that an answer is for; an id is good for one answer."""
        body = answer.body
        if isinstance(body, HelloAnswer):
            raise bad_request("a decision was expected, not hello")
        if isinstance(body, Decision) and body.verdict is Verdict.ESCALATE and "escalate" not in terms.features:
            raise bad_request("verdict must be one of 0, 1, 2")
        answer_id = answer.id
        # An error without an id is about a frame that the peer could not read: it can only be matched where there is one question.
        if answer_id == "" and len(self._asked) == 1:
            answer_id = next(iter(self._asked))
        question = self._asked.pop(answer_id, None) or self._overdue.pop(answer_id, None)
        if question is not None:
            return question, body
        if isinstance(body, WireError):
            raise body
        raise bad_request("an answer to no question that is pending")

    def _greeted(self, terms: Terms) -> None:
        """Only after the whole piece was read: bytes that came with the hello's answer cannot answer a question that had not been asked."""
        self._terms = terms
        self.features = terms.features
        self._greeting_deadline = FOREVER
        self._absence = None

    def _drop_link(self) -> List[Question]:
        """Answers the questions that were asked on it, in their order."""
        if self._link is not None:
            self._link.close()
        self._link = None
        self._terms = None
        self._greeting_deadline = FOREVER
        pending = list(self._asked.values())
        self._asked.clear()
        self._overdue.clear()
        for question in pending:
            question.is_asked = False
        return pending

    def _lost(self, error: Exception, undelivered: bool) -> None:
        terms = self._terms
        if terms is None:
            self._ungreeted(error)
            return
        again = [question for question in self._drop_link() if self._is_asked_again(question, error, undelivered, terms)]
        self._line.extendleft(reversed(again))
        self._line_bytes += sum(len(question.frame) for question in again)
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

    def _anomaly(self, error: WireError) -> None:
        """The peer broke the protocol: nothing that it says on this connection is believed any more."""
        reason = refused_by_daemon(self._settings.path, error.code, error.message)
        was_greeted = self._terms is not None
        for question in self._drop_link():
            self._conclude(question, NoVerdict(reason))
        # Nothing is asked before the hello is answered: those who wait for this connection share its fate.
        if not was_greeted:
            self._block_line(reason)
        self._connect_for_line()

    def _ungreeted(self, error: Exception) -> None:
        self._drop_link()
        self._not_connected(error, True, False)

    def _connect_for_line(self) -> None:
        if self._line and self._link is None and self._pause_until == FOREVER:
            self._connect()

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
            for question in self._drain_line():
                self._unreachable(question, absence)
            return
        self._absence = absence
        self._pause_until = now + pause_s

    # Questions.

    def _has_room(self) -> bool:
        link, terms = self._link, self._terms
        if link is None or terms is None or link.unsent_bytes >= MAX_UNSENT_BYTES:
            return False
        # The daemon still works on overdue questions, so they count.
        return len(self._asked) + len(self._overdue) < (1 if terms.is_v1 else MAX_IN_FLIGHT_REQUESTS)

    def _ask_next(self) -> None:
        while self._line and self._has_room():
            question = self._line.popleft()
            self._line_bytes -= len(question.frame)
            self._ask(question)

    def _ask(self, question: Question) -> None:
        """Asks it on the connection there is; where these terms do not let it be asked, it is blocked."""
        link, terms = self._link, self._terms
        if link is None or terms is None:
            raise RuntimeError("no connection to ask on")
        if question.ever_asked:
            if "resend" not in terms.features:
                reason = "asked once, and this daemon cannot tell what became of it"
                self._conclude(question, NoVerdict(refused_by_daemon(self._settings.path, "bad_response", reason)))
                return
            self._tally.resent += 1
        try:
            _fit(question, terms)
        except Exception as error:
            self._conclude(question, NoVerdict(not_put_to_guard(question.action, question.subject, error)))
            return
        self._asked[question.id] = question
        question.is_asked = True
        question.ever_asked = True
        link.send(question.frame)

    def _answered(self, question: Question, body: Union[Decision, WireError]) -> None:
        if question.conclusion is not None:
            self._late(question, body)
        elif isinstance(body, Decision):
            self._conclude(question, body)
        else:
            self._conclude(question, NoVerdict(refused_by_daemon(self._settings.path, body.code, body.message)))

    def _late(self, question: Question, body: object) -> None:
        """The daemon let a call run whose caller was told that it does not: it is told so, and the next such call need not wait for the lease."""
        if not isinstance(body, Decision) or question.call_id is None:
            return
        holds_it = body.details is not None and body.details.transaction_id is not None
        if holds_it and body.verdict in (Verdict.ALLOW, Verdict.MODIFY):
            self._not_run.append(question.call_id)

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
        self._overdue_if_asked(question)

    def _overdue_if_asked(self, question: Question) -> None:
        if not question.is_asked:
            return
        del self._asked[question.id]
        self._overdue[question.id] = question
        # A peer of version 1 answers in order, so that nothing else can be asked before its answer.
        if self._terms is None or self._terms.is_v1 or len(self._overdue) > MAX_OVERDUE_ANSWERS:
            self._lost(TimeoutError("gave up on a peer that does not answer"), False)

    def _unreachable(self, question: Question, absence: Absence) -> None:
        """Nobody answered for the whole grace. Only a call that no daemon has seen, while nobody at all is there, is anything but blocked."""
        reason = no_verdict(self._settings.path, absence.last_error)
        is_event = question.subject in ("call", "result")
        is_absent = is_event and not absence.is_restart and not absence.is_anyone_there and not question.ever_asked
        self._conclude(question, Absent(reason) if is_absent else NoVerdict(reason))

    def _block_line(self, reason: str) -> None:
        for question in self._drain_line():
            self._conclude(question, NoVerdict(reason))

    def _drain_line(self) -> List[Question]:
        questions = list(self._line)
        self._line.clear()
        self._line_bytes = 0
        return questions

    def _conclude(self, question: Question, conclusion: Conclusion) -> None:
        """The one place where a question gets its answer. One that has it keeps it."""
        if question.conclusion is not None:
            return
        question.conclusion = conclusion
        del self._open[question.id]
        if not question.is_asked and question in self._line:
            self._line.remove(question)
            self._line_bytes -= len(question.frame)
        self._count_conclusion(question, conclusion)
        question.frame = b""
        if not self._open:
            self._pause_until = FOREVER
            self._absence = None
        if question.wake is not None:
            question.wake()

    def _count_conclusion(self, question: Question, conclusion: Conclusion) -> None:
        tally = self._tally
        if question.subject == "outcome":
            is_recorded = isinstance(conclusion, Decision) and conclusion.verdict is Verdict.ALLOW
            if is_recorded:
                tally.reported += 1
            else:
                tally.unreported += 1
        elif isinstance(conclusion, Decision):
            tally.answered += 1
            if conclusion.details is not None and conclusion.details.replayed:
                tally.replayed += 1
        elif isinstance(conclusion, NoVerdict):
            tally.unanswered += 1


def _fit(question: Question, terms: Terms) -> None:
    """Makes a question's frame fit a daemon: made anew where that agreed to other features than those it was made for, and from the frame, not
    from the caller's objects, which may have changed since. Raises ``WireError``."""
    if question.subject in ("outcome", "resume") and "call_id" not in terms.features:
        raise bad_request("this daemon keeps no transactions")
    if question.features != terms.features:
        if question.subject in ("call", "result") and not _same_text(question.features, terms.features):
            body = admit(question.frame)["event"]
            body["args"] = decode_value(body["args"], "escape" in question.features)
            question.frame = event_frame(question.id, Event(**body), terms.features)
        question.features = terms.features
    if len(question.frame) > terms.max_frame_bytes:
        raise WireError(
            "bad_request", f"as a frame they are longer than the {terms.max_frame_bytes} bytes that the daemon reads"
        )


def _same_text(one: Features, other: Features) -> bool:
    """Do two peers read the same text as the same event?"""
    return all((name in one) == (name in other) for name in ("escape", "call_id"))
