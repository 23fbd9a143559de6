"""The page for notebooks: its code runs, and prints what stands below it."""

from __future__ import annotations

import contextlib
import io
import os
import re
from pathlib import Path
from typing import Any

import techniques

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/how-to/notebook.md"
BLOCK = re.compile(r"```python\n(?P<code>.*?)```\n(?:```text\n(?P<output>.*?)```\n)?", re.DOTALL)


def printed(page: str, folder: Path) -> list[str]:
    """What the blocks of code print, one after the other in one namespace."""
    names: dict[str, Any] = {}
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
