"""What is shown of rows: never a value of another row of the person, nor one that is only written otherwise."""

from __future__ import annotations

import io
import re

import pytest

from projects.datasets.tables.selectors import dataset_now, first_table
from projects.processing.editor.whole.rows import rows_shown
from techniques.core.secrets import Secrets
from techniques.engines.local import LocalRun
from techniques.engines.parts import Source
from techniques.engines.preview import MemoryWorkspace
from techniques.recipe.recipe import Recipe
from techniques.tables.formats import FileFormat
from tests.projects.processing.conftest import at_processing

START = at_processing
pytestmark = pytest.mark.django_db
MASKED = re.compile(r".?\*{3}")
VISITS = [
    (f"P{row // 2:03}", f"所见甲{row:03}所见乙", f"{100 + 37 * row}", f"２０20/1/{row % 28 + 1}")
    for row in range(120)
]
"""Two rows of each person."""


def shown_of(processing, steps):
    lines = ["who,finding,fee,day", *(",".join(row) for row in VISITS)]
    content = ("\n".join(lines) + "\n").encode()
    recipe = Recipe.from_data(
        {"recipe": 1, "unlisted": "keep", "order": "kept", "subject": ["who"], "steps": steps}
    )
    source = Source(lambda: io.BytesIO(content), FileFormat(), len(VISITS))
    run = LocalRun(recipe, source, MemoryWorkspace(), Secrets(bytes(32), bytes(32), once=bytes(32)), "csv")
    run.execute_all()
    found = rows_shown(dataset_now(first_table(processing)), recipe, *run.first_rows(len(VISITS)))
    assert found["columns"] == ["who", "finding", "fee", "day"]
    assert any(one["kept"] for one in found["rows"])
    return [dict(zip(found["columns"], one["cells"], strict=True)) for one in found["rows"] if one["kept"]]


@pytest.mark.parametrize("how", ["maximum", "minimum", "sum", "values"])
def test_what_is_put_together_of_a_person_is_masked(processing, how):
    """Its highest amount, say, is that of another row of the person to the last digit."""
    collected = {"finding": "values", "fee": how}
    step = {
        "technique": "statistical.row_per_person",
        "columns": ["finding", "fee"],
        "parameters": {"keep": "first", "collected": collected},
    }
    rows = shown_of(processing, [step])
    for row in rows:
        for name in ("finding", "fee"):
            assert all(MASKED.fullmatch(cell) for cell in row[name]), row


def test_it_stays_masked_whatever_treats_it_afterwards(processing):
    together = {
        "technique": "statistical.row_per_person",
        "columns": ["finding"],
        "parameters": {"keep": "last", "collected": {"finding": "values"}},
    }
    after = {
        "technique": "suppression.mask",
        "columns": ["finding"],
        "parameters": {"keep_left": 9, "keep_right": 0},
    }
    assert all(MASKED.fullmatch(row["finding"][1]) for row in shown_of(processing, [together, after]))


def test_what_is_kept_or_only_written_otherwise_is_masked(processing):
    steps = [
        {"technique": "preparation.normalise", "columns": ["day"], "parameters": {"dates": True}},
        {"technique": "as_is", "columns": ["day"], "parameters": {"reason": "a try"}},
        {"technique": "generalization.rounding", "columns": ["fee"], "parameters": {"base": 1000.0}},
    ]
    rows = shown_of(processing, steps)
    for row in rows:
        assert all(MASKED.fullmatch(row[name][1]) for name in ("who", "finding", "day")), row
    assert any(not MASKED.fullmatch(row["fee"][1]) for row in rows), "what is treated is shown"


def test_nearly_the_same_amount_is_masked(processing):
    step = {"technique": "generalization.rounding", "columns": ["fee"], "parameters": {"base": 10.0}}
    assert all(MASKED.fullmatch(row["fee"][1]) for row in shown_of(processing, [step]))
