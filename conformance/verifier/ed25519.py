"""Ed25519 verification (RFC 8032, section 5.1.7) with Python's own integers. It signs nothing and keeps no secret, so its
time may depend on what it is given: about three milliseconds a signature.

It accepts exactly what OpenSSL accepts (and so Node's `crypto.verify`): `S` must be below the group's order, so that nobody
can make a second signature of one that he saw, and `R` is compared as bytes, so that it has one encoding. The signed
equation is the one without a cofactor.
"""

import hashlib
from typing import Optional, Tuple

__all__ = ["verify"]

_P = 2**255 - 19
_ORDER = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, _P - 2, _P) % _P
_TWO_D = 2 * _D % _P
_ROOT_OF_MINUS_ONE = pow(2, (_P - 1) // 4, _P)

# Extended homogeneous coordinates (X, Y, Z, T): x = X/Z, y = Y/Z, x*y = T/Z (RFC 8032, 5.1.4).
_Point = Tuple[int, int, int, int]
_NEUTRAL: _Point = (0, 1, 1, 0)


def verify(public_key: bytes, message: bytes, signature: bytes) -> bool:
    """Is this the key's signature over the message? False for whatever is not 32 and 64 bytes."""
    if len(public_key) != 32 or len(signature) != 64:
        return False
    scalar = int.from_bytes(signature[32:], "little")
    if scalar >= _ORDER:
        return False
    key = _decode(public_key)
    if key is None:
        return False
    digest = hashlib.sha512(signature[:32] + public_key + message).digest()
    challenge = int.from_bytes(digest, "little") % _ORDER
    return _encode(_sum_of_products(scalar, _BASE, challenge, _negative(key))) == signature[:32]


def _decode(encoded: bytes) -> Optional[_Point]:
    """The point of 32 bytes, or None where there is none. A `y` of p or more is taken modulo p, as OpenSSL does."""
    number = int.from_bytes(encoded, "little")
    sign = number >> 255
    y = (number & (2**255 - 1)) % _P
    x = _x_of(y)
    if x is None:
        return None
    if x & 1 != sign:
        x = -x % _P
    return (x, y, 1, x * y % _P)


def _x_of(y: int) -> Optional[int]:
    numerator = (y * y - 1) % _P
    denominator = (_D * y * y + 1) % _P
    # The root of a quotient in one exponentiation (RFC 8032, 5.1.3).
    x = numerator * pow(denominator, 3, _P) * pow(numerator * pow(denominator, 7, _P), (_P - 5) // 8, _P) % _P
    square = denominator * x * x % _P
    if square == numerator:
        return x
    if square == -numerator % _P:
        return x * _ROOT_OF_MINUS_ONE % _P
    return None


def _encode(point: _Point) -> bytes:
    x, y, z, _ = point
    inverse = pow(z, _P - 2, _P)
    return (y * inverse % _P | (x * inverse % _P & 1) << 255).to_bytes(32, "little")


def _negative(point: _Point) -> _Point:
    x, y, z, t = point
    return (-x % _P, y, z, -t % _P)


def _add(left: _Point, right: _Point) -> _Point:
    x1, y1, z1, t1 = left
    x2, y2, z2, t2 = right
    a = (y1 - x1) * (y2 - x2) % _P
    b = (y1 + x1) * (y2 + x2) % _P
    c = t1 * _TWO_D * t2 % _P
    d = 2 * z1 * z2 % _P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % _P, g * h % _P, f * g % _P, e * h % _P)


def _double(point: _Point) -> _Point:
    x, y, z, _ = point
    a = x * x % _P
    b = y * y % _P
    c = 2 * z * z % _P
    h = a + b
    e = h - (x + y) * (x + y) % _P
    g = a - b
    f = c + g
    return (e * f % _P, g * h % _P, f * g % _P, e * h % _P)


def _sum_of_products(m: int, left: _Point, n: int, right: _Point) -> _Point:
    """m * left + n * right, the doublings shared (Straus)."""
    both = _add(left, right)
    total = _NEUTRAL
    for bit in range(max(m.bit_length(), n.bit_length()) - 1, -1, -1):
        total = _double(total)
        in_m, in_n = m >> bit & 1, n >> bit & 1
        if in_m and in_n:
            total = _add(total, both)
        elif in_m:
            total = _add(total, left)
        elif in_n:
            total = _add(total, right)
    return total


def _base_point() -> _Point:
    base = _decode((4 * pow(5, _P - 2, _P) % _P).to_bytes(32, "little"))
    assert base is not None
    return base


_BASE = _base_point()
