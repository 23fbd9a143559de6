"""The tests of a package stand in the folder of the same path."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT

PRODUCT = ("approvals", "deid_portal", "projects", "techniques")
TESTS = ROOT / "tests"


def packages(root: Path, top: str) -> set[Path]:
    return {path.parent.relative_to(root) for path in (root / top).rglob("__init__.py")}


def modules(top: str) -> list[Path]:
    return sorted(path.relative_to(TESTS) for path in (TESTS / top).rglob("test_*.py"))


def imported(module: Path) -> Iterator[Path]:
    """The packages of the product that a module of tests imports from."""
    for node in ast.walk(ast.parse((TESTS / module).read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for name in node.names:
                whole = Path(*node.module.split("."), name.name)
                yield next(path for path in (whole, *whole.parents) if (ROOT / path).is_dir())


@pytest.mark.parametrize("top", PRODUCT)
def test_every_folder_of_tests_is_a_package_of_the_product(top: str) -> None:
    assert packages(TESTS, top) <= packages(ROOT, top)


@pytest.mark.parametrize("top", PRODUCT)
def test_every_package_has_tests_of_its_own(top: str) -> None:
    assert {path.parts[1] for path in packages(ROOT, top) if len(path.parts) > 1} <= {
        module.parts[1] for module in modules(top)
    }


@pytest.mark.parametrize("top", PRODUCT)
def test_a_module_stands_beside_what_it_tests(top: str) -> None:
    """What imports, of its own package, from one sub-package alone belongs into the folder of that."""
    for module in modules(top):
        here = module.parent
        within = {path.relative_to(here).parts[:1] for path in imported(module) if path.is_relative_to(here)}
        assert within == {()} or len(within) != 1, f"{module} belongs to {here / within.pop()[0]}"
