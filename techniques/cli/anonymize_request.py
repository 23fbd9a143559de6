"""The options that ``deid anonymize`` and ``deid preflight`` share, their checks, and the request."""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from techniques.cli import condition_options, subjects
from techniques.core import faults
from techniques.core.messages import EngineError, _

BATCH = 65_536
_LEAST_RISK = 1e-9


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options about quasi-identifiers, sensitive attributes, hierarchies and what is minimised."""
    parser.add_argument("--qi", required=True, metavar="A,B", help="quasi-identifiers, separated by commas")
    subjects.add_argument(parser)
    condition_options.add_arguments(parser)
    parser.add_argument("--maximum-risk", type=float, help="highest risk of a row, 1 / rows of its class")
    parser.add_argument("--average-risk", type=float, help="highest average risk, classes / rows")
    parser.add_argument(
        "--hierarchies", type=Path, metavar="DIR",
        help="folder of <column>.csv or …_hierarchy_<column>.csv, leaf first, separated by semicolons",
    )  # fmt: skip
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
    parser.add_argument("--effort", type=int, default=100_000, help="most solutions to check (100000)")
    parser.add_argument(
        "--unfit", choices=["error", "suppress"], default="error",
        help="values that a hierarchy does not have: stop, or treat them as missing",
    )  # fmt: skip


def check(options: argparse.Namespace, ks: Iterable[int], limits: Iterable[float]) -> None:
    """Refuse what no table can satisfy, before any is read."""
    if any(k < 2 for k in ks):
        raise EngineError("k_too_small", _("k must be at least 2."))
    for risk in (options.maximum_risk, options.average_risk):
        if risk is not None and not _LEAST_RISK <= risk <= 1:
            text = _("A risk must be above 0 (at least %(least)s) and at most 1.")
            raise EngineError("risk_out_of_range", text, least=f"{_LEAST_RISK:.9f}")
    if not all(0 <= limit <= 1 for limit in limits):
        raise EngineError("limit_out_of_range", _("The limit of suppressed rows must be between 0 and 1."))
    condition_options.check(options)


@dataclass(frozen=True)
class Request:
    """The columns that a release is about, its hierarchy files, and the request but for k and the limit."""

    quasi: list[str]
    sensitive: list[str]
    files: list[Path]
    settings: dict[str, Any]


def read_request(options: argparse.Namespace, header: Sequence[str]) -> Request:
    """Read the options for a table with these columns, and the hierarchy files that they name.

    Raises EngineError for a column that is not there or named twice, and for options and files that cannot be read.
    """
    from techniques.cli.tables import quasi_identifiers
    from techniques.hierarchies.folder import read_hierarchies, required_files

    names = quasi_identifiers(options.qi, list(header))
    if len(set(names)) != len(names):
        raise EngineError("column_twice", _("A quasi-identifier is named twice."))
    columns = quasi_identifiers(options.sa, list(header)) if options.sa else []
    given = condition_options.given(options, columns, header)
    both = sorted(set(names) & set(given))
    if both:
        raise faults.quasi_and_sensitive(both[0])
    files: dict[str, Path] = {}
    if options.hierarchies is not None:
        trees = [column for column, own in given.items() if own.get("t-distance") == "hierarchical"]
        files = required_files(options.hierarchies, [*names, *trees])
    tables = read_hierarchies(files)
    return Request(
        names,
        list(given),
        [*files.values(), *(Path(own["levels"]) for own in given.values() if "levels" in own)],
        {
            "sensitive": {
                column: condition_options.conditions(column, own, tables.get(column))
                for column, own in given.items()
            },
            "hierarchies": {name: tables[name] for name in names} if options.hierarchies else None,
            "average_risk": options.average_risk,
            "maximum_risk": options.maximum_risk,
            "weights": _weights(options.weights, names),
            "unfit": options.unfit,
            "loss": options.loss,
            "effort": options.effort,
            **_bounds(options, names),
        },
    )


def read_subjects(options: argparse.Namespace, found: Any, request: Request, header: Sequence[str]) -> Any:
    """Whose each row of the input is (:func:`techniques.cli.subjects.subjects`); ``found`` is its format."""
    from techniques.tables import open_table

    def batches() -> Iterator[Any]:
        with options.input.open("rb") as stream, open_table(stream, found) as reader:
            yield from reader.batches(BATCH)

    return subjects.subjects(options, list(header), batches, {*request.quasi, *request.sensitive})


def _numbers(text: str, names: list[str]) -> dict[str, float] | None:
    """``A=2,B=0.5`` as finite numbers by column, each named once; None where that is not what it says."""
    found: dict[str, float] = {}
    for part in filter(None, text.split(",")):
        name, _, written = part.rpartition("=")
        try:
            number = float(written)
        except ValueError:
            return None
        if name.strip() not in names or name.strip() in found or not math.isfinite(number):
            return None
        found[name.strip()] = number
    return found


def _weights(text: str, names: list[str]) -> dict[str, float]:
    found = _numbers(text, names)
    if found is None or any(not 0 < weight <= 1000 for weight in found.values()):
        raise EngineError(
            "weight_invalid",
            _("--weights: write each quasi-identifier once, = and a number above 0 and at most 1000."),
        )
    return found


def _levels(text: str, names: list[str]) -> dict[str, int]:
    found = _numbers(text, names)
    if found is None or any(level != int(level) or level < 0 for level in found.values()):
        raise EngineError(
            "level_invalid",
            _("A bound on levels: write each quasi-identifier once, = and a level from 0 upwards."),
        )
    return {name: int(level) for name, level in found.items()}


def _bounds(options: argparse.Namespace, names: list[str]) -> dict[str, dict[str, int]]:
    lowest, highest = _levels(options.minimum_levels, names), _levels(options.maximum_levels, names)
    for name in sorted(set(lowest) & set(highest)):
        if lowest[name] > highest[name]:
            text = _("Column %(column)s: its lowest level, %(lowest)d, is above its highest, %(highest)d.")
            raise EngineError("levels_crossed", text, column=name, lowest=lowest[name], highest=highest[name])
    return {"minimum_levels": lowest, "maximum_levels": highest}


def tidy(value: Any) -> Any:
    """JSON-ready values in which what rounding left below 0, or a negative zero, is 0."""
    if isinstance(value, dict):
        return {key: tidy(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [tidy(item) for item in value]
    return 0.0 if isinstance(value, float) and -1e-12 < value <= 0 else value
