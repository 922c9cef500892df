import asyncio
import os
import time
import unittest
from typing import Any, Dict, List, Optional

from interlock_guard import AsyncRemoteEngine, BlockedError, Event, Verdict, enforce_tool_call_async

from .scripted_daemon import ScriptedDaemon, answer_of, details


def ping(**args: Any) -> Event:
    return Event("ping", args)


class Asking(unittest.TestCase):
    def test_tasks_ask_over_one_connection_more_at_once_than_it_has_places(self) -> None:
        async def main() -> None:
            with ScriptedDaemon(lambda request: {"reason": str(request["event"]["args"]["n"])}) as daemon:
                async with AsyncRemoteEngine(daemon.path, timeout=30) as engine:
                    answers = await asyncio.gather(*(engine.evaluate(ping(n=n)) for n in range(1000)))
                    self.assertEqual([answer.reason for answer in answers], [str(n) for n in range(1000)])
                    self.assertEqual((engine.stats.connections, engine.stats.pending), (1, 0))

        asyncio.run(main())

    def test_beyond_the_waiting_line_a_call_is_refused(self) -> None:
        async def main() -> None:
            with ScriptedDaemon(lambda _: None) as daemon:
                engine = AsyncRemoteEngine(daemon.path, timeout=2)
                results = await asyncio.gather(*(engine.evaluate(ping()) for _ in range(4500)), return_exceptions=True)
                words = [str(result) for result in results if "calls are waiting for it already" in str(result)]
                self.assertGreater(len(words), 0)
                self.assertTrue(all(isinstance(result, BlockedError) for result in results))
                await engine.close()

        asyncio.run(main())

    def test_a_large_frame_leaves_in_pieces(self) -> None:
        async def main() -> None:
            with ScriptedDaemon(lambda request: {"reason": str(len(request["event"]["args"]["data"]))}) as daemon:
                async with AsyncRemoteEngine(daemon.path, timeout=30) as engine:
                    answers = await asyncio.gather(*(engine.evaluate(ping(data="x" * size)) for size in (3 << 20, 5, 2 << 20)))
                    self.assertEqual([answer.reason for answer in answers], [str(3 << 20), "5", str(2 << 20)])

        asyncio.run(main())

    def test_a_restart_costs_no_block(self) -> None:
        async def main() -> None:
            def judge(_: Dict[str, Any]) -> Optional[Dict[str, Any]]:
                if len(daemon.requests) == 1:
                    daemon.drop_connections()
                    return None
                return {}

            with ScriptedDaemon(judge) as daemon:
                async with AsyncRemoteEngine(daemon.path) as engine:
                    await engine.evaluate(ping())
                    daemon.stop()
                    daemon.start()
                    await engine.evaluate(ping())
                    self.assertEqual(engine.stats.resent, 1)

        asyncio.run(main())

    def test_no_daemon_blocks_after_the_grace_or_is_let_through_by_name(self) -> None:
        async def main() -> None:
            engine = AsyncRemoteEngine("/tmp/il-nobody.sock", grace=0.1)
            started = time.monotonic()
            with self.assertRaisesRegex(BlockedError, "unreachable"):
                await engine.evaluate(ping())
            self.assertGreaterEqual(time.monotonic() - started, 0.1)
            allowing = AsyncRemoteEngine("/tmp/il-nobody.sock", grace=0, unreachable="allow", on_fallback=lambda _: None)
            self.assertIs((await allowing.evaluate(ping())).verdict, Verdict.ALLOW)

        asyncio.run(main())

    def test_a_question_runs_out_of_time(self) -> None:
        async def main() -> None:
            with ScriptedDaemon(lambda _: None) as daemon:
                engine = AsyncRemoteEngine(daemon.path, timeout=0.2)
                with self.assertRaisesRegex(BlockedError, "no reply within 0.2s"):
                    await enforce_tool_call_async("ping", {}, engine)
                await engine.close()

        asyncio.run(main())


class Cancelling(unittest.TestCase):
    def test_what_a_cancelled_question_lets_run_is_reported_as_not_run(self) -> None:
        async def main() -> None:
            held: List[Dict[str, Any]] = []

            def judge(request: Dict[str, Any]) -> Optional[Dict[str, Any]]:
                if "event" in request:
                    held.append(request)
                    return None
                return {}

            with ScriptedDaemon(judge) as daemon:
                engine = AsyncRemoteEngine(daemon.path)
                task = asyncio.ensure_future(engine.evaluate(Event("pay", {}, call_id="call-1")))
                while not held:
                    await asyncio.sleep(0.01)
                task.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await task
                import json

                late = answer_of(held[0], details=details("allowed", transaction_id="tx_1"))
                daemon.connections[0].sendall(json.dumps(late).encode() + b"\n")
                while engine.stats.reported == 0:
                    await asyncio.sleep(0.01)
                outcomes = [request["outcome"] for request in daemon.requests if "outcome" in request]
                self.assertEqual(outcomes, [{"call_id": "call-1", "status": "abandoned"}])
                await engine.close()

        asyncio.run(asyncio.wait_for(main(), 10))


class Loops(unittest.TestCase):
    def test_an_engine_goes_on_in_the_next_loop_once_its_own_is_closed(self) -> None:
        with ScriptedDaemon() as daemon:
            engine = AsyncRemoteEngine(daemon.path)

            async def once() -> None:
                await engine.evaluate(ping())
                await engine.close()

            asyncio.run(once())
            asyncio.run(once())
            self.assertEqual(engine.stats.answered, 2)
            self.assertNotEqual(daemon.hellos[0]["nonce"], daemon.hellos[1]["nonce"])

    def test_another_loop_is_blocked_while_its_own_is_there(self) -> None:
        with ScriptedDaemon() as daemon:
            engine = AsyncRemoteEngine(daemon.path)
            first = asyncio.new_event_loop()
            first.run_until_complete(engine.evaluate(ping()))
            with self.assertRaisesRegex(BlockedError, "belongs to another event loop"):
                asyncio.run(engine.evaluate(ping()))
            first.run_until_complete(engine.close())
            first.close()

    def test_a_forked_child_asks_over_a_connection_of_its_own(self) -> None:
        with ScriptedDaemon() as daemon:
            engine = AsyncRemoteEngine(daemon.path)
            loop = asyncio.new_event_loop()
            loop.run_until_complete(engine.evaluate(ping()))
            child = os.fork()
            if child == 0:
                code = 1
                try:
                    asyncio.run(engine.evaluate(ping()))
                    code = 0
                finally:
                    os._exit(code)
            _, status = os.waitpid(child, 0)
            self.assertEqual(status, 0)
            loop.run_until_complete(engine.evaluate(ping()))
            self.assertEqual((engine.stats.connections, len(daemon.hellos)), (1, 2))
            loop.run_until_complete(engine.close())
            loop.close()


if __name__ == "__main__":
    unittest.main()
