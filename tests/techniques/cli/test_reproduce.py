"""The sources' worked examples, from rows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from techniques.cli.main import main
from techniques.cli.reproduction import standards
from techniques.models.differential_privacy import histogram_example


@pytest.mark.parametrize("example", ["tisc-d", "gbt-a36"])
def test_the_rows_give_what_the_standard_concludes(example: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reproduce", example, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    if example == "tisc-d":
        assert (found["rows"], found["classes"], found["k"], found["degree"]) == (16, 5, 3, 1.0)
    else:
        assert (found["rows"] - found["rows_left"], found["columns_left"]) == (
            1,
            ["性别", "薪水", "工作年限"],
        )
        assert found["k"] >= 2


def test_the_histogram_of_b2(capsys: pytest.CaptureFixture[str]) -> None:
    """The counts without noise are the standard's; its own noisy counts are within what ε allows."""
    assert main(["reproduce", "gbt-b2", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["histogram"], found["sensitivity"]) == ([2, 1, 3, 4, 3, 4], 1)
    assert found["noisy"] != found["histogram"]
    assert found["published"] == [1, 2, 5, 3, 2, 3]
    assert found["largest_loss"] == found["epsilon"] == 1.0
    # Of a belief of one half, an odd of e is left.
    assert found["belief"] == 0.7311
    assert main(["reproduce", "gbt-b2"]) == 0
    said = capsys.readouterr().out
    assert "believes in it with 73%" in said
    assert "Rests on: GB/T 37964-2019 B.2.5.2" in said
    assert (found["basis"], "each further answer adds to ε" in found["limits"]) == (
        "GB/T 37964-2019 B.2.5.2",
        True,
    )


def test_a_patient_less_is_another_histogram(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(histogram_example, "_ILL", histogram_example._ILL[1:])
    assert main(["reproduce", "gbt-b2"]) == 1


def test_other_rows_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standards, "_AGES", {"男": (36, 37, 40), "女": (36, 38)})
    assert main(["reproduce", "tisc-d"]) == 1


def test_entropy_of_adult(real_data_dir: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = real_data_dir / "adult_full.csv"
    assert main(["reproduce", "entropy", "--data", str(data)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["age  0.3791", "occupation  0.2262"]
    assert lines[-3].endswith("risk 0.3240")
    assert lines[-2].startswith("Rests on: GB/T 37964-2019 4.3; likelihood times impact by Shannon's entropy")
    assert "can be low while someone stands alone" in lines[-1]
    fewer = tmp_path / "fewer.csv"
    fewer.write_text("".join(data.read_text().splitlines(keepends=True)[:1000]))
    assert main(["reproduce", "entropy", "--data", str(fewer)]) == 1


def test_an_example_of_a_table_asks_for_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reproduce", "entropy"]) != 0
    assert "--data" in capsys.readouterr().err
