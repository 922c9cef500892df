"""Puts a result to the guard before it is delivered."""

from __future__ import annotations

from typing import Any

from .asking import ask
from .blocked import BlockedError
from .decision import Verdict
from .flow import Flow
from .options import GuardOptions
from .replay import recorded_form


def deliver(action: str, result: Any, options: GuardOptions) -> Flow[Any]:
    """The original, or what a rule replaced it with. Raises ``BlockedError``: it must not be delivered. The effects of the call stand either way."""
    replays = getattr(options.engine, "replays", False) is True
    view = recorded_form(result) if replays else result if type(result) is dict else {"result": result}
    decision = yield from ask(action, view, "result", options)
    if options.enforcement == "monitor" or decision.verdict is Verdict.ALLOW:
        return result
    if decision.verdict is Verdict.MODIFY:
        # What replaces a result need not have its type: a rule may answer a string for an object.
        return result if decision.modified_result is None else decision.modified_result
    # A result is never escalated.
    raise BlockedError(decision, action)
