"""Releases that one pseudonym joins: who is left of a class when both releases are in one hand (GB/T 37964 D.2, D.3, D.4)."""

from __future__ import annotations

from itertools import product

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from techniques.core.messages import EngineError
from techniques.disclosure_risk.releases import keyed
from techniques.disclosure_risk.releases.explain import joined_statements
from techniques.disclosure_risk.releases.findings import Joined
from techniques.disclosure_risk.releases.keyed import Keyed
from techniques.disclosure_risk.releases.keyed import joined as join

CLINIC = {
    "p": ["a", "b", "c", "d", "e", "*"],
    "age": ["20", "20", "20", "30", "30", "30"],
    "ill": ["x", "y", "y", "z", "z", "z"],
}
PAYROLL = {
    "q": ["a", "b", "c", "d", "e", "f"],
    "job": ["n", "n", "s", "s", "n", "n"],
    "pay": ["1", "1", "3", "4", "5", "6"],
}


def _table(columns: dict[str, list[str]]) -> pa.Table:
    return pa.table({name: pa.array(values, pa.string()) for name, values in columns.items()})


def _clinic(**more: object) -> Keyed:
    return Keyed("A", _table(CLINIC), ("p",), ("age",), ("ill",), **more)  # type: ignore[arg-type]


def _payroll(**more: object) -> Keyed:
    return Keyed("B", _table(PAYROLL), ("q",), ("job",), ("pay",), **more)  # type: ignore[arg-type]


def test_two_releases_that_hide_two_by_themselves_leave_one_when_joined() -> None:
    found = join([_clinic(), _payroll()], k=2)
    # 20 and n: a and b; 20 and s: c; 30 and s: d; 30 and n: e.
    assert (found.persons, found.held, found.k, found.alone) == (5, (6, 6), 1, 2)
    assert (found.below, found.new, found.single) == (3, 3, 3)
    # d's and e's illness was told by the clinic alone, c's by the joined rows; what a and b earn is the same.
    assert (found.sensitive["ill"].certain, found.sensitive["ill"].new) == (3, 1)
    assert (found.sensitive["pay"].certain, found.sensitive["pay"].new) == (5, 5)


def test_a_key_that_nobody_shares_tells_nothing() -> None:
    other = Keyed("B", _table(PAYROLL | {"q": list("uvwxyz")}), ("q",), ("job",))
    found = join([_clinic(), other], k=2)
    assert (found.persons, found.below, found.new) == (0, 0, 0)
    assert [one.code for one in joined_statements(found, 2)] == ["nobody_joined"]


def test_releases_that_say_the_same_of_everybody_tell_no_more_together() -> None:
    other = Keyed("B", _table(CLINIC), ("p",), ("age",), ("ill",))
    found = join([_clinic(), other], k=2)
    # One of the three of 30 has no pseudonym: two are joined.
    assert (found.k, found.alone, found.below, found.new, found.single) == (2, 3, 0, 0, 0)
    assert found.sensitive["ill"].new == 0


def test_a_release_without_quasi_identifiers_is_claim_state_by_the_other() -> None:
    """The clinic's file has an illness beside the pseudonym and nothing else; the payroll says whose it is."""
    mine = Keyed("A", _table(CLINIC), ("p",), (), ("ill",))
    found = join([mine, Keyed("B", _table(PAYROLL), ("q",), ("job", "pay"))], k=2)
    # Four earn what nobody else does; the two alike in job and pay are ill otherwise.
    assert (found.persons, found.k, found.alone, found.single) == (5, 1, 1, 3)
    assert (found.sensitive["ill"].certain, found.sensitive["ill"].new) == (3, 3)


def test_a_key_of_two_columns_joins_where_both_agree() -> None:
    one = _table(CLINIC | {"p2": ["1"] * 6})
    other = _table(PAYROLL | {"q2": ["1", "1", "2", "1", "*", "1"]})
    found = join([Keyed("A", one, ("p", "p2"), ("age",)), Keyed("B", other, ("q", "q2"), ("job",))], k=2)
    assert found.persons == 3
    with pytest.raises(EngineError) as caught:
        join([_clinic(), Keyed("B", other, ("q", "q2"), ("job",))], k=2)
    assert caught.value.code == "keys_differ"


def test_what_cannot_be_joined_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for given_, code in (
        ([_clinic()], "releases_few"),
        ([_clinic(), Keyed("B", _table(PAYROLL), ("p",), ("job",))], "unknown_column"),
    ):
        with pytest.raises(EngineError) as caught:
            join(given_, k=2)
        assert caught.value.code == code
    with monkeypatch.context() as patched:
        # Five joined rows with an age and a job each.
        patched.setattr(keyed, "MOST_CELLS", 10)
        assert join([_clinic(), _payroll()], k=2).persons == 5
        patched.setattr(keyed, "MOST_CELLS", 9)
        with pytest.raises(EngineError) as caught:
            join([_clinic(), _payroll()], k=2)
        assert (caught.value.code, caught.value.params) == ("composition_too_large", {"most": 9})
    monkeypatch.setattr(keyed, "MOST_PAIRS", 4)
    with pytest.raises(EngineError) as caught:
        join([_clinic(), _payroll()], k=2)
    assert caught.value.code == "composition_too_large"


def test_a_person_of_several_rows_counts_once_and_by_the_row_that_leaves_fewest() -> None:
    visits = {"p": ["a", "a", "a", "b", "c"], "ward": ["1", "1", "2", "1", "1"]}
    people = {"q": ["a", "b", "c"], "job": ["n", "n", "n"]}
    whose = np.array([0, 0, 0, 1, 2], np.int32)
    found = join(
        [
            Keyed("A", _table(visits), ("p",), ("ward",), subjects=whose),
            Keyed("B", _table(people), ("q",), ("job",)),
        ],
        k=2,
    )
    # In ward 1 are three persons, not five; only a was in ward 2.
    assert (found.persons, found.held, found.k, found.below, found.single) == (3, (3, 3), 1, 1, 1)
    assert found.new == 0


def _high(width: int, rows: int, seed: int) -> tuple[Keyed, Keyed]:
    chance = np.random.default_rng(seed)
    names = [f"c{place}" for place in range(2 * width)]
    cells = {name: [str(one) for one in chance.integers(0, 2, rows)] for name in names}
    keys = [str(one) for one in range(rows)]
    return tuple(
        Keyed(
            release,
            _table({"p": keys} | {name: cells[name] for name in there}),
            ("p",),
            tuple(there),
        )
        for release, there in (("A", names[:width]), ("B", names[width:]))
    )  # type: ignore[return-value]


@pytest.mark.parametrize(("width", "codes"), [(2, []), (5, ["many_together", "few_tell"])])
def test_columns_that_are_many_only_together_are_said(width: int, codes: list[str]) -> None:
    found = join(_high(width, 400, 1), k=5)
    assert (found.dimensions.alone, found.dimensions.together) == (width, 2 * width)
    said = {one.code: one.params for one in joined_statements(found, 5)}
    assert [one for one in ("many_together", "few_tell") if one in said] == codes
    if codes:
        # 2^10 combinations for 400 persons: each release alone has 2^5 classes of a dozen.
        assert found.alone >= 3
        assert (found.k, found.single > 200) == (1, True)
        assert said["few_tell"]["few"] < said["few_tell"]["together"] == 10


def _same_names(diag_of_b: str) -> tuple[Keyed, Keyed]:
    keys = [str(place) for place in range(12)]
    diag = ["x", "y"] * 6
    mine = {"p": keys, "sex": ["f"] * 12, "diag": diag}
    theirs = {"p": keys, "job": [f"{diag_of_b}{one}" for one in diag], "diag": diag}
    return (
        Keyed("A", _table(mine), ("p",), ("sex",), ("diag",)),
        Keyed("B", _table(theirs), ("p",), ("job",), ("diag",)),
    )


@pytest.mark.parametrize("turned", [False, True])
def test_what_one_release_tells_of_an_attribute_is_not_new_although_another_has_it_too(turned: bool) -> None:
    both = _same_names("job ")
    found = join(both[::-1] if turned else both, k=2)
    # In B alone the job tells the diagnosis of everybody.
    assert (found.sensitive["diag"].certain, found.sensitive["diag"].new) == (12, 0)


def test_attributes_of_one_name_that_each_release_tells_of_some_are_put_together() -> None:
    clinic = {"p": list("abcd"), "age": ["1", "1", "2", "2"], "ill": ["x", "x", "y", "z"]}
    other = {"p": list("abcd"), "job": ["m", "n", "m", "n"], "ill": ["x", "x", "*", "z"]}
    found = join(
        [
            Keyed("A", _table(clinic), ("p",), ("age",), ("ill",)),
            Keyed("B", _table(other), ("p",), ("job",), ("ill",)),
        ],
        k=2,
    )
    # A tells a and b by their age alone; c and d are told by age and job together.
    assert (found.sensitive["ill"].certain, found.sensitive["ill"].new) == (4, 2)


def test_an_attribute_that_two_releases_have_is_one_quasi_identifier() -> None:
    first, _second = _high(4, 400, 1)
    again = Keyed("B", first.table, ("p",), first.quasi)
    found = join([first, again], k=5)
    assert (found.dimensions.alone, found.dimensions.together, found.dimensions.few) == (4, 4, 0)
    assert not {"many_together", "few_tell"} & {one.code for one in joined_statements(found, 5)}


def test_a_release_that_has_all_columns_leaves_nothing_to_many_together() -> None:
    first, second = _high(5, 400, 1)
    columns = {name: second.table.column(name) for name in second.quasi}
    all_of_them = Keyed(
        "C", pa.table({**dict(zip(first.table.column_names, first.table.columns, strict=True)), **columns}),
        ("p",), (*first.quasi, *second.quasi),
    )  # fmt: skip
    alone, together = join([first, second], k=5), join([first, all_of_them], k=5)
    assert (together.dimensions.alone, together.dimensions.together) == (10, 10)
    # Said twice in the same words they single out no more: the same few tell as much.
    assert together.dimensions.few == alone.dimensions.few
    assert together.dimensions.all == pytest.approx(alone.dimensions.all)


def test_the_columns_of_one_joined_person_are_counted_and_those_that_say_nothing_are_not() -> None:
    first, second = _high(5, 3, 1)
    cells = dict(zip(second.table.column_names, second.table.columns, strict=True))
    cells |= {"p": pa.array(["0", "x", "y"]), "c9": pa.array(["*", "*", "*"])}
    found = join([first, Keyed("B", pa.table(cells), ("p",), second.quasi)], k=5)
    assert found.persons == 1
    assert (found.dimensions.alone, found.dimensions.together, found.dimensions.few) == (5, 9, 0)


def test_sentences_of_what_joining_brings_are_left_out_where_it_brings_nothing() -> None:
    small = _table({"p": list("abc"), "age": ["1", "2", "2"]})
    found = join([Keyed("A", small, ("p",), ("age",)), Keyed("B", small, ("p",), ("age",))], k=2)
    assert (found.below, found.new) == (1, 0)
    said = joined_statements(found, 2)
    assert "below" not in [one.code for one in said]
    assert "may be left with as few as 1, and with one release alone with as few as 1." in str(said[1])


def test_every_sentence_has_its_figures() -> None:
    found = join([_clinic(), _payroll()], k=2)
    said = joined_statements(found, 2)
    assert [one.code for one in said] == [
        "joined", "joined_left", "below", "single", "inferred", "inferred", "not_counted",
    ]  # fmt: skip
    assert "5 of 6 persons" in str(said[0])
    assert all("%(" not in str(one) for one in said)


_ROW = st.tuples(st.sampled_from(["a", "b", "c", "d", "", "*"]), st.sampled_from("mn"), st.sampled_from("xy"))


def _counted(first: list[tuple[str, ...]], second: list[tuple[str, ...]], k: int) -> tuple[int, ...]:
    """(persons, k, below, new, single), by looking at each pair of rows; a row is a person."""
    pairs = [
        (place, row[1], other[1])
        for (place, row), other in product(enumerate(first), second)
        if row[0] not in ("", "*") and row[0] == other[0]
    ]
    left: dict[int, int] = {}
    alone: dict[int, int] = {}
    for place, mine, theirs in pairs:
        least = min(sum(one[1] == mine for one in first), sum(one[1] == theirs for one in second))
        alike = len({one for one, a, b in pairs if (a, b) == (mine, theirs)})
        left[place] = min(left.get(place, 99), alike, least)
        alone[place] = min(alone.get(place, 99), least)
    below = [one for one in left if left[one] < k]
    return (
        len(left), min(left.values(), default=0), len(below), sum(alone[one] >= k for one in below),
        sum(one == 1 for one in left.values()),
    )  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.lists(_ROW, min_size=1, max_size=9), st.lists(_ROW, min_size=1, max_size=9))
def test_as_many_are_found_as_by_looking_at_each_pair_of_rows(
    first: list[tuple[str, ...]], second: list[tuple[str, ...]]
) -> None:
    releases = [
        Keyed(
            name,
            _table({column: [row[at] for row in rows] for at, column in enumerate(("p", "q", "s"))}),
            ("p",),
            ("q",),
            ("s",),
        )
        for name, rows in (("A", first), ("B", second))
    ]
    found: Joined = join(releases, k=3)
    got = (found.persons, found.k, found.below, found.new, found.single)
    assert got == _counted(first, second, 3)
