import os
import signal
import socket
import tempfile
import threading
import time
import unittest
import warnings
from typing import Any, Dict, List, Optional

from interlock_guard import BlockedError, Event, RemoteEngine, Verdict, enforce_tool_call

from .scripted_daemon import ScriptedDaemon, answer_of, details


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


class Absence(unittest.TestCase):
    def setUp(self) -> None:
        self.directory = tempfile.TemporaryDirectory(prefix="il-", dir="/tmp")
        self.path = os.path.join(self.directory.name, "g.sock")
        self.addCleanup(self.directory.cleanup)

    def test_no_daemon_blocks_after_the_grace(self) -> None:
        engine = RemoteEngine(self.path, grace=0.1)
        started = time.monotonic()
        with self.assertRaisesRegex(BlockedError, "guard daemon unreachable at .*: FileNotFoundError"):
            engine.evaluate(ping())
        self.assertGreaterEqual(time.monotonic() - started, 0.1)
        self.assertEqual((engine.stats.unanswered, engine.stats.protocol), (1, "none"))

    def test_allow_lets_a_call_through_once_nobody_listened_for_the_grace_and_tells(self) -> None:
        told: List[str] = []
        engine = RemoteEngine(self.path, grace=0.05, unreachable="allow", on_fallback=told.append)
        self.assertIs(engine.evaluate(ping()).verdict, Verdict.ALLOW)
        self.assertEqual(engine.fallbacks, 1)
        self.assertRegex(told[0], "^allowed 'ping' without a verdict: guard daemon unreachable")
        with self.assertRaises(BlockedError):
            engine.resume("ap_1", "call-1")

    def test_allow_warns_by_default_and_blocks_where_nobody_can_be_told(self) -> None:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            RemoteEngine(self.path, grace=0, unreachable="allow").evaluate(ping())
        self.assertEqual([one.category for one in caught], [RuntimeWarning])

        def fail(_: str) -> None:
            raise OSError("no")

        engine = RemoteEngine(self.path, grace=0, unreachable="allow", on_fallback=fail)
        with self.assertRaisesRegex(BlockedError, "and on_fallback raised"):
            engine.evaluate(ping())
        self.assertEqual((engine.fallbacks, engine.stats.unanswered), (0, 1))

    def test_the_mark_of_a_restart_keeps_allow_from_applying(self) -> None:
        with open(f"{self.path}.restarting", "w", encoding="ascii"):
            engine = RemoteEngine(self.path, grace=0.05, timeout=0.4, unreachable="allow", on_fallback=lambda _: None)
            with self.assertRaises(BlockedError):
                engine.evaluate(ping())
        self.assertEqual(engine.fallbacks, 0)

    def test_the_mark_of_a_stop_keeps_allow_from_applying_until_it_is_gone(self) -> None:
        engine = RemoteEngine(self.path, grace=0, unreachable="allow", on_fallback=lambda _: None)
        with open(f"{self.path}.stopped", "w", encoding="ascii"):
            with self.assertRaisesRegex(BlockedError, "everything was stopped before"):
                engine.evaluate(ping())
        os.unlink(f"{self.path}.stopped")
        engine.evaluate(ping())
        self.assertEqual(engine.fallbacks, 1)

    def test_the_marks_stand_beside_the_socket_also_for_who_was_given_a_link_to_it(self) -> None:
        for unmade in (f"{self.path}.one", f"{self.path}.two"):
            self.addCleanup(os.unlink, unmade)
        os.symlink(self.path, f"{self.path}.one")
        os.symlink(os.path.basename(f"{self.path}.one"), f"{self.path}.two")
        engine = RemoteEngine(
            f"{self.path}.two", grace=0.05, timeout=0.4, unreachable="allow", on_fallback=lambda _: None
        )
        for mark in ("restarting", "stopped"):
            with open(f"{self.path}.{mark}", "w", encoding="ascii"):
                with self.assertRaises(BlockedError):
                    engine.evaluate(ping())
            os.unlink(f"{self.path}.{mark}")
            # Whatever lies there is one.
            os.symlink("/nowhere", f"{self.path}.{mark}")
            with self.assertRaises(BlockedError):
                engine.evaluate(ping())
            os.unlink(f"{self.path}.{mark}")
        self.assertEqual(engine.fallbacks, 0)
        engine.evaluate(ping())
        self.assertEqual(engine.fallbacks, 1)

    def test_a_relative_path_is_refused_where_an_absent_daemon_does_not_block(self) -> None:
        RemoteEngine("guard.sock")
        with self.assertRaisesRegex(ValueError, 'with unreachable="allow" the socket\'s path is absolute'):
            RemoteEngine("guard.sock", unreachable="allow")

    def test_a_daemon_that_takes_the_connection_and_says_nothing_is_not_absent(self) -> None:
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.addCleanup(listener.close)
        listener.bind(self.path)
        listener.listen(8)
        engine = RemoteEngine(self.path, timeout=0.3, grace=0.05, unreachable="allow")
        with self.assertRaisesRegex(BlockedError, "SocketTimeout: no reply within 0.3s"):
            engine.evaluate(ping())
        self.assertEqual(engine.fallbacks, 0)
        engine.close()

    def test_a_daemon_that_starts_within_the_grace_is_asked(self) -> None:
        with ScriptedDaemon() as daemon:
            daemon.stop()
            threading.Timer(0.2, daemon.start).start()
            with RemoteEngine(daemon.path, grace=5) as engine:
                engine.evaluate(ping())
                self.assertGreater(engine.stats.connections, 1)


class Restarts(unittest.TestCase):
    def test_a_question_that_lost_its_connection_is_asked_once_more_under_the_same_nonce_and_id(self) -> None:
        def judge(request: Dict[str, Any]) -> Optional[Dict[str, Any]]:
            if len(daemon.requests) == 1:
                daemon.drop_connections()
                return None
            return {}

        with ScriptedDaemon(judge) as daemon, RemoteEngine(daemon.path) as engine:
            engine.evaluate(ping(n=1))
            self.assertEqual(daemon.requests[0], daemon.requests[1])
            self.assertEqual(daemon.hellos[0]["nonce"], daemon.hellos[1]["nonce"])
            self.assertEqual(engine.stats.resent, 1)

    def test_one_that_loses_two_connections_is_blocked(self) -> None:
        def judge(_: Dict[str, Any]) -> None:
            daemon.drop_connections()

        with ScriptedDaemon(judge) as daemon, RemoteEngine(daemon.path) as engine:
            with self.assertRaises(BlockedError):
                engine.evaluate(ping())
            self.assertEqual(len(daemon.requests), 2)

    def test_without_resend_it_is_not_asked_again(self) -> None:
        def judge(_: Dict[str, Any]) -> None:
            daemon.drop_connections()

        with ScriptedDaemon(judge, features=["details"]) as daemon, RemoteEngine(daemon.path) as engine:
            with self.assertRaises(BlockedError):
                engine.evaluate(ping())
            self.assertEqual(len(daemon.requests), 1)

    def test_a_restart_between_two_calls_costs_nothing(self) -> None:
        with ScriptedDaemon() as daemon, RemoteEngine(daemon.path) as engine:
            engine.evaluate(ping())
            daemon.stop()
            daemon.start()
            engine.evaluate(ping())
            self.assertEqual((engine.stats.connections, engine.stats.resent), (2, 0))

    def test_what_was_sent_unasked_is_no_answer_to_the_next_question(self) -> None:
        import json

        with ScriptedDaemon(lambda request: {"verdict": 1, "reason": "asked"}) as daemon:
            with RemoteEngine(daemon.path) as engine:
                engine.evaluate(ping())
                ahead = answer_of({"id": f"op-{os.getpid()}-2"}, reason="unasked")
                daemon.connections[0].sendall(json.dumps(ahead).encode() + b"\n")
                time.sleep(0.1)
                self.assertEqual(engine.evaluate(ping()).reason, "asked")


class Timeouts(unittest.TestCase):
    def test_a_question_runs_out_of_time_and_its_late_answer_is_reported_as_not_run(self) -> None:
        let_go = threading.Event()

        def judge(request: Dict[str, Any]) -> Optional[Dict[str, Any]]:
            if "event" in request and request["event"]["action"] == "slow":
                let_go.wait(10)
                return {"details": details("allowed", transaction_id="tx_1")}
            return {}

        with ScriptedDaemon(judge) as daemon, RemoteEngine(daemon.path, timeout=0.3) as engine:
            with self.assertRaisesRegex(BlockedError, "no reply within 0.3s"):
                engine.evaluate(Event("slow", {}, call_id="call-7"))
            let_go.set()
            time.sleep(0.1)
            engine.evaluate(ping())
            deadline = time.monotonic() + 5
            while engine.stats.reported == 0 and time.monotonic() < deadline:
                engine.evaluate(ping())
            reported = [request["outcome"] for request in daemon.requests if "outcome" in request]
            self.assertEqual(reported, [{"call_id": "call-7", "status": "abandoned"}])
            self.assertEqual(engine.stats.timeouts, 1)

    def test_each_thread_has_a_deadline_of_its_own(self) -> None:
        with ScriptedDaemon(lambda _: None) as daemon, RemoteEngine(daemon.path, timeout=0.5) as engine:
            took: List[float] = []

            def ask() -> None:
                started = time.monotonic()
                with self.assertRaises(BlockedError):
                    engine.evaluate(ping())
                took.append(time.monotonic() - started)

            threads = []
            for _ in range(4):
                threads.append(threading.Thread(target=ask))
                threads[-1].start()
                time.sleep(0.1)
            for thread in threads:
                thread.join(10)
            self.assertEqual(len(took), 4)
            for seconds in took:
                self.assertGreaterEqual(seconds, 0.5)
                self.assertLess(seconds, 2.5)

    def test_a_thread_that_is_interrupted_leaves_the_others_to_read(self) -> None:
        class Interrupted(Exception):
            pass

        def interrupt(*_: object) -> None:
            raise Interrupted

        answered: List[Verdict] = []

        def judge(request: Dict[str, Any]) -> Optional[Dict[str, Any]]:
            if request["event"]["action"] == "never":
                return None
            time.sleep(0.5)
            return {}

        before = signal.signal(signal.SIGALRM, interrupt)
        try:
            with ScriptedDaemon(judge) as daemon, RemoteEngine(daemon.path, timeout=5) as engine:
                other = threading.Timer(0.1, lambda: answered.append(engine.evaluate(ping()).verdict))
                other.start()
                signal.setitimer(signal.ITIMER_REAL, 0.3)
                with self.assertRaises(Interrupted):
                    engine.evaluate(Event("never", {}))
                other.join(5)
                self.assertEqual(answered, [Verdict.ALLOW])
        finally:
            signal.signal(signal.SIGALRM, before)

    def test_a_call_of_a_signal_s_handler_in_the_thread_that_reads_is_blocked_and_not_hung(self) -> None:
        outcomes: List[str] = []

        def ask(*_: object) -> None:
            try:
                engine.evaluate(ping())
            except BlockedError as error:
                outcomes.append(str(error))

        before = signal.signal(signal.SIGALRM, ask)
        try:
            with ScriptedDaemon(lambda _: None) as daemon:
                engine = RemoteEngine(daemon.path, timeout=0.5)
                signal.setitimer(signal.ITIMER_REAL, 0.1)
                with self.assertRaises(BlockedError):
                    engine.evaluate(ping())
                self.assertEqual(len(outcomes), 1)
                self.assertIn("no thread reads the answers", outcomes[0])
                engine.close()
        finally:
            signal.signal(signal.SIGALRM, before)


class Forks(unittest.TestCase):
    def test_a_forked_child_asks_over_a_connection_of_its_own(self) -> None:
        with ScriptedDaemon() as daemon, RemoteEngine(daemon.path) as engine:
            engine.evaluate(ping(who="parent"))
            child = os.fork()
            if child == 0:
                code = 1
                try:
                    engine.evaluate(ping(who="child"))
                    code = 0 if engine.stats.connections == 1 else 2
                finally:
                    os._exit(code)
            _, status = os.waitpid(child, 0)
            self.assertEqual(status, 0)
            engine.evaluate(ping(who="parent"))
            self.assertEqual(engine.stats.connections, 1)
            nonces = {hello["nonce"] for hello in daemon.hellos}
            self.assertEqual((len(daemon.hellos), len(nonces)), (2, 2))
            self.assertEqual(len({request["id"] for request in daemon.requests}), 3)

    def test_a_child_that_is_forked_while_another_thread_waits_asks_too(self) -> None:
        let_go = threading.Event()

        def judge(request: Dict[str, Any]) -> Dict[str, Any]:
            if request["event"]["args"].get("slow"):
                let_go.wait(10)
            return {}

        with ScriptedDaemon(judge) as daemon, RemoteEngine(daemon.path) as engine:
            waiting = threading.Thread(target=engine.evaluate, args=(ping(slow=True),))
            waiting.start()
            time.sleep(0.2)
            child = os.fork()
            if child == 0:
                code = 1
                try:
                    engine.evaluate(ping())
                    code = 0
                finally:
                    os._exit(code)
            _, status = os.waitpid(child, 0)
            let_go.set()
            waiting.join(10)
            self.assertEqual(status, 0)


class Settings(unittest.TestCase):
    def test_a_setting_that_is_none_is_refused_when_the_engine_is_made(self) -> None:
        wrong: List[Dict[str, Any]] = [
            {"timeout": 0},
            {"timeout": True},
            {"timeout": float("nan")},
            {"timeout": "5"},
            {"grace": -1},
            {"unreachable": "alow"},
            {"on_fallback": 1},
            {"token": 7},
            {"token": "a", "token_file": "b"},
            {"scope": "sha256:1"},
            {"scope_file": "a"},
            {"scope": "sha256:" + "0" * 64, "scope_file": "a", "scope_key_file": "b"},
            {"timout": 5},
        ]
        for options in wrong:
            with self.subTest(options), self.assertRaises((TypeError, ValueError)):
                RemoteEngine("/tmp/g.sock", **options)
        for path in ("", None, 7, "a\0b", "\0abstract", "x" * 200):
            with self.subTest(path), self.assertRaises((TypeError, ValueError)):
                RemoteEngine(path)  # type: ignore[arg-type]

    def test_the_token_goes_into_the_hello_and_is_read_anew_at_each_connection(self) -> None:
        with tempfile.NamedTemporaryFile("w") as file, ScriptedDaemon() as daemon:
            file.write("first\n")
            file.flush()
            with RemoteEngine(daemon.path, token_file=file.name) as engine:
                engine.evaluate(ping())
                file.seek(0)
                file.write("second")
                file.truncate()
                file.flush()
                daemon.drop_connections()
                engine.evaluate(ping())
            self.assertEqual([hello["token"] for hello in daemon.hellos], ["first", "second"])
            with RemoteEngine(daemon.path, token=lambda: "made") as engine:
                engine.evaluate(ping())
            self.assertEqual(daemon.hellos[-1]["token"], "made")

    def test_a_token_that_has_run_out_is_replaced_and_the_question_asked_once_more(self) -> None:
        def judge(_: Dict[str, Any]) -> Dict[str, Any]:
            if daemon.hellos[-1]["token"] == "over":
                return {"verdict": 1, "reason": "expired", "details": details("token_expired")}
            return {}

        with ScriptedDaemon(judge) as daemon:
            tokens = iter(["over", "fresh"])
            with RemoteEngine(daemon.path, token=lambda: next(tokens)) as engine:
                self.assertIs(engine.evaluate(ping()).verdict, Verdict.ALLOW)
            with RemoteEngine(daemon.path, token=lambda: "over") as engine:
                self.assertEqual(engine.evaluate(ping()).reason, "expired")
            with RemoteEngine(daemon.path, token="over") as engine:
                self.assertEqual(engine.evaluate(ping()).reason, "expired")
            self.assertEqual([hello["token"] for hello in daemon.hellos], ["over", "fresh", "over", "over", "over"])

    def test_without_its_token_nothing_is_asked_and_the_token_is_in_no_message(self) -> None:
        def fail() -> str:
            raise ValueError("secret-token")

        for token in (fail, lambda: "", lambda: "secret-token" * 1000, lambda: None):
            with ScriptedDaemon() as daemon, RemoteEngine(daemon.path, token=token) as engine:
                with self.assertRaises(BlockedError) as caught:
                    engine.evaluate(ping())
                self.assertRegex(str(caught.exception), "not put to the guard: token (raised ValueError|told no text)")
                self.assertNotIn("secret", str(caught.exception))
                self.assertEqual(daemon.hellos, [])

    def test_a_daemon_that_refuses_the_hello_is_no_daemon_of_version_1_to_who_has_a_token_or_pins_a_scope(self) -> None:
        wanted: List[Dict[str, Any]] = [{"token": "a"}, {"scope": "sha256:" + "0" * 64}]
        for options in wanted:
            with ScriptedDaemon() as daemon, RemoteEngine(daemon.path, **options) as engine:
                daemon.hello_error = {"code": "bad_request", "message": "unknown"}
                with self.assertRaises(BlockedError):
                    engine.evaluate(ping())
                self.assertEqual(daemon.requests, [])

    def test_a_daemon_that_compares_no_scope_document_blocks(self) -> None:
        with ScriptedDaemon() as daemon, RemoteEngine(daemon.path, scope="sha256:" + "0" * 64) as engine:
            with self.assertRaisesRegex(BlockedError, "scope_mismatch"):
                engine.evaluate(ping())
            self.assertEqual(daemon.hellos[0]["scope"], "sha256:" + "0" * 64)
            daemon.features = daemon.features + ["scope"]
            engine.evaluate(ping())

    def test_the_default_principal_is_sent_where_an_event_names_none(self) -> None:
        with ScriptedDaemon() as daemon, RemoteEngine(daemon.path, principal="acme/agent") as engine:
            engine.evaluate(ping())
            enforce_tool_call("ping", {}, engine, principal="acme/other")
            self.assertEqual([one["event"]["principal"] for one in daemon.requests], ["acme/agent", "acme/other"])


if __name__ == "__main__":
    unittest.main()
