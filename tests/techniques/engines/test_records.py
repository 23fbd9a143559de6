"""GB/T 37964 D.5: a data set that grows is released again, and an unchanged record reads as it did."""

from __future__ import annotations

import csv
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from techniques.core.messages import EngineError
from techniques.disclosure_risk.releases.increments import increment
from techniques.engines.local import DirectoryWorkspace, LocalRun, Secrets, Source
from techniques.recipe.recipe import Recipe
from techniques.recipe.review import review
from techniques.tables.formats import FileFormat
from tests.techniques.engines.conftest import result_of

ROWS = 2_000
KEY = b"a key that is kept long"
NOISE = {
    "technique": "randomization.noise",
    "column": "income",
    "parameters": {"spread": 100.0, "decimals": 2},
}
STEPS: dict[str, dict[str, Any]] = {
    "noise": NOISE,
    "uniform": {**NOISE, "parameters": {"spread": 100.0, "distribution": "uniform", "decimals": 2}},
    "factor": {**NOISE, "parameters": {"spread": 0.1, "method": "multiplicative", "decimals": 2}},
    "date": {"technique": "randomization.date_noise", "column": "seen", "parameters": {"maximum": 300}},
    "shift": {
        "technique": "randomization.date_shift",
        "columns": ["town", "seen"],
        "parameters": {"subject": "town"},
    },
    "rounding": {
        "technique": "generalization.rounding",
        "column": "income",
        "parameters": {"base": 1000.0, "method": "stochastic"},
    },
    "apart": {
        "technique": "randomization.position_noise",
        "columns": ["north", "east"],
        "parameters": {"latitude": "north", "longitude": "east", "repeated": "apart", "decimals": 6},
    },
    "alike": {
        "technique": "randomization.position_noise",
        "columns": ["north", "east"],
        "parameters": {"latitude": "north", "longitude": "east", "repeated": "alike", "decimals": 6},
    },
}


def rows(start: int, stop: int) -> dict[str, list[str]]:
    """Rows of patients, the same for the same number."""
    draw = np.random.default_rng(5)
    income = draw.integers(2_000, 30_000, 2 * ROWS)
    days = np.datetime64("2024-01-01") + draw.integers(0, 300, 2 * ROWS)
    north, east = draw.uniform(30, 31, 2 * ROWS).round(6), draw.uniform(120, 121, 2 * ROWS).round(6)
    taken = range(start, stop)
    return {
        "patient": [f"P{number:05}" for number in taken],
        "town": [f"T{number}" if number % 7 else "" for number in taken],
        "income": [str(income[number]) for number in taken],
        "seen": [str(days[number]) for number in taken],
        "north": [str(north[number]) for number in taken],
        "east": [str(east[number]) for number in taken],
    }


def released(
    folder: Path,
    table: dict[str, list[str]],
    steps: list[dict[str, Any]],
    *,
    seed: int,
    key: bytes = KEY,
    records: Any = ("patient",),
    size: int = 0,
) -> dict[str, tuple[str, ...]]:
    """Patient → the row of the result, of a run with a seed of its own."""
    lines = [",".join(table), *(",".join(row) for row in zip(*table.values(), strict=True))]
    content = "\n".join(lines).encode()
    named = {} if records is None else {"records": list(records) if isinstance(records, tuple) else records}
    recipe = Recipe.from_data({"recipe": 1, "unlisted": "keep", **named, "steps": steps})
    source = Source(lambda: BytesIO(content), FileFormat(kind="csv"), len(lines) - 1, size)
    secrets = Secrets(key, seed, purposes={"care": b"the key of a purpose"})
    run = LocalRun(recipe, source, DirectoryWorkspace(folder), secrets)
    run.execute_all()
    written = csv.reader(StringIO(result_of(run).decode()))
    next(written)
    return {row[0]: tuple(row) for row in written}


@pytest.mark.parametrize("step", STEPS)
def test_an_unchanged_record_reads_as_it_did(tmp_path: Path, step: str) -> None:
    first = released(tmp_path / "1", rows(0, ROWS), [STEPS[step]], seed=1)
    grown = {name: values[::-1] for name, values in rows(100, ROWS + 500).items()}
    second = released(tmp_path / "2", grown, [STEPS[step]], seed=2, size=1 << 40)
    both = {*first} & {*second}
    assert len(both) == ROWS - 100
    assert all(first[one] == second[one] for one in both)
    source = rows(0, ROWS)
    plain = dict(zip(source["patient"], zip(*source.values(), strict=True), strict=True))
    moved = sum(first[one] != plain[one] for one in first)
    assert moved > 0.8 * ROWS
    anew = released(tmp_path / "3", rows(0, ROWS), [STEPS[step]], seed=2, records=None)
    assert sum(first[one] == anew[one] for one in first) < 0.75 * ROWS
    other = released(tmp_path / "4", rows(0, ROWS), [STEPS[step]], seed=1, key=b"another key of them")
    assert sum(first[one] == other[one] for one in first) < 0.75 * ROWS


def test_the_mean_of_many_releases_tells_no_more_than_one(tmp_path: Path) -> None:
    """Drawn anew, 16 releases leave a quarter of the noise; kept, all of it."""
    table = rows(0, ROWS)
    true = dict(zip(table["patient"], map(float, table["income"]), strict=True))

    def left(records: Any, folder: Path) -> float:
        folder.mkdir()
        runs = [released(folder / str(n), table, [NOISE], seed=n, records=records) for n in range(16)]
        means = {one: np.mean([float(run[one][2]) for run in runs]) for one in true}
        return float(np.std([means[one] - true[one] for one in true]))

    assert 22 < left(None, tmp_path / "anew") < 28
    assert 92 < left(("patient",), tmp_path / "kept") < 108


def test_a_corrected_value_gets_a_draw_of_its_own(tmp_path: Path) -> None:
    """Else the difference of two releases would be that of the true values."""
    table = rows(0, ROWS)
    first = released(tmp_path / "1", table, [NOISE], seed=1)
    table["income"] = [str(int(income) + 50) for income in table["income"]]
    second = released(tmp_path / "2", table, [NOISE], seed=1)
    change = np.array([float(second[one][2]) - float(first[one][2]) for one in first])
    assert 130 < change.std() < 153  # √2 × 100
    assert abs(change.mean() - 50) < 12


def test_a_sample_keeps_whom_it_has(tmp_path: Path) -> None:
    step = {"technique": "statistical.sampling", "column": "town", "parameters": {"fraction": 0.25}}
    first = released(tmp_path / "1", rows(0, ROWS), [step], seed=1)
    second = released(tmp_path / "2", rows(0, 2 * ROWS), [step], seed=2)
    assert (len(first), len(second)) == (ROWS // 4, ROWS // 2)
    older = {one for one in second if int(one[1:]) < ROWS}
    # Of the first rows about as many are in the larger sample, and one of the two samples holds the other.
    assert {*first} <= older or older <= {*first}
    anew = released(tmp_path / "3", rows(0, ROWS), [step], seed=2, records=None)
    assert len({*first} & {*anew}) < 0.4 * len(first)


def test_what_a_purpose_shares_needs_no_key_of_the_project(tmp_path: Path) -> None:
    records = {"columns": ["patient"], "purpose": "care"}
    first = released(tmp_path / "1", rows(0, 50), [NOISE], seed=1, key=b"", records=records)
    second = released(tmp_path / "2", rows(0, 50), [NOISE], seed=2, key=KEY, records=records)
    assert first == second
    with pytest.raises(EngineError) as error:
        released(tmp_path / "3", rows(0, 5), [NOISE], seed=1, records={**records, "purpose": "trade"})
    assert error.value.code == "purpose_key_missing"
    with pytest.raises(EngineError) as error:
        released(tmp_path / "4", rows(0, 5), [NOISE], seed=1, key=b"")
    assert error.value.code == "key_missing"


@pytest.mark.parametrize(
    ("records", "steps", "said"),
    [
        (["patient"], [{**NOISE, "parameters": {"spread": 0.5, "unit": "deviation"}}], "sizes its noise"),
        (["patient"], [{**NOISE, "parameters": {"spread": 0.5, "keep_variance": True}}], "sizes its noise"),
        (["patient"], [{"technique": "suppression.remove_column", "column": "town"}], "no step draws"),
        (["patient", "patient"], [NOISE], "twice"),
        ([], [NOISE], "records"),
    ],
)
def test_records_that_do_nothing_or_harm_are_refused(
    records: list[str], steps: list[dict[str, Any]], said: str
) -> None:
    with pytest.raises(EngineError, match=said):
        Recipe.from_data({"recipe": 1, "unlisted": "keep", "records": records, "steps": steps})


def test_a_file_without_the_column_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EngineError) as error:
        released(tmp_path / "1", rows(0, 5), [NOISE], seed=1, records=("person",))
    assert (error.value.code, error.value.params["path"]) == ("columns_missing", "records")


def test_the_increment_is_measured_for_what_it_is(tmp_path: Path) -> None:
    """The measure of D.5 sees every old row again where records keep their draws, and none where they do not."""

    def consistent(records: Any, folder: Path) -> float:
        folder.mkdir()
        tables = [
            released(folder / str(seed), rows(0, stop), [NOISE], seed=seed, records=records)
            for seed, stop in ((1, 500), (2, 600))
        ]
        before, after = (
            pa.table({"town": [row[1] for row in one.values()], "income": [row[2] for row in one.values()]})
            for one in tables
        )
        return increment(before, after, ["town"], k=5).consistent

    assert consistent(("patient",), tmp_path / "kept") == 1.0
    assert consistent(None, tmp_path / "anew") < 0.05


def test_the_review_names_what_is_drawn_or_formed_anew_all_the_same() -> None:
    steps = [
        NOISE,
        {"technique": "randomization.permutation", "column": "town"},
        {"technique": "randomization.microaggregation", "column": "north", "parameters": {"k": 5}},
        {
            "technique": "statistical.sampling",
            "column": "seen",
            "parameters": {"fraction": 0.5, "method": "cluster"},
        },
    ]
    data = {"recipe": 1, "unlisted": "keep", "steps": steps}
    assert not [one for one in review(Recipe.from_data(data)) if "record" in one.code]
    found = review(Recipe.from_data({**data, "records": ["patient"]}))
    said = [(one.number, one.code) for one in found if one.code != "little_noise"]
    assert said == [
        (1, "records_joined"),
        (2, "record_drawn_anew"),
        (3, "record_formed_anew"),
        (4, "record_drawn_anew"),
    ]
