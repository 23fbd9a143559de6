"""A stage, a state, a move and a piece of evidence are one row each, in ``projects.workflow`` and nowhere else."""

from __future__ import annotations

import ast
from pathlib import Path

from tests.conftest import ROOT

WORDS = {"Move", "State", "Stage", "Evidence"}
# The demo tells what its people write into each review: its own story, no fact about the process.
ELSEWHERE = {ROOT / "deid_portal" / "demo" / "story.py"}


def keyed(source: str) -> list[int]:
    """The lines of the dictionaries in ``source`` whose keys are members of the process's vocabulary."""
    return [
        node.lineno
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Dict)
        and any(
            isinstance(key, ast.Attribute) and isinstance(key.value, ast.Name) and key.value.id in WORDS
            for key in node.keys
        )
    ]


def outside() -> list[Path]:
    return [
        path
        for package in ("approvals", "deid_portal", "projects")
        for path in sorted((ROOT / package).rglob("*.py"))
        if "workflow" not in path.parts and path not in ELSEWHERE
    ]


def test_no_other_module_keeps_a_table_by_move_state_stage_or_evidence():
    tables = [f"{path.relative_to(ROOT)}:{line}" for path in outside() for line in keyed(path.read_text())]
    assert tables == []


def test_such_a_table_would_be_found():
    assert keyed("TASKS = {\n    State.DRAFT: 1,\n}\nOTHER = {Role.PLANNER: 2, 'x': Move.CLOSE}") == [1]
