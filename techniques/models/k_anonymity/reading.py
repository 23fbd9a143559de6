"""From the counted combinations of a table and a step's parameters to the search's problem."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from techniques.catalogue.models import Conditions, KAnonymitySettings
from techniques.core import faults
from techniques.core.messages import EngineError, _
from techniques.core.operations import StringArray, Tally, Unfit
from techniques.core.subjects import Persons
from techniques.core.tuples import Codes, TupleKeys
from techniques.hierarchies import ROOT
from techniques.hierarchies.build import Hierarchy, build
from techniques.models.conditions.entries import Entries
from techniques.models.conditions.judging import SHARE, conditions_of
from techniques.models.conditions.persons import PersonValues
from techniques.models.conditions.values import Condition, Tree
from techniques.models.k_anonymity.problem import Attribute, nested
from techniques.models.k_anonymity.sensitive import Sensitive, SensitiveOfPersons
from techniques.values.dates import parse_dates
from techniques.values.numbers import parse_numbers
from techniques.values.unfit import NOT_IN_LIST

_NOTHING = pa.array(["", ROOT])
"""Texts that tell nothing: those of a missing and of a suppressed value."""


def levels_of(settings: KAnonymitySettings, column: str, hierarchy: Hierarchy) -> tuple[int, int]:
    """Lowest and highest level allowed for ``column``; EngineError ``level_unknown``."""
    top = hierarchy.levels - 1
    lowest = settings.minimum_levels.get(column, 0)
    highest = settings.maximum_levels.get(column, top)
    if not 0 <= lowest <= highest <= top:
        text = _("Column %(column)s: the hierarchy's highest level is %(highest)d.")
        raise EngineError("level_unknown", text, column=column, highest=top)
    return lowest, highest


def refuse_unfit(hierarchy: Hierarchy, codes: Codes, number: int) -> None:
    """Raise :class:`Unfit` for the step's column ``number`` where a value that occurs is not in its hierarchy."""
    used = np.bincount(codes + 1, minlength=len(hierarchy.unfit) + 1)[1:] > 0
    bad = np.flatnonzero(used & hierarchy.unfit)
    if len(bad) and hierarchy.unfit_text is not None:
        raise Unfit(number, bad, hierarchy.unfit_text)


def judged(
    settings: KAnonymitySettings,
    dictionaries: Sequence[StringArray],
    codes: Sequence[Codes],
    counts: NDArray[np.int64],
    start: NDArray[np.int64],
    before: int,
    persons: Persons | None = None,
) -> list[Sensitive]:
    """The sensitive attributes of a step over combinations in an order in which ``start`` groups them; ``persons`` of each
    where those are counted.

    Raises :class:`Unfit`, whose column counts the ``before`` columns of the step first.
    """
    found = []
    for i, (column, conditions) in enumerate(settings.sensitive.items()):
        try:
            found.append(
                sensitive_of(
                    conditions,
                    dictionaries[i],
                    codes[i],
                    counts,
                    start,
                    column,
                    settings.unfit == "suppress",
                    persons,
                )
            )
        except Unfit as unfit:
            raise Unfit(before + i, unfit.positions, unfit.error) from None
    return found


def split(tally: Tally, columns: int) -> tuple[Tally, NDArray[np.int64], NDArray[np.int64]]:
    """The tally of the first ``columns`` columns alone, an order of the full tally's combinations that groups those
    that agree in them, and the start of each group (one entry more)."""
    keys = TupleKeys([len(dictionary) for dictionary in tally.dictionaries[:columns]]).encode(
        tally.codes[:columns]
    )
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    first = np.flatnonzero(np.append(True, keys[1:] != keys[:-1])) if len(keys) else np.empty(0, np.int64)
    start = np.append(first, len(order)).astype(np.int64)
    own = Tally(
        tally.dictionaries[:columns],
        [codes[order[first]] for codes in tally.codes[:columns]],
        np.add.reduceat(tally.counts[order], first) if len(first) else tally.counts,
        None if tally.persons is None else tally.persons.taken(order).united(start),
    )
    return own, order, start


def sensitive_of(
    settings: Conditions,
    dictionary: StringArray,
    codes: Codes,
    counts: NDArray[np.int64],
    start: NDArray[np.int64],
    column: str,
    unfit_as_missing: bool,
    persons: Persons | None = None,
) -> Sensitive:
    """One sensitive attribute. A missing or suppressed value, or one that a hierarchy does not cover where those are
    treated as missing, comes before all others in their order.

    Raises :class:`Unfit` with column 0 where its hierarchy does not cover a value.
    """
    nothing = np.append(pc.is_in(dictionary, value_set=_NOTHING), True).astype(bool)
    hierarchy = None
    if settings.t is not None and settings.distance == "hierarchical":
        hierarchy = build(settings.hierarchy, dictionary)
        seen = np.unique(codes[~nothing[codes]])
        bad = seen[hierarchy.unfit[seen]]
        if len(bad) and hierarchy.unfit_text is not None and not unfit_as_missing:
            raise Unfit(0, bad.astype(np.int64), hierarchy.unfit_text)
        nothing[:-1] |= hierarchy.unfit
    if settings.levels:
        listed = pc.is_in(dictionary, value_set=pa.array(list(settings.levels), pa.string()))
        unlisted = ~nothing[:-1] & ~np.asarray(listed).astype(bool)
        seen = np.unique(codes[codes >= 0])
        if not unfit_as_missing and settings.unlisted == "error" and unlisted[seen].any():
            raise Unfit(0, seen[unlisted[seen]].astype(np.int64), NOT_IN_LIST)
        nothing[:-1] |= unlisted
    codes = np.where(nothing[codes], -1, codes)  # the last entry is that of a missing value, -1
    # Of persons a value may be unknown in a class although none is missing.
    known, missing = np.unique(codes[codes >= 0]), persons is not None or bool((codes < 0).any())
    known = known[np.argsort(_ranks(dictionary.take(pa.array(known))))]
    used = np.append(np.full(int(missing), -1, dtype=known.dtype), known)
    number = np.zeros(len(dictionary) + 1, dtype=np.int32)
    number[used] = np.arange(len(used), dtype=np.int32)
    tree = None if hierarchy is None else _tree(hierarchy, used + 1, column)
    bounds, levels = _with_levels(settings, dictionary, used)
    if persons is not None:
        values = np.repeat(number[codes], np.diff(persons.start))
        single = PersonValues(persons.start, values, persons.person)
        return SensitiveOfPersons(single, start, persons.number, len(used), bounds, tree, levels)
    entries = Entries(start, number[codes], counts)
    return Sensitive(entries, len(used), bounds, tree, missing, levels)


def _with_levels(
    settings: Conditions, dictionary: StringArray, used: NDArray[Any]
) -> tuple[list[Condition], NDArray[np.int64]]:
    """The conditions, told how many sensitivity levels there are, and the level of each value ``used`` (-1 a missing one)."""
    bounds = conditions_of(settings)
    if not settings.levels:
        return bounds, np.zeros(len(used), dtype=np.int64)
    places = {level: place for place, level in enumerate(sorted(set(settings.levels.values())))}
    texts = dictionary.take(pa.array(used[used >= 0])).to_pylist()
    known = [places[settings.levels[text]] for text in texts]
    levels = np.array([0] * int((used < 0).sum()) + known, dtype=np.int64)
    return [one._replace(factor=len(places)) if one.kind == SHARE else one for one in bounds], levels


def _ranks(values: StringArray) -> NDArray[np.int64]:
    """Place of each value in the order of numbers, of dates, or of texts."""
    ranks = np.empty(len(values), dtype=np.int64)
    by_text = np.array(pc.sort_indices(values)).astype(np.int64)
    ranks[by_text] = np.arange(len(values))
    if len(values) == 0:
        return ranks
    numbers = parse_numbers(values)
    dates = parse_dates(values)
    keys: tuple[Any, ...] = (ranks,)
    if numbers.valid.all():
        keys = (ranks, numbers.unscaled)
    elif dates.valid.all():
        keys = (ranks, dates.day, dates.month, dates.year)
    ranks[np.lexsort(keys)] = np.arange(len(values))
    return ranks


def _tree(hierarchy: Hierarchy, values: NDArray[Any], column: str) -> Tree:
    """The value tree over ``values`` (codes of an :class:`Attribute`: 0 missing, v+1 the v-th)."""
    attribute = Attribute.from_hierarchy(hierarchy, True, 0, hierarchy.levels - 1)
    if not nested(attribute.maps, attribute.sizes):
        raise faults.hierarchy_no_tree(column)
    top = hierarchy.levels - 1
    # Level 0 are the values themselves; the levels above are numbered on.
    start = np.cumsum([len(values), *attribute.sizes[1:]])
    parents = [start[0] + attribute.maps[1][values]]
    heights = [np.zeros(len(values))]
    for level in range(1, top + 1):
        heights.append(np.full(attribute.sizes[level], level / top))
        if level < top:
            parent = np.full(attribute.sizes[level], start[-1] - 1, dtype=np.int64)
            parent[attribute.maps[level]] = start[level] + attribute.maps[level + 1]
            parents.append(parent)
    return Tree(np.concatenate(parents).astype(np.int64), np.concatenate(heights))
