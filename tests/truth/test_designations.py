"""What a result may be called, for every way in which it may be less: no word that the evidence does not hold (T/ISC 0078 5.1 a 3, c 1)."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from projects.processing.runs.designation.evidence import evidence_of_groups
from projects.processing.runs.designation.presentation import shown
from projects.processing.runs.designation.rule import REASONS, Designation, Evidence, designated
from techniques.disclosure_risk.scales.recovery import RECOVERY
from techniques.recipe.recipe import Recipe
from tests.truth.released import run, step, table_of

SOUND = Evidence(
    persons_known=True, gate=True, searched=True, level=3, risk_holds=True, public=False, assessed=True,
    recovery=("means", "time"), recipients=2, bound=2,
)  # fmt: skip
FIGURES = Evidence(persons_known=True, gate=True, searched=True, smallest_group=3)
ANYWHERE = {
    "keys": {"keys": ("id",)},
    "mappings": {"mappings": ("id",)},
    "listed": {"listed": ("id",)},
    "shares": {"shares": ("id",)},
    "drawn": {"drawn": ("fee",)},
    "linkable": {"linkable": ("id",)},
    "persons": {"persons_known": False},
    "searched": {"searched": False},
    "allowed": {"allowed": ("note",)},
}
OF_ROWS = {
    "unique": {"unique": True},
    "no_level": {"level": None},
    "level": {"level": 2},
    "risk": {"risk_holds": False},
    "public": {"public": True},
    "not_assessed": {"assessed": False},
    "unbound": {"bound": 1},
    "no_recipient": {"recipients": 0, "bound": 0},
}
OF_RECOVERY = {"recovery_unknown": {"recovery": None}, "recoverable": {"recovery": ()}}
"""Asked last: named where nothing else stands against the stronger word."""
OF_GROUPS = {
    "extremes": {"extremes": ("fee",)},
    "dominated": {"dominated": ("fee",)},
    "few": {"few": ("fee",)},
    "uncounted": {"uncounted": ("fee",)},
    "small_group": {"smallest_group": 2},
}
OF_ROWS_AS_GROUPS = {
    "extremes_of_rows": {"extremes": ("fee",)},
    "dominated_by_rows": {"dominated": ("fee",)},
    "few_rows": {"few": ("fee",)},
    "small_group_of_rows": {"smallest_group": 2},
}
NOTHING = {"not_measured": {"gate": None}, "gate": {"gate": False}, "direct": {"direct": True}}
TABLE = [
    (SOUND, {}, Designation.ANONYMISED),
    (FIGURES, {}, Designation.AGGREGATED),
    *((SOUND, change, Designation.DEIDENTIFIED) for change in (ANYWHERE | OF_ROWS | OF_RECOVERY).values()),
    *((FIGURES, change, Designation.DEIDENTIFIED) for change in (ANYWHERE | OF_GROUPS).values()),
    *(
        (FIGURES, {"persons_known": False} | change, Designation.DEIDENTIFIED)
        for change in OF_ROWS_AS_GROUPS.values()
    ),
    *(
        (base, {"against": (code,)}, Designation.DEIDENTIFIED)
        for base in (SOUND, FIGURES)
        for code in ("holder", "others", "seal", "not_met", "suspended")
    ),
    *((base, change, Designation.NONE) for base in (SOUND, FIGURES) for change in NOTHING.values()),
]


@pytest.mark.parametrize(("base", "change", "designation"), TABLE)
def test_one_flaw_is_enough(base: Evidence, change: dict[str, object], designation: Designation) -> None:
    found = designated(replace(base, **change))  # type: ignore[arg-type]
    assert found.designation == designation


def test_each_flaw_is_named_by_its_own_reason() -> None:
    for base, flaws in (
        (SOUND, ANYWHERE | OF_ROWS | OF_RECOVERY | NOTHING),
        (FIGURES, ANYWHERE | OF_GROUPS | NOTHING),
    ):
        for code, change in flaws.items():
            (reason,) = designated(replace(base, **change)).reasons  # type: ignore[arg-type]
            assert reason.code == code


@pytest.mark.parametrize("code", OF_ROWS_AS_GROUPS)
def test_where_persons_are_unknown_no_reason_counts_them(code: str) -> None:
    found = designated(replace(FIGURES, persons_known=False, **OF_ROWS_AS_GROUPS[code]))  # type: ignore[arg-type]
    assert [reason.code for reason in found.reasons] == ["persons", code]


def test_two_flaws_are_both_named() -> None:
    flaws = ANYWHERE | OF_ROWS
    for one, other in combinations(flaws, 2):
        evidence = replace(SOUND, **(flaws[one] | flaws[other]))  # type: ignore[arg-type]
        named = {reason.code for reason in designated(evidence).reasons}
        # What nobody can assess in public is not asked besides; two levels, or two numbers of recipients, are one.
        assert named
        assert named <= {one, other}
        if "public" not in (one, other) and {one, other} not in (
            {"no_level", "level"},
            {"unbound", "no_recipient"},
        ):
            assert named == {one, other}


_columns = st.sampled_from([(), ("a",)])
_evidence = st.builds(
    Evidence,
    keys=_columns, mappings=_columns, shares=_columns, drawn=_columns, linkable=_columns, extremes=_columns, allowed=_columns,
    dominated=_columns, few=_columns, uncounted=_columns,
    smallest_group=st.sampled_from([None, 1, 2, 3, 10]), persons_known=st.booleans(),
    gate=st.sampled_from([None, False, True]), direct=st.booleans(), searched=st.booleans(), unique=st.booleans(),
    level=st.sampled_from([None, 1, 2, 3, 4]), risk_holds=st.sampled_from([None, False, True]), public=st.booleans(),
    assessed=st.booleans(), recovery=st.sampled_from([None, (), ("information",), ("means", "effort")]), recipients=st.integers(0, 3), bound=st.integers(0, 3),
)  # fmt: skip


@given(_evidence)
def test_no_word_is_stronger_than_the_evidence(of: Evidence) -> None:
    found = designated(of)
    back = of.keys or of.mappings or of.shares or of.drawn or of.linkable
    measured = of.gate is True and not of.direct
    left = of.allowed or not of.searched or not of.persons_known
    if found.designation == Designation.ANONYMISED:
        assert measured
        assert not back
        assert not left
        assert not of.unique
        assert not of.public
        assert of.assessed
        assert of.recovery
        assert of.level is not None
        assert of.level >= 3
        assert of.risk_holds is True
        assert 0 < of.recipients <= of.bound
    if found.designation == Designation.AGGREGATED:
        assert measured
        assert not back
        assert not left
        assert not any((of.extremes, of.dominated, of.few, of.uncounted))
        assert of.smallest_group is not None
        assert of.smallest_group >= 3
    assert (found.designation == Designation.NONE) == (not measured)


def groups(fees: str, statistic: str, **recipe: Any) -> Evidence:
    """What a real aggregation of two wards with these fees (missing: -) tells, the rest of the evidence being sound."""
    given = [(ward, fee) for ward, part in zip("AB", fees.split(";"), strict=True) for fee in part.split()]
    rows = [
        {"person": str(number), "ward": ward, "fee": "" if fee == "-" else fee}
        for number, (ward, fee) in enumerate(given)
    ]
    least = recipe.pop("minimum_count", 3)
    steps = [
        step("statistical.aggregation", "ward", "fee", statistics={"fee": statistic}, minimum_count=least),
        step("suppression.remove_column", "person"),
    ]
    made = Recipe.from_data({"recipe": 1, "subject": [], "steps": steps} | recipe)
    _written, report, _subjects = run(made, table_of(rows))
    found = evidence_of_groups({"": made}, {"": report})
    return replace(found, gate=True, searched=True)


EVEN = "10 11 12 13; 20 21 22 23"


@pytest.mark.parametrize(
    ("fees", "statistic", "least", "codes"),
    [
        (EVEN, "mean", 3, []),
        (EVEN, "sum", 3, []),
        (EVEN, "count", 3, []),
        # Of three, the value in the middle is somebody's; so it is in any group of an odd number.
        ("10 11 12; 20 21 22", "median", 3, ["extremes"]),
        ("10 11 12 13 14; 20 21 22 23 24", "median", 3, ["extremes"]),
        (EVEN, "minimum", 3, ["extremes"]),
        (EVEN, "maximum", 3, ["extremes"]),
        ("10 10 10 13; 20 20 20 20", "minimum", 3, []),
        ("10 10 10 13; 20 20 20 20", "maximum", 3, ["extremes"]),
        # Three persons are in the group, and the figure is of two.
        ("10 11 -; 20 21 22 23", "count", 2, ["few"]),
        ("10 11 -; 20 21 22 23", "mean", 2, ["dominated", "few"]),
        ("10 11 -; 20 21 22 23", "mean", 3, []),
        ("1 1 1 9999; 20 21 22 23", "sum", 3, ["dominated"]),
        ("10 11; 20 21 22 23", "count", 2, ["few", "small_group"]),
    ],
)
def test_figures_are_of_groups_only_where_a_real_aggregation_shows_it(
    fees: str, statistic: str, least: int, codes: list[str]
) -> None:
    found = designated(groups(fees, statistic, minimum_count=least))
    named = [reason.code for reason in found.reasons]
    assert found.designation == (Designation.DEIDENTIFIED if codes else Designation.AGGREGATED)
    assert named == (codes or ["groups", "nothing_kept"])


def test_where_nobody_said_whose_the_rows_are_a_real_aggregation_has_rows() -> None:
    found = designated(groups("10 11; 20 21 22 23", "maximum", minimum_count=2, subject=None))
    assert [reason.code for reason in found.reasons] == [
        "persons", "extremes_of_rows", "few_rows", "small_group_of_rows",
    ]  # fmt: skip


@pytest.mark.parametrize("lost", ["fewest", "dominated", "all"])
def test_what_an_older_report_does_not_count_holds_no_stronger_word(lost: str) -> None:
    made = Recipe.from_data(
        {"recipe": 1, "subject": [], "steps": [
            step("statistical.aggregation", "ward", "fee", statistics={"fee": "mean"}, minimum_count=3),
        ]}
    )  # fmt: skip
    rows = [{"ward": "A", "fee": str(fee)} for fee in (10, 11, 12, 13)]
    _written, report, _subjects = run(made, table_of(rows))
    result = report["steps"][0]["result"]
    if lost == "all":
        del result["figures"]
    else:
        del result["figures"]["fee"][lost]
    found = designated(replace(evidence_of_groups({"": made}, {"": report}), gate=True, searched=True))
    assert [reason.code for reason in found.reasons] == ["uncounted"]


@given(_evidence)
def test_every_sentence_is_filled(of: Evidence) -> None:
    said = shown(designated(of))
    assert said.reasons
    assert all("%(" not in sentence for sentence in said.reasons)


def test_every_reason_occurs() -> None:
    found = {
        reason.code
        for base, change, _word in TABLE
        for reason in designated(replace(base, **change)).reasons  # type: ignore[arg-type]
    }
    grounds = replace(SOUND, recovery=tuple(item.code for item in RECOVERY))
    assert found | {reason.code for reason in designated(grounds).reasons} == set(REASONS)
