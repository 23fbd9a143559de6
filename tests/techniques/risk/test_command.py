"""``deid risk`` on files as people have them."""

from __future__ import annotations

import argparse
import json

import pandas as pd
import pytest

from techniques.messages import EngineError
from techniques.risk.command import add_parser, quasi_identifiers
from tests.techniques.risk.test_measure import flat, naive


def run(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser()
    add_parser(parser.add_subparsers())
    options = parser.parse_args(["risk", *arguments])
    return options.run(options)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_json(tmp_path, capsys, encoding: str, delimiter: str) -> None:
    frame = pd.DataFrame({"性别": ["男", "女", "男", "男"] * 6, "城市": ["北京", "上海", "", "北京"] * 6})
    path = tmp_path / "表.csv"
    frame.to_csv(path, index=False, sep=delimiter, encoding=encoding)
    assert run([str(path), "--qi", "性别, 城市", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert list(printed) == ["rows", "classes", "k", "max_risk", "average_risk", "at_risk"]
    assert flat(printed) == pytest.approx(flat(naive(frame, ["性别", "城市"])))


def test_adult(real_data_dir, capsys) -> None:
    path = real_data_dir / "adult_arx.csv"
    assert run([str(path), "--qi", "sex,age,race,marital-status", "--json"]) == 0
    frame = pd.read_csv(path, sep=";", dtype=str, keep_default_na=False)
    printed = json.loads(capsys.readouterr().out)
    assert flat(printed) == pytest.approx(flat(naive(frame, ["sex", "age", "race", "marital-status"])))


def test_text_and_faults(tmp_path, capsys) -> None:
    path = tmp_path / "a.csv"
    path.write_text("a,b\n1,x\n1,x\n", encoding="utf-8")
    assert run([str(path), "--qi", "a"]) == 0
    assert "one time in 2" in capsys.readouterr().out
    with pytest.raises(EngineError, match="no column"):
        run([str(path), "--qi", "a,c"])
    assert run([str(path), "--qi", "a", "--encoding", "utf-8", "--delimiter", ","]) == 0


def test_names_with_commas() -> None:
    assert quasi_identifiers("a,b,c", ["a", "b,c"]) == ["a", "b,c"]
    assert quasi_identifiers(" a , b", ["a", "b"]) == ["a", "b"]
