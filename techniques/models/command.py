"""``deid anonymize``: a model for a file without a recipe and without the portal."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from techniques.messages import EngineError, gettext_noop

_BATCH = 65_536


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the ``anonymize`` command; ``handler`` carries it out and returns the exit code."""
    parser = subparsers.add_parser(
        "anonymize",
        help="make a file k-anonymous, l-diverse or t-close",
        description="Generalises the quasi-identifiers of a table with the least loss of information (GB/T 37964 "
        "B.1.1 to B.1.3). Rows that are suppressed stay, their quasi-identifiers become *. A missing value is a "
        "value of its own. Other columns are left as they are.",
    )
    parser.add_argument("input", type=Path, metavar="INPUT", help="CSV, XLSX or Parquet file")
    parser.add_argument("output", type=Path, metavar="OUTPUT", help="where the result goes, in the same form")
    parser.add_argument("--qi", required=True, metavar="A,B", help="quasi-identifiers, separated by commas")
    parser.add_argument("--k", type=int, required=True, help="fewest rows that look alike")
    parser.add_argument(
        "--sa", metavar="A,B", default="", help="sensitive attributes: --l and --t hold for each"
    )
    parser.add_argument("--l", type=float, help="l-diversity of every class")
    parser.add_argument(
        "--l-kind", choices=["distinct", "entropy", "recursive"], default="distinct", help="which l-diversity"
    )
    parser.add_argument("--c", type=float, default=1.0, help="c of recursive (c,l)-diversity")
    parser.add_argument("--t", type=float, help="t-closeness: greatest distance from the whole table")
    parser.add_argument(
        "--t-distance",
        choices=["equal", "ordered", "hierarchical"],
        default="equal",
        help="how it is measured",
    )
    parser.add_argument("--maximum-risk", type=float, help="highest risk of a row, 1 / rows of its class")
    parser.add_argument("--average-risk", type=float, help="highest average risk, classes / rows")
    parser.add_argument(
        "--hierarchies", type=Path, metavar="DIR",
        help="folder of <column>.csv or …_hierarchy_<column>.csv, leaf first, separated by semicolons",
    )  # fmt: skip
    parser.add_argument(
        "--suppression-limit",
        type=float,
        default=0.0,
        metavar="SHARE",
        help="share of rows, 0 to 1 (default 0)",
    )
    parser.add_argument(
        "--local", action="store_true", help="generalise class by class, not column by column"
    )
    parser.add_argument("--weights", metavar="A=2,B=0.5", default="", help="importance of columns (1)")
    parser.add_argument(
        "--minimum-levels", metavar="A=1,B=2", default="", help="lowest level of a column's hierarchy"
    )
    parser.add_argument(
        "--maximum-levels", metavar="A=1,B=2", default="", help="highest level of a column's hierarchy"
    )
    parser.add_argument(
        "--loss",
        default="geometric",
        choices=["geometric", "arithmetic", "precision", "entropy", "discernibility", "class_size"],
        help="what is minimised where columns are generalised as a whole (default: geometric mean of shares)",
    )
    parser.add_argument("--estimate", action="store_true", help="say how many solutions there are, and stop")
    parser.add_argument("--effort", type=int, default=100_000, help="most solutions to check (100000)")
    parser.add_argument("--drop-unlisted", action="store_true", help="leave out all other columns")
    parser.add_argument(
        "--unfit", choices=["error", "suppress"], default="error",
        help="values that a hierarchy does not have: stop, or treat them as missing",
    )  # fmt: skip
    parser.add_argument("--report", type=Path, metavar="FILE", help="write the figures here, as JSON")
    parser.set_defaults(handler=run)


def run(options: argparse.Namespace) -> int:
    """Carry the command out. Exit code 0; a fault of file or options raises EngineError."""
    _check(options)
    from techniques.models import release
    from techniques.risk.command import quasi_identifiers
    from techniques.tables import detect, encode_columns, open_table

    with options.input.open("rb") as stream:
        found = detect(stream, options.input.name)
    with options.input.open("rb") as stream, open_table(stream, found) as reader:
        header = list(reader.columns)
        names = _distinct(quasi_identifiers(options.qi, header))
        sensitive = _distinct(quasi_identifiers(options.sa, header)) if options.sa else []
        wanted = [c for c in header if not options.drop_unlisted or c in names or c in sensitive]
        table = encode_columns(reader.batches(_BATCH), wanted)
    request = release.Request(
        k=options.k,
        sensitive={name: _conditions(options, name) for name in sensitive},
        suppression_limit=options.suppression_limit,
        hierarchies=_hierarchies(options, names),
        local=options.local,
        average_risk=options.average_risk,
        maximum_risk=options.maximum_risk,
        weights=_weights(options.weights, names),
        unfit=options.unfit,
        loss=options.loss,
        effort=options.effort,
        options={
            "minimum_levels": _levels(options.minimum_levels, names),
            "maximum_levels": _levels(options.maximum_levels, names),
        },
    )
    release.warm(request)
    if not options.local:
        from techniques.models.preflight import estimate

        known = estimate({c: table[c] for c in names}, {c: table[c] for c in sensitive}, request)
        print(
            f"deid: {known.solutions} solutions, at most {known.at_most_seconds:.3g} s"
            + ("" if known.provable else f" for the {options.effort} that are looked at"),
            file=sys.stderr,
        )
        if options.estimate:
            return 0
    made = release.anonymize({c: table[c] for c in names}, {c: table[c] for c in sensitive}, request)
    _write(options.output, found, {**table, **made.columns}, wanted)
    if options.report:
        text = json.dumps(made.report, ensure_ascii=False, indent=2)
        options.report.write_text(text + "\n", encoding="utf-8")
    report = made.report
    rest = [c for c in wanted if c not in names and c not in sensitive]
    if rest:
        print(f"deid: left as they are: {', '.join(rest)}", file=sys.stderr)
    print(
        f"{len(made.suppressed)} rows, {report['suppressed']} suppressed, {report['classes']} classes of "
        f"{report['min_class']} or more, granularity {report['granularity']:.4f}: {options.output}"
    )
    return 0


def _check(options: argparse.Namespace) -> None:
    if options.output.exists() and options.output.samefile(options.input):
        raise EngineError("output_is_input", gettext_noop("The result may not overwrite the input."))
    if options.output.suffix.lower() != options.input.suffix.lower():
        raise EngineError(
            "output_kind_differs",
            gettext_noop("The result has the form of the input: give it the same suffix."),
        )
    if options.k < 2:
        raise EngineError("k_too_small", gettext_noop("k must be at least 2."))
    for risk in (options.maximum_risk, options.average_risk):
        if risk is not None and not 0 < risk <= 1:
            raise EngineError("risk_out_of_range", gettext_noop("A risk lies above 0 and at most at 1."))
    if not 0 <= options.suppression_limit <= 1:
        raise EngineError(
            "limit_out_of_range", gettext_noop("The limit of suppressed rows lies between 0 and 1.")
        )
    if bool(options.sa) != (options.l is not None or options.t is not None):
        raise EngineError(
            "sensitive_incomplete",
            gettext_noop("Sensitive attributes need l or t, and l and t need sensitive attributes."),
        )


def _conditions(options: argparse.Namespace, name: str) -> Any:
    from pydantic import ValidationError

    from techniques.hierarchies.definitions import Star
    from techniques.parameters.models import Conditions

    values: dict[str, Any] = {"t": options.t, "distance": options.t_distance}
    if options.l is not None and options.l_kind == "recursive":
        values |= {"recursive_l": int(options.l), "recursive_c": options.c}
    elif options.l is not None:
        values[options.l_kind] = int(options.l) if options.l_kind == "distinct" else options.l
    if options.t is not None and options.t_distance == "hierarchical":
        tree = _hierarchies(options, [name])
        values["hierarchy"] = tree[name] if tree else Star()
    try:
        return Conditions.model_validate(values)
    except ValidationError:
        raise EngineError(
            "condition_out_of_range",
            gettext_noop(
                "l must be above 1 (a whole number from 2 on unless by entropy), c above 0, t from 0 to 1."
            ),
        ) from None


def _hierarchies(options: argparse.Namespace, names: list[str]) -> dict[str, Any] | None:
    """The table of each column from the folder; None without a folder."""
    from techniques.hierarchies.definitions import Table, parse_table

    if options.hierarchies is None:
        return None
    tables = {}
    for name in names:
        own = options.hierarchies / f"{name}.csv"
        found = [own] if own.is_file() else sorted(options.hierarchies.glob("*.csv"))
        found = [f for f in found if f == own or f.name.endswith(f"_hierarchy_{name}.csv")]
        if len(found) != 1:
            raise EngineError(
                "hierarchy_file_missing",
                gettext_noop("%(path)s: the file %(file)s cannot be read"),
                path=str(options.hierarchies),
                file=f"{name}.csv",
            )
        rows = parse_table(found[0].read_bytes(), found[0].name)
        try:
            tables[name] = Table.model_validate({"kind": "table", "rows": rows})
        except ValueError:
            raise EngineError(
                "hierarchy_file_invalid",
                gettext_noop(
                    "%(path)s: no hierarchy: every row needs as many columns, and no value may come twice"
                ),
                path=found[0].name,
            ) from None
    return tables


def _numbers(text: str, names: list[str]) -> dict[str, float] | None:
    """``A=2,B=0.5`` as numbers by column; None where that is not what it says."""
    found: dict[str, float] = {}
    for part in filter(None, text.split(",")):
        name, _, number = part.rpartition("=")
        try:
            found[name.strip()] = float(number)
        except ValueError:
            return None
    return found if set(found) <= set(names) else None


def _weights(text: str, names: list[str]) -> dict[str, float]:
    found = _numbers(text, names)
    if found is None or any(not 0 < weight <= 1000 for weight in found.values()):
        raise EngineError(
            "weight_invalid", gettext_noop("A weight is a quasi-identifier, = and a number above 0.")
        )
    return found


def _levels(text: str, names: list[str]) -> dict[str, int]:
    found = _numbers(text, names)
    if found is None or any(level != int(level) or level < 0 for level in found.values()):
        raise EngineError(
            "level_invalid", gettext_noop("A bound is a quasi-identifier, = and a level from 0 on.")
        )
    return {name: int(level) for name, level in found.items()}


def _distinct(names: list[str]) -> list[str]:
    if len(set(names)) != len(names):
        raise EngineError("column_twice", gettext_noop("A quasi-identifier is named twice."))
    return names


def _write(output: Path, found: Any, columns: dict[str, Any], names: list[str]) -> None:
    """Write under another name first: the result appears when it is whole."""
    import pyarrow as pa

    from techniques.engines.output import output_format
    from techniques.models.release import written
    from techniques.recipe import Output
    from techniques.tables import TableWriter

    with tempfile.TemporaryDirectory(prefix=".deid-", dir=output.resolve().parent) as scratch:
        partial = Path(scratch) / "whole"
        with (
            partial.open("wb") as stream,
            TableWriter(stream, output_format(Output(), found), names) as writer,
        ):
            for start in range(0, len(columns[names[0]]), _BATCH):
                cells = [written(columns[name], start, start + _BATCH) for name in names]
                writer.write(pa.RecordBatch.from_arrays(cells, names=names))
        partial.replace(output)
