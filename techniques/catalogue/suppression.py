"""Suppression (GB/T 37964 A.3): settings and rows."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self, get_args

from pydantic import BeforeValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from techniques.catalogue.family import Family
from techniques.catalogue.table_c1 import NO, PARTLY, TABLE_C1, YES
from techniques.catalogue.technique import (
    ANY_ROLE,
    ANY_TYPE,
    DISPLAYING,
    IDENTIFYING,
    QUASI_AND_SENSITIVE,
    AnnexA,
    Claims,
    Missing,
    Scope,
    Technique,
)
from techniques.core.attributes import AttributeRole, DataType
from techniques.core.kinds import KINDS
from techniques.core.messages import gettext_noop
from techniques.core.settings import NoSettings, TechniqueSettings, labels

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


def _number(value: Any) -> Any:
    """A form sends pairs of texts; what is no number is left for the validation to refuse."""
    try:
        return float(value) if isinstance(value, str | int) and not isinstance(value, bool) else value
    except ValueError:
        return value


class RemoveColumnSettings(NoSettings):
    """A.3.2: the whole attribute goes."""


REMOVE_COLUMN = Technique(
    key="suppression.remove_column",
    family=Family.SUPPRESSION,
    name=gettext_noop("Remove the column"),
    summary=gettext_noop("The attribute is left out of the result."),
    clauses=("A.3.2", "C.2.1", "C.2.2", "C.2.3", "C.2.4", "C.2.5", "C.2.6", "C.2.7"),
    scope=Scope.STRUCTURE,
    settings=RemoveColumnSettings,
    roles=ANY_ROLE,
    data_types=ANY_TYPE,
    properties=TABLE_C1["masking"],
    annex_a=AnnexA(availability=1.0, security=5.0),
)


class MaskSettings(TechniqueSettings):
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


MASK = Technique(
    key="suppression.mask",
    family=Family.SUPPRESSION,
    name=gettext_noop("Mask part of each value"),
    summary=gettext_noop("Some characters stay, the others become a mask character."),
    clauses=("A.3.2",),
    scope=Scope.COLUMN,
    settings=MaskSettings,
    implementation="techniques.families.suppression.mask:Mask",
    roles=IDENTIFYING,
    data_types=frozenset({DataType.TEXT, DataType.CATEGORY, DataType.REGION}),
    properties=TABLE_C1["masking"],
    only_masks=True,
    claims=Claims(
        order=NO,
        format=PARTLY,
        type=NO,
        distinctness=NO,
        statistics=NO,
        reversible=NO,
        notes=gettext_noop(
            "The length stays where that is chosen, and the characters at the ends that are kept."
        ),
        not_for=gettext_noop("Not alone: the rest of the record may still tell who it is."),
    ),
    scenes=DISPLAYING,
)


class MaskIdentifierSettings(TechniqueSettings):
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


MASK_IDENTIFIER = Technique(
    key="suppression.mask_identifier",
    family=Family.SUPPRESSION,
    name=gettext_noop("Mask an identifier by its kind"),
    summary=gettext_noop("ID number, phone, name, bank card or e-mail, each masked in the usual way."),
    clauses=("C.2", "A.3.2", "C.2.1", "C.2.2", "C.2.3", "C.2.4", "C.2.5", "C.2.7"),
    scope=Scope.COLUMN,
    settings=MaskIdentifierSettings,
    implementation="techniques.families.suppression.mask_identifier:MaskIdentifier",
    roles=frozenset({AttributeRole.DIRECT_IDENTIFIER}),
    data_types=frozenset({DataType.TEXT}),
    properties=TABLE_C1["masking"],
    only_masks=True,
    claims=Claims(
        order=NO,
        format=PARTLY,
        type=NO,
        distinctness=NO,
        statistics=NO,
        reversible=NO,
        notes=gettext_noop("The leading part stays: region, network, issuer or family name."),
        not_for=gettext_noop("Not alone: the rest of the record may still tell who it is."),
    ),
    scenes=DISPLAYING,
    masks_live=True,
)


class RedactTextSettings(TechniqueSettings):
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


REDACT_TEXT = Technique(
    key="suppression.redact_text",
    family=Family.SUPPRESSION,
    name=gettext_noop("Redact identifiers in free text"),
    summary=gettext_noop("Identifiers found inside the text are replaced; the rest of the text stays."),
    clauses=("C.2", "A.3.2", "T/ISC 0078 E.2", "T/ISC 0078 E.3"),
    scope=Scope.COLUMN,
    settings=RedactTextSettings,
    implementation="techniques.families.suppression.redact_text:RedactText",
    roles=ANY_ROLE,
    data_types=frozenset({DataType.TEXT}),
    properties=TABLE_C1["masking"],
    only_masks=True,
    claims=Claims(
        order=NO,
        format=NO,
        type=YES,
        distinctness=NO,
        statistics=NO,
        reversible=NO,
        notes=gettext_noop("The text around what was found stays word for word."),
        not_for=gettext_noop(
            "Not where a single missed identifier would do harm: rules do not find everything."
        ),
    ),
    scenes=DISPLAYING,
    notice=gettext_noop("Text is incomplete where identifiers stood; do not search it for people."),
)


class RareValuesSettings(TechniqueSettings):
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


RARE_VALUES = Technique(
    key="suppression.rare_values",
    family=Family.SUPPRESSION,
    name=gettext_noop("Suppress rare values"),
    summary=gettext_noop("A value that too few rows share is suppressed in its cells."),
    clauses=("A.3.3", "A.3.5"),
    scope=Scope.COLUMN,
    settings=RareValuesSettings,
    implementation="techniques.families.suppression.rare_values:RareValues",
    roles=QUASI_AND_SENSITIVE,
    data_types=ANY_TYPE,
    properties=TABLE_C1["local_suppression"],
    claims=Claims(
        order=YES,
        format=YES,
        type=YES,
        distinctness=YES,
        statistics=PARTLY,
        reversible=NO,
        notes=gettext_noop(
            "Values that stay do not change, unless they are replaced; rare values are undercounted."
        ),
        not_for=gettext_noop("Not for numbers with many different values: nearly all of them are rare."),
    ),
    makes_equal=True,
    notice=gettext_noop("Empty cells are not random: rare values are missing. Do not study rare cases."),
)


class RareCombinationsSettings(TechniqueSettings):
    """A.3.3: single cells of rare combinations are suppressed, as few and as unimportant ones as possible."""

    minimum_count: int = Field(
        default=5,
        ge=2,
        le=1_000_000,
        title=gettext_noop("Fewest rows that must share a combination"),
        description=gettext_noop("A missing cell stands for any value of its column."),
    )
    importance: dict[str, Annotated[float, BeforeValidator(_number)]] = Field(
        default_factory=dict,
        max_length=1000,
        title=gettext_noop("Column and its importance"),
        description=gettext_noop(
            "Cells of columns with small numbers are suppressed first. A column without a number has 1."
        ),
    )
    maximum_share: float = Field(
        default=0.05,
        ge=0,
        le=1,
        title=gettext_noop("Upper limit of suppressed cells"),
        description=gettext_noop(
            "Share of the step's cells, 0 to 1; the run stops if more would be suppressed."
        ),
    )

    @model_validator(mode="after")
    def _positive(self) -> Self:
        if any(not weight > 0 for weight in self.importance.values()):
            raise PydanticCustomError("importance_not_positive", gettext_noop("importance must be above 0"))
        return self


RARE_COMBINATIONS = Technique(
    key="suppression.rare_combinations",
    family=Family.SUPPRESSION,
    name=gettext_noop("Suppress cells of rare combinations"),
    summary=gettext_noop(
        "In rows whose combination of values is rare the least important cells are suppressed, as few as possible."
    ),
    clauses=("A.3.3", "A.3.5"),
    scope=Scope.TABLE,
    settings=RareCombinationsSettings,
    implementation="techniques.families.suppression.rare_combinations:RareCombinations",
    roles=QUASI_AND_SENSITIVE,
    data_types=ANY_TYPE,
    properties=TABLE_C1["local_suppression"],
    claims=Claims(
        order=YES,
        format=YES,
        type=YES,
        distinctness=YES,
        statistics=PARTLY,
        reversible=NO,
        notes=gettext_noop(
            "Values that stay do not change; what is missing is missing just because it is rare, so that rare "
            "values are undercounted."
        ),
        not_for=gettext_noop(
            "Not before generalisation: then far more cells must go. The result is not k-anonymous for readers who "
            "take a missing value for a value of its own."
        ),
    ),
    makes_equal=True,
)


class RareRecordsSettings(TechniqueSettings):
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


RARE_RECORDS = Technique(
    key="suppression.rare_records",
    family=Family.SUPPRESSION,
    name=gettext_noop("Suppress rare records"),
    summary=gettext_noop("Rows whose combination of values is rare are left out, up to a limit."),
    clauses=("A.3.4", "A.3.5"),
    scope=Scope.TABLE,
    settings=RareRecordsSettings,
    implementation="techniques.families.suppression.rare_records:RareRecords",
    roles=QUASI_AND_SENSITIVE,
    data_types=ANY_TYPE,
    properties=TABLE_C1["record_suppression"],
    missing=Missing.VALUE,
    claims=Claims(
        order=YES,
        format=YES,
        type=YES,
        distinctness=YES,
        statistics=PARTLY,
        reversible=NO,
        notes=gettext_noop("Rows that stay do not change; counts and sums become smaller."),
        not_for=gettext_noop("Not where rare cases are what the purpose is about."),
    ),
    makes_equal=True,
    notice=gettext_noop("Rows are missing that were rare: totals are lower than in the source."),
)


TECHNIQUES = (
    REMOVE_COLUMN,
    MASK,
    MASK_IDENTIFIER,
    REDACT_TEXT,
    RARE_VALUES,
    RARE_COMBINATIONS,
    RARE_RECORDS,
)
