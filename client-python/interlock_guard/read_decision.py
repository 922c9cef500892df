"""What a decision says beside its verdict to whoever brings questions to the daemon."""

from __future__ import annotations

from typing import Optional

from .bearer import is_renewed
from .decision import Decision, Verdict
from .question import Question
from .settings import EngineSettings


def call_let_run(question: Question, body: object) -> Optional[str]:
    """The id of the call that it lets run and that the daemon holds something open for; else None."""
    if not isinstance(body, Decision) or body.details is None or body.details.transaction_id is None:
        return None
    return question.call_id if body.verdict in (Verdict.ALLOW, Verdict.MODIFY) else None


def needs_another_token(question: Question, body: object, settings: EngineSettings) -> bool:
    """The token has run out since the connection began, and the next one may show another. Asked so once, as after a loss."""
    if not isinstance(body, Decision) or body.details is None or body.details.code != "token_expired":
        return False
    return not question.was_lost and is_renewed(settings) and "resend" in question.features
