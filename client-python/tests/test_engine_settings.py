import tempfile
import unittest
from typing import Any, Dict, List

from interlock_guard import BlockedError, Event, RemoteEngine, Verdict, enforce_tool_call

from .scripted_daemon import ScriptedDaemon, details


def ping(**args: Any) -> Event:
    return Event("ping", args)


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
