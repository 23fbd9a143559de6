"""A result as a run really writes it, and what the gate says of it: the engine and the gate, no portal."""

from __future__ import annotations

import hashlib
import io
import random
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from projects.objective.targets.risk import RiskTargets
from projects.verification.gate.case import Case, Table
from projects.verification.gate.measurement import measure
from projects.verification.gate.sampling import persons_left_out, rows_left_out
from projects.verification.reports.gate import CheckResult, Measurement
from techniques.core.attributes import AttributeRole
from techniques.core.subjects import Subjects
from techniques.engines.local import DirectoryWorkspace, LocalRun, Secrets, Source
from techniques.engines.reporting import sampling_chances, sampling_fraction
from techniques.families.pseudonymization import made_up_names
from techniques.recipe.recipe import Recipe
from techniques.tables import FileFormat
from tests.techniques.drawn import id_number

ROWS = 400
SECRETS = Secrets(
    key=b"a key of thirty-two bytes, or so",
    seed=20_240_607,
    purposes={"study": b"what projects of the study share"},
    once=b"a key of this run and of no other",
)
CSV = FileFormat(kind="csv")
D, Q, S, O = AttributeRole  # noqa: E741  in their order: direct, quasi, sensitive, other
ROLES = {
    "姓名": D, "身份证号": D, "手机": D, "银行卡": D, "住址": D, "病历号": D, "备注": O,
    "性别": Q, "年龄": Q, "就诊日期": Q, "地区": Q, "纬度": Q, "经度": Q, "费用": S, "诊断": S, "科室": O,
}  # fmt: skip
_PLACES = ["江西省南昌市东湖区", "江西省南昌市西湖区", "广东省深圳市南山区", "广东省深圳市福田区"]


@cache
def patients() -> list[dict[str, str]]:
    """400 patients, a row each; nobody is rare in sex, age group and province."""
    draw = random.Random(37964)
    rows = []
    for number in range(ROWS):
        place = _PLACES[number % 4]
        rows.append(
            {
                "姓名": made_up_names.name(draw.randrange(made_up_names.CAPACITY)),
                "身份证号": id_number(draw),
                "手机": f"139{draw.randrange(10**8):08}",
                "银行卡": _card(draw),
                "住址": f"{place}{draw.choice(['丰和', '创业', '滨河'])}路{draw.randrange(1, 900)}号",
                "病历号": f"M{draw.randrange(10**8):08}",
                "备注": draw.choice(["复诊", "初诊", f"来电{'138'}{draw.randrange(10**8):08}"]),
                "性别": "男女"[number // 4 % 2],
                "年龄": str(20 + number // 8 % 5 * 10 + draw.randrange(10)),
                "就诊日期": f"2024-{draw.randrange(1, 4):02}-{draw.randrange(1, 29):02}",
                "地区": place,
                "纬度": f"{28 + draw.random() / 5:.5f}",
                "经度": f"{115 + draw.random() / 5:.5f}",
                "费用": str(draw.randrange(20, 400) * 10),
                "诊断": draw.choice(["流感", "肺炎", "哮喘", "胃炎", "骨折"]),
                "科室": draw.choice(["内科", "外科", "儿科"]),
            }
        )
    return rows


def _card(draw: random.Random) -> str:
    from techniques.identification.checks import luhn

    first = f"622202{draw.randrange(10**9):09}"
    return next(first + str(digit) for digit in range(10) if luhn(first + str(digit)))


def step(technique: str, *columns: str, **parameters: Any) -> dict[str, Any]:
    return {"technique": technique, "columns": list(columns), "parameters": parameters}


def table_of(rows: Sequence[Mapping[str, str]]) -> bytes:
    lines = [",".join(rows[0]), *(",".join(row.values()) for row in rows)]
    return ("\n".join(lines) + "\n").encode()


def released(
    columns: Sequence[str],
    *steps: Mapping[str, Any],
    rows: Sequence[Mapping[str, str]] = (),
    roles: Mapping[str, AttributeRole] = ROLES,
    sharing: str = "controlled",
    subject: str = "",
    same_seed: Sequence[int] = (),
    population: bytes = b"",
    severities: Mapping[str, str] = MappingProxyType({}),
    exempted: Mapping[str, str] = MappingProxyType({}),
    **targets: Any,
) -> Measurement:
    """What the gate says of ``columns`` of the patients, treated by ``steps``; columns that no step names stay. ``subject``:
    the column that tells whose the rows are; ``same_seed``: other runs with this one's seed; ``population``: the population
    table that was named, none where it is empty; ``severities``: the harm that sensitive attributes do; ``exempted``: why further columns may stay."""
    source = table_of([{column: row[column] for column in columns} for row in rows or patients()])
    whose = {"subject": subject} if subject else {}
    recipe = Recipe.from_data(
        {"recipe": 1, "order": "shuffled", "steps": [*steps, *_left(columns, steps)]} | whose
    )
    written, report, subjects = run(recipe, source)
    count = source.count(b"\n") - 1
    digest = hashlib.sha256(written).hexdigest()
    risk = {"k": 5, "measure": "max", "max_risk": 0.2, "overall_threshold": 0.2} | targets
    case = Case(
        source=Table(lambda: io.BytesIO(source), CSV, count),
        result=Table(lambda: io.BytesIO(written), CSV, report["rows_out"], frozenset(columns)),
        recipe=recipe,
        roles={column: roles[column] for column in columns},
        risk=RiskTargets.model_validate(risk),
        utility=[],
        file_name="result.csv",
        result_sha256=digest,
        read_sha256=digest,
        rows_in=count,
        sharing_type=sharing,
        same_seed=same_seed,
        steps=report["steps"],
        sampling_fraction=sampling_fraction(report),
        sampling_chances=sampling_chances(report),
        person_key=(subject,) if subject else None,
        subjects=lambda: subjects,
        rows_not_drawn=rows_left_out(report),
        severities=severities,
        population=Table(lambda: io.BytesIO(population), CSV, population.count(b"\n") - 1)
        if population
        else None,
        population_sha256=hashlib.sha256(population).hexdigest() if population else "",
        persons_not_drawn=persons_left_out(report),
        exempted={
            "费用": "the sums are what the study is about, and nobody outside the hospital knows one",
            **exempted,
        },
    )
    return measure({"": case}, [], lambda share: None)


def run(recipe: Recipe, source: bytes) -> tuple[bytes, dict[str, Any], Subjects | None]:
    """The bytes of the result, the report of the run, and whose the rows of the result are."""
    with tempfile.TemporaryDirectory() as folder:
        of = Source(lambda: io.BytesIO(source), CSV, source.count(b"\n") - 1)
        done = LocalRun(recipe, of, DirectoryWorkspace(Path(folder)), SECRETS)
        report = done.execute_all()
        with done.workspace.open_read(done.result_name) as stream:
            return stream.read(), report, done.subjects()


def _left(columns: Sequence[str], steps: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    named = {column for one in steps for column in one["columns"]}
    left = [column for column in columns if column not in named]
    return [step("as_is", *left, reason="needed for the study")] if left else []


def stopped_by(found: Measurement) -> list[CheckResult]:
    """The checks that do not pass."""
    return [check for check in found.checks if check.passed is not True]
