"""``deid profile``: what it counts, and that no value is in what it tells."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from techniques.cli import main as cli


def _profile(capsys: pytest.CaptureFixture[str], path: Path) -> dict[str, Any]:
    assert cli.main(["profile", str(path), "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Four hundred rows: names each of one row, ages, days, and a column that is empty but for one cell."""
    rows = 400
    columns = {
        "name": [f"Secret{i:03}" for i in range(rows)],
        "age": pa.array([20 + i % 40 for i in range(rows)], pa.int16()),
        "day": [f"202{i % 5}-0{1 + i % 9}-11" for i in range(rows)],
        "rare": ["Hidden" if i == 7 else None for i in range(rows)],
    }
    pq.write_table(pa.table(columns), tmp_path / "t.parquet")
    return tmp_path / "t.parquet"


def test_what_is_counted(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = _profile(capsys, table)
    name, age, day, rare = found["columns"]
    assert found["rows"] == 400
    assert [one["type"] for one in found["columns"]] == ["string", "int16", "string", "string"]
    assert [one["sort"] for one in found["columns"]] == ["text", "number", "date", "text"]
    assert (name["distinct"], name["rare"], name["lengths"]) == (400, 1.0, [9, 9])
    assert name["forms"] == [["a0", 400]]
    assert (age["distinct"], age["missing"], age["rare"]) == (40, 0, 0.0)
    assert sum(bar[2] for bar in age["bars"]) == 400
    assert age["bars"][0][0] is None
    assert all(20 <= bar[0] <= 60 for bar in age["bars"][1:])
    assert day["bars"][1][0].startswith("202")
    assert (rare["missing"], rare["distinct"], rare["forms"]) == (399, 1, [])


def test_no_value_is_told(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for options in ([], ["--json"]):
        assert cli.main(["profile", str(table), *options]) == 0
        said = capsys.readouterr().out
        assert "Secret" not in said
        assert "Hidden" not in said
    assert cli.main(["profile", str(table)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "400 rows, 4 columns"
    assert lines[1] == (
        "name: string, text, 0 missing, 400 distinct, 9 to 9 characters, 100.00% of rows with a value that fewer than 5 have"
    )
