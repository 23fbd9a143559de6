"""The page for notebooks: its code runs, and prints what stands below it. So do the examples of the two READMEs."""

from __future__ import annotations

import contextlib
import io
import os
import random
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

import techniques
from techniques.cli.main import main

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/how-to/notebook.md"
BLOCK = re.compile(r"```python\n(?P<code>.*?)```\n(?:```text\n(?P<output>.*?)```\n)?", re.DOTALL)


COMMAND = re.compile(r"^(?:\.venv/bin/)?deid (?P<arguments>.+)$", re.MULTILINE)
READMES = ["README.md", "techniques/README.md"]


def printed(page: str, folder: Path, names: dict[str, Any] | None = None) -> list[str]:
    """What the blocks of code print, one after the other in one namespace: ``names``, if given."""
    names = {} if names is None else names
    outputs = []
    before = Path.cwd()
    os.chdir(folder)
    try:
        for block in BLOCK.finditer(page):
            kept = io.StringIO()
            with contextlib.redirect_stdout(kept):
                exec(compile(block["code"], PAGE.name, "exec"), names)
            outputs.append(kept.getvalue())
    finally:
        os.chdir(before)
    return outputs


def test_the_page_prints_what_it_says(tmp_path: Path) -> None:
    page = PAGE.read_text(encoding="utf-8")
    said = [block["output"] or "" for block in BLOCK.finditer(page)]
    assert sum(map(bool, said)) >= 7
    assert printed(page, tmp_path) == said
    assert (tmp_path / "released.csv").is_file()


def test_the_page_calls_every_function(tmp_path: Path) -> None:
    page = PAGE.read_text(encoding="utf-8")
    for name in techniques.__all__:
        if name[0].islower():
            assert f"techniques.{name}(" in page


@pytest.fixture
def folder(tmp_path: Path, readme: str) -> Path:
    """A folder with the table that a README speaks of, and the project's examples where they stand."""
    draw = random.Random(11)
    rows = ["性别,出生日期,疾病,费用,sex,age"]
    spoken_of = slice(4, None) if readme == "techniques/README.md" else slice(None)
    for _ in range(400):
        sex, age = draw.choice("fm"), draw.randint(20, 79)
        born = f"{2026 - age}-{draw.randint(1, 12):02}-{draw.randint(1, 28):02}"
        disease = draw.choice(["流感", "哮喘", "痛风", "胃炎"])
        rows.append(f"{'女' if sex == 'f' else '男'},{born},{disease},{draw.randint(50, 900)},{sex},{age}")
    table = "".join(",".join(row.split(",")[spoken_of]) + "\n" for row in rows)
    (tmp_path / "visits.csv").write_text(table, encoding="utf-8")
    (tmp_path / "docs").symlink_to(ROOT / "docs", target_is_directory=True)
    return tmp_path


@pytest.mark.parametrize("readme", READMES)
def test_the_code_of_a_readme_runs(readme: str, folder: Path) -> None:
    page = (ROOT / readme).read_text(encoding="utf-8")
    names: dict[str, Any] = {}
    (said,) = printed(page, folder, names)
    assert int(said) >= 1
    assert techniques.risk(names["result"].table, names["result"].table.column_names).k >= 5


@pytest.mark.parametrize("readme", READMES)
def test_the_commands_of_a_readme_run(readme: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (ROOT / readme).read_text(encoding="utf-8")
    commands = [shlex.split(found["arguments"]) for found in COMMAND.finditer(page)]
    assert len(commands) >= 2
    monkeypatch.chdir(folder)
    for arguments in commands:
        if "out.csv" in arguments and arguments[0] != "utility":
            (folder / "out.csv").unlink(missing_ok=True)
            (folder / "report.json").unlink(missing_ok=True)
        assert main(arguments) == 0, arguments
