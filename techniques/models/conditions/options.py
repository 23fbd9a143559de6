"""Conditions on sensitive attributes as the options of a command say them: the same for several, or one by one."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from techniques.catalogue.models import Conditions
from techniques.core import faults
from techniques.core.messages import EngineError, gettext_noop
from techniques.hierarchies.definitions import HierarchyDefinition, Star

L_KINDS = ("distinct", "entropy", "recursive")
DISTANCES = ("equal", "ordered", "hierarchical")
_KEYS = ("l", "l-kind", *L_KINDS, "c", "t", "t-distance")
_CHOICES = {"l-kind": L_KINDS, "t-distance": DISTANCES}
Given = Mapping[str, str]
"""What is asked of one attribute: the keys of :data:`_KEYS` with the texts that stand behind them."""


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
            raise twice(column)
        given: dict[str, str] = {}
        for part in conditions.split(","):
            key, equals, value = (piece.strip() for piece in part.partition("="))
            if not equals or key not in _KEYS or key in given or value not in _CHOICES.get(key, (value,)):
                raise _unreadable(text, part)
            given[key] = value
        found[column] = given
    return found


def twice(column: str) -> EngineError:
    """The error of a sensitive attribute that is named more than once."""
    return EngineError(
        "sensitive_twice", gettext_noop("Sensitive attribute %(column)s is named twice."), column=column
    )


def _unreadable(text: str, part: str) -> EngineError:
    return EngineError(
        "condition_unreadable",
        gettext_noop(
            "--sensitive %(text)s: “%(part)s” cannot be read. Write COLUMN:KEY=VALUE,…, each key once, of l, l-kind "
            "(distinct, entropy, recursive), distinct, entropy, recursive, c, t, t-distance (equal, ordered, "
            "hierarchical)."
        ),
        text=text,
        part=part.strip(),
    )


def conditions(column: str, given: Given, hierarchy: HierarchyDefinition | None = None) -> Conditions:
    """The conditions of ``column``; ``hierarchy`` is that of its values. Raises EngineError
    ``condition_out_of_range``, ``condition_without``."""
    amounts = {kind: given[kind] for kind in L_KINDS if kind in given}
    if "l" in given:
        kind = given.get("l-kind", "distinct")
        if kind in amounts:
            raise twice(column)
        amounts[kind] = given["l"]
    for key, needed, known in (
        ("c", "recursive", "recursive" in amounts),
        ("l-kind", "l", "l" in given),
        ("t-distance", "t", "t" in given),
    ):
        if key in given and not known:
            raise EngineError(
                "condition_without",
                gettext_noop("Column %(column)s: %(key)s means nothing without %(needed)s."),
                column=column,
                key=key,
                needed=needed,
            )
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
        return Conditions.model_validate(values)
    except (ValueError, ValidationError):
        raise EngineError(
            "condition_out_of_range",
            gettext_noop(
                "Column %(column)s: l must be above 1 (a whole number from 2 on unless by entropy), c above 0, "
                "t from 0 to 1."
            ),
            column=column,
        ) from None


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
