"""The marks of a daemon beside its socket: ``<socket>.restarting``, ``<socket>.stopped``."""

from __future__ import annotations

import os

_MOST_LINKS = 40
"""As many as a system follows, about; beyond it nobody can connect either."""


def is_marked(socket_path: str, mark: str) -> bool:
    """Does this mark stand? The daemon knows its socket by the path at which it lies; a client may have been given a link to it, and
    looks beside each step of the way. Whatever lies there is one; where it cannot be told, it stands: the error is on the side of waiting."""
    path = socket_path
    for _ in range(_MOST_LINKS + 1):
        if _stands(f"{path}.{mark}"):
            return True
        try:
            target = os.readlink(path)
        except OSError:
            # No link, or nothing there. Anything else shows up beside the mark.
            return False
        path = os.path.join(os.path.dirname(path), target)
    return True


def _stands(mark: str) -> bool:
    try:
        os.lstat(mark)
        return True
    except FileNotFoundError:
        return False
    except OSError:
        return True
