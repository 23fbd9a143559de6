"""Suppression (GB/T 37964 A.3): settings and rows."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import BeforeValidator, model_validator
from pydantic_core import PydanticCustomError

from techniques.catalogue import shared_settings
from techniques.catalogue.family import AnnexA, Family
from techniques.catalogue.table_c1 import PARTLY, TABLE_C1, YES
from techniques.catalogue.technique import (
    ANY_ROLE,
    ANY_TYPE,
    DISPLAYING,
    IDENTIFYING,
    QUASI_AND_SENSITIVE,
    Claims,
    Missing,
    Scope,
    Technique,
)
from techniques.core.attributes import AttributeRole, DataType
from techniques.core.kinds import KINDS
from techniques.core.messages import _
from techniques.core.settings import NoSettings, TechniqueSettings, setting

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
IDENTIFIER_LABELS: dict[str, str] = {
    "id_number": _("ID number"),
    "phone": _("Phone number"),
    "name": _("Name"),
    "bank_card": _("Bank card number"),
    "email": _("E-mail address"),
    "address": _("Address"),
    "date": _("Date"),
}


def _number(value: Any) -> Any:
    """A form sends pairs of texts; what is no number is left for the validation to refuse."""
    try:
        return float(value) if isinstance(value, str | int) and not isinstance(value, bool) else value
    except ValueError:
        return value


_row = partial(Technique, family=Family.SUPPRESSION)
_mask = partial(_row, scope=Scope.COLUMN, properties=TABLE_C1["masking"], only_masks=True, scenes=DISPLAYING)
_rare = partial(
    _row,
    roles=QUASI_AND_SENSITIVE,
    data_types=ANY_TYPE,
    makes_equal=True,
    claims=Claims(order=YES, format=YES, type=YES, distinctness=YES, statistics=PARTLY),
)
_mask_character = partial(
    setting, _("Mask character"), _("Stands for each hidden character."), "*", min_length=1, max_length=1
)
_kept_characters = partial(
    setting, help=_("A value too short to hide anything is masked whole."), default=0, between=(0, 100)
)


class RemoveColumnSettings(NoSettings):
    """A.3.2: the whole attribute goes."""


REMOVE_COLUMN = _row(
    key="suppression.remove_column",
    name=_("Remove the column"),
    summary=_("The attribute is left out of the result."),
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

    keep_left: int = _kept_characters(_("Characters kept on the left"))
    keep_right: int = _kept_characters(_("Characters kept on the right"))
    character: str = _mask_character()
    keep_length: bool = setting(
        _("Keep the length"),
        _("If off, every hidden part becomes four mask characters, so that the length gives nothing away."),
        True,
    )


MASK = _mask(
    key="suppression.mask",
    name=_("Mask part of each value"),
    summary=_("Some characters stay, the others become a mask character."),
    clauses=("A.3.2",),
    settings=MaskSettings,
    implementation="techniques.families.suppression.mask:Mask",
    roles=IDENTIFYING,
    data_types=frozenset({DataType.TEXT, DataType.CATEGORY, DataType.REGION}),
    claims=Claims(format=PARTLY),
    keeps=_("The length stays where that is chosen, and the characters at the ends that are kept."),
    not_for=_("Not alone: the rest of the record may still tell who it is."),
)


class MaskIdentifierSettings(TechniqueSettings):
    """C.2.1 to C.2.5, C.2.7: the usual partial mask of a known kind of identifier."""

    kind: IdentifierKind = setting(
        _("Kind of identifier"),
        _(
            "ID number: 6 and 4 characters stay; phone: 3 and 4; bank card: 6 and 4; name: the family name; "
            "e-mail: first letter and domain; address: the province and the kinds of its divisions; date: year "
            "and day. A value of another shape is masked whole."
        ),
        labels=IDENTIFIER_LABELS,
    )
    hide_serial: bool = setting(
        _("Hide the last digits too"), _("Keeps only the leading part: region, network or issuer."), False
    )
    character: str = _mask_character()


MASK_IDENTIFIER = _mask(
    key="suppression.mask_identifier",
    name=_("Mask an identifier by its kind"),
    summary=_("ID number, phone, name, bank card or e-mail, each masked in the usual way."),
    clauses=("C.2", "A.3.2", "C.2.1", "C.2.2", "C.2.3", "C.2.4", "C.2.5", "C.2.7"),
    settings=MaskIdentifierSettings,
    implementation="techniques.families.suppression.mask_identifier:MaskIdentifier",
    roles=frozenset({AttributeRole.DIRECT_IDENTIFIER}),
    data_types=frozenset({DataType.TEXT}),
    claims=Claims(format=PARTLY),
    keeps=_("The leading part stays: region, network, issuer or family name."),
    not_for=_("Not alone: the rest of the record may still tell who it is."),
    masks_live=True,
)


class RedactTextSettings(TechniqueSettings):
    """C.2, applied inside free text: what is found to be an identifier is replaced."""

    kinds: list[TextKind] = setting(
        _("Kinds of identifier to look for"),
        _("Empty: all kinds that can be found in text."),
        default_factory=list,
        max_length=50,
        labels={kind: KINDS[kind].name for kind in get_args(TextKind)},
    )
    mask: str = setting(
        _("Put in its place"),
        _("The text that stands where an identifier stood."),
        "***",
        min_length=1,
        max_length=20,
    )


REDACT_TEXT = _mask(
    key="suppression.redact_text",
    name=_("Redact identifiers in free text"),
    summary=_("Identifiers found inside the text are replaced; the rest of the text stays."),
    clauses=("C.2", "A.3.2", "T/ISC 0078 E.2", "T/ISC 0078 E.3"),
    settings=RedactTextSettings,
    implementation="techniques.families.suppression.redact_text:RedactText",
    roles=ANY_ROLE,
    data_types=frozenset({DataType.TEXT}),
    claims=Claims(type=YES),
    keeps=_("The text around what was found stays word for word."),
    not_for=_("Not where a single missed identifier would do harm: rules do not find everything."),
    notice=_("Text is incomplete where identifiers stood; do not search it for people."),
)


class RareValuesSettings(TechniqueSettings):
    """A.3.3: local suppression of values that too few rows share."""

    minimum_count: int = shared_settings.minimum_count(
        _("Fewest rows that must share a value"), _("A value in fewer rows is suppressed.")
    )
    maximum_share: float = shared_settings.suppressed_cells()
    replacement: str = setting(
        _("Put in its place"), _("Empty: the value becomes missing."), "", max_length=20
    )


RARE_VALUES = _rare(
    key="suppression.rare_values",
    name=_("Suppress rare values"),
    summary=_("A value that too few rows share is suppressed in its cells."),
    clauses=("A.3.3", "A.3.5"),
    scope=Scope.COLUMN,
    settings=RareValuesSettings,
    implementation="techniques.families.suppression.rare_values:RareValues",
    properties=TABLE_C1["local_suppression"],
    keeps=_("Values that stay do not change, unless they are replaced; rare values are undercounted."),
    not_for=_("Not for numbers with many different values: nearly all of them are rare."),
    notice=_("Rare values may be missing, so empty cells need not be random. Do not study rare cases."),
)


class RareCombinationsSettings(TechniqueSettings):
    """A.3.3: single cells of rare combinations are suppressed, as few and as unimportant ones as possible."""

    minimum_count: int = shared_settings.minimum_count(
        _("Fewest rows that must share a combination"),
        _("A missing cell stands for any value of its column."),
    )
    importance: dict[str, Annotated[float, BeforeValidator(_number)]] = setting(
        _("Column and its importance"),
        _("Cells of columns with small numbers are suppressed first. A column without a number has 1."),
        default_factory=dict,
        max_length=1000,
        columns=True,
    )
    maximum_share: float = shared_settings.suppressed_cells(
        _("Share of the step's cells, 0 to 1; the run stops if more would be suppressed.")
    )

    @model_validator(mode="after")
    def _positive(self) -> Self:
        if any(not weight > 0 for weight in self.importance.values()):
            raise PydanticCustomError("importance_not_positive", _("importance must be above 0"))
        return self


RARE_COMBINATIONS = _rare(
    key="suppression.rare_combinations",
    name=_("Suppress cells of rare combinations"),
    summary=_(
        "In rows whose combination of values is rare the least important cells are suppressed, as few as possible."
    ),
    clauses=("A.3.3", "A.3.5"),
    scope=Scope.TABLE,
    settings=RareCombinationsSettings,
    implementation="techniques.families.suppression.rare_combinations:RareCombinations",
    properties=TABLE_C1["local_suppression"],
    keeps=_(
        "Values that stay do not change; what is missing is missing just because it is rare, so that rare "
        "values are undercounted."
    ),
    not_for=_(
        "Not before generalisation: then far more cells must go. The result is not k-anonymous for readers who "
        "take a missing value for a value of its own."
    ),
)


class RareRecordsSettings(TechniqueSettings):
    """A.3.4 and A.3.5: rows whose combination is rare are left out, up to a limit."""

    minimum_count: int = shared_settings.minimum_count(
        _("Fewest rows that must share a combination"),
        _("Rows whose combination of values occurs less often are left out."),
        2,
    )
    maximum_share: float = shared_settings.suppressed_rows()


RARE_RECORDS = _rare(
    key="suppression.rare_records",
    name=_("Suppress rare records"),
    summary=_("Rows whose combination of values is rare are left out, up to a limit."),
    clauses=("A.3.4", "A.3.5"),
    scope=Scope.TABLE,
    settings=RareRecordsSettings,
    implementation="techniques.families.suppression.rare_records:RareRecords",
    properties=TABLE_C1["record_suppression"],
    missing=Missing.VALUE,
    keeps=_("Rows that stay do not change; counts and sums become smaller."),
    not_for=_("Not where rare cases are what the purpose is about."),
    notice=_("Rows that were rare may be missing, and then totals are lower than in the source."),
)


TECHNIQUES = (REMOVE_COLUMN, MASK, MASK_IDENTIFIER, REDACT_TEXT, RARE_VALUES, RARE_COMBINATIONS, RARE_RECORDS)
