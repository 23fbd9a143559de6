"""What may be done to a table of levels, and what is refused with its reason."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from projects.processing.editor.hierarchies import levels
from techniques.core.messages import EngineError

WORK = [
    ["farmer", "land", "outside", "*"],
    ["fisher", "sea", "outside", "*"],
    ["clerk", "office", "inside", "*"],
    ["typist", "office", "inside", "*"],
]


def column(rows, level):
    return [row[level] for row in rows]


def test_a_group_gets_another_name_everywhere():
    assert column(levels.renamed(WORK, 1, "office", "desk"), 1) == ["land", "sea", "desk", "desk"]
    assert column(WORK, 1) == ["land", "sea", "office", "office"], "what was given stays as it is"


def test_groups_change_their_names_at_once():
    swapped = levels.named(WORK, [(1, 0, "sea"), (1, 1, "land"), (2, 2, "inside")])
    assert column(swapped, 1) == ["sea", "land", "office", "office"]
    assert levels.within(WORK, 2, 3) == ["clerk", "typist"]
    assert levels.within(WORK, 9, 3) == []


def test_two_groups_under_one_parent_become_one():
    assert levels.groups(levels.renamed(WORK, 1, "sea", "land"), 1) == [("land", 2), ("office", 2)]


def test_a_group_stands_under_one_parent():
    with pytest.raises(levels.Unsound, match="land"):
        levels.renamed(WORK, 1, "office", "land")


def test_values_come_into_a_group_and_above_it():
    found = levels.moved(WORK, {"fisher"}, 1, "office")
    assert found[1] == ["fisher", "office", "inside", "*"]


def test_a_new_group_of_values_with_two_parents_is_refused():
    with pytest.raises(levels.Unsound, match="new"):
        levels.moved(WORK, {"farmer", "clerk"}, 1, "new")
    assert levels.moved(WORK, {"farmer", "fisher"}, 1, "new")[1] == ["fisher", "new", "outside", "*"]


def test_levels_come_and_go():
    more = levels.level_added(WORK, 1)
    assert more[0] == ["farmer", "land", "land", "outside", "*"]
    assert levels.level_removed(more, 2) == WORK
    with pytest.raises(levels.Unsound):
        levels.level_removed(WORK, 0)
    with pytest.raises(levels.Unsound):
        levels.level_removed(WORK, 4)


def test_without_the_level_between_them_groups_must_still_fit():
    rows = [["a", "x", "one", "*"], ["b", "y", "two", "*"]]
    assert levels.level_removed(rows, 2) == [["a", "x", "*"], ["b", "y", "*"]]


@pytest.mark.parametrize("name", ["", "  "])
def test_a_group_has_a_name(name):
    with pytest.raises(levels.Unsound):
        levels.renamed(WORK, 1, "office", name)
    with pytest.raises(levels.Unsound):
        levels.moved(WORK, {"clerk"}, 1, name)


def test_values_come_and_go():
    found = levels.values_added(WORK, [" nurse ", "", "nurse"])
    assert found[-1] == ["nurse", "nurse", "nurse", "*"]
    assert levels.values_removed(found, {"nurse"}) == WORK
    with pytest.raises(levels.Unsound, match="clerk"):
        levels.values_added(WORK, ["clerk"])
    assert levels.values_added([], ["a"]) == [["a", "*"]]


def test_an_empty_table_is_none():
    with pytest.raises(EngineError):
        levels.sound([])


NAMES = st.sampled_from("abcd")


@given(st.lists(st.tuples(NAMES, NAMES), min_size=1, max_size=8), st.data())
def test_whatever_is_accepted_the_engine_takes(cells, data):
    """Whichever button is pressed: either it is refused, or the engine reads the table that comes out."""
    rows = [[f"v{number}", first, f"{first}{second}", "*"] for number, (first, second) in enumerate(cells)]
    values = {row[0] for row in rows if data.draw(st.booleans())}
    level, name, other = data.draw(st.integers(1, 3)), data.draw(NAMES), data.draw(NAMES)
    acts = [
        lambda: levels.checked(rows),
        lambda: levels.renamed(rows, level, name, other),
        lambda: levels.moved(rows, values, level, other),
        lambda: levels.level_added(levels.checked(rows), level),
        lambda: levels.level_removed(rows, level),
        lambda: levels.written(rows, [(0, level, name)]),
        lambda: levels.values_added(rows, [name]),
    ]
    try:
        found = data.draw(st.sampled_from(acts))()
    except levels.Unsound:
        return
    levels.sound(found)
