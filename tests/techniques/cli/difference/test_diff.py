"""``deid diff`` against a count by the plainest means."""

from __future__ import annotations

import contextlib
import csv
import json
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from techniques.cli import main as cli
from techniques.cli.difference import cells as comparing

CELLS = st.sampled_from(["", "a", "b", "甲", "1", "1.0"])
ROWS = st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=12)


def _write(path: Path, rows: list[tuple[str, ...]], header: tuple[str, ...] = ("k", "x", "y")) -> Path:
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([header, *rows])
    return path


def _diff(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, dict[str, Any]]:
    code = cli.main(["diff", *map(str, arguments), "--json"])
    said = capsys.readouterr()
    assert code in (0, 1), said.err
    return code, json.loads(said.out)


def _read(rows: list[tuple[str, str]], cut: int) -> Any:
    table = pa.table({"x": [row[0] or None for row in rows], "y": [row[1] or None for row in rows]})
    return lambda: iter(table.to_batches(max_chunksize=cut))


@settings(max_examples=60, deadline=None)
@given(ROWS, ROWS, st.integers(1, 5), st.integers(1, 5))
def test_counts_are_those_of_plain_counting(
    old: list[tuple[str, str]], new: list[tuple[str, str]], cut: int, other: int
) -> None:
    before, after = _read(old, cut), _read(new, other)
    heaps = comparing.as_heaps(before, after, ["x", "y"])
    for place, name in enumerate("xy"):
        one, two = Counter(row[place] for row in old), Counter(row[place] for row in new)
        assert heaps[name] == {"gone": (one - two).total(), "new": (two - one).total()}
    both = list(zip(old, new, strict=False))
    ordered = comparing.in_order(
        _read([pair[0] for pair in both], cut), _read([pair[1] for pair in both], other), ["x", "y"]
    )
    for place, name in enumerate("xy"):
        pairs = [(a[place], b[place]) for a, b in both]
        assert ordered[name] == {
            "changed": sum(a != b for a, b in pairs),
            "became_missing": sum(a != b and not b for a, b in pairs),
            "were_missing": sum(a != b and not a for a, b in pairs),
        }


@settings(max_examples=40, deadline=None)
@given(ROWS, ROWS, st.randoms())
def test_by_key_whatever_the_order(
    old: list[tuple[str, str]], new: list[tuple[str, str]], chance: Any
) -> None:
    first = [(str(number), *row) for number, row in enumerate(old)]
    second = [(str(number), *row) for number, row in enumerate(new)]
    chance.shuffle(second)
    with tempfile.TemporaryDirectory() as folder:
        one, two = _write(Path(folder) / "a.csv", first), _write(Path(folder) / "b.csv", second)
        report = Path(folder) / "out"
        with report.open("w") as stream, contextlib.redirect_stdout(stream):
            code = cli.main(["diff", str(one), str(two), "--key", "k", "--json"])
        found = json.loads(report.read_text())
    assert found["keys"] == [max(0, len(old) - len(new)), max(0, len(new) - len(old))]
    for place, name in enumerate("xy"):
        changed = sum(a[place] != b[place] for a, b in zip(old, new, strict=False))
        assert found["cells"][name]["changed"] == changed
    assert code == (old != new)


def test_columns_types_and_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pq.write_table(pa.table({"a": [1, 2], "b": ["x", "y"], "c": [1, 1]}), tmp_path / "a.parquet")
    pq.write_table(pa.table({"b": ["x", "z"], "a": ["1", "2"], "d": [1, 1]}), tmp_path / "b.parquet")
    code, found = _diff(capsys, tmp_path / "a.parquet", tmp_path / "b.parquet")
    assert code == 1
    assert found["columns"] == {"only_before": ["c"], "only_after": ["d"], "moved": True}
    assert found["types"] == {"a": ["int64", "string"]}
    assert found["cells"] == {"a": {"gone": 0, "new": 0}, "b": {"gone": 1, "new": 1}}
    assert _diff(capsys, tmp_path / "a.parquet", tmp_path / "a.parquet")[0] == 0


def test_a_cell_marked_for_spreadsheets_is_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = _write(tmp_path / "a.csv", [("1", "=x", "b")])
    two = _write(tmp_path / "b.csv", [("1", "'=x", "b")])
    assert _diff(capsys, one, two, "--same-order")[0] == 0


def test_no_value_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = _write(tmp_path / "a.csv", [("1", "secret-one", "b"), ("2", "secret-two", "")])
    two = _write(tmp_path / "b.csv", [("1", "secret-new", "b"), ("2", "", "c")])
    for options in ([], ["--same-order"], ["--key", "k"], ["--json"]):
        assert cli.main(["diff", str(one), str(two), *options]) == 1
        assert "secret" not in capsys.readouterr().out
    assert cli.main(["diff", str(one), str(two), "--key", "k"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "rows: 2, then 2",
        "rows of a key that only A has: 0, only B: 0",
        "x: cells changed 2, became missing 1",
        "y: cells changed 1, were missing 1",
    ]
    assert cli.main(["diff", str(one), str(two), "--quiet"]) == 1
    assert not capsys.readouterr().out


def test_what_is_wrong_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = _write(tmp_path / "a.csv", [("1", "a", "b"), ("1", "a", "c")])
    two = _write(tmp_path / "b.csv", [("1", "a", "b")])
    for options, said in ((["--key", "k"], "not unique"), (["--same-order"], "2 and 1 row")):
        assert cli.main(["diff", str(one), str(two), *options]) == 2
        assert said in capsys.readouterr().err
