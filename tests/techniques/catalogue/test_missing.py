"""What the catalogue says of missing values, held against whole runs: none turns into a value unseen."""

from __future__ import annotations

import csv
import io
import random
from collections import Counter
from pathlib import Path

import pytest

from techniques import catalogue
from techniques.catalogue.technique import MISSING_TEXTS, Missing, Scope
from techniques.engines.local import DirectoryWorkspace, LocalRun
from techniques.recipe.recipe import Recipe
from tests.techniques.catalogue.test_claims import CASES
from tests.techniques.engines.conftest import SECRETS, result_of, source_of

KEYS = [
    spec.key for spec in catalogue.techniques() if spec.scope is not Scope.STRUCTURE and spec.key in CASES
]


def run(key: str, folder: Path) -> tuple[list[list[str]], list[list[str]], list[list[str]]]:
    """Cells before and after, of the rows that are left, and all cells before: three tables by row."""
    make, width, parameters = CASES[key][0]
    draw, rows = random.Random(5), 8 if key == "encryption.homomorphic" else 200
    before = [["" if draw.random() < 0.2 else make(draw) for _ in range(width)] for _ in range(rows)]
    names = [f"c{i}" for i in range(width)]
    source = io.StringIO()
    writer = csv.writer(source, lineterminator="\n")
    writer.writerows([["row", *names], *([str(number), *cells] for number, cells in enumerate(before))])
    # A model's sensitive columns are read by its step and not treated.
    treated = list(parameters.get("hierarchies", names))
    step = {"technique": key, "columns": treated, "parameters": parameters}
    steps = [step]
    if catalogue.get(key).missing is Missing.DRAWN:
        steps.append({"technique": "suppression.remove_column", "columns": ["row"], "parameters": {}})
    recipe = Recipe.from_data({"recipe": 1, "unlisted": "keep", "steps": steps})
    made = LocalRun(recipe, source_of(source.getvalue().encode(), rows), DirectoryWorkspace(folder), SECRETS)
    made.execute_all()
    after = list(csv.DictReader(io.StringIO(result_of(made).decode())))
    cells = [[row[name] for name in names] for row in after]
    left = [before[int(row["row"])] for row in after] if after and "row" in after[0] else []
    return left, cells, before


@pytest.mark.parametrize("key", [key for key in KEYS if catalogue.get(key).missing is not Missing.LEFT_OUT])
def test_missing_values_become_what_the_catalogue_says(key: str, tmp_path: Path) -> None:
    missing = catalogue.get(key).missing
    left, after, all_before = run(key, tmp_path)
    assert after
    if missing is Missing.DRAWN:
        share = sum(cell == "" for row in after for cell in row) / sum(map(len, after))
        assert 0.02 < share < 0.6
        return
    if missing is Missing.MOVED:
        gaps = [Counter(tuple(cell == "" for cell in row) for row in table) for table in (after, all_before)]
        assert gaps[0] == gaps[1]
        return
    assert any("" in row for row in left) or key.startswith("model.")
    for old, new in zip(left, after, strict=True):
        if missing is Missing.ROW and "" in old:
            assert set(new) == {""}
        elif not key.startswith("model."):
            assert all(made == "" for given, made in zip(old, new, strict=True) if given == "")
        else:
            # Generalised up to the last level missing becomes * as everything does, and no other value.
            assert all(made in ("", "*") for given, made in zip(old, new, strict=True) if given == "")


def test_every_answer_has_words() -> None:
    assert set(MISSING_TEXTS) == set(Missing)
    assert catalogue.get("randomization.microaggregation").as_dict()["missing"] == "row"
