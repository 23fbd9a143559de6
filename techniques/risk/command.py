"""``deid risk``: the risk of a file without the portal."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from techniques.messages import EngineError
from techniques.messages import gettext_noop as _


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the ``risk`` command; ``handler`` (also as ``run``) carries it out and returns the exit code."""
    parser = subparsers.add_parser(
        "risk",
        help="measure the risk of re-identification of a file",
        description="Class sizes and prosecutor risk of a table by its quasi-identifiers (GB/T 37964 B.1.4.1). "
        "Delimiter and encoding are detected. A missing value is a value of its own.",
    )
    parser.add_argument("input", type=Path, metavar="INPUT", help="CSV, XLSX or Parquet file")
    parser.add_argument("--qi", required=True, metavar="A,B", help="quasi-identifiers, separated by commas")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument(
        "--encoding", help="utf-8, gb18030, utf-16-le or utf-16-be, instead of the detected one"
    )
    parser.add_argument("--delimiter", help="one of , ; tab |, instead of the detected one")
    parser.add_argument(
        "--suppressed",
        choices=["own-class", "left-out"],
        default="own-class",
        help="how rows count whose quasi-identifiers are all * (default: as a class of their own)",
    )
    parser.set_defaults(run=run, handler=run)


def run(options: argparse.Namespace) -> int:
    """Measure and print. Exit code 0; a fault of the file or of the options raises EngineError."""
    # The numerical libraries take a second to load; --help does without them.
    from techniques.risk.explain import explain
    from techniques.risk.measure import measure
    from techniques.tables import detect, open_table

    path: Path = options.input
    with path.open("rb") as stream:
        table_format = detect(stream, path.name)
        changes = {}
        if options.encoding:
            changes["encoding"] = options.encoding.lower()
        if options.delimiter:
            changes["delimiter"] = {"tab": "\t", "\\t": "\t"}.get(options.delimiter, options.delimiter)
        if changes:
            table_format = type(table_format).model_validate(table_format.model_dump() | changes)
        stream.seek(0)
        reader = open_table(stream, table_format)
        columns = quasi_identifiers(options.qi, list(reader.columns))
        report = measure(
            reader.batches(65_536),
            columns,
            suppressed="own_class" if options.suppressed == "own-class" else "left_out",
            contributions=False,
        )
    if options.json:
        sys.stdout.write(json.dumps(report.summary()) + "\n")
        return 0
    lines = [
        f"rows {report.rows}  classes {report.classes}  k {report.k}",
        f"maximum risk {report.max_risk:.6g}  average risk {report.average_risk:.6g}",
        "records at risk: " + "  ".join(f">{t}: {share:.4%}" for t, share in report.at_risk.items()),
        *(str(statement) for statement in explain(report)),
    ]
    sys.stdout.write("\n".join(lines) + "\n")
    return 0


def quasi_identifiers(text: str, columns: list[str]) -> list[str]:
    """The columns that ``text`` names, separated by commas; a name with a comma in it also works."""
    names, known = [], set(columns)
    parts = text.split(",")
    while parts:
        for end in range(len(parts), 0, -1):
            candidate = ",".join(parts[:end])
            match = candidate if candidate in known else candidate.strip()
            if match in known:
                names.append(match)
                parts = parts[end:]
                break
        else:
            raise EngineError(
                "unknown_column", _("The table has no column “%(column)s”."), column=parts[0].strip()
            )
    return names
