import asyncio
import inspect
import threading
import unittest
from typing import Any, Dict, List, Tuple

from interlock_guard import AsyncRemoteEngine, BlockedError, Decision, DecisionDetails, Replay, RemoteEngine, Verdict, guard, guard_tool_map

from .test_enforce import Engine, modify

TRANSACTION = DecisionDetails("allowed", transaction_id="tx_1")


class Functions(unittest.TestCase):
    def test_arguments_are_judged_by_their_names_with_defaults(self) -> None:
        engine = Engine()

        @guard(engine)
        def pay(order: str, eur: float = 20, *notes: str, urgent: bool = False, **rest: Any) -> str:
            return f"{order} {eur} {notes} {urgent} {rest}"

        self.assertEqual(pay("A"), "A 20 () False {}")
        self.assertEqual(pay("A", 5, "n", urgent=True, x=1), "A 5 ('n',) True {'x': 1}")
        self.assertEqual(engine.events[0].args, {"order": "A", "eur": 20, "notes": [], "urgent": False})
        self.assertEqual(engine.events[2].args, {"order": "A", "eur": 5, "notes": ["n"], "urgent": True, "x": 1})
        self.assertEqual([event.phase for event in engine.events], ["call", "result"] * 2)
        self.assertEqual(engine.events[0].call_id, engine.events[1].call_id)
        self.assertNotEqual(engine.events[0].call_id, engine.events[2].call_id)

    def test_a_rewrite_reaches_positional_and_named_arguments(self) -> None:
        def pay(order: str, eur: float, /, note: str = "-", *more: str, urgent: bool = False) -> Tuple[Any, ...]:
            return order, eur, note, more, urgent

        rewrite = {"order": "B", "eur": 1, "note": "x", "more": ["m"], "urgent": True}
        self.assertEqual(guard(Engine(modify(rewrite)))(pay)("A", 9), ("B", 1, "x", ("m",), True))
        self.assertEqual(guard(Engine(modify({"eur": 1})))(pay)("A", 9, urgent=True), ("A", 1, "-", (), True))

    def test_a_rewrite_that_removes_an_argument_leaves_the_default_or_blocks(self) -> None:
        def pay(order: str, eur: float = 20) -> Tuple[Any, ...]:
            return order, eur

        self.assertEqual(guard(Engine(modify({"order": "A"}, replaces=True)))(pay)("A", 9), ("A", 20))
        for args in ({"eur": 1}, {"order": "A", "other": 1}):
            engine = Engine(modify(args, replaces=True, details=TRANSACTION))
            with self.assertRaisesRegex(BlockedError, "a rewrite (took away|added) an argument"):
                guard(engine)(pay)("A", 9)
            self.assertEqual([outcome.status for outcome in engine.outcomes], ["abandoned"])

    def test_what_a_rewrite_leaves_as_it_was_stays_of_its_type(self) -> None:
        def keep(pair: Any, names: Any, raw: Any) -> Tuple[Any, ...]:
            return pair, names, raw

        engine = Engine(modify({"pair": [1, 2], "names": ["a", "b"], "raw": b"new"}, replaces=True))
        self.assertEqual(guard(engine)(keep)((1, 2), {"b", "a"}, b"old"), ((1, 2), {"a", "b"}, b"new"))

    def test_what_is_judged_is_what_runs_whatever_the_caller_changes_meanwhile(self) -> None:
        items: List[Any] = ["a"]

        class Changing(Engine):
            def evaluate(self, event: Any) -> Any:
                items.append("changed")
                return super().evaluate(event)

        engine = Changing()
        self.assertEqual(guard(engine)(lambda items: list(items))(items), ["a"])
        self.assertEqual(engine.events[0].args, {"items": ["a"]})

    def test_a_blocked_call_does_not_run_and_a_blocked_result_is_not_delivered(self) -> None:
        ran: List[int] = []
        guarded: Any = guard(Engine(Decision.block("no"), Decision.allow(), Decision.block("secret")), "pay")(lambda n: ran.append(n))
        with self.assertRaisesRegex(BlockedError, "blocked action 'pay': no"):
            guarded(1)
        self.assertEqual(ran, [])
        with self.assertRaisesRegex(BlockedError, "secret"):
            guarded(2)
        self.assertEqual(ran, [2])

    def test_what_is_hidden_reaches_the_function_and_is_not_shown(self) -> None:
        session = object()
        engine = Engine()

        class Shop:
            @guard(engine, "shop.pay", hidden=["session"])
            def pay(self, session: object, eur: int) -> bool:
                return session is not None and isinstance(self, Shop)

        self.assertTrue(Shop().pay(session, eur=1))
        self.assertEqual((engine.events[0].action, engine.events[0].args), ("shop.pay", {"eur": 1}))
        with self.assertRaisesRegex(TypeError, "has no parameter sesion"):
            guard(engine, hidden=["sesion"])(lambda session: None)

    def test_an_argument_without_json_form_blocks(self) -> None:
        with self.assertRaisesRegex(BlockedError, "an instance of object at session has no JSON form"):
            guard(RemoteEngine("/tmp/il-nobody.sock"), "pay")(lambda session: None)(object())

    def test_misuse_fails_as_the_function_itself_would(self) -> None:
        engine = Engine()
        with self.assertRaisesRegex(TypeError, "missing a required argument: 'n'"):
            lacking: Any = guard(engine)(lambda n: n)
            lacking()
        self.assertEqual(engine.events, [])

    def test_two_arguments_of_one_name_block(self) -> None:
        def odd(a: int, /, **rest: Any) -> None:
            raise AssertionError("it ran")

        with self.assertRaisesRegex(BlockedError, "has the name of another parameter"):
            guard(Engine())(odd)(1, a=2)

    def test_name_documentation_and_signature_stay(self) -> None:
        def pay(order: str, eur: float = 1) -> str:
            """Pays."""
            return order

        guarded = guard(Engine())(pay)
        self.assertEqual((guarded.__name__, guarded.__doc__, guarded.__module__), ("pay", "Pays.", __name__))
        self.assertEqual(inspect.signature(guarded), inspect.signature(pay))
        self.assertIs(guard(Engine())(guarded), guarded)

    def test_generators_and_what_is_no_function_are_refused(self) -> None:
        def numbers() -> Any:
            yield 1

        async def later() -> Any:
            yield 1

        wrongs: List[Any] = [numbers, later, 5, "pay", Engine, classmethod(lambda cls: None)]
        for wrong in wrongs:
            with self.subTest(wrong), self.assertRaises(TypeError):
                guard(Engine(), "wrong")(wrong)

    def test_a_synchronous_function_that_answers_a_coroutine_is_blocked(self) -> None:
        async def later() -> int:
            return 1

        with self.assertRaisesRegex(BlockedError, "an instance of coroutine"):
            with_daemon(lambda engine: guard(engine, "later")(lambda: later())())

    def test_a_function_that_answers_a_generator_or_another_iterator_is_blocked(self) -> None:
        async def later() -> Any:
            yield "unjudged"

        def numbers() -> Any:
            yield "unjudged"

        class Stream:
            def __aiter__(self) -> Any:
                return later()

        for stream in (later(), numbers(), iter(["unjudged"]), Stream(), {"inner": numbers()}):
            with self.subTest(stream), self.assertRaisesRegex(BlockedError, "has no JSON form"):
                with_daemon(lambda engine, stream=stream: guard(engine, "read")(lambda: stream)())

    def test_a_synchronous_function_with_an_asynchronous_engine_is_refused(self) -> None:
        with self.assertRaisesRegex(TypeError, "use RemoteEngine"):
            guard(AsyncRemoteEngine("/tmp/g.sock"), "pay")(lambda: None)

    def test_a_replay_delivers_the_recorded_result_and_tells(self) -> None:
        replay = Decision(
            Verdict.BLOCK, modified_result={"result": 7}, details=DecisionDetails("replayed", transaction_id="tx", replayed=True)
        )
        told: List[Replay] = []
        self.assertEqual(guard(Engine(replay), "pay", on_replay=told.append)(lambda: self.fail("it ran"))(), 7)
        self.assertEqual(told, [Replay("pay", "tx")])

        def fail(_: Replay) -> None:
            raise OSError

        with self.assertRaisesRegex(BlockedError, "on_replay raised OSError"):
            guard(Engine(replay), "pay", on_replay=fail)(lambda: None)()

    def test_a_failed_call_is_reported_with_its_class_and_one_that_was_cut_short_is_not(self) -> None:
        class ReadTimeout(Exception):
            """Of an HTTP client."""

        def raising(error: BaseException) -> Any:
            def tool() -> None:
                raise error

            return tool

        chained = RuntimeError()
        chained.__cause__ = ConnectionResetError()
        reports: List[Tuple[BaseException, List[str]]] = [
            (ValueError("the value"), ["ValueError"]),
            (ConnectionRefusedError(), ["ConnectionRefusedError"]),
            (TimeoutError(), []),
            (asyncio.TimeoutError(), []),
            (BrokenPipeError(), []),
            (ReadTimeout(), []),
            (chained, []),
            (KeyboardInterrupt(), []),
        ]
        for error, reported in reports:
            engine = Engine(Decision(Verdict.ALLOW, details=TRANSACTION))
            with self.subTest(error), self.assertRaises(type(error)):
                guard(engine, "pay")(raising(error))()
            self.assertEqual([outcome.error_type for outcome in engine.outcomes], reported)

    def test_a_call_that_the_daemon_holds_nothing_for_is_not_reported(self) -> None:
        engine = Engine()
        with self.assertRaises(ZeroDivisionError):
            guard(engine, "pay")(lambda: 1 / 0)()
        self.assertEqual(engine.outcomes, [])


def with_daemon(use: Any) -> Any:
    from .scripted_daemon import ScriptedDaemon

    with ScriptedDaemon() as daemon, RemoteEngine(daemon.path) as engine:
        return use(engine)


class Asynchronous(unittest.TestCase):
    def test_a_function_that_is_awaited_is_judged_the_same(self) -> None:
        async def main() -> None:
            from .scripted_daemon import ScriptedDaemon

            with ScriptedDaemon(lambda request: {"verdict": 1, "reason": "no"} if request["event"]["args"].get("eur") == 5000 else {}) as daemon:
                async with AsyncRemoteEngine(daemon.path) as engine:

                    @guard(engine)
                    async def pay(order: str, eur: int = 20) -> str:
                        await asyncio.sleep(0)
                        return f"{order} {eur}"

                    self.assertTrue(inspect.iscoroutinefunction(pay))
                    self.assertEqual(await pay("A"), "A 20")
                    self.assertEqual(await asyncio.gather(*(pay("A", n) for n in range(50))), [f"A {n}" for n in range(50)])
                    with self.assertRaises(BlockedError):
                        await pay("A", 5000)

        asyncio.run(main())

    def test_a_synchronous_engine_answers_in_a_thread(self) -> None:
        async def main() -> None:
            from .scripted_daemon import ScriptedDaemon

            with ScriptedDaemon() as daemon, RemoteEngine(daemon.path) as engine:

                @guard(engine)
                async def ping(n: int) -> int:
                    return n

                self.assertEqual(await asyncio.gather(*(ping(n) for n in range(20))), list(range(20)))

        asyncio.run(main())

    def test_what_a_synchronous_engine_lets_run_when_the_task_is_cancelled_is_reported_as_not_run(self) -> None:
        let_go = threading.Event()

        class Slow(Engine):
            def evaluate(self, event: Any) -> Any:
                let_go.wait(10)
                return Decision(Verdict.ALLOW, details=TRANSACTION)

        engine = Slow()

        @guard(engine)
        async def pay() -> None:
            raise AssertionError("it ran")

        async def main() -> None:
            task = asyncio.ensure_future(pay())
            await asyncio.sleep(0.1)
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task
            let_go.set()
            while not engine.outcomes:
                await asyncio.sleep(0.01)

        asyncio.run(asyncio.wait_for(main(), 10))
        self.assertEqual([outcome.status for outcome in engine.outcomes], ["abandoned"])

    def test_on_escalate_may_be_asynchronous(self) -> None:
        async def approve(_: Any) -> bool:
            await asyncio.sleep(0)
            return True

        async def ping() -> str:
            return "ran"

        escalated = Decision(Verdict.ESCALATE, "ask", details=DecisionDetails("escalated"))
        self.assertEqual(asyncio.run(guard(Engine(escalated), on_escalate=approve)(ping)()), "ran")

    def test_a_call_that_is_cancelled_is_not_reported_as_failed(self) -> None:
        engine = Engine(Decision(Verdict.ALLOW, details=TRANSACTION))

        @guard(engine)
        async def slow() -> None:
            await asyncio.sleep(10)

        async def main() -> None:
            task = asyncio.ensure_future(slow())
            await asyncio.sleep(0.1)
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task

        asyncio.run(main())
        self.assertEqual(engine.outcomes, [])


class ToolMaps(unittest.TestCase):
    def test_each_function_is_guarded_under_its_key(self) -> None:
        engine = Engine()

        async def later(n: int) -> int:
            return n

        tools: Dict[str, Any] = guard_tool_map({"now": lambda n: n, "later": later}, engine, principal="acme")
        self.assertEqual((tools["now"](1), asyncio.run(tools["later"](2))), (1, 2))
        self.assertEqual([event.action for event in engine.events], ["now", "now", "later", "later"])
        self.assertEqual({event.principal for event in engine.events}, {"acme"})
        with self.assertRaises(TypeError):
            guard_tool_map({"a": 1}, engine)  # type: ignore[type-var]


if __name__ == "__main__":
    unittest.main()
