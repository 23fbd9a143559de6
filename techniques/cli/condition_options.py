"""Conditions on sensitive attributes as the options of a command say them: the same for several, or one by one."""

from __future__ import annotations

import argparse
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from techniques.core import faults
from techniques.core.messages import EngineError, _

if TYPE_CHECKING:
    from techniques.catalogue.models import Conditions
    from techniques.hierarchies.definitions import HierarchyDefinition

L_KINDS = ("distinct", "entropy", "recursive")
DISTANCES = ("equal", "ordered", "hierarchical")
_KEYS = ("l", "l-kind", *L_KINDS, "c", "t", "t-distance", "beta", "alpha", "levels")
_CHOICES = {"l-kind": L_KINDS, "t-distance": DISTANCES}
_OF_ALL: dict[str, tuple[str, ...]] = {"l": ("l-kind",), "t": ("t-distance",), "beta": (), "alpha": ()}
"""The options that ask something of every attribute of ``--sa``, with those that say how."""
Given = Mapping[str, str]
"""What is set for one attribute: the keys of :data:`_KEYS` with the texts that stand behind them."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options about sensitive attributes."""
    parser.add_argument(
        "--sa",
        metavar="A,B",
        default="",
        help="sensitive attributes: --l, --t, --alpha and --beta hold for each",
    )
    parser.add_argument("--l", type=float, help="l-diversity of every class")
    parser.add_argument("--l-kind", choices=L_KINDS, default="distinct", help="which l-diversity")
    parser.add_argument("--c", type=float, default=1.0, help="c of recursive (c,l)-diversity")
    parser.add_argument("--t", type=float, help="t-closeness: greatest distance from the whole table")
    parser.add_argument("--t-distance", choices=DISTANCES, default="equal", help="how it is measured")
    parser.add_argument("--alpha", type=float, help="greatest share of a value in a class")
    parser.add_argument(
        "--beta", type=float, help="β-likeness: greatest gain of a value's share over the whole table"
    )
    parser.add_argument(
        "--sensitive", action="append", default=[], metavar="COLUMN:KEY=VALUE,…",
        help="conditions of one sensitive attribute alone, such as job:l=3,t=0.2,t-distance=ordered or "
        "job:distinct=3,entropy=2.5,recursive=2,c=1.5; levels=FILE names the sensitivity level of each value, whose share alpha "
        "bounds; once for each attribute",
    )  # fmt: skip


def check(options: argparse.Namespace) -> None:
    """Refuse attributes of which nothing is asked, and conditions on none."""
    if bool(options.sa) != any(getattr(options, name) is not None for name in _OF_ALL):
        text = _("Sensitive attributes (--sa) need one of %(options)s, and these need sensitive attributes.")
        raise EngineError("sensitive_incomplete", text, options=", ".join(f"--{name}" for name in _OF_ALL))


def given(options: argparse.Namespace, columns: Sequence[str], header: Sequence[str]) -> dict[str, Given]:
    """What is set for each attribute: the same of all ``columns``, and what ``--sensitive`` asks of others."""
    shared = {
        key: str(getattr(options, key.replace("-", "_")))
        for name, kinds in _OF_ALL.items()
        if getattr(options, name) is not None
        for key in (name, *kinds)
    }
    if shared.get("l-kind") == "recursive":
        shared["c"] = str(options.c)
    found: dict[str, Given] = {}
    for column, own in [*((column, shared) for column in columns), *parse(options.sensitive, header).items()]:
        if column in found:
            raise _twice(column)
        found[column] = own
    return found


def parse(texts: Sequence[str], header: Sequence[str]) -> dict[str, dict[str, str]]:
    """``COLUMN:l=3,l-kind=entropy,t=0.2`` of each text: what is asked of the column.

    A column takes any of ``distinct=``, ``entropy=`` and ``recursive=`` together; ``l=`` with ``l-kind=`` is another way
    to say one of them. Raises EngineError ``condition_unreadable``, ``unknown_column``, ``sensitive_twice``.
    """
    found: dict[str, dict[str, str]] = {}
    for text in texts:
        name, sign, conditions = text.rpartition(":")
        column = name if name in header else name.strip()
        if not sign or not column:
            raise _unreadable(text, text)
        if column not in header:
            raise faults.unknown_column(column)
        if column in found:
            raise _twice(column)
        own: dict[str, str] = {}
        for part in conditions.split(","):
            key, equals, value = (piece.strip() for piece in part.partition("="))
            if not equals or key not in _KEYS or key in own or value not in _CHOICES.get(key, (value,)):
                raise _unreadable(text, part)
            own[key] = value
        found[column] = own
    return found


def _twice(column: str) -> EngineError:
    return EngineError("sensitive_twice", _("Sensitive attribute %(column)s is named twice."), column=column)


def _unreadable(text: str, part: str) -> EngineError:
    return EngineError(
        "condition_unreadable",
        _(
            "--sensitive %(text)s: “%(part)s” cannot be read. Write COLUMN:KEY=VALUE,…, using each key once, from %(keys)s."
        ),
        keys=", ".join(f"{key} ({', '.join(_CHOICES[key])})" if key in _CHOICES else key for key in _KEYS),
        text=text,
        part=part.strip(),
    )


def conditions(column: str, given: Given, hierarchy: HierarchyDefinition | None = None) -> Conditions:
    """The conditions of ``column``; ``hierarchy`` is that of its values. Raises EngineError
    ``condition_out_of_range``, ``condition_without``."""
    from pydantic import ValidationError

    from techniques.catalogue.models import Conditions
    from techniques.hierarchies.definitions import Star

    amounts = {kind: given[kind] for kind in L_KINDS if kind in given}
    if "l" in given:
        kind = given.get("l-kind", "distinct")
        if kind in amounts:
            raise _twice(column)
        amounts[kind] = given["l"]
    for key, needed, known in (
        ("c", "recursive", "recursive" in amounts),
        ("l-kind", "l", "l" in given),
        ("t-distance", "t", "t" in given),
        ("levels", "alpha", "alpha" in given),
    ):
        if key in given and not known:
            text = _("Column %(column)s: %(key)s has no meaning without %(needed)s.")
            raise EngineError("condition_without", text, column=column, key=key, needed=needed)
    values: dict[str, Any] = {}
    try:
        if "distinct" in amounts:
            values["distinct"] = _whole(amounts["distinct"])
        if "entropy" in amounts:
            values["entropy"] = _finite(amounts["entropy"])
        if "recursive" in amounts:
            values["recursive_l"] = _whole(amounts["recursive"])
            values["recursive_c"] = _finite(given.get("c", "1"))
        if "t" in given:
            values |= {"t": _finite(given["t"]), "distance": given.get("t-distance", "equal")}
            values["hierarchy"] = hierarchy or Star()
        if "beta" in given:
            values["beta"] = _finite(given["beta"])
        if "alpha" in given:
            values["alpha"] = _finite(given["alpha"])
        if "levels" in given:
            values["levels"] = _levels(given["levels"])
        return Conditions.model_validate(values)
    except (ValueError, ValidationError):
        text = _(
            "Column %(column)s: l must be above 1 (a whole number from 2 on unless by entropy), c above 0, "
            "t from 0 to 1, beta from 0 to 1000, alpha above 0 and at most 1, a level a whole number from 1 to 100."
        )
        raise EngineError("condition_out_of_range", text, column=column) from None


def _levels(name: str) -> dict[str, int]:
    """A file of values and their levels, read as a hierarchy's. EngineError ``hierarchy_file_missing``; ValueError."""
    from techniques.hierarchies.definitions import parse_table

    try:
        rows = parse_table(Path(name).read_bytes(), name)
    except OSError:
        text = _("%(path)s: the file %(file)s cannot be read")
        raise EngineError("hierarchy_file_missing", text, path="--sensitive", file=name) from None
    return {value: int(level) for value, level in rows}


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError
    return number


def _whole(text: str) -> int:
    number = _finite(text)
    if number != int(number):
        raise ValueError
    return int(number)
