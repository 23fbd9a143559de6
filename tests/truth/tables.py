"""A table as a recipe's file, judged by the gate, with everything a test needs to work out by itself what is true of it."""

from __future__ import annotations

import csv
import io
import random
import re
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np
from django.utils import translation

from projects.objective.targets.risk import RiskTargets
from projects.processing.runs.findings import step_sentences
from projects.verification.gate.case import Case
from projects.verification.gate.case import Table as File
from projects.verification.gate.measurement import measure
from projects.verification.gate.sampling import persons_left_out, rows_left_out
from projects.verification.gate.scales.entropy import entropy_shown
from projects.verification.gate.scales.presentation import degree_statement, scale_rows
from projects.verification.reports.gate import Measurement
from techniques.core.attributes import AttributeRole
from techniques.core.messages import filled
from techniques.engines.local import DirectoryWorkspace, LocalRun, Source
from techniques.engines.reporting import sampling_chances, sampling_fraction
from techniques.recipe.recipe import Recipe
from techniques.tables import FileFormat
from tests.truth.released import SECRETS
from tests.truth.sentences import as_patterns

D, Q, S, O = AttributeRole  # noqa: E741  in their order: direct, quasi, sensitive, other
ROLES = {
    "姓名": D, "手机": D, "病历号": D, "身份证号": D, "性别": Q, "年龄": Q, "地区": Q, "诊断": S, "费用": S, "备注": O,
}  # fmt: skip
CSV = FileFormat(kind="csv")
TARGETS = {
    "k": 5, "measure": "max", "max_risk": 0.2, "overall_threshold": 0.2, "suppression_limit": 0.05,
}  # fmt: skip
Row = Mapping[str, str]
Step = dict[str, Any]


@dataclass(frozen=True)
class Judged:
    """A source, what was written of it, and what the gate says. ``whose`` (written rows) are the persons, where known."""

    source: Sequence[Row]
    written: Sequence[Row]
    roles: Mapping[str, AttributeRole]
    risk: RiskTargets
    steps: Sequence[Step]
    report: Mapping[str, Any]
    found: Measurement
    case: Case
    whose: Sequence[Any] | None = None

    @property
    def quasi(self) -> list[str]:
        """The quasi-identifiers of the result."""
        return [name for name in self.written[0] if self.roles[name] is Q]

    @cached_property
    def classes(self) -> dict[tuple[str, ...], list[int]]:
        """Rows of each combination of quasi-identifiers, by their numbers."""
        found = defaultdict(list)
        for number, row in enumerate(self.written):
            found[tuple(row[name] for name in self.quasi)].append(number)
        return dict(found)

    @property
    def sizes(self) -> list[int]:
        """Rows of each class, or the different persons in it."""
        if self.whose is None:
            return [len(rows) for rows in self.classes.values()]
        return [len({self.whose[row] for row in rows}) for rows in self.classes.values()]

    @property
    def k(self) -> int:
        return min(self.sizes)

    @property
    def smallest(self) -> list[int]:
        """Of each record, or of each person, the size of the smallest class that it is in."""
        least: dict[Any, int] = {}
        for rows, size in zip(self.classes.values(), self.sizes, strict=True):
            for row in rows:
                who = row if self.whose is None else self.whose[row]
                least[who] = min(size, least.get(who, size))
        return list(least.values())

    def below(self, size: int) -> int:
        """Records, or persons, of whom a class is smaller."""
        return sum(one < size for one in self.smallest)

    def column(self, name: str) -> list[str]:
        return [row[name] for row in self.written]

    def counts(self, name: str) -> Counter[str]:
        """How often each value stands in the source."""
        return Counter(row[name] for row in self.source)

    @cached_property
    def said(self) -> frozenset[str]:
        return said_in(self.found, self.report.get("steps", ()))

    def says(self, message: str) -> set[str]:
        return matching(self.said, message)


def said_in(found: Measurement, steps: Iterable[Mapping[str, Any]] = ()) -> frozenset[str]:
    """Every sentence of gate table and report, and what page and paper say of the steps."""
    with translation.override("en"):
        of_steps = [text for step in steps for text in step_sentences(step)]
        scales = [part for row in scale_rows(found.report) for part in _parts(row.plain)]
        shown = entropy_shown(found.report)
        entropy = [part for one in shown for text in one["statements"] for part in _parts(text)]
        degree = found.report.degree
        below = _parts(degree_statement(degree, None)) if degree and degree.degree < 1 else []
    return frozenset([*_texts(found.as_json()), *of_steps, *scales, *entropy, *below])


def _parts(text: str) -> list[str]:
    """The sentences of a paragraph, alone and with those that follow."""
    ends = [0, *(found.end() for found in re.finditer(r"\. (?=[A-Z])", text)), len(text)]
    return [text[begin:end].strip() for place, begin in enumerate(ends) for end in ends[place + 1 :]]


def matching(said: Iterable[str], message: str) -> set[str]:
    """What of it is said in the form of ``message``."""
    return {text for text in said if any(re.fullmatch(form, text) for form in as_patterns(message))}


def _texts(found: Any) -> Iterable[str]:
    if isinstance(found, Mapping):
        if found.get("message"):
            yield filled(found["message"], found.get("params", {}))
        for one in found.values():
            yield from _texts(one)
    elif isinstance(found, list | tuple):
        for one in found:
            yield from _texts(one)


def step(technique: str, *columns: str, **parameters: Any) -> Step:
    return {"technique": technique, "columns": list(columns), "parameters": parameters}


def kept(*columns: str) -> Step:
    return step("as_is", *columns, reason="for this suite")


@cache
def people(rows: int = 60) -> list[Row]:
    """So many persons, a row each, in four classes; five illnesses, each in every class."""
    draw = random.Random(37964)
    names = [a + b + c for a in "赵钱孙李周吴郑王" for b in "伟芳娜敏静" for c in "强磊洋艳勇杰"]
    draw.shuffle(names)
    phones = draw.sample(range(10**8), rows)
    return [
        {
            "姓名": names[number % len(names)] + ("" if number < len(names) else str(number)),
            "手机": f"139{phones[number]:08}",
            "性别": "男女"[number % 2],
            "年龄": ["20-39", "40-59"][number // 2 % 2],
            "诊断": ["流感", "肺炎", "哮喘", "胃炎", "骨折"][number // 4 % 5],
        }
        for number in range(rows)
    ]


def written_of(rows: Sequence[Row], *columns: str, **put: Any) -> list[dict[str, str]]:
    """Some columns of the rows in another order; ``put`` makes columns of a row."""
    shuffled = random.Random(1).sample(list(rows), len(rows))
    names = columns or [name for name in rows[0] if ROLES.get(name) is not D and name not in put]
    return [
        {**{name: row[name] for name in names}, **{name: of(row) for name, of in put.items()}}
        for row in shuffled
    ]


def judged(
    source: Sequence[Row] = (),
    written: Sequence[Row] = (),
    *,
    steps: Sequence[Step] = (),
    roles: Mapping[str, AttributeRole] = ROLES,
    whose: Sequence[Any] | None = None,
    key: tuple[str, ...] | None = (),
    order: str = "shuffled",
    case: Mapping[str, Any] | None = None,
    **targets: Any,
) -> Judged:
    """What the gate says of ``written``, whatever made it; by default it is the source without its direct identifiers."""
    source = list(source or people())
    written = list(written or written_of(source))
    recipe = _recipe(source, written, steps, key, order)
    numbers = {who: number for number, who in enumerate(dict.fromkeys(whose or ()))}
    codes = None if whose is None else np.array([numbers[who] for who in whose], np.int32)
    return _judged(
        source, written, file_of(written), recipe, roles, targets, whose,
        {"person_key": key, "subjects": lambda: codes} | dict(case or {}), {},
    )  # fmt: skip


def ran(
    source: Sequence[Row] = (),
    *steps: Step,
    roles: Mapping[str, AttributeRole] = ROLES,
    key: tuple[str, ...] = (),
    case: Mapping[str, Any] | None = None,
    **targets: Any,
) -> Judged:
    """What the gate says of the file that a run by ``steps`` writes; columns that no step names stay, direct ones go."""
    source = list(source or people())
    recipe = _recipe(source, None, steps, key, "shuffled")
    content = _bytes(source)
    with tempfile.TemporaryDirectory() as folder:
        of = Source(lambda: io.BytesIO(content), CSV, len(source))
        run = LocalRun(recipe, of, DirectoryWorkspace(Path(folder)), SECRETS)
        report = run.execute_all()
        with run.workspace.open_read(run.result_name) as stream:
            result = stream.read()
        codes = run.subjects() if key else None
    written = list(csv.DictReader(io.StringIO(result.decode())))
    about = {
        "steps": report["steps"],
        "sampling_fraction": sampling_fraction(report),
        "sampling_chances": sampling_chances(report),
        "rows_not_drawn": rows_left_out(report),
        "persons_not_drawn": persons_left_out(report),
        "person_key": key,
        "subjects": lambda: codes,
    }
    whose = None if codes is None else list(codes)
    file = File(lambda: io.BytesIO(result), CSV, len(written), frozenset(source[0]))
    return _judged(source, written, file, recipe, roles, targets, whose, about | dict(case or {}), report)


def _judged(
    source: Sequence[Row],
    written: Sequence[Row],
    file: File,
    recipe: Recipe,
    roles: Mapping[str, AttributeRole],
    targets: Mapping[str, Any],
    whose: Sequence[Any] | None,
    about: Mapping[str, Any],
    report: Mapping[str, Any],
) -> Judged:
    risk = RiskTargets.model_validate(TARGETS | targets)
    settings: dict[str, Any] = {
        "source": file_of(source), "result": file, "recipe": recipe, "risk": risk, "utility": [],
        "roles": {name: roles[name] for name in source[0]}, "file_name": "result.csv", "result_sha256": "as written",
        "read_sha256": "as written", "rows_in": len(source), "sharing_type": "controlled",
    }  # fmt: skip
    case = Case(**(settings | dict(about)))
    found = measure({"": case}, [], lambda share: None)
    steps = [one.model_dump(mode="json") for one in recipe.steps]
    return Judged(source, written, roles, risk, steps, report, found, case, whose)


def _recipe(
    source: Sequence[Row], written: Sequence[Row] | None, steps: Sequence[Step], key: Any, order: str
) -> Recipe:
    named = {column for one in steps for column in one["columns"]}
    left = [name for name in source[0] if name not in named]
    goes = [name for name in left if (ROLES.get(name) is D if written is None else name not in written[0])]
    stays = [name for name in left if name not in goes]
    more = [kept(*stays)] if stays else []
    more += [step("suppression.remove_column", *goes)] if goes else []
    about = {"subject": list(key)} if key else {}
    return Recipe.from_data({"recipe": 1, "order": order, "steps": [*steps, *more], **about})


def file_of(rows: Sequence[Row]) -> File:
    content = _bytes(rows)
    return File(lambda: io.BytesIO(content), CSV, len(rows))


def _bytes(rows: Sequence[Row]) -> bytes:
    out = io.StringIO()
    writer = csv.DictWriter(out, rows[0], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode()
