"""The how-to of sources: its commands are carried out as they stand there, one block after another."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.docs.test_pipeline import BLOCK
from tests.docs.test_pipeline import PAGE as PIPELINE

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/how-to/sources.md"
SHELL = re.compile(r"```sh\n(.*?)```\n", re.DOTALL)


def test_the_page_does_what_it_says(tmp_path: Path) -> None:
    files = iter(("recipe.yaml", "policy.yaml"))
    for block in BLOCK.finditer(PIPELINE.read_text(encoding="utf-8")):
        if block["kind"] == "yaml":
            (tmp_path / next(files)).write_text(block["text"], encoding="utf-8")
        elif block["kind"] == "python":
            subprocess.run([sys.executable, "-c", block["text"]], cwd=tmp_path, check=True)
    deid = f'deid() {{ {sys.executable} -m techniques.cli.main "$@"; }}; set -euo pipefail\n'
    variables = os.environ | {"PYTHONPATH": str(ROOT)}
    blocks = SHELL.findall(PAGE.read_text(encoding="utf-8"))
    assert len(blocks) == 6
    for block in blocks:
        done = subprocess.run(
            ["bash", "-c", deid + block],
            cwd=tmp_path,
            env=variables,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, block + done.stdout + done.stderr
