"""Two releases of one source: who is left of a class when the other release is at hand (GB/T 37964 D.4)."""

from __future__ import annotations

import itertools

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from techniques.core.messages import EngineError
from techniques.disclosure_risk.releases.composition import Release, composition
from techniques.disclosure_risk.releases.findings import Composed

# Eight people; each release has k = 4 by itself and three or four diseases in every class.
PEOPLE = {
    "age": ["21", "24", "27", "29", "33", "36", "38", "39"],
    "area": ["n", "s", "n", "s", "n", "s", "n", "s"],
}
DISEASES = ["flu", "cancer", "asthma", "hiv", "flu", "gout", "asthma", "angina"]
BY_AGE = ["[20,30)"] * 4 + ["[30,40)"] * 4


def _table(**columns: list[str | None]) -> pa.Table:
    return pa.table({name: pa.array(values, pa.string()) for name, values in columns.items()})


def _both(first: Composed, *others: Composed) -> Composed:
    return next(one for one in (first, *others) if len(one.releases) > 1)


def test_two_releases_that_hold_k_by_themselves_leave_one_person_together() -> None:
    by_age = Release("A", _table(age=BY_AGE, area=["*"] * 8, disease=DISEASES))
    by_area = Release("B", _table(age=["*"] * 8, area=PEOPLE["area"], disease=DISEASES))
    found = composition(_table(**PEOPLE), [by_age, by_area], ["age", "area"], ["disease"], k=4)
    assert [(one.releases, one.k, one.below) for one in found[:2]] == [(("A",), 4, 0), (("B",), 4, 0)]
    together = _both(*found)
    # Twenties in the north: flu and asthma; each of the four groups has two people in both releases, but in the north
    # flu and asthma are in both classes of age, so that nobody can tell there which row is whose.
    assert together.k == 2
    assert together.by == ("disease",)
    assert together.below == together.new == 8
    assert together.sensitive["disease"].certain == 0
    assert together.sensitive["disease"].share == 0.5


def test_a_sensitive_value_that_neither_release_tells_is_told_by_both() -> None:
    """The attack of the paper: the only disease that two hospitals' classes have in common is the person's."""
    here = Release("A", _table(age=BY_AGE, disease=DISEASES))
    wards = ["[20,36)"] * 5 + ["[36,40)"] * 3
    diseases = ["gout", "angina", "hiv", "cancer", "asthma", "flu", "x", "y"]
    there = Release("B", _table(age=wards, disease=diseases))
    found = _both(*composition(_table(age=PEOPLE["age"]), [here, there], ["age"], ["disease"], k=3))
    contributed = found.sensitive["disease"]
    assert (found.k, contributed.share) == (1, 1.0)
    # 36, 38 and 39: flu alone is in both classes; 33: asthma or angina or gout.
    assert (contributed.certain, contributed.new) == (3, 3)


def test_a_release_that_says_no_more_leaves_as_many() -> None:
    table = _table(age=BY_AGE, disease=DISEASES)
    found = composition(_table(**PEOPLE), [Release("A", table), Release("B", table)], ["age", "area"], k=4)
    assert {one.k for one in found} == {4}
    assert _both(*found).new == 0


def test_rows_are_linked_by_a_pseudonym_and_not_by_one_that_changes() -> None:
    names = [f"p{n}" for n in range(8)]
    ages = Release("A", _table(age=BY_AGE, area=[None] * 8, pseudonym=names))
    same = Release("B", _table(age=[None] * 8, area=PEOPLE["area"], pseudonym=names))
    other = Release("B", _table(age=[None] * 8, area=PEOPLE["area"], pseudonym=[f"q{n}" for n in range(8)]))
    source = _table(**PEOPLE)
    linked = _both(*composition(source, [ages, same], ["age", "area"], k=4))
    assert (linked.k, linked.by) == (2, ("pseudonym",))
    free = _both(*composition(source, [ages, other], ["age", "area"], k=4))
    assert (free.k, free.by) == (4, ())
    forced = _both(*composition(source, [ages, other], ["age", "area"], k=4, linking=["pseudonym"]))
    assert (forced.k, forced.unlinked) == (4, 8)


def test_several_rows_of_a_person_are_one_candidate() -> None:
    table = _table(age=["[20,30)"] * 6)
    whose = np.array([0, 0, 0, 1, 1, 1], np.int32)
    releases = [Release("A", table, whose), Release("B", table, whose)]
    source = _table(age=["21", "22", "23", "24", "25", "26"])
    found = _both(*composition(source, releases, ["age"], k=3, subjects=whose))
    assert (found.persons, found.k, found.below) == (2, 2, 2)


def test_rows_that_tell_nothing_hide_nobody() -> None:
    table = _table(age=["[20,30)", "[20,30)", "*", "*"], area=["*", None, "*", None])
    found = composition(
        _table(age=["21"], area=["n"]), [Release("A", table), Release("B", table)], ["age", "area"], k=2
    )
    assert found[0].k == 2


def test_more_than_two_are_looked_at_in_every_set() -> None:
    releases = [Release(name, _table(age=BY_AGE)) for name in "ABCD"]
    found = composition(_table(age=PEOPLE["age"]), releases, ["age"], k=2)
    assert len(found) == 4 + 6 + 4 + 1
    many = [Release(str(n), _table(age=BY_AGE)) for n in range(7)]
    assert len(composition(_table(age=PEOPLE["age"]), many, ["age"], k=2)) == 7 + 21 + 1


@pytest.mark.parametrize(
    ("releases", "code"),
    [
        ([Release("A", _table(age=BY_AGE))], "releases_few"),
        ([Release("A", _table(age=BY_AGE)), Release("A", _table(age=BY_AGE))], "releases_few"),
        ([Release("A", _table(age=BY_AGE)), Release("B", _table(b=BY_AGE))], "release_without_columns"),
        ([Release("A", _table(age=BY_AGE)), Release("B", _table(age=["young"] * 8))], "label_unknown"),
    ],
)
def test_what_cannot_be_compared_is_refused(releases: list[Release], code: str) -> None:
    with pytest.raises(EngineError) as refused:
        composition(_table(age=PEOPLE["age"]), releases, ["age"], k=2)
    assert refused.value.code == code


_LABELS = ["0", "1", "2", "3", "[0,2)", "[2,4)", "[1,3]", "*", None]
_ROW = st.tuples(st.sampled_from(_LABELS), st.sampled_from(_LABELS), st.sampled_from("xyz"))


def _fits(label: str | None, value: str) -> bool:
    covered = {"[0,2)": "01", "[2,4)": "23", "[1,3]": "123", "*": "0123", None: "0123"}
    return value in covered.get(label, label or "")


@settings(max_examples=150, deadline=None)
@given(st.lists(st.lists(_ROW, min_size=1, max_size=9), min_size=2, max_size=3))
def test_the_candidates_are_those_of_a_count_by_hand(
    tables: list[list[tuple[str | None, str | None, str]]],
) -> None:
    source = _table(
        a=[a for a, _b in itertools.product("0123", repeat=2)],
        b=[b for _a, b in itertools.product("0123", repeat=2)],
    )
    releases = [
        Release(str(n), _table(a=[r[0] for r in rows], b=[r[1] for r in rows], s=[r[2] for r in rows]))
        for n, rows in enumerate(tables)
    ]
    found = composition(source, releases, ["a", "b"], ["s"], k=2, linking=["s"])
    for one in found:
        held = [int(name) for name in one.releases]
        least, alone, unlinked, certain, before, shares = [], [], 0, 0, 0, [0.0]
        for a, b in itertools.product("0123", repeat=2):
            fitting = [
                [r[2] for r in tables[n] if _fits(r[0], a) and _fits(r[1], b) and {r[0], r[1]} - {"*", None}]
                for n in held
            ]
            if not all(fitting):
                continue
            alone.append(min(map(len, fitting)))
            parts = [
                {s: min(fitting[n].count(s) for n in part) for s in "xyz"}
                for size in range(1, len(held) + 1)
                for part in itertools.combinations(range(len(held)), size)
            ]
            least.append(min(sum(part.values()) or alone[-1] for part in parts))
            unlinked += not sum(parts[-1].values())
            single = any(sum(n > 0 for n in part.values()) == 1 for part in parts)
            certain += single
            before += single and any(sum(n > 0 for n in part.values()) == 1 for part in parts[: len(held)])
            shares += [max(part.values()) / sum(part.values()) for part in parts if sum(part.values())]
        assert (one.persons, one.k, one.alone) == (len(least), min(least, default=0), min(alone, default=0))
        assert one.below == sum(n < 2 for n in least)
        assert one.new == sum(n < 2 <= m for n, m in zip(least, alone, strict=True))
        assert (one.by, one.unlinked) == (("s",) if len(held) > 1 else (), unlinked)
        attribute = one.sensitive["s"]
        assert (attribute.certain, attribute.new) == (certain, certain - before)
        assert attribute.share == pytest.approx(max(shares))


@pytest.mark.parametrize(
    ("first", "second", "linked"),
    [
        # Nine of ten cells of the smaller release are in the larger one; with one less they are not.
        ([*"abcdefghij"], [*"abcdefghi", "x"], True),
        ([*"abcdefghij"], [*"abcdefgh", "x", "y"], False),
        ([*"abcdefghij"], [*"abcdefghi", "x", "y", "z"], True),
        ([*"abcdefghi", "x", "y", "z"], [*"abcdefghij"], True),
        # Each as often as it is there, and what is missing is a text of its own.
        (["a"] * 10, ["a"] * 9 + ["b"] * 3, True),
        (["a"] * 10, ["a"] * 8 + ["b"] * 4, False),
        ([None] * 10, [None] * 9 + ["b"], True),
        ([None] * 10, [*"abcdefghij"], False),
    ],
)
def test_a_column_is_taken_for_unchanged_where_nine_of_ten_cells_are_there(
    first: list[str | None], second: list[str | None], linked: bool
) -> None:
    releases = [Release(name, _table(age=["5"] * len(c), c=c)) for name, c in (("A", first), ("B", second))]
    found = _both(*composition(_table(age=["5"]), releases, ["age"], k=2))
    assert found.by == (("c",) if linked else ())


def test_what_links_is_in_all_releases_and_no_quasi_identifier() -> None:
    whole = _table(age=["5", "6"], b=["x", "y"], c=["1", "2"], s=["p", "q"])
    lacking, drawn = whole.drop_columns(["c"]), whole.set_column(3, "s", pa.array(["q", "r"]))
    source = _table(age=["5", "6"])

    def by(*tables: pa.Table, sensitive: list[str], linking: list[str] | None = None) -> tuple[str, ...]:
        releases = [Release(str(number), table) for number, table in enumerate(tables)]
        return composition(source, releases, ["age"], sensitive, k=2, linking=linking)[-1].by

    assert by(whole, whole, sensitive=[]) == ("b", "c", "s")
    assert by(whole, lacking, sensitive=[]) == by(lacking, whole, sensitive=[]) == ("b", "s")
    # What is sensitive links whether or not its cells are there; another column does not.
    assert by(whole, drawn, sensitive=[]) == ("b", "c")
    assert by(whole, drawn, sensitive=["s"]) == ("b", "c", "s")
    assert by(whole, lacking, sensitive=["s"], linking=["s", "c", "age", "none"]) == ("s",)


def test_persons_who_hold_several_rows_of_a_source_count_by_the_row_that_leaves_fewest() -> None:
    """Of 21 there is one candidate and of 24 three; both are the first person's rows."""
    table = _table(age=["21", "24", "24", "24"])
    source = _table(age=["21", "24", "24"])
    for whose, persons, below in (([0, 0, 1], 2, 1), ([0, 1, 1], 2, 1), ([4, 9, 2], 3, 1)):
        found = composition(
            source,
            [Release("A", table), Release("B", table)],
            ["age"],
            k=2,
            subjects=np.array(whose, np.int32),
        )
        assert [(one.persons, one.below, one.k, one.new) for one in found] == [(persons, below, 1, 0)] * 3


def test_too_many_rows_that_fit_too_many_persons_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from techniques.disclosure_risk.releases import composition as module

    table = _table(age=["[20,30)"] * 3 + ["[20,40)"] * 2)
    releases, source = [Release("A", table), Release("B", table)], _table(age=["21", "22"])
    # Each of two persons fits two classes; rows that read the same and are linked by nothing are one entry.
    monkeypatch.setattr(module, "_MOST_ENTRIES", 4)
    assert composition(source, releases, ["age"], k=2)[0].k == 5
    monkeypatch.setattr(module, "_MOST_ENTRIES", 3)
    with pytest.raises(EngineError) as refused:
        composition(source, releases, ["age"], k=2)
    assert refused.value.code == "composition_too_large"
