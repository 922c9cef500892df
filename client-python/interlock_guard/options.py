"""How a call is guarded."""

from __future__ import annotations

import math
from typing import Any, Callable, Dict, NamedTuple, Optional

from .limits import DEFAULT_ESCALATE_DEADLINE_S, LONGEST_WAIT_S


class Escalation(NamedTuple):
    """What ``on_escalate`` is asked."""

    action: str
    reason: str
    """One line of at most 512 bytes."""
    args: Dict[str, Any]
    """A copy of the arguments that will run if this is approved: after rewrites, and nothing else runs."""
    approval_id: Optional[str]
    """The daemon's approval, where it made one."""


class Replay(NamedTuple):
    """A call that was not run, because it ran before; its recorded result was delivered instead."""

    action: str
    transaction_id: str
    """The transaction of the call that ran."""


class GuardOptions(NamedTuple):
    """As given to every guard by name; ``guard_options`` checks them.

    ``engine``            a ``RemoteEngine``, an ``AsyncRemoteEngine``, or anything with ``evaluate(event)``
    ``enforcement``       ``"monitor"`` asks and ignores the verdict; where there is none the call is blocked all the same
    ``principal``, ``parent_principal``, ``span_id``  who acts, for whom, in which run
    ``call_id``           the same for a call and its result, so that the daemon can close the one with the other; wrappers make one
    ``on_escalate``       asked for a human's yes with an ``Escalation``; only ``True`` approves this one call
    ``escalate``          ``"wait"`` waits for an operator's yes and runs what was approved; ``"refuse"`` raises ``NotApprovedError``
    ``escalate_deadline`` how many seconds ``"wait"`` waits
    ``on_replay``         told of each ``Replay`` by wrappers. If it raises, the recorded result is not delivered
    """

    engine: Any
    caller: str
    """``sync`` where the caller waits in place, ``async`` where it is a task. Not a setting: told to the daemon as what the client says of itself."""
    enforcement: str = "blocking"
    principal: Optional[str] = None
    parent_principal: Optional[str] = None
    span_id: Optional[str] = None
    call_id: Optional[str] = None
    on_escalate: Optional[Callable[[Escalation], Any]] = None
    escalate: str = "refuse"
    escalate_deadline: float = DEFAULT_ESCALATE_DEADLINE_S
    on_replay: Optional[Callable[[Replay], None]] = None


def guard_options(engine: Any, caller: str, **options: Any) -> GuardOptions:
    """``caller`` is ``sync`` or ``async``. A setting that is misspelled would weaken the guard unseen: it raises ``TypeError`` or ``ValueError`` when the guard is made."""
    checked = GuardOptions(engine, caller, **options)
    if not callable(getattr(engine, "evaluate", None)):
        raise TypeError("guard options: engine needs an evaluate method")
    if checked.enforcement not in ("blocking", "monitor"):
        raise ValueError('guard options: enforcement is "blocking" or "monitor"')
    for name in ("on_escalate", "on_replay"):
        function = getattr(checked, name)
        if function is not None and not callable(function):
            raise TypeError(f"guard options: {name} is a function")
    if checked.escalate not in ("refuse", "wait"):
        raise ValueError('guard options: escalate is "refuse" or "wait"')
    if checked.escalate == "wait" and not callable(getattr(engine, "resume", None)):
        raise TypeError('guard options: escalate="wait" needs an engine with a resume method')
    seconds: object = checked.escalate_deadline
    if type(seconds) not in (int, float) or not (math.isfinite(seconds) and 0 < seconds <= LONGEST_WAIT_S):  # type: ignore[arg-type,operator]
        raise ValueError(f"guard options: escalate_deadline is a number of seconds above 0, at most {LONGEST_WAIT_S:g}")
    return checked
