"""``--subject``: the commands ask whose the rows are, or are told, and count persons."""

from __future__ import annotations

import csv
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.csv
import pytest

import techniques
from techniques.cli.main import main
from techniques.core.messages import EngineError


@pytest.fixture(scope="module")
def visits(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four hundred visits of some 130 patients, whose age and sex are theirs and whose illness is the visit's."""
    path = tmp_path_factory.mktemp("visits") / "visits.csv"
    draw = np.random.default_rng(3)
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["病历号", "age", "sex", "illness"])
        for who in draw.integers(0, 150, 400).tolist():
            writer.writerow([f"{who:06}", 20 + who % 40, "mf"[who % 2], f"i{draw.integers(4)}"])
    return path


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main([str(one) for one in arguments])
    out, err = capsys.readouterr()
    return code, out, err


@pytest.mark.parametrize("command", ["risk", "evaluate", "preflight", "anonymize"])
def test_where_nobody_said_the_command_stops_with_the_question(
    command: str, visits: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    more = [str(tmp_path / "out.csv"), "--k", "3"] if command == "anonymize" else []
    code, out, err = said(capsys, command, str(visits), *more, "--qi", "age,sex")
    assert (code, out) == (2, "")
    assert "--subject 病历号" in err
    assert "--subject rows" in err
    assert not (tmp_path / "out.csv").exists()


def test_the_same_file_by_rows_and_by_persons(visits: Path, capsys: pytest.CaptureFixture[str]) -> None:
    measured: dict[str, Any] = {}
    for subject in ("rows", "", "病历号"):
        code, out, _err = said(
            capsys,
            "risk",
            str(visits),
            "--qi",
            "age,sex",
            "--sensitive",
            "illness",
            "--json",
            "--subject",
            subject,
            "--accept-findings",
            "病历号",
        )
        assert code == 0
        measured[subject] = json.loads(out)
    assert measured["rows"] == measured[""]
    assert "persons" not in measured["rows"]
    with visits.open() as stream:
        rows = list(csv.DictReader(stream))
    classes = defaultdict(set)
    for row in rows:
        classes[row["age"], row["sex"]].add(row["病历号"])
    assert measured["病历号"]["k"] == min(map(len, classes.values())) < measured["rows"]["k"]
    assert measured["病历号"]["persons"] == len({row["病历号"] for row in rows})
    assert measured["病历号"]["sensitive"]["illness"]["several_values"] > 0


@pytest.mark.parametrize("local", [[], ["--local"]])
def test_a_result_holds_k_persons_and_the_report_says_who_is_gone(
    local: list[str], visits: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    result, report = tmp_path / "out.csv", tmp_path / "report.json"
    code, out, err = said(
        capsys, "anonymize", str(visits), str(result), "--qi", "age,sex", "--k", "6", "--suppression-limit", "0.2",
        "--subject", "病历号", "--keep", "病历号", "--report", str(report), *local,
    )  # fmt: skip
    assert code == 0, err
    classes = defaultdict(set)
    with result.open() as stream:
        for row in csv.DictReader(stream):
            if (row["age"], row["sex"]) != ("*", "*"):
                classes[row["age"], row["sex"]].add(row["病历号"])
    figures = json.loads(report.read_text())
    assert min(map(len, classes.values())) == figures["min_class"] >= 6
    left = set.union(*classes.values())
    assert figures["suppressed_persons"] == figures["persons"] - len(left)
    assert f"of {figures['persons']} persons" in out


def test_evaluation_and_preflight_count_persons(visits: Path, capsys: pytest.CaptureFixture[str]) -> None:
    common = ["--qi", "sex", "--subject", "病历号", "--json"]
    _code, out, _err = said(capsys, "evaluate", str(visits), *common)
    found = json.loads(out)
    assert found["k"] < found["persons"] < 150
    _code, out, _err = said(capsys, "preflight", str(visits), *common, "--k", "5,60,120")
    assert json.loads(out)["persons"] == found["persons"]
    code, _out, err = said(capsys, "preflight", str(visits), *common, "--k", "200")
    assert code == 2
    assert f"only {found['persons']} persons" in err
    code, _out, err = said(capsys, "risk", str(visits), *common, "--subsets")
    assert code == 2
    assert "--subject rows" in err


def test_the_front_door_asks_too(visits: Path) -> None:
    table = pyarrow.csv.read_csv(visits)
    with pytest.raises(EngineError) as error:
        techniques.risk(table, ["age", "sex"])
    assert error.value.code == "subject_unsaid"
    with pytest.raises(EngineError):
        techniques.anonymize(table, ["age"], k=2)
    assert techniques.risk(table, ["sex"], subject=()).figures.persons is None
    assert techniques.risk(table, ["sex"], subject="病历号").figures.persons == len(
        set(table["病历号"].to_pylist())
    )
    made = techniques.anonymize(table, ["age", "sex"], k=5, subject=["病历号"])
    assert made.report["min_class"] >= 5
    with pytest.raises(EngineError) as error:
        techniques.risk(table, ["sex"], subject="nobody")
    assert error.value.code == "unknown_column"


@pytest.mark.parametrize("command", ["risk", "anonymize"])
def test_who_says_rows_of_a_few_persons_with_many_is_told_what_speaks_against_it(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, draw = tmp_path / "visits.csv", np.random.default_rng(5)
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["编号", "性别", "诊断"])
        for who in draw.permutation(np.repeat(np.arange(15), 40)).tolist():
            writer.writerow([f"P{who:04}", "男女"[who % 2], f"i{draw.integers(4)}"])
    more = [str(tmp_path / "out.csv"), "--k", "3"] if command == "anonymize" else []
    code, _out, err = said(capsys, command, str(path), *more, "--qi", "性别")
    assert code == 2
    assert "--subject 编号" in err
    code, _out, err = said(capsys, command, str(path), *more, "--qi", "性别", "--subject", "rows")
    assert code == 0
    assert "column 编号 has 15 different values in 600 rows, up to 40 of one" in err
    code, _out, err = said(capsys, command, str(path), *more, "--qi", "性别", "--subject", "编号")
    assert (code, "looks like a key" in err) == (0, False)
