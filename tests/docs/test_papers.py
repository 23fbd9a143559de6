"""The papers for those who come after: what they name exists, and what must be in them is."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
FORMS = sorted(path for path in (ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml") if path.name != "config.yml")
KINDS = {"markdown", "input", "textarea", "dropdown", "checkboxes"}


def verbs() -> set[str]:
    """The verbs of the Makefile."""
    return set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


def hooks() -> list[dict[str, Any]]:
    """The hooks that run before a commit or a push."""
    config = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    return [hook for repository in config["repos"] for hook in repository["hooks"]]


def test_the_licence_is_the_one_that_the_package_names() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert project["license"] == "Apache-2.0"
    assert project["license-files"] == ["LICENSE"]
    assert re.search(r"Apache License\s+Version 2.0, January 2004", text)
    assert "END OF TERMS AND CONDITIONS" in text


def test_the_portal_needs_the_engine_of_its_own_version() -> None:
    portal, engine = (
        tomllib.loads((ROOT / folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        for folder in (".", "techniques")
    )
    assert portal["version"] == engine["version"]
    assert [need for need in portal["dependencies"] if need.startswith("deid")] == [
        f"deid=={engine['version']}"
    ]


def test_the_changelog_has_the_version_of_the_package_and_what_comes_next() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    headings = re.findall(r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert headings[0] == "Unreleased"
    assert version in headings


def test_each_hook_runs_a_verb_of_the_makefile_and_fetches_nothing() -> None:
    config = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    assert {repository["repo"] for repository in config["repos"]} == {"local"}
    assert {hook["entry"].removeprefix("make ") for hook in hooks()} <= verbs()
    assert {hook["language"] for hook in hooks()} == {"system"}


def test_a_push_waits_for_every_check_that_ci_makes() -> None:
    of_ci = (ROOT / ".ci/run").read_text(encoding="utf-8")
    assert re.search(r"^make check\b", of_ci, re.MULTILINE)
    assert re.search(r'^wait "\$checking" \|\| failed=', of_ci, re.MULTILINE), (
        "nor does it pass when they fail"
    )
    assert [hook["entry"] for hook in hooks() if hook.get("stages") == ["pre-push"]] == ["make check"]


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_an_issue_form_has_what_a_form_needs(path: Path) -> None:
    form = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert form["name"]
    assert form["description"]
    ids = [part["id"] for part in form["body"] if part["type"] != "markdown"]
    assert len(ids) == len(set(ids)) > 0
    assert {part["type"] for part in form["body"]} <= KINDS


def test_whoever_reports_a_fault_is_told_where_faults_that_disclose_people_go() -> None:
    assert "Report a\n        vulnerability" in (ROOT / ".github/ISSUE_TEMPLATE/fault.yml").read_text(
        encoding="utf-8"
    )
    assert "private security advisories" in (ROOT / "SECURITY.md").read_text(encoding="utf-8")


def test_each_folder_that_has_an_owner_exists() -> None:
    lines = (ROOT / ".github/CODEOWNERS").read_text(encoding="utf-8").splitlines()
    patterns = [line.split()[0] for line in lines if line and not line.startswith("#")]
    assert patterns[0] == "*"
    assert [pattern for pattern in patterns[1:] if not (ROOT / pattern.strip("/")).exists()] == []
