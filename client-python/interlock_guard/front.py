"""What the engines of both kinds do alike: making questions, and reading their conclusions."""

from __future__ import annotations

import os
import secrets
import time
from typing import Callable, Optional

from .blocked import BlockedError, blocked
from .decision import Decision
from .delivery import Delivery
from .features import Features
from .frames import Event, event_frame
from .greeting import Greeting
from .offline_desk import OfflineDesk
from .question import Absent, NoVerdict, Question
from .reasons import allowed_unseen, not_put_to_guard, too_many_waiting
from .settings import EngineSettings
from .stats import Tally


def new_delivery(settings: EngineSettings, tally: Tally, reached: Callable[[Features], None]) -> Delivery:
    """A session of its own: a forked child or another event loop never shares one."""
    has_token = settings.token is not None or settings.token_file is not None
    greeting = Greeting(secrets.token_urlsafe(32), settings.scope, has_token, settings.fallback is not None)
    return Delivery(settings, greeting, f"op-{os.getpid()}-", tally, reached)


class Front:
    def __init__(self, settings: EngineSettings, tally: Tally) -> None:
        self._settings = settings
        self._tally = tally
        fallback = settings.fallback
        self.desk = None if fallback is None else OfflineDesk(fallback, settings.path, settings.on_fallback)
        """Decides while nobody listens; None where nothing does."""

    def event_question(self, delivery: Delivery, event: Event) -> Question:
        """Made before anything is waited for: what is judged is what the arguments are at this moment. Raises ``BlockedError``."""
        if event.principal is None and self._settings.principal is not None:
            event = event._replace(principal=self._settings.principal)
        if event.ts is None:
            event = event._replace(ts=time.time())
        call_id = event.call_id if event.phase == "call" else None
        subject = "result" if event.phase == "result" else "call"
        return self.question(
            delivery,
            event.action,
            subject,
            call_id,
            lambda question_id, features: event_frame(question_id, event, features),
        )

    def question(
        self,
        delivery: Delivery,
        action: str,
        subject: str,
        call_id: Optional[str],
        frame_of: Callable[[str, Features], bytes],
    ) -> Question:
        """``call_id`` is that of the call which it is to let run."""
        question_id = delivery.next_id()
        features = delivery.features
        try:
            frame = frame_of(question_id, features)
        except Exception as error:
            raise self._refused(action, subject, not_put_to_guard(action, subject, error)) from None
        if delivery.line.is_full:
            raise self._refused(action, subject, too_many_waiting(len(delivery.line)))
        return Question(question_id, action, subject, call_id, frame, features, delivery.deadline())

    def concluded(self, question: Question) -> Decision:
        """The decision, or what stands in for one. Raises ``BlockedError``."""
        conclusion = question.conclusion
        if isinstance(conclusion, Decision):
            return conclusion
        if isinstance(conclusion, Absent):
            return self._without_daemon(question.action, conclusion)
        if isinstance(conclusion, NoVerdict):
            raise blocked(question.action, conclusion.reason)
        self._tally.unanswered += 1
        raise blocked(question.action, "the guard engine gave no verdict")

    def _without_daemon(self, action: str, absent: Absent) -> Decision:
        try:
            decision = self._fallback(action, absent)
        except BlockedError:
            self._tally.unanswered += 1
            raise
        self._tally.fallbacks += 1
        return decision

    def _fallback(self, action: str, absent: Absent) -> Decision:
        reason = absent.reason
        if self.desk is not None:
            return self.desk.decide(action, absent.frame, reason)
        if self._settings.unreachable != "allow":
            raise blocked(action, reason)
        try:
            self._settings.on_fallback(allowed_unseen(action, reason))
        except Exception:
            raise blocked(action, f"{reason}; and on_fallback raised") from None
        return Decision.allow(reason)

    def _refused(self, action: str, subject: str, reason: str) -> BlockedError:
        """Refused here, before anything was sent."""
        if subject == "outcome":
            self._tally.unreported += 1
        elif subject != "offline":
            self._tally.local += 1
        return blocked(action, reason)
