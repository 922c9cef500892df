import os
import signal
import threading
import time
import unittest
from typing import Any, Dict, List, Optional

from interlock_guard import BlockedError, Event, RemoteEngine, Verdict

from .scripted_daemon import ScriptedDaemon, details


def ping(**args: Any) -> Event:
    return Event("ping", args)


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


if __name__ == "__main__":
    unittest.main()
