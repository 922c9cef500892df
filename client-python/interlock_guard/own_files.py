"""The files of the guard itself: its memory of policies and its spool."""

from __future__ import annotations

import os


def write_once(directory: str, name: str, text: str, unique: str) -> bool:
    """Durable when it returns: the file is whole under its name, or nothing is there. False where the name is taken. Raises ``OSError``."""
    draft = os.path.join(directory, f"{unique}.draft")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(text.encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())
        try:
            # A name is given once: nobody's file is written over.
            os.link(draft, os.path.join(directory, name))
        except FileExistsError:
            return False
        _sync_directory(directory)
        return True
    finally:
        remove_file(draft)


def remove_file(path: str) -> None:
    """Somebody else may have removed it."""
    try:
        os.unlink(path)
    except FileNotFoundError:
        pass


def _sync_directory(directory: str) -> None:
    descriptor = os.open(directory, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
