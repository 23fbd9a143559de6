"""A result that leaks nothing, and what can be put into it that does: source and written table beside each other.

No recipe is run: the gate judges the written file, whatever made it.
"""

from __future__ import annotations

import io
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from projects.objective.targets.risk import RiskTargets
from projects.verification.gate.case import Case, Table
from projects.verification.gate.measurement import measure
from projects.verification.reports.gate import Measurement
from techniques.core.attributes import AttributeRole
from techniques.recipe.recipe import Recipe
from techniques.tables import FileFormat
from tests.techniques.drawn import id_number

ROWS = 240
CSV = FileFormat(kind="csv")
D, Q, S, O = AttributeRole  # noqa: E741  in their order: direct, quasi, sensitive, other
Row = Mapping[str, Any]


@dataclass(frozen=True)
class Put:
    """A column beside the safe ones: what the source holds and what was written, both in the order of the source.

    Without ``written`` the source's values stay as they are; without ``source`` only the result has the column. The
    recipe treats the column by ``step``.
    """

    role: AttributeRole
    source: Callable[[Row], str] | None = None
    written: Callable[[Row], str] | None = None
    step: Mapping[str, Any] = field(
        default_factory=lambda: {"technique": "as_is", "parameters": {"reason": "for this suite"}}
    )


@dataclass(frozen=True)
class Leak:
    """The check that stops it, the columns that leak, and the rows as they are written where that is the leak."""

    check: str
    put: Mapping[str, Put]
    more: Mapping[str, Any] = field(default_factory=dict)


def treated(written: Callable[[Row], str], column: str = "身份证号") -> dict[str, Put]:
    """A direct identifier that a step names, and what was written of it."""
    return {
        column: Put(
            D,
            written=written,
            step={"technique": "suppression.mask_identifier", "parameters": {"kind": "name"}},
        )
    }


def other(of: Callable[[Row], str], role: AttributeRole = O) -> dict[str, Put]:
    """A column of the source that stays as it is."""
    return {"编码": Put(role, of)}


def added(written: Callable[[Row], str]) -> dict[str, Put]:
    """A column that stands in the result alone."""
    return {"编码": Put(O, written=written)}


@cache
def people() -> list[Row]:
    """240 persons, a row each: no two are alike in name, number, telephone or record; four classes of 60."""
    draw = random.Random(37964)
    names = [a + b + c for a in "赵钱孙李周吴郑王" for b in "伟芳娜敏静" for c in "强磊洋艳勇杰"]
    phones = draw.sample(range(10**8), ROWS)
    records = draw.sample(range(10**7), ROWS)
    draw.shuffle(names)
    return [
        {
            "number": number + 1,
            "name": names[number],
            "id": id_number(draw),
            "phone": f"139{phones[number]:08}",
            "record": f"M{records[number]:07}",
            "sex": "男女"[number % 2],
            "band": ["20-39", "40-59"][number // 2 % 2],
            "illness": draw.choice(["流感", "肺炎", "哮喘", "胃炎", "骨折"]),
        }
        for number in range(ROWS)
    ]


SAFE = {
    "姓名": (D, "name", False), "身份证号": (D, "id", False), "手机": (D, "phone", False),
    "病历号": (D, "record", False), "性别": (Q, "sex", True), "年龄": (Q, "band", True), "诊断": (S, "illness", True),
}  # fmt: skip
"""Column → (role, what it holds, whether it is in the result)."""


def released(
    put: Mapping[str, Put] | None = None,
    *,
    rows: Sequence[Row] = (),
    order: Callable[[list[Row]], list[Row]] | None = None,
    **targets: Any,
) -> Measurement:
    """What the gate says of the safe result with the columns ``put`` into it.

    ``order`` makes of the rows those that are written, in their order; by default all of them, shuffled.
    """
    added, source = put or {}, list(rows or people())
    written = order(source) if order else random.Random(1).sample(source, len(source))
    before = {name: (lambda row, of=of: row[of]) for name, (_role, of, _kept) in SAFE.items()}
    after = {name: before[name] for name, (_role, _of, kept) in SAFE.items() if kept and name not in added}
    for name, one in added.items():
        value = one.written or one.source or before[name]
        after[name] = value
        if name not in before and one.source:
            before[name] = one.source
    roles = {name: role for name, (role, _of, _kept) in SAFE.items()}
    roles |= {name: one.role for name, one in added.items()}
    case = Case(
        source=_table(source, before),
        result=_table(written, after),
        recipe=_recipe(before, after, added),
        roles={name: roles[name] for name in before},
        risk=RiskTargets.model_validate(
            {"k": 5, "measure": "max", "max_risk": 0.2, "overall_threshold": 0.2, **targets}
        ),
        utility=[],
        file_name="result.csv",
        result_sha256="as it was written",
        read_sha256="as it was written",
        rows_in=len(source),
        sharing_type="controlled",
    )
    return measure({"": case}, [], lambda share: None)


def _recipe(before: Mapping[str, Any], after: Mapping[str, Any], added: Mapping[str, Put]) -> Recipe:
    named = [name for name in after if name in before]
    steps = [{**added[name].step, "columns": [name]} for name in named if name in added]
    plain = [name for name in named if name not in added]
    steps.append({"technique": "as_is", "columns": plain, "parameters": {"reason": "for this suite"}})
    removed = [name for name in before if name not in after]
    if removed:
        steps.append({"technique": "suppression.remove_column", "columns": removed})
    return Recipe.from_data({"recipe": 1, "steps": steps})


def _table(rows: Sequence[Row], columns: Mapping[str, Callable[[Row], str]]) -> Table:
    quoted = [",".join(_cell(value(row)) for value in columns.values()) for row in rows]
    content = ("\n".join([",".join(columns), *quoted]) + "\n").encode()
    return Table(lambda: io.BytesIO(content), CSV, len(rows))


def _cell(text: str) -> str:
    return f'"{text}"' if "," in str(text) else str(text)


def stopped_by(found: Measurement) -> set[str]:
    """The kinds of the checks that do not pass."""
    return {check.kind for check in found.checks if check.passed is not True}
