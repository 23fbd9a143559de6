"""Cryptographic techniques (GB/T 37964 A.2): their settings and rows."""

from __future__ import annotations

import operator
from functools import partial
from typing import Any, Literal, Self

from pydantic import model_validator
from pydantic_core import PydanticCustomError

from techniques.catalogue.family import AnnexA, Family
from techniques.catalogue.table_c1 import PARTLY, TABLE_C1, YES
from techniques.catalogue.technique import (
    ANY_TYPE,
    PERSONAL,
    QUASI_AND_SENSITIVE,
    Claims,
    Scope,
    Technique,
    WayBack,
)
from techniques.core.attributes import AttributeRole, DataType, Scene
from techniques.core.messages import _
from techniques.core.settings import FitSettings, setting

_row = partial(Technique, family=Family.ENCRYPTION, needs_key=True, scope=Scope.COLUMN)
_reversible = partial(_row, way_back=WayBack.DECRYPTION)


def _algorithm(labels: dict[str, str], help: str = "") -> Any:
    """The cipher; the first one, which is the national one, is the default."""
    text = _("SM4 is the national commercial cipher; AES is used with keys of 256 bits.")
    return setting(_("Algorithm"), help or text, next(iter(labels)), labels=labels)


def _domain(help: str = "") -> Any:
    text = _(
        "Columns and tables with the same domain are encrypted alike and can be joined. Empty: the "
        "column's own name."
    )
    return setting(_("Key domain"), help or text, "", max_length=100)


def _decimals(default: int) -> Any:
    text = _("Values with more do not fit; round them in an earlier step.")
    return setting(_("Decimal places"), text, default, between=(0, 6))


class EncryptionSettings(FitSettings):
    """What all reversible techniques share: a domain of the key, and how far equal values stay equal."""

    domain: str = _domain()
    joinable: Literal["run", "project"] = setting(
        _("Where equal values become equal"),
        _(
            "Inside one run: two releases cannot be joined by this column. The run's seed is then needed to "
            "get the values back."
        ),
        "run",
        labels={"run": _("Only inside this run"), "project": _("In every run of the project")},
    )

    @property
    def joins_releases(self) -> bool:
        """Where the project gives the key."""
        return self.joinable == "project"


class DeterministicEncryptionSettings(EncryptionSettings):
    """A.2.2: equal values get equal ciphertexts, and who has the key gets them back."""

    algorithm: Literal["sm4-siv", "aes-siv"] = _algorithm(
        {"sm4-siv": "SM4-SIV", "aes-siv": "AES-SIV (RFC 5297)"}
    )
    encoding: Literal["hex", "base32"] = setting(
        _("Written as"),
        _("How the bytes of the ciphertext become text."),
        "hex",
        labels={"hex": _("Hexadecimal"), "base32": _("Letters and digits")},
    )
    hide_length: bool = setting(
        _("Hide the length"),
        _("Fills each value up to whole blocks of 16 bytes before it is encrypted."),
        True,
    )


DETERMINISTIC = _reversible(
    key="encryption.deterministic",
    name=_("Deterministic encryption"),
    summary=_(
        "Equal values get equal ciphertexts, so that the column can still be joined and counted; with the "
        "key the values come back."
    ),
    clauses=("A.2.2", "A.2.1"),
    settings=DeterministicEncryptionSettings,
    implementation="techniques.families.encryption.deterministic:Deterministic",
    roles=PERSONAL,
    data_types=ANY_TYPE,
    properties=TABLE_C1["deterministic_encryption"],
    claims=Claims(distinctness=YES, statistics=PARTLY, reversible=YES),
    keeps=_("How often each value occurs stays; sums and means do not."),
    not_for=_("Not for columns with few or very uneven values: how often a ciphertext occurs gives it away."),
    joins_tables=True,
    annex_a=AnnexA(availability=5.0, security=2.0),
)


class FormatPreservingEncryptionSettings(EncryptionSettings):
    """A.2.4: FF1 of NIST SP 800-38G; the ciphertext has the length and the alphabet of the value."""

    algorithm: Literal["ff1-sm4", "ff1-aes"] = _algorithm({"ff1-sm4": "FF1, SM4", "ff1-aes": "FF1, AES"})
    alphabet: Literal["digits", "lower36", "upper36", "base62", "han_common", "han"] = setting(
        _("Alphabet"),
        _(
            "The characters that may occur and that the result is made of. There must be at least a million "
            "texts of a value's length: six digits, four letters or digits, two Chinese characters."
        ),
        "digits",
        labels={
            "digits": _("Digits"),
            "lower36": _("Digits and small letters"),
            "upper36": _("Digits and capital letters"),
            "base62": _("Digits, capital and small letters"),
            "han_common": _("Chinese characters of GB 2312"),
            "han": _("Chinese characters of Unicode (basic block)"),
        },
    )
    keep_left: int = setting(
        _("Characters left as they are at the beginning"),
        _("They enter the encryption of the others as a tweak."),
        0,
        between=(0, 100),
    )
    keep_right: int = setting(
        _("Characters left as they are at the end"),
        _("They enter the encryption of the others as a tweak."),
        0,
        between=(0, 100),
    )


FORMAT_PRESERVING = _reversible(
    key="encryption.format_preserving",
    name=_("Format-preserving encryption"),
    summary=_(
        "The ciphertext has the length and the alphabet of the value (FF1), so that systems which check "
        "the form still take it."
    ),
    clauses=("A.2.4", "A.2.1"),
    settings=FormatPreservingEncryptionSettings,
    implementation="techniques.families.encryption.format_preserving:FormatPreserving",
    roles=PERSONAL,
    data_types=frozenset({DataType.TEXT, DataType.CATEGORY, DataType.NUMBER}),
    properties=TABLE_C1["format_preserving_encryption"],
    claims=Claims(format=YES, type=YES, distinctness=YES, statistics=PARTLY, reversible=YES),
    keeps=_("How often each value occurs stays; sums and means do not."),
    not_for=_(
        "Not where a result could be taken for a real value, and not for values with fewer than a "
        "million possible texts of their length."
    ),
    scenes=frozenset({Scene.DEVELOPMENT}),
)


class IdentifierEncryptionSettings(EncryptionSettings):
    """A.2.4 for ID numbers and bank cards: the result is a number of the same kind with a right check digit."""

    algorithm: Literal["ff1-sm4", "ff1-aes"] = _algorithm({"ff1-sm4": "FF1, SM4", "ff1-aes": "FF1, AES"})
    kind: Literal["id_number", "bank_card"] = setting(
        _("Kind of identifier"),
        _(
            "ID number of 18 characters with a birth date from 1880 to 2049, or bank card number of 13 to 19 digits."
        ),
        labels={"id_number": _("ID number"), "bank_card": _("Bank card number")},
    )
    keep_leading: bool = setting(
        _("Keep the first six digits"), _("The region of an ID number, the issuer of a bank card."), False
    )
    existing: bool = setting(
        _("Counties that exist"),
        _(
            "An ID number whose county exists and whose date has passed becomes another such number, which other "
            "systems accept. Without it the county and the date may be ones that do not exist yet."
        ),
        False,
        # Recipes of before this choice keep the hash that was signed.
        exclude_if=operator.not_,
    )


IDENTIFIER = _reversible(
    key="encryption.identifier",
    name=_("Format-preserving encryption of an identifier"),
    summary=_(
        "An ID number or bank card number becomes another one whose check digit is right; with the key "
        "it comes back."
    ),
    clauses=("A.2.4", "A.2.1", "C.2.2", "C.2.3"),
    settings=IdentifierEncryptionSettings,
    implementation="techniques.families.encryption.identifier:IdentifierNumber",
    roles=frozenset({AttributeRole.DIRECT_IDENTIFIER}),
    data_types=frozenset({DataType.TEXT}),
    properties=TABLE_C1["format_preserving_encryption"],
    claims=Claims(format=YES, type=YES, distinctness=YES, statistics=PARTLY, reversible=YES),
    keeps=_(
        "How often each value occurs stays, and the first six digits where they are kept; birth date "
        "and sex in an ID number do not."
    ),
    not_for=_(
        "Not for data that leave the house without a mark: a result may be the number of somebody else."
    ),
    scenes=frozenset({Scene.DEVELOPMENT}),
)


MAXIMUM_ORDERED = 1 << 36


class OrderPreservingEncryptionSettings(EncryptionSettings):
    """A.2.3: larger numbers get larger ciphertexts."""

    algorithm: Literal["sm4", "aes"] = _algorithm({"sm4": "SM4", "aes": "AES"})
    minimum: float = setting(
        _("Smallest value"),
        _("Values below do not fit. The range is part of the key: keep it."),
        between=(-1e12, 1e12),
    )
    maximum: float = setting(
        _("Largest value"),
        _("Values above do not fit. The range is part of the key: keep it."),
        between=(-1e12, 1e12),
    )
    decimals: int = _decimals(0)

    @property
    def size(self) -> int:
        """Number of values in the range."""
        steps: float = (self.maximum - self.minimum) * 10**self.decimals
        return round(steps) + 1

    @model_validator(mode="after")
    def _range(self) -> Self:
        if self.minimum >= self.maximum:
            raise PydanticCustomError("range_empty", _("the smallest value must be below the largest"))
        if self.size > MAXIMUM_ORDERED:
            raise PydanticCustomError(
                "range_too_large",
                _("the range has too many values; take fewer decimal places or a narrower range"),
            )
        return self


ORDER_PRESERVING = _reversible(
    key="encryption.order_preserving",
    name=_("Order-preserving encryption"),
    summary=_(
        "Larger numbers get larger ciphertexts, so that ranges can be searched and rows sorted. It gives "
        "away the order, and roughly where in the range each value lies."
    ),
    clauses=("A.2.3", "A.2.1"),
    settings=OrderPreservingEncryptionSettings,
    implementation="techniques.families.encryption.order_preserving:OrderPreserving",
    roles=QUASI_AND_SENSITIVE,
    data_types=frozenset({DataType.NUMBER}),
    properties=TABLE_C1["order_preserving_encryption"],
    claims=Claims(order=YES, type=YES, distinctness=YES, statistics=PARTLY, reversible=YES),
    keeps=_("Ranks, medians' places and counts stay; sums, means and distances do not."),
    not_for=_(
        "Not where the values are dense in their range, such as ages: their order alone then tells "
        "them; and not against somebody who knows some of the values."
    ),
    annex_a=AnnexA(availability=5.0, security=2.0),
)


class HomomorphicEncryptionSettings(EncryptionSettings):
    """A.2.5: numbers as ciphertexts that can be added without the private key. Each cell is drawn anew, so that equal values
    never become equal, whatever domain and key they share."""

    domain: str = _domain(
        _(
            "Ciphertexts of columns and tables with the same domain, key length and decimal places can be added to each other; "
            "equal values do not show. Empty: the column's own name."
        )
    )
    joinable: Literal["run", "project"] = setting(
        _("Where ciphertexts can be added to each other"),
        _(
            "Inside one run: those of two releases cannot be added up together. The run's seed is then needed to read the sums."
        ),
        "run",
        labels={"run": _("Only inside this run"), "project": _("In every run of the project")},
    )
    bits: Literal["2048", "3072"] = setting(
        _("Length of the key in bits"),
        _("Longer keys are safer for longer and slower."),
        "2048",
        labels={"2048": "2048", "3072": "3072"},
    )
    decimals: int = _decimals(2)

    @property
    def joins_releases(self) -> bool:
        """Never: no two ciphertexts are equal."""
        return False


HOMOMORPHIC = _reversible(
    key="encryption.homomorphic",
    name=_("Homomorphic encryption"),
    summary=_(
        "Numbers become ciphertexts that anybody can add up without the key (Paillier); only the key "
        "holder reads the sum. Slow: some hundred values a second, a thousand characters each."
    ),
    clauses=("A.2.5",),
    settings=HomomorphicEncryptionSettings,
    implementation="techniques.families.encryption.homomorphic:Homomorphic",
    roles=QUASI_AND_SENSITIVE,
    data_types=frozenset({DataType.NUMBER}),
    properties=TABLE_C1["homomorphic_encryption"],
    random=True,
    claims=Claims(statistics=YES, reversible=YES),
    keeps=_(
        "Sums and means can be computed on the ciphertexts; equal values do not become equal, so "
        "nothing can be counted or joined."
    ),
    not_for=_("Not for large tables, and not where more than sums, means and counts are needed."),
    national=False,
    previewable=False,
    computable=True,
    annex_a=AnnexA(availability=5.0, timeliness=1.0, security=5.0),
)


class SecretSharingSettings(FitSettings):
    """A.2.6: each number becomes shares for several holders; this run writes the shares of one of them."""

    holders: int = setting(
        _("Number of holders"),
        _("Each gets a file of shares of their own, from a run of their own."),
        3,
        between=(2, 100),
    )
    threshold: int = setting(
        _("Holders needed to get the values back"),
        _("Fewer of them together learn nothing."),
        2,
        between=(2, 100),
    )
    holder: int = setting(
        _("Whose shares this run writes"),
        _(
            "Number of the holder, from 1. All other settings and the source must be the same in the runs for "
            "all holders."
        ),
        between=(1, 100),
    )
    algorithm: Literal["sm4", "aes"] = _algorithm(
        {"sm4": "SM4", "aes": "AES"}, _("The cipher that draws the random coefficients from the key.")
    )
    decimals: int = _decimals(2)
    domain: str = _domain(
        _(
            "The random numbers of a column are drawn for it, and it has to be the same in the runs for all holders. Empty: the "
            "column's own name."
        )
    )

    @model_validator(mode="after")
    def _enough(self) -> Self:
        if self.threshold > self.holders or self.holder > self.holders:
            raise PydanticCustomError("holders_too_few", _("there are not so many holders"))
        return self


SECRET_SHARING = _row(
    key="encryption.secret_sharing",
    name=_("Homomorphic secret sharing"),
    summary=_(
        "Each number becomes a share for each of several holders; enough of them together get it back, "
        "fewer learn nothing, and shares can be added up."
    ),
    clauses=("A.2.6",),
    settings=SecretSharingSettings,
    implementation="techniques.families.encryption.secret_sharing:SecretSharing",
    roles=QUASI_AND_SENSITIVE,
    data_types=frozenset({DataType.NUMBER}),
    properties=TABLE_C1["secret_sharing"],
    claims=Claims(type=YES, statistics=YES, reversible=PARTLY),
    keeps=_(
        "Sums and means can be computed on the shares; enough holders together, or who has the source, "
        "get values back. A single share says nothing."
    ),
    not_for=_("Not where one party could come to hold the files of several holders."),
    way_back=WayBack.RECOMBINATION,
    previewable=False,
    annex_a=AnnexA(availability=5.0, timeliness=1.0, security=5.0),
)


TECHNIQUES = (DETERMINISTIC, FORMAT_PRESERVING, IDENTIFIER, ORDER_PRESERVING, HOMOMORPHIC, SECRET_SHARING)
