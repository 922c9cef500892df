"""Times in signed documents: ``2027-01-31T12:00:00.000Z``, that form alone."""

from __future__ import annotations

import datetime
import re
from typing import Any, Optional

_FORM = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})\.([0-9]{3})Z")
_EPOCH = datetime.datetime(1970, 1, 1)


def parse_timestamp(text: Any) -> Optional[int]:
    """Milliseconds since the epoch; None where it is of another form, or no day of the calendar."""
    found = _FORM.fullmatch(text) if type(text) is str else None
    if found is None:
        return None
    year, month, day, hour, minute, second, millisecond = map(int, found.groups())
    try:
        at = datetime.datetime(year, month, day, hour, minute, second, millisecond * 1000)
    except ValueError:
        return None
    return (at - _EPOCH) // datetime.timedelta(milliseconds=1)
