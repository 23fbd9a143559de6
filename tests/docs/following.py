"""Carrying out what a how-to in ``docs/contributing/`` says, word by word, in a copy of the code.

A block of code begins with a comment that says where it goes::

    # projects/core/events.py, at the end
    # projects/core/urls.py, after: name="history"),
    # projects/core/urls.py, instead of: name="history"),
    # projects/core/pace/views.py, new

``after`` and ``instead of`` name a text that stands in exactly one line of the file. Lines of a ``sh`` block are commands.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

import grimp

ROOT = Path(__file__).resolve().parents[2]
LEFT_OUT = {".git", ".hypothesis", ".venv", "var", "build", "staticfiles"}
BLOCK = re.compile(r"^( *)```(\w+)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
PLACE = re.compile(
    r"(?:#|\{#|//|<!--) (?P<path>\S+?), (?P<how>new|at the end|after: .+?|instead of: .+?)(?: #\}| -->)?$"
)


class Unclear(AssertionError):
    """A how-to says something that cannot be carried out."""


@dataclass(frozen=True)
class Edit:
    """One block of code and where it goes."""

    path: str
    how: str
    text: str

    def carry_out(self, root: Path) -> None:
        """Write it into the copy."""
        path = root / self.path
        if self.how == "new":
            if path.exists():
                raise Unclear(f"{self.path} is there already")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(self.text, encoding="utf-8")
            return
        if not path.exists():
            raise Unclear(f"{self.path} is not there")
        before = path.read_text(encoding="utf-8")
        if self.how == "at the end":
            path.write_text(before.rstrip("\n") + "\n" + self.text, encoding="utf-8")
            return
        verb, _, anchor = self.how.partition(": ")
        lines = before.splitlines(keepends=True)
        found = [number for number, line in enumerate(lines) if anchor in line]
        if len(found) != 1:
            raise Unclear(f"{self.path}: {anchor!r} stands in {len(found)} lines")
        kept = lines[found[0]] if verb == "after" else ""
        lines[found[0]] = kept + self.text
        path.write_text("".join(lines), encoding="utf-8")


@dataclass
class HowTo:
    """A page: its numbered steps, its edits, its commands and the tests that it names."""

    page: Path
    steps: int
    edits: list[Edit] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)
    tests: list[str] = field(default_factory=list)


def read(page: Path) -> HowTo:
    """The steps of a page."""
    text = page.read_text(encoding="utf-8")
    howto = HowTo(page, len(re.findall(r"^\d+\. ", text, re.MULTILINE)))
    for indent, language, block in BLOCK.findall(text):
        lines = [line.removeprefix(indent) for line in block.splitlines()]
        if language == "sh":
            for line in lines:
                if line.startswith(".venv/bin/pytest "):
                    howto.tests += [word for word in line.split()[1:] if word.startswith("tests/")]
                else:
                    howto.commands.append(line)
        elif place := PLACE.match(lines[0]):
            howto.edits.append(Edit(place["path"], place["how"], "\n".join(lines[1:]) + "\n"))
        else:
            raise Unclear(f"{page.name} does not say where this goes: {lines[0]}")
    return howto


def copy_of_the_code(to: Path) -> Path:
    """The code as it is, with the environment that it runs in, at another place.

    Compiled modules and inner loops go with it, since each file keeps its time; :func:`forget_inner_loops` takes away
    those that call what a how-to changes.
    """
    to.mkdir(parents=True)
    for source in ROOT.iterdir():
        if (
            source.is_dir()
            and source.name not in LEFT_OUT
            and not source.name.endswith(("_cache", ".egg-info"))
        ):
            shutil.copytree(source, to / source.name, ignore=shutil.ignore_patterns("*-pytest-*.pyc"))
        elif source.is_file() and source.name != ".git":
            shutil.copy2(source, to / source.name)
    (to / ".venv/bin").mkdir(parents=True)
    for name in ("python", "ruff", "lint-imports"):
        program = sys.executable if name == "python" else str(Path(sys.executable).with_name(name))
        wrapper = to / ".venv/bin" / name
        wrapper.write_text(f'#!/bin/sh\nexec {program} "$@"\n')
        wrapper.chmod(0o755)
    return to


def forget_inner_loops(edits: list[Edit], root: Path) -> None:
    """What is compiled of modules that import a changed one; it would be taken for up to date."""
    changed = {edit.path.removesuffix(".py").replace("/", ".") for edit in edits if edit.how != "new"}
    graph = grimp.build_graph("techniques", cache_dir=None)
    for module in changed & graph.modules:
        for name in {module} | graph.find_downstream_modules(module):
            *folders, last = name.split(".")
            for compiled in root.joinpath(*folders, "__pycache__").glob(f"{last}.*.nb[ic]"):
                compiled.unlink()


def run(command: str, root: Path) -> subprocess.CompletedProcess[str]:
    """A command of a how-to, in the copy."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(root),
        "DEID_VAR_DIR": str(root / "var"),
        "DJANGO_SETTINGS_MODULE": "deid_portal.settings_test",
    }
    return subprocess.run(
        command, shell=True, cwd=root, env=environment, capture_output=True, text=True, check=False
    )


def outcomes(targets: list[str], root: Path) -> dict[str, str]:
    """Run tests in the copy, all in one process: id of the test → empty where it passed, else why not."""
    report = root / "tests.xml"
    done = run(
        f"{sys.executable} -m pytest -q -p no:cacheprovider --junitxml={report} {' '.join(sorted(set(targets)))}",
        root,
    )
    if not report.exists():
        raise Unclear(done.stdout + done.stderr)
    found = {}
    for case in ElementTree.parse(report).getroot().iter("testcase"):
        trouble = [part for part in case if part.tag in {"failure", "error", "skipped"}]
        name = f"{str(case.get('classname')).replace('.', '/')}.py::{case.get('name')}"
        found[name] = "\n".join(f"{part.tag}: {part.get('message')}\n{part.text}" for part in trouble)
    return found
