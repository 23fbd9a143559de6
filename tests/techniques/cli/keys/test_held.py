"""Keys by their fingerprints: in every report of a run that used one, and compared with those of an earlier run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from techniques.cli import main as cli

HASH = "{technique: pseudonymization.keyed_hash, column: name, parameters: {%s}}"
PURPOSE = "joinable: purpose, purpose: registry"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder: a table, two keys, a seed, and recipes that rest on the run's key or on a purpose's."""
    monkeypatch.chdir(tmp_path)
    for name in ("one", "two"):
        Path(f"{name}.key").write_text(name * 20)
    Path("seed").write_text("s" * 40)
    Path("a.csv").write_text("name,age\n" + "".join(f"person {i},{20 + i % 3}\n" for i in range(30)))
    for name, settings in (("own", "joinable: project"), ("purpose", PURPOSE)):
        Path(f"{name}.yaml").write_text(f"recipe: 1\nunlisted: keep\nsteps: [{HASH % settings}]\n")
    Path("none.yaml").write_text(
        "recipe: 1\nunlisted: keep\nsteps: [{technique: suppression.remove_column, columns: [name]}]\n"
    )
    return tmp_path


def _run(recipe: str, report: str, *more: str) -> int:
    arguments = ["run", f"{recipe}.yaml", "a.csv", "out.csv", "--seed-file", "seed", "--report", report]
    return cli.main([*arguments, *more])


def _secrets(report: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Path(report).read_text()).get("secrets", {})
    return found


def test_every_report_of_a_run_with_a_key_names_it(folder: Path) -> None:
    assert _run("own", "own.json", "--key-file", "one.key") == 0
    assert _run("purpose", "purpose.json", "--purpose-key", "registry=one.key") == 0
    assert _run("none", "none.json") == 0
    assert set(_secrets("own.json")) == {"key", "salt"}
    assert _secrets("purpose.json")["purposes"] == {"registry": _secrets("own.json")["key"]}
    assert not _secrets("none.json")


@pytest.mark.parametrize(
    ("recipe", "option"),
    [("own", ["--key-file", "%s.key"]), ("purpose", ["--purpose-key", "registry=%s.key"])],
)
def test_another_key_than_that_of_the_earlier_run_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str], recipe: str, option: list[str]
) -> None:
    one, two = ([part.replace("%s", name) for part in option] for name in ("one", "two"))
    assert _run(recipe, "first.json", *one) == 0
    assert _run(recipe, "again.json", *one, "--same-key-as", "first.json") == 0
    Path("out.csv").unlink()
    capsys.readouterr()
    assert _run(recipe, "other.json", *two, "--same-key-as", "first.json") == 2
    assert "This is not the key of the" in capsys.readouterr().err
    assert not Path("out.csv").exists()
    assert not Path("other.json").exists()


def test_a_report_that_names_no_key_proves_nothing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("none", "none.json") == 0
    for report, said in (("none.json", "names no key"), ("a.csv", "a.csv is not the report of a run")):
        assert _run("own", "own.json", "--key-file", "one.key", "--same-key-as", report) == 2
        assert said in capsys.readouterr().err
