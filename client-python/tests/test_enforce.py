import asyncio
import unittest
from typing import Any, Callable, Dict, List, Optional

from interlock_guard import (
    BlockedError,
    Decision,
    DecisionDetails,
    Escalation,
    Event,
    NotApprovedError,
    RemoteEngine,
    ReplayedError,
    Verdict,
    enforce_tool_call,
    enforce_tool_call_async,
    enforce_tool_result,
    report_outcome,
    resume_tool_call,
)

from .scripted_daemon import ScriptedDaemon, details


class Engine:
    """Decides as a test says, and remembers what it was asked."""

    replays = True

    def __init__(self, *decisions: Any) -> None:
        self.decisions = list(decisions)
        self.events: List[Any] = []
        self.outcomes: List[Any] = []
        self.resumed: List[Any] = []

    def _next(self) -> Any:
        decision = self.decisions.pop(0) if self.decisions else Decision.allow()
        if isinstance(decision, BaseException):
            raise decision
        return decision

    def evaluate(self, event: Any) -> Any:
        self.events.append(event)
        return self._next()

    def resume(self, approval_id: str, call_id: str, action: Optional[str] = None) -> Any:
        self.resumed.append((approval_id, call_id, action))
        return self._next()

    def outcome(self, outcome: Any) -> Any:
        self.outcomes.append(outcome)
        return Decision.allow()


def modify(args: Any = None, result: Any = None, replaces: bool = False, **fields: Any) -> Decision:
    return Decision(Verdict.MODIFY, modified_args=args, modified_result=result, replaces_args=replaces, **fields)


def escalate(code: str = "escalated", approval_id: Optional[str] = None, **fields: Any) -> Decision:
    return Decision(Verdict.ESCALATE, "ask first", details=DecisionDetails(code, approval_id), **fields)


class Calls(unittest.TestCase):
    def test_allow_returns_a_copy_of_the_arguments(self) -> None:
        args = {"a": [1]}
        runs = enforce_tool_call("pay", args, Engine())
        self.assertEqual(runs, args)
        self.assertIsNot(runs, args)
        self.assertEqual(enforce_tool_call("pay", None, Engine()), {})

    def test_block_raises_with_the_decision(self) -> None:
        with self.assertRaises(BlockedError) as caught:
            enforce_tool_call("pay\nall", {}, Engine(Decision.block("over the limit", "refunds.limit", "eur")))
        self.assertEqual(str(caught.exception), "blocked action 'pay all': over the limit")
        self.assertEqual((caught.exception.decision.policy_id, caught.exception.decision.attributed_to), ("refunds.limit", "eur"))
        self.assertEqual(caught.exception.action, "pay\nall")

    def test_modify_merges_or_replaces(self) -> None:
        self.assertEqual(enforce_tool_call("pay", {"a": 1, "b": 2}, Engine(modify({"a": 3}))), {"a": 3, "b": 2})
        self.assertEqual(enforce_tool_call("pay", {"a": 1, "b": 2}, Engine(modify({"a": 3}, replaces=True))), {"a": 3})

    def test_an_engine_that_answers_no_decision_blocks(self) -> None:
        class Lookalike(Decision):
            pass

        for answer in (
            None,
            True,
            0,
            "ALLOW",
            (0,),
            Lookalike(Verdict.ALLOW),
            Decision(0),  # type: ignore[arg-type]
            Decision(True),  # type: ignore[arg-type]
            modify([1]),
            modify(result="of the other side"),
            Decision(Verdict.BLOCK, modified_result=1, details=DecisionDetails("blocked")),
            Decision(Verdict.ALLOW, details=DecisionDetails("replayed", replayed=True, transaction_id="t")),
            ValueError("the value"),
            KeyError("key"),
        ):
            with self.subTest(answer), self.assertRaises(BlockedError) as caught:
                enforce_tool_call("pay", {}, Engine(answer))
            self.assertNotIn("the value", str(caught.exception))

    def test_monitor_ignores_verdicts_and_never_outages(self) -> None:
        for decision in (Decision.block("no"), modify({"a": 2}), escalate()):
            self.assertEqual(enforce_tool_call("pay", {"a": 1}, Engine(decision), enforcement="monitor"), {"a": 1})
        with self.assertRaises(BlockedError):
            enforce_tool_call("pay", {}, Engine(ConnectionError()), enforcement="monitor")

    def test_a_setting_that_is_none_is_refused(self) -> None:
        for options in ({"enforcement": "off"}, {"on_escalate": 1}, {"escalate": "always"}, {"escalate_deadline": 0}, {"on_escalated": print}):
            with self.subTest(options), self.assertRaises((TypeError, ValueError)):
                enforce_tool_call("pay", {}, Engine(), **options)
        with self.assertRaises(TypeError):
            enforce_tool_call("pay", {}, object())
        with self.assertRaises(BlockedError):
            enforce_tool_call("pay", [1], Engine())  # type: ignore[arg-type]

    def test_the_identity_goes_with_the_event(self) -> None:
        engine = Engine()
        enforce_tool_call("pay", {}, engine, principal="p", parent_principal="q", span_id="s", call_id="c")
        event = engine.events[0]
        self.assertEqual((event.principal, event.parent_principal, event.span_id, event.call_id), ("p", "q", "s", "c"))
        self.assertGreater(event.ts, 1e9)


    def test_how_the_call_is_intercepted_is_told_a_daemon_that_agreed_to_be_told_and_no_other(self) -> None:
        for features in (["grade"], ["details"]):
            with ScriptedDaemon(features=features) as daemon, RemoteEngine(daemon.path) as engine:
                enforce_tool_call("pay", {}, engine, enforcement="monitor")
                enforce_tool_result("pay", 1, engine)
                asyncio.run(enforce_tool_call_async("pay", {}, engine))
                grades = [request["event"].get("grade") for request in daemon.requests]
                expected: List[Optional[str]] = ["sync/monitor", "sync/enforce", "async/enforce"]
                self.assertEqual(grades, expected if features == ["grade"] else [None] * 3)
        with self.assertRaisesRegex(BlockedError, "the grade is not one of"):
            RemoteEngine("/tmp/il-nobody.sock").evaluate(Event("pay", {}, grade="async"))
        with self.assertRaises(TypeError):
            enforce_tool_call("pay", {}, Engine(), caller="async")


class Results(unittest.TestCase):
    def test_a_dict_is_judged_as_it_is_and_anything_else_as_a_result(self) -> None:
        engine = Engine()
        for result in ({"a": 1}, "text", None, [1], {"result": 1}):
            self.assertIs(enforce_tool_result("read", result, engine), result)
        self.assertEqual(
            [event.args for event in engine.events],
            [{"a": 1}, {"result": "text"}, {"result": None}, {"result": [1]}, {"result": {"result": 1}}],
        )
        self.assertEqual({event.phase for event in engine.events}, {"result"})

    def test_modify_replaces_and_none_is_no_replacement(self) -> None:
        for replacement in ("redacted", False, 0, ""):
            self.assertEqual(enforce_tool_result("read", "secret", Engine(modify(result=replacement))), replacement)
        self.assertEqual(enforce_tool_result("read", "secret", Engine(modify())), "secret")

    def test_block_and_escalate_withhold(self) -> None:
        for decision in (Decision.block("secret"), escalate(), modify({"a": 1})):
            with self.assertRaises(BlockedError):
                enforce_tool_result("read", "secret", Engine(decision))


class Escalations(unittest.TestCase):
    def test_only_true_approves_what_was_shown(self) -> None:
        shown: List[Escalation] = []

        def approve(escalation: Escalation) -> bool:
            shown.append(escalation)
            escalation.args["items"].append("more")
            return True

        decision = escalate(modified_args={"items": ["b"]})
        args = {"items": ["a"], "n": 1}
        self.assertEqual(enforce_tool_call("pay", args, Engine(decision), on_escalate=approve), {"items": ["b"], "n": 1})
        self.assertEqual((shown[0].action, shown[0].reason), ("pay", "ask first"))

    def test_anything_else_is_no(self) -> None:
        def fail(_: Escalation) -> bool:
            raise ValueError("the value")

        async def later(_: Escalation) -> bool:
            return True

        callbacks: List[Optional[Callable[[Escalation], Any]]] = [None, lambda _: 1, lambda _: "yes", lambda _: False, fail, later]
        for on_escalate in callbacks:
            with self.subTest(on_escalate), self.assertRaises(NotApprovedError) as caught:
                enforce_tool_call("pay", {}, Engine(escalate()), on_escalate=on_escalate)
            self.assertNotIn("the value", str(caught.exception))

    def test_where_an_operator_has_to_approve_it_nobody_here_is_asked(self) -> None:
        with self.assertRaises(NotApprovedError) as caught:
            enforce_tool_call("pay", {}, Engine(escalate("escalated_operator", "ap_1")), call_id="c", on_escalate=lambda _: True)
        self.assertEqual((caught.exception.approval_id, caught.exception.call_id), ("ap_1", "c"))
        self.assertIn("an operator has to approve it, approval ap_1", str(caught.exception))

    def test_what_the_daemon_keeps_an_approval_for_runs_by_resuming_it(self) -> None:
        engine = Engine(escalate(approval_id="ap_1"), modify({"n": 1}, replaces=True))
        self.assertEqual(enforce_tool_call("pay", {"n": 1}, engine, call_id="c", on_escalate=lambda _: True), {"n": 1})
        self.assertEqual(engine.resumed, [("ap_1", "c", "pay")])

    def test_other_arguments_than_were_approved_do_not_run(self) -> None:
        engine = Engine(escalate(approval_id="ap_1"), modify({"n": 2}, replaces=True))
        with self.assertRaisesRegex(NotApprovedError, "what would run now is not what was approved"):
            enforce_tool_call("pay", {"n": 1}, engine, call_id="c", on_escalate=lambda _: True)
        self.assertEqual([outcome.status for outcome in engine.outcomes], ["abandoned"])

    def test_wait_asks_again_until_it_is_approved(self) -> None:
        pending = Decision(Verdict.ESCALATE, "wait", details=DecisionDetails("approval_pending", "ap_1"))
        engine = Engine(escalate("escalated_operator", "ap_1"), pending, ConnectionError(), modify({"n": 1}, replaces=True))
        self.assertEqual(enforce_tool_call("pay", {"n": 1}, engine, call_id="c", escalate="wait"), {"n": 1})
        self.assertEqual(len(engine.resumed), 3)

    def test_wait_ends_at_its_deadline_and_on_a_no(self) -> None:
        pending = Decision(Verdict.ESCALATE, "wait", details=DecisionDetails("approval_pending", "ap_1"))
        engine = Engine(escalate("escalated_operator", "ap_1"), *[pending] * 10)
        with self.assertRaisesRegex(NotApprovedError, "nobody approved it within 0.3 s"):
            enforce_tool_call("pay", {}, engine, call_id="c", escalate="wait", escalate_deadline=0.3)
        engine = Engine(escalate("escalated_operator", "ap_1"), Decision.block("denied"))
        with self.assertRaisesRegex(BlockedError, "denied"):
            enforce_tool_call("pay", {}, engine, call_id="c", escalate="wait")

    def test_resume_by_hand(self) -> None:
        self.assertEqual(resume_tool_call("pay", "ap_1", "c", Engine(modify({"n": 1}, replaces=True))), {"n": 1})
        for decision, error in (
            (Decision.allow(), BlockedError),
            (modify({"n": 1}), BlockedError),
            (escalate("approval_pending", "ap_1"), NotApprovedError),
            (Decision.block("denied"), BlockedError),
        ):
            with self.subTest(decision), self.assertRaises(error):
                resume_tool_call("pay", "ap_1", "c", Engine(decision))


class Replays(unittest.TestCase):
    def test_the_error_has_the_recorded_result(self) -> None:
        for recorded, result in (({"result": 5}, 5), ({"a": 1}, {"a": 1}), ({"result": {"result": 1}}, {"result": 1})):
            replay = Decision(
                Verdict.BLOCK,
                "ran before",
                modified_result=recorded,
                details=DecisionDetails("replayed", transaction_id="tx_1", replayed=True),
            )
            with self.assertRaises(ReplayedError) as caught:
                enforce_tool_call("pay", {}, Engine(replay))
            self.assertEqual((caught.exception.result, caught.exception.transaction_id), (result, "tx_1"))

    def test_one_whose_result_is_not_kept_is_a_plain_block(self) -> None:
        replay = Decision(Verdict.BLOCK, "ran before", details=DecisionDetails("replayed", transaction_id="tx", replayed=True))
        with self.assertRaises(BlockedError) as caught:
            enforce_tool_call("pay", {}, Engine(replay))
        self.assertIs(type(caught.exception), BlockedError)


class Outcomes(unittest.TestCase):
    def test_the_class_of_the_error_is_told_and_never_its_message(self) -> None:
        requests: List[Dict[str, Any]] = []

        def judge(request: Dict[str, Any]) -> Dict[str, Any]:
            requests.append(request)
            return {"details": details("outcome_recorded")}

        with ScriptedDaemon(judge) as daemon, RemoteEngine(daemon.path) as engine:
            self.assertTrue(report_outcome("failed", engine, "c", ValueError("the value")))
            self.assertTrue(report_outcome("abandoned", engine, "c"))
        self.assertEqual(
            [request["outcome"] for request in requests],
            [{"call_id": "c", "error_type": "ValueError", "status": "failed"}, {"call_id": "c", "status": "abandoned"}],
        )

    def test_it_never_raises_for_want_of_a_daemon(self) -> None:
        engine = RemoteEngine("/tmp/il-nobody.sock", grace=0)
        self.assertFalse(report_outcome("failed", engine, "c", ValueError()))
        self.assertEqual(engine.stats.unreported, 1)


if __name__ == "__main__":
    unittest.main()
