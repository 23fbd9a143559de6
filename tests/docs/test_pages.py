"""The documents name everything there is: a setting, event, state, command or page that they leave out fails here."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import get_commands
from django.db.models import Choices

from approvals.audit.registry import SENTENCES
from deid_portal import settings as portal_settings

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PRODUCT = ("approvals", "deid_portal", "projects", "techniques")
PAGES = sorted(
    page
    for page in [*ROOT.glob("*.md"), *DOCS.rglob("*.md"), *(ROOT / "benchmarks").glob("*.md")]
    if ".venv" not in page.parts
)
LINK = re.compile(r"\]\(([^)\s]+)\)")
SETTING = re.compile(r"\b(DEID_[A-Z0-9_]+|DATABASE_URL)\b")


def read(name: str) -> str:
    """A page of docs/."""
    return (DOCS / name).read_text(encoding="utf-8")


def anchor(heading: str) -> str:
    """What a heading is called in an address."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower().replace("`", "")).replace(" ", "-")


def anchors(page: Path) -> set[str]:
    """Every heading of a page as it is called in an address."""
    return {anchor(line) for line in re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    dead = []
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        if "://" in target:
            continue
        name, _, part = target.partition("#")
        there = (page.parent / name).resolve() if name else page
        if not there.exists() or (part and part not in anchors(there)):
            dead.append(target)
    assert dead == []


def test_every_page_stands_in_the_index() -> None:
    index = DOCS / "README.md"
    listed = {
        (DOCS / target.partition("#")[0]).resolve()
        for target in LINK.findall(index.read_text(encoding="utf-8"))
    }
    folders = {folder for folder in listed if folder.is_dir()}
    assert [
        str(page.relative_to(DOCS))
        for page in DOCS.rglob("*.md")
        if page != index and page not in listed and page.parent not in folders
    ] == []


def variables_read() -> set[str]:
    """Every environment variable of ours whose name stands in code: in the product, and in the tests' own tools."""
    return {
        node.value
        for folder in [*(ROOT / name for name in PRODUCT), ROOT / "tests/functional"]
        for source in folder.rglob("*.py")
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and SETTING.fullmatch(str(node.value))
    }


def documented_settings() -> dict[str, str]:
    """Setting → default, as the page says."""
    rows = re.findall(r"^\| `([A-Z0-9_]+)` \|.*\| ([^|]+) \|$", read("reference/settings.md"), re.MULTILINE)
    return dict(rows)


def test_every_setting_is_explained_and_no_other() -> None:
    read_by_code = variables_read()
    assert "DEID_MASTER_KEY" in read_by_code
    assert "DEID_SEED" in read_by_code
    assert set(documented_settings()) == read_by_code


def test_the_defaults_are_those_of_the_code() -> None:
    given = {}
    for node in ast.walk(ast.parse(Path(str(portal_settings.__file__)).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("env"):
            for keyword in node.keywords:
                try:
                    # An arithmetic of literals, such as 2 * 1024**3, is a literal to a reader.
                    value = eval(
                        compile(ast.Expression(keyword.value), "default", "eval"), {"__builtins__": {}}
                    )
                except NameError:
                    continue
                if value not in ("", []):
                    name = ast.literal_eval(node.args[0])
                    given[name] = ",".join(value) if isinstance(value, list) else str(value)
    said = documented_settings()
    assert len(given) > 15
    assert {name: said[name].strip("`") for name in given if said[name].startswith("`")} == {
        name: value for name, value in given.items() if said[name].startswith("`")
    }
    assert [name for name in given if not said[name].startswith("`")] == []


def test_every_setting_that_a_page_names_exists() -> None:
    known = variables_read()
    assert {
        (page.name, name)
        for page in PAGES
        for name in SETTING.findall(page.read_text(encoding="utf-8"))
        if name not in known and page.name != "CHANGELOG.md"
    } == set()


def test_every_audit_event_is_named() -> None:
    page = read("reference/events.md")
    assert len(SENTENCES) > 100
    assert [action for action in SENTENCES if f"| `{action}` |" not in page] == []


def test_every_value_of_every_vocabulary_is_named() -> None:
    page = read("reference/states.md")

    def below(parent: type) -> list[type[Choices]]:
        return [one for child in parent.__subclasses__() for one in (child, *below(child))]

    vocabularies = {one for one in below(Choices) if one.__module__.partition(".")[0] in PRODUCT and len(one)}
    assert len(vocabularies) > 30
    # Two parts may each have a vocabulary of one name: whose it is stands first below the heading.
    found = re.findall(r"^## (\w+)\n\s*`([\w.]+)`(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
    sections = {(name, part): values for name, part, values in found}
    assert [
        f"{one.__qualname__}.{value}"
        for one in vocabularies
        for value in one.values
        if not any(
            name == one.__name__
            and f"{one.__module__}.".startswith(f"{part}.")
            and f"| `{value}` |" in values
            for (name, part), values in sections.items()
        )
    ] == []


def test_every_command_and_verb_is_named() -> None:
    page = read("reference/commands.md")
    own = [name for name, app in get_commands().items() if str(app).partition(".")[0] in PRODUCT]
    helped = subprocess.run(
        [sys.executable, "-c", "from techniques.cli.main import main; main(['--help'])"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    engine = re.findall(r"^    ([\w-]+)", helped, re.MULTILINE)
    verbs = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert {"workflow_diagram", "demo"} <= set(own)
    assert {"run", "anonymize", "techniques"} <= set(engine)
    assert [name for name in own if f"`manage.py {name}`" not in page] == []
    assert [name for name in engine if f"### deid {name}\n" not in page] == []
    assert [verb for verb in verbs if f"`make {verb}`" not in page] == []


def test_every_folder_that_the_architecture_names_is_there():
    page = (ROOT / "docs" / "explanation" / "architecture.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:techniques|approvals|projects|deid_portal)/[\w/.]*)`", page)
    assert len(named) > 20
    assert [name for name in named if not (ROOT / name).exists()] == []
