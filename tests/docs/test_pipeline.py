"""The tutorial of the pipeline: its files and commands are those of the page, and print what it says."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

import pytest

from techniques.cli.main import main

PAGE = Path(__file__).resolve().parents[2] / "docs/tutorial/pipeline.md"
BLOCK = re.compile(r"```(?P<kind>python|yaml|console)\n(?P<text>.*?)```\n", re.DOTALL)


def _said(text: str) -> list[tuple[list[str], list[str]]]:
    """Each command of a block with the lines below it."""
    commands: list[tuple[list[str], list[str]]] = []
    for line in text.splitlines():
        if line.startswith("$ deid "):
            commands.append((shlex.split(line.removeprefix("$ deid ")), []))
        else:
            commands[-1][1].append(line)
    return commands


def test_the_page_does_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    files = iter(("recipe.yaml", "policy.yaml"))
    codes = []
    for block in BLOCK.finditer(PAGE.read_text(encoding="utf-8")):
        if block["kind"] == "python":
            exec(compile(block["text"], PAGE.name, "exec"), {})
        elif block["kind"] == "yaml":
            Path(next(files)).write_text(block["text"], encoding="utf-8")
        else:
            for arguments, lines in _said(block["text"]):
                codes.append(main(arguments))
                printed, wrong = capsys.readouterr()
                if lines:
                    assert (printed or wrong).splitlines() == lines
    assert codes == [2, 0, 0, 0, 1]
    assert sorted(os.listdir()) == ["policy.yaml", "recipe.yaml", "released.csv", "run.json", "visits.csv"]
