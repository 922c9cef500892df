"""Numbers as ECMAScript writes them, which RFC 8785 (3.2.2.3) asks for."""

from __future__ import annotations


def number_text(value: float) -> str:
    """The text of a finite float. Python finds the same shortest digits, and lays them out otherwise (``1e-05``, ``1e+21`` from 1e16 on, ``-0.0``)."""
    text = repr(value)
    # Between these two Python writes no exponent, and what it writes is the same but for the ".0" of a whole number.
    if 1e-4 <= value < 1e16 and not text.endswith(".0"):
        return text
    if text.endswith(".0") and "e" not in text:
        whole = text[:-2]
        return "0" if whole == "-0" else whole
    sign = ""
    if text[0] == "-":
        sign, text = "-", text[1:]
    mantissa, _, power = text.partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    # The value is 0.digits times ten to the power of `point`.
    point = len(whole) + int(power or "0") - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0")
    count = len(digits)
    if count <= point <= 21:
        return f"{sign}{digits}{'0' * (point - count)}"
    if 0 < point <= 21:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    exponent = f"{'+' if point > 0 else '-'}{abs(point - 1)}"
    return f"{sign}{digits[0]}{'.' if count > 1 else ''}{digits[1:]}e{exponent}"
