"""One call from its question to its delivered result."""

from __future__ import annotations

from typing import Any, Callable, Dict, NamedTuple, NoReturn, Optional

from .blocked import BlockedError, ReplayedError, blocked
from .cut_short import is_cut_short
from .flow import Flow
from .options import GuardOptions, Replay
from .permit import abandon, fail, permit_call
from .unfit import Unfit


def _never(_: Any) -> bool:
    return False


class CallSteps(NamedTuple):
    """How one kind of call is made."""

    run: Callable[[Dict[str, Any]], Flow[Any]]
    """Runs the tool with what was judged. Raises ``Unfit`` before it does where it cannot."""
    deliver: Callable[[Any], Flow[Any]]
    """Puts the result to the guard."""
    replayed: Callable[[Any, str], Any]
    """The recorded result, of that transaction, in the form that is delivered."""
    is_cut_short: Callable[[BaseException], bool] = is_cut_short
    has_failed: Callable[[Any], bool] = _never
    """Did the tool answer that it failed?"""


def guarded_call(action: str, args: Optional[Dict[str, Any]], options: GuardOptions, steps: CallSteps) -> Flow[Any]:
    """What the daemon holds open for the call is closed by the result, or by what became of it instead; a failure to tell is counted, and hides
    no error of the tool's."""
    try:
        permit = yield from permit_call(action, args, options)
    except ReplayedError as error:
        _announce(action, error, options)
        return _unfit_is_blocked(action, lambda: steps.replayed(error.result, error.transaction_id))
    try:
        result = yield from steps.run(permit.args)
    except Unfit as error:
        yield from abandon(permit, options)
        _blocked_for(action, error)
    except BaseException as error:
        if not steps.is_cut_short(error):
            yield from fail(permit, error, options)
        raise
    if steps.has_failed(result):
        yield from fail(permit, ToolError(), options)
    return (yield from steps.deliver(result))


class ToolError(Exception):
    """What a tool's own answer that it failed is reported as."""


def _unfit_is_blocked(action: str, make: Callable[[], Any]) -> Any:
    try:
        return make()
    except Unfit as error:
        _blocked_for(action, error)


def _blocked_for(action: str, error: Unfit) -> NoReturn:
    raise blocked(action, str(error)) from None


def _announce(action: str, error: ReplayedError, options: GuardOptions) -> None:
    """A replay that nobody hears of would be taken for a call that ran."""
    if options.on_replay is None:
        return
    try:
        options.on_replay(Replay(action, error.transaction_id))
    except Exception as raised:
        raise BlockedError(error.decision, action, f"on_replay raised {type(raised).__name__}") from None
