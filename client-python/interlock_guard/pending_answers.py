"""Which answers a connection may still bring: those of questions asked on it, and those of questions that ran out of time."""

from __future__ import annotations

from typing import Dict, List, Optional

from .limits import MAX_OVERDUE_ANSWERS
from .question import Question


class PendingAnswers:
    """An id is good for one answer, and an answer to no id in here breaks the protocol."""

    def __init__(self) -> None:
        self._asked: Dict[str, Question] = {}
        self._overdue: Dict[str, Question] = {}

    @property
    def is_anyone_waiting(self) -> bool:
        return bool(self._asked)

    @property
    def is_owed_nothing(self) -> bool:
        return not self._asked and not self._overdue

    def has_room(self, most: int) -> bool:
        """The daemon still works on overdue questions, so they count."""
        return len(self._asked) + len(self._overdue) < most

    def add(self, question: Question) -> None:
        self._asked[question.id] = question
        question.is_asked = True

    def take(self, question_id: str) -> Optional[Question]:
        """The question that an answer belongs to, concluded where nobody waits for it any more; None for an id that is owed none."""
        # An error without an id is about a frame that the peer could not read: it can only be matched where there is one question.
        if question_id == "" and len(self._asked) == 1:
            question_id = next(iter(self._asked))
        return self._asked.pop(question_id, None) or self._overdue.pop(question_id, None)

    def expire(self, question: Question) -> bool:
        """Nobody waits for it any more. False where that is so of too many: the peer is not answering, and its connection is of no use."""
        self._asked.pop(question.id, None)
        self._overdue[question.id] = question
        return len(self._overdue) <= MAX_OVERDUE_ANSWERS

    def drain(self) -> List[Question]:
        """All questions asked, in the order in which they were asked, which are then no longer pending."""
        questions = list(self._asked.values())
        self._asked.clear()
        self._overdue.clear()
        for question in questions:
            question.is_asked = False
        return questions
