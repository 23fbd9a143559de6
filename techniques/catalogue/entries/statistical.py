"""Statistical techniques (GB/T 37964 A.1), controlled rounding (A.5.2) and local suppression (A.3.3)."""

from __future__ import annotations

from techniques.catalogue import statistical as parameters
from techniques.catalogue.claims import Claims
from techniques.catalogue.table_c1 import TABLE_C1, Effect
from techniques.catalogue.technique import DataType, Family, Missing, Scope, TechniqueSpec
from techniques.core.kinds import Role
from techniques.core.messages import gettext_noop

_YES, _PARTLY, _NO = Effect.YES, Effect.PARTLY, Effect.NO
_ROLES = frozenset(Role)
_QUASI = frozenset({Role.QUASI_IDENTIFIER, Role.SENSITIVE_ATTRIBUTE})
_TYPES = frozenset(DataType)

STATISTICAL = (
    TechniqueSpec(
        "statistical.sampling",
        Family.STATISTICAL,
        gettext_noop("Sampling"),
        gettext_noop("Only a random part of the rows goes into the result, so that nobody can be sure who is in it."),
        ("G-057", "G-101"),
        Scope.TABLE,
        parameters.Sampling,
        "techniques.families.statistical.sampling:Sampling",
        frozenset({Role.QUASI_IDENTIFIER, Role.SENSITIVE_ATTRIBUTE, Role.OTHER}),
        _TYPES,
        TABLE_C1["sampling"],
        random=True,
        missing=Missing.VALUE,
        claims=Claims(
            _YES, _YES, _YES, _YES, _PARTLY, _NO,
            gettext_noop(
                "The values of the rows drawn do not change. Shares and means are those of the whole up to chance; "
                "counts and sums must be divided by the fraction, which stands in the report."
            ),
            gettext_noop(
                "Not alone: a person who is known to be in the sample is as easy to find as before. Not where "
                "every row is needed."
            ),
        ),
    ),
    TechniqueSpec(
        "statistical.aggregation",
        Family.STATISTICAL,
        gettext_noop("Aggregation"),
        gettext_noop(
            "Sums, means, counts and other figures of groups take the place of single values, as a table or in "
            "every row."
        ),
        ("G-102",),
        Scope.TABLE,
        parameters.Aggregation,
        "techniques.families.statistical.aggregation:Aggregation",
        _QUASI,
        _TYPES,
        TABLE_C1["aggregation"],
        missing=Missing.LEFT_OUT,
        claims=Claims(
            _NO, _NO, _PARTLY, _NO, _PARTLY, _NO,
            gettext_noop(
                "The chosen figure of each group that is large enough is exact up to rounding; everything inside "
                "a group is lost. The groups' own columns do not change."
            ),
            gettext_noop(
                "Not for figures that one single row dominates, and not several times over with other groups: "
                "the differences tell single rows."
            ),
        ),
    ),
)  # fmt: skip

ROUNDING = TechniqueSpec(
    "generalization.controlled_rounding",
    Family.GENERALISATION,
    gettext_noop("Controlled rounding"),
    gettext_noop("Numbers become neighbouring multiples of a base, at random but so that their sum survives."),
    ("G-119",),
    Scope.TABLE,
    parameters.ControlledRounding,
    "techniques.families.generalization.controlled_rounding:ControlledRounding",
    _QUASI,
    frozenset({DataType.NUMBER}),
    TABLE_C1["rounding"],
    random=True,
    claims=Claims(
        _PARTLY, _NO, _YES, _NO, _YES, _NO,
        gettext_noop(
            "Each sum is off by less than one base, and not at all where it is a multiple of the base; each value "
            "is expected to stay. Order stays between numbers that are a base or more apart."
        ),
        gettext_noop("Not with a base that is small against the values: then they stay recognisable."),
    ),
)  # fmt: skip

LOCAL_SUPPRESSION = TechniqueSpec(
    "suppression.rare_combinations",
    Family.SUPPRESSION,
    gettext_noop("Suppress cells of rare combinations"),
    gettext_noop(
        "In rows whose combination of values is rare the least important cells are suppressed, as few as possible."
    ),
    ("G-110", "G-112"),
    Scope.TABLE,
    parameters.RareCombinations,
    "techniques.families.suppression.local_suppression:RareCombinations",
    _QUASI,
    _TYPES,
    TABLE_C1["local_suppression"],
    claims=Claims(
        _YES, _YES, _YES, _YES, _PARTLY, _NO,
        gettext_noop(
            "Values that stay do not change; what is missing is missing just because it is rare, so that rare "
            "values are undercounted."
        ),
        gettext_noop(
            "Not before generalisation: then far more cells must go. The result is not k-anonymous for readers who "
            "take a missing value for a value of its own."
        ),
    ),
)  # fmt: skip
