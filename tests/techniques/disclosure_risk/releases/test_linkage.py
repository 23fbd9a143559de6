"""Whom courses, shared keys and dates tell apart whom nothing alone does, in one release and over several (GB/T 37964 D.3)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

import numpy as np
import pyarrow as pa

from techniques.disclosure_risk.releases.explain import linkage_statements
from techniques.disclosure_risk.releases.linkage import Part, inferred_dates, linkage


def _table(**columns: Sequence[object]) -> pa.Table:
    return pa.table({name: pa.array([None if v is None else str(v) for v in values], pa.string()) for name, values in columns.items()})  # fmt: skip


def _part(name: str, who: Sequence[int], **given: object) -> Part:
    more = {name: given.pop(name) for name in ("order", "groups") if name in given}
    quasi = tuple(one for one in given if one not in (more.get("order"), *more.get("groups", ())))  # type: ignore[misc]
    return Part(name, _table(**given), np.array(who, np.int64), quasi, **more)  # type: ignore[arg-type]


def _months(ill: Sequence[str], *, who: range = range(40)) -> dict[str, Sequence[object]]:
    return {"ward": [ill[one % len(ill)] for one in who], "day": [f"2024-01-{1 + one % 2:02}" for one in who]}


def _said(found: object) -> str:
    return " ".join(map(str, linkage_statements(found)))  # type: ignore[arg-type]


def test_a_course_of_rows_that_many_have_is_found_though_no_row_tells() -> None:
    """Forty persons, each row shared by twenty; only the first goes from a to b and back."""
    courses = ["aba" if one == 0 else "aaa" if one % 2 else "bbb" for one in range(40)]
    who = np.repeat(np.arange(40), 3)
    found = linkage(
        [_part("own", who.tolist(), ward=list("".join(courses)), day=list(range(1, 4)) * 40, order="day")],
        k=5,
    )
    assert [(one.length, one.unique, one.below) for one in found.courses] == [(1, 0, 0), (2, 1, 1), (3, 1, 1)]
    assert (found.new, found.harmed) == (1, 1)
    assert "1 of 40 persons shares each of their rows" in _said(found)


def test_it_is_quiet_where_courses_are_shared_or_no_row_was() -> None:
    who = np.repeat(np.arange(40), 3).tolist()
    alike = _part("own", who, ward=list("aba" * 40), day=list(range(3)) * 40, order="day")
    assert linkage([alike], k=5).harmed == 0
    # Whose row is alone already is found by that row, and that is counted elsewhere.
    alone = _part("own", who, ward=["z", *"ba", *"aba" * 39], day=list(range(3)) * 40, order="day")
    assert linkage([alone], k=5).harmed == 0
    assert "a single row that fewer have" in _said(linkage([alone], k=5))
    nobody = _part("own", list(range(40)), ward=["a"] * 40)
    assert "Nobody has more than one row" in _said(linkage([nobody], k=5))
    assert not any(linkage([one], k=5).is_open for one in (alike, alone, nobody))
    unordered = _part("own", who, ward=list("aba" * 40))
    assert not linkage([unordered], k=5).ordered
    assert linkage([unordered], k=5).is_open
    assert "courses were not looked at" in _said(linkage([unordered], k=5))


def test_two_releases_with_one_pseudonym_make_a_course_that_neither_has() -> None:
    ill = ["a", "b"]
    first = _part("own", list(range(40)), **_months(ill), order="day")
    # The next month everybody stays where they were, but for the first two.
    wards = ["b", "a", *(ill[one % 2] for one in range(2, 40))]
    second = _part("other", list(range(40)), ward=wards, day=["2024-02-01"] * 40, order="day")
    found = linkage([first, second], k=5)
    assert (found.most_rows, found.new) == (2, 2)
    stayed = _part("other", list(range(40)), **{**_months(ill), "day": ["2024-02-01"] * 40}, order="day")
    assert linkage([first, stayed], k=5).harmed == 0
    # The same rows once more are no course.
    again = _part("other", list(range(40)), **_months(ill), order="day")
    assert linkage([first, again], k=5).courses[-1].length == 1


def test_a_family_key_makes_a_class_of_five_one_family_and_a_crowd_does_not() -> None:
    towns = ["n"] * 5 + ["s"] * 5
    apart = [f"f{one}" for one in range(10)]
    family = ["f"] * 4 + ["g"] + apart[5:]
    found = linkage([_part("own", list(range(10)), town=towns, family=family, groups=("family",))], k=5)
    assert [(one.k, one.new) for one in found.shared] == [(2, 5)]
    assert "has 2" in _said(found)
    # Twenty persons of one hospital hide each other.
    hospital = _part(
        "own", list(range(40)), town=["n"] * 40, house=["h"] * 20 + ["i"] * 20, groups=("house",)
    )
    assert linkage([hospital], k=5).shared == ()
    # The key of one release counts the classes of another that lacks it.
    keyed = _part("own", list(range(10)), town=["n"] * 10, family=family, groups=("family",))
    other = _part("other", list(range(10)), ward=["a"] * 5 + ["b"] * 5)
    both = linkage([keyed, other], k=5)
    assert [(one.classes, one.k, one.new) for one in both.shared] == [("own", 7, 0), ("other", 2, 5)]


def _days(numbers: Sequence[int]) -> list[str]:
    return [str(date(2024, 1, 1) + timedelta(days=int(n))) for n in numbers]


def test_a_hidden_date_is_told_by_one_that_lies_a_fixed_time_from_it() -> None:
    draw = np.random.default_rng(3)
    hired = draw.integers(0, 365, 400)
    tested, paid = hired + draw.integers(0, 8, 400), draw.integers(0, 365, 400)
    source = _table(hired=_days(hired.tolist()), tested=_days(tested.tolist()), paid=_days(paid.tolist()))
    (found,) = inferred_dates(source, ["hired"], [("own", "tested"), ("own", "paid")])
    assert (found.column, found.least, found.most, found.rows) == ("tested", -7, 0, 400)
    (back,) = inferred_dates(source, ["tested"], [("own", "hired")])
    assert (back.least, back.most) == (0, 7)
    assert inferred_dates(source, ["hired"], [("own", "paid")]) == []
    whole = linkage([_part("own", list(range(400)), town=["n"] * 400)], k=5, inferred=[found])
    assert "0 to 7 days before own/tested" in _said(whole)
    assert whole.harmed == 400
