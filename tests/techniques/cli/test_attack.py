"""``deid attack`` on files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from techniques.cli.main import main

SOURCE = "id,age,sex,illness\n" + "".join(
    f"{place},{20 + place},{'mf'[place % 2]},{('flu', 'gout', 'hiv')[place % 3]}\n" for place in range(20)
)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "source.csv").write_text(SOURCE)
    lines = [line.split(",") for line in SOURCE.splitlines()[1:]]
    rows = [
        f"{number},[{age[0]}0;{int(age[0]) + 1}0),{sex},{illness}"
        for number, age, sex, illness in reversed(lines)
    ]
    (tmp_path / "result.csv").write_text("\n".join(["id,age,sex,illness", *rows]) + "\n")
    (tmp_path / "others.csv").write_text(SOURCE.replace(",2", ",3"))
    return tmp_path


def _deid(files: Path, *arguments: object) -> int:
    return main(["attack", str(files / "source.csv"), str(files / "result.csv"), *map(str, arguments)])


def _figures(files: Path, capsys: pytest.CaptureFixture[str], *arguments: object) -> dict:
    assert _deid(files, "--subject", "rows", "--json", *arguments) == 0
    return json.loads(capsys.readouterr().out)


def test_figures_and_sentences(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = _figures(files, capsys, "--known", "age,sex", "--secret", "illness", "--own", "id")
    # Ten of an age, five of a sex among them.
    assert found["linkage"]["attack"]["successes"] == pytest.approx(20 / 5)
    assert found["inference"][0]["left_out"]
    assert (
        "An insider who knows age, sex finds the right record of 20.0 % of 20 persons"
        in found["statements"][0]
    )


def test_whose_the_records_are_is_said_in_four_ways(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    by_key = _figures(files, capsys, "--known", "age", "--own", "id")
    by_order = _figures(files, capsys, "--known", "age", "--own", "order")
    by_likeness = _figures(files, capsys, "--known", "age")
    # The result stands the other way round, so by their order the twenties are the thirties.
    assert by_key["linkage"]["attack"]["successes"] == pytest.approx(2)
    assert by_order["linkage"]["attack"]["successes"] == 0
    assert by_likeness["linkage"]["by_likeness"]
    assert _figures(files, capsys, "--known", "age", "--own", "nobody")["linkage"] is None


def test_a_control_group_is_attacked_too(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = _figures(
        files, capsys, "--known", "age,sex", "--secret", "illness", "--control", files / "others.csv"
    )
    assert found["inference"][0]["control"]["attempts"] == 20
    assert not found["inference"][0]["left_out"]
    assert found["singling_out"][0]["control"] is not None


def test_what_an_attack_may_do_better_is_a_bound(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["--known", "age", "--subject", "rows", "--own", "id"]
    assert _deid(files, *given, "--at-most", "0.01") == 1
    assert _deid(files, *given, "--at-most", "1") == 0
    capsys.readouterr()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--known", "age", "--own", "sex"], "Column sex has one value for several persons"),
        (["--known", "age", "--own", "town"], "“town”"),
        (["--known", "age", "--wrong", "2"], "at most 1"),
        (["--known", "age", "--secret", "age"], "Column age is either known or a secret"),
        (["--known", "age", "--noise", "age=far"], "is not a valid noise setting"),
    ],
)
def test_what_cannot_be_is_refused(files: Path, capsys: pytest.CaptureFixture[str], arguments, said) -> None:
    assert _deid(files, "--subject", "rows", *arguments) == 2
    assert said in capsys.readouterr().err
