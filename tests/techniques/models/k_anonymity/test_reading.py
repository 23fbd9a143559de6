"""From counted combinations to what is searched: groups of combinations, sensitive values and their order, levels that are allowed."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest

from techniques.catalogue.models import Conditions
from techniques.core.messages import EngineError
from techniques.core.operations import Tally, Unfit
from techniques.core.subjects import Persons
from techniques.hierarchies.build import build
from techniques.hierarchies.definitions import Table
from techniques.models.conditions.judging import SHARE
from techniques.models.k_anonymity.reading import _ranks, judged, levels_of, refuse_unfit, sensitive_of, split
from techniques.models.k_anonymity.sensitive import Sensitive
from tests.techniques.searches import search

ILL = pa.array(["flu", "*", "HIV", "", "gout"])
FEW = {"flu": 1, "HIV": 7}
TREE = [["flu", "light", "*"], ["HIV", "grave", "*"]]


def read(
    conditions: Conditions,
    codes: list[int],
    counts: list[int] | None = None,
    *,
    missing_unfit: bool = False,
    persons: Persons | None = None,
) -> Sensitive:
    """Of combinations each of which is a group of its own."""
    number = len(codes)
    return sensitive_of(
        conditions, ILL, np.array(codes, np.int32), np.array(counts or [1] * number, np.int64),
        np.arange(number + 1), "ill", missing_unfit, persons,
    )  # fmt: skip


def test_what_is_missing_or_suppressed_is_one_value_before_all_others() -> None:
    """A star, an empty text and no text at all say the same, nothing."""
    found = read(Conditions(distinct=2), [0, 1, 2, 3, -1, 4, 0], [1, 2, 3, 4, 5, 6, 7])
    # In the order of texts: HIV, flu, gout.
    assert found.missing
    assert (found.size, found.unknown) == (4, 0)
    assert found.entries.values.tolist() == [2, 0, 1, 0, 0, 3, 2]
    assert found.rows == 28
    assert found.reference.tolist() == [11 / 28, 3 / 28, 8 / 28, 6 / 28]


def test_where_nothing_is_missing_no_value_is_kept_for_it() -> None:
    found = read(Conditions(distinct=2), [4, 0, 4])
    assert (found.missing, found.size, found.unknown) == (False, 2, -1)
    assert found.entries.values.tolist() == [1, 0, 1]


def test_of_persons_a_value_may_be_unknown_though_none_is_missing() -> None:
    persons = Persons.of(np.array([0, 1, 1, 2]), np.array([0, 0, 1, 1]), 3)
    found = read(Conditions(distinct=2), [4, 0, 4], persons=persons)
    assert found.size == 3
    # Person 0 has gout and flu, in equal parts, person 1 the same: nobody is unknown in the table.
    assert found.reference.tolist() == [0, 0.5, 0.5]


def test_values_without_a_level_are_refused_or_unknown() -> None:
    asked = Conditions(alpha=0.5, levels=FEW)
    with pytest.raises(Unfit) as refused:
        read(asked, [0, 4, 2, 4, -1])
    assert (refused.value.column, refused.value.positions.tolist()) == (0, [4])
    # A value that no row has does no harm, neither does one that says nothing.
    assert read(asked, [0, 2, 3, 1]).size == 3
    for found in (
        read(Conditions(alpha=0.5, levels=FEW, unlisted="unknown"), [0, 4, 2, -1]),
        read(asked, [0, 4, 2, -1], missing_unfit=True),
    ):
        assert found.entries.values.tolist() == [2, 0, 1, 0]
        # HIV comes before flu; levels are numbered from the least, and what is unknown has none.
        assert found.levels.tolist() == [0, 1, 0]
        assert [one.factor for one in found.conditions if one.kind == SHARE] == [2]


def test_without_levels_each_value_is_one() -> None:
    found = read(Conditions(alpha=0.5, distinct=2), [0, 4, 2])
    assert found.levels.tolist() == [0, 0, 0]
    assert [one.factor for one in found.conditions if one.kind == SHARE] != [2]


def test_values_beside_their_tree_are_refused_or_unknown() -> None:
    asked = Conditions(t=0.5, distance="hierarchical", hierarchy=Table(kind="table", rows=TREE))
    with pytest.raises(Unfit) as refused:
        read(asked, [0, 2, 4, 4])
    assert (refused.value.column, refused.value.positions.tolist()) == (0, [4])
    assert read(asked, [0, 2, 3]).entries.values.tolist() == [2, 1, 0]
    found = read(asked, [0, 2, 4], missing_unfit=True)
    assert (found.entries.values.tolist(), found.missing) == ([2, 1, 0], True)
    # The distance by order or by equality asks nothing of a tree.
    assert read(Conditions(t=0.5, hierarchy=Table(kind="table", rows=TREE)), [0, 2, 4]).size == 3


@pytest.mark.parametrize(
    ("texts", "order"),
    [
        (["10", "9", "-1", "2.5"], ["-1", "2.5", "9", "10"]),
        (["10", "9", "x"], ["10", "9", "x"]),
        (["2026-02-01", "2025-12-31", "2026-01-30"], ["2025-12-31", "2026-01-30", "2026-02-01"]),
        (["2026/2/1", "2025/12/31", "2026/1/30"], ["2025/12/31", "2026/1/30", "2026/2/1"]),
        (["b", "a", "B"], ["B", "a", "b"]),
        (["1.0", "1", "0"], ["0", "1", "1.0"]),
        ([], []),
    ],
)
def test_numbers_and_dates_have_their_own_order(texts: list[str], order: list[str]) -> None:
    """Everything else that of texts; so have numbers that are the same."""
    ranks = _ranks(pa.array(texts, pa.string()))
    assert [text for _rank, text in sorted(zip(ranks.tolist(), texts, strict=True))] == order
    assert sorted(ranks.tolist()) == list(range(len(texts)))


def test_combinations_that_agree_in_the_first_columns_stand_together() -> None:
    draw = np.random.default_rng(2)
    for columns in (1, 2, 3):
        cells = np.unique(draw.integers(-1, 3, (40, 3)), axis=0)
        codes = [np.ascontiguousarray(cells[:, i]).astype(np.int32) for i in range(3)]
        counts = draw.integers(1, 5, len(cells))
        who = [set(draw.integers(0, 9, 2).tolist()) for _ in cells]
        place = np.repeat(np.arange(len(cells)), [len(one) for one in who])
        persons = Persons.of(place, np.array([person for one in who for person in one]), len(cells))
        dictionaries = [pa.array(["a", "b", "c"])] * 3
        own, order, start = split(Tally(dictionaries, codes, counts, persons), columns)
        wanted: dict[tuple[int, ...], list[int]] = defaultdict(list)
        for at, cell in enumerate(cells.tolist()):
            wanted[tuple(cell[:columns])].append(at)
        groups = [order[a:b].tolist() for a, b in pairwise(start)]
        assert sorted(groups) == sorted(wanted.values())
        assert own.persons is not None
        for number, group in enumerate(groups):
            assert [column[number] for column in own.codes] == cells[group[0]][:columns].tolist()
            assert own.counts[number] == counts[group].sum()
            named = own.persons.person[own.persons.start[number] : own.persons.start[number + 1]]
            assert sorted(named.tolist()) == sorted(set().union(*(who[at] for at in group)))
    nothing = Tally(dictionaries, [column[:0] for column in codes], counts[:0])
    own, order, start = split(nothing, 1)
    assert (len(own.counts), len(order), start.tolist(), own.persons) == (0, 0, [0], None)


def test_levels_from_the_lowest_to_the_highest_that_there_are() -> None:
    hierarchy = build(Table(kind="table", rows=TREE), pa.array(["flu", "HIV"]))
    assert levels_of(search(2, columns=["a"]), "a", hierarchy) == (0, 2)
    both = search(2, columns=["a"], minimum_levels={"a": 1}, maximum_levels={"a": 1})
    assert levels_of(both, "a", hierarchy) == (1, 1)
    for wrong in (
        {"maximum_levels": {"a": 3}},
        {"minimum_levels": {"a": 2}, "maximum_levels": {"a": 1}},
        {"minimum_levels": {"a": 3}},
    ):
        with pytest.raises(EngineError) as refused:
            levels_of(search(2, columns=["a"], **wrong), "a", hierarchy)
        assert (refused.value.code, refused.value.params["highest"]) == ("level_unknown", 2)


def test_values_beside_their_hierarchy_are_refused_where_they_occur() -> None:
    hierarchy = build(Table(kind="table", rows=TREE), pa.array(["flu", "gout", "HIV", "cold"]))
    refuse_unfit(hierarchy, np.array([0, 2, -1, 0], np.int32), 5)
    refuse_unfit(hierarchy, np.array([-1], np.int32), 5)
    with pytest.raises(Unfit) as refused:
        refuse_unfit(hierarchy, np.array([0, 3, 3], np.int32), 5)
    assert (refused.value.column, refused.value.positions.tolist()) == (5, [3])


def test_a_sensitive_column_is_refused_by_its_place_among_all() -> None:
    asked = search(2, {"s": Conditions(distinct=2), "ill": Conditions(alpha=0.5, levels=FEW)}, columns=["a"])
    codes, start = [np.array([0, 1, 0], np.int32), np.array([0, 4, 2], np.int32)], np.array([0, 3])
    with pytest.raises(Unfit) as refused:
        judged(asked, [pa.array(["x", "y"]), ILL], codes, np.ones(3, np.int64), start, 4)
    assert (refused.value.column, refused.value.positions.tolist()) == (5, [4])
    codes[1][1] = 0
    found = judged(asked, [pa.array(["x", "y"]), ILL], codes, np.ones(3, np.int64), start, 4)
    assert [one.size for one in found] == [2, 2]
