import hashlib
import json
import os
import shutil
import stat
import tempfile
import threading
import time
import unittest
from typing import Any, Dict, List, Optional

from interlock_guard import AsyncRemoteEngine, BlockedError, Event, RemoteEngine, Verdict, enforce_tool_call
from interlock_guard.admission import admit
from interlock_guard.fallback_decide import OfflineEvent, decide_offline
from interlock_guard.fallback_document import FallbackRefused, SeenPolicy, accept_document, check_may_decide
from interlock_guard.fallback_policy import parse_fallback_policy
from interlock_guard.signed_file import SignedFileRefused, public_keys_of
from interlock_guard.timestamp import parse_timestamp
from interlock_guard.wire_error import WireError

from .scripted_daemon import FEATURES, ScriptedDaemon

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
with open(os.path.join(ROOT, "conformance", "fallback.json"), encoding="ascii") as corpus_file:
    CORPUS = json.load(corpus_file)


class Corpus(unittest.TestCase):
    def test_each_document_is_accepted_or_refused_by_its_code(self) -> None:
        self.assertGreater(len(CORPUS["documents"]), 30)
        for entry in CORPUS["documents"]:
            with self.subTest(entry["name"]):
                self.assertEqual(self.document(entry), entry["expect"])

    def document(self, entry: Dict[str, Any]) -> str:
        now_ms = parse_timestamp(entry["now"])
        assert now_ms is not None
        seen = None if entry["seen"] is None else SeenPolicy(**entry["seen"])
        try:
            keys = public_keys_of(CORPUS["keys"][entry["key"]].encode(), "keys.pub")
            accepted = accept_document(entry["document"].encode("utf-8", "surrogatepass"), keys, "fallback.signed")
            check_may_decide(accepted, seen, now_ms)
        except FallbackRefused as error:
            return error.code
        except SignedFileRefused as error:
            return error.code
        return "accepted"

    def test_each_payload_is_a_policy_or_none(self) -> None:
        self.assertGreater(len(CORPUS["payloads"]), 70)
        for entry in CORPUS["payloads"]:
            with self.subTest(entry["name"]):
                try:
                    parse_fallback_policy(entry["payload"])
                    outcome = "accepted"
                except WireError as error:
                    self.assertRegex(error.message, r"\Afallback policy refused: [^\n]+\Z")
                    outcome = "refused"
                self.assertEqual(outcome, entry["expect"])

    def test_each_event_is_decided_as_by_every_other_client(self) -> None:
        policies = {name: parse_fallback_policy(payload) for name, payload in CORPUS["policies"].items()}
        self.assertGreater(len(CORPUS["decisions"]), 80)
        for entry in CORPUS["decisions"]:
            event = entry["event"]
            with self.subTest(entry["name"]):
                args = admit(event["args"].encode())
                decided = decide_offline(
                    policies[entry["policy"]], OfflineEvent(event["action"], event["phase"], event["principal"], args)
                )
                self.assertEqual(decided._asdict(), entry["expect"])


GOOD = next(entry for entry in CORPUS["documents"] if entry["name"] == "good")


class Degraded(unittest.TestCase):
    """With the corpus's signed policy, whose days are those of ``now`` here."""

    def setUp(self) -> None:
        self.directory = tempfile.mkdtemp(prefix="il-", dir="/tmp")
        self.addCleanup(shutil.rmtree, self.directory, True)
        self.file = self.write("fallback.signed", GOOD["document"])
        self.keys = self.write("fallback.pub", CORPUS["keys"]["ours"])
        self.path = os.path.join(self.directory, "g.sock")
        self.told: List[str] = []
        real = time.time
        at = parse_timestamp(GOOD["now"])
        assert at is not None
        started = real()
        time.time = lambda: at / 1000 + real() - started
        self.addCleanup(setattr, time, "time", real)

    def write(self, name: str, text: str) -> str:
        path = os.path.join(self.directory, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def options(self, **options: Any) -> Dict[str, Any]:
        return {
            "unreachable": "degraded",
            "fallback_file": self.file,
            "fallback_key_file": self.keys,
            "fallback_spool": os.path.join(self.directory, "spool"),
            "on_fallback": self.told.append,
            "grace": 0,
            **options,
        }

    def engine(self, **options: Any) -> RemoteEngine:
        return RemoteEngine(options.pop("path", self.path), **self.options(**options))

    def spooled(self) -> List[Dict[str, Any]]:
        entries = []
        for folder, _, names in os.walk(os.path.join(self.directory, "spool")):
            for name in sorted(names):
                if name.startswith("decided-"):
                    path = os.path.join(folder, name)
                    self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o600)
                    with open(path, encoding="utf-8") as file:
                        entries.append(json.load(file))
        return entries

    def refused(self, engine: RemoteEngine, args: Optional[Dict[str, Any]] = None) -> str:
        with self.assertRaises(BlockedError) as caught:
            engine.evaluate(Event("read_file", args or {"path": "/srv/a"}))
        details = caught.exception.decision.details
        assert details is not None
        return details.code

    def test_the_policy_decides_and_what_it_decided_is_kept_and_told(self) -> None:
        engine = self.engine(principal="acme/agent")
        decision = engine.evaluate(Event("read_file", {"path": "/srv/a.txt"}, call_id="c1"))
        self.assertEqual((decision.verdict, decision.policy_id), (Verdict.ALLOW, "fallback:reads"))
        self.assertRegex(decision.reason, r"^allowed by the fallback policy prod@7 \(rule reads\): guard daemon unreachable")
        with self.assertRaisesRegex(BlockedError, r"no rule allows it"):
            enforce_tool_call("delete", {}, engine)
        self.assertEqual((engine.fallbacks, engine.stats.unanswered, len(self.told)), (2, 0, 2))
        first = next(entry for entry in self.spooled() if entry["action"] == "read_file")
        text = f'interlock args v1\n{first["salt"]}\n{{"path":"/srv/a.txt"}}'
        self.assertEqual(first["args_commitment"], "sha256:" + hashlib.sha256(text.encode()).hexdigest())
        self.assertEqual((first["principal"], first["call_id"], first["verdict"], first["policy"]), ("acme/agent", "c1", "ALLOW", "prod@7"))
        self.assertNotIn("a.txt", json.dumps(first))

    def test_what_cannot_decide_blocks_by_its_code_also_in_monitor_mode(self) -> None:
        expected = [
            ({"fallback_file": os.path.join(self.directory, "none")}, "fallback_missing"),
            ({"fallback_file": self.directory}, "fallback_unreadable"),
            ({"fallback_key_file": os.path.join(self.directory, "none")}, "fallback_key_unusable"),
            ({"fallback_file": self.write("junk", "{}")}, "fallback_malformed"),
            ({"fallback_key_file": self.write("theirs", CORPUS["keys"]["theirs"])}, "fallback_wrong_key"),
            ({"fallback_file": self.write("altered", GOOD["document"].replace("/opt/app/", "/opt/apq/"))}, "fallback_bad_signature"),
            ({"fallback_spool": self.write("file", "")}, "fallback_spool_unusable"),
        ]
        for options, code in expected:
            with self.subTest(code):
                engine = self.engine(**options)
                self.assertEqual(self.refused(engine), code)
                with self.assertRaises(BlockedError):
                    enforce_tool_call("read_file", {"path": "/srv/a"}, engine, enforcement="monitor")
                self.assertEqual(engine.fallbacks, 0)
        at = time.time
        time.time = lambda: at() + 365 * 86400
        self.assertEqual(self.refused(self.engine()), "fallback_expired")
        self.assertEqual(self.spooled(), [])

    def test_an_older_version_than_was_used_here_is_refused(self) -> None:
        self.engine().evaluate(Event("read_file", {"path": "/srv/a"}))
        (folder,) = os.listdir(os.path.join(self.directory, "spool"))
        seen = os.path.join(self.directory, "spool", folder, "seen-0000000000000007.json")
        newer = seen.replace("07.json", "08.json")
        with open(seen, encoding="utf-8") as file:
            text = file.read()
        with open(newer, "w", encoding="utf-8") as file:
            file.write(text.replace('"version":7', '"version":8'))
        self.assertEqual(self.refused(self.engine()), "fallback_rolled_back")
        with open(newer, "w", encoding="utf-8") as file:
            file.write("damaged")
        self.assertEqual(self.refused(self.engine()), "fallback_spool_unusable")

    def test_a_spool_that_others_can_write_in_is_not_used(self) -> None:
        engine = self.engine()
        engine.evaluate(Event("read_file", {"path": "/srv/a"}))
        (folder,) = os.listdir(os.path.join(self.directory, "spool"))
        for spoiled in (os.path.join(self.directory, "spool", folder), os.path.join(self.directory, "spool")):
            os.chmod(spoiled, 0o777)
            self.assertEqual(self.refused(engine), "fallback_spool_unusable")
            os.chmod(spoiled, 0o700)
        engine.evaluate(Event("read_file", {"path": "/srv/a"}))

    def test_a_spool_that_is_made_here_is_ours_alone_whatever_the_umask_is(self) -> None:
        before = os.umask(0)
        self.addCleanup(os.umask, before)
        self.engine().evaluate(Event("read_file", {"path": "/srv/a"}))
        self.assertEqual(os.stat(os.path.join(self.directory, "spool")).st_mode & 0o777, 0o700)

    def test_a_full_spool_blocks_and_forgets_nothing(self) -> None:
        engine = self.engine()
        engine.evaluate(Event("read_file", {"path": "/srv/a"}))
        (folder,) = os.listdir(os.path.join(self.directory, "spool"))
        for number in range(4095):
            with open(os.path.join(self.directory, "spool", folder, f"decided-{number:032x}.json"), "w", encoding="utf-8"):
                pass
        self.assertEqual(self.refused(engine), "fallback_spool_full")

    def test_where_nobody_can_be_told_nothing_is_decided(self) -> None:
        def fail(_: str) -> None:
            raise OSError

        self.assertEqual(self.refused(self.engine(on_fallback=fail)), "fallback_failed")
        self.assertEqual(self.spooled(), [])

    def test_a_restart_and_a_daemon_that_answers_badly_are_no_absence(self) -> None:
        self.write("g.sock.restarting", "")
        with self.assertRaises(BlockedError):
            self.engine(timeout=0.3).evaluate(Event("read_file", {"path": "/srv/a"}))
        os.unlink(os.path.join(self.directory, "g.sock.restarting"))
        self.write("g.sock.stopped", "")
        with self.assertRaisesRegex(BlockedError, "everything was stopped before"):
            self.engine().evaluate(Event("read_file", {"path": "/srv/a"}))
        self.assertEqual((self.told, self.spooled()), ([], []))

    def test_while_the_mark_of_a_stop_stands_nothing_is_decided_without_a_daemon(self) -> None:
        self.write("g.sock.stopped", "")
        with self.assertRaises(BlockedError) as caught:
            self.engine().evaluate(Event("read_file", {"path": "/srv/a"}))
        self.assertIn("everything was stopped before", str(caught.exception))
        self.assertEqual((self.told, self.spooled()), ([], []))

    def test_a_daemon_that_is_back_is_told_and_what_it_recorded_leaves_the_spool(self) -> None:
        def judge(request: Dict[str, Any]) -> Dict[str, Any]:
            if "offline" in request:
                batches.append(request["offline"]["decisions"])
                return {"verdict": 0 if is_recording else 1}
            return {}

        batches: List[List[Dict[str, Any]]] = []
        is_recording = False
        with ScriptedDaemon(judge, FEATURES + ["offline"]) as daemon:
            daemon.stop()
            engine = self.engine(path=daemon.path)
            for number in range(70):
                engine.evaluate(Event("read_file", {"path": f"/srv/{number}"}))
            daemon.start()
            engine.evaluate(Event("ping", {}))
            engine.close()
            # It did not record them: they stay, and are told with the next connection.
            self.assertEqual((len(batches), len(self.spooled()), engine.stats.fallbacks_told), (1, 70, 0))
            is_recording = True
            engine.evaluate(Event("ping", {}))
            engine.close()
            self.assertEqual(([len(batch) for batch in batches], self.spooled()), ([64, 64, 6], []))
            self.assertEqual(engine.stats.fallbacks_told, 70)
            self.assertEqual(len({one["id"] for batch in batches[1:] for one in batch}), 70)
            self.assertIn("offline", daemon.hellos[-1]["features"])

    def test_an_asynchronous_engine_decides_and_tells_too(self) -> None:
        import asyncio

        batches: List[Any] = []

        def judge(request: Dict[str, Any]) -> Dict[str, Any]:
            if "offline" in request:
                batches.append(request["offline"]["decisions"])
            return {}

        async def main() -> None:
            with ScriptedDaemon(judge, FEATURES + ["offline"]) as daemon:
                daemon.stop()
                engine = AsyncRemoteEngine(daemon.path, **self.options())
                await engine.evaluate(Event("read_file", {"path": "/srv/a"}))
                daemon.start()
                await engine.evaluate(Event("ping", {}))
                await engine.close()
                self.assertEqual((len(batches), self.spooled()), (1, []))

        asyncio.run(main())

    def test_threads_that_decide_at_once_keep_each_its_own(self) -> None:
        engine = self.engine()
        threads = [
            threading.Thread(target=engine.evaluate, args=(Event("read_file", {"path": f"/srv/{number}"}),)) for number in range(16)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(10)
        self.assertEqual((len(self.spooled()), engine.fallbacks), (16, 16))

    def test_settings_that_do_not_go_together_are_refused(self) -> None:
        for options in (
            {"unreachable": "degraded"},
            {"unreachable": "degraded", "fallback_file": "f"},
            {"unreachable": "degraded", "fallback_file": "f", "fallback_key_file": ""},
            {"unreachable": "degraded", "fallback_file": "f\0", "fallback_key_file": "k"},
            {"unreachable": "degraded", "fallback_file": "f", "fallback_key_file": "k", "fallback_spool": ""},
            {"fallback_file": "f"},
            {"unreachable": "allow", "fallback_key_file": "k"},
        ):
            with self.subTest(options), self.assertRaises((TypeError, ValueError)):
                RemoteEngine(self.path, **options)


if __name__ == "__main__":
    unittest.main()
