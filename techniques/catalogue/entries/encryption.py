"""Cryptographic techniques (GB/T 37964 A.2)."""

from __future__ import annotations

from techniques.catalogue import encryption as parameters
from techniques.catalogue.claims import Claims
from techniques.catalogue.table_c1 import TABLE_C1, Effect
from techniques.catalogue.technique import DataType, Family, Scope, TechniqueSpec
from techniques.core.kinds import Role
from techniques.core.messages import gettext_noop

_YES, _PARTLY, _NO = Effect.YES, Effect.PARTLY, Effect.NO
_ROLES = frozenset({Role.DIRECT_IDENTIFIER, Role.QUASI_IDENTIFIER, Role.SENSITIVE_ATTRIBUTE})
_TYPES = frozenset(DataType)
_TEXTS = frozenset({DataType.TEXT, DataType.CATEGORY, DataType.NUMBER})

ENTRIES = (
    TechniqueSpec(
        "encryption.deterministic",
        Family.ENCRYPTION,
        gettext_noop("Deterministic encryption"),
        gettext_noop(
            "Equal values get equal ciphertexts, so that the column can still be joined and counted; with the "
            "key the values come back."
        ),
        ("G-103", "G-104"),
        Scope.COLUMN,
        parameters.Deterministic,
        "techniques.families.encryption.deterministic:Deterministic",
        _ROLES,
        _TYPES,
        TABLE_C1["deterministic_encryption"],
        reversible=True,
        needs_key=True,
        claims=Claims(
            _NO, _NO, _NO, _YES, _PARTLY, _YES,
            gettext_noop("How often each value occurs stays; sums and means do not."),
            gettext_noop(
                "Not for columns with few or very uneven values: how often a ciphertext occurs gives it away."
            ),
        ),
    ),
    TechniqueSpec(
        "encryption.format_preserving",
        Family.ENCRYPTION,
        gettext_noop("Format-preserving encryption"),
        gettext_noop(
            "The ciphertext has the length and the alphabet of the value (FF1), so that systems which check "
            "the form still take it."
        ),
        ("G-103", "G-106"),
        Scope.COLUMN,
        parameters.FormatPreserving,
        "techniques.families.encryption.format_preserving:FormatPreserving",
        _ROLES,
        _TEXTS,
        TABLE_C1["format_preserving_encryption"],
        reversible=True,
        needs_key=True,
        claims=Claims(
            _NO, _YES, _YES, _YES, _PARTLY, _YES,
            gettext_noop("How often each value occurs stays; sums and means do not."),
            gettext_noop(
                "Not where a result could be taken for a real value, and not for values with fewer than a "
                "million possible texts of their length."
            ),
        ),
    ),
    TechniqueSpec(
        "encryption.identifier",
        Family.ENCRYPTION,
        gettext_noop("Format-preserving encryption of an identifier"),
        gettext_noop(
            "An ID number or bank card number becomes another one whose check digit is right; with the key "
            "it comes back."
        ),
        ("G-103", "G-106", "G-163", "G-164"),
        Scope.COLUMN,
        parameters.IdentifierNumber,
        "techniques.families.encryption.format_preserving:IdentifierNumber",
        frozenset({Role.DIRECT_IDENTIFIER}),
        frozenset({DataType.TEXT}),
        TABLE_C1["format_preserving_encryption"],
        reversible=True,
        needs_key=True,
        claims=Claims(
            _NO, _YES, _YES, _YES, _PARTLY, _YES,
            gettext_noop(
                "How often each value occurs stays, and the first six digits where they are kept; birth date "
                "and sex in an ID number do not."
            ),
            gettext_noop(
                "Not for data that leave the house without a mark: a result may be the number of somebody else."
            ),
        ),
    ),
    TechniqueSpec(
        "encryption.order_preserving",
        Family.ENCRYPTION,
        gettext_noop("Order-preserving encryption"),
        gettext_noop(
            "Larger numbers get larger ciphertexts, so that ranges can be searched and rows sorted. It gives "
            "away the order, and roughly where in the range each value lies."
        ),
        ("G-103", "G-105"),
        Scope.COLUMN,
        parameters.OrderPreserving,
        "techniques.families.encryption.order_preserving:OrderPreserving",
        frozenset({Role.QUASI_IDENTIFIER, Role.SENSITIVE_ATTRIBUTE}),
        frozenset({DataType.NUMBER}),
        TABLE_C1["order_preserving_encryption"],
        reversible=True,
        needs_key=True,
        claims=Claims(
            _YES, _NO, _YES, _YES, _PARTLY, _YES,
            gettext_noop("Ranks, medians' places and counts stay; sums, means and distances do not."),
            gettext_noop(
                "Not where the values are dense in their range, such as ages: their order alone then tells "
                "them; and not against somebody who knows some of the values."
            ),
        ),
    ),
    TechniqueSpec(
        "encryption.homomorphic",
        Family.ENCRYPTION,
        gettext_noop("Homomorphic encryption"),
        gettext_noop(
            "Numbers become ciphertexts that anybody can add up without the key (Paillier); only the key "
            "holder reads the sum. Slow: some hundred values a second, a thousand characters each."
        ),
        ("G-107",),
        Scope.COLUMN,
        parameters.Homomorphic,
        "techniques.families.encryption.homomorphic:Homomorphic",
        frozenset({Role.QUASI_IDENTIFIER, Role.SENSITIVE_ATTRIBUTE}),
        frozenset({DataType.NUMBER}),
        TABLE_C1["homomorphic_encryption"],
        reversible=True,
        needs_key=True,
        random=True,
        claims=Claims(
            _NO, _NO, _NO, _NO, _YES, _YES,
            gettext_noop(
                "Sums and means can be computed on the ciphertexts; equal values do not become equal, so "
                "nothing can be counted or joined."
            ),
            gettext_noop("Not for large tables, and not where more than sums, means and counts are needed."),
        ),
    ),
    TechniqueSpec(
        "encryption.secret_sharing",
        Family.ENCRYPTION,
        gettext_noop("Homomorphic secret sharing"),
        gettext_noop(
            "Each number becomes a share for each of several holders; enough of them together get it back, "
            "fewer learn nothing, and shares can be added up."
        ),
        ("G-108",),
        Scope.COLUMN,
        parameters.SecretSharing,
        "techniques.families.encryption.homomorphic:SecretSharing",
        frozenset({Role.QUASI_IDENTIFIER, Role.SENSITIVE_ATTRIBUTE}),
        frozenset({DataType.NUMBER}),
        TABLE_C1["secret_sharing"],
        needs_key=True,
        claims=Claims(
            _NO, _NO, _YES, _NO, _YES, _PARTLY,
            gettext_noop(
                "Sums and means can be computed on the shares; enough holders together, or who has the source, "
                "get values back. A single share says nothing."
            ),
            gettext_noop("Not where one party could come to hold the files of several holders."),
        ),
    ),
)  # fmt: skip
