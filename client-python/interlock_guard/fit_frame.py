"""Makes a question's frame fit a daemon."""

from __future__ import annotations

from .admission import admit
from .codec import decode_value
from .features import Features
from .frames import Event, event_frame
from .greeting import Terms
from .question import Question
from .wire_error import bad_request


def fit_frame(question: Question, terms: Terms) -> None:
    """Made anew where the daemon agreed to other features than those it was made for, and from the frame, not from the caller's objects,
    which may have changed since.

    Raises ``WireError``: the arguments need a feature that this daemon does not have, or are too long for it.
    """
    if question.subject in ("outcome", "resume") and "call_id" not in terms.features:
        raise bad_request("this daemon keeps no transactions")
    if question.subject == "offline" and "offline" not in terms.features:
        raise bad_request("this daemon is told of nothing that was decided without it")
    if question.features != terms.features:
        if question.subject in ("call", "result") and not _same_text(question.features, terms.features):
            body = admit(question.frame)["event"]
            body["args"] = decode_value(body["args"], "escape" in question.features)
            question.frame = event_frame(question.id, Event(**body), terms.features)
        question.features = terms.features
    if len(question.frame) > terms.max_frame_bytes:
        raise bad_request(f"as a frame they are longer than the {terms.max_frame_bytes} bytes that the daemon reads")


def _same_text(one: Features, other: Features) -> bool:
    """Do two peers read the same text as the same event?"""
    return all((name in one) == (name in other) for name in ("escape", "call_id", "grade"))
