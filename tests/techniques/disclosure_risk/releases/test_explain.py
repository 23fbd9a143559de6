"""Risk across releases in words: each sentence stands where its figures say so, with these figures, and nowhere else."""

from __future__ import annotations

import pytest

from techniques.core.settings import Statement
from techniques.disclosure_risk.releases.differencing import Contribution, Difference, Differences
from techniques.disclosure_risk.releases.explain import (
    composition_statements,
    difference_statements,
    increment_statements,
    linked_statements,
)
from techniques.disclosure_risk.releases.findings import Composed, Increment, Inference
from techniques.disclosure_risk.releases.linked import Course, Dependency, Groups


def figures(said: list[Statement]) -> list[tuple[str, dict[str, object]]]:
    return [(one.code, dict(one.params)) for one in said]


def test_a_release_alone_and_two_together() -> None:
    alone = Composed(releases=("A",), persons=9, k=4, alone=4, below=2, new=0)
    both = Composed(
        releases=("A", "B"), persons=8, k=1, alone=3, below=5, new=2, by=("ward", "drug"), unlinked=1,
        sensitive={"drug": Inference(certain=3, new=1, share=1.0), "ward": Inference(certain=0, new=0, share=0.5)},
    )  # fmt: skip
    assert figures(composition_statements([alone, both], ["age", "area"], 5)) == [
        ("alone", {"release": "A", "persons": 9, "k": 4, "below": 2, "asked": 5}),
        ("together", {"releases": "A, B", "persons": 8, "k": 1, "alone": 3, "columns": "age, area"}),
        ("below", {"below": 5, "persons": 8, "asked": 5, "new": 2}),
        ("inferred", {"certain": 3, "column": "drug", "new": 1}),
        ("linked_by", {"by": "ward, drug"}),
        ("unlinked", {"unlinked": 1}),
        ("not_counted", {}),
    ]


@pytest.mark.parametrize(
    ("found", "codes"),
    [
        ({}, ["together"]),
        ({"persons": 1}, ["together"]),
        ({"persons": 0, "below": 1, "by": ("ward",), "unlinked": 1}, ["nobody"]),
        ({"below": 1}, ["together", "below"]),
        ({"unlinked": 1}, ["together", "unlinked"]),
        ({"by": ("ward",)}, ["together", "linked_by"]),
        ({"sensitive": {"s": Inference(certain=1, new=0, share=1.0)}}, ["together", "inferred"]),
        ({"sensitive": {"s": Inference(certain=0, new=0, share=0.9)}}, ["together"]),
    ],
)
def test_what_is_not_so_is_not_said(found: dict[str, object], codes: list[str]) -> None:
    plain = {"releases": ("A", "B"), "persons": 8, "k": 4, "alone": 4, "below": 0, "new": 0}
    said = composition_statements([Composed.model_validate(plain | found)], ["age"], 4)
    assert [one.code for one in said] == [*codes, "not_counted"]


@pytest.mark.parametrize(
    ("people", "words"),
    [(1, "1 more than before"), (-1, "1 fewer than before"), (0, "as many people as before")],
)
def test_a_group_that_tells_of_few_says_which_way(people: int, words: str) -> None:
    exact = Contribution(column="total", low=-2.5, high=-2.5)
    about = Contribution(column="mean", low=1, high=1.5)
    found = Differences(
        least=5, compared=3, unchanged=2, hidden=0,
        found=(Difference(group=("north", "f"), people=people, contributions=(exact, about)),),
    )  # fmt: skip
    few, first, second = difference_statements(found)
    assert words in str(few)
    assert str(few).startswith("north, f: ")
    assert figures([few, first, second]) == [
        ("few", {"group": "north, f", "people": abs(people)}),
        ("contributed", {"column": "total", "low": "-2.5", "high": "-2.5"}),
        ("contributed", {"column": "mean", "low": "1", "high": "1.5"}),
    ]
    assert ("between" in str(first), "between 1 and 1.5" in str(second)) == (False, True)


@pytest.mark.parametrize(("hidden", "codes"), [(0, ["none"]), (1, ["none", "hidden"])])
def test_versions_that_tell_of_nobody_say_so(hidden: int, codes: list[str]) -> None:
    said = difference_statements(Differences(least=5, compared=3, unchanged=2, hidden=hidden, found=()))
    assert [one.code for one in said] == codes
    assert said[0].params == {"compared": 3, "unchanged": 2, "least": 5}


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"new": 0}, [("nothing_new", {})]),
        ({}, [("new", {"new": 2, "k_new": 1, "k_all": 6})]),
        ({"new": 1}, [("new", {"new": 1, "k_new": 1, "k_all": 6})]),
        ({"below": 1}, [("new", {"new": 2, "k_new": 1, "k_all": 6}), ("below", {"below": 1, "k": 5})]),
        (
            {"outside": {"age": 1, "pay": 2}},
            [
                ("new", {"new": 2, "k_new": 1, "k_all": 6}),
                ("outside", {"column": "age", "number": 1}),
                ("outside", {"column": "pay", "number": 2}),
            ],
        ),
        ({"new": 0, "gone": 3}, [("nothing_new", {}), ("gone", {"gone": 3, "before": 10})]),
    ],
)
def test_what_came_in_between(more: dict[str, object], said: list[tuple[str, dict[str, object]]]) -> None:
    plain = {
        "k": 5, "kept": 7, "gone": 0, "new": 2, "k_new": 1, "k_all": 6, "below": 0, "below_new": 2, "outside": {},
    }  # fmt: skip
    assert figures(increment_statements(Increment.model_validate(plain | more))) == said


@pytest.mark.parametrize(
    ("kept", "gone", "share"), [(0, 0, 1.0), (3, 0, 1.0), (0, 2, 0.0), (3, 1, 0.75), (1, 1, 0.5)]
)
def test_how_far_two_releases_are_consistent(kept: int, gone: int, share: float) -> None:
    found = Increment(k=2, kept=kept, gone=gone, new=0, k_new=0, k_all=0, below=0, below_new=0, outside={})
    assert found.consistent == share


def test_what_rows_tell_that_hang_together() -> None:
    course = Course(length=2, persons=9, unique=3, below=4, k=1)
    group = Groups(column="family", k=2, below=6)
    dates = Dependency(first="start", second="end", least=1, most=8, share=0.975, chance=0.1)
    said = linked_statements([course], [group], [dates], 5)
    assert figures(said) == [
        ("course", {"length": 2, "unique": 3, "persons": 9, "below": 4, "k": 5}),
        ("group", {"column": "family", "least": 2, "below": 6, "k": 5}),
        ("dependent", {"share": 97.5, "first": "start", "second": "end", "least": 1, "most": 8}),
    ]
    assert [one.code for one in linked_statements([], [], [], 5)] == ["independent"]
    assert linked_statements([], [], [], 5, dates=False) == []
    assert [one.code for one in linked_statements([], [], [dates], 5, dates=False)] == ["dependent"]


@pytest.mark.parametrize(("releases", "said"), [(6, []), (7, [{"releases": 7}])])
def test_of_many_releases_the_sets_that_were_not_looked_at_are_named(
    releases: int, said: list[dict[str, int]]
) -> None:
    every = Composed(releases=tuple("ABCDEFG"[:releases]), persons=8, k=4, alone=4, below=0, new=0)
    found = composition_statements([every], ["age"], 4)
    assert [dict(one.params) for one in found if one.code == "sets_left_out"] == said
