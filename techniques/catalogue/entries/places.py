"""Dates and positions (GB/T 37964 C.2.7, C.2.8)."""

from __future__ import annotations

from techniques.catalogue import generalization, randomization
from techniques.catalogue.claims import Claims
from techniques.catalogue.table_c1 import TABLE_C1, Effect
from techniques.catalogue.technique import DataType, Family, Missing, Scope, TechniqueSpec
from techniques.core.kinds import Role
from techniques.core.messages import gettext_noop

_YES, _PARTLY, _NO = Effect.YES, Effect.PARTLY, Effect.NO
_QUASI = frozenset({Role.QUASI_IDENTIFIER, Role.SENSITIVE_ATTRIBUTE})
_ALL = frozenset({Role.DIRECT_IDENTIFIER, *_QUASI})
_DATE = frozenset({DataType.DATE})

AREAS = TechniqueSpec(
    "generalization.position",
    Family.GENERALISATION,
    gettext_noop("Positions to areas"),
    gettext_noop("Each position becomes a square in which enough people live: small in town, large in the country."),
    ("G-121", "G-169"),
    Scope.TABLE,
    generalization.PositionGeneralization,
    "techniques.families.generalization.areas:PositionGeneralization",
    _ALL,
    frozenset({DataType.NUMBER}),
    claims=Claims(
        _PARTLY, _NO, _PARTLY, _NO, _PARTLY, _NO,
        gettext_noop(
            "Counts per area are exact; order and numbers stay where the middle of the area is written and all areas "
            "are of one size."
        ),
        gettext_noop("Not where rows are not people: then count their people first, or the areas become too small."),
    ),
        missing=Missing.ROW,
    )  # fmt: skip

RANDOM = (
    TechniqueSpec(
        "randomization.date_noise",
        Family.RANDOMISATION,
        gettext_noop("Noise on dates"),
        gettext_noop("Each date is moved by a random number of days of its own."),
        ("G-122", "G-123", "G-168"),
        Scope.COLUMN,
        randomization.DateNoise,
        "techniques.families.randomization.dates:DateNoise",
        _QUASI,
        _DATE,
        TABLE_C1["noise"],
        random=True,
        claims=Claims(
            _NO, _NO, _YES, _NO, _PARTLY, _NO,
            gettext_noop("The mean date is expected to stay; order and distances between dates are lost."),
            gettext_noop("Not for several dates of one person that must fit together: shift them by subject instead."),
        ),
    ),
    TechniqueSpec(
        "randomization.date_shift",
        Family.RANDOMISATION,
        gettext_noop("Shift of dates by subject"),
        gettext_noop("All dates of a subject are moved by the same number of days, another one for each subject."),
        ("G-122", "G-123", "G-168"),
        Scope.TABLE,
        randomization.DateShift,
        "techniques.families.randomization.dates:DateShift",
        _QUASI,
        _DATE,
        TABLE_C1["noise"],
        random=True,
        claims=Claims(
            _NO, _NO, _YES, _NO, _PARTLY, _NO,
            gettext_noop(
                "Order and distances in days between the dates of one subject stay exactly, over all columns of the step."
            ),
            gettext_noop(
                "Not where one date of a subject is publicly known: it gives the shift away, and all others with it."
            ),
        ),
    ),
    TechniqueSpec(
        "randomization.position_noise",
        Family.RANDOMISATION,
        gettext_noop("Noise on positions"),
        gettext_noop("Each position is moved at random: by up to 100 m in town, by up to 5 km where few people live."),
        ("G-122", "G-123", "G-169"),
        Scope.TABLE,
        randomization.PositionNoise,
        "techniques.families.randomization.positions:PositionNoise",
        _ALL,
        frozenset({DataType.NUMBER}),
        TABLE_C1["noise"],
        random=True,
        claims=Claims(
            _NO, _NO, _YES, _NO, _PARTLY, _NO,
            gettext_noop("The neighbourhood: no position is moved further than the distance that is set."),
            gettext_noop(
                "Not for tracks of one person: a few points are like a fingerprint in spite of noise. Not along coasts "
                "and borders unseen: noise knows no map."
            ),
        ),
        missing=Missing.ROW,
    ),
)  # fmt: skip
