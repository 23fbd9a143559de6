"""The table as a whole: figures by their definitions, and a model that learns from it."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from techniques.cli.main import main
from techniques.core.messages import EngineError
from techniques.data_utility.whole import model_utility, whole_table
from techniques.tables.dictionary import EncodedColumn, dictionary_encode


def coded(**columns: list[str]) -> dict[str, EncodedColumn]:
    return {name: dictionary_encode(pa.array(values, pa.string())) for name, values in columns.items()}


def test_figures_of_the_whole_table() -> None:
    before = coded(a=["1", "2", "3", "4", "5"], b=["x", "x", "y", "y", "x"])
    after = coded(a=["1-2", "1-2", "3", "3-4", "*"], b=["x", "x", "y", "y", "*"])
    found = whole_table(before, after, ["a", "b"])
    assert (found.classes, found.suppressed_rows, found.suppressed_cells) == (3, 0.2, 0.2)
    assert found.average_class == pytest.approx(4 / 3)
    assert found.discernibility == 2 * 2 + 1 + 1 + 5
    assert found.cells_kept == {"a": 0.2, "b": 0.8}
    assert found.entropy_kept["a"] == pytest.approx((np.log2(5) - 0.4) / np.log2(5))
    assert found.entropy_kept["b"] == pytest.approx(1.0)
    with pytest.raises(EngineError, match="same rows"):
        whole_table(before, coded(a=["1"], b=["x"]), ["a", "b"])
    with pytest.raises(EngineError, match="not in both"):
        whole_table(before, coded(a=["1"]), ["a", "b"])


def test_a_model_learns_less_from_less() -> None:
    draw = np.random.default_rng(1)
    x = draw.integers(0, 10, 2000)
    y = np.where(draw.random(2000) < 0.9, x >= 3, x < 3)
    labels = [str(v) for v in y]
    before = coded(x=[str(v) for v in x], y=labels)
    good = coded(x=["low" if v < 3 else "high" for v in x], y=labels)
    bad = coded(x=["*"] * 2000, y=labels)
    found = model_utility(before, good, ["x"], "y")
    assert found.original == pytest.approx(0.9, abs=0.03)
    assert found.released == pytest.approx(found.original, abs=0.01)
    lost = model_utility(before, bad, ["x"], "y")
    assert lost.released == pytest.approx(lost.guessing, abs=1e-9)
    assert lost.guessing == max(Counter(labels).values()) / 2000


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.csv").write_text("a,b\n" + "".join(f"{n % 10},{n % 2}\n" for n in range(50)))
    rows = [f'"[{n % 10 // 2 * 2},{n % 10 // 2 * 2 + 1}]",{n % 2}\n' for n in range(50)]
    (tmp_path / "b.csv").write_text("a,b\n" + "".join(rows))
    (tmp_path / "t.json").write_text('[{"kind": "rows_retained", "bound": 1.0}]')
    files = [str(tmp_path / name) for name in ("a.csv", "b.csv")]
    targets = ["--targets", str(tmp_path / "t.json")]
    assert main(["utility", *files, "--qi", "a,b", "--target", "b", *targets, "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["targets"][0]["passed"]
    assert figures["whole"]["classes"] == 10
    assert figures["model"]["original"] == 1.0
    assert figures["pairs"][0]["columns"] == ["a", "b"]
    (tmp_path / "t.json").write_text('[{"kind": "categories_kept", "column": "a", "bound": 0.5}]')
    assert main(["utility", *files, *targets]) == 1
    assert "missed" in capsys.readouterr().out
    (tmp_path / "t.json").write_text("[{}]")
    assert main(["utility", *files, *targets]) == 2
