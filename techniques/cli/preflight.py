"""``deid preflight``: before a run, what k and suppression cost on a file, and what one column less would buy."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from typing import Any

from techniques.cli import anonymize_request as command_request
from techniques.cli.places.staging import TableIn
from techniques.cli.tables import add_reading, file_format
from techniques.core import faults
from techniques.core.messages import EngineError, _


def add_parser(new_command: Callable[..., argparse.ArgumentParser]) -> None:
    """Add the ``preflight`` command; ``handler`` carries it out and returns the exit code."""
    parser = new_command(
        "preflight",
        help="what k and suppression would cost on a file, and what one column less would buy",
        description="Searches for the best generalisation of columns as a whole for every k and limit of suppression "
        "and prints those that no other beats (their frontier); then, for the largest of both, what dropping a "
        "column or making it one level coarser would give back to the others. Nothing is written.",
    )
    parser.add_argument("input", type=TableIn, metavar="INPUT", help="CSV, XLSX or Parquet file")
    parser.add_argument("--k", default="2,3,5,10,20", metavar="K,K", help="values of k (2,3,5,10,20)")
    parser.add_argument(
        "--suppression-limits", default="0,0.01,0.05,0.1", metavar="SHARE,SHARE",
        help="shares of rows that may be suppressed, and of persons (--subject) left without one, 0 to 1 (0,0.01,0.05,0.1)",
    )  # fmt: skip
    command_request.add_arguments(parser)
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    add_reading(parser)
    parser.set_defaults(handler=run)


def run(options: argparse.Namespace) -> int:
    """Search and print. Exit code 0, or 1 where no k and limit has a solution; faults raise EngineError."""
    ks = _list(options.k, int, "--k")
    limits = _list(options.suppression_limits, float, "--suppression-limits")
    command_request.check(options, ks, limits)
    from techniques.anonymization.preflight import frontier, what_if
    from techniques.anonymization.release import lattice_size, warm
    from techniques.anonymization.settings import search_settings
    from techniques.core.subjects import persons
    from techniques.tables import encode_columns, open_table

    found = file_format(options.input, options)
    with options.input.open("rb") as stream, open_table(stream, found) as reader:
        request = command_request.read_request(options, reader.columns)
        read = [*request.quasi, *request.sensitive]
        table = encode_columns(reader.batches(command_request.BATCH), read)
        header = reader.columns
    whose = command_request.read_subjects(options, found, request, header)
    quasi = {name: table[name] for name in request.quasi}
    sensitive = {name: table[name] for name in request.sensitive}
    rows = len(table[request.quasi[0]])
    number = rows if whose is None else persons(whose)[1]
    possible = [k for k in ks if k <= number]
    if not possible and whose is not None:
        raise faults.k_above_persons(min(ks), number)
    if not possible:
        text = _("No k of %(ks)s fits: the table has only %(rows)d rows.")
        raise EngineError("k_too_large", text, ks=", ".join(map(str, ks)), rows=rows)
    settings = search_settings(
        request.quasi, k=max(possible), suppression_limit=max(limits), **request.settings
    )
    warm(settings)
    points = frontier(quasi, sensitive, settings, sorted(set(ks)), sorted(set(limits)), subjects=whose)
    changes = what_if(quasi, sensitive, settings, subjects=whose)
    figures = command_request.tidy(
        {
            "rows": rows,
            **({} if whose is None else {"persons": number}),
            "solutions": lattice_size(quasi, settings),
            **({} if points else {"tried": len({*possible}) * len({*limits})}),
            "frontier": [one.as_dict() for one in points],
            "what_if": {
                "k": settings.k,
                "limit": settings.suppression_limit,
                "changes": [
                    {
                        "column": one.column, "change": one.change, "gained": one.gained,
                        "point": one.point.as_dict(),
                    }
                    for one in changes
                ],
            },
        }
    )  # fmt: skip
    sys.stdout.write(
        (json.dumps(figures, ensure_ascii=False) if options.json else "\n".join(_lines(figures))) + "\n"
    )
    return 0 if points else 1


def _lines(figures: dict[str, Any]) -> list[str]:
    lines = [f"{figures['rows']} rows, {figures['solutions']} solutions"]
    lines += [_point_line(one) for one in figures["frontier"]]
    if not figures["frontier"]:
        lines.append(f"no solution found for any pair of k and limit, of {figures['tried']} tried")
    what = figures["what_if"]
    lines.append(f"with k {what['k']} and limit {what['limit']:g}:")
    for one in what["changes"]:
        # A search may end before it has gone through all: what it has not found need not be missing.
        change = "left out" if one["change"] == "dropped" else "at least one level coarser"
        if one["point"]["levels"] is None:
            lines.append(f"  {one['column']} {change}: no solution found")
        else:
            lines.append(
                f"  {one['column']} {change}: granularity {one['gained']:+.4f}, loss {one['point']['loss']:.4f}, "
                f"suppressed {one['point']['suppressed']:.4f}"
            )
    return lines


def _point_line(one: dict[str, Any]) -> str:
    levels = ", ".join(f"{column} {level}" for column, level in one["levels"].items())
    proof = "" if one["proved_optimal"] else f" (not proved; none below {one['lower_bound']:.4f})"
    return (
        f"k {one['k']}, limit {one['limit']:g}: suppressed {one['suppressed']:.4f}, classes {one['classes']}, loss "
        f"{one['loss']:.4f}{proof}, granularity {one['granularity']:.4f}, levels {levels}"
    )


def _list(text: str, kind: Callable[[str], Any], option: str) -> list[Any]:
    try:
        return [kind(part) for part in text.split(",")]
    except ValueError:
        message = _("%(option)s: write numbers separated by commas, not “%(text)s”.")
        raise EngineError("list_invalid", message, option=option, text=text) from None
