"""Cryptographic techniques (GB/T 37964 A.2): their settings and rows."""

from __future__ import annotations

from typing import Any, Literal, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from techniques.catalogue.family import Family
from techniques.catalogue.table_c1 import NO, PARTLY, TABLE_C1, YES
from techniques.catalogue.technique import (
    ANY_TYPE,
    PERSONAL,
    QUASI_AND_SENSITIVE,
    AnnexA,
    Claims,
    Scope,
    Technique,
    WayBack,
)
from techniques.core.attributes import AttributeRole, DataType, Scene
from techniques.core.messages import gettext_noop
from techniques.core.settings import FitSettings, labels

Joinable = Literal["run", "project"]

_ALGORITHM_TITLE = gettext_noop("Algorithm")
_ALGORITHM_HELP = gettext_noop("SM4 is the national commercial cipher; AES is used with keys of 256 bits.")
_JOINABLE_LABELS = labels(
    run=gettext_noop("Only inside this run"),
    project=gettext_noop("In every run of the project"),
)


def _domain() -> Any:
    return Field(
        default="",
        max_length=100,
        title=gettext_noop("Key domain"),
        description=gettext_noop(
            "Columns and tables with the same domain are encrypted alike and can be joined. Empty: the "
            "column's own name."
        ),
    )


def _joinable() -> Any:
    return Field(
        default="run",
        title=gettext_noop("Where equal values become equal"),
        description=gettext_noop(
            "Inside one run: two releases cannot be joined by this column. The run's seed is then needed to "
            "get the values back."
        ),
        json_schema_extra=_JOINABLE_LABELS,
    )


class EncryptionSettings(FitSettings):
    """What all reversible techniques share: a domain of the key, and how far equal values stay equal."""

    domain: str = _domain()
    joinable: Joinable = _joinable()


class DeterministicEncryptionSettings(EncryptionSettings):
    """A.2.2: equal values get equal ciphertexts, and who has the key gets them back."""

    algorithm: Literal["sm4-siv", "aes-siv"] = Field(
        default="sm4-siv",
        title=_ALGORITHM_TITLE,
        description=_ALGORITHM_HELP,
        json_schema_extra=labels(**{"sm4-siv": "SM4-SIV", "aes-siv": "AES-SIV (RFC 5297)"}),
    )
    encoding: Literal["hex", "base32"] = Field(
        default="hex",
        title=gettext_noop("Written as"),
        description=gettext_noop("How the bytes of the ciphertext become text."),
        json_schema_extra=labels(hex=gettext_noop("Hexadecimal"), base32=gettext_noop("Letters and digits")),
    )
    hide_length: bool = Field(
        default=True,
        title=gettext_noop("Hide the length"),
        description=gettext_noop("Fills each value up to whole blocks of 16 bytes before it is encrypted."),
    )


DETERMINISTIC = Technique(
    key="encryption.deterministic",
    family=Family.ENCRYPTION,
    name=gettext_noop("Deterministic encryption"),
    summary=gettext_noop(
        "Equal values get equal ciphertexts, so that the column can still be joined and counted; with the "
        "key the values come back."
    ),
    clauses=("A.2.2", "A.2.1"),
    scope=Scope.COLUMN,
    settings=DeterministicEncryptionSettings,
    implementation="techniques.families.encryption.deterministic:Deterministic",
    roles=PERSONAL,
    data_types=ANY_TYPE,
    properties=TABLE_C1["deterministic_encryption"],
    way_back=WayBack.DECRYPTION,
    needs_key=True,
    claims=Claims(
        order=NO,
        format=NO,
        type=NO,
        distinctness=YES,
        statistics=PARTLY,
        reversible=YES,
        notes=gettext_noop("How often each value occurs stays; sums and means do not."),
        not_for=gettext_noop(
            "Not for columns with few or very uneven values: how often a ciphertext occurs gives it away."
        ),
    ),
    joins_tables=True,
    annex_a=AnnexA(availability=5.0, security=2.0),
)


class FormatPreservingEncryptionSettings(EncryptionSettings):
    """A.2.4: FF1 of NIST SP 800-38G; the ciphertext has the length and the alphabet of the value."""

    algorithm: Literal["ff1-sm4", "ff1-aes"] = Field(
        default="ff1-sm4",
        title=_ALGORITHM_TITLE,
        description=_ALGORITHM_HELP,
        json_schema_extra=labels(**{"ff1-sm4": "FF1, SM4", "ff1-aes": "FF1, AES"}),
    )
    alphabet: Literal["digits", "lower36", "upper36", "base62", "han_common", "han"] = Field(
        default="digits",
        title=gettext_noop("Alphabet"),
        description=gettext_noop(
            "The characters that may occur and that the result is made of. There must be at least a million "
            "texts of a value's length: six digits, four letters or digits, two Chinese characters."
        ),
        json_schema_extra=labels(
            digits=gettext_noop("Digits"),
            lower36=gettext_noop("Digits and small letters"),
            upper36=gettext_noop("Digits and capital letters"),
            base62=gettext_noop("Digits, capital and small letters"),
            han_common=gettext_noop("Chinese characters of GB 2312"),
            han=gettext_noop("Chinese characters of Unicode (basic block)"),
        ),
    )
    keep_left: int = Field(
        default=0,
        ge=0,
        le=100,
        title=gettext_noop("Characters left as they are at the beginning"),
        description=gettext_noop("They enter the encryption of the others as a tweak."),
    )
    keep_right: int = Field(
        default=0,
        ge=0,
        le=100,
        title=gettext_noop("Characters left as they are at the end"),
        description=gettext_noop("They enter the encryption of the others as a tweak."),
    )


FORMAT_PRESERVING = Technique(
    key="encryption.format_preserving",
    family=Family.ENCRYPTION,
    name=gettext_noop("Format-preserving encryption"),
    summary=gettext_noop(
        "The ciphertext has the length and the alphabet of the value (FF1), so that systems which check "
        "the form still take it."
    ),
    clauses=("A.2.4", "A.2.1"),
    scope=Scope.COLUMN,
    settings=FormatPreservingEncryptionSettings,
    implementation="techniques.families.encryption.format_preserving:FormatPreserving",
    roles=PERSONAL,
    data_types=frozenset({DataType.TEXT, DataType.CATEGORY, DataType.NUMBER}),
    properties=TABLE_C1["format_preserving_encryption"],
    way_back=WayBack.DECRYPTION,
    needs_key=True,
    claims=Claims(
        order=NO,
        format=YES,
        type=YES,
        distinctness=YES,
        statistics=PARTLY,
        reversible=YES,
        notes=gettext_noop("How often each value occurs stays; sums and means do not."),
        not_for=gettext_noop(
            "Not where a result could be taken for a real value, and not for values with fewer than a "
            "million possible texts of their length."
        ),
    ),
    scenes=frozenset({Scene.DEVELOPMENT}),
)


class IdentifierEncryptionSettings(EncryptionSettings):
    """A.2.4 for ID numbers and bank cards: the result is a number of the same kind with a right check digit."""

    algorithm: Literal["ff1-sm4", "ff1-aes"] = Field(
        default="ff1-sm4",
        title=_ALGORITHM_TITLE,
        description=_ALGORITHM_HELP,
        json_schema_extra=labels(**{"ff1-sm4": "FF1, SM4", "ff1-aes": "FF1, AES"}),
    )
    kind: Literal["id_number", "bank_card"] = Field(
        title=gettext_noop("Kind of identifier"),
        description=gettext_noop(
            "ID number of 18 characters with a birth date from 1880 to 2049, or bank card number of 13 to 19 digits."
        ),
        json_schema_extra=labels(
            id_number=gettext_noop("ID number"), bank_card=gettext_noop("Bank card number")
        ),
    )
    keep_leading: bool = Field(
        default=False,
        title=gettext_noop("Keep the first six digits"),
        description=gettext_noop("The region of an ID number, the issuer of a bank card."),
    )


IDENTIFIER = Technique(
    key="encryption.identifier",
    family=Family.ENCRYPTION,
    name=gettext_noop("Format-preserving encryption of an identifier"),
    summary=gettext_noop(
        "An ID number or bank card number becomes another one whose check digit is right; with the key "
        "it comes back."
    ),
    clauses=("A.2.4", "A.2.1", "C.2.2", "C.2.3"),
    scope=Scope.COLUMN,
    settings=IdentifierEncryptionSettings,
    implementation="techniques.families.encryption.identifier:IdentifierNumber",
    roles=frozenset({AttributeRole.DIRECT_IDENTIFIER}),
    data_types=frozenset({DataType.TEXT}),
    properties=TABLE_C1["format_preserving_encryption"],
    way_back=WayBack.DECRYPTION,
    needs_key=True,
    claims=Claims(
        order=NO,
        format=YES,
        type=YES,
        distinctness=YES,
        statistics=PARTLY,
        reversible=YES,
        notes=gettext_noop(
            "How often each value occurs stays, and the first six digits where they are kept; birth date "
            "and sex in an ID number do not."
        ),
        not_for=gettext_noop(
            "Not for data that leave the house without a mark: a result may be the number of somebody else."
        ),
    ),
    scenes=frozenset({Scene.DEVELOPMENT}),
)


MAXIMUM_ORDERED = 1 << 36


class OrderPreservingEncryptionSettings(EncryptionSettings):
    """A.2.3: larger numbers get larger ciphertexts."""

    algorithm: Literal["sm4", "aes"] = Field(
        default="sm4",
        title=_ALGORITHM_TITLE,
        description=_ALGORITHM_HELP,
        json_schema_extra=labels(sm4="SM4", aes="AES"),
    )
    minimum: float = Field(
        ge=-1e12,
        le=1e12,
        title=gettext_noop("Smallest value"),
        description=gettext_noop("Values below do not fit. The range is part of the key: keep it."),
    )
    maximum: float = Field(
        ge=-1e12,
        le=1e12,
        title=gettext_noop("Largest value"),
        description=gettext_noop("Values above do not fit. The range is part of the key: keep it."),
    )
    decimals: int = Field(
        default=0,
        ge=0,
        le=6,
        title=gettext_noop("Decimal places"),
        description=gettext_noop("Values with more do not fit; round them in an earlier step."),
    )

    @property
    def size(self) -> int:
        """Number of values in the range."""
        steps: float = (self.maximum - self.minimum) * 10**self.decimals
        return round(steps) + 1

    @model_validator(mode="after")
    def _range(self) -> Self:
        if self.minimum >= self.maximum:
            raise PydanticCustomError(
                "range_empty", gettext_noop("the smallest value must be below the largest")
            )
        if self.size > MAXIMUM_ORDERED:
            raise PydanticCustomError(
                "range_too_large",
                gettext_noop("the range has too many values; take fewer decimal places or a narrower range"),
            )
        return self


ORDER_PRESERVING = Technique(
    key="encryption.order_preserving",
    family=Family.ENCRYPTION,
    name=gettext_noop("Order-preserving encryption"),
    summary=gettext_noop(
        "Larger numbers get larger ciphertexts, so that ranges can be searched and rows sorted. It gives "
        "away the order, and roughly where in the range each value lies."
    ),
    clauses=("A.2.3", "A.2.1"),
    scope=Scope.COLUMN,
    settings=OrderPreservingEncryptionSettings,
    implementation="techniques.families.encryption.order_preserving:OrderPreserving",
    roles=QUASI_AND_SENSITIVE,
    data_types=frozenset({DataType.NUMBER}),
    properties=TABLE_C1["order_preserving_encryption"],
    way_back=WayBack.DECRYPTION,
    needs_key=True,
    claims=Claims(
        order=YES,
        format=NO,
        type=YES,
        distinctness=YES,
        statistics=PARTLY,
        reversible=YES,
        notes=gettext_noop("Ranks, medians' places and counts stay; sums, means and distances do not."),
        not_for=gettext_noop(
            "Not where the values are dense in their range, such as ages: their order alone then tells "
            "them; and not against somebody who knows some of the values."
        ),
    ),
    annex_a=AnnexA(availability=5.0, security=2.0),
)


class HomomorphicEncryptionSettings(EncryptionSettings):
    """A.2.5: numbers as ciphertexts that can be added without the private key."""

    bits: Literal["2048", "3072"] = Field(
        default="2048",
        title=gettext_noop("Length of the key in bits"),
        description=gettext_noop("Longer keys are safer for longer and slower."),
        json_schema_extra=labels(**{"2048": "2048", "3072": "3072"}),
    )
    decimals: int = Field(
        default=2,
        ge=0,
        le=6,
        title=gettext_noop("Decimal places"),
        description=gettext_noop("Values with more do not fit; round them in an earlier step."),
    )


HOMOMORPHIC = Technique(
    key="encryption.homomorphic",
    family=Family.ENCRYPTION,
    name=gettext_noop("Homomorphic encryption"),
    summary=gettext_noop(
        "Numbers become ciphertexts that anybody can add up without the key (Paillier); only the key "
        "holder reads the sum. Slow: some hundred values a second, a thousand characters each."
    ),
    clauses=("A.2.5",),
    scope=Scope.COLUMN,
    settings=HomomorphicEncryptionSettings,
    implementation="techniques.families.encryption.homomorphic:Homomorphic",
    roles=QUASI_AND_SENSITIVE,
    data_types=frozenset({DataType.NUMBER}),
    properties=TABLE_C1["homomorphic_encryption"],
    way_back=WayBack.DECRYPTION,
    needs_key=True,
    random=True,
    claims=Claims(
        order=NO,
        format=NO,
        type=NO,
        distinctness=NO,
        statistics=YES,
        reversible=YES,
        notes=gettext_noop(
            "Sums and means can be computed on the ciphertexts; equal values do not become equal, so "
            "nothing can be counted or joined."
        ),
        not_for=gettext_noop(
            "Not for large tables, and not where more than sums, means and counts are needed."
        ),
    ),
    national=False,
    previewable=False,
    computable=True,
    annex_a=AnnexA(availability=5.0, timeliness=1.0, security=5.0),
)


class SecretSharingSettings(FitSettings):
    """A.2.6: each number becomes shares for several holders; this run writes the shares of one of them."""

    holders: int = Field(
        default=3,
        ge=2,
        le=100,
        title=gettext_noop("Number of holders"),
        description=gettext_noop("Each gets a file of shares of their own, from a run of their own."),
    )
    threshold: int = Field(
        default=2,
        ge=2,
        le=100,
        title=gettext_noop("Holders needed to get the values back"),
        description=gettext_noop("Fewer of them together learn nothing."),
    )
    holder: int = Field(
        ge=1,
        le=100,
        title=gettext_noop("Whose shares this run writes"),
        description=gettext_noop(
            "Number of the holder, from 1. All other settings and the source must be the same in the runs for "
            "all holders."
        ),
    )
    algorithm: Literal["sm4", "aes"] = Field(
        default="sm4",
        title=_ALGORITHM_TITLE,
        description=gettext_noop("The cipher that draws the random coefficients from the key."),
        json_schema_extra=labels(sm4="SM4", aes="AES"),
    )
    decimals: int = Field(
        default=2,
        ge=0,
        le=6,
        title=gettext_noop("Decimal places"),
        description=gettext_noop("Values with more do not fit; round them in an earlier step."),
    )
    domain: str = _domain()

    @model_validator(mode="after")
    def _enough(self) -> Self:
        if self.threshold > self.holders or self.holder > self.holders:
            raise PydanticCustomError("holders_too_few", gettext_noop("there are not so many holders"))
        return self


SECRET_SHARING = Technique(
    key="encryption.secret_sharing",
    family=Family.ENCRYPTION,
    name=gettext_noop("Homomorphic secret sharing"),
    summary=gettext_noop(
        "Each number becomes a share for each of several holders; enough of them together get it back, "
        "fewer learn nothing, and shares can be added up."
    ),
    clauses=("A.2.6",),
    scope=Scope.COLUMN,
    settings=SecretSharingSettings,
    implementation="techniques.families.encryption.secret_sharing:SecretSharing",
    roles=QUASI_AND_SENSITIVE,
    data_types=frozenset({DataType.NUMBER}),
    properties=TABLE_C1["secret_sharing"],
    needs_key=True,
    claims=Claims(
        order=NO,
        format=NO,
        type=YES,
        distinctness=NO,
        statistics=YES,
        reversible=PARTLY,
        notes=gettext_noop(
            "Sums and means can be computed on the shares; enough holders together, or who has the source, "
            "get values back. A single share says nothing."
        ),
        not_for=gettext_noop("Not where one party could come to hold the files of several holders."),
    ),
    way_back=WayBack.RECOMBINATION,
    previewable=False,
    annex_a=AnnexA(availability=5.0, timeliness=1.0, security=5.0),
)


TECHNIQUES = (
    DETERMINISTIC,
    FORMAT_PRESERVING,
    IDENTIFIER,
    ORDER_PRESERVING,
    HOMOMORPHIC,
    SECRET_SHARING,
)
