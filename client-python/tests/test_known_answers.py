import json
import unittest
from typing import Any

from interlock_guard import Verdict, WireError
from interlock_guard.answer import parse_answer
from interlock_guard.features import ACTED_ON
from interlock_guard.known_answers import KnownAnswers

from .scripted_daemon import answer_of, details


def line(answer_id: str, **fields: Any) -> bytes:
    return json.dumps(answer_of({"id": answer_id}, **fields)).replace(": ", ":").encode()


class Known(unittest.TestCase):
    def test_each_line_is_read_as_it_would_be_in_full(self) -> None:
        known = KnownAnswers(ACTED_ON)
        for number in range(3):
            for fields in (
                {},
                {"reason": 'says "id":"x-1"'},
                {"verdict": 1, "reason": "no", "details": details("rule_blocked")},
                {"verdict": 2, "modified_args": {"id": f"own-{number}", "n": number}},
                {"verdict": 2, "modified_args": {"a": {"id": "own"}}},
                {"details": details("allowed", transaction_id=f"tx-{number}")},
                {"verdict": 1, "details": details("replayed", replayed=True, transaction_id="t"), "modified_result": {"id": "r"}},
            ):
                text = line(f"op-1-{number}", **fields)
                with self.subTest(text):
                    self.assertEqual(known.read(text), parse_answer(text, ACTED_ON))

    def test_a_line_that_is_refused_is_refused_each_time(self) -> None:
        known = KnownAnswers(ACTED_ON)
        known.read(line("op-1-1"))
        wrong = (
            line("op-1-2")[:-1],
            line("op-1-2") + b" x",
            line("op-1-2").replace(b'"verdict":0', b'"verdict":0,"verdict":0'),
            line("op-1-2").replace(b'"id":"op-1-2"', b'"id":"op-1-2","id":"op-1-2"'),
            line("op-1-2").replace(b'"id":"op-1-2"', b'"id":""'),
            line("op-1-2", verdict=7),
        )
        for text in wrong * 2:
            with self.subTest(text), self.assertRaises(WireError):
                known.read(text)

    def test_another_verdict_under_the_same_id_is_another_answer(self) -> None:
        known = KnownAnswers(ACTED_ON)
        verdicts = [known.read(line("op-1-1", verdict=verdict)).body for verdict in (0, 1, 0, 1)]
        self.assertEqual([getattr(body, "verdict") for body in verdicts], [Verdict.ALLOW, Verdict.BLOCK] * 2)


if __name__ == "__main__":
    unittest.main()
