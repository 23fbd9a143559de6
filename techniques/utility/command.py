"""``deid utility``: what a released file still tells, next to the original."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from techniques.messages import EngineError
from techniques.messages import gettext_noop as _


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the ``utility`` command; ``handler`` carries it out and returns the exit code."""
    parser = subparsers.add_parser(
        "utility",
        help="compare a result with its original: columns, pairs, the whole table, a model",
        description="Column by column, pair by pair and as a whole, what is left of the original (GB/T 37964 5.5.3).",
    )
    parser.add_argument("original", type=Path, metavar="ORIGINAL", help="CSV, XLSX or Parquet file")
    parser.add_argument("released", type=Path, metavar="RELEASED", help="the result made of it")
    parser.add_argument(
        "--qi", metavar="A,B", help="columns for the figures of the whole table; same rows in the same order"
    )
    parser.add_argument(
        "--target", metavar="C", help="with --qi: how well a model tells this column from them"
    )
    parser.add_argument(
        "--targets", type=Path, metavar="FILE", help="typed targets as JSON; exit code 1 if one fails"
    )
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    parser.set_defaults(handler=run, encoding=None, delimiter=None)


def run(options: argparse.Namespace) -> int:
    """Compare and print; exit code 1 where a target is missed."""
    from itertools import combinations

    from techniques.risk.command import opened, quasi_identifiers
    from techniques.tables.dictionary import encode_columns
    from techniques.utility.measure import assess
    from techniques.utility.targets import AssociationChange
    from techniques.utility.whole import model_utility, whole_table

    _header, before = opened(options.original, options)
    header, after = opened(options.released, options)
    names = quasi_identifiers(options.qi, header) if options.qi else []
    given = _targets(options.targets)
    pairs = [AssociationChange(columns=pair, bound=1.0) for pair in combinations(names, 2)]
    results, columns = assess([*given, *pairs], before(), after())
    told: dict[str, Any] = {
        "targets": [one.model_dump(mode="json") for one in results[: len(given)]],
        "columns": [one.model_dump(mode="json") for one in columns],
        "pairs": [
            {"columns": list(pair.columns), "change": one.measured, "reason": one.reason}
            for pair, one in zip(pairs, results[len(given) :], strict=True)
        ],
    }
    lines = [
        f"{one.column}: distance {_number(one.total_variation)}, suppressed {one.suppressed[1]:.4f}"
        for one in columns
    ]
    if names:
        wanted = [*names, options.target] if options.target else names
        tables = encode_columns(before(), wanted), encode_columns(after(), wanted)
        whole = whole_table(*tables, names)
        told["whole"] = whole.model_dump(mode="json")
        lines += [
            f"rows {whole.rows}, suppressed {whole.suppressed_rows:.4f}, classes {whole.classes}, average class {whole.average_class:.4g}",
            f"discernibility {whole.discernibility:.6g} ({whole.discernibility_share:.4%} of the most)",
            *(
                f"{name}: entropy kept {share:.4f}, cells kept {whole.cells_kept[name]:.4f}"
                for name, share in whole.entropy_kept.items()
            ),
        ]
        if options.target:
            model = model_utility(*tables, names, options.target)
            told["model"] = model.model_dump(mode="json")
            lines.append(
                f"{model.target} told from them: original {model.original:.4f}, released {model.released:.4f}, guessing {model.guessing:.4f}"
            )
    failed = [one for one in results[: len(given)] if not one.passed]
    lines += [
        f"missed: {one.target.title}, measured {_number(one.measured)}, bound {one.target.bound:g}"
        for one in failed
    ]
    sys.stdout.write((json.dumps(told, ensure_ascii=False) if options.json else "\n".join(lines)) + "\n")
    return 1 if failed else 0


def _targets(path: Path | None) -> list[Any]:
    from pydantic import ValidationError

    from techniques.utility.targets import parse

    if path is None:
        return []
    try:
        return parse(json.loads(path.read_text(encoding="utf-8-sig")))
    except (ValueError, ValidationError):
        raise EngineError("targets_invalid", _("The file of targets is no list of typed targets.")) from None


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"
