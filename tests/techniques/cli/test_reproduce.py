"""The standards' worked examples, from rows."""

from __future__ import annotations

import json

import pytest

from techniques.cli import reproduce
from techniques.cli.main import main


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


def test_other_rows_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reproduce, "_AGES", {"男": (36, 37, 40), "女": (36, 38)})
    assert main(["reproduce", "tisc-d"]) == 1
