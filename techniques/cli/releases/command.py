"""``deid releases``: composition, differences of statistics, increments and rows that hang together (GB/T 37964 annex D)."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from techniques.cli import subjects
from techniques.cli.places.staging import TableIn
from techniques.cli.tables import add_reading, opened, quasi_identifiers, whole_table
from techniques.core import faults
from techniques.core.messages import EngineError, _

if TYPE_CHECKING:
    from pydantic import BaseModel

    from techniques.core.settings import Statement


def add_parser(new_command: Callable[..., argparse.ArgumentParser]) -> None:
    """Add the command ``releases`` and its four parts."""
    parser = new_command(
        "releases",
        help="what several releases tell together that none tells alone",
        description="Each part prints what it found; exit code 1 where it tells of too few persons (GB/T 37964 annex D).",
    )
    parts = parser.add_subparsers(dest="part", required=True, metavar="PART")
    _add_composition(parts.add_parser("composition", help="releases of one source in one hand (D.4)"))
    _add_differences(parts.add_parser("differences", help="versions of a table of statistics (D.1)"))
    _add_increment(parts.add_parser("increment", help="what came in between two releases (D.5)"))
    _add_linked(parts.add_parser("linked", help="courses of a person, families, devices, dates (D.3)"))


def _add_composition(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", type=TableIn, metavar="SOURCE", help="the table that all releases are of")
    parser.add_argument("releases", type=TableIn, nargs="+", metavar="RELEASE", help="two releases or more")
    _qi(parser)
    parser.add_argument("--sensitive", metavar="A,B", default="", help="sensitive attributes")
    parser.add_argument(
        "--linking",
        metavar="A,B",
        help="columns that the releases have unchanged; without it they are found",
    )
    parser.add_argument(
        "--hierarchies", type=Path, metavar="DIR", help="folder of <column>.csv: what labels stand for"
    )
    subjects.add_argument(parser)
    parser.add_argument(
        "--released-subject", metavar="A,B", default="", help="columns that say in a release whose a row is"
    )
    add_reading(parser, "source", "SOURCE")
    _ends(parser, _composition)


def _add_differences(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("before", type=TableIn, metavar="BEFORE", help="the earlier version, a group a row")
    parser.add_argument("after", type=TableIn, metavar="AFTER", help="the later version")
    parser.add_argument("--by", required=True, metavar="A,B", help="the columns that name the group")
    parser.add_argument("--count", required=True, metavar="C", help="the column of its people")
    parser.add_argument("--sums", metavar="A,B", default="", help="columns of sums")
    parser.add_argument("--means", metavar="A,B", default="", help="columns of means, rounded as they show")
    add_reading(parser, "before", "BEFORE")
    _ends(parser, _differences)


def _add_increment(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("before", type=TableIn, metavar="BEFORE", help="the earlier release")
    parser.add_argument("after", type=TableIn, metavar="AFTER", help="the later release, old rows and new")
    _qi(parser)
    parser.add_argument(
        "--noise", metavar="C=N,…", default="", help="how far at most noise moved the numbers of a column"
    )
    subjects.add_argument(parser)
    add_reading(parser, "before", "BEFORE")
    _ends(parser, _increment)


def _add_linked(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("input", type=TableIn, metavar="RELEASE", help="the release")
    _qi(parser)
    subjects.add_argument(parser)
    parser.add_argument("--order", metavar="C", help="the column that puts the rows of a person in order")
    parser.add_argument("--longest", type=int, default=3, metavar="N", help="rows in a row, at most (3)")
    parser.add_argument("--groups", metavar="A,B", default="", help="keys that several persons share")
    parser.add_argument("--dates", metavar="A,B", default="", help="dates that may depend on each other")
    parser.add_argument("--days", type=int, default=7, metavar="N", help="how near together (7)")
    add_reading(parser, "input", "RELEASE")
    _ends(parser, _linked)


def _qi(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--qi", required=True, metavar="A,B", help="quasi-identifiers")


def _ends(parser: argparse.ArgumentParser, handler: Callable[[argparse.Namespace], int]) -> None:
    parser.add_argument("--k", type=int, default=5, metavar="K", help="persons who have to be left (5)")
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    parser.set_defaults(handler=handler)


def _composition(options: argparse.Namespace) -> int:
    from techniques.cli.subjects import subjects as whose
    from techniques.core.subjects import most_rows
    from techniques.data_utility.covering import labels_above
    from techniques.disclosure_risk.releases.composition import Release, composition
    from techniques.disclosure_risk.releases.explain import composition_statements
    from techniques.hierarchies.folder import hierarchy_files, read_hierarchies
    from techniques.tables.subjects import read_subjects

    header, batches = opened(options.source, options)
    quasi = quasi_identifiers(options.qi, header)
    persons = whose(options, header, batches, {*quasi, *options.sensitive.split(",")})
    several = persons is not None and most_rows(persons) > 1
    releases, known = [], set(header)
    for path in options.releases:
        columns, rows = opened(path, options, header)
        named = _columns(options.released_subject, columns) or [
            name for name in subjects.named(options, header) if name in columns
        ]
        if several and not named:
            text = _(
                "Persons have several rows, and nothing states whose rows %(file)s contains: name its"
                " column with --released-subject."
            )
            raise EngineError("released_subject_unsaid", text, file=path.name)
        owners = read_subjects(rows(), named) if named else None
        releases.append(Release(path.name, whole_table(rows, columns), owners))
        known |= set(columns)
    sensitive = _columns(options.sensitive, sorted(known))
    linking = None if options.linking is None else _columns(options.linking, sorted(known))
    folder = options.hierarchies
    trees = labels_above(read_hierarchies(hierarchy_files(folder, quasi))) if folder else {}
    found = composition(
        whole_table(batches, quasi), releases, quasi, sensitive,
        k=options.k, linking=linking, hierarchies=trees, subjects=persons,
    )  # fmt: skip
    _say(
        options, "D.4", found, composition_statements(found, quasi, options.k),
        quasi_identifiers=quasi, sensitive=sensitive, linking=linking,
        subject=subjects.named(options, header), released_subject=_columns(options.released_subject, sorted(known)),
    )  # fmt: skip
    return int(any(one.below for one in found))


def _differences(options: argparse.Namespace) -> int:
    from techniques.disclosure_risk.releases.differencing import differences
    from techniques.disclosure_risk.releases.explain import difference_statements, differences_limits

    header, earlier = opened(options.before, options)
    columns, later = opened(options.after, options, header)
    by, sums, means = (_columns(text, header) for text in (options.by, options.sums, options.means))
    count = quasi_identifiers(options.count, header)
    named = [*by, *count, *sums, *means]
    for name in named:
        if name not in columns:
            raise faults.unknown_column(name)
    found = differences(
        whole_table(earlier, named), whole_table(later, named), by, *count, sums=sums, means=means, least=options.k
    )  # fmt: skip
    _say(
        options, "D.1", [found], [*difference_statements(found), differences_limits()],
        by=by, count=count, sums=sums, means=means,
    )  # fmt: skip
    return int(bool(found.found))


def _increment(options: argparse.Namespace) -> int:
    from techniques.disclosure_risk.releases.explain import increment_limits, increment_statements
    from techniques.disclosure_risk.releases.increments import increment

    header, earlier = opened(options.before, options)
    columns, later = opened(options.after, options, header)
    quasi = quasi_identifiers(options.qi, columns)
    owners = subjects.subjects(options, columns, later, set(quasi))
    moved = noise(options.noise, columns)
    found = increment(
        whole_table(earlier, header), whole_table(later, columns), quasi, k=options.k, noise=moved, subjects=owners,
    )  # fmt: skip
    _say(
        options, "D.5", [found], [*increment_statements(found), increment_limits()],
        quasi_identifiers=quasi, noise=moved, subject=subjects.named(options, columns),
    )  # fmt: skip
    return int(found.below > 0)


def noise(text: str, columns: list[str]) -> dict[str, float]:
    """How far at most the numbers of columns were moved; EngineError ``noise_invalid``."""
    found = {}
    for part in filter(None, text.split(",")):
        name, _sign, number = part.rpartition("=")
        try:
            found.update(dict.fromkeys(quasi_identifiers(name, columns), float(number)))
        except ValueError:
            fault = _(
                "“%(given)s” is not a valid noise setting: give the column and how far its numbers were moved, as in age=2."
            )
            raise EngineError("noise_invalid", fault, given=part) from None
    return found


def _linked(options: argparse.Namespace) -> int:
    import numpy as np

    from techniques.disclosure_risk.releases.explain import linked_limits, linked_statements
    from techniques.disclosure_risk.releases.linked import by_group, courses, dependencies

    header, batches = opened(options.input, options)
    quasi = quasi_identifiers(options.qi, header)
    owners = subjects.subjects(options, header, batches, set(quasi))
    table = whole_table(batches, header)
    found = []
    if options.order:
        whose = np.arange(table.num_rows, dtype=np.int32) if owners is None else owners
        (order,) = quasi_identifiers(options.order, header)
        found = courses(table, whose, order, quasi, k=options.k, longest=options.longest)
    shared = [
        by_group(table, quasi, name, k=options.k, subjects=owners)
        for name in _columns(options.groups, header)
    ]
    dependent = dependencies(table, _columns(options.dates, header), days=options.days)
    said = linked_statements(found, shared, dependent, options.k, dates=bool(options.dates))
    groups, dates = _columns(options.groups, header), _columns(options.dates, header)
    _say(
        options, "D.3", [*found, *shared, *dependent], [*said, linked_limits(options.longest)],
        quasi_identifiers=quasi, subject=subjects.named(options, header), order=options.order, groups=groups, dates=dates,
        longest=options.longest, **({"days": options.days} if dates else {}),
    )  # fmt: skip
    few = any(one.below for one in found) or any(one.below for one in shared)
    return int(few or bool(dependent))


def _columns(text: str, header: list[str]) -> list[str]:
    return quasi_identifiers(text, header) if text else []


def _say(
    options: argparse.Namespace,
    clauses: str,
    found: Sequence[BaseModel],
    statements: Sequence[Statement],
    **asked: Any,
) -> None:
    """The figures with what they rest on and what was ``asked``, k with it, and each sentence, also by its code and parameters."""
    from techniques.catalogue import bases

    asked = {name: value for name, value in asked.items() if value}

    clause = bases.RELEASES % {"clauses": clauses}
    if options.json:
        answer = {
            "clause": clause,
            "k": options.k,
            "asked": asked,
            "found": [one.model_dump(mode="json") for one in found],
            "statements": [str(one) for one in statements],
            "said": [one.model_dump(mode="json", exclude={"formula"}) for one in statements],
        }
        print(json.dumps(answer, ensure_ascii=False))
    else:
        said = "; ".join(f"{name} = {_plain(value)}" for name, value in {"k": options.k, **asked}.items())
        print("\n".join([*map(str, statements), f"{clause}; {said}"]))


def _plain(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name}={one}" for name, one in value.items())
    return ", ".join(value) if isinstance(value, list) else str(value)
