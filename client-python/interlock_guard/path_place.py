"""Does a path that a caller wrote lie in a directory? It is not put in order, since what the tool will make of it is not known here."""

from __future__ import annotations


def is_plain_path(path: str) -> bool:
    """Is it read as one place by every file system? Not so: an empty one, a NUL (where C ends it), a backslash (where Windows parts it), an
    empty segment, ``.`` or ``..``. One leading and one trailing ``/`` are no empty segments."""
    if path == "" or "\0" in path or "\\" in path:
        return False
    if path == "/":
        return True
    inner = path[1 if path.startswith("/") else 0 : len(path) - (1 if path.endswith("/") else 0)]
    return all(segment not in ("", ".", "..") for segment in inner.split("/"))


def is_inside(path: str, directory: str) -> bool:
    """``directory`` ends in ``/``; itself, written without that, is inside. Compared by code points."""
    return path.startswith(directory) or (len(directory) > 1 and path == directory[:-1])
