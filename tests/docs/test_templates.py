"""The how-to of templates: its files and commands are carried out as they stand there, one block after another."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from techniques.cli.main import main
from tests.docs.test_pipeline import BLOCK
from tests.docs.test_pipeline import PAGE as PIPELINE

PAGE = PIPELINE.parents[1] / "how-to/templates.md"
FENCED = re.compile(r"```(yaml|sh)\n(.*?)```\n", re.DOTALL)


def test_the_page_does_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    first = next(block for block in BLOCK.finditer(PIPELINE.read_text(encoding="utf-8")))
    exec(compile(first["text"], PIPELINE.name, "exec"), {})
    Path("common").mkdir()
    files = iter(("common/people.yaml", "visits.yaml"))
    said = []
    for kind, text in FENCED.findall(PAGE.read_text(encoding="utf-8")):
        if kind == "yaml":
            Path(next(files)).write_text(text, encoding="utf-8")
            continue
        command = shlex.split(text.removeprefix("deid ").partition(" > ")[0])
        assert main(command) == 0, capsys.readouterr().err
        said.append(capsys.readouterr().out)
    assert "2000 rows in, 2000 rows out" in said[0]
    assert said[1].splitlines()[-1] == "all 1 tests passed"
    assert json.loads(said[2])["title"] == "Recipe"
    assert json.loads(Path("run.json").read_text())["variables"]["base"] == 10
