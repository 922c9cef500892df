"""One call by hand."""

from __future__ import annotations

from typing import Any, Dict, Optional

from .flow import run, run_async
from .options import guard_options
from .outcome import report
from .permit import permit_call
from .result import deliver
from .resume_call import Approval, ask_to_resume, resumed


def enforce_tool_call(action: str, args: Optional[Dict[str, Any]], engine: Any, **options: Any) -> Dict[str, Any]:
    """Puts a call to the guard before it runs, and returns the arguments to run it with: a shallow copy, rewritten where a rule said so.

    ``options`` are those of ``GuardOptions``. Raises ``BlockedError`` (it must not run), ``NotApprovedError`` (it needs a human's yes and
    did not get one), ``ReplayedError`` (it ran before; the error has the recorded result).
    """
    return run(permit_call(action, args, guard_options(engine, "sync", **options))).args


async def enforce_tool_call_async(
    action: str, args: Optional[Dict[str, Any]], engine: Any, **options: Any
) -> Dict[str, Any]:
    """As ``enforce_tool_call``, with an engine of either kind."""
    return (await run_async(permit_call(action, args, guard_options(engine, "async", **options)))).args


def enforce_tool_result(action: str, result: Any, engine: Any, **options: Any) -> Any:
    """Puts a result to the guard before it is delivered: a dict as it is, anything else as ``{"result": value}``. Returns the original, or what
    a rule replaced it with.

    Raises ``BlockedError``: the result must not be delivered. The effects of the call stand either way.
    """
    return run(deliver(action, result, guard_options(engine, "sync", **options)))


async def enforce_tool_result_async(action: str, result: Any, engine: Any, **options: Any) -> Any:
    """As ``enforce_tool_result``, with an engine of either kind."""
    return await run_async(deliver(action, result, guard_options(engine, "async", **options)))


def resume_tool_call(action: str, approval_id: str, call_id: str, engine: Any, **options: Any) -> Dict[str, Any]:
    """Asks the daemon to run an approved call, and returns the arguments to run it with: the whole of what was approved, as today's rules leave
    it. Its result is put to the guard under the same call id.

    Where the client itself may approve (``decision.details.code`` is ``escalated``), asking is saying yes. Raises ``NotApprovedError`` (nobody
    approved it yet), ``BlockedError`` (denied, expired, revoked, not this call's, or blocked by today's rules), ``ReplayedError`` (it ran already).
    """
    approval = Approval(approval_id, call_id)
    return resumed(action, approval, run(ask_to_resume(action, approval, guard_options(engine, "sync", **options)))).args


async def resume_tool_call_async(
    action: str, approval_id: str, call_id: str, engine: Any, **options: Any
) -> Dict[str, Any]:
    """As ``resume_tool_call``, with an engine of either kind."""
    approval = Approval(approval_id, call_id)
    decision = await run_async(ask_to_resume(action, approval, guard_options(engine, "async", **options)))
    return resumed(action, approval, decision).args


def report_outcome(status: str, engine: Any, call_id: str, error: Optional[BaseException] = None) -> bool:
    """Tells the daemon what became of a call that may run and has no result: ``"failed"`` with the ``error``, of which only the class is told,
    or ``"abandoned"``. Never raises for want of a daemon: False where it was not recorded."""
    return run(report(status, error, guard_options(engine, "sync", call_id=call_id)))


async def report_outcome_async(status: str, engine: Any, call_id: str, error: Optional[BaseException] = None) -> bool:
    """As ``report_outcome``, with an engine of either kind."""
    return await run_async(report(status, error, guard_options(engine, "async", call_id=call_id)))
