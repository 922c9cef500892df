import base64
import datetime
import json
import os
import tempfile
import unittest
from unittest import mock

from interlock_guard.pinned_scope import pinned_scope
from interlock_guard.signed_file import SignedFileRefused, public_keys_of

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def outcome_of(path: str, key_path: str) -> str:
    try:
        return pinned_scope(path, key_path)
    except SignedFileRefused as refusal:
        return refusal.code


class PinnedScope(unittest.TestCase):
    def test_every_document_of_the_corpus_is_pinned_or_refused_as_in_every_other_language(self) -> None:
        with open(os.path.join(ROOT, "conformance", "scopes.json"), encoding="utf-8") as file:
            corpus = json.load(file)
        self.assertGreater(len(corpus["documents"]), 25)
        with tempfile.TemporaryDirectory() as directory:
            path, key_path = os.path.join(directory, "scopes.json"), os.path.join(directory, "scopes.pub")
            for entry in corpus["documents"]:
                with open(path, "w", encoding="utf-8") as file:
                    file.write(entry["document"])
                with open(key_path, "w", encoding="utf-8") as file:
                    file.write(corpus["keys"][entry["key"]])
                now = datetime.datetime.fromisoformat(entry["now"].replace("Z", "+00:00")).timestamp()
                with self.subTest(entry["name"]), mock.patch("time.time", return_value=now):
                    self.assertEqual(outcome_of(path, key_path), entry["expect"])

    def test_a_key_that_anybody_can_sign_for_is_none(self) -> None:
        for point in ("01" + "00" * 31, "00" * 31 + "80", "ec" + "ff" * 30 + "7f"):
            der = bytes.fromhex("302a300506032b6570032100" + point)
            pem = f"-----BEGIN PUBLIC KEY-----\n{base64.b64encode(der).decode()}\n-----END PUBLIC KEY-----\n"
            with self.assertRaisesRegex(SignedFileRefused, "must hold 1 to 64 Ed25519 public keys"):
                public_keys_of(pem.encode(), "scopes.pub")


if __name__ == "__main__":
    unittest.main()
