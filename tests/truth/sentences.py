"""Every sentence that a gate, a report or a document can print of a table, found in the source of the product."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MODULES = (
    "projects/verification/gate/**/*.py",
    "projects/processing/runs/findings.py",
    "techniques/recipe/review.py",
    "techniques/identification/residual.py",
    "techniques/identification/survivors.py",
    "techniques/identification/traces/*.py",
    "techniques/disclosure_risk/explain.py",
    "techniques/disclosure_risk/joined.py",
    "techniques/disclosure_risk/scales/evaluation.py",
)
_MARKS = {"_", "gettext", "gettext_lazy", "gettext_noop", "ngettext", "ngettext_lazy", "pgettext"}
DEFINITIONS = {
    "label",
    "meaning",
    "expression",
    "signs",
    "measures",
    "of_persons",
    "_SHARES",
    "CLASS_SIGNS",
    "PERSON_SIGNS",
}
"""Names under which stand headings, and what a check, a formula or a sign is: said of no table."""


@cache
def sentences() -> Mapping[str, str]:
    """Sentence → the module that prints it first; what only defines is left out."""
    found: dict[str, str] = {}
    for pattern in MODULES:
        for path in sorted(ROOT.glob(pattern)):
            tree = ast.parse(path.read_text("utf-8"))
            for said in _said(tree, defines=False):
                found.setdefault(said, path.relative_to(ROOT).as_posix())
    return found


def _said(node: ast.AST, *, defines: bool) -> Iterator[str]:
    if isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        defines = defines or any(isinstance(one, ast.Name) and one.id in DEFINITIONS for one in targets)
    elif isinstance(node, ast.keyword):
        defines = (defines or node.arg in DEFINITIONS) and node.arg != "plain"
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _MARKS:
        if not defines:
            yield from (
                one.value for one in node.args if isinstance(one, ast.Constant) and isinstance(one.value, str)
            )
        return
    for child in ast.iter_child_nodes(node):
        yield from _said(child, defines=defines)


@cache
def as_pattern(message: str) -> str:
    """A regular expression for what ``message`` becomes with its parameters."""
    parts = re.split(r"(%\(\w+\)(?:\.\d+)?[sdf])", message.replace("%%", "%"))
    found = (
        re.escape(part) if not number % 2 else r"(?:(?!\. [A-Z]).)*" if part.endswith("s") else r"-?[\d.]+"
        for number, part in enumerate(parts)
    )
    return "".join(found)


def the_one(begins: str) -> str:
    """The sentence that begins so or holds these words."""
    found = (
        [one for one in sentences() if one == begins]
        or [one for one in sentences() if one.startswith(begins)]
        or [one for one in sentences() if begins in one]
    )
    assert len(found) == 1, (begins, found)
    return found[0]
