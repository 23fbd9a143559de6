"""``deid risk``: the risk of a file without the portal."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from techniques.cli import findings, subjects
from techniques.cli.cluster.running import add_engine, is_on_cluster
from techniques.cli.places.staging import TableIn
from techniques.cli.recipes.reading import recipe_of_one_table
from techniques.cli.tables import Batches, add_reading, file_format, opened, quasi_identifiers, whole_table
from techniques.core.messages import EngineError, _

if TYPE_CHECKING:
    from techniques.tables.writers.outputs import Outputs


def add_parser(new_command: Callable[..., argparse.ArgumentParser]) -> None:
    """Add the ``risk`` command; ``handler`` (also as ``run``) carries it out and returns the exit code."""
    parser = new_command(
        "risk",
        help="measure the risk of re-identification of a file",
        description="Class sizes and prosecutor risk of a table by its quasi-identifiers (GB/T 37964 B.1.4.1). "
        "Delimiter and encoding are detected. A missing value is a value of its own; a missing sensitive value may be "
        "any, and counts as the one that is worst.",
    )
    parser.add_argument("input", metavar="INPUT", help="CSV, XLSX or Parquet file")
    parser.add_argument("--qi", required=True, metavar="A,B", help="quasi-identifiers, separated by commas")
    subjects.add_argument(parser)
    findings.add_argument(parser)
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument(
        "--suppressed",
        choices=["own-class", "left-out"],
        default="own-class",
        help="how rows count whose quasi-identifiers are all * (default: as a class of their own)",
    )
    parser.add_argument(
        "--thresholds", metavar="T,T", help="count the records above these risks instead of 0.05, 0.075, 0.1"
    )
    parser.add_argument(
        "--cap", type=float, help="strict average risk: the average, if no record's risk is above this (0.33)"
    )
    parser.add_argument(
        "--population", type=TableIn, metavar="FILE",
        help="population table, generalised like the file, that holds its records too: journalist and marketer risk, "
        "and the range of membership (rows that are all * may be anybody)",
    )  # fmt: skip
    parser.add_argument(
        "--sampling-fraction", type=float, metavar="SHARE",
        help="share of the population in the file: the same estimated, and population uniqueness",
    )  # fmt: skip
    parser.add_argument(
        "--run-report",
        type=Path,
        metavar="FILE",
        help="report of a run that drew a sample: its share is taken from it",
    )
    parser.add_argument("--sensitive", metavar="A,B", help="sensitive attributes: l, t, beta and delta")
    parser.add_argument(
        "--c", type=float, help="c of recursive (c,l)-diversity, instead of the smallest c for each l"
    )
    parser.add_argument(
        "--ordered", metavar="A,B", default="",
        help="sensitive attributes whose texts are in order, for the ordered distance (numbers and dates always are)",
    )  # fmt: skip
    parser.add_argument(
        "--hierarchies", type=Path, metavar="DIR",
        help="folder of <column>.csv or …_hierarchy_<column>.csv, leaf first, separated by semicolons: the hierarchical "
        "distance of the sensitive attributes that have one",
    )  # fmt: skip
    parser.add_argument(
        "--per-record", type=Path, metavar="FILE", help="write the risk of each record here, as CSV"
    )
    parser.add_argument(
        "--classes", type=Path, metavar="FILE",
        help="write every class with its size and its values here, as CSV, the smallest first (T/ISC 0078 C.3 c)",
    )  # fmt: skip
    parser.add_argument(
        "--subsets",
        action="store_true",
        help="which columns tell records apart: every subset of them (up to 14)",
    )
    parser.add_argument(
        "--entropy", nargs="?", const="", metavar="KEY=VALUE,…",
        help="likelihood times impact by information entropy; of the attacker: known=0.3 (the probability of knowing a "
        "column), most_known=16 (columns), sensitive=0.5 and quasi=0.05 (what laying open an attribute weighs)",
    )  # fmt: skip
    parser.add_argument(
        "--original", type=TableIn, metavar="FILE",
        help="with --entropy: the table that the file was made of, which tells how much of each column survives",
    )  # fmt: skip
    parser.add_argument(
        "--planned", type=Path, metavar="RECIPE",
        help="with --entropy: a recipe for the file; the risk after each of its steps, without running it for good",
    )  # fmt: skip
    parser.add_argument(
        "--with", dest="other", type=TableIn, metavar="OTHER",
        help="another release of the same source: what who has both sees of one person, by --on",
    )  # fmt: skip
    parser.add_argument(
        "--on", metavar="A[=B]", help="with --with: the column, B in OTHER, of equal values for one person"
    )
    parser.add_argument(
        "--with-qi", metavar="A,B", help="quasi-identifiers of OTHER (default: those of --qi that it has)"
    )
    add_reading(parser)
    add_engine(parser, "counts the combinations of the columns that are measured")
    parser.set_defaults(run=run, handler=run)


def run(options: argparse.Namespace) -> int:
    """Measure and print. Exit code 0; a fault of the file or of the options raises EngineError."""
    from techniques.tables.writers.outputs import Outputs

    if not is_on_cluster(options):
        options.input = options.staging.source(options.input, described=True)
    trees = options.hierarchies.glob("*.csv") if options.hierarchies else ()
    read = [
        Path(options.input),
        options.population,
        options.run_report,
        options.original,
        options.planned,
        options.other,
        *trees,
    ]
    with Outputs([options.per_record, options.classes], read) as files:
        return _measured(options, files)


def _measured(options: argparse.Namespace, files: Outputs) -> int:
    # The numerical libraries take a second to load; --help does without them.
    from techniques.disclosure_risk.explain import explain, population_statements
    from techniques.disclosure_risk.measure import measure
    from techniques.disclosure_risk.sizes import THRESHOLDS
    from techniques.identification.rules import scanned
    from techniques.tables.rows import columns_of

    thresholds = _thresholds(options.thresholds) if options.thresholds else list(THRESHOLDS)
    if is_on_cluster(options):
        from techniques.cli.cluster.risk import counted

        known = counted(options)
        header, batches, whose, found = known.header, known.batches, known.subjects, known.found
        table = _Measured(batches, known.counts)
        columns = quasi_identifiers(options.qi, header)
    else:
        header, batches = opened(options.input, options)
        columns = quasi_identifiers(options.qi, header)
        sensitive = quasi_identifiers(options.sensitive, header) if options.sensitive else []
        key = subjects.named(options, header)
        # Who is in the table and what it holds are found in one reading.
        every = None if key else scanned(columns_of(batches, header), header)
        whose = subjects.subjects(options, header, batches, {*columns, *sensitive}, every)
        accepted = quasi_identifiers(options.accept_findings, header) if options.accept_findings else []
        left = [name for name in header if name not in columns]
        found = findings.search(batches, left, (), {*accepted, *key}, scanned=every)
        findings.require(found)
        table = _Measured.of(batches, list(dict.fromkeys([*columns, *sensitive])), by_row=whose is not None)
    report = measure(
        table.batches(), columns, suppressed=_suppressed(options), thresholds=thresholds, contributions=False,
        subjects=whose, counts=table.counts,
    )  # fmt: skip
    further = _further(options, report, header, batches, columns, thresholds, whose, table)
    if options.per_record:
        from techniques.disclosure_risk.details import write_record_risks

        with TextIOWrapper(files.open(options.per_record), encoding="utf-8", newline="") as target:
            write_record_risks(columns_of(batches, columns), columns, target, _suppressed(options), whose)
    if options.classes:
        from techniques.disclosure_risk.details import write_classes

        with TextIOWrapper(files.open(options.classes), encoding="utf-8", newline="") as target:
            write_classes(table.batches(), columns, target, _suppressed(options), whose, table.counts)
    if options.json:
        sys.stdout.write(
            json.dumps(report.summary() | further | ({"findings": found} if found else {})) + "\n"
        )
        return 0
    statements = explain(report)
    if "population_uniqueness" in further and whose is None:
        statements += population_statements(further, report.rows)
    lines = [
        f"rows {report.rows}{_persons(report)}  classes {report.classes}  k {report.k}",
        f"maximum risk {report.max_risk:.6g}  average risk {report.average_risk:.6g}",
        f"{'records' if whose is None else 'persons'} at risk: "
        + "  ".join(f">{t}: {share:.4%}" for t, share in report.at_risk.items()),
        *_lines(further),
        *findings.said(found),
        *map(str, statements),
    ]
    sys.stdout.write("\n".join(lines) + "\n")
    return 0


@dataclass(frozen=True)
class _Measured:
    """The columns that classes are made of and the sensitive ones: ``counts`` says how many rows of the table each row of ``batches``
    stands for, one where it is None."""

    batches: Batches
    counts: Any

    @classmethod
    def of(cls, batches: Batches, columns: list[str], by_row: bool) -> Self:
        """These columns by their combinations, or ``by_row`` and where those are too many by their rows."""
        from techniques.tables.combinations import combinations
        from techniques.tables.rows import columns_of

        found = None if by_row else combinations(columns_of(batches, columns), columns)
        if found is None:
            return cls(lambda: columns_of(batches, columns), None)
        return cls(lambda: iter([found.batch]), found.counts)


def _persons(report: Any) -> str:
    persons = report.figures.persons
    return "" if persons is None else f"  persons {persons}"


def _suppressed(options: argparse.Namespace) -> Any:
    return "own_class" if options.suppressed == "own-class" else "left_out"


def _further(
    options: argparse.Namespace, report: Any, header: list[str], batches: Batches, columns: list[str],
    thresholds: list[float], whose: Any, table: _Measured,
) -> dict[str, Any]:  # fmt: skip
    """The figures that were asked for beside the six."""
    from techniques.disclosure_risk import details

    found: dict[str, Any] = report.both_readings() if options.json else {}
    if options.thresholds:
        found["records_at_risk" if whose is None else "persons_at_risk"] = details.records_at_risk(
            report, thresholds
        )
    if options.cap is not None:
        if not 0 < options.cap <= 1:
            raise EngineError("threshold_out_of_range", _("A threshold must be above 0 and at most 1."))
        found["strict_average"] = details.strict_average(report, options.cap)
    if options.population:
        if options.sampling_fraction is not None or options.run_report is not None:
            raise EngineError(
                "population_twice", _("Give the population table or the sampling fraction, not both.")
            )
        known, population = opened(options.population, options)
        for column in columns:
            quasi_identifiers(column, known)
        theirs = None
        if whose is not None and all(name in known for name in quasi_identifiers(options.subject, header)):
            theirs = subjects.subjects(options, known, population, known)
        found |= details.with_population(
            batches, population, columns, thresholds, _suppressed(options), whose, theirs
        )
    elif (drawn := _drawn(options)) is not None:
        found |= details.with_sampling_fraction(report, drawn[0], thresholds, drawn[1])
    if options.sensitive:
        found["sensitive"] = _variety(options, header, columns, whose, table)
    elif options.c is not None or options.ordered or options.hierarchies:
        raise EngineError(
            "sensitive_missing",
            _("c, an order and hierarchies are for sensitive attributes: name them as well."),
        )
    if options.subsets:
        if whose is not None:
            text = _("--subsets distinguishes rows, not persons: leave it out, or use --subject rows.")
            raise EngineError("subsets_of_rows", text)
        from techniques.disclosure_risk.subsets import subsets

        every = subsets(table.batches(), columns, _suppressed(options), table.counts)
        found["contribution"] = every.contribution
        found["minimal_unique"] = [one.as_dict() for one in every.minimal()]
        found["subsets"] = (
            [one.as_dict() for one in every.by_mask.values()] if options.json else len(every.by_mask)
        )
    if options.other or options.on or options.with_qi:
        found["together"] = _together(options, header, batches, columns)
    if options.entropy is not None:
        found["entropy"] = _entropy(options, header, batches, columns, whose)
    elif options.original or options.planned:
        text = _("The original and a planned recipe are for the risk by entropy: use --entropy.")
        raise EngineError("entropy_missing", text)
    return found


def _entropy(
    options: argparse.Namespace, header: list[str], batches: Batches, columns: list[str], whose: Any
) -> dict[str, Any]:
    """Risk by entropy, what survives compared with the original where it was given."""
    from pydantic import ValidationError

    from techniques.catalogue import bases
    from techniques.disclosure_risk.entropy import Attack, entropy_risk, survival_of
    from techniques.tables.rows import columns_of

    sensitive = quasi_identifiers(options.sensitive, header) if options.sensitive else []
    if options.original and options.planned:
        text = _(
            "--original compares with what was done and --planned with what will be done: give one of them."
        )
        raise EngineError("planned_and_original", text)
    pairs = [part.partition("=") for part in options.entropy.split(",") if part]
    try:
        attack = Attack.model_validate({name.strip(): value.strip() for name, _sign, value in pairs})
    except ValidationError:
        text = _(
            "“%(given)s” is not a valid assumption about the attacker: known and the two weights "
            "range from 0 to 1, and most_known is a number of columns from 1 to 1,000."
        )
        raise EngineError("attack_invalid", text, given=options.entropy) from None
    survival = {}
    if options.original:
        # Both without the mark that keeps a spreadsheet from running a text, so that equal values are equal.
        before, original = opened(options.original, options, header)
        after, released = opened(options.input, options, before)
        plain = dict(zip(header, after, strict=True))
        named = [*columns, *sensitive]
        for column in named:
            quasi_identifiers(plain[column], before)
        columns_of_both = [plain[column] for column in named]
        left = survival_of(
            whole_table(original, columns_of_both), whole_table(released, columns_of_both), columns_of_both
        )
        survival = {column: left[plain[column]] for column in named}
    found = entropy_risk(
        columns_of(batches, [*columns, *sensitive]), columns, sensitive, survival=survival, attack=attack, subjects=whose
    )  # fmt: skip
    made: dict[str, Any] = found.model_dump(mode="json", exclude={"average"})
    made |= {"basis": bases.ENTROPY, "limits": bases.ENTROPY_LIMITS}
    if not options.json:
        made["path"] = "  ".join(f"{one.column} +{one.gain:.4f}" for one in found.path)
    if options.planned:
        made["planned"] = _planned(options, header, batches, columns, sensitive, attack)
    return made


def _together(
    options: argparse.Namespace, header: list[str], batches: Batches, columns: list[str]
) -> dict[str, Any]:
    """Classes by the quasi-identifiers of both releases, joined person by person, beside those of each alone."""
    from techniques.disclosure_risk.joined import JoinedTable, Link, joined_risk

    if not (options.other and options.on):
        text = _("--with names another release and --on the column by which the two are joined: give both.")
        raise EngineError("together_incomplete", text)
    known, other = opened(options.other, options)
    own, sign, theirs = options.on.partition("=")
    [key], [their_key] = quasi_identifiers(own, header), quasi_identifiers(theirs if sign else own, known)
    named = (
        quasi_identifiers(options.with_qi, known) if options.with_qi else [c for c in columns if c in known]
    )
    if their_key in named or key in columns:
        text = _("The column of --on joins persons, so it is not a quasi-identifier.")
        raise EngineError("key_and_quasi", text)
    tables = {"this": JoinedTable(batches, columns), "other": JoinedTable(other, named)}
    [found] = joined_risk(tables, [Link(("this", key), ("other", their_key))], target_k=1)
    both = _values(batches, key) & _values(other, their_key)
    return {
        "persons_in_both": len(both), "persons": found.persons, "k": found.k, "maximum_risk": found.max_risk,
        "other_quasi_identifiers": named if options.json else ", ".join(named),
    }  # fmt: skip


def _values(batches: Batches, column: str) -> set[str]:
    """The different values of a column, without the missing one."""
    values = whole_table(batches, [column]).column(column).unique().to_pylist()
    return {str(value) for value in values if value not in (None, "")}


def _planned(
    options: argparse.Namespace, header: list[str], batches: Batches, columns: list[str], sensitive: list[str], attack: Any
) -> Any:  # fmt: skip
    """The risk after each step of a recipe: whole for JSON, else as figures by step."""
    from techniques.engines.forecasts.planned import planned_risks
    from techniques.engines.parts import Source

    recipe = recipe_of_one_table(options.planned)
    recipe = recipe.model_copy(update={"subject": tuple(subjects.named(options, header))})
    recipe.check_columns(header)
    form = file_format(options.input, options)
    rows = sum(batch.num_rows for batch in batches())
    source = Source(lambda: options.input.open("rb"), form, rows, options.input.stat().st_size)
    found = planned_risks(recipe, source, columns, sensitive, attack=attack)
    if options.json:
        return [one.model_dump(mode="json") for one in found]
    return {
        f"after step {one.number} {one.technique}": one.risk.risk if one.risk else "nothing to measure"
        for one in found
    }


def _variety(
    options: argparse.Namespace, header: list[str], columns: list[str], whose: Any, table: _Measured
) -> dict[str, dict[str, Any]]:
    """The figures of the sensitive attributes; the formulas are for JSON only."""
    from techniques.disclosure_risk.variety import VarietyOptions, variety
    from techniques.hierarchies.folder import hierarchy_files, read_hierarchies, required_files

    if options.c is not None and not 0 < options.c < float("inf"):
        raise EngineError("c_out_of_range", _("c of recursive diversity is a number above 0."))
    named = quasi_identifiers(options.sensitive, header)
    folder = options.hierarchies
    files = (hierarchy_files(folder, named) or required_files(folder, named)) if folder else {}
    choices = VarietyOptions(
        ordered=frozenset(quasi_identifiers(options.ordered, named) if options.ordered else ()),
        trees={column: _as_written(tree.rows) for column, tree in read_hierarchies(files).items()},
        c=options.c,
    )
    found = variety(
        table.batches(),
        columns,
        named,
        left_out=_suppressed(options) == "left_out",
        options=choices,
        subjects=whose,
        counts=table.counts,
    )
    if not options.json:
        for figures in found.values():
            del figures["formulas"]
    return found


def _as_written(rows: list[list[str]]) -> list[list[str]]:
    """The rows of a hierarchy, and those of its values as they stand in a result if a spreadsheet would run them."""
    from techniques.tables import neutralise_name

    known = {row[0] for row in rows}
    written = [[neutralise_name(row[0]), *row[1:]] for row in rows]
    return [*rows, *(row for row in written if row[0] not in known)]


def _drawn(options: argparse.Namespace) -> tuple[float, list[tuple[float, int]]] | None:
    """The share that was given, times that of the samples of a run, and the chances of being drawn where the share is not
    everybody's; EngineError where the report tells of no sample."""
    if options.run_report is None:
        given: float | None = options.sampling_fraction
        return None if given is None else (given, [])
    share, chances = _sampled(options.run_report, options.staging.sha256(options.input))
    times = 1.0 if options.sampling_fraction is None else options.sampling_fraction
    return share * times, [(chance * times, number) for chance, number in chances]


def _sampled(report: Path, of: str) -> tuple[float, list[tuple[float, int]]]:
    """The share of the source that the samples of a run have left and the chances of being drawn, by its report.

    Raises EngineError ``run_report_invalid`` where it is no report of a run, ``run_report_of_another_file`` where it is not
    that of the run that wrote the file of the hash ``of``, ``nothing_sampled`` where none was drawn.
    """
    from techniques.engines.reporting import sampling_chances, sampling_fraction

    try:
        stated = json.loads(report.read_bytes())
        drawn, written = sampling_fraction(stated), stated.get("result_sha256")
        chances = sampling_chances(stated)
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        raise EngineError(
            "run_report_invalid", _("%(path)s is not the report of a run."), path=report.name
        ) from None
    if written != of:
        text = _("%(path)s is the report of a run that wrote another file.")
        raise EngineError("run_report_of_another_file", text, path=report.name)
    if drawn is None:
        raise EngineError("nothing_sampled", _("The report does not mention a step that drew a sample."))
    return drawn, chances


def _lines(further: dict[str, Any]) -> list[str]:
    """Each figure on a line, groups by their path."""
    lines: list[str] = []
    for name, value in further.items():
        words = name.replace("_", " ")
        if isinstance(value, dict):
            lines += [f"{words}: {line}" for line in _lines(value)]
        elif isinstance(value, float):
            lines.append(f"{words} {value:.6g}")
        else:
            lines.append(f"{words} {value}")
    return lines


def _thresholds(text: str) -> list[float]:
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        numbers = []
    if not numbers or not all(0 < number <= 1 for number in numbers):
        raise EngineError("threshold_out_of_range", _("A threshold must be above 0 and at most 1."))
    return numbers
