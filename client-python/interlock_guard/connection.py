"""One connection: says hello, sends questions, and matches answers to them."""

from __future__ import annotations

import time
from typing import List, NamedTuple, Optional, Union

from .answer import Answer, HelloAnswer
from .decision import Decision, Verdict
from .frame_reader import FrameReader
from .greeting import Greeting, Terms, hello_line, read_terms
from .known_answers import KnownAnswers
from .limits import MAX_IN_FLIGHT_REQUESTS, MAX_UNSENT_BYTES
from .link import Link
from .pending_answers import PendingAnswers
from .question import Question
from .wire_error import WireError, bad_request

FOREVER = float("inf")


class Answered(NamedTuple):
    question: Question
    """It may have been concluded before: then its answer comes too late."""
    body: Union[Decision, WireError]


class Connection:
    """Raises ``OSError`` where the socket cannot be connected."""

    def __init__(self, path: str, greeting: Greeting, token: Optional[str], timeout_s: Optional[float]) -> None:
        hello = hello_line(greeting, token)
        self._greeting = greeting
        self._reader = FrameReader()
        self._answers = PendingAnswers()
        self._known: Optional[KnownAnswers] = None
        self.terms: Optional[Terms] = None
        """What was agreed in the hello; None until it is answered."""
        self.greeting_deadline = FOREVER if timeout_s is None else time.monotonic() + timeout_s
        self.link = Link(path)
        self.link.send(hello)

    @property
    def has_unasked_input(self) -> bool:
        """Has something come, or gone wrong, while nobody waits for an answer?"""
        return not self._answers.is_anyone_waiting and self.link.has_input()

    @property
    def has_room(self) -> bool:
        """May one more question be asked now? Never before the hello is answered."""
        if self.terms is None or self.link.unsent_bytes >= MAX_UNSENT_BYTES:
            return False
        return self._answers.has_room(1 if self.terms.is_v1 else MAX_IN_FLIGHT_REQUESTS)

    def ask(self, question: Question) -> None:
        self._answers.add(question)
        question.ever_asked = True
        self.link.send(question.frame)

    def expire(self, question: Question) -> bool:
        """Its answer may still come, and nobody waits for it. False where the connection is of no use any more."""
        # A peer of version 1 answers in order, so that nothing else can be asked before its answer.
        return self._answers.expire(question) and self.terms is not None and not self.terms.is_v1

    def read(self, chunk: bytes) -> List[Answered]:
        """The answers in one piece of what came are judged together: if a byte among them is out of place, ``WireError`` is raised, and
        none of them is taken."""
        terms = self.terms
        batch: List[Answered] = []
        try:
            for line in self._reader.push(chunk):
                if terms is None:
                    terms = read_terms(line, self._greeting)
                else:
                    batch.append(self._take(self._known_by(terms).read(line), terms))
            if self._answers.is_owed_nothing and terms is not None and not chunk.endswith(b"\n"):
                raise bad_request("bytes that answer no question")
        except Exception as error:
            for question, _ in batch:
                if question.conclusion is None:
                    self._answers.add(question)
            if isinstance(error, WireError):
                raise
            raise WireError("internal", f"the client failed to read an answer: {type(error).__name__}") from None
        if self.terms is None and terms is not None:
            # Only now: bytes that came with the hello's answer cannot answer a question that had not been asked.
            self.terms = terms
            self.greeting_deadline = FOREVER
        return batch

    def close(self) -> List[Question]:
        """Answers the questions that were asked on it and have no answer, in their order."""
        self.link.close()
        return self._answers.drain()

    def _known_by(self, terms: Terms) -> KnownAnswers:
        if self._known is None:
            self._known = KnownAnswers(terms.features)
        return self._known

    def _take(self, answer: Answer, terms: Terms) -> Answered:
        body = answer.body
        if isinstance(body, HelloAnswer):
            raise bad_request("a decision was expected, not hello")
        if isinstance(body, Decision) and body.verdict is Verdict.ESCALATE and "escalate" not in terms.features:
            raise bad_request("verdict must be one of 0, 1, 2")
        question = self._answers.take(answer.id)
        if question is not None:
            return Answered(question, body)
        if isinstance(body, WireError):
            raise body
        raise bad_request("an answer to no question that is pending")
