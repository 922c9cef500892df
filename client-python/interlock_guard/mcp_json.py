"""The messages of an MCP SDK as the JSON that is sent, and back. The SDK's models are pydantic's; none of it is imported."""

from __future__ import annotations

from typing import Any, Optional

from .unfit import Unfit


def to_json(value: Any) -> Any:
    """A model as its JSON, without members that are not set; everything else is left for the encoder to accept or refuse."""
    dump = getattr(value, "model_dump", None)
    if callable(dump) and not isinstance(value, type):
        return dump(mode="json", by_alias=True, exclude_none=True)
    if type(value) is dict:
        return {key: to_json(item) for key, item in value.items()}
    if type(value) in (list, tuple):
        return [to_json(item) for item in value]
    return value


def from_json(json: Any, model: Optional[type]) -> Any:
    """What a rule, or the daemon's record, gives in place of a result, as the model that the SDK's callers know. Raises ``Unfit``."""
    validate = getattr(model, "model_validate", None)
    if not callable(validate):
        return json
    try:
        return validate(json)
    except Exception:
        # A validator's message quotes what it was given.
        raise Unfit(f"what replaces the result is no {getattr(model, '__name__', 'result')}") from None
