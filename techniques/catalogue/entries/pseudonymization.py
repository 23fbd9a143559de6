"""Assigned pseudonyms (GB/T 37964 A.4.2, A.4.5)."""

from __future__ import annotations

from techniques.catalogue import pseudonymization as parameters
from techniques.catalogue.claims import Claims
from techniques.catalogue.table_c1 import TABLE_C1, Effect
from techniques.catalogue.technique import DataType, Family, Scope, TechniqueSpec
from techniques.core.kinds import Role
from techniques.core.messages import gettext_noop

_YES, _PARTLY, _NO = Effect.YES, Effect.PARTLY, Effect.NO
_IDENTIFYING = frozenset({Role.DIRECT_IDENTIFIER, Role.QUASI_IDENTIFIER})

ENTRIES = (
    TechniqueSpec(
        "pseudonymization.random",
        Family.PSEUDONYMISATION,
        gettext_noop("Random pseudonym with a mapping table"),
        gettext_noop(
            "Each value gets a pseudonym that has nothing to do with it; only the mapping table of the run tells "
            "which is whose."
        ),
        ("G-114", "G-115", "G-162", "G-166"),
        Scope.COLUMN,
        parameters.RandomPseudonym,
        "techniques.families.pseudonymization.assignment:RandomPseudonym",
        _IDENTIFYING,
        frozenset(DataType),
        TABLE_C1["pseudonymisation"],
        random=True,
        claims=Claims(
            _NO, _NO, _NO, _YES, _PARTLY, _PARTLY,
            gettext_noop(
                "How often each value occurs stays; the values come back with the mapping table alone, which is "
                "made anew by a run with the same seed and source."
            ),
            gettext_noop("Not where several tables or releases are to be joined: use the keyed hash for that."),
        ),
    ),
    TechniqueSpec(
        "pseudonymization.name_dictionary",
        Family.PSEUDONYMISATION,
        gettext_noop("Names from a dictionary"),
        gettext_noop("Each name becomes one from a dictionary, shared with others or of its own."),
        ("G-117", "G-118", "G-162"),
        Scope.COLUMN,
        parameters.NameDictionary,
        "techniques.families.pseudonymization.assignment:NameDictionary",
        frozenset({Role.DIRECT_IDENTIFIER}),
        frozenset({DataType.TEXT}),
        TABLE_C1["pseudonymisation"],
        needs_key=True,
        random=True,
        claims=Claims(
            _NO, _NO, _YES, _PARTLY, _PARTLY, _NO,
            gettext_noop(
                "Equal values get equal names. Many to one, different values may share a name, and counts of "
                "people come out too low; the report says by how many."
            ),
            gettext_noop(
                "Not without a note that the names are made up: a result may be the name of a real person."
            ),
        ),
    ),
)  # fmt: skip
