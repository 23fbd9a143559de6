"""What begins with an underscore stays in its own module: nobody else imports it or reads it there."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PRODUCT = ("approvals/", "deid_portal/", "projects/", "techniques/")
DOCUMENTED = {
    "_": "the name under which texts are marked for translation",
    "_meta": "Django's documented interface to the fields of a model",
    "_base_manager": "Django documents it for rows that a manager of its own would hide",
    "_value_": "documented for enums whose members carry more than their value",
    "_replace": "documented for named tuples",
    "_exit": "Python documents it for a process that ends at once",
}
"""Names that begin with an underscore and are public all the same, with the reason."""
INHERITED = {
    (
        "deid_portal/api/schema.py",
        "self._get_filename",
    ): "drf-spectacular has no other word for the name of the schema",
    (
        "deid_portal/broker.py",
        "self._exchange_file",
    ): "the file of a channel that the broker's channel reads and writes",
    (
        "techniques/engines/spark/hive.py",
        "session._jsparkSession",
    ): "PySpark 3.5 has no other word for the catalogue that says where a table's partitions lie",
}
"""(file, name) that a class has from a library's class which it extends, or for which a library has no public word, with the reason."""


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name not in DOCUMENTED


def of_others(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """(line, name) of each private name that a module takes from another one: imported, or read from what is not its own.

    What it reads from itself, from its own classes and from what they made is its own.
    """
    own = {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef | ast.FunctionDef)}
    own |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and is_stored(node)}
    own |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and is_stored(node)}
    imported: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            imported |= {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
            module = (node.module or "") if isinstance(node, ast.ImportFrom) else ""
            for alias in node.names:
                for part in f"{module}.{alias.name}".split("."):
                    if is_private(part):
                        yield node.lineno, alias.name
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and is_private(node.attr):
            root = node.value
            while isinstance(root, ast.Attribute):
                root = root.value
            if node.attr not in own or (isinstance(root, ast.Name) and root.id in imported):
                yield node.lineno, ast.unparse(node)


def is_stored(node: ast.Attribute | ast.Name) -> bool:
    return isinstance(node.ctx, ast.Store)


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("from django.contrib.auth.models import _User as Person", ["_User"]),
        ("from library._inner import thing", ["thing"]),
        ("import argparse\ndef add(x: argparse._SubParsersAction[str]): ...", ["argparse._SubParsersAction"]),
        ("def last(model): return model._default_manager", ["model._default_manager"]),
        ("import a.b\nclass C:\n    def _go(self): a.b._go()", ["a.b._go"]),
        ("from m import _\nclass C:\n    def _go(self): return self._go, C()._go, C._meta", []),
        ("class C:\n    def __init__(self): self._x = 1\n    def x(self, other): return other._x", []),
    ],
)
def test_a_private_name_of_another_is_seen(source: str, found: list[str]) -> None:
    assert [name for _, name in of_others(ast.parse(source))] == found


def test_nobody_uses_what_is_private_to_another_module() -> None:
    listed = subprocess.run(
        ["git", "ls-files", "*.py"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    names = [name for name in listed if name.startswith(PRODUCT) and (ROOT / name).is_file()]
    assert len(names) > 500
    used = {
        (name, private): line
        for name in names
        for line, private in of_others(ast.parse((ROOT / name).read_text(encoding="utf-8")))
    }
    assert {
        f"{name}:{line}: {private}"
        for (name, private), line in used.items()
        if (name, private) not in INHERITED
    } == set()
    assert used.keys() >= INHERITED.keys(), "a reason that nobody needs"
