"""A small table with everything in it that a run may stumble over, and a recipe for it."""

from __future__ import annotations

import io
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from techniques.engines.local import DirectoryWorkspace, LocalRun, Secrets, Source
from techniques.recipe.recipe import Recipe
from techniques.tables.formats import FileFormat

ROWS = 1500
SECRETS = Secrets(key=b"a key of thirty-two bytes, or so", seed=42)

RECIPE = """
steps:
  - {technique: suppression.remove_column, column: remark}
  - {technique: suppression.mask_identifier, column: name, parameters: {kind: name}}
  - {technique: pseudonymization.keyed_hash, column: id, parameters: {length: 24, domain: patients}}
  - {technique: generalization.rounding, columns: [fee], parameters: {base: 10, method: stochastic}}
  - {technique: generalization.top_bottom_coding, column: fee, parameters: {top_rows: 20}}
  - {technique: suppression.rare_values, column: diagnosis, parameters: {minimum_count: 8, maximum_share: 0.5}}
  - {technique: generalization.date, column: visit, parameters: {unit: month}}
  - technique: model.k_anonymity
    columns: [sex, age, born]
    parameters:
      k: 4
      suppression_limit: 0.1
      hierarchies:
        sex: {kind: star}
        age: {kind: intervals, widths: [5, 10, 20]}
        born: {kind: dates, units: [month, year, decade]}
  - technique: suppression.rare_records
    columns: [sex, age, born, visit]
    parameters: {minimum_count: 2, maximum_share: 1.0}
  - {technique: as_is, column: diagnosis, parameters: {reason: needed for the study}}
"""


def table(rows: int, seed: int = 1) -> str:
    """A CSV text with missing values, repeated subjects, cells that repeat and cells that do not."""
    draw = random.Random(seed)
    lines = ["name,id,sex,age,born,fee,visit,diagnosis,remark"]
    for number in range(rows):
        cells = [
            "王李张刘陈"[draw.randrange(5)] + chr(0x4E00 + draw.randrange(2000)),
            str(draw.randrange(10**15, 10**15 + rows // 2)),
            draw.choice(["男", "女", "女", ""]),
            str(draw.randrange(100)) if draw.random() < 0.97 else "",
            f"{draw.randrange(1950, 2000)}-{draw.randrange(1, 13):02}-{draw.randrange(1, 29):02}",
            f"{draw.expovariate(0.01):.2f}",
            f"2024/{draw.randrange(1, 13)}/{draw.randrange(1, 29)}",
            f"C{int(draw.expovariate(0.05))}",
            f'"说明, {number}"' if draw.random() < 0.1 else "",
        ]
        lines.append(",".join(cells))
    return "\n".join(lines) + "\n"


@pytest.fixture(scope="session")
def content() -> bytes:
    return table(ROWS).encode()


def source_of(content: bytes, rows: int = ROWS) -> Source:
    """Parts of 256 rows: the size is overstated on purpose."""
    return Source(lambda: io.BytesIO(content), FileFormat(kind="csv"), rows, size=1 << 40)


MakeRun = Callable[..., LocalRun]


@pytest.fixture
def make_run(content: bytes, tmp_path: Path) -> MakeRun:
    """A run in a folder of its own; the same ``folder`` twice is the same run met by a new process."""

    def make(
        folder: str = "run", recipe: str = RECIPE, data: bytes | None = None, rows: int = ROWS
    ) -> LocalRun:
        source = source_of(content if data is None else data, rows)
        return LocalRun(Recipe.parse(recipe), source, DirectoryWorkspace(tmp_path / folder), SECRETS)

    return make


def result_of(run: LocalRun) -> bytes:
    """The bytes of the result file."""
    with run.workspace.open_read(run.result_name) as stream:
        return stream.read()
