"""One seed for a whole run: tables, steps and columns of it are drawn apart, so that no two differences give one away (5.5.2 c)."""

from __future__ import annotations

import csv
import io
from itertools import combinations

from techniques.core.secrets import Secrets
from techniques.engines.joint import JointRun, Table
from techniques.engines.local import Source
from techniques.engines.preview import MemoryWorkspace
from techniques.recipe.recipe_set import RecipeSet
from techniques.tables import FileFormat

COLUMNS = ("a", "b", "c")
CONTENT = (",".join(COLUMNS) + "\n" + "1000,1000,1000\n" * 200).encode()


def test_equal_values_of_two_tables_steps_or_columns_are_moved_apart() -> None:
    one = {
        "recipe": 1,
        "steps": [
            {"technique": "randomization.noise", "columns": ["a", "b"], "parameters": {"spread": 50.0, "unit": "value"}},
            {"technique": "randomization.noise", "columns": ["c"], "parameters": {"spread": 50.0, "unit": "value"}},
        ],
    }  # fmt: skip
    recipes = RecipeSet.from_data({"recipe": 1, "tables": {"first": one, "second": one}})
    source = Source(lambda: io.BytesIO(CONTENT), FileFormat(kind="csv"), 200, len(CONTENT))
    tables = {name: Table(source, MemoryWorkspace()) for name in recipes.tables}
    run = JointRun(recipes, tables, Secrets(b"", 7))
    run.execute_all()
    moved = []
    for local in run.runs.values():
        with local.workspace.open_read(local.result_name) as stream:
            rows = list(csv.DictReader(io.TextIOWrapper(stream, "utf-8-sig")))
        moved += [[row[column] for row in rows] for column in COLUMNS]
    assert len(moved) == 6
    for first, second in combinations(moved, 2):
        equal = sum(x == y for x, y in zip(first, second, strict=True))
        assert equal < 20, "as chance has it, and no more"
