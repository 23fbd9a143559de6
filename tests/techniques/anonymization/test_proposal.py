"""What is to be proposed was carried out: its figures are those of the file that it wrote, counted here by hand."""

from __future__ import annotations

import csv
import io
import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pytest

from techniques.anonymization import proposal as module
from techniques.anonymization.proposal import Attempt, proposal
from techniques.disclosure_risk.measure import measure
from techniques.engines.parts import Source
from techniques.engines.workspace import DirectoryWorkspace
from techniques.recipe.recipe import Recipe
from techniques.tables import FileFormat


@contextmanager
def place() -> Iterator[DirectoryWorkspace]:
    with TemporaryDirectory() as folder:
        yield DirectoryWorkspace(Path(folder))


def source_of(rows: list[dict[str, str]]) -> Source:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    content = text.getvalue().encode()
    return Source(lambda: io.BytesIO(content), FileFormat(kind="csv"), len(rows), len(content))


def recipe_of(columns: dict[str, Any], subject: list[str] | None = None, **settings: Any) -> Recipe:
    model = {
        "technique": "model.k_anonymity",
        "columns": list(columns),
        "parameters": {"k": 5, "suppression_limit": 0.05, "hierarchies": columns, **settings},
    }
    steps = [model]
    if subject:
        key = {"technique": "pseudonymization.keyed_hash", "columns": subject, "parameters": {"length": 24}}
        steps.insert(0, key)
    return Recipe.from_data(
        {"recipe": 1, "unlisted": "keep", "steps": steps} | ({"subject": subject} if subject else {})
    )


STAR = {"kind": "star"}


def people(rows: int, **values: int) -> list[dict[str, str]]:
    """Rows with so many different values a column, some of them rare."""
    chance = random.Random(11)
    return [
        {name: f"{name}{min(chance.randrange(n), chance.randrange(n))}" for name, n in values.items()}
        for _row in range(rows)
    ]


@pytest.fixture
def written(monkeypatch) -> dict[str, list[dict[str, str]]]:
    """Variant → the rows of the file that it wrote."""
    found: dict[str, list[dict[str, str]]] = {}
    counted = module._counted

    def kept(variant: Any, recipe: Recipe, run: Any, rows: int) -> Attempt:
        with run.workspace.open_read(run.result_name) as stream:
            found[variant] = list(csv.DictReader(io.StringIO(stream.read().decode("utf-8-sig"))))
        return counted(variant, recipe, run, rows)

    monkeypatch.setattr(module, "_counted", kept)
    return found


def by_hand(rows: list[dict[str, str]], columns: list[str], person: str = "") -> tuple[set[str], int]:
    """(columns that are * in every row that is left, persons or rows of the smallest class of all that were written)."""
    left = [row for row in rows if any(row[name] != "*" for name in columns)] or rows
    classes: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for number, row in enumerate(rows):
        classes[tuple(row[name] for name in columns)].append(row[person] if person else str(number))
    emptied = {name for name in columns if all(row[name] == "*" for row in left)}
    return emptied, min(len(set(one)) for one in classes.values())


def test_a_recipe_that_empties_nothing_is_taken_as_it_is(written) -> None:
    found = proposal(recipe_of({"a": STAR, "b": STAR}), source_of(people(400, a=3, b=3)), place)
    assert [one.variant for one in found.attempts] == ["suggested"]
    assert found.taken == found.attempts[0]
    assert (set(), found.taken.smallest) == by_hand(written["suggested"], ["a", "b"])


def test_a_column_that_would_be_emptied_is_kept_by_another_way(written) -> None:
    columns = dict.fromkeys("abcd", STAR)
    found = proposal(recipe_of(columns), source_of(people(600, a=9, b=9, c=9, d=9)), place)
    first, taken = found.attempts[0], found.taken
    assert first.emptied
    assert taken is not None
    assert taken.variant == "local"
    assert not taken.emptied
    for one in found.attempts:
        assert (set(one.emptied), one.smallest) == by_hand(written[one.variant], list(columns))
        assert one.smallest >= found.k == 5
        assert one.suppressed <= 0.05 * one.rows
    settings = found.as_dict()["settings"]
    assert settings["recoding"] == "local"
    assert (settings["k"], settings["suppression_limit"]) == (5, 0.05), "no bound is loosened"


def test_where_nothing_reaches_the_target_with_more_columns_it_is_said() -> None:
    """Everybody has a value of their own and nothing is known above it: no way keeps any of it."""
    rows = [{"a": f"v{number}"} for number in range(40)]
    found = proposal(recipe_of({"a": STAR}, suppression_limit=0.0, k=30), source_of(rows), place)
    assert {one.variant for one in found.attempts} >= {"suggested", "local", "local_free"}
    assert found.complete
    best = min(len(one.emptied) for one in found.attempts if not one.error)
    assert found.taken is not None
    assert len(found.taken.emptied) == best


def test_fewer_rows_than_k_run_in_no_way() -> None:
    found = proposal(recipe_of({"a": STAR}, k=50), source_of(people(20, a=2)), place)
    assert found.taken is None
    assert {one.error.code for one in found.attempts if one.error} == {"k_too_large"}
    said = found.as_dict()
    assert said["settings"] is None
    assert said["taken"] is None


def test_a_hierarchy_that_does_not_read_its_column_gives_way_and_is_named() -> None:
    columns = {"a": {"kind": "intervals", "widths": [10]}, "b": STAR}
    found = proposal(recipe_of(columns), source_of(people(300, a=3, b=2)), place)
    assert found.starred == ("a",)
    assert found.taken is not None
    assert found.as_dict()["settings"]["hierarchies"]["a"] == STAR


def test_persons_are_counted_where_rows_belong_to_persons(written) -> None:
    chance = random.Random(3)
    rows = [
        {"who": f"p{person}", "a": f"a{chance.randrange(3)}", "b": f"b{person % 2}"}
        for person in range(120)
        for _v in range(3)
    ]
    found = proposal(recipe_of({"a": STAR, "b": STAR}, subject=["who"]), source_of(rows), place)
    assert found.persons == 120
    assert found.taken is not None
    emptied, smallest = by_hand(written[found.taken.variant], ["a", "b"], "who")
    assert (set(found.taken.emptied), found.taken.smallest) == (emptied, smallest)
    assert smallest >= 5
    assert Counter(row["who"] for row in rows).most_common(1)[0][1] == 3


def test_rows_of_nothing_but_stars_are_a_class_as_the_gate_has_them(written) -> None:
    """The page of the editor says the smallest class of the whole result as well: the two figures are one."""
    rows = [
        *({"a": "common", "b": "common"} for _row in range(97)),
        *({"a": f"a{n}", "b": f"b{n}"} for n in range(3)),
    ]
    recipe = recipe_of({"a": STAR, "b": STAR}, suppressed_rows="star")
    found = proposal(recipe, source_of(rows), place)
    assert found.taken is not None
    result = written[found.taken.variant]
    columns = pa.table({name: [row[name] for row in result] for name in "ab"})
    gate = measure(columns.to_batches(), ["a", "b"], contributions=False)
    assert found.taken.smallest == gate.k == 3 < found.k
    assert found.taken.suppressed == gate.suppressed_rows == 3
    assert not found.taken.emptied


def test_what_is_kept_of_it_holds_no_value() -> None:
    rows = people(200, a=9, b=9, c=9)
    found = proposal(recipe_of(dict.fromkeys("abc", STAR)), source_of(rows), place).as_dict()
    values = {value for row in rows for value in row.values()}
    assert not [value for value in values if f'"{value}"' in repr(found).replace("'", '"')]
