"""What the wire refuses. A code on the wire always means "no verdict": the call must not run."""

from __future__ import annotations

WIRE_ERROR_CODES = frozenset(
    {
        "bad_version",
        "bad_request",
        "too_large",
        "unrepresentable",
        "internal",
        "bad_response",
        "scope_mismatch",
        "not_available",
        "token_malformed",
        "token_unknown_key",
        "token_bad_signature",
        "token_key_revoked",
        "token_other_audience",
        "token_not_yet_valid",
        "token_expired",
        "token_used",
        "token_unchecked",
    }
)


class WireError(Exception):
    """A frame or a value that the wire refuses. The message is one line and never holds a value."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class Unrepresentable(WireError):
    """A value that has no JSON form. It is refused whole, never sent with the part left out."""

    def __init__(self, what: str, where: str = "") -> None:
        super().__init__("unrepresentable", f"{where}: {what} has no JSON form" if where else f"{what} has no JSON form")
        self.what = what
        """What was refused, such as ``a datetime``."""
        self.where = where
        """Where in the value, such as ``items[2].when``; empty for the value itself."""

    def inside(self, step: str) -> "Unrepresentable":
        """The same refusal, one level further out: ``step`` is a key or ``[index]``."""
        joint = "" if self.where == "" or self.where.startswith("[") else "."
        where = f"{step}{joint}{self.where}"
        return Unrepresentable(self.what, where if len(where) <= 256 else f"{where[:256]}...")


def bad_request(message: str) -> WireError:
    return WireError("bad_request", message)
