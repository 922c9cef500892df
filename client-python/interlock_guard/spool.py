"""What was decided without the daemon and is to be told to it: one file a decision, of mode 0600, in a directory of ours.

A file is whole and on disk (fsync of it and of the directory) before its decision is acted on, so a crash loses none; processes that
share the directory never write the same file; and any of them, in whatever language, may tell what another left behind.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from typing import Any, Dict, List, Optional, Sequence

from .admission import admit
from .canonical import canonical
from .fallback_document import FallbackRefused
from .own_files import remove_file, write_once
from .signed_file import read_regular_file

MAX_SPOOL_ENTRIES = 4096
"""Beyond it calls are blocked: none is forgotten."""
MAX_SPOOL_ENTRY_BYTES = 32 * 1024

OfflineDecision = Dict[str, Any]
"""With exactly the keys that the frame ``offline`` has for it."""

_NAME = re.compile(r"decided-[0-9a-f]{32}\.json")
_KEYS = frozenset(
    "action args_commitment at_ms call_id id parent_principal phase policy principal rule salt verdict".split()
)


def default_spool() -> str:
    """Where a client keeps what it decided without a daemon, when nobody says otherwise."""
    home = os.environ.get("INTERLOCK_HOME") or os.path.join(os.path.expanduser("~"), ".interlock")
    return os.path.join(os.path.abspath(home), "offline")


def directory_for(spool: str, socket_path: str) -> str:
    """One directory a daemon: what was decided in the place of one is never told to another."""
    digest = hashlib.sha256(os.fsencode(os.path.abspath(socket_path))).hexdigest()
    return os.path.join(spool, digest[:16])


def secure_directory(directory: str) -> None:
    """Makes it where it is not there. Who could write in it, or beside it, could take away what was decided. Raises ``FallbackRefused``."""
    spool = os.path.dirname(directory)
    try:
        # Each by itself: of what it makes on the way, makedirs gives only the last one the mode.
        os.makedirs(spool, mode=0o700, exist_ok=True)
        os.makedirs(directory, mode=0o700, exist_ok=True)
        around, found = os.stat(spool), os.lstat(directory)
    except OSError as error:
        raise unusable(f"{directory} cannot be used ({type(error).__name__})") from None
    if around.st_uid not in (os.getuid(), 0) or around.st_mode & 0o022 and not around.st_mode & stat.S_ISVTX:
        raise unusable(f"{spool} can be written by others; chmod 700 it")
    is_ours = found.st_uid == os.getuid() and stat.S_ISDIR(found.st_mode) and stat.S_IMODE(found.st_mode) & 0o077 == 0
    if not is_ours:
        raise unusable(f"{directory} must be a directory of mode 0700 that belongs to this user")


def unusable(what: str) -> FallbackRefused:
    return FallbackRefused("fallback_spool_unusable", f"the spool {what}")


class Spool:
    def __init__(self, directory: str) -> None:
        self.directory = directory

    def add(self, decision: OfflineDecision) -> None:
        """Durable when it returns. Raises ``FallbackRefused``: it is full, or cannot be written."""
        secure_directory(self.directory)
        if len(self._names()) >= MAX_SPOOL_ENTRIES:
            raise FallbackRefused(
                "fallback_spool_full",
                f"{MAX_SPOOL_ENTRIES} calls decided without the daemon wait for it in {self.directory}; start it",
            )
        try:
            write_once(self.directory, _name(decision), canonical(decision) + "\n", str(decision["id"]))
        except OSError as error:
            raise unusable(f"{self.directory} cannot be written ({type(error).__name__})") from None

    def entries(self, limit: int) -> List[OfflineDecision]:
        """Up to so many of them. A file that is damaged is passed over and stays, for a person to look at; it takes a place."""
        entries: List[OfflineDecision] = []
        for name in self._names():
            if len(entries) == limit:
                break
            entry = _entry(os.path.join(self.directory, name))
            if entry is not None and name == _name(entry):
                entries.append(entry)
        return entries

    def remove(self, decisions: Sequence[OfflineDecision]) -> None:
        """They are recorded."""
        for decision in decisions:
            remove_file(os.path.join(self.directory, _name(decision)))

    def _names(self) -> List[str]:
        try:
            return [name for name in os.listdir(self.directory) if _NAME.fullmatch(name)]
        except FileNotFoundError:
            return []
        except OSError as error:
            raise unusable(f"{self.directory} cannot be read ({type(error).__name__})") from None


def _name(decision: OfflineDecision) -> str:
    return f"decided-{decision['id']}.json"


def _entry(path: str) -> Optional[OfflineDecision]:
    try:
        entry = admit(read_regular_file(path, MAX_SPOOL_ENTRY_BYTES))
    except Exception:
        return None
    # What else a daemon refuses of one, it says itself: then nothing is removed.
    return entry if type(entry) is dict and entry.keys() == _KEYS and type(entry["id"]) is str else None
