"""Every sentence that a gate, a report or a document can print of a table, found in the source of the product."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from pathlib import Path

from techniques.core.messages import of_one

ROOT = Path(__file__).resolve().parents[2]
MODULES = (
    "projects/verification/gate/**/*.py",
    "projects/processing/runs/findings.py",
    "techniques/recipe/review.py",
    "techniques/recipe/guarantees.py",
    "techniques/advice/ranking.py",
    "techniques/identification/residual.py",
    "techniques/identification/survivors.py",
    "techniques/identification/traces/*.py",
    "techniques/disclosure_risk/attacks/explain.py",
    "techniques/disclosure_risk/explain.py",
    "techniques/disclosure_risk/joined.py",
    "techniques/disclosure_risk/scales/evaluation.py",
)
PAGES = (
    "projects/verification/pages.py",
    "projects/verification/presentation.py",
    "projects/verification/sign_off/*.py",
    "projects/verification/comparison/pages.py",
    "projects/verification/remedies/*.py",
    "projects/identification/persons/presentation.py",
    "projects/identification/scanning.py",
    "projects/identification/wording.py",
    "projects/objective/completeness.py",
    "projects/objective/presentation.py",
    "projects/objective/targets/utility.py",
    "projects/processing/recipes/pages.py",
    "projects/objective/plan/documents.py",
    "projects/objective/plan/prefill.py",
    "projects/objective/plan/sentences.py",
    "projects/objective/targets/meanings.py",
    "projects/processing/recipes/objections.py",
    "projects/core/deadlines.py",
    "projects/monitoring/presentation.py",
    "projects/processing/solutions/pages.py",
    "projects/releases/deliveries/notice.py",
    "techniques/advice/models.py",
    "techniques/identification/subjects.py",
    "techniques/identification/verdict.py",
)
"""Modules of pages and documents: beside what they say stand headings and labels, which are no sentences."""
COMMANDS = (
    "techniques/cli/advise.py",
    "techniques/cli/risk.py",
    "techniques/cli/evaluate.py",
    "techniques/cli/findings.py",
    "techniques/cli/preflight.py",
    "techniques/cli/anonymize.py",
    "techniques/cli/utility.py",
)
"""Modules of commands that judge a table; what they print is not translated, so their lines are collected as well."""
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
    for pattern in PAGES:
        for path in sorted(ROOT.glob(pattern)):
            for said in filter(_is_sentence, _said(ast.parse(path.read_text("utf-8")), defines=False)):
                found.setdefault(said, path.relative_to(ROOT).as_posix())
    for name in COMMANDS:
        for line in _lines(ast.parse((ROOT / name).read_text("utf-8"))):
            found.setdefault(line, name)
    return found


def _is_sentence(said: str) -> bool:
    """A verdict such as “No: …”, what ends as a sentence, or what has figures in it."""
    return said.endswith(".") or ": " in said or "%(" in said


def _lines(node: ast.AST) -> Iterator[str]:
    """The lines that a command makes, as messages: what stands in them is called a, b, c and so on."""
    if isinstance(node, ast.JoinedStr):
        names = iter("abcdefghij")
        said = "".join(
            str(part.value) if isinstance(part, ast.Constant) else f"%({next(names)})s"
            for part in node.values
        )
        if re.search("[a-z]{3}", re.sub(r"%\(.\)s", "", said)) or said.startswith("K "):
            yield said
        return
    for child in ast.iter_child_nodes(node):
        yield from _lines(child)


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
def as_patterns(message: str) -> frozenset[str]:
    """Regular expressions for what ``message`` becomes with its parameters, any of which may count one; what is a sentence by
    itself when it says so is left to that."""
    counts = [
        name
        for name in dict.fromkeys(re.findall(r"%\((\w+)\)[ds]", message))
        if of_one(message, {name: 1}) != message
    ]
    of_each = product(*((False, True) for _name in counts))
    forms = ({name: 1 for name, is_one in zip(counts, ones, strict=True) if is_one} for ones in of_each)
    said = {of_one(message, form) for form in forms} - {*sentences()} | {message}
    return frozenset(map(_as_pattern, said))


def _as_pattern(message: str) -> str:
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
