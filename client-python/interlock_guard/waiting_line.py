"""The questions that no connection has, first come first asked."""

from __future__ import annotations

from collections import deque
from typing import Deque, List, Optional, Sequence

from .limits import MAX_WAITING_BYTES, MAX_WAITING_QUESTIONS
from .question import Question


class WaitingLine:
    def __init__(self) -> None:
        self._questions: Deque[Question] = deque()
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._questions)

    @property
    def is_full(self) -> bool:
        return len(self._questions) >= MAX_WAITING_QUESTIONS or self._bytes >= MAX_WAITING_BYTES

    def push(self, question: Question) -> None:
        self._questions.append(question)
        self._bytes += len(question.frame)

    def put_back(self, questions: Sequence[Question]) -> None:
        """Questions that were asked before, in front of those that were not."""
        self._questions.extendleft(reversed(questions))
        self._bytes += sum(len(question.frame) for question in questions)

    def shift(self) -> Optional[Question]:
        if not self._questions:
            return None
        question = self._questions.popleft()
        self._bytes -= len(question.frame)
        return question

    def remove(self, question: Question) -> None:
        """Where it stands in the line. Deadlines pass in the line's order, so that it is found in front."""
        if question in self._questions:
            self._questions.remove(question)
            self._bytes -= len(question.frame)

    def drain(self) -> List[Question]:
        questions = list(self._questions)
        self._questions.clear()
        self._bytes = 0
        return questions
