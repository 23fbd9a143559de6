"""The count and the picture of the house, on small houses whose figures are known."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).resolve().parents[2]
CONTRACTS = """[importlinter:contract:stages]
layers =
    projects.later
    projects.earlier
"""


def build(root: Path, files: dict[str, str]) -> Path:
    """A house of these files, with the packages that the product has."""
    root.mkdir(parents=True, exist_ok=True)
    (root / ".importlinter").write_text(CONTRACTS)
    packages = ["techniques", "approvals", "projects", "deid_portal", "projects/later", "projects/earlier"]
    for name, text in {**{f"{package}/__init__.py": "" for package in packages}, **files}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def count(root: Path, *options: str) -> tuple[int, dict[str, str], str]:
    """Exit code, figure by name of the row, and all that was printed."""
    done = subprocess.run(
        [sys.executable, ROOT / "scripts/count_house.py", "--root", root, *options],
        capture_output=True,
        text=True,
        check=False,
    )
    assert not done.stderr
    rows = [line.strip("| ").split(" | ") for line in done.stdout.splitlines() if line.startswith("| ")]
    return done.returncode, {row[0]: row[3] for row in rows[1:] if len(row) == 5}, done.stdout


@pytest.fixture
def tidy(tmp_path: Path) -> Path:
    """A house without a fault."""
    return build(
        tmp_path / "tidy",
        {
            "techniques/ground.py": "",
            "projects/earlier/models.py": "from techniques import ground\n",
            "projects/later/views.py": "from projects.earlier import models\n",
            "templates/page.html": "<p>short</p>\n",
        },
    )


def test_a_tidy_house_keeps_every_limit(tidy: Path) -> None:
    code, figures, _ = count(tidy, "--check")
    assert code == 0
    assert figures["import cycles between modules"] == "0"
    assert figures["arrows running back between packages"] == "0"
    assert figures["template lines over 160 characters"] == "0 of 1"


@pytest.mark.parametrize(
    ("files", "row", "now", "named"),
    [
        pytest.param(
            {
                "techniques/one.py": "from .two import x\n",
                "techniques/two.py": "def late():\n    from techniques import one\n",
            },
            "import cycles between modules",
            "**1**",
            "techniques.one ↔ techniques.two",
            id="a cycle over an import inside a function",
        ),
        pytest.param(
            {"projects/earlier/models.py": "from ..later.views import x\n", "projects/later/views.py": ""},
            "arrows running back between packages",
            "**1 (1 import)**",
            "projects.earlier → projects.later: 1",
            id="an earlier stage that reads a later one",
        ),
        pytest.param(
            {"projects/earlier/models.py": "import deid_portal.urls\n", "deid_portal/urls.py": ""},
            "arrows running back between packages",
            "**1 (1 import)**",
            "projects → deid_portal: 1",
            id="a stage that knows the site",
        ),
        pytest.param(
            {f"techniques/deep/part{number}.py": "" for number in range(16)}
            | {"techniques/deep/__init__.py": ""},
            "folders with more than 15 modules beside Django's own words",
            "**1**",
            "techniques.deep: 16",
            id="a crowded folder",
        ),
        pytest.param(
            {"templates/page.html": "x" * 160 + "\n" + "y" * 161 + "\n"},
            "template lines over 160 characters",
            "**1 of 2**",
            "templates/page.html:2",
            id="a wide line",
        ),
    ],
)
def test_a_broken_limit_is_named_and_fails(
    tmp_path: Path, files: dict[str, str], row: str, now: str, named: str
) -> None:
    code, figures, printed = count(build(tmp_path / "house", files), "--check")
    assert (code, figures[row]) == (1, now)
    assert named in printed


def test_an_import_for_types_only_is_no_cycle(tmp_path: Path) -> None:
    files = {
        "techniques/one.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .two import x\n",
        "techniques/two.py": "from . import one\n",
    }
    code, figures, _ = count(build(tmp_path / "house", files), "--check")
    assert (code, figures["import cycles between modules"]) == (0, "0")
    assert figures["imports for types only, not counted above"] == "1"


def test_django_s_own_words_and_migrations_do_not_crowd_a_folder(tmp_path: Path) -> None:
    own = [f"part{number}" for number in range(15)]
    files = {f"projects/later/{name}.py": "" for name in [*own, "models", "urls", "migrations/__init__"]}
    code, figures, _ = count(build(tmp_path / "house", files), "--check")
    assert (code, figures["folders with more than 15 modules beside Django's own words"]) == (0, "0")


def test_files_touched_are_those_of_the_commit_that_is_named(tidy: Path) -> None:
    git = ["git", "-c", "user.name=Test", "-c", "user.email=test@localhost"]
    subprocess.run([*git, "init", "-q"], cwd=tidy, check=True)
    subprocess.run([*git, "add", "."], cwd=tidy, check=True)
    subprocess.run([*git, "commit", "-qm", "Everything"], cwd=tidy, check=True)
    code, figures, _ = count(tidy, "--check", "--commit", "check=HEAD")
    assert code == 1
    assert figures["files touched for one check"].startswith("**11 (HEAD")
    assert figures["files touched for one technique"] == "no commit named"


def test_the_picture_shows_each_package_once_and_an_arrow_running_back(tmp_path: Path) -> None:
    files = {
        "projects/later/views.py": "from projects.earlier import models\n",
        "projects/earlier/models.py": "import deid_portal\nimport techniques.ground\n",
        "techniques/ground.py": "",
        "deid_portal/urls.py": "from projects.later import views\n",
        "approvals/audit.py": "",
    }
    root = build(tmp_path / "house", files)
    subprocess.run(
        [sys.executable, ROOT / "scripts/draw_house.py", "--root", root, "--to", root / "h.svg"], check=True
    )
    drawing = ElementTree.parse(root / "h.svg").getroot()
    shapes = [(shape.get("class"), shape.text) for shape in drawing.iter()]
    assert sorted(text for kind, text in shapes if kind == "name") == sorted(
        ["deid_portal", "later", "earlier", "approvals", "techniques"]
    )
    assert [kind for kind, _ in shapes].count("fault") == 1
    assert ("cell back", "1") in shapes
