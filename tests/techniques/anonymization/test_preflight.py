"""What is known before a run: frontier, what a column costs, how large the search is."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from techniques.anonymization.preflight import estimate, frontier, what_if
from techniques.anonymization.release import anonymize
from techniques.cli.main import main
from techniques.core.messages import EngineError
from techniques.hierarchies.definitions import Intervals, Star
from techniques.tables.dictionary import EncodedColumn, dictionary_encode
from tests.techniques.searches import search

HIERARCHIES = {"a": Intervals(kind="intervals", widths=[2, 4, 8]), "b": Star(), "c": Star()}


def table(rows: int = 200) -> dict[str, EncodedColumn]:
    draw = np.random.default_rng(3)
    values = {"a": draw.integers(0, 20, rows), "b": draw.integers(0, 3, rows), "c": draw.integers(0, 2, rows)}
    return {name: dictionary_encode(pa.array([str(v) for v in column])) for name, column in values.items()}


def test_the_frontier_holds_what_nothing_beats() -> None:
    points = frontier(table(), {}, search(2, hierarchies=HIERARCHIES), (2, 5, 10), (0.0, 0.05, 0.2))
    assert len(points) >= 3
    for one in points:
        report = anonymize(table(), {}, search(one.k, {}, one.limit, HIERARCHIES)).report
        assert (report["levels"], report["loss"]) == (one.levels, one.loss)
        assert one.suppressed <= one.limit
        assert not any(
            p.k >= one.k and p.suppressed <= one.suppressed and p.loss <= one.loss and p != one
            and (p.k, p.suppressed, p.loss) != (one.k, one.suppressed, one.loss)
            for p in points
        )  # fmt: skip
    assert frontier(table(3), {}, search(2, hierarchies=HIERARCHIES), (5,)) == []


def test_what_a_column_costs() -> None:
    request = search(5, {}, 0.0, HIERARCHIES)
    found = what_if(table(), {}, request)
    gains = [one.gained for one in found]
    assert gains == sorted(gains, reverse=True)
    assert {one.column for one in found if one.change == "dropped"} == {"a", "b", "c"}
    dropped = next(one for one in found if (one.column, one.change) == ("a", "dropped"))
    columns = table()
    del columns["a"]
    assert dropped.point.granularity == anonymize(columns, {}, request).report["granularity"]
    assert all(one.point.loss >= 0 for one in found)


def test_the_size_is_known_before(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = estimate(table(), {}, search(5, {}, 0.0, HIERARCHIES))
    assert found.solutions == 5 * 2 * 2
    assert found.provable
    assert found.at_most_seconds == pytest.approx(found.seconds_per_check * 20)
    with pytest.raises(EngineError) as error:
        estimate(table(), {}, search(5, {}, 0.0, HIERARCHIES, local=True))
    assert error.value.code == "local_estimate"
    path = tmp_path / "in.csv"
    path.write_text("a,b\n1,x\n2,x\n1,y\n2,y\n")
    arguments = ["anonymize", str(path), str(tmp_path / "out.csv"), "--qi", "a,b", "--k", "2"]
    assert main([*arguments, "--estimate"]) == 0
    assert "solutions" in capsys.readouterr().err
    assert not (tmp_path / "out.csv").exists()


def test_a_lattice_beyond_a_million_gives_a_sound_answer_with_its_bound() -> None:
    draw = np.random.default_rng(5)
    columns = {
        f"q{i}": dictionary_encode(pa.array([str(v) for v in draw.integers(0, 3, 300)])) for i in range(21)
    }
    request = search(3, {}, 0.1, dict.fromkeys(columns, Star()), effort=200)
    made = anonymize(columns, {}, request)
    assert made.report["lattice_size"] == 1 << 21
    assert not estimate(columns, {}, request).provable
    assert made.report["min_class"] >= 3
    assert 0 <= made.report["lower_bound"] <= made.report["loss"]
    local = anonymize(columns, {}, search(3, {}, 0.1, dict.fromkeys(columns, Star()), local=True)).report
    assert local["min_class"] >= 3
    assert local["granularity"] > made.report["granularity"]


def test_the_bound_grows_with_the_effort_and_large_lattices_can_be_proved() -> None:
    draw = np.random.default_rng(6)
    columns = {
        f"q{i}": dictionary_encode(pa.array([str(v) for v in draw.geometric(0.6, 300)])) for i in range(21)
    }
    reports = [
        anonymize(columns, {}, search(3, {}, 0.1, dict.fromkeys(columns, Star()), effort=effort)).report
        for effort in (100, 400, 5000)
    ]
    bounds = [report["lower_bound"] for report in reports]
    assert 0 < bounds[0] < bounds[1] < bounds[2] == reports[2]["loss"] <= reports[0]["loss"]
    assert reports[2]["proved_optimal"]
    assert reports[2]["lattice_size"] == 1 << 21


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    columns = table()
    cells = [column.to_arrow().to_pylist() for column in columns.values()]
    lines = ["a,b,c,s", *(f"{a},{b},{c},{n % 3}" for n, (a, b, c) in enumerate(zip(*cells, strict=True)))]
    (tmp_path / "in.csv").write_text("\n".join(lines) + "\n")
    arguments = [
        "preflight",
        str(tmp_path / "in.csv"),
        "--qi",
        "a,b,c",
        "--k",
        "2,5",
        "--suppression-limits",
        "0,0.1",
    ]
    assert main([*arguments, "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    request = search(5, {}, 0.1, columns=columns)
    assert figures["frontier"] == [
        one.as_dict() for one in frontier(columns, {}, request, (2, 5), (0.0, 0.1))
    ]
    assert (figures["rows"], figures["what_if"]["k"], figures["what_if"]["limit"]) == (200, 5, 0.1)
    assert [(one["column"], one["change"], one["gained"]) for one in figures["what_if"]["changes"]] == [
        (one.column, one.change, one.gained) for one in what_if(columns, {}, request)
    ]
    assert main([*arguments, "--sensitive", "s:l=2"]) == 0
    shown = capsys.readouterr().out
    assert "k 5, limit 0: suppressed 0.0000" in shown
    assert "a left out: granularity +" in shown
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.csv"]
    assert main([*arguments, "--sensitive", "s:l=9"]) == 1
    assert "no solution" in capsys.readouterr().out
    for wrong, says in (
        (["--k", "x"], "--k"),
        (["--k", "900"], "only 200 rows"),
        (["--suppression-limits", "nan"], "between 0 and 1"),
    ):
        assert main([*arguments, *wrong]) == 2
        assert says in capsys.readouterr().err
