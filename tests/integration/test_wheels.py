"""The two distributions, built and installed as their users get them."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
import sysconfig
from importlib.metadata import distribution
from pathlib import Path

import django
import pytest
from packaging.requirements import Requirement

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[2]


class Environment:
    """A Python environment beside this one; what it is given is all that it has."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
        self.packages = Path(
            sysconfig.get_path("purelib", vars={"base": str(folder), "platbase": str(folder)})
        )

    def install(self, *wheels: Path) -> None:
        """Install wheels without what they need."""
        subprocess.run(
            [
                sys.executable, "-m", "pip", "--python", self.folder / "bin/python", "install", "-q", "--no-index",
                "--no-deps", "--disable-pip-version-check", *wheels,
            ],
            check=True,
        )  # fmt: skip

    def lend(self, requirement: Requirement) -> None:
        """Give it what a requirement means, and what that requires, from the environment that runs the tests."""
        if requirement.marker and not requirement.marker.evaluate({"extra": ""}):
            return
        lent = distribution(requirement.name)
        assert requirement.specifier.contains(lent.version, prereleases=True)
        parts = {
            Path(file.parts[0]) for file in lent.files or () if file.parts[0] not in ("..", "__pycache__")
        }
        if all((self.packages / part).exists() for part in parts):
            return
        for part in parts:
            (self.packages / part).symlink_to(Path(str(lent.locate_file(part))).resolve())
        for needed in lent.requires or ():
            self.lend(Requirement(needed))

    def run(self, *command: str | Path, **variables: str) -> str:
        """What a command of the environment prints."""
        kept = {"PATH", "HOME", "LANG", "LD_LIBRARY_PATH"}
        program, *arguments = command
        done = subprocess.run(
            [self.folder / "bin" / program, *arguments],
            cwd=self.folder,
            env={name: value for name, value in os.environ.items() if name in kept} | variables,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Both wheels by the name of their distribution."""
    to = tmp_path_factory.mktemp("wheels")
    subprocess.run([sys.executable, ROOT / "scripts/build_wheels.py", "--to", to], check=True)
    return {path.name.partition("-")[0]: path for path in to.glob("*.whl")}


VISITS = "name,sex,age,disease\n" + "".join(
    f"person {number},{'fm'[number % 2]},{20 + number % 7},{('flu', 'gout')[number % 3 % 2]}\n"
    for number in range(60)
)
EVERY_MODULE = """
import importlib, pkgutil, sys, techniques
for module in pkgutil.walk_packages(techniques.__path__, "techniques."):
    importlib.import_module(module.name)
assert not {"django", "pandas", "rest_framework", "deid_portal", "projects", "approvals"} & set(sys.modules)
assert callable(techniques.risk) and callable(techniques.utility) and callable(techniques.anonymize)
print(techniques.__file__)
"""
EVERY_CALL = """
import techniques
table = techniques.read("visits.csv")
print(sorted(techniques.identify(table)), techniques.risk(table, ["sex", "age"]).k)
made = techniques.anonymize(table, ["sex", "age"], k=8, keep=["disease"])
print(techniques.risk(made.table, ["sex", "age"]).k >= 8, made.table.column_names)
found = techniques.utility(table, made.table, ["sex", "age"]).columns
print(sorted(one.column for one in found if one.column != "name"))
plan = techniques.Recipe.parse("recipe: 1\\nunlisted: keep\\nsteps: [{technique: suppression.remove_column, column: name}]")
print(techniques.run(plan, table).table.column_names)
"""


def test_the_engine_needs_nothing_but_what_it_says(wheels: dict[str, Path], tmp_path: Path) -> None:
    environment = Environment(tmp_path / "engine")
    environment.install(wheels["deid"])
    (metadata,) = environment.packages.glob("deid-*.dist-info/METADATA")
    for line in metadata.read_text(encoding="utf-8").splitlines():
        if line.startswith("Requires-Dist: "):
            environment.lend(Requirement(line.removeprefix("Requires-Dist: ")))
    assert not (environment.packages / "django").exists()
    (environment.folder / "visits.csv").write_text(VISITS)
    place = environment.run("python", "-c", EVERY_MODULE)
    assert Path(place.strip()).is_relative_to(environment.packages)
    printed = environment.run(
        "deid", "risk", "visits.csv", "--qi", "sex,age", "--accept-findings", "name", "--json"
    )
    assert json.loads(printed)["k"] == 4
    # What is compiled is tried elsewhere; here it would only take its time.
    assert environment.run("python", "-c", EVERY_CALL, NUMBA_DISABLE_JIT="1").splitlines() == [
        "['age', 'disease', 'name', 'sex'] 4",
        "True ['sex', 'age', 'disease']",
        "['age', 'disease', 'sex']",
        "['sex', 'age', 'disease']",
    ]


PAGE = """
import django
django.setup()
from django.conf import settings
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse
page = Client().get(reverse("accounts:sign_in"), HTTP_HOST="localhost")
print(page.status_code, "登录" in page.content.decode(), bool(finders.find("css/base.css")), settings.BASE_DIR)
"""


def test_the_portal_has_its_pages_with_it(wheels: dict[str, Path], tmp_path: Path) -> None:
    environment = Environment(tmp_path / "portal")
    environment.install(wheels["deid"], wheels["deid_portal"])
    (environment.packages / "lent.pth").write_text(str(Path(django.__file__).parents[1]))
    key = base64.b64encode(b"k" * 32).decode()
    given = {
        "DEID_SECRET_KEY": "x" * 60,
        "DEID_MASTER_KEY": key,
        "DJANGO_SETTINGS_MODULE": "deid_portal.settings",
    }
    environment.run("deid-portal", "migrate", "--verbosity", "0", **given)
    environment.run("deid-portal", "collectstatic", "--no-input", "--verbosity", "0", **given)
    assert environment.run("python", "-c", PAGE, **given).split() == [
        "200",
        "True",
        "True",
        str(environment.folder),
    ]
