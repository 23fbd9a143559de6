"""What a result may be called, for every way in which it may be less: no word that the evidence does not hold (T/ISC 0078 5.1 a 3, c 1)."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from projects.processing.runs.designation.presentation import shown
from projects.processing.runs.designation.rule import REASONS, Designation, Evidence, designated

SOUND = Evidence(
    persons_known=True, gate=True, searched=True, level=3, risk_holds=True, public=False, assessed=True,
    recipients=2, bound=2,
)  # fmt: skip
FIGURES = Evidence(persons_known=True, gate=True, searched=True, smallest_group=3)
ANYWHERE = {
    "keys": {"keys": ("id",)},
    "mappings": {"mappings": ("id",)},
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
OF_GROUPS = {"extremes": {"extremes": ("fee",)}, "small_group": {"smallest_group": 2}}
NOTHING = {"not_measured": {"gate": None}, "gate": {"gate": False}, "direct": {"direct": True}}
TABLE = [
    (SOUND, {}, Designation.ANONYMISED),
    (FIGURES, {}, Designation.AGGREGATED),
    *((SOUND, change, Designation.DEIDENTIFIED) for change in (ANYWHERE | OF_ROWS).values()),
    *((FIGURES, change, Designation.DEIDENTIFIED) for change in (ANYWHERE | OF_GROUPS).values()),
    *((base, change, Designation.NONE) for base in (SOUND, FIGURES) for change in NOTHING.values()),
]


@pytest.mark.parametrize(("base", "change", "designation"), TABLE)
def test_one_flaw_is_enough(base: Evidence, change: dict[str, object], designation: Designation) -> None:
    found = designated(replace(base, **change))  # type: ignore[arg-type]
    assert found.designation == designation


def test_each_flaw_is_named_by_its_own_reason() -> None:
    for base, flaws in ((SOUND, ANYWHERE | OF_ROWS | NOTHING), (FIGURES, ANYWHERE | OF_GROUPS | NOTHING)):
        for code, change in flaws.items():
            (reason,) = designated(replace(base, **change)).reasons  # type: ignore[arg-type]
            assert reason.code == code


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
    smallest_group=st.sampled_from([None, 1, 2, 3, 10]), persons_known=st.booleans(),
    gate=st.sampled_from([None, False, True]), direct=st.booleans(), searched=st.booleans(), unique=st.booleans(),
    level=st.sampled_from([None, 1, 2, 3, 4]), risk_holds=st.sampled_from([None, False, True]), public=st.booleans(),
    assessed=st.booleans(), recipients=st.integers(0, 3), bound=st.integers(0, 3),
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
        assert of.level is not None
        assert of.level >= 3
        assert of.risk_holds is True
        assert 0 < of.recipients <= of.bound
    if found.designation == Designation.AGGREGATED:
        assert measured
        assert not back
        assert not left
        assert not of.extremes
        assert of.smallest_group is not None
        assert of.smallest_group >= 3
    assert (found.designation == Designation.NONE) == (not measured)


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
    assert found == set(REASONS)
