"""Answers that differ in nothing but their id are read once: most of a daemon's are one plain ALLOW, and reading strictly is dear."""

from __future__ import annotations

import re
from typing import Dict, Tuple

from .answer import Answer, parse_answer
from .decision import Decision
from .features import Features

_MOST = 64
# In JSON a quote inside a string is escaped, so these bytes are the key "id" and a text without escapes, wherever they stand.
_ID = re.compile(rb'"id":"([A-Za-z0-9_-]{1,256})"')


class KnownAnswers:
    """Of one connection, as an answer is read by what was agreed there.

    A line is known where its bytes before and after its only id are those of a line that was read in full, whose own id stood there. One with
    a rewrite never is: its parts might hold an ``id`` of their own, and are not shared between calls.
    """

    def __init__(self, features: Features) -> None:
        self._features = features
        self._known: Dict[Tuple[bytes, bytes], Decision] = {}

    def read(self, line: bytes) -> Answer:
        """Raises ``WireError``, as ``parse_answer`` does."""
        found = _ID.search(line)
        if found is None:
            return parse_answer(line, self._features)
        around = (line[: found.start()], line[found.end() :])
        decision = self._known.get(around)
        if decision is not None:
            return Answer(found.group(1).decode("ascii"), decision)
        answer = parse_answer(line, self._features)
        body = answer.body
        if isinstance(body, Decision) and body.modified_args is None and body.modified_result is None:
            if answer.id.encode("utf-8") == found.group(1) and len(self._known) < _MOST and len(line) < 4096:
                self._known[around] = body
        return answer
