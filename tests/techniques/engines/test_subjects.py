"""A recipe that says whose the rows are, carried out: the result's rows keep their persons through every step."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from techniques.core.messages import EngineError
from techniques.core.secrets import Secrets
from techniques.engines import parts
from techniques.engines.local import DirectoryWorkspace, LocalRun, Source
from techniques.recipe.recipe import Recipe
from techniques.recipe.recipe_set import RecipeSet
from techniques.tables.formats import FileFormat
from techniques.tables.frames import read_form

ROWS = 400
MODEL = {"k": 4, "suppression_limit": 0.5, "suppressed_rows": "remove"}


def visits(seed: int = 1) -> pa.Table:
    draw = np.random.default_rng(seed)
    who = draw.integers(0, 150, ROWS)
    return pa.table({
        "ward": [f"w{n % 3}" for n in who // 50], "patient": [f"p{n:03}" for n in who], "age": [str(20 + n % 50) for n in who],
        "sex": ["mf"[n % 2] for n in who], "illness": [f"i{n}" for n in draw.integers(0, 6, ROWS)],
        "visit": [str(n) for n in range(ROWS)],
    })  # fmt: skip


def recipe(*steps: dict[str, Any], subject: Any = ("ward", "patient"), **model: Any) -> dict[str, Any]:
    last = {
        "technique": "model.l_diversity" if "sensitive" in model else "model.k_anonymity",
        "columns": ["age", "sex"],
        "parameters": {
            **MODEL, **model, "hierarchies": {"age": {"kind": "intervals", "widths": [5, 10]}, "sex": {"kind": "star"}},
        },
    }  # fmt: skip
    return {"recipe": 1, "unlisted": "keep", "subject": list(subject), "steps": [*steps, last]}


def run(content: dict[str, Any], table: pa.Table, folder: Path) -> tuple[LocalRun, pa.Table, dict[str, Any]]:
    folder.mkdir(exist_ok=True)
    path = folder / "source.parquet"
    pq.write_table(table, path)
    source = Source(lambda: path.open("rb"), FileFormat(kind="parquet"), table.num_rows)
    done = LocalRun(
        Recipe.from_data(content), source, DirectoryWorkspace(folder / "run"), Secrets(b"k" * 32, 1)
    )
    report = done.execute_all()
    return done, read_form(folder / "run" / done.result_name, done.format), report


HASH = {"technique": "pseudonymization.keyed_hash", "columns": ["patient"], "parameters": {}}
GONE = {"technique": "suppression.remove_column", "columns": ["patient", "ward"]}
SAMPLE = {"technique": "statistical.sampling", "columns": ["sex"], "parameters": {"fraction": 0.7}}


@pytest.mark.parametrize("steps", [[], [HASH], [GONE], [SAMPLE, GONE]])
@pytest.mark.parametrize("local", [False, True])
def test_classes_have_k_persons_of_the_source_whatever_becomes_of_the_key(
    steps: list[dict[str, Any]], local: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "PART_ROWS", 64)
    table = visits()
    content = recipe(
        *steps, recoding="local" if local else "full_domain", sensitive={"illness": {"distinct": 2}}
    )
    done, result, report = run(content, table, tmp_path)
    done.discard()
    persons = done.subjects()
    assert persons is not None
    source = dict(
        zip(
            table["visit"].to_pylist(),
            zip(table["ward"].to_pylist(), table["patient"].to_pylist(), strict=True),
            strict=True,
        )
    )
    number: dict[Any, set[int]] = defaultdict(set)
    classes: dict[Any, set[int]] = defaultdict(set)
    for visit, person, *cells in zip(
        result["visit"].to_pylist(),
        persons.tolist(),
        result["age"].to_pylist(),
        result["sex"].to_pylist(),
        strict=True,
    ):
        number[source[visit]].add(person)
        classes[tuple(cells)].add(person)
    assert all(len(one) == 1 for one in number.values())
    assert len(set.union(*number.values())) == len(number)
    assert all(len(one) >= 4 for one in classes.values())
    counted = report["steps"][-1]["result"]
    assert counted["min_class"] == min(len(one) for one in classes.values())
    assert counted["persons"] - counted["suppressed_persons"] == len(number)


def test_rare_values_and_records_are_those_of_few_persons(tmp_path: Path) -> None:
    table = pa.table({"who": [*"aaaabbccdd"], "place": [*"xxxxyyyyyy"], "note": [*"uuuuvvvvvv"]})
    content = {
        "recipe": 1, "subject": "who", "unlisted": "keep",
        "steps": [
            {"technique": "suppression.rare_values", "columns": ["place"], "parameters": {"minimum_count": 2, "maximum_share": 1.0}},
            {"technique": "suppression.rare_records", "columns": ["note"], "parameters": {"minimum_count": 2, "maximum_share": 1.0}},
        ],
    }  # fmt: skip
    done, result, _report = run(content, table, tmp_path)
    assert result["who"].to_pylist() == [*"bbccdd"]
    assert len(set(done.subjects().tolist())) == 3
    alone, _result, _report = run({**content, "subject": []}, table, tmp_path / "rows")
    assert alone.subjects() is None


def test_who_said_nothing_has_the_hash_of_before_and_a_set_knows_a_subject_by_table() -> None:
    plain = recipe()
    del plain["subject"]
    said = {name: Recipe.from_data({**plain, **more}) for name, more in
            {"none": {}, "rows": {"subject": []}, "one": {"subject": "patient"}, "list": {"subject": ["patient"]}}.items()}  # fmt: skip
    assert "subject" not in said["none"].canonical()
    assert said["one"] == said["list"]
    assert len({one.content_hash() for one in said.values()}) == 3
    tables = RecipeSet.from_data(
        {"recipe": 1, "tables": {"a": plain, "b": {**plain, "subject": "patient"}}}
    ).tables
    assert (tables["a"].subject, tables["b"].subject) == (None, ("patient",))
    with pytest.raises(EngineError) as error:
        said["one"].check_columns(["age", "sex"])
    assert (error.value.code, error.value.params["path"]) == ("columns_missing", "subject")
    with pytest.raises(EngineError, match="twice"):
        Recipe.from_data({**plain, "subject": ["a", "a"]})
