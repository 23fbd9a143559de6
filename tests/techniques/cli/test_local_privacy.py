"""``deid local``: from values to answers, and from answers to shares and means."""

from __future__ import annotations

import json

import pytest

from techniques.cli.main import main


@pytest.fixture
def values(tmp_path):
    path = tmp_path / "values.csv"
    rows = [f"{'yes' if n % 4 == 0 else 'no'},{n % 11}" for n in range(4000)]
    path.write_text("\n".join(["smokes,cups", *rows]) + "\n")
    return path


SMOKES = ["--kind", "response", "--epsilon", "1", "--choices", "yes,no"]


def test_encoded_answers_are_estimated(values, tmp_path, capsys) -> None:
    reports = tmp_path / "reports.csv"
    assert (
        main(["local", "encode", str(values), str(reports), *SMOKES, "--column", "smokes", "--seed", "3"])
        == 0
    )
    assert reports.read_text().splitlines()[0] == "report"
    assert "yes" not in reports.read_text()
    capsys.readouterr()
    asked = ["local", "estimate", str(reports), *SMOKES, "--confidence", "0.999"]
    assert main([*asked, "--subject", "rows", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["clause"], found["answers"]) == ("GB/T 37964-2019 B.2.3, B.2.5", 4000)
    randomised, *_others = found["statements"]
    assert (randomised["code"], randomised["params"]) == ("randomised", {"epsilon": "1"})
    assert "a randomised response with ε = 1" in randomised["text"]
    yes, no = found["lines"]
    assert yes["low"] <= 0.25 <= yes["high"]
    assert yes["value"] + no["value"] == pytest.approx(1)
    assert main([*asked, "--subject", "rows"]) == 0
    said = capsys.readouterr().out
    assert f"yes: {yes['value']:.6g} [{yes['low']:.6g}, {yes['high']:.6g}]" in said
    assert "a randomised response with ε = 1" in said
    assert found["clause"] in said.splitlines()
    assert "of at least 99.9 %." in said
    assert main(asked) == 2
    assert "--subject" in capsys.readouterr().err


def test_numbers_and_persons(values, tmp_path, capsys) -> None:
    reports = tmp_path / "reports.csv"
    asked = ["--kind", "number", "--epsilon", "2", "--low", "0", "--high", "10", "--steps", "10"]
    assert (
        main(["local", "encode", str(values), str(reports), *asked, "--column", "cups", "--seed", "3"]) == 0
    )
    texts = reports.read_text().split()[1:]
    # Everybody sends a second answer, which counts for nothing.
    twice = tmp_path / "twice.csv"
    lines = [f"{n % 4000},{text}" for n, text in enumerate([*texts, *(["99"] * 4000)])]
    twice.write_text("\n".join(["device,answer", *lines]) + "\n")
    capsys.readouterr()
    for file, column, whose in ((reports, "report", "rows"), (twice, "answer", "device")):
        given = ["local", "estimate", str(file), *asked, "--column", column, "--subject", whose, "--json"]
        assert main(given) == 0
    first, second = (json.loads(part) for part in capsys.readouterr().out.replace("}\n{", "}\0{").split("\0"))
    assert first["lines"] == second["lines"]
    assert first["lines"][0]["low"] <= 5 <= first["lines"][0]["high"]
    assert (second["answers"], second["repeated"]) == (4000, 4000)


def test_refusals_name_no_value(values, tmp_path, capsys) -> None:
    out = str(tmp_path / "o.csv")
    other = ["--kind", "unary", "--epsilon", "1", "--choices", "maybe,never"]
    assert main(["local", "encode", str(values), out, *other, "--column", "smokes"]) == 2
    said = capsys.readouterr().err
    assert "none of the choices" in said
    assert "yes" not in said
    assert not (tmp_path / "o.csv").exists()
    assert main(["local", "encode", str(values), out, *SMOKES, "--column", "nothing"]) == 2
    assert main(["local", "estimate", str(values), *SMOKES[:3], "99", *SMOKES[4:], "--subject", "rows"]) == 2
