"""Each how-to of ``docs/contributing/`` is carried out in one copy of the code, and the tests that it names pass there."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from .following import ROOT, Edit, HowTo, Unclear, copy_of_the_code, forget_inner_loops, outcomes, read, run

PAGES = sorted(page for page in (ROOT / "docs/contributing").glob("*.md") if page.name != "testing.md")
MOST_STEPS = 5


# It takes several files.
TRANSLATE = ".venv/bin/python scripts/update_translations.py"


def together(commands: list[str]) -> list[tuple[str, set[str]]]:
    """What is run for the commands of all how-tos, and for which of them.

    What makes translations and pages reads the whole source: once, with every file, and each verb once, at the end.
    """
    files = " ".join(one.removeprefix(TRANSLATE).strip() for one in commands if one.startswith(TRANSLATE))
    runs: dict[str, set[str]] = {}
    for verbs in (False, True):
        for command in commands:
            if command.startswith("make ") is not verbs:
                continue
            whole = [f"make {verb}" for verb in command.split()[1:]] if verbs else [command]
            if command.startswith(TRANSLATE):
                whole = [f"{TRANSLATE} {files}"]
            for one in whole:
                runs.setdefault(one, set()).add(command)
    return list(runs.items())


@dataclass
class Done:
    """What came of carrying out every how-to."""

    howtos: dict[str, HowTo]
    root: Path
    trouble: dict[str, list[str]] = field(default_factory=dict)
    tests: dict[str, str] = field(default_factory=dict)


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Done:
    """Every how-to, one after the other in the same copy, and then all their tests in one process."""
    root = copy_of_the_code(tmp_path_factory.mktemp("howtos") / "code")
    result = Done({page.stem: read(page) for page in PAGES}, root)
    for name, howto in result.howtos.items():
        trouble = result.trouble.setdefault(name, [])
        for edit in howto.edits:
            try:
                edit.carry_out(root)
            except Unclear as error:
                trouble.append(str(error))
    forget_inner_loops([edit for howto in result.howtos.values() for edit in howto.edits], root)
    for command, wanted in together([one for howto in result.howtos.values() for one in howto.commands]):
        outcome = run(command, root)
        if outcome.returncode:
            for name, howto in result.howtos.items():
                if wanted & set(howto.commands):
                    result.trouble[name].append(
                        f"{command}: {outcome.stdout[-2000:]}{outcome.stderr[-2000:]}"
                    )
    result.tests = outcomes([target for howto in result.howtos.values() for target in howto.tests], root)
    return result


@pytest.mark.parametrize("name", [page.stem for page in PAGES])
def test_a_how_to_does_what_it_says(done: Done, name: str) -> None:
    howto = done.howtos[name]
    assert done.trouble[name] == []
    assert 0 < howto.steps <= MOST_STEPS
    assert howto.tests
    for target in howto.tests:
        results = {
            test: why
            for test, why in done.tests.items()
            if test == target or test.partition("[")[0].startswith(target)
        }
        assert results, f"no test ran for {target}"
        assert [f"{test}: {why}" for test, why in results.items() if why] == []


def test_what_the_how_tos_write_is_as_the_project_writes(done: Done) -> None:
    written = sorted(
        {edit.path for howto in done.howtos.values() for edit in howto.edits if edit.path.endswith(".py")}
    )
    for command in (
        f"ruff check {' '.join(written)}",
        f"ruff format --check {' '.join(written)}",
        "lint-imports",
    ):
        outcome = run(f".venv/bin/{command}", done.root)
        assert outcome.returncode == 0, outcome.stdout + outcome.stderr


def test_every_how_to_is_offered() -> None:
    offered = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert [page.name for page in PAGES if f"(docs/contributing/{page.name})" not in offered] == []


def test_a_how_to_that_the_code_has_left_behind_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "urls.py").write_text("one\ntwo\ntwo\n")
    for edit in (
        Edit("urls.py", "after: three", ""),
        Edit("urls.py", "after: two", ""),
        Edit("urls.py", "new", ""),
        Edit("views.py", "at the end", ""),
    ):
        with pytest.raises(Unclear):
            edit.carry_out(tmp_path)
    Edit("urls.py", "after: one", "and a half\n").carry_out(tmp_path)
    assert (tmp_path / "urls.py").read_text() == "one\nand a half\ntwo\ntwo\n"


def test_a_block_that_does_not_say_where_it_goes_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text("1. Write.\n\n   ```python\n   x = 1\n   ```\n")
    with pytest.raises(Unclear):
        read(tmp_path / "page.md")
