"""What became of a call that may run and has no result."""

from __future__ import annotations

from typing import Optional

from .asking import answered
from .decision import Verdict
from .flow import Flow
from .frames import Outcome
from .options import GuardOptions


def report(status: str, error: Optional[BaseException], options: GuardOptions) -> Flow[bool]:
    """Tells the daemon, by the call id that the call was put under; the next such call is then judged afresh. Never raises, as it is told
    beside an error of the caller's own. False where it was not recorded."""
    try:
        tell = getattr(options.engine, "outcome", None)
        if options.call_id is None or not callable(tell):
            return False
        error_type = None if error is None else error_class(error)
        decision = yield from answered("outcome", "call", tell, Outcome(options.call_id, status, error_type))
        return decision.verdict is Verdict.ALLOW
    except Exception:
        return False


def error_class(error: BaseException) -> str:
    """The class of what was raised, for a record that is kept: a name that no class has might be text of the caller's."""
    name = type(error).__name__
    return name if name.isidentifier() and name.isascii() and len(name) <= 64 else "Exception"
