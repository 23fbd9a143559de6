"""Synthesis (GB/T 37964 A.7)."""

from __future__ import annotations

from techniques.catalogue import synthesis as parameters
from techniques.catalogue.claims import Claims
from techniques.catalogue.table_c1 import TABLE_C1, Effect
from techniques.catalogue.technique import DataType, Family, Missing, Scope, TechniqueSpec
from techniques.core.kinds import Role
from techniques.core.messages import gettext_noop

_YES, _PARTLY, _NO = Effect.YES, Effect.PARTLY, Effect.NO
_ROLES = frozenset({Role.QUASI_IDENTIFIER, Role.SENSITIVE_ATTRIBUTE, Role.OTHER})

ENTRIES = (
    TechniqueSpec(
        "synthesis.identifier",
        Family.SYNTHESIS,
        gettext_noop("Made-up identifiers"),
        gettext_noop("Each identifier becomes a made-up one of the right form, with a valid check digit where it has one."),
        ("G-126", "G-162", "G-163", "G-164", "G-165", "G-166"),
        Scope.COLUMN,
        parameters.SyntheticIdentifier,
        "techniques.families.synthesis.identifiers:SyntheticIdentifier",
        frozenset({Role.DIRECT_IDENTIFIER, Role.QUASI_IDENTIFIER}),
        frozenset({DataType.TEXT, DataType.REGION}),
        TABLE_C1["synthesis"],
        random=True,
        claims=Claims(
            _NO, _PARTLY, _YES, _YES, _PARTLY, _NO,
            gettext_noop(
                "The kind and its check digit; which rows belong together and how often each value occurs. Length and "
                "characters are those of the kind, not of the value."
            ),
            gettext_noop(
                "Not where a made-up number might be dialled, charged or looked up: it may be somebody's outside the table."
            ),
        ),
    ),
    TechniqueSpec(
        "synthesis.sequential",
        Family.SYNTHESIS,
        gettext_noop("Made-up rows by decision trees"),
        gettext_noop(
            "All values of the columns are made up, one column after the other, as alike to the real ones as the "
            "columns before it say; a test tells whether the fit is too close."
        ),
        ("G-126", "G-167", "G-168"),
        Scope.TABLE,
        parameters.SequentialSynthesis,
        "techniques.families.synthesis.sequential:SequentialSynthesis",
        _ROLES,
        frozenset(DataType),
        TABLE_C1["synthesis"],
        random=True,
        claims=Claims(
            _NO, _NO, _YES, _NO, _PARTLY, _NO,
            gettext_noop(
                "The spread of each column and the relations among the columns of the step, roughly; the report "
                "says how roughly. Relations with all other columns are lost."
            ),
            gettext_noop(
                "Not for results about single people or rare cases, and not with columns left real beside them: a row "
                "then says something true and something made up. It is no proof against an attacker."
            ),
        ),
        missing=Missing.DRAWN,
    ),
    TechniqueSpec(
        "synthesis.private",
        Family.SYNTHESIS,
        gettext_noop("Made-up rows, differentially private"),
        gettext_noop(
            "All values of the columns are made up from noisy counts of columns and pairs of columns; epsilon bounds "
            "what anybody can learn of one row."
        ),
        ("G-126", "T-028"),
        Scope.TABLE,
        parameters.PrivateSynthesis,
        "techniques.families.synthesis.private:PrivateSynthesis",
        _ROLES,
        frozenset(DataType),
        TABLE_C1["differential_privacy"],
        random=True,
        claims=Claims(
            _NO, _NO, _YES, _NO, _PARTLY, _NO,
            gettext_noop(
                "The spread of each column and the relations along a tree of pairs, up to noise; all other relations "
                "come through it or are lost."
            ),
            gettext_noop(
                "Not for small tables or a small epsilon with many values: noise drowns the counts. The seed gives the "
                "noise away: destroy it, or guard it like the data. Rows of one person count one by one."
            ),
        ),
        missing=Missing.DRAWN,
    ),
)  # fmt: skip
