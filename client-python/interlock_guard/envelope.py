"""How bytes travel in JSON: ``{"__interlock__":"bytes","b64":"<standard base64>"}``, an object of exactly these two keys.

The escape (feature ``escape``): a user's own object of that shape, whose tag is ``"bytes"`` or begins with ``=``, is sent with one ``=``
put in front of its tag; the reader takes one away. So a bare ``"bytes"`` on the wire is always bytes, and every value has one encoding.
"""

from __future__ import annotations

import base64
import binascii
from typing import Any, Dict, Optional

TAG_KEY = "__interlock__"
BYTES_KEY = "b64"
BYTES_TAG = "bytes"


def envelope_tag(value: Dict[str, Any]) -> Optional[str]:
    """The tag of an object with exactly the envelope's two keys, where it is a string; None otherwise."""
    if len(value) != 2 or BYTES_KEY not in value:
        return None
    tag = value.get(TAG_KEY)
    return tag if type(tag) is str else None


def needs_escape(tag: str) -> bool:
    return tag == BYTES_TAG or tag.startswith("=")


def bytes_envelope(raw: bytes) -> Dict[str, Any]:
    return {TAG_KEY: BYTES_TAG, BYTES_KEY: base64.b64encode(raw).decode("ascii")}


def strict_base64(text: Any) -> Optional[bytes]:
    """Standard base64 with padding and zero trailing bits, so that bytes have one text. None otherwise."""
    if type(text) is not str:
        return None
    try:
        raw = base64.b64decode(text.encode("ascii"), validate=True)
    except (binascii.Error, ValueError):
        return None
    return raw if base64.b64encode(raw).decode("ascii") == text else None
