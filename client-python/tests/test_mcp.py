"""Sessions of the shape of the official SDK's, whose models are made here: pydantic is no dependency of the tests either."""

import asyncio
import unittest
from typing import Any, Dict, List, Optional, Type, TypeVar, Union

from interlock_guard import BlockedError, Decision, DecisionDetails, Replay, Verdict, guard_mcp_session

from .test_enforce import Engine, modify

M = TypeVar("M", bound="Model")


class Model:
    """What is used of pydantic's ``BaseModel``."""

    required: List[str] = []

    def __init__(self, **fields: Any) -> None:
        self.fields = fields

    def model_dump(self, mode: str, by_alias: bool, exclude_none: bool) -> Dict[str, Any]:
        assert mode == "json" and by_alias and exclude_none
        return {key: value for key, value in self.fields.items() if value is not None}

    @classmethod
    def model_validate(cls: Type[M], json: Any) -> M:
        if not isinstance(json, dict) or any(name not in json for name in cls.required):
            raise ValueError(f"not valid: {json}")
        return cls(**json)


class CallToolResult(Model):
    required = ["content"]


class ListToolsResult(Model):
    required = ["tools"]


class Url:
    def __init__(self, text: str) -> None:
        self.text = text

    def __str__(self) -> str:
        return self.text


class McpError(Exception):
    def __init__(self, code: int) -> None:
        super().__init__("the value")
        self.error = type("ErrorData", (), {"code": code})()


def result(text: str, **fields: Any) -> CallToolResult:
    return CallToolResult(content=[{"type": "text", "text": text}], structuredContent=None, **fields)


class Session:
    def __init__(self) -> None:
        self.calls: List[Any] = []
        self.answer: Any = None

    async def call_tool(
        self, name: str, arguments: Optional[Dict[str, Any]] = None, read_timeout_seconds: Any = None, **rest: Any
    ) -> CallToolResult:
        self.calls.append(("call_tool", name, arguments, read_timeout_seconds))
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer or result("done")

    async def read_resource(self, uri: Any) -> Model:
        self.calls.append(("read_resource", uri))
        return Model(contents=[])

    async def get_prompt(self, name: str, arguments: Optional[Dict[str, str]] = None) -> Model:
        self.calls.append(("get_prompt", name, arguments))
        return Model(messages=[])

    async def list_tools(self, cursor: Optional[str] = None) -> ListToolsResult:
        self.calls.append(("list_tools", cursor))
        return ListToolsResult(tools=[{"name": "pay"}, {"name": "delete"}])


def guarded(*decisions: Any, **options: Any) -> "tuple[Session, Engine]":
    engine = Engine(*decisions)
    return guard_mcp_session(Session(), engine, **options), engine


class Tools(unittest.TestCase):
    def test_a_call_and_its_whole_result_are_judged(self) -> None:
        session, engine = guarded()
        answer = asyncio.run(session.call_tool("pay", {"eur": 20}, read_timeout_seconds=5))
        self.assertEqual(answer.fields["content"][0]["text"], "done")
        self.assertEqual(session.calls, [("call_tool", "pay", {"eur": 20}, 5)])
        self.assertEqual([(event.action, event.phase) for event in engine.events], [("pay", "call"), ("pay", "result")])
        self.assertEqual(engine.events[1].args, {"content": [{"type": "text", "text": "done"}]})

    def test_a_tool_without_arguments_keeps_having_none(self) -> None:
        session, engine = guarded()
        asyncio.run(session.call_tool(name="pay"))
        self.assertEqual((session.calls[0][2], engine.events[0].args), (None, {}))
        session, _ = guarded(modify({"eur": 1}))
        asyncio.run(session.call_tool("pay"))
        self.assertEqual(session.calls[0][2], {"eur": 1})

    def test_a_rewrite_runs_and_a_block_does_not(self) -> None:
        session, _ = guarded(modify({"eur": 10}))
        asyncio.run(session.call_tool(name="pay", arguments={"eur": 20, "order": "A"}))
        self.assertEqual(session.calls[0][2], {"eur": 10, "order": "A"})
        session, _ = guarded(Decision.block("no"))
        with self.assertRaisesRegex(BlockedError, "blocked action 'pay': no"):
            asyncio.run(session.call_tool("pay", {}))
        self.assertEqual(session.calls, [])

    def test_a_replaced_result_is_of_the_sdk_s_type_and_what_is_none_blocks(self) -> None:
        session, _ = guarded(Decision.allow(), modify(result={"content": []}))
        answer = asyncio.run(session.call_tool("pay", {}))
        self.assertEqual((type(answer), answer.fields), (CallToolResult, {"content": []}))
        session, _ = guarded(Decision.allow(), modify(result="redacted"))
        with self.assertRaisesRegex(BlockedError, "what replaces the result is no CallToolResult") as caught:
            asyncio.run(session.call_tool("pay", {}))
        self.assertNotIn("redacted", str(caught.exception))

    def test_without_a_name_or_with_other_arguments_than_a_dict_nothing_is_asked(self) -> None:
        session, engine = guarded()
        for arguments in (("",), (None,), ("pay", [1])):
            with self.assertRaises(BlockedError):
                asyncio.run(session.call_tool(*arguments))
        self.assertEqual((engine.events, session.calls), ([], []))

    def test_a_replay_is_delivered_with_the_transaction_that_ran(self) -> None:
        recorded = {"content": [], "_meta": {"own": 1}}
        replay = Decision(
            Verdict.BLOCK, modified_result=recorded, details=DecisionDetails("replayed", transaction_id="tx", replayed=True)
        )
        told: List[Replay] = []
        session, _ = guarded(replay, on_replay=told.append)
        answer = asyncio.run(session.call_tool("pay", {}))
        self.assertEqual(type(answer), CallToolResult)
        self.assertEqual(answer.fields["_meta"], {"own": 1, "interlock/replayed": "tx"})
        self.assertEqual((told, session.calls), ([Replay("pay", "tx")], []))

    def test_a_replay_is_of_the_first_type_that_the_method_may_return(self) -> None:
        class Several(Session):
            async def call_tool(self, name: str, arguments: Any = None, *rest: Any, **more: Any) -> Union[CallToolResult, Model]:  # type: ignore[override]
                raise AssertionError("it ran")

        replay = Decision(
            Verdict.BLOCK, modified_result={"content": []}, details=DecisionDetails("replayed", transaction_id="tx", replayed=True)
        )
        session = guard_mcp_session(Several(), Engine(replay))
        self.assertIs(type(asyncio.run(session.call_tool("pay", {}))), CallToolResult)

    def test_only_what_the_server_itself_answered_is_reported_as_failed(self) -> None:
        held = Decision(Verdict.ALLOW, details=DecisionDetails("allowed", transaction_id="tx"))
        for answer, reported in (
            (McpError(-32603), ["McpError"]),
            (McpError(-32000), []),
            (McpError(408), []),
            (RuntimeError("invalid structured content"), []),
            (asyncio.TimeoutError(), []),
            (result("broke", isError=True), ["ToolError"]),
            (result("fine", isError=False), []),
        ):
            session, engine = guarded(held)
            session.answer = answer
            with self.subTest(answer):
                try:
                    asyncio.run(session.call_tool("pay", {}))
                except Exception as error:
                    self.assertIs(error, answer)
                self.assertEqual([outcome.error_type for outcome in engine.outcomes], reported)


class Others(unittest.TestCase):
    def test_resources_and_prompts_are_judged_under_names_of_their_own(self) -> None:
        session, engine = guarded()
        uri = Url("file:///a")
        asyncio.run(session.read_resource(uri))
        asyncio.run(session.get_prompt("review", {"code": "x"}))
        self.assertIs(session.calls[0][1], uri)
        self.assertEqual(
            [(event.action, event.args) for event in engine.events if event.phase == "call"],
            [("mcp.read_resource", {"uri": "file:///a"}), ("mcp.get_prompt", {"name": "review", "arguments": {"code": "x"}})],
        )

    def test_they_are_rewritten_too(self) -> None:
        session, _ = guarded(modify({"uri": "file:///b"}))
        asyncio.run(session.read_resource(Url("file:///a")))
        self.assertEqual((type(session.calls[0][1]), str(session.calls[0][1])), (Url, "file:///b"))
        session, _ = guarded(modify({"arguments": {"code": "y"}}))
        asyncio.run(session.get_prompt("review", {"code": "x"}))
        self.assertEqual(session.calls, [("get_prompt", "review", {"code": "y"})])
        session, _ = guarded(modify({"other": 1}, replaces=True))
        with self.assertRaises(BlockedError):
            asyncio.run(session.read_resource("file:///a"))

    def test_of_a_listing_the_result_is_judged(self) -> None:
        session, engine = guarded(modify(result={"tools": [{"name": "pay"}]}))
        listing = asyncio.run(session.list_tools())
        self.assertEqual((type(listing), listing.fields), (ListToolsResult, {"tools": [{"name": "pay"}]}))
        self.assertEqual([(event.action, event.phase) for event in engine.events], [("tools/list", "result")])

    def test_a_session_is_guarded_once(self) -> None:
        session, engine = guarded()
        guard_mcp_session(session, engine)
        asyncio.run(session.call_tool("pay", {}))
        self.assertEqual(len(engine.events), 2)

    def test_a_synchronous_session_is_guarded_too(self) -> None:
        class Synchronous:
            def call_tool(self, name: str, arguments: Any = None) -> Any:
                return {"content": [name, arguments]}

        engine = Engine(modify({"a": 2}))
        session = guard_mcp_session(Synchronous(), engine)
        self.assertEqual(session.call_tool("pay", {"a": 1}), {"content": ["pay", {"a": 2}]})
        with self.assertRaises(TypeError):
            guard_mcp_session(object(), engine)


if __name__ == "__main__":
    unittest.main()
