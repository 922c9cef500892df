"""Times in signed documents, each in one form alone."""

from __future__ import annotations

import datetime
import re
from typing import Any, Optional

_MILLISECONDS = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})\.([0-9]{3})Z")
_WHOLE_SECONDS = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})Z")
_EPOCH = datetime.datetime(1970, 1, 1)


def parse_timestamp(text: Any) -> Optional[int]:
    """Milliseconds since the epoch of ``2027-01-31T12:00:00.000Z``, as a fallback policy has it; None where it is of another form, or no
    day of the calendar."""
    return _in_form(_MILLISECONDS, text)


def parse_time(text: Any) -> Optional[int]:
    """The same of ``2027-01-31T12:00:00Z``, as a scope document has it."""
    return _in_form(_WHOLE_SECONDS, text)


def _in_form(form: "re.Pattern[str]", text: Any) -> Optional[int]:
    found = form.fullmatch(text) if type(text) is str else None
    if found is None:
        return None
    year, month, day, hour, minute, second, *rest = map(int, found.groups())
    millisecond = rest[0] if rest else 0
    try:
        at = datetime.datetime(year, month, day, hour, minute, second, millisecond * 1000)
    except ValueError:
        return None
    return (at - _EPOCH) // datetime.timedelta(milliseconds=1)
