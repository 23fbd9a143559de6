"""How the house stands, in numbers: ``python scripts/count_house.py [--check]`` prints a Markdown table.

With ``--check`` the exit code is 1 when a limit is broken. Everything is counted from the code alone
(``house_imports.py`` says how imports are read). The first column of figures is what the review of 22 November 2026 wrote
of commit 627ed41, the second what this script counts there, the third what it counts now. Where the first two differ:

* *modules at one level*: the review counted ``__init__.py`` of all packages but ``techniques`` and ``datasets``; here it is
  never counted, so four packages have one module less. A folder inside counts as one; migrations and commands do not count.
* *template lines*: the review counted the bytes of a line, which made one wide that has Chinese in it; here characters count.
* *product lines*: here the Python of the four packages that a customer gets, migrations included (80,232; with benchmarks
  and scripts 82,022). The review does not say how it came to 82,600.
* *files entered*: ``trace_run.py`` says what it follows; it does not enter the engine, which is given contents alone. The
  review does not name its 20 rooms.
* *names outside the vocabulary*: here every module of ``projects`` but ``__init__.py``, migrations and commands. The review
  does not say which 326 it counted.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from house_imports import (
    PRESCRIBED_FOLDERS,
    PRODUCT,
    House,
    arrows_running_back,
    cycles,
    levels,
    neighbour_arrows,
    read_house,
)
from trace_run import trip

DJANGOS_WORDS = frozenset(
    {
        "models",
        "enums",
        "events",
        "rules",
        "selectors",
        "services",
        "kinds",
        "providers",
        "urls",
        "api_urls",
        "apps",
    }
)
VOCABULARY = DJANGOS_WORDS | {"forms", "views", "api"}
"""The file names that docs/explanation/architecture.md promises: one file per question."""
MODULES_IN_A_FOLDER = 15
WIDEST_TEMPLATE_LINE = 160
# What a change of its kind may touch, and the commit that shows it: kind → (today, wanted, commit).
CHANGES = {
    "technique": ("8–11", 5, "0dc33a3"),
    "condition": ("22–27", 9, "2c73965"),
    "check": ("7–13", 4, "54e8a57"),
    "audit event": ("3", 3, "1ec7d6f"),
}
CROWDED = {
    "techniques": (45, 45, 15),
    "projects.processing": (49, 48, 17),
    "projects.verification": (43, 42, 24),
    "projects.objective": (37, 36, 22),
    "projects.datasets": (31, 31, 21),
    "projects.releases": (30, 29, 21),
}
LINES_BEFORE = 80_232
IN_ORDER = "edf822a"
"""The commit at which the house had been put in order, before most of what was built since."""


@dataclass(frozen=True)
class Row:
    """One figure of the table: what it was, is and may be; ``details`` name what breaks the limit."""

    name: str
    reviewed: str
    before: str
    now: str
    wanted: str
    kept: bool | None = None
    """``None`` for a figure without a limit."""
    details: tuple[str, ...] = ()

    def shown(self) -> str:
        """What it is now; bold where the limit is broken."""
        return f"**{self.now}**" if self.kept is False else self.now


def imports(house: House) -> Iterator[Row]:
    """Cycles, arrows running back, and folders whose neighbours lean on each other."""
    circles = cycles(house.imports)
    yield Row(
        "import cycles between modules",
        "6",
        "6",
        str(len(circles)),
        "0",
        not circles,
        tuple(map(_round, circles)),
    )
    back = arrows_running_back(house, levels(house.root))
    number = f"{len(back)} ({back.total()} import{'s' * (back.total() > 1)})" if back else "0"
    yield Row(
        "arrows running back between packages",
        "1 (4 imports)",
        "1 (4 imports)",
        number,
        "0",
        not back,
        tuple(f"{source} → {target}: {times}" for (source, target), times in sorted(back.items())),
    )
    knots = [knot for package in house.packages() for knot in cycles(neighbour_arrows(house, package))]
    yield Row(
        "groups of neighbours in a folder that lean on each other, a folder taken as one",
        "–",
        "9",
        str(len(knots)),
        "fewer",
        details=tuple(map(_round, knots)),
    )
    yield Row("imports for types only, not counted above", "–", "43", str(house.for_types_only.total()), "–")


def _round(names: list[str]) -> str:
    return " ↔ ".join(names)


def folders(house: House) -> Iterator[Row]:
    """How many modules lie side by side."""
    for package, (reviewed, before, wanted) in CROWDED.items():
        now = len(house.children(package))
        yield Row(
            f"modules and folders at one level in `{package}`",
            str(reviewed),
            str(before),
            str(now),
            f"≤ {wanted}",
            now <= wanted,
        )
    full = {
        package: own
        for package in house.packages()
        if (
            own := sum(
                not house.is_package(child) and child.rpartition(".")[2] not in DJANGOS_WORDS
                for child in house.children(package)
            )
        )
        > MODULES_IN_A_FOLDER
    }
    yield Row(
        f"folders with more than {MODULES_IN_A_FOLDER} modules beside Django's own words",
        "–",
        "9",
        str(len(full)),
        "0",
        not full,
        tuple(f"{package}: {own}" for package, own in full.items()),
    )


def names(house: House) -> Row:
    """Modules of ``projects`` whose names are not of the vocabulary."""
    modules = [
        name
        for name in house.modules
        if name.startswith("projects.")
        and not house.is_package(name)
        and not PRESCRIBED_FOLDERS.intersection(name.split("."))
    ]
    outside = [name for name in modules if name.rpartition(".")[2] not in VOCABULARY]
    return Row(
        "modules in `projects` with a name outside the vocabulary",
        "160 of 326",
        "162 of 308",
        f"{len(outside)} of {len(modules)}",
        "fewer",
    )


def templates(root: Path) -> Iterator[Row]:
    """Lines of templates, and those too wide to read."""
    lines = [
        (path, number, line)
        for path in sorted((root / "templates").rglob("*.html"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
    ]
    wide = [
        f"{path.relative_to(root)}:{number}"
        for path, number, line in lines
        if len(line) > WIDEST_TEMPLATE_LINE
    ]
    yield Row(
        f"template lines over {WIDEST_TEMPLATE_LINE} characters",
        "795 of 2,937",
        "794 of 2,937",
        f"{len(wide):,} of {len(lines):,}",
        "0",
        not wide,
        tuple(wide),
    )


def product_lines(house: House) -> Row:
    """Lines of Python in the four packages, migrations and empty lines included.

    Fewer was wanted of putting the house in order, so that commit is counted too; what was built since adds to it, so
    the figure breaks no limit.
    """
    now = sum(
        len(path.read_text(encoding="utf-8").splitlines()) for path in house.modules.values() if path.exists()
    )
    return Row(
        "lines of Python in the product",
        "82,600",
        f"{LINES_BEFORE:,}",
        f"{_lines_at(house.root, IN_ORDER)} ({IN_ORDER}); {now:,} with what was built since",
        "fewer",
    )


def _lines_at(root: Path, commit: str) -> str:
    """The lines of Python in the product at one commit; a dash where this clone does not reach back to it."""
    counted = subprocess.run(
        ["git", "grep", "-c", "", commit, "--", *(f"{package}/*.py" for package in PRODUCT)],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    if counted.returncode != 0:
        return "–"
    return f"{sum(int(line.rpartition(':')[2]) for line in counted.stdout.splitlines()):,}"


def changes(root: Path, named: dict[str, str]) -> Iterator[Row]:
    """How many files a change of each kind touched, by the commit that adds a real one.

    ``named``: kind of change → commit; it goes before the one that stands in ``CHANGES``.
    """
    for kind, (reviewed, wanted, commit) in CHANGES.items():
        chosen = named.get(kind, commit)
        touched = _touched(root, chosen) if chosen else []
        yield Row(
            f"files touched for one {kind}",
            reviewed,
            "–",
            f"{len(touched)} ({chosen[:9]})" if touched else "no commit named",
            f"≤ {wanted}",
            len(touched) <= wanted if touched else None,
            tuple(touched),
        )


def _touched(root: Path, commit: str) -> list[str]:
    """The files of one commit; none where this clone does not reach back to it."""
    shown = subprocess.run(
        ["git", "show", "--format=", "--name-only", "--no-renames", commit],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    return shown.stdout.split("\n")[:-1] if shown.returncode == 0 else []


def files_entered(house: House) -> Row:
    """How far the project goes from the button *Run the recipe* to the job."""
    found = trip(house)
    return Row(
        "files entered from the run's button to the job",
        "20",
        "18",
        str(len(found)),
        "≤ 14",
        len(found) <= 14,
        tuple(found),
    )


def count(root: Path, named: dict[str, str]) -> list[Row]:
    """Every row of the table, for the code under ``root``."""
    house = read_house(root, PRODUCT)
    return [
        *imports(house),
        *folders(house),
        *changes(root, named),
        files_entered(house),
        *templates(root),
        product_lines(house),
        names(house),
    ]


def markdown(rows: list[Row]) -> str:
    """The table."""
    head = "| | reviewed | at 627ed41 | now | wanted |\n|---|---:|---:|---:|---:|\n"
    return head + "".join(
        f"| {row.name} | {row.reviewed} | {row.before} | {row.shown()} | {row.wanted} |\n" for row in rows
    )


def main() -> int:
    """Print the table; the exit code is 1 if a limit is broken and ``--check`` was given."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="exit with 1 when a limit is broken")
    parser.add_argument("--details", action="store_true", help="name what stands behind each figure")
    parser.add_argument(
        "--root", type=Path, default=Path(__file__).resolve().parents[1], help="another copy of the code"
    )
    parser.add_argument(
        "--commit", action="append", default=[], metavar="KIND=COMMIT", help=f"kinds: {', '.join(CHANGES)}"
    )
    options = parser.parse_args()
    named = dict(item.partition("=")[::2] for item in options.commit)
    if unknown := set(named) - set(CHANGES):
        parser.error(f"no such kind of change: {', '.join(sorted(unknown))}")
    rows = count(options.root, named)
    sys.stdout.write(markdown(rows))
    broken = [row for row in rows if row.kept is False]
    for row in rows if options.details else broken if options.check else []:
        if row.details:
            sys.stdout.write(f"\n{row.name}:\n" + "".join(f"  {detail}\n" for detail in row.details[:40]))
            if len(row.details) > 40:
                sys.stdout.write(f"  and {len(row.details) - 40} more\n")
    return 1 if options.check and broken else 0


if __name__ == "__main__":
    sys.exit(main())
