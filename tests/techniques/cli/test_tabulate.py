"""``deid tabulate``: a table of statistics as it may go out."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from techniques.cli.main import main
from techniques.core.messages import filled

ROWS = [
    *[("A", "x", "s1", 100), ("A", "x", "s1", 50), ("A", "x", "s2", 5), ("A", "y", "s3", 40), ("A", "y", "s4", 41)],
    *[("A", "y", "s5", 39), ("B", "x", "s6", 30), ("B", "x", "s7", 33), ("B", "x", "s8", 31), ("B", "y", "s9", 20)],
    *[("B", "y", "s10", 25), ("B", "y", "s11", 24), ("C", "x", "s12", 12), ("C", "x", "s13", 11), ("C", "x", "s14", 13)],
    *[("C", "y", "s15", 9), ("C", "y", "s16", 8), ("C", "y", "s17", 7)],
]  # fmt: skip


@pytest.fixture
def companies(tmp_path: Path) -> Path:
    path = tmp_path / "companies.csv"
    lines = [",".join(map(str, row)) for row in ROWS]
    path.write_text("\n".join(["town,branch,company,turnover", *lines]) + "\n", encoding="utf-8")
    return path


def made(path: Path) -> dict[tuple[str, str], str]:
    with path.open(encoding="utf-8", newline="") as stream:
        return {(row["town"], row["branch"]): row["value"] for row in csv.DictReader(stream)}


def test_sums_without_the_cells_that_tell_of_a_company(
    companies: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, report = tmp_path / "t.csv", tmp_path / "r.json"
    what = ["tabulate", str(companies), str(out), "--by", "town,branch", "--subject", "company"]
    assert main([*what, "--sum", "turnover", "--p", "10", "--report", str(report)]) == 0
    cells = made(out)
    # 150 by one company, 5 by the other; another in its row and another in its column, or a way round.
    assert cells["A", "x"] == "x"
    assert cells["Total", "Total"] in ("498", "x")
    assert sum(value == "x" for value in cells.values()) == 4
    secret = json.loads(report.read_text(encoding="utf-8"))
    assert secret["primary_cells"] == [["A", "x"]]
    assert (secret["secondary"], secret["rules"]["p_percent"]) == (3, 10)
    printed = capsys.readouterr().out
    assert "4 of 12 cells are hidden" in printed
    assert "No other choice of cells loses less." in printed


def test_a_holding_is_one_contributor(companies: Path, tmp_path: Path) -> None:
    out = tmp_path / "t.csv"
    with companies.open(encoding="utf-8") as stream:
        lines = stream.read().splitlines()
    held = {"s15": "H", "s16": "H", "s17": "H"}
    companies.write_text(
        "\n".join(
            [lines[0] + ",holding", *(f"{line},{held.get(line.split(',')[2], '')}" for line in lines[1:])]
        ),
        encoding="utf-8",
    )
    what = [
        "tabulate",
        str(companies),
        str(out),
        "--by",
        "town,branch",
        "--subject",
        "company",
        "--sum",
        "turnover",
    ]
    assert main([*what, "--minimum", "2"]) == 0
    assert "x" not in made(out).values()
    assert main([*what, "--minimum", "2", "--holding", "holding"]) == 0
    assert made(out)["C", "y"] == "x"


def test_rounded_counts(companies: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "t.csv"
    what = [
        "tabulate",
        str(companies),
        str(out),
        "--by",
        "town,branch",
        "--subject",
        "company",
        "--minimum",
        "3",
    ]
    assert main([*what, "--round", "5"]) == 0
    cells = {key: int(value) for key, value in made(out).items()}
    assert all(value % 5 == 0 for value in cells.values())
    assert cells["A", "Total"] == cells["A", "x"] + cells["A", "y"]
    out.unlink()
    assert main([*what, "--round", "1"]) == 1
    assert not out.exists()
    assert "must not go out" in capsys.readouterr().out


def test_rows_of_a_company_and_a_base_with_decimals(
    companies: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "t.csv"
    what = [
        "tabulate",
        str(companies),
        str(out),
        "--by",
        "town,branch",
        "--subject",
        "company",
        "--minimum",
        "3",
    ]
    assert main([*what, "--rows"]) == 0
    cells = made(out)
    assert cells["A", "x"] == "x"
    assert (cells["C", "y"], cells["Total", "Total"]) in (("3", "18"), ("x", "18"), ("3", "x"))
    assert main([*what, "--rows", "--round", "1"]) == 1
    capsys.readouterr()
    assert main([*what, "--sum", "turnover", "--round", "2.5"]) in (0, 1)
    if "must not go out" not in capsys.readouterr().out:
        cells = made(out)
        assert all(float(value) % 2.5 == 0 for value in cells.values())
        assert float(cells["C", "Total"]) == float(cells["C", "x"]) + float(cells["C", "y"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--by", "town,branch", "--sum", "turnover"], "State what makes a cell sensitive"),
        (["--by", "town", "--sum", "branch", "--minimum", "3"], "no number"),
        (["--by", "town", "--total", "A", "--minimum", "3"], "name the totals otherwise"),
        (["--by", "town", "--minimum", "3", "--pq", "50,10"], "rules"),
        (["--by", "town", "--minimum", "3", "--dominance", "2"], "rules"),
        (["--by", "town", "--minimum", "3", "--dominance", "2,80,5"], "rules"),
        (["--by", "town", "--p", "10"], "--minimum"),
        (["--by", "town", "--minimum", "3", "--round", "-5"], "above 0"),
        (["--by", "town", "--minimum", "3", "--rows", "--sum", "turnover"], "Either"),
        (["--by", "nothing", "--minimum", "3"], "nothing"),
        (["--by", "town", "--minimum", "3", "--zeros", "hidden"], "--zeros hidden is for sums"),
        (["--by", "town", "--minimum", "3", "--zeros", "hidden", "--rows"], "--zeros hidden is for sums"),
    ],
)  # fmt: skip
def test_what_cannot_be_made_is_refused(
    companies: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    out = tmp_path / "t.csv"
    assert main(["tabulate", str(companies), str(out), "--subject", "company", *arguments]) == 2
    assert message in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.parametrize("rows", ["A,x,s1,20-29", "A,x,s1,[20;30)", ""])
def test_intervals_are_not_added_up_and_a_table_has_rows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], rows: str
) -> None:
    path, out = tmp_path / "i.csv", tmp_path / "t.csv"
    path.write_text(f"town,branch,company,turnover\n{rows}\n", encoding="utf-8")
    what = ["tabulate", str(path), str(out), "--by", "town", "--subject", "rows", "--minimum", "2"]
    assert main([*what, "--sum", "turnover"]) == 2
    assert ("no number" if rows else "no rows") in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.parametrize(
    ("more", "figures", "words"),
    [
        (["--minimum", "3"], ("contributors", "", None), "counts of contributors by town, branch; a contributor is a different company; cells that tell too much are hidden"),
        (["--rows", "--minimum", "2"], ("rows", "", None), "counts of rows by town, branch; a contributor is a different company; cells that tell too much are hidden"),
        (["--sum", "turnover", "--p", "10"], ("sum", "turnover", None), "sums of turnover by town, branch; a contributor is a different company; cells that tell too much are hidden"),
        (["--minimum", "3", "--round", "5"], ("contributors", "", 5.0), "counts of contributors by town, branch; a contributor is a different company; rounded to multiples of 5"),
    ],
)  # fmt: skip
def test_what_is_printed_says_the_clause_what_the_table_is_and_no_rule(
    companies: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    more: list[str],
    figures: tuple[object, ...],
    words: str,
) -> None:
    what = ["tabulate", str(companies), str(tmp_path / "t.csv"), "--by", "town,branch", "--subject", "company", *more]  # fmt: skip
    assert main(what) == 0
    *said, last = capsys.readouterr().out.splitlines()
    assert last == f"T/ISC 0078-2025 10.5; GB/T 37964-2019 A.1.3; {words}"
    assert said[-1].startswith("Not covered either: what empty cells tell.")
    assert main([*what, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["kind"], found["column"], found["base"], found["by"]) == (*figures, ["town", "branch"])
    assert found["clause"] == "T/ISC 0078-2025 10.5; GB/T 37964-2019 A.1.3"
    assert [filled(one["message"], one["params"]) for one in found["said"]] == found["statements"] == said
    assert not {"rules", "primary", "secondary"} & {*found}


def test_totals_between_a_value_and_the_whole(companies: Path, tmp_path: Path) -> None:
    folder, out = tmp_path / "h", tmp_path / "t.csv"
    folder.mkdir()
    (folder / "town.csv").write_text("A;north\nB;north\nC;south\n", encoding="utf-8")
    what = ["tabulate", str(companies), str(out), "--by", "town", "--subject", "company", "--sum", "turnover"]
    assert main([*what, "--minimum", "2", "--hierarchies", str(folder)]) == 0
    with out.open(encoding="utf-8") as stream:
        found = {row["town"]: row["value"] for row in csv.DictReader(stream)}
    assert found == {"Total": "498", "north": "438", "A": "275", "B": "163", "south": "60", "C": "60"}
    (folder / "town.csv").write_text("A;north\nB;north\n", encoding="utf-8")
    assert main([*what, "--minimum", "2", "--hierarchies", str(folder)]) == 2
