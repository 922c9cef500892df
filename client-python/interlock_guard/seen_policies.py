"""Which policy was used last: one file a version, none ever written over, so that whatever two processes do at once, the highest stays
the highest."""

from __future__ import annotations

import json
import os
import re
import secrets
from typing import List, Optional

from .admission import admit
from .fallback_document import SeenPolicy
from .own_files import remove_file, write_once
from .signed_file import read_regular_file
from .spool import unusable

_MAX_BYTES = 4096
_NAME = re.compile(r"seen-([0-9]{16})\.json")


def newest_seen(directory: str) -> Optional[SeenPolicy]:
    """None where nothing was decided here yet. What cannot be read was something: nothing is decided then. Raises ``FallbackRefused``."""
    names = _names(directory)
    return _read(os.path.join(directory, names[-1])) if names else None


def remember_seen(directory: str, seen: SeenPolicy) -> None:
    """Older ones are taken away. Raises ``FallbackRefused``."""
    name = _name(seen.version)
    text = json.dumps({"v": 1, **seen._asdict()}, separators=(",", ":")) + "\n"
    try:
        write_once(directory, name, text, secrets.token_hex(16))
        for older in _names(directory):
            if older < name:
                remove_file(os.path.join(directory, older))
    except OSError as error:
        raise unusable(f"cannot remember the policy's version ({type(error).__name__})") from None


def _name(version: int) -> str:
    return f"seen-{version:016d}.json"


def _names(directory: str) -> List[str]:
    """Oldest first."""
    try:
        return sorted(name for name in os.listdir(directory) if _NAME.fullmatch(name))
    except OSError as error:
        raise unusable(f"{directory} cannot be read ({type(error).__name__})") from None


def _read(path: str) -> SeenPolicy:
    damaged = unusable(f"does not say which policy was used: {path} is damaged")
    try:
        found = admit(read_regular_file(path, _MAX_BYTES))
        seen = SeenPolicy(found["id"], found["version"], found["digest"])
        is_whole = type(found["v"]) is int and found["v"] == 1 and type(seen.id) is str and type(seen.digest) is str and type(seen.version) is int
    except Exception:
        raise damaged from None
    if not is_whole or _name(seen.version) != os.path.basename(path):
        raise damaged
    return seen
