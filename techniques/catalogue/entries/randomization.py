"""Randomisation (GB/T 37964 A.6)."""

from __future__ import annotations

from techniques.catalogue import randomization as parameters
from techniques.catalogue.claims import Claims
from techniques.catalogue.table_c1 import TABLE_C1, Effect
from techniques.catalogue.technique import DataType, Family, Missing, Scope, TechniqueSpec
from techniques.core.kinds import Role
from techniques.core.messages import gettext_noop

_YES, _PARTLY, _NO = Effect.YES, Effect.PARTLY, Effect.NO
_QUASI = frozenset({Role.QUASI_IDENTIFIER, Role.SENSITIVE_ATTRIBUTE})
_NUMBER = frozenset({DataType.NUMBER})

ENTRIES = (
    TechniqueSpec(
        "randomization.noise",
        Family.RANDOMISATION,
        gettext_noop("Add noise"),
        gettext_noop("Each number is changed by a random amount of its own; the mean is expected to stay."),
        ("G-122", "G-123", "G-167"),
        Scope.COLUMN,
        parameters.Noise,
        "techniques.families.randomization.noise:Noise",
        _QUASI,
        _NUMBER,
        TABLE_C1["noise"],
        random=True,
        claims=Claims(
            _NO, _NO, _YES, _NO, _PARTLY, _NO,
            gettext_noop(
                "The mean is expected to stay, and the variance where that is chosen; relations with other "
                "columns become weaker."
            ),
            gettext_noop(
                "Not for values that repeat per person: their mean gives the value back. Not where impossible "
                "values, such as a negative age, do harm."
            ),
        ),
    ),
    TechniqueSpec(
        "randomization.correlated_noise",
        Family.RANDOMISATION,
        gettext_noop("Correlated noise"),
        gettext_noop(
            "Several numeric columns get noise that is correlated as they are: means, variances and covariances stay."
        ),
        ("G-122", "G-123", "G-167"),
        Scope.TABLE,
        parameters.CorrelatedNoise,
        "techniques.families.randomization.noise:CorrelatedNoise",
        _QUASI,
        _NUMBER,
        TABLE_C1["noise"],
        random=True,
        claims=Claims(
            _NO, _NO, _YES, _NO, _YES, _NO,
            gettext_noop(
                "Means, variances and covariances of the complete rows stay, exactly (up to rounding) or in "
                "expectation as chosen."
            ),
            gettext_noop("Not for skewed values with few large ones: noise of the column's spread does not hide these."),
        ),
    ),
    TechniqueSpec(
        "randomization.permutation",
        Family.RANDOMISATION,
        gettext_noop("Permutation"),
        gettext_noop(
            "The values of the columns change places among the rows, together, everywhere or only within groups."
        ),
        ("G-122", "G-124", "G-167", "G-168"),
        Scope.TABLE,
        parameters.Permutation,
        "techniques.families.randomization.permutation:Permutation",
        _QUASI,
        frozenset(DataType),
        TABLE_C1["permutation"],
        random=True,
        claims=Claims(
            _NO, _PARTLY, _YES, _PARTLY, _YES, _NO,
            gettext_noop(
                "Every figure about a single column stays exactly, its set of values and their forms too, and relations "
                "among the columns that move together; relations with all others are lost, except with those within "
                "whose groups they move."
            ),
            gettext_noop(
                "Not for values that stand out by themselves, and not within groups so small or so uniform that "
                "the places can be guessed."
            ),
        ),
        missing=Missing.MOVED,
    ),
    TechniqueSpec(
        "randomization.microaggregation",
        Family.RANDOMISATION,
        gettext_noop("Microaggregation"),
        gettext_noop(
            "Groups of at least k similar rows are formed, and each row gets the mean of its group, or its most "
            "frequent category."
        ),
        ("G-122", "G-125"),
        Scope.TABLE,
        parameters.Microaggregation,
        "techniques.families.randomization.microaggregation:Microaggregation",
        _QUASI,
        frozenset({DataType.NUMBER, DataType.CATEGORY}),
        TABLE_C1["microaggregation"],
        claims=Claims(
            _PARTLY, _NO, _YES, _NO, _YES, _NO,
            gettext_noop(
                "Means of numbers stay up to rounding, variances shrink, rare categories give way; every combination of results occurs at least k "
                "times. The order stays where one column is treated, not where several are."
            ),
            gettext_noop("Not for very large tables with several columns: the work grows with the square of the rows."),
        ),
        missing=Missing.ROW,
    ),
)  # fmt: skip
