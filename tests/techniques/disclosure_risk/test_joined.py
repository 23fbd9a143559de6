"""The joined view in persons, against a plain count over all pairs of rows; and the counts of joins."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from techniques.core.messages import EngineError
from techniques.disclosure_risk.joined import JoinedTable, Link, joined_risk, joined_risks
from techniques.tables.joins import join_counts

LINK = Link(("visits", "who"), ("patients", "id"))


def table(quasi, **columns):
    batch = pa.record_batch({name: pa.array(cells, pa.string()) for name, cells in columns.items()})
    half = batch.num_rows // 2
    return JoinedTable(lambda: [batch.slice(0, half), batch.slice(half)], quasi)


def plain(patients, visits):
    """Smallest number of persons who share what both tables, or only the first, say of a row."""
    both, alone = {}, {}
    joined = {who for who, _year in visits}
    for person, sex in patients:
        alone.setdefault(sex, set()).add(person)
        for who, year in visits:
            if who == person and who is not None:
                both.setdefault((sex, year), set()).add(person)
    only = [len(alone[sex]) for person, sex in patients if person not in joined]
    return min([*map(len, both.values()), *only])


@pytest.mark.parametrize("seed", range(8))
def test_the_smallest_class_is_counted_in_persons(seed):
    chance = random.Random(seed)
    patients = [(f"p{n}", chance.choice("mf")) for n in range(30)]
    visits = [(chance.choice([f"p{chance.randrange(34)}", None]), chance.choice("123")) for _ in range(60)]
    tables = {
        "patients": table(["sex"], id=[p for p, _ in patients], sex=[s for _, s in patients]),
        "visits": table(["year"], who=[w for w, _ in visits], year=[y for _, y in visits]),
    }
    (found,) = joined_risk(tables, [LINK], target_k=5)
    assert found.k == plain(patients, visits)
    assert found.persons == 30
    assert found.tables == ("patients", "visits")


def test_several_rows_of_one_person_are_one_person():
    tables = {
        "patients": table(["sex"], id=["a", "b"], sex=["m", "m"]),
        "visits": table(["year"], who=["a", "a", "a", "b"], year=["1", "1", "1", "2"]),
    }
    (found,) = joined_risk(tables, [LINK], target_k=2)
    assert (found.k, found.below, found.rows, found.persons, found.max_risk) == (1, 2, 4, 2, 1.0)
    assert [one.below for one in joined_risk(tables, [LINK], target_k=1)] == [0]


def test_three_of_a_class_are_found_one_time_in_three_and_no_rows_at_no_risk():
    both = {"patients": table(["sex"], id=list("abc"), sex=["m"] * 3), "visits": table([], who=list("abc"))}
    (found,) = joined_risk(both, [LINK], target_k=3)
    assert (found.k, found.max_risk, found.below) == (3, pytest.approx(1 / 3), 0)
    assert [one.below for one in joined_risk(both, [LINK], target_k=4)] == [3]
    none = {"patients": table(["sex"], id=[], sex=[]), "visits": table([], who=[])}
    (found,) = joined_risk(none, [LINK], target_k=3)
    assert (found.rows, found.persons, found.k, found.below, found.max_risk) == (0, 0, 0, 0, 0.0)


def test_who_is_without_a_row_is_compared_by_what_the_other_table_says():
    """a and b have visits and c has none: of the two women one has no visit, so the class of women by sex alone is of two."""
    tables = {
        "patients": table(["sex"], id=list("abc"), sex=["m", "f", "f"]),
        "visits": table(["year"], who=["a", "a", "b"], year=["1", "2", "1"]),
    }
    (found,) = joined_risk(tables, [LINK], target_k=2)
    # a's visits of both years are a's alone, b's is b's alone; c is one of two.
    assert (found.rows, found.persons, found.k, found.below) == (4, 3, 1, 2)


def test_a_missing_value_is_a_value_of_its_own():
    tables = {
        "patients": table(["sex"], id=list("abcd"), sex=["m", None, None, "m"]),
        "visits": table([], who=list("abcd")),
    }
    assert [one.k for one in joined_risk(tables, [LINK], target_k=2)] == [2]
    tables["patients"] = table(["sex"], id=list("abcd"), sex=["m", None, "m", "m"])
    assert [(one.k, one.below) for one in joined_risk(tables, [LINK], target_k=2)] == [(1, 1)]


def test_keys_are_no_values_and_a_column_that_is_gone_is_named():
    """A key tells rows apart, but whoever looks for a person does not know it."""
    tables = {
        "patients": table(["id", "sex"], id=list("ab"), sex=["m", "m"]),
        "visits": table(["who"], who=list("ab")),
        "alone": table(["sex"], sex=["x"]),
    }
    (found,) = joined_risk(tables, [LINK], target_k=2)
    assert (found.k, found.tables) == (2, ("patients", "visits"))
    with pytest.raises(EngineError) as refusal:
        joined_risk(tables | {"visits": table(["year"], who=["a"])}, [LINK], target_k=2)
    assert (refusal.value.code, dict(refusal.value.params)) == ("column_missing", {"column": "year"})


def test_where_no_link_stands_for_persons_the_rows_of_a_table_tell_them():
    """Six visits of two patients to one ward are two persons, not six rows; without a key nothing tells them apart."""
    visits = table(["year"], ward=["w"] * 6, year=["1"] * 6)
    wards = table(["town"], id=["w"], town=["t"])
    link = [Link(("visits", "ward"), ("wards", "id"), person=False)]
    known = replace(visits, subjects=np.array([0, 0, 0, 1, 1, 1], dtype=np.int32))
    (by_rows,) = joined_risk({"visits": visits, "wards": wards}, link, target_k=3)
    (by_person,) = joined_risk({"visits": known, "wards": wards}, link, target_k=3)
    assert (by_rows.k, by_rows.below, by_rows.counts_rows) == (6, 0, True)
    assert (by_person.k, by_person.below, by_person.persons, by_person.counts_rows) == (2, 2, 2, False)
    with pytest.raises(EngineError, match="whose"):
        joined_risk(
            {"visits": replace(visits, subjects=np.zeros(5, np.int32)), "wards": wards}, link, target_k=3
        )


def test_keys_that_stand_for_no_person_are_counted_as_rows():
    tables = {
        "patients": table([], id=["x"], name=["x"]),
        "visits": table(["year"], who=["x", "x", "x"], year=["1", "1", "1"]),
    }
    (found,) = joined_risk(tables, [Link(LINK.source, LINK.target, person=False)], target_k=2)
    assert found.k == 3


@pytest.mark.parametrize("place", range(3))
def test_a_row_without_a_key_is_somebody_of_its_own(place):
    """Beside the three who have a visit stand three who have none, one of them without a number."""
    alone = ["a", "b"]
    alone.insert(place, None)
    tables = {
        "patients": table(["sex"], id=[*alone, "c", "d", "e"], sex=["m"] * 6),
        "visits": table(["year"], who=["c", "d", "e"], year=["1"] * 3),
    }
    assert [one.k for one in joined_risk(tables, [LINK], target_k=4)] == [3]
    tables["patients"] = table(["sex"], id=["c", "d", "e", *alone], sex=["m"] * 6)
    assert [one.k for one in joined_risk(tables, [LINK], target_k=4)] == [3]


@pytest.mark.parametrize(("first", "second"), [("ab", "ba"), ("ba", "ab")])
@pytest.mark.parametrize("alone", ["xyz", "xyyz"])
def test_rows_of_either_table_alone_are_persons_of_that_table(alone, first, second):
    """Beside three whom both tables have stand three whom only one has, whichever refers to the other and however they are called."""
    link = Link((first[0], "id"), (first[1], "id"))
    tables = {
        second[0]: table(["sex"], id=list("cde"), sex=["m"] * 3),
        second[1]: table(["year"], id=[*"cde", *alone], year=["1"] * (3 + len(alone))),
    }
    for ordered in (tables, dict(reversed(tables.items()))):
        assert [one.k for one in joined_risk(ordered, [link], target_k=4)] == [3]
    same = {name: tables[other] for name, other in zip(second, reversed(second), strict=True)}
    assert [one.k for one in joined_risk(same, [link], target_k=4)] == [3]


@pytest.mark.parametrize("few", ["a", "b", "c"])
def test_who_is_missing_in_one_of_three_tables_is_alike_to_all_whom_the_others_have(few):
    """u, v and w are in all tables, x and y in two of them, where nothing tells them apart; p, q and r are in the third alone."""
    of = {name: "uvwpqr" if name == few else "uvwxy" for name in "abc"}
    tables = {
        name: table([name], id=list(ids), **{name: ["9" if one in "pqr" else "1" for one in ids]})
        for name, ids in of.items()
    }
    for center in "abc":
        links = [Link((name, "id"), (center, "id")) for name in "abc" if name != center]
        if center != few:
            assert {one.k for one in joined_risk(tables, links, target_k=4)} == {3}


def test_a_view_that_is_too_large_is_refused():
    tables = {
        "patients": table([], id=["x"] * 50),
        "visits": table([], who=["x"] * 50),
    }
    assert [one.rows for one in joined_risk(tables, [LINK], target_k=2, most_rows=2500)] == [2500]
    with pytest.raises(EngineError) as refusal:
        joined_risk(tables, [LINK], target_k=2, most_rows=2499)
    assert (refusal.value.code, dict(refusal.value.params)) == (
        "joined_too_large",
        {"rows": 2500, "most": 2499},
    )


def test_counts_of_a_join():
    source = [pa.array(["a", "b"], pa.string()), pa.array([None, "x"], pa.string())]
    found = join_counts(source, [pa.array(["a", "b", "b", None], pa.string())])
    assert found.as_dict() == {"rows": 3, "orphans": 1, "keys": 3, "target_keys": 2, "repeated": 1}
    assert join_counts([], []).share == 1.0


PERSONS = {"id": ["a", "b"], "sex": ["m", "m"]}


def test_who_is_suppressed_in_one_table_is_still_joined_by_the_others():
    links = [LINK, Link(("labs", "who"), ("patients", "id"))]
    tables = {
        "patients": table(["sex"], **PERSONS),
        "visits": table(["year"], who=["a", "b", "c", "d"], year=["1", "1", "2", "2"]),
        "labs": table(["value"], who=["a", "b", "c", "d"], value=["x", "x", "x", "w"]),
    }
    assert min(one.k for one in joined_risk(tables, links, target_k=2)) == 1


def test_rows_of_one_person_without_a_counterpart_are_one_person():
    tables = {
        "patients": table(["sex"], **PERSONS),
        "visits": table(["year"], who=["a", "b"] + ["c"] * 10, year=["1", "1"] + ["2"] * 10),
    }
    assert min(one.k for one in joined_risk(tables, [LINK], target_k=2)) == 1


def test_a_second_link_that_leads_to_other_rows_is_refused():
    tables = {
        "patients": table(["sex"], id=["a", "b", "c", "d"], sex=["m", "m", "f", "f"]),
        "visits": table(["year"], who=["a", "b", "c", "d"], by=["a", "c", "b", "d"], year=["1"] * 4),
    }
    with pytest.raises(EngineError) as refusal:
        joined_risk(tables, [LINK, Link(("visits", "by"), ("patients", "id"))], target_k=2)
    assert refusal.value.code == "joined_link_unused"


@pytest.mark.parametrize("order", [1, -1])
def test_a_way_round_that_leads_to_the_same_rows_is_measured(order):
    # A result names its visit and, once more, the patient of that visit; one result has lost its visit.
    links = [
        LINK,
        Link(("labs", "who"), ("patients", "id")),
        Link(("labs", "visit"), ("visits", "number"), person=False),
    ][::order]
    labs = {"who": ["a", "a", "b", "b"], "visit": ["1", "2", "3", "9"], "value": ["x", "x", "x", "w"]}
    tables = {
        "patients": table(["sex"], id=["a", "b", "c"], sex=["m", "m", "m"]),
        "visits": table(["year"], who=["a", "a", "b", "c"], number=["1", "2", "3", "4"], year=["1"] * 4),
    }
    (found,) = joined_risk(tables | {"labs": table(["value"], **labs)}, links, target_k=2)
    assert found.k == 1
    (found,) = joined_risk(
        tables | {"labs": table(["value"], **(labs | {"value": ["x"] * 4}))}, links, target_k=2
    )
    assert found.k == 2
    other = labs | {"who": ["a", "b", "b", "b"]}
    with pytest.raises(EngineError) as refusal:
        joined_risk(tables | {"labs": table(["value"], **other)}, links, target_k=2)
    assert refusal.value.code == "joined_link_unused"


@pytest.mark.parametrize("seed", range(4))
def test_without_a_column_it_is_as_if_the_tables_did_not_have_it(seed):
    chance = random.Random(seed)
    patients = {name: [chance.choice("abc") for _ in range(40)] for name in ("sex", "born")}
    visits = {name: [chance.choice("12") for _ in range(70)] for name in ("year", "ward")}
    who = [chance.choice([f"p{chance.randrange(44)}", None]) for _ in range(70)]

    def tables(*gone):
        left = {name: [c for c in of if c not in gone] for name, of in (("p", patients), ("v", visits))}
        return {
            "patients": table(left["p"], id=[f"p{n}" for n in range(40)], **patients),
            "visits": table(left["v"], who=who, **visits),
        }

    without = [(), [("patients", "sex")], [("visits", "year"), ("patients", "born")], [("visits", "sex")]]
    ticks = []
    found = joined_risks(tables(), [LINK], target_k=3, without=without, tick=ticks.append)
    assert found[0] == found[3] == joined_risk(tables(), [LINK], target_k=3)
    assert found[1] == joined_risk(tables("sex"), [LINK], target_k=3)
    assert found[2] == joined_risk(tables("year", "born"), [LINK], target_k=3)
    assert ticks == sorted(ticks)
    assert ticks[-1] == 1.0
