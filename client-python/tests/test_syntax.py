"""The package runs on Python 3.9: newer syntax, and modules and names that came later, are found here on any version."""

import ast
import os
import re
import unittest

import interlock_guard
from interlock_guard import version
from interlock_guard.features import FEATURE_NAMES
from interlock_guard.wire_error import WIRE_ERROR_CODES

PACKAGE = os.path.dirname(interlock_guard.__file__)
ROOT = os.path.dirname(os.path.dirname(PACKAGE))
FILES = sorted(name for name in os.listdir(PACKAGE) if name.endswith(".py"))
STANDARD = frozenset(
    "__future__ ast asyncio base64 binascii collections concurrent contextlib datetime enum errno fcntl functools hashlib inspect io json"
    " math os platform re secrets select socket stat struct sys tempfile threading time typing uuid warnings weakref".split()
)


def text_of(name: str) -> str:
    with open(os.path.join(PACKAGE, name), encoding="utf-8") as file:
        return file.read()


class Syntax(unittest.TestCase):
    def test_every_file_is_python_3_9(self) -> None:
        self.assertGreater(len(FILES), 30)
        for name in FILES:
            with self.subTest(name):
                ast.parse(text_of(name), feature_version=(3, 9))
                # What the parser of a newer Python lets pass for 3.9.
                tree = ast.parse(text_of(name))
                for node in ast.walk(tree):
                    self.assertNotIn(type(node).__name__, ("Match", "TryStar", "TypeAlias"))

    def test_unions_of_newer_pythons_stand_in_annotations_that_are_postponed(self) -> None:
        for name in FILES:
            tree = ast.parse(text_of(name))
            is_postponed = any(
                isinstance(node, ast.ImportFrom) and node.module == "__future__" for node in ast.walk(tree)
            )
            for node in ast.walk(tree):
                for annotation in (getattr(node, "annotation", None), getattr(node, "returns", None)):
                    if isinstance(annotation, ast.BinOp):
                        with self.subTest(name):
                            self.assertTrue(is_postponed)

    def test_nothing_is_imported_but_the_standard_library_and_the_package(self) -> None:
        for name in FILES:
            for node in ast.walk(ast.parse(text_of(name))):
                with self.subTest(name):
                    if isinstance(node, ast.Import):
                        for alias in node.names:
                            self.assertIn(alias.name.split(".")[0], STANDARD)
                    if isinstance(node, ast.ImportFrom) and node.level == 0:
                        self.assertIn(str(node.module).split(".")[0], STANDARD)

    def test_no_file_is_longer_than_350_lines(self) -> None:
        self.assertEqual([name for name in FILES if text_of(name).count("\n") > 350], [])

    def test_the_package_says_that_it_is_typed(self) -> None:
        self.assertTrue(os.path.exists(os.path.join(PACKAGE, "py.typed")))

    def test_the_version_is_that_of_the_project_file(self) -> None:
        with open(os.path.join(os.path.dirname(PACKAGE), "pyproject.toml"), encoding="utf-8") as file:
            self.assertIn(f'\nversion = "{version.VERSION}"\n', file.read())

    def test_the_codes_of_the_wire_are_those_of_its_catalogue(self) -> None:
        with open(os.path.join(ROOT, "wire", "errors.ts"), encoding="utf-8") as file:
            catalogue = file.read().split("wireErrorCodes = Object.freeze({")[1].split("} satisfies")[0]
        self.assertEqual(WIRE_ERROR_CODES, frozenset(re.findall(r"^  ([a-z_]+):", catalogue, re.MULTILINE)))

    def test_the_features_are_those_of_the_catalogue(self) -> None:
        with open(os.path.join(ROOT, "wire", "features.ts"), encoding="utf-8") as file:
            catalogue = file.read().split("featureNames = Object.freeze([")[1].split("]")[0]
        self.assertEqual(FEATURE_NAMES, frozenset(re.findall(r'"([a-z_]+)"', catalogue)))


if __name__ == "__main__":
    unittest.main()
