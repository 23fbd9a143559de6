"""A run that is taken up again in its workspace: its own one, and no other."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from techniques.cli import main as cli

RECIPE = """recipe: 1
steps:
  - technique: suppression.mask
    columns: [name]
    parameters: {keep_left: 2}
  - technique: generalization.rounding
    columns: [days]
    parameters: {base: 5, method: stochastic}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("recipe.yaml").write_text(RECIPE)
    Path("in.csv").write_text("name,days\nsecret,7\nhidden,12\n")
    Path("seed").write_bytes(bytes(range(32)))
    return tmp_path


def run(output: str, *more: str) -> int:
    given = ["--workspace", "work", "--report", f"{output}.json", *(more or ("--seed-file", "seed"))]
    return cli.main(["run", "recipe.yaml", "in.csv", output, *given])


def test_the_same_run_again_gives_the_same(folder: Path) -> None:
    assert run("first.csv") == 0
    assert run("second.csv") == 0
    assert Path("first.csv").read_bytes() == Path("second.csv").read_bytes()
    first, second = (json.loads(Path(f"{name}.csv.json").read_text()) for name in ("first", "second"))
    assert (len(first.pop("seconds")) > 0, second.pop("seconds")) == (True, {})
    assert first == second


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("recipe.yaml", RECIPE.replace("keep_left: 2", "keep_left: 0")),
        ("in.csv", "name,days\nsecret,7\nhiddem,12\n"),
        ("seed", "another seed of thirty-two bytes"),
    ],
)
def test_another_run_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str], file: str, content: str
) -> None:
    assert run("first.csv") == 0
    Path(file).write_text(content)
    assert run("second.csv") != 0
    assert "The workspace holds a run of another recipe, source, key or seed" in capsys.readouterr().err
    assert not Path("second.csv").exists()


def test_without_a_seed_of_its_own_each_run_is_another(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("first.csv", "--quiet") == 0
    assert run("second.csv", "--quiet") != 0
    assert "seed" in capsys.readouterr().err
