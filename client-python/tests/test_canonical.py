import collections
import datetime
import decimal
import enum
import struct
import unittest
from typing import Any

from interlock_guard import Unrepresentable, WireError
from interlock_guard.admission import admit
from interlock_guard.canonical import canonical
from interlock_guard.codec import decode_value, encode_text


def double(bits: int) -> float:
    return struct.unpack(">d", struct.pack(">Q", bits))[0]  # type: ignore[no-any-return]


def encode_value(value: Any, escape: bool = False) -> Any:
    return admit(encode_text(value, escape).encode())


class Numbers(unittest.TestCase):
    def test_appendix_b_of_rfc_8785(self) -> None:
        for bits, text in (
            (0x0000000000000000, "0"),
            (0x8000000000000000, "0"),
            (0x0000000000000001, "5e-324"),
            (0x8000000000000001, "-5e-324"),
            (0x7FEFFFFFFFFFFFFF, "1.7976931348623157e+308"),
            (0xFFEFFFFFFFFFFFFF, "-1.7976931348623157e+308"),
            (0x4340000000000000, "9007199254740992"),
            (0xC340000000000000, "-9007199254740992"),
            (0x4430000000000000, "295147905179352830000"),
            (0x44B52D02C7E14AF5, "9.999999999999997e+22"),
            (0x44B52D02C7E14AF6, "1e+23"),
            (0x44B52D02C7E14AF7, "1.0000000000000001e+23"),
            (0x444B1AE4D6E2EF4E, "999999999999999700000"),
            (0x444B1AE4D6E2EF4F, "999999999999999900000"),
            (0x444B1AE4D6E2EF50, "1e+21"),
            (0x3EB0C6F7A0B5ED8C, "9.999999999999997e-7"),
            (0x3EB0C6F7A0B5ED8D, "0.000001"),
            (0x41B3DE4355555553, "333333333.3333332"),
            (0x41B3DE4355555554, "333333333.33333325"),
            (0x41B3DE4355555555, "333333333.3333333"),
            (0x41B3DE4355555556, "333333333.3333334"),
            (0x41B3DE4355555557, "333333333.33333343"),
            (0xBECBF647612F3696, "-0.0000033333333333333333"),
            (0x43143FF3C1CB0959, "1424953923781206.2"),
        ):
            with self.subTest(text):
                self.assertEqual(canonical(double(bits)), text)

    def test_python_s_own_text_is_not_used(self) -> None:
        self.assertEqual(canonical([1e-05, 1e16, 1.0, -0.0, 1e22, 100.0, 0.1]), "[0.00001,10000000000000000,1,0,1e+22,100,0.1]")

    def test_what_is_no_number_of_json_is_refused(self) -> None:
        for value in (float("nan"), float("inf"), -float("inf"), 2**53, -(2**53)):
            with self.subTest(value), self.assertRaises(Unrepresentable):
                canonical(value)
        self.assertEqual(canonical([2**53 - 1, True, 1]), "[9007199254740991,true,1]")


class Values(unittest.TestCase):
    def test_keys_are_in_the_order_of_utf_16(self) -> None:
        self.assertEqual(canonical({"\ue000": 1, "\U00010000": 2, "a": 3, "B": 4}), '{"B":4,"a":3,"\U00010000":2,"\ue000":1}')

    def test_tuples_are_arrays_and_sets_are_sorted_by_their_text(self) -> None:
        self.assertEqual(encode_text(("b", ["a"], {"z", "a"})), '["b",["a"],["a","z"]]')
        self.assertEqual(encode_value({10, 9, "\U00010000", "\ue000"}), ["\U00010000", "\ue000", 10, 9])
        self.assertEqual(encode_value(frozenset({2, 1})), [1, 2])

    def test_bytes_travel_in_an_envelope(self) -> None:
        for raw in (b"", b"\x00\x01\xff", bytearray(b"abc")):
            json = encode_value({"data": raw})
            self.assertEqual(json["data"]["__interlock__"], "bytes")
            self.assertEqual(decode_value(json), {"data": bytes(raw)})

    def test_an_object_that_looks_like_the_envelope_is_escaped_or_refused(self) -> None:
        for tag in ("bytes", "=bytes", "=x"):
            own = {"__interlock__": tag, "b64": "AAH/"}
            self.assertEqual(encode_value(own, escape=True)["__interlock__"], f"={tag}")
            self.assertEqual(decode_value(encode_value(own, escape=True), escape=True), own)
        with self.assertRaisesRegex(Unrepresentable, "looks like encoded bytes"):
            encode_value({"__interlock__": "bytes", "b64": "AAH/"})
        with self.assertRaises(WireError):
            decode_value({"__interlock__": "=other", "b64": ""}, escape=True)

    def test_what_has_no_json_form_is_refused_by_its_place(self) -> None:
        class Colour(enum.IntEnum):
            RED = 1

        class Text(str):
            pass

        point = collections.namedtuple("point", "x y")
        loop: Any = []
        loop.append(loop)
        for value, message in (
            ({"when": [{"at": datetime.date(2026, 1, 1)}]}, "when[0].at: an instance of date has no JSON form"),
            ({"n": decimal.Decimal(1)}, "n: an instance of Decimal"),
            ([point(1, 2)], "[0]: an instance of point"),
            ([Colour.RED], "[0]: an instance of Colour"),
            ([Text("a")], "[0]: an instance of Text"),
            ([collections.OrderedDict()], "[0]: an instance of OrderedDict"),
            ([object()], "[0]: an instance of object"),
            ([memoryview(b"a")], "[0]: an instance of memoryview"),
            ({"a": {1: 2}}, "a: an object with a key that is not a string"),
            ({"a": "\ud800"}, "a: a string with a lone surrogate"),
            ({"\udfff": 1}, "<1 characters>: a key with a lone surrogate"),
            ({"a": float("nan")}, "a: NaN"),
            ({"a": 1e300}, "a: an integer beyond 2^53-1"),
            (loop, "nested deeper than 128 levels"),
        ):
            with self.subTest(message), self.assertRaises(Unrepresentable) as caught:
                encode_value(value, escape=True)
            self.assertIn(message, str(caught.exception))

    def test_128_levels_are_taken_and_129_refused(self) -> None:
        value: Any = 1
        for _ in range(128):
            value = [value]
        self.assertEqual(encode_text(value), "[" * 128 + "1" + "]" * 128)
        with self.assertRaises(Unrepresentable):
            encode_value([value])

    def test_a_value_that_grows_without_bound_is_refused_in_time(self) -> None:
        value: Any = ["x"]
        for _ in range(60):
            value = [value, value]
        with self.assertRaisesRegex(Unrepresentable, "more parts than a frame can hold"):
            encode_value(value)


class Admission(unittest.TestCase):
    def test_what_two_readers_would_read_differently_is_refused(self) -> None:
        for text in (
            b'{"a":1,"a":2}',
            b'{"a":1,"\\u0061":2}',
            b"\xef\xbb\xbf{}",
            b'"\xff"',
            b'"\\ud800"',
            b'{"\\udc00":1}',
            b"9007199254740992",
            b"-9007199254740993",
            b"1" * 5000,
            b"1e400",
            b"-1e400",
            b"1e-400",
            b"NaN",
            b"Infinity",
            b"01",
            b'"\x01"',
            b"[1,]",
            b"",
            b"{} {}",
            b"[" * 129 + b"]" * 129,
            b"[" * 100_000,
            b'["' + b'\\"' * 100_000,
        ):
            with self.subTest(text[:24]), self.assertRaises(WireError) as caught:
                admit(text)
            self.assertEqual(caught.exception.code, "bad_request")

    def test_what_is_strict_json_is_read(self) -> None:
        deep = b"[" * 128 + b"]" * 128
        self.assertEqual(canonical(admit(deep)), deep.decode())
        self.assertEqual(admit(b' {"__proto__":{"a":[1.0,-0,0e5,"\\ud83d\\ude00"]}}\t'), {"__proto__": {"a": [1.0, 0, 0.0, "\U0001f600"]}})
        self.assertEqual(admit(b'["[[[' + b"[" * 200 + b'"]'), ["[[[" + "[" * 200])


if __name__ == "__main__":
    unittest.main()
