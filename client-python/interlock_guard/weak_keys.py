"""Public keys that prove nothing."""

_WEAK = frozenset(
    bytes.fromhex(text)
    for text in (
        "00" * 32,
        "01" + "00" * 31,
        "ec" + "ff" * 30 + "7f",
        "ed" + "ff" * 30 + "7f",
        "ee" + "ff" * 30 + "7f",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    )
)


def is_weak_key(raw: bytes) -> bool:
    """Is it a point of small order, in any form that verifiers read? Anybody can make signatures that hold for it. The top bit is a sign,
    and is left out."""
    return raw[:31] + bytes([raw[31] & 0x7F]) in _WEAK
