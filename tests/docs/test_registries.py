"""One thing, one row: no table by the codes of techniques, families, kinds, checks, moves, stages or states stands
outside their registries.

A dict, set, list or tuple literal with two or more of these as keys or elements is such a table: the next technique
would have to be written there too. Of families and states, few and for ever the same, two are a rule that names them,
and three a table. Where one is right all the same it is listed here with the reason.
"""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from projects.verification.gate.checks import CHECKS
from projects.workflow import Move, Stage, State
from techniques import catalogue
from techniques.catalogue.family import Family
from techniques.core.kinds import KINDS, Identifier

ROOT = Path(__file__).resolve().parents[2]
PRODUCT = ("approvals/", "deid_portal/", "projects/", "techniques/")


class Registry(NamedTuple):
    """What names the members in code, and the files that may list them: path, or folder ending in ``/`` → why."""

    codes: frozenset[str]
    members: frozenset[str]
    allowed: Mapping[str, str]
    within: tuple[str, ...] = PRODUCT
    """Where to look: elsewhere the codes are ordinary words."""
    fewest: int = 2
    """How many different members make a table."""


REGISTRIES = {
    "technique": Registry(
        frozenset(technique.key for technique in catalogue.techniques()),
        frozenset(),
        {},
    ),
    "kind of identifier": Registry(
        frozenset(KINDS),
        frozenset(f"Identifier.{kind.name}" for kind in Identifier),
        {
            "techniques/core/kinds.py": "the registry",
            "techniques/catalogue/": "the choices of a setting, written as types",
            "techniques/families/suppression/mask_identifier.py": "the mask of each kind is what the technique is",
            "techniques/families/synthesis/identifier.py": "how each kind is made up is what the technique is",
            "techniques/identification/vocabulary.py": "the values of closed lists are data of the rules",
            "deid_portal/accounts/": "fields of an account that are called as kinds are: email, department, language",
            "deid_portal/demo/masking.py": "a policy as a person would write it",
        },
    ),
    "check": Registry(
        frozenset(check.kind for check in CHECKS),
        frozenset(f"{type(check).__name__}{of}" for check in CHECKS for of in ("", ".kind")),
        {
            "approvals/audit/readers/fact_names.py": "names of facts of events, some of which are called as a check is",
            "projects/objective/wording.py": "how each target is asked: the form's fields, in their order",
            "projects/objective/surroundings/views.py": "what the calculator has found: k and the overall risk",
            "projects/processing/advice/model/services.py": "targets, said to the engine by the names it asks for",
        },
        # The engine knows no checks: there these are figures of its own reports.
        ("approvals/", "deid_portal/", "projects/"),
    ),
    "family of techniques": Registry(
        frozenset(),
        frozenset(f"Family.{family.name}" for family in Family),
        {"techniques/catalogue/family.py": "the registry"},
        fewest=3,
    ),
    "stage": Registry(
        frozenset(),
        frozenset(f"Stage.{stage.name}" for stage in Stage),
        {},
    ),
    "state": Registry(
        frozenset(state.value for state in State if "_" in state.value),
        frozenset(f"{prefix}.{state.name}" for state in State for prefix in ("State", "S")),
        {
            "projects/workflow/": "the registry",
            "projects/core/pages.py": "which moves are red: those that stop a project, for good or for a time",
            "deid_portal/demo/story.py": "what the story's supervisor writes in each review",
        },
        fewest=3,
    ),
    "move": Registry(
        frozenset(),
        frozenset(f"{prefix}.{move.name}" for move in Move for prefix in ("Move", "M")),
        {},
    ),
}


@cache
def sources() -> list[str]:
    """Every module of the product but migrations, which keep what was."""
    listed = subprocess.run(["git", "ls-files", "*.py"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [
        name
        for name in listed.stdout.splitlines()
        if name.startswith(PRODUCT) and "/migrations/" not in name and (ROOT / name).is_file()
    ]


Entries = list[tuple[int, list[ast.expr]]]


def literals(source: str) -> Entries:
    """Each literal that could be a table: its line, and its keys or elements."""
    found: Entries = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Dict):
            found.append((node.lineno, [key for key in node.keys if key is not None]))
        elif isinstance(node, ast.Set | ast.Tuple | ast.List) and len(node.elts) > 1:
            found.append((node.lineno, node.elts))
    return found


@cache
def literals_of(name: str) -> Entries:
    """The same of a file of the product."""
    return literals((ROOT / name).read_text(encoding="utf-8"))


def tables(entries: Entries, registry: Registry) -> Iterator[int]:
    """The lines at which a literal lists as many different members of ``registry`` as make a table."""
    for line, listed in entries:
        if len({name for entry in listed if (name := named(entry, registry))}) >= registry.fewest:
            yield line


def named(entry: ast.expr, registry: Registry) -> str:
    """The member that an expression names, as a code, a name or ``Enum.MEMBER``; empty for anything else."""
    if isinstance(entry, ast.Constant) and entry.value in registry.codes:
        return str(entry.value)
    written = ast.unparse(entry) if isinstance(entry, ast.Attribute | ast.Name) else ""
    return written if written in registry.members else ""


@pytest.mark.parametrize("what", REGISTRIES)
def test_a_fact_stands_in_the_row_of_its_thing(what: str) -> None:
    registry = REGISTRIES[what]
    found = [
        f"{name}:{line}"
        for name in sources()
        if name.startswith(registry.within)
        and not any(
            name == place or (place[-1] == "/" and name.startswith(place)) for place in registry.allowed
        )
        for line in tables(literals_of(name), registry)
    ]
    assert found == []


@pytest.mark.parametrize("what", REGISTRIES)
def test_nothing_is_allowed_that_needs_no_leave(what: str) -> None:
    registry = REGISTRIES[what]
    for place, why in registry.allowed.items():
        assert why
        files = [name for name in sources() if name == place or name.startswith(place)]
        assert any(True for name in files for _ in tables(literals_of(name), registry)), place


def test_a_table_is_seen() -> None:
    techniques, moves, checks = (REGISTRIES[what] for what in ("technique", "move", "check"))
    seen = (
        '_SLOW = frozenset({"encryption.homomorphic", "encryption.secret_sharing"})',
        'CLAUSES = {"suppression.mask": "A.3.2", "as_is": "4.1 a"}',
        'if technique in ("as_is", "suppression.remove_column"): pass',
    )
    assert all(list(tables(literals(source), techniques)) == [1] for source in seen)
    assert list(tables(literals("X = {Move.RELEASE: 1, M.CLOSE: 2}"), moves)) == [1]
    assert list(tables(literals('X = {"diversity", "closeness"}'), checks)) == [1]
    assert list(tables(literals("X = (Diversity, Closeness)"), checks)) == [1]
    unseen = ('X = "suppression.mask"', 'X = {"suppression.mask": 1}', 'X = {"columns": 1, "steps": 2}')
    assert not any(list(tables(literals(source), techniques)) for source in unseen)
    stages, states, families = (REGISTRIES[what] for what in ("stage", "state", "family of techniques"))
    assert list(tables(literals("X = {Stage.OBJECTIVE: 1, Stage.RELEASE: 2}"), stages)) == [1]
    assert list(tables(literals("X = (State.APPROVED, State.MONITORING, State.CLOSED)"), states)) == [1]
    assert not list(tables(literals("X = (State.MONITORING, State.CLOSED)"), states))
    lossy = "X = {Family.SUPPRESSION, Family.GENERALISATION, Family.MODEL}"
    assert list(tables(literals(lossy), families)) == [1]
