"""``deid anonymize`` from file to file, measured on the written file by code that shares nothing with the search."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from techniques.cli.main import main
from tests.techniques.measuring import classes, equal_distance, granularity, ncp, read, suppressed
from tests.techniques.models.k_anonymity.test_k_anonymity import Q7, Q9

KEYS = {"levels", "suppressed", "classes", "min_class", "granularity", "ncp", "loss", "search_seconds"}


def anonymize(source: Path, folder: Path, *arguments: str) -> tuple[dict[str, Any], list[dict[str, str]]]:
    """The report and the rows that were written."""
    out, report = folder / f"out{source.suffix}", folder / "R.json"
    assert (
        main(["anonymize", str(source), str(out), *arguments, "--order", "kept", "--report", str(report)])
        == 0
    )
    figures = json.loads(report.read_text())
    assert figures.keys() >= KEYS | {"proved_optimal"}
    return figures, read(out, ";" if "adult_arx" in source.name else ",") if source.suffix == ".csv" else []


def write(path: Path, columns: dict[str, list[str]]) -> Path:
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
    return path


def test_full_domain_with_suppressed_rows_starred(real_data_dir: Path, tmp_path: Path) -> None:
    source, folder = real_data_dir / "adult_arx.csv", real_data_dir / "hierarchies"
    figures, rows = anonymize(
        source, tmp_path, "--qi", ",".join(Q9), "--k", "5", "--suppression-limit", "0.04",
        "--hierarchies", str(folder),
    )  # fmt: skip
    assert "".join(str(figures["levels"][name]) for name in Q9) == "030111120"
    before = read(source, ";")
    found = classes(rows, Q9)
    assert len(rows) == len(before)
    assert suppressed(rows, Q9) == figures["suppressed"] == 1178
    assert (
        (len(found), min(map(len, found.values()))) == (figures["classes"], figures["min_class"]) == (370, 5)
    )
    assert granularity(before, rows, Q9, folder) == pytest.approx(figures["granularity"], abs=1e-9)
    assert figures["loss"] == pytest.approx(0.2661, abs=5e-5)
    assert figures["proved_optimal"]


@pytest.mark.parametrize(
    ("names", "conditions", "wanted"),
    [
        (Q7, [], 0.966),
        (Q9, [], 0.932),
        ([*Q7, "salary-class"], ["--sa", "occupation", "--l", "3"], 0.957),
        ([*Q7, "salary-class"], ["--sa", "occupation", "--t", "0.2"], 0.60),
    ],
)
def test_local_recoding_keeps_more_than_the_best_known(
    real_data_dir: Path, tmp_path: Path, names: list[str], conditions: list[str], wanted: float
) -> None:
    source, folder = real_data_dir / "adult_arx.csv", real_data_dir / "hierarchies"
    figures, rows = anonymize(
        source, tmp_path, "--qi", ",".join(names), "--k", "5", "--local", "--suppression-limit", "0.04",
        "--hierarchies", str(folder), *conditions,
    )  # fmt: skip
    before = read(source, ";")
    measured = granularity(before, rows, names, folder)
    assert measured == pytest.approx(figures["granularity"], abs=1e-9)
    assert measured > wanted
    found = classes(rows, names)
    assert suppressed(rows, names) == figures["suppressed"] <= 0.01 * len(rows)
    assert len(found) == figures["classes"]
    assert min(map(len, found.values())) == figures["min_class"] >= 5
    whole = [row["occupation"] for row in before]
    inside = [[row["occupation"] for row in one] for one in found.values()]
    if "--l" in conditions:
        assert min(len(set(values)) for values in inside) >= 3
    if "--t" in conditions:
        assert max(equal_distance(values, whole) for values in inside) <= 0.2 + 1e-9
    if "occupation" not in names:
        assert [row["occupation"] for row in rows] == whole


QF = ["age", "workclass", "education", "native-country", "marital-status", "race", "sex"]


@pytest.mark.parametrize(("k", "peer"), [(5, 0.0289), (10, 0.0544)])
def test_free_sets_lose_less_than_the_best_known(
    real_data_dir: Path, tmp_path: Path, k: int, peer: float
) -> None:
    source = real_data_dir / "adult_full.csv"
    figures, rows = anonymize(
        source, tmp_path, "--qi", ",".join(QF), "--k", str(k), "--local", "--accept-findings", "fnlwgt"
    )
    before = read(source)
    assert ncp(before, rows, QF) == pytest.approx(figures["ncp"], abs=1e-9)
    assert figures["ncp"] < peer / 2
    assert min(map(len, classes(rows, QF).values())) == figures["min_class"] >= k
    assert [row["income"] for row in rows] == [row["income"] for row in before]


def table(rows: int, seed: int) -> dict[str, list[str]]:
    draw = np.random.default_rng(seed)
    return {
        "age": [str(x) for x in draw.integers(0, 90, rows)],
        "town": [["", "Ürümqi", "北京", "a;b", "x,y", "*"][x] for x in draw.integers(0, 6, rows)],
        "note": [f"n{x}" for x in draw.integers(0, 100, rows)],
        "illness": [["flu", "cold", "gout", "ulcer", ""][x] for x in draw.integers(0, 5, rows)],
    }


CONDITIONS: list[list[str]] = [
    [],
    ["--l", "2"],
    ["--l", "2.5", "--l-kind", "entropy"],
    ["--l", "2", "--l-kind", "recursive", "--c", "2"],
    ["--t", "0.4"],
    ["--t", "0.4", "--t-distance", "ordered", "--l", "2"],
]


@pytest.mark.parametrize("conditions", CONDITIONS)
@pytest.mark.parametrize("mode", [[], ["--local"]])
def test_any_table_holds_its_conditions(tmp_path: Path, mode: list[str], conditions: list[str]) -> None:
    for seed in range(6):
        columns = table(40 + 60 * seed, seed)
        source = write(tmp_path / "in.csv", columns)
        sensitive = ["--sa", "illness"] if conditions else []
        arguments = [
            "--qi",
            "age,town,note",
            "--k",
            "3",
            "--suppression-limit",
            "0.5",
            *mode,
            *sensitive,
            *conditions,
        ]
        figures, rows = anonymize(source, tmp_path, *arguments)
        found = classes(rows, ["age", "town", "note"])
        assert len(rows) == len(columns["age"])
        assert sum(map(len, found.values())) + suppressed(rows, ["age", "town", "note"]) == len(rows)
        assert figures["suppressed"] <= 0.5 * len(rows)
        assert all(len(one) >= 3 for one in found.values())
        assert [row["illness"] for row in rows] == columns["illness"]
        for one in found.values():
            counts = Counter(row["illness"] for row in one)
            shares = np.array(list(counts.values())) / len(one)
            falling = sorted(counts.values(), reverse=True)
            if "entropy" in conditions:
                assert np.exp(-(shares * np.log(shares)).sum()) >= 2.5 - 1e-9
            elif "recursive" in conditions:
                assert falling[0] < 2 * sum(falling[1:])
            elif "--l" in conditions:
                assert len(counts) >= 2
            if "--t" in conditions and "ordered" not in conditions:
                assert equal_distance(list(counts.elements()), columns["illness"]) <= 0.4 + 1e-9
        again = anonymize(source, tmp_path, *arguments)[1]
        assert again == rows


def test_parquet_and_few_rows(tmp_path: Path) -> None:
    source = write(tmp_path / "in.csv", table(50, 1))
    import pyarrow.csv as arrow_csv

    made = tmp_path / "in.parquet"
    pq.write_table(arrow_csv.read_csv(source).select(["age", "town"]), made)
    figures, _ = anonymize(made, tmp_path, "--qi", "age,town", "--k", "5", "--local")
    rows = pq.read_table(tmp_path / "out.parquet").to_pylist()
    counts = Counter(tuple(row.values()) for row in rows)
    assert (len(counts), min(counts.values())) == (figures["classes"], figures["min_class"])


@pytest.mark.parametrize("mode", [[], ["--local"]])
def test_constant_column_and_one_class(tmp_path: Path, mode: list[str]) -> None:
    source = write(tmp_path / "in.csv", {"a": ["x"] * 5, "b": ["1"] * 5})
    figures, rows = anonymize(source, tmp_path, "--qi", "a,b", "--k", "5", *mode)
    assert (figures["granularity"], figures["ncp"], figures["loss"], figures["classes"]) == (1.0, 0.0, 0.0, 1)
    assert rows == [{"a": "x", "b": "1"}] * 5


def test_every_row_suppressed_is_a_defined_answer(tmp_path: Path) -> None:
    """One value where two are needed: nothing can be kept, and the figures say so."""
    source = write(tmp_path / "in.csv", {"a": [str(x) for x in range(6)], "s": ["one"] * 6})
    for mode in ([], ["--local"]):
        figures, rows = anonymize(
            source,
            tmp_path,
            "--qi",
            "a",
            "--k",
            "2",
            "--sa",
            "s",
            "--l",
            "2",
            "--suppression-limit",
            "1",
            *mode,
        )
        assert {row["a"] for row in rows} == {"*"}
        assert (figures["suppressed"], figures["classes"], figures["min_class"]) == (6, 0, 0)
        assert (figures["granularity"], figures["ncp"], figures["loss"]) == (0.0, 1.0, 1.0)
        assert "NaN" not in (tmp_path / "R.json").read_text()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--qi", "a", "--k", "9"], "only 4 rows"),
        (["--qi", "a,b", "--k", "2", "--hierarchies", "."], "b.csv"),
        (["--qi", "a", "--k", "2", "--hierarchies", "."], "rows 3"),
        (["--qi", "z", "--k", "2"], "z"),
        (["--qi", "a", "--k", "1"], "at least 2"),
        (["--qi", "a", "--k", "2", "--l", "2"], "Sensitive attributes"),
        (["--qi", "a", "--k", "2", "--sa", "a", "--l", "2"], "not both"),
        (["--qi", "a", "--k", "2", "--sa", "b", "--l", "2", "--local"], "No allowed generalisation"),
        (["--qi", "a", "--k", "2", "--local", "--loss", "discernibility"], "leave out --loss"),
        (["--qi", "a,a", "--k", "2"], "twice"),
    ],
)
@pytest.mark.parametrize("mode", [[], ["--local"]])
def test_errors_in_plain_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, arguments: list[str],
    says: str, mode: list[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "in.csv", {"a": ["p", "q", "secret", "p"], "b": ["1"] * 4})
    (tmp_path / "a.csv").write_text("p;*\nq;*\n")
    assert main(["anonymize", "in.csv", "out.csv", *arguments, *mode]) == 2
    printed = capsys.readouterr().err
    assert says in printed
    assert "secret" not in printed
    assert not (tmp_path / "out.csv").exists()
