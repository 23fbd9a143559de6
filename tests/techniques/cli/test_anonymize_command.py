"""What ``deid anonymize`` refuses, and what it says: files, options, conditions per attribute, columns that number rows."""

from __future__ import annotations

import datetime as dt
import json
from collections import Counter, defaultdict
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from techniques.catalogue.models import Conditions
from techniques.cli.anonymize_request import tidy
from techniques.cli.condition_options import conditions, parse
from techniques.cli.main import main
from techniques.core.messages import EngineError
from tests.techniques.cli.test_anonymize import write
from tests.techniques.measuring import read

TEXT = "a,b,s,u\n" + "".join(f"{n % 2},{n % 3},{n % 4},{n % 5 // 2}\n" for n in range(60))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.csv").write_text(TEXT)
    return tmp_path


def deid(*arguments: str) -> int:
    return main(["anonymize", "in.csv", "out.csv", "--qi", "a,b", "--k", "2", *arguments])


@pytest.mark.parametrize("report", ["in.csv", "out.csv", "./out.csv", "h/a.csv", ".", "no/r.json"])
def test_no_file_is_destroyed(folder: Path, capsys: pytest.CaptureFixture[str], report: str) -> None:
    (folder / "h").mkdir()
    (folder / "h/a.csv").write_text("0;*\n1;*\n")
    (folder / "h/b.csv").write_text("0;*\n1;*\n2;*\n")
    assert deid("--hierarchies", "h", "--report", report) == 2
    assert report.removeprefix("./") in capsys.readouterr().err
    assert (folder / "in.csv").read_text() == TEXT
    assert (folder / "h/a.csv").read_text() == "0;*\n1;*\n"
    assert sorted(path.name for path in folder.iterdir()) == ["h", "in.csv"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--sa", "s", "--l", "2.9"], "whole number"),
        (["--sa", "s", "--l", "inf"], "whole number"),
        (["--sa", "s", "--l", "nan", "--l-kind", "entropy"], "Column s: l must be"),
        (["--sa", "s", "--t", "nan"], "t from 0 to 1"),
        (["--sa", "s,s", "--l", "2"], "s is named twice"),
        (["--maximum-risk", "1e-320"], "A risk must be above 0"),
        (["--minimum-levels", "a=inf"], "level from 0 upwards"),
        (["--maximum-levels", "a=nan"], "level from 0 upwards"),
        (["--minimum-levels", "a=1,a=2"], "once"),
        (["--weights", "a=nan"], "above 0"),
        (["--weights", "a=1,a=2"], "once"),
        (
            ["--minimum-levels", "a=1", "--maximum-levels", "a=0"],
            "its lowest level, 1, is above its highest, 0",
        ),
        (["--local", "--estimate"], "leave out --estimate or --local"),
        (["--local", "--loss", "entropy"], "leave out --loss or --local"),
        (["--hierarchies", "in.csv"], "no folder"),
        (["--keep", "a"], "treated already"),
        (["--keep", "z"], "no column"),
        (["--sa", "s", "--l", "2", "--sensitive", "s:t=0.5"], "s is named twice"),
        (["--sensitive", "s:l=2", "--sensitive", "s:t=0.5"], "s is named twice"),
        (["--sensitive", "s:l=2,distinct=3"], "s is named twice"),
        (["--sensitive", "s:l=2.5"], "Column s: l must be"),
        (["--sensitive", "s:m=2"], "“m=2” cannot be read"),
        (["--sensitive", "s:l=2,l=3"], "“l=3” cannot be read"),
        (["--sensitive", "s:l=2,l-kind=some"], "“l-kind=some” cannot be read"),
        (["--sensitive", "s"], "“s” cannot be read"),
        (["--sensitive", "s:c=2"], "c has no meaning without recursive"),
        (["--sensitive", "s:l=2,t-distance=ordered"], "t-distance has no meaning without t"),
        (["--sensitive", "z:l=2"], "no column"),
        (["--sensitive", "a:l=2"], "not both"),
    ],
)
def test_options_that_cannot_be_meant(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], says: str
) -> None:
    assert deid(*arguments) == 2
    assert says in capsys.readouterr().err
    assert [path.name for path in folder.iterdir()] == ["in.csv"]


@pytest.mark.parametrize(
    ("files", "says"),
    [
        (
            {"x_hierarchy_a.csv": "0;*\n1;*\n", "y_hierarchy_a.csv": "0;*\n1;*\n"},
            "h/y_hierarchy_a.csv: keep one",
        ),
        ({}, "put a file a.csv there"),
        ({"a.csv": ""}, "a.csv.rows: must have at least 1 entry"),
        ({"a.csv": "0;*\n0;*\n"}, "a.csv: row 2 repeats a value"),
        ({"a.csv": "0;x;*\n1;x;y\n"}, "row 2: the entry of level 1 already stands under another parent"),
        ({"a.csv": '0;"' + "x" * 11_000_000}, "a.csv: the file is no table of separated texts"),
    ],
)
def test_hierarchy_files_that_cannot_be_used(
    folder: Path, capsys: pytest.CaptureFixture[str], files: dict[str, str], says: str
) -> None:
    (folder / "h").mkdir()
    for name, text in {"b.csv": "0;*\n1;*\n2;*\n", **files}.items():
        (folder / "h" / name).write_text(text)
    assert deid("--hierarchies", "h") == 2
    assert says in capsys.readouterr().err


def test_every_attribute_has_conditions_of_its_own(folder: Path) -> None:
    draw = np.random.default_rng(7)
    columns = {
        name: [str(x) for x in draw.integers(0, most, 400)] for name, most in {"a": 40, "b": 9}.items()
    } | {
        "s": [str(x) for x in draw.geometric(0.5, 400)],
        "u": [str(x) for x in draw.integers(0, 6, 400)],
        "w": [str(x) for x in draw.integers(0, 4, 400)],
    }
    source = write(folder / "in.csv", columns)
    assert deid(
        "--suppression-limit", "1", "--sa", "w", "--l", "2", "--sensitive", "s:distinct=3,entropy=2.2,recursive=2,c=3",
        "--sensitive", "u:t=0.35,t-distance=ordered", "--report", "r.json",
    ) == 0  # fmt: skip
    figures = json.loads((folder / "r.json").read_text())
    assert set(figures["sensitive"]) == {"s", "u", "w"}
    groups = defaultdict(list)
    for row in read(folder / "out.csv"):
        if row["a"] != "*" or row["b"] != "*":
            groups[row["a"], row["b"]].append(row)
    assert len(groups) == figures["classes"] > 1
    whole = Counter(row["u"] for row in read(source))
    for rows in groups.values():
        counts = Counter(row["s"] for row in rows)
        shares = np.array(list(counts.values())) / len(rows)
        assert len(counts) >= 3
        assert np.exp(-(shares * np.log(shares)).sum()) >= 2.2 - 1e-9
        falling = sorted(counts.values(), reverse=True)
        assert falling[0] < 3 * sum(falling[1:])
        here = Counter(row["u"] for row in rows)
        away = np.cumsum([here[v] / len(rows) - whole[v] / 400 for v in sorted(whole)])
        assert np.abs(away).sum() / (len(whole) - 1) <= 0.35 + 1e-9
        assert len({row["w"] for row in rows}) >= 2


def test_both_ways_to_say_a_condition_mean_the_same() -> None:
    header = ["s", "a:b", "x,y"]
    found = parse(
        ["s:l=3,l-kind=entropy", "a:b:recursive=3", "x,y: t = 0.2 , t-distance = hierarchical"], header
    )
    assert conditions("s", found["s"]) == Conditions(entropy=3)
    assert conditions("s", {"entropy": "3"}) == Conditions(entropy=3)
    assert conditions("a:b", found["a:b"]) == Conditions(recursive_l=3, recursive_c=1)
    assert conditions("x,y", found["x,y"]) == Conditions(t=0.2, distance="hierarchical")
    with pytest.raises(EngineError, match="l must be above 1"):
        conditions("s", {})


def test_the_row_index_of_pandas_never_goes_out(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    notes = {b"pandas": json.dumps({"index_columns": ["person", {"kind": "range"}]}).encode()}
    table = pa.table(
        {"a": ["1", "2"] * 30, "c": ["x"] * 60, "person": [f"p{n * 7}" for n in range(60)], "__index_level_0__": range(60)}
    )  # fmt: skip
    pq.write_table(table.replace_schema_metadata(notes), "in.parquet")
    arguments = ["anonymize", "in.parquet", "out.parquet", "--qi", "a", "--k", "2"]
    assert main([*arguments, "--report", "r.json"]) == 0
    assert pq.read_schema("out.parquet").names == ["a", "c"]
    assert "left out, the row index of pandas: person, __index_level_0__" in capsys.readouterr().err
    assert json.loads((folder / "r.json").read_text())["untreated"]["index_left_out"] == [
        "person",
        "__index_level_0__",
    ]
    assert main([*arguments, "--keep", "person"]) == 2
    assert main([*arguments[:-3], "a,person", "--k", "2"]) == 0  # treated, so it may go out


@pytest.mark.parametrize(
    "notes",
    [
        None,
        b"no json",
        b"[]",
        b'{"index_columns": {"a": 1}}',
        b'{"index_columns": [null, {"kind": "range"}]}',
    ],
)
def test_notes_of_pandas_may_have_any_form(folder: Path, notes: bytes | None) -> None:
    table = pa.table({"a": ["1", "2"] * 3, "__index_level_0__": ["x"] * 6})
    pq.write_table(table.replace_schema_metadata({b"pandas": notes} if notes else None), "in.parquet")
    assert main(["anonymize", "in.parquet", "out.parquet", "--qi", "a", "--k", "2"]) == 0
    assert pq.read_schema("out.parquet").names == ["a"]


def test_a_column_that_numbers_the_rows_has_to_be_named(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    draw = np.random.default_rng(3)
    columns: dict[str, Any] = {
        "a": ["1", "2"] * 50, "b": ["x"] * 100,
        "number": [str(n) for n in draw.permutation(100)],
        "key": [f"{n:08x}" for n in draw.choice(1 << 31, 100, replace=False)],
        "measured": [f"{x:.9f}" for x in draw.random(100)],
        "day": [str(np.datetime64("2020-01-01") + n) for n in draw.permutation(100)],
    }  # fmt: skip
    write(folder / "in.csv", columns)
    assert deid() == 2
    printed = capsys.readouterr().err
    assert "number, key." in printed
    assert "measured" not in printed
    assert not (folder / "out.csv").exists()
    # The exact measurement and day tell the rows apart as well; nobody has said that they may stay.
    assert deid("--keep", "number,key") == 2
    assert "distinguish the rows: measured, day." in capsys.readouterr().err
    accepted = ["--keep", "number,key", "--accept-findings", "measured,day"]
    assert deid(*accepted, "--report", "r.json") == 0
    assert "tell rows apart by themselves: number, key, measured, day" in capsys.readouterr().err
    assert list(read(folder / "out.csv")[0]) == list(columns)
    assert json.loads((folder / "r.json").read_text())["untreated"] == {
        "columns": ["number", "key", "measured", "day"],
        "telling_rows_apart": {
            "number": "row_number",
            "key": "unique_key",
            "measured": "unique_value",
            "day": "unique_value",
        },
        "index_left_out": [],
    }
    found = {
        one["column"]: one["accepted"] for one in json.loads((folder / "r.json").read_text())["findings"]
    }
    assert found == dict.fromkeys(["number", "key", "measured", "day"], True)
    assert deid("--drop-unlisted", "--keep", "day") == 0
    assert list(read(folder / "out.csv")[0]) == ["a", "b", "day"]


def test_rounding_leaves_no_negative_zero() -> None:
    assert (
        str(tidy({"x": [-2.2e-16, -0.0, 1e-13, -0.5, 3, True, None]}))
        == "{'x': [0.0, 0.0, 1e-13, -0.5, 3, True, None]}"
    )


def test_nothing_left_is_zero_and_not_a_little_below(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(folder / "in.csv", {"a": [*"xxxxxyz"], "s": ["f"] * 7})
    arguments = [
        "--qi",
        "a",
        "--k",
        "2",
        "--sa",
        "s",
        "--l",
        "4",
        "--suppression-limit",
        "1",
        "--loss",
        "entropy",
    ]
    assert main(["anonymize", "in.csv", "out.csv", *arguments, "--report", "r.json"]) == 0
    assert str(json.loads((folder / "r.json").read_text())["granularity"]) == "0.0"
    assert "granularity 0.0000" in capsys.readouterr().out


@pytest.mark.parametrize("order", ["kept", "shuffled"])
def test_types_of_a_parquet_file_stay(tmp_path: Path, order: str) -> None:
    """An untouched column keeps type and bits, in the rows of the treated ones; a generalised one is text."""
    source = tmp_path / "in.parquet"
    born = [dt.date(1960 + number % 4, 1, 1) for number in range(80)]
    paid = [Decimal(number % 4) + Decimal("0.50") for number in range(80)]
    kinds = pa.array([("a", "", None, "d")[number % 4] for number in range(80)]).dictionary_encode()
    table = pa.table(
        {
            "age": pa.array([number % 4 for number in range(80)], pa.int16()),
            "born": born,
            "paid": paid,
            "kind": kinds,
        }
    )
    pq.write_table(table, source)
    (tmp_path / "trees").mkdir()
    (tmp_path / "trees" / "age.csv").write_text("".join(f"{age};*\n" for age in range(4)))
    output = tmp_path / "out.parquet"
    arguments = [
        "anonymize",
        source,
        output,
        "--qi",
        "age",
        "--k",
        "5",
        "--subject",
        "rows",
        "--order",
        order,
        "--hierarchies",
        tmp_path / "trees",
    ]
    assert main([*map(str, arguments)]) == 0
    result = pq.read_table(output)
    assert result.schema.types == table.schema.types
    rows = dict(zip(table["age"].to_pylist(), table.to_pylist(), strict=True))
    assert [rows[row["age"]] for row in result.to_pylist()] == result.to_pylist()
    assert (result["age"].to_pylist() == table["age"].to_pylist()) is (order == "kept")
