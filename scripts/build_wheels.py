"""Build the two distributions as wheels: ``python scripts/build_wheels.py [--engine] [--to build]``.

``deid`` is the engine, ``deid-portal`` the portal, which needs it. Both are built in a copy of the code, by the build
backend that is installed and without a network. In the portal's copy templates, static files and compiled
catalogues lie in its package, where ``deid_portal.settings`` looks for them when there is no checkout.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PORTAL = ("approvals", "deid_portal", "projects")
RESOURCES = ("locale", "static", "templates")


def _copy(names: Iterable[str], to: Path) -> None:
    leave_out = shutil.ignore_patterns("__pycache__", "*.egg-info", "build")
    for name in names:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, to / name, ignore=leave_out)
        else:
            shutil.copy2(ROOT / name, to / name)


def _wheel(project: Path, to: Path) -> Path:
    """Build the wheel of a copied project into a folder."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [
                sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-index", "--no-deps",
                "--no-build-isolation", "--wheel-dir", folder, str(project),
            ],
            check=True,
        )  # fmt: skip
        (made,) = Path(folder).glob("*.whl")
        return Path(shutil.move(made, to / made.name))


def build_engine(to: Path) -> Path:
    """The wheel of the engine."""
    with tempfile.TemporaryDirectory() as folder:
        stage = Path(folder)
        _copy(["techniques", "LICENSE"], stage)
        return _wheel(stage / "techniques", to)


def build_portal(to: Path) -> Path:
    """The wheel of the portal, with what its pages need."""
    with tempfile.TemporaryDirectory() as folder:
        stage = Path(folder)
        _copy([*PORTAL, "LICENSE", "README.md", "pyproject.toml"], stage)
        for name in RESOURCES:
            shutil.copytree(ROOT / name, stage / "deid_portal" / name)
        for catalogue in (stage / "deid_portal/locale").glob("*/LC_MESSAGES/*.po"):
            subprocess.run(["msgfmt", "-o", catalogue.with_suffix(".mo"), catalogue], check=True)
        return _wheel(stage, to)


def main() -> None:
    """Build what is asked for and say where it lies."""
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("--engine", action="store_true", help="the engine alone")
    parser.add_argument("--to", type=Path, default=ROOT / "build", help="folder of the wheels")
    options = parser.parse_args()
    options.to.mkdir(parents=True, exist_ok=True)
    for build in (build_engine,) if options.engine else (build_engine, build_portal):
        sys.stdout.write(f"{build(options.to.resolve())}\n")


if __name__ == "__main__":
    main()
