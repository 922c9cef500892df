import threading
import unittest
from typing import Any, Dict, List, Optional

from interlock_guard import BlockedError, Event, RemoteEngine, Verdict

from .scripted_daemon import ScriptedDaemon, answer_of


def ping(**args: Any) -> Event:
    return Event("ping", args)


class Asking(unittest.TestCase):
    def test_one_connection_is_opened_when_it_is_first_needed_and_used_again(self) -> None:
        with ScriptedDaemon() as daemon, RemoteEngine(daemon.path) as engine:
            self.assertEqual(engine.stats.connections, 0)
            for number in range(3):
                self.assertIs(engine.evaluate(ping(n=number)).verdict, Verdict.ALLOW)
            self.assertEqual((engine.stats.connections, engine.stats.answered, engine.stats.protocol), (1, 3, "hello"))
            self.assertEqual(engine.stats.daemon, "scripted/1")
            self.assertEqual([request["event"]["args"] for request in daemon.requests], [{"n": 0}, {"n": 1}, {"n": 2}])
            self.assertEqual(len(daemon.hellos), 1)
            self.assertRegex(daemon.hellos[0]["client"], r"^interlock-guard/1\.0\.0 python/3\.")

    def test_many_threads_ask_over_one_connection_and_answers_come_in_any_order(self) -> None:
        held: List[Dict[str, Any]] = []

        def judge(request: Dict[str, Any]) -> Optional[Dict[str, Any]]:
            held.append(request)
            if len(held) < 20:
                return None
            lines = [answer_of(one, reason=str(one["event"]["args"]["n"])) for one in reversed(held[:-1])]
            import json

            daemon.connections[0].sendall(b"".join(json.dumps(line).encode() + b"\n" for line in lines))
            return {"reason": str(request["event"]["args"]["n"])}

        reasons: Dict[int, str] = {}
        with ScriptedDaemon(judge) as daemon, RemoteEngine(daemon.path) as engine:

            def ask(number: int) -> None:
                reasons[number] = engine.evaluate(ping(n=number)).reason

            threads = [threading.Thread(target=ask, args=(number,)) for number in range(20)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join(10)
            self.assertEqual(reasons, {number: str(number) for number in range(20)})
            self.assertEqual((engine.stats.connections, engine.stats.pending), (1, 0))

    def test_a_thousand_calls_of_eight_threads_each_get_their_own_answer(self) -> None:
        wrong: List[int] = []
        with ScriptedDaemon(lambda request: {"reason": str(request["event"]["args"]["n"])}) as daemon:
            with RemoteEngine(daemon.path) as engine:

                def ask(first: int) -> None:
                    for number in range(first, 1000, 8):
                        if engine.evaluate(ping(n=number)).reason != str(number):
                            wrong.append(number)

                threads = [threading.Thread(target=ask, args=(first,)) for first in range(8)]
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join(60)
                self.assertEqual((wrong, engine.stats.answered, engine.stats.connections), ([], 1000, 1))

    def test_large_frames_of_many_threads_do_not_mix(self) -> None:
        with ScriptedDaemon(lambda request: {"reason": str(len(request["event"]["args"]["data"]))}) as daemon:
            with RemoteEngine(daemon.path, timeout=30) as engine:
                answers: Dict[int, str] = {}

                def ask(size: int) -> None:
                    answers[size] = engine.evaluate(ping(data="x" * size)).reason

                sizes = [700_000 + number for number in range(6)]
                threads = [threading.Thread(target=ask, args=(size,)) for size in sizes]
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join(30)
                self.assertEqual(answers, {size: str(size) for size in sizes})

    def test_what_is_refused_here_says_so_and_nothing_is_sent(self) -> None:
        with ScriptedDaemon() as daemon, RemoteEngine(daemon.path) as engine:
            for event, words in (
                (Event("pay", {"when": object()}), "the arguments of 'pay' cannot be put to the guard: an instance of object at when has no JSON form"),
                (Event("pay", {"data": "x" * (8 << 20)}), "longer than a frame may be"),
                (Event("", {}), "the action is empty"),
                (Event("ping", {}, call_id=""), "the call id is empty"),
                (Event("x" * 2000, {}), "the action is longer than 1024 bytes"),
                (Event("pay", {}, principal=7), "the principal is not a string"),  # type: ignore[arg-type]
                (Event("pay", [1]), "arguments that are not a dict"),  # type: ignore[arg-type]
                (Event("pay", {}, phase="Call"), "the phase is not call or result"),
            ):
                with self.subTest(words), self.assertRaises(BlockedError) as caught:
                    engine.evaluate(event)
                self.assertIn(words, str(caught.exception))
                self.assertNotIn("daemon refused", str(caught.exception))
            self.assertEqual((daemon.requests, engine.stats.local), ([], 8))

    def test_an_error_frame_blocks_and_the_connection_goes_on(self) -> None:
        import json

        def judge(request: Dict[str, Any]) -> Optional[Dict[str, Any]]:
            if request["event"]["action"] != "bad":
                return {}
            error = {"error": {"code": "bad_request", "message": "no"}, "id": request["id"], "v": 1}
            daemon.connections[0].sendall(json.dumps(error).encode() + b"\n")
            return None

        with ScriptedDaemon(judge) as daemon, RemoteEngine(daemon.path) as engine:
            with self.assertRaisesRegex(BlockedError, r"guard daemon refused the request \(bad_request\) at .*: no"):
                engine.evaluate(Event("bad", {}))
            engine.evaluate(ping())
            self.assertEqual(engine.stats.connections, 1)


if __name__ == "__main__":
    unittest.main()
