"""Parameters of the suppression techniques (GB/T 37964 A.3)."""

from __future__ import annotations

from typing import Literal, Self, get_args

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from techniques.core.kinds import KINDS
from techniques.core.messages import gettext_noop
from techniques.core.settings import NoParameters, Parameters, labels

IdentifierKind = Literal["id_number", "phone", "name", "bank_card", "email", "address", "date"]
TextKind = Literal[
    "person_name",
    "id_number",
    "id_number_like",
    "phone",
    "email",
    "bank_card",
    "address",
    "passport",
    "hk_mo_tw_permit",
    "licence_plate",
    "vin",
    "credit_code",
    "device_id",
    "ip_address",
    "url",
    "messenger",
]
"""Kinds that the identification rules can find inside a text."""
IDENTIFIER_LABELS = labels(
    id_number=gettext_noop("ID number"),
    phone=gettext_noop("Phone number"),
    name=gettext_noop("Name"),
    bank_card=gettext_noop("Bank card number"),
    email=gettext_noop("E-mail address"),
    address=gettext_noop("Address"),
    date=gettext_noop("Date"),
)


class RemoveColumn(NoParameters):
    """A.3.2: the whole attribute goes."""


class Mask(Parameters):
    """A.3.2: part of each value is hidden."""

    keep_left: int = Field(
        default=0,
        ge=0,
        le=100,
        title=gettext_noop("Characters kept on the left"),
        description=gettext_noop("A value too short to hide anything is masked whole."),
    )
    keep_right: int = Field(
        default=0,
        ge=0,
        le=100,
        title=gettext_noop("Characters kept on the right"),
        description=gettext_noop("A value too short to hide anything is masked whole."),
    )
    character: str = Field(
        default="*",
        min_length=1,
        max_length=1,
        title=gettext_noop("Mask character"),
        description=gettext_noop("Stands for each hidden character."),
    )
    keep_length: bool = Field(
        default=True,
        title=gettext_noop("Keep the length"),
        description=gettext_noop(
            "If off, every hidden part becomes four mask characters, so that the length gives nothing away."
        ),
    )


class MaskIdentifier(Parameters):
    """C.2.1 to C.2.5, C.2.7: the usual partial mask of a known kind of identifier."""

    kind: IdentifierKind = Field(
        title=gettext_noop("Kind of identifier"),
        description=gettext_noop(
            "ID number: 6 and 4 characters stay; phone: 3 and 4; bank card: 6 and 4; name: the family name; "
            "e-mail: first letter and domain; address: the province and the kinds of its divisions; date: year "
            "and day. A value of another shape is masked whole."
        ),
        json_schema_extra=IDENTIFIER_LABELS,
    )
    hide_serial: bool = Field(
        default=False,
        title=gettext_noop("Hide the last digits too"),
        description=gettext_noop("Keeps only the leading part: region, network or issuer."),
    )
    character: str = Field(
        default="*",
        min_length=1,
        max_length=1,
        title=gettext_noop("Mask character"),
        description=gettext_noop("Stands for each hidden character."),
    )


class RedactText(Parameters):
    """C.2, applied inside free text: what is found to be an identifier is replaced."""

    kinds: list[TextKind] = Field(
        default_factory=list,
        max_length=50,
        title=gettext_noop("Kinds of identifier to look for"),
        description=gettext_noop("Empty: all kinds that can be found in text."),
        json_schema_extra=labels(**{kind: KINDS[kind].name for kind in get_args(TextKind)}),
    )
    mask: str = Field(
        default="***",
        min_length=1,
        max_length=20,
        title=gettext_noop("Put in its place"),
        description=gettext_noop("The text that stands where an identifier stood."),
    )


class RareValues(Parameters):
    """A.3.3: local suppression of values that too few rows share."""

    minimum_count: int = Field(
        default=5,
        ge=2,
        le=1_000_000,
        title=gettext_noop("Fewest rows that must share a value"),
        description=gettext_noop("A value in fewer rows is suppressed."),
    )
    maximum_share: float = Field(
        default=0.05,
        ge=0,
        le=1,
        title=gettext_noop("Upper limit of suppressed cells"),
        description=gettext_noop("Share of the rows, 0 to 1; the run stops if more would be suppressed."),
    )
    replacement: str = Field(
        default="",
        max_length=20,
        title=gettext_noop("Put in its place"),
        description=gettext_noop("Empty: the value becomes missing."),
    )


class RareRecords(Parameters):
    """A.3.4 and A.3.5: rows whose combination is rare are left out, up to a limit."""

    minimum_count: int = Field(
        default=2,
        ge=2,
        le=1_000_000,
        title=gettext_noop("Fewest rows that must share a combination"),
        description=gettext_noop("Rows whose combination of values occurs less often are left out."),
    )
    maximum_share: float = Field(
        default=0.05,
        ge=0,
        le=1,
        title=gettext_noop("Upper limit of suppressed rows"),
        description=gettext_noop("Share of the rows, 0 to 1; the run stops if more would be suppressed."),
    )


class AsIs(Parameters):
    """4.1 a: a column stays as it is only with a reason that somebody can judge."""

    reason: str = Field(
        min_length=3,
        max_length=500,
        title=gettext_noop("Reason"),
        description=gettext_noop("Why this column may stay as it is. It is kept with the recipe."),
    )

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not self.reason.strip():
            raise PydanticCustomError("reason_blank", gettext_noop("must say why"))
        return self
