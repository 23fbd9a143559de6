"""``deid utility``: what a released file keeps of the original."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from techniques.cli.places.staging import TableIn
from techniques.cli.tables import add_reading, opened, quasi_identifiers
from techniques.core import faults
from techniques.core.messages import EngineError, _


def add_parser(new_command: Callable[..., argparse.ArgumentParser]) -> None:
    """Add the ``utility`` command; ``handler`` carries it out and returns the exit code."""
    parser = new_command(
        "utility",
        help="compare a result with its original: columns, pairs, the whole table, a model",
        description="Column by column, pair by pair and as a whole, what is left of the original (GB/T 37964 5.5.3).",
    )
    parser.add_argument("original", type=TableIn, metavar="ORIGINAL", help="CSV, XLSX or Parquet file")
    parser.add_argument("released", type=TableIn, metavar="RELEASED", help="the result made of it")
    parser.add_argument(
        "--qi", metavar="A,B", help="columns for the figures of the whole table; same rows in the same order"
    )
    parser.add_argument(
        "--target", metavar="C", help="with --qi: how well a model tells this column from them"
    )
    parser.add_argument(
        "--targets", type=Path, metavar="FILE", help="typed targets as JSON; exit code 1 if one fails"
    )
    parser.add_argument(
        "--hierarchies", type=Path, metavar="DIR",
        help="folder of <column>.csv or …_hierarchy_<column>.csv, leaf first: what their labels stand for",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    add_reading(parser, "original", "ORIGINAL")
    parser.set_defaults(handler=run)


def run(options: argparse.Namespace) -> int:
    """Compare and print; exit code 1 where a target is missed."""
    from itertools import combinations

    from techniques.data_utility.covering import labels_above
    from techniques.data_utility.loss import information_loss
    from techniques.data_utility.measure import assess
    from techniques.data_utility.targets import AssociationChange
    from techniques.data_utility.whole import model_utility, whole_table
    from techniques.tables.dictionary import encode_columns

    given = _targets(options.targets)
    old, before = opened(options.original, options, ())
    new, after = opened(options.released, options, old)
    names = _names(options, old, new)
    tables = _hierarchies(options.hierarchies, [column for column in new if column in old])
    known = labels_above(tables)
    pairs = [AssociationChange(columns=pair, bound=1.0) for pair in combinations(names, 2)]
    results, columns = assess([*given, *pairs], before(), after(), hierarchies=known)
    figures: dict[str, Any] = {
        "targets": [one.model_dump(mode="json") for one in results[: len(given)]],
        "columns": [one.model_dump(mode="json", exclude={"distribution"}) for one in columns],
        "pairs": [
            {"columns": list(pair.columns), "change": one.measured, "reason": one.reason % one.params}
            for pair, one in zip(pairs, results[len(given) :], strict=True)
        ],
    }
    lines = [_column_line(one, one.column in tables) for one in columns]
    if names:
        wanted = list(dict.fromkeys([*names, *([options.target] if options.target else [])]))
        both = encode_columns(before(), wanted), encode_columns(after(), wanted)
        whole = whole_table(*both, names)
        lost = information_loss(*both, names, tables)
        figures["whole"] = whole.model_dump(mode="json")
        figures["loss"] = lost.model_dump(mode="json")
        lines += _pair_lines(figures["pairs"])
        lines += _whole_lines(whole, lost)
        if options.target:
            model = model_utility(*both, names, options.target)
            figures["model"] = model.model_dump(mode="json")
            lines.append(
                f"{model.target} told from them: original {model.original:.4f}, released {model.released:.4f}, guessing {model.guessing:.4f}"
            )
    failed = [one for one in results[: len(given)] if not one.passed]
    lines += [
        f"missed: {one.target.title}, measured {_number(one.measured)}, bound {one.target.bound:g}"
        + (f" ({one.reason % one.params})" if one.reason else "")
        for one in failed
    ]
    sys.stdout.write((json.dumps(figures, ensure_ascii=False) if options.json else "\n".join(lines)) + "\n")
    return 1 if failed else 0


def _names(options: argparse.Namespace, old: list[str], new: list[str]) -> list[str]:
    """The quasi-identifiers, each once and in both tables; the target too has to be there."""

    if options.target and not options.qi:
        raise EngineError("target_alone", _("--target needs --qi: the columns that a model learns from."))
    names = quasi_identifiers(options.qi, [*old, *new]) if options.qi else []
    if len(set(names)) != len(names):
        raise EngineError("column_twice", _("A quasi-identifier is named twice."))
    for name in [*names, *([options.target] if options.target else [])]:
        if name not in old or name not in new:
            raise faults.column_missing(name)
    return names


def _hierarchies(folder: Path | None, columns: list[str]) -> dict[str, Any]:
    """The hierarchy of every column that has a file in the folder."""
    from techniques.hierarchies.folder import hierarchy_files, read_hierarchies

    if folder is None:
        return {}
    files = hierarchy_files(folder, columns)
    if not files:
        raise EngineError(
            "hierarchy_files_none",
            _(
                "%(path)s has no hierarchy file for any column: name them after the columns, such as %(file)s."
            ),
            path=str(folder),
            file=f"{columns[0]}.csv" if columns else "column.csv",
        )
    return {column: _plain(table) for column, table in read_hierarchies(files).items()}


def _plain(table: Any) -> Any:
    """A hierarchy in the words of tables that are read without what keeps spreadsheets from running cells."""
    import pyarrow as pa

    from techniques.tables.writers.formulas import plain_column

    columns = [
        plain_column(pa.array(cells, pa.string())).to_pylist() for cells in zip(*table.rows, strict=True)
    ]
    if len(set(columns[0])) < len(columns[0]):
        return table
    return table.model_copy(update={"rows": [list(row) for row in zip(*columns, strict=True)]})


def _column_line(one: Any, explained: bool) -> str:
    line = f"{one.column}: distance {_number(one.total_variation)}"
    if one.wasserstein is not None:
        line += f", moved by {one.wasserstein:.4f} of the range"
    line += f", suppressed {one.suppressed[1]:.4f}"
    if one.unresolved:
        line += f"; {one.unresolved} cells have labels that could not be interpreted and count as moved in the distance alone"
        line += "" if explained else ": --hierarchies tells what they stand for"
    return line


def _pair_lines(pairs: list[dict[str, Any]]) -> list[str]:
    return [
        f"{' and '.join(pair['columns'])}: association changed by {_number(pair['change'])}"
        + (f" ({pair['reason']})" if pair["reason"] else "")
        for pair in pairs
    ]


def _whole_lines(whole: Any, lost: Any) -> list[str]:
    return [
        f"rows {whole.rows}, suppressed {whole.suppressed_rows:.4f}, classes {whole.classes}, average class {whole.average_class:.4g}",
        f"discernibility {whole.discernibility:.6g} ({whole.discernibility_share:.4%} of the most)",
        f"NCP {lost.ncp:.4f}, granularity {lost.granularity:.4f}, precision {_number(lost.precision)}",
        *(
            f"{name}: NCP {one.ncp:.4f}, granularity {one.granularity:.4f}, precision {_number(one.precision)}, "
            f"entropy kept {whole.entropy_kept[name]:.4f}, cells kept {whole.cells_kept[name]:.4f}"
            + (f", {one.unresolved} cells not interpreted" if one.unresolved else "")
            for name, one in lost.columns.items()
        ),
    ]


def _targets(path: Path | None) -> list[Any]:
    from pydantic import ValidationError

    from techniques.core.validation import first_problem
    from techniques.data_utility.targets import parse

    if path is None:
        return []
    try:
        return parse(json.loads(path.read_text(encoding="utf-8-sig")))
    except ValidationError as error:
        found = first_problem(error, path.name)
        raise EngineError("targets_invalid", found.message, **found.params) from None
    except (ValueError, RecursionError):
        raise EngineError("targets_invalid", _("%(path)s: the file is not JSON."), path=path.name) from None


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"
