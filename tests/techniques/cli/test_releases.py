"""``deid releases``: what several releases tell together, on files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from techniques.cli.main import main
from techniques.core.messages import filled

SOURCE = "age,area,disease\n" + "".join(
    f"{age},{area},{disease}\n"
    for age, area, disease in zip(
        (21, 24, 27, 29, 33, 36, 38, 39),
        "nsnsnsns",
        ("flu", "cancer", "asthma", "hiv", "flu", "gout", "asthma", "angina"),
        strict=True,
    )
)


def _rows(*lines: str) -> str:
    return "\n".join(lines) + "\n"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "source.csv").write_text(SOURCE)
    lines = [line.split(",") for line in SOURCE.splitlines()[1:]]
    by_age = [f"[{age[0]}0-{int(age[0]) + 1}0),*,{disease}" for age, _area, disease in lines]
    by_area = [f"*,{area},{disease}" for _age, area, disease in lines]
    (tmp_path / "ages.csv").write_text(_rows("age,area,disease", *by_age).replace("-", ";"))
    (tmp_path / "areas.csv").write_text(_rows("age,area,disease", *by_area))
    return tmp_path


def _deid(*arguments: object) -> int:
    return main([str(one) for one in ("releases", *arguments)])


def test_composition_says_what_both_releases_leave(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["composition", files / "source.csv", files / "ages.csv", files / "areas.csv"]
    options = ["--qi", "age,area", "--sensitive", "disease", "--subject", "rows"]
    assert _deid(*given, *options, "--k", 4) == 1
    said = capsys.readouterr().out
    assert "ages.csv by itself fits 8 persons of the source and leaves each at least 4 candidates" in said
    assert (
        "of one of them is left with at least 2 candidates, and with one of these releases alone with at least 4"
        in said
    )
    assert "8 of 8 persons are left with fewer than 4; 8 of them have enough in each release alone" in said
    assert _deid(*given, *options, "--k", 2, "--json") == 0
    found = json.loads(capsys.readouterr().out)["found"]
    assert [one["k"] for one in found] == [4, 4, 2]


@pytest.mark.parametrize(
    ("given", "clause", "asked", "limits"),
    [
        (["composition", "source.csv", "ages.csv", "areas.csv", "--qi", "age,area", "--subject", "rows"], "D.4", "k = 3; quasi_identifiers = age, area", "by their place in the file"),
        (["differences", "groups.csv", "groups.csv", "--by", "group", "--count", "people"], "D.1", "k = 3; by = group; count = people", "what several groups or other tables tell"),
        (["increment", "areas.csv", "areas.csv", "--qi", "area", "--subject", "rows"], "D.5", "k = 3; quasi_identifiers = area", "sensitive values that the new rows have"),
        (["linked", "source.csv", "--qi", "age", "--subject", "rows", "--longest", "4"], "D.3", "k = 3; quasi_identifiers = age; longest = 4", "more than 4 rows in a row"),
    ],
)  # fmt: skip
def test_each_part_says_its_clause_what_was_asked_and_what_it_leaves_out(
    files: Path, capsys: pytest.CaptureFixture[str], given: list[str], clause: str, asked: str, limits: str
) -> None:
    (files / "groups.csv").write_text(_rows("group,people", "a,30"))
    part, *others = (files / one if one.endswith(".csv") else one for one in given)
    _deid(part, *others, "--k", 3)
    *said, last = capsys.readouterr().out.splitlines()
    assert last == f"GB/T 37964-2019 {clause}; {asked}"
    assert said[-1].startswith("Not counted are other knowledge of a person")
    assert limits in said[-1]
    _deid(part, *others, "--k", 3, "--json")
    found = json.loads(capsys.readouterr().out)
    assert (found["clause"], found["k"], found["statements"]) == (f"GB/T 37964-2019 {clause}", 3, said)
    listed = {name: ", ".join(one) if isinstance(one, list) else one for name, one in found["asked"].items()}
    assert "; ".join(f"{name} = {one}" for name, one in {"k": 3, **listed}.items()) == asked
    assert [filled(one["message"], one["params"]) for one in found["said"]] == said
    assert all(one["code"] for one in found["said"])


def test_a_person_whom_one_release_lacks_counts_where_it_is(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """21 and 24 stand in one release alone, as a class of two: who has it is left with two, whatever the other says."""
    (files / "some.csv").write_text(_rows("age,n", *["[20;25),x"] * 2, *["[25;40),x"] * 6))
    (files / "rest.csv").write_text(_rows("age,n", *["[25;40),x"] * 6))
    given = ["composition", files / "source.csv", files / "some.csv", files / "rest.csv"]
    assert _deid(*given, "--qi", "age", "--subject", "rows", "--k", 5) == 1
    said = capsys.readouterr().out
    assert (
        "some.csv by itself fits 8 persons of the source and leaves each at least 2 candidates; 2 of them"
        in said
    )
    assert "fit 6 persons together" in said
    assert "at least 6 candidates, and with one of these releases alone with at least 6" in said


def test_persons_with_several_rows_need_to_be_known_in_the_releases(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (files / "visits.csv").write_text(_rows("who,age", "a,21", "a,22", "b,23", "b,24"))
    for name in ("one.csv", "two.csv"):
        (files / name).write_text(_rows("pseudonym,age", *[f"{who},[20;30)" for who in "xxyy"]))
    given = [
        "composition",
        files / "visits.csv",
        files / "one.csv",
        files / "two.csv",
        "--qi",
        "age",
        "--subject",
        "who",
    ]
    assert _deid(*given) == 2
    assert "--released-subject" in capsys.readouterr().err
    assert _deid(*given, "--released-subject", "pseudonym", "--k", 2) == 0
    assert "at least 2 candidates" in capsys.readouterr().out


def test_differences_of_two_versions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The table of D.1."""
    (tmp_path / "may.csv").write_text(_rows("表现,学生个数", "良,30", "中,50", "优,20"))
    (tmp_path / "june.csv").write_text(_rows("表现,学生个数", "良,30", "中,50", "优,21"))
    given = [
        "differences",
        tmp_path / "may.csv",
        tmp_path / "june.csv",
        "--by",
        "表现",
        "--count",
        "学生个数",
    ]
    assert _deid(*given) == 1
    assert capsys.readouterr().out.startswith("优: 1 more than before, on balance.")
    assert _deid("differences", tmp_path / "may.csv", *given[1:2], *given[3:]) == 0
    assert "Of 3 groups compared 3 say the same" in capsys.readouterr().out


def test_an_increment_with_noise(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ages = [str(age) for age in range(60, 80) for _each in range(5)]
    (tmp_path / "first.csv").write_text(_rows("age", *ages))
    (tmp_path / "then.csv").write_text(_rows("age", *ages, "65", "96"))
    given = ["increment", tmp_path / "first.csv", tmp_path / "then.csv", "--qi", "age", "--subject", "rows"]
    assert _deid(*given, "--noise", "age=2") == 1
    said = capsys.readouterr().out
    assert "1 of the new persons has fewer than 5 like them" in said
    assert "In age, 1 of the new persons lies beyond everybody" in said
    assert _deid(*given, "--noise", "age=x") == 2
    assert "is not a valid noise setting" in capsys.readouterr().err


def test_rows_that_hang_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [
        f"{who},{time},{'xyz'[(who * time) % 3]},f{who // 6},2024-01-{who + 1:02d},2024-01-{who + 3:02d}"
        for who in range(12)
        for time in range(3)
    ]
    (tmp_path / "released.csv").write_text(_rows("who,time,what,family,start,test", *rows))
    options = [
        "--qi",
        "what",
        "--subject",
        "who",
        "--order",
        "time",
        "--groups",
        "family",
        "--dates",
        "start,test",
    ]
    assert _deid("linked", tmp_path / "released.csv", *options, "--days", 0) == 1
    said = capsys.readouterr().out
    assert "Who knows 3 rows of a person in a row: 0 of 12 persons" in said
    assert "Counted by family the smallest class has 2" in said
    assert "In 100.0 % of the rows that have both, test is 2 to 2 days after start" in said
