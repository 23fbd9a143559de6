"""Gate, comparison and commands say the same of persons, and it is what a plain count says: on random tables, keys of two
columns, keys that are missing in part or whole."""

from __future__ import annotations

import csv
import io
import json
import random
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from projects.objective.targets.risk import RiskTargets
from projects.verification.comparison.measurement import measure_candidate
from projects.verification.gate.case import Case, Table
from projects.verification.gate.measurement import measure
from techniques.cli.main import main
from techniques.core.attributes import AttributeRole
from techniques.recipe.recipe import Recipe
from techniques.tables import detect
from techniques.tables.subjects import read_subjects

COLUMNS = ["ward", "bed", "a", "b", "s"]
AS_IS = {"technique": "as_is", "columns": COLUMNS, "parameters": {"reason": "nothing is treated"}}
Row = list[str]


def visits(seed: int) -> list[Row]:
    """Some rows a person, told by ward and bed, of which one or both may be missing."""
    draw = random.Random(seed)
    rows = []
    for _row in range(draw.randrange(20, 60)):
        key = [draw.choice(["w1", "w2", ""]), draw.choice(["b1", "b2", "b3", "b4", "b5", ""])]
        rows.append(
            [*key, draw.choice("xy"), draw.choice("uv"), draw.choice("123") if draw.random() < 0.9 else ""]
        )
    return rows


def counted(rows: list[Row], least: int = 1) -> dict[str, Any]:
    """By the definitions, over the classes of at least so many persons: k, average and l, and whose rows are left."""
    whose = [
        (ward, bed) if ward or bed else (str(number),) for number, (ward, bed, *_rest) in enumerate(rows)
    ]
    classes = defaultdict(list)
    for who, (_ward, _bed, a, b, s) in zip(whose, rows, strict=True):
        classes[a, b].append((who, s))
    size = {one: len({who for who, _s in inside}) for one, inside in classes.items()}
    kept = {one: inside for one, inside in classes.items() if size[one] >= least}
    risk: dict[Any, float] = defaultdict(float)
    variety = []
    for one, inside in kept.items():
        values = defaultdict(set)
        for who, s in inside:
            risk[who] = max(risk[who], 1 / size[one])
            values[who].add(s)
        known = {min(own) for own in values.values() if len(own) == 1} - {""}
        variety.append(max(len(known), 1))
    return {
        "k": min((size[one] for one in kept), default=0),
        "average": sum(risk.values()) / max(len(risk), 1),
        "l": min(variety, default=0),
        "persons": len(set(whose)),
        "left": len(risk),
        "rows_left": sum(map(len, kept.values())),
    }


def table(content: bytes) -> Table:
    return Table(lambda: io.BytesIO(content), detect(io.BytesIO(content)), content.count(b"\n") - 1)


def gate(content: bytes) -> tuple[dict[str, Any], Any, Any]:
    """The checks by kind, the report, and what the comparison of candidates keeps, of a file that is left as it is."""
    quasi, other = AttributeRole.QUASI_IDENTIFIER, AttributeRole.DIRECT_IDENTIFIER
    read = table(content)
    targets = {"k": 2, "measure": "max", "max_risk": 0.5, "overall_threshold": 0.5, "l": 2}
    case = Case(
        source=read, result=read, recipe=Recipe.from_data({"recipe": 1, "steps": [AS_IS]}),
        roles={"ward": other, "bed": other, "a": quasi, "b": quasi, "s": AttributeRole.SENSITIVE_ATTRIBUTE},
        risk=RiskTargets.model_validate(targets), utility=(), file_name="visits.csv", result_sha256="",
        rows_in=read.rows, sharing_type="controlled", person_key=("ward", "bed"),
        subjects=lambda: read_subjects(read.batches(), ("ward", "bed")),
    )  # fmt: skip
    found = measure({"": case}, [], lambda share: None)
    checks, report = found.of("")
    return {one.kind: one for one in checks}, report, measure_candidate({"": case}, [], lambda share: None)


@pytest.mark.parametrize("seed", range(8))
def test_all_who_count_persons_agree(seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = visits(seed)
    path, result, report = tmp_path / "visits.csv", tmp_path / "out.csv", tmp_path / "report.json"
    with path.open("w", newline="") as stream:
        csv.writer(stream, lineterminator="\n").writerows([COLUMNS, *rows])
    wanted = counted(rows)

    def said(command: str, *more: str) -> dict[str, Any]:
        assert main([command, *more, "--qi", "a,b", "--subject", "ward,bed"]) in (0, 1)
        found: dict[str, Any] = json.loads(capsys.readouterr().out)
        return found

    risk = said("risk", str(path), "--sensitive", "s", "--json")
    assert (risk["k"], risk["persons"], risk["sensitive"]["s"]["distinct"]) == (
        wanted["k"], wanted["persons"], wanted["l"],
    )  # fmt: skip
    assert risk["average_risk"] == pytest.approx(wanted["average"])
    evaluated = said("evaluate", str(path), "--json")
    assert (evaluated["k"], evaluated["persons"]) == (wanted["k"], wanted["persons"])
    checks, kept, candidate = gate(path.read_bytes())
    assert (checks["k"].measured, checks["diversity"].measured) == (wanted["k"], wanted["l"])
    assert kept.risk.average_risk == pytest.approx(wanted["average"])
    assert candidate.figures.k == wanted["k"]
    assert candidate.figures.average_risk == pytest.approx(wanted["average"])
    # What suppression leaves where no value may be generalised.
    k = 5
    after = counted(rows, k)
    fixed = ("--k", str(k), "--suppression-limit", "1", "--maximum-levels", "a=0,b=0")
    more = ("--keep", "ward,bed,s", "--report", str(report))
    assert (
        main(["anonymize", str(path), str(result), "--qi", "a,b", "--subject", "ward,bed", *fixed, *more])
        == 0
    )
    capsys.readouterr()
    figures = json.loads(report.read_text())
    assert figures["suppressed"] == len(rows) - after["rows_left"]
    assert figures["suppressed_persons"] == wanted["persons"] - after["left"]
    left = said("risk", str(result), "--sensitive", "s", "--suppressed", "left-out", "--json")
    assert (left["k"], left["persons"] if after["left"] else 0) == (after["k"], after["left"])
    assert left["average_risk"] == pytest.approx(after["average"])
    offered = said("preflight", str(path), "--k", "3", "--suppression-limits", "0.2", "--json")
    assert offered["persons"] == wanted["persons"]
    assert np.isfinite(offered["rows"])
