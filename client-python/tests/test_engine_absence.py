import os
import socket
import tempfile
import threading
import time
import unittest
import warnings
from typing import Any, Dict, List, Optional

from interlock_guard import BlockedError, Event, RemoteEngine, Verdict

from .scripted_daemon import ScriptedDaemon, answer_of, details


def ping(**args: Any) -> Event:
    return Event("ping", args)


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


if __name__ == "__main__":
    unittest.main()
