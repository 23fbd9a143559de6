"""What is suggested is tried on tables of many kinds: it runs, and what stays ``*`` throughout is said with what was tried."""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace

import pytest
from django.utils.translation import override

from projects.identification.enums import ENGINE_ROLE
from projects.objective.targets.risk import risk_defaults
from projects.processing.models import Proposal
from projects.processing.recipes.proposal.pages import said
from projects.processing.recipes.suggestion import suggested_steps
from techniques.anonymization import proposal as engine
from techniques.engines.parts import Source
from techniques.engines.workspace import DirectoryWorkspace
from techniques.hierarchies.readings import Readings
from techniques.identification.metadata.lookup import lookup
from techniques.identification.metadata.table import DEFAULT_METADATA_TABLE
from techniques.identification.rules import scan
from techniques.identification.verdict import suggest
from techniques.recipe.recipe import Recipe
from techniques.tables import detect, open_table

from ..test_tables import MADE, PLACES, SEX, _between, _day, _one_of, _written

ROLES = {engine_role: role.value for role, engine_role in ENGINE_ROLE.items()}


@dataclass(frozen=True)
class Kind:
    """A table; ``persons`` is its key of persons, ``linked`` the columns that another table refers to."""

    content: Callable[[], bytes]
    persons: tuple[str, ...] = ()
    linked: frozenset[str] = frozenset()


def _wide() -> bytes:
    columns = {f"item {number}": _between(0, 9) for number in range(56)}
    return _written(
        {
            "年龄": _between(18, 90),
            "性别": SEX,
            "民族": _one_of("汉族", "回族"),
            "婚姻状况": _one_of("未婚", "已婚"),
            **columns,
        },
        500,
    )


def _parents() -> bytes:
    chance = random.Random(5)
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(["病历号", "就诊日期", "性别", "年龄", "诊断"])
    for person in range(600):
        sex, age = chance.choice("男女"), chance.randint(1, 95)
        for _visit in range(chance.randint(1, 4)):
            day = f"2024-{chance.randint(1, 12):02}-{chance.randint(1, 28):02}"
            writer.writerow([f"BL{person:08}", day, sex, age, chance.choice(["高血压", "肺炎", "骨折"])])
    return text.getvalue().encode()


KINDS: dict[str, Kind] = {
    **{name: Kind(content) for name, content in MADE.items() if name != "visits"},
    "several rows a person": Kind(_parents, persons=("病历号",)),
    "one of a linked pair": Kind(_parents, persons=("病历号",), linked=frozenset({"病历号"})),
    "sixty rows": Kind(lambda: _written({"年龄": _between(20, 60), "性别": SEX, "学历": _one_of("本科", "硕士")}, 60)),
    "sixty columns": Kind(_wide),
    "days of fifty years": Kind(lambda: _written({"出生日期": _day(1950, 2000), "入职日期": _day(1975, 2024), "性别": SEX})),
    "places": Kind(lambda: _written({"家庭住址": _one_of(*PLACES), "工作地址": _one_of(*PLACES), "年龄": _between(0, 99)})),
    "identifiers alone": Kind(
        lambda: _written({"姓名": _one_of("王伟", "李娜"), "手机号": lambda c: f"139{c.randrange(10**8):08}"}, 300)
    ),
    "mostly empty": Kind(
        lambda: _written({"年龄": lambda c: c.choice([""] * 9 + ["41"]), "性别": lambda c: c.choice(["", "", "男"]), "职业": lambda c: ""})
    ),
    "GB18030": Kind(lambda: MADE["staff"]().decode().encode("gb18030")),
}  # fmt: skip


@contextmanager
def _place() -> Iterator[DirectoryWorkspace]:
    with TemporaryDirectory() as folder:
        yield DirectoryWorkspace(Path(folder))


def _tried(kind: Kind) -> tuple[engine.Proposal, list[str]]:
    content = kind.content()
    form = detect(io.BytesIO(content))
    with open_table(io.BytesIO(content), form) as reader:
        batches = list(reader.batches())
    columns, rows = batches[0].schema.names, sum(batch.num_rows for batch in batches)
    watch = Readings(columns, rows)
    scanned = scan(watch.watched(batches), columns)
    named = suggest(columns, lookup(columns, DEFAULT_METADATA_TABLE), scanned)
    verdicts = [
        SimpleNamespace(
            column=name, kind=one.kind or "", role=ROLES.get(one.role, "other"), severity="",
            provenance={"rules": {"readings": watch.of(name)}},
        )
        for name, one in named.items()
    ]  # fmt: skip
    steps = suggested_steps(verdicts, risk_defaults("controlled"), kind.linked, by_persons=bool(kind.persons))  # type: ignore[arg-type]
    recipe = {
        "recipe": 1,
        "unlisted": "refuse",
        "order": "shuffled",
        "subject": [*kind.persons],
        "steps": steps,
    }
    source = Source(lambda: io.BytesIO(content), form, rows, len(content))
    return engine.proposal(Recipe.from_data(recipe), source, _place), columns


def _check(kind: Kind) -> engine.Proposal:
    found, columns = _tried(kind)
    kept = Proposal(result=found.as_dict())
    with override("en"):
        words = said(kept)
    with override("zh-hans"):
        assert len(said(kept)["texts"]) == len(words["texts"])
    taken = found.taken
    if taken is None:
        assert found.attempts[0].error is not None
        assert "does not run" in words["title"]
        return found
    assert taken.rows
    if found.k:
        assert taken.smallest >= found.k
    if taken.emptied:
        assert len(found.attempts) > 1, "other ways are tried first"
        assert all(one.error or len(one.emptied) >= len(taken.emptied) for one in found.attempts)
        assert all(name in " ".join(words["texts"]) for name in taken.emptied), "it is said"
    else:
        assert "No column is “*” in every row." in words["texts"][0]
    assert set(taken.emptied) <= set(columns)
    return found


@pytest.mark.parametrize("name", KINDS)
def test_the_suggestion_is_tried_on_tables_of_many_kinds(name: str) -> None:
    found = _check(KINDS[name])
    # Where other ways exist none of these tables loses a column; one of nothing but identifiers has nothing left.
    if name == "identifiers alone":
        assert found.taken is None
    else:
        assert found.taken is not None
        assert not found.taken.emptied
    assert (found.persons is None) == (not KINDS[name].persons)


def test_the_suggestion_is_tried_on_the_census_table(real_data_dir: Path) -> None:
    found = _check(Kind((real_data_dir / "adult_full.csv").read_bytes))
    assert found.attempts[0].emptied, "by the rules alone columns would be lost"
    assert found.taken is not None
    assert not found.taken.emptied
