"""The vocabulary of identifier kinds: what a column can hold, and its usual role.

The first two groups are the lists of GB/T 37964-2019 3.7 (direct identifiers) and 3.8
(quasi-identifiers); the third holds what Chinese tables commonly carry besides. A role here is
only the usual one: whether something identifies directly depends on the context (3.6), so a
person decides and may depart from it with a reason.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from techniques.core.messages import gettext_noop as _


class AttributeRole(StrEnum):
    """What a column is for re-identification (GB/T 37964 3.6 to 3.10)."""

    DIRECT_IDENTIFIER = "direct_identifier"
    QUASI_IDENTIFIER = "quasi_identifier"
    SENSITIVE_ATTRIBUTE = "sensitive_attribute"
    OTHER = "other"


ROLE_NAMES: dict[AttributeRole, str] = {
    AttributeRole.DIRECT_IDENTIFIER: _("Direct identifier"),
    AttributeRole.QUASI_IDENTIFIER: _("Quasi-identifier"),
    AttributeRole.SENSITIVE_ATTRIBUTE: _("Sensitive attribute"),
    AttributeRole.OTHER: _("Other"),
}


class DataType(StrEnum):
    """What the values of a column are."""

    TEXT = "text"
    CATEGORY = "category"
    NUMBER = "number"
    DATE = "date"
    REGION = "region"


class Scene(StrEnum):
    """Where a result is used (T/ISC 0078 Annex B)."""

    STATISTICS = "statistics"
    DEVELOPMENT = "development"
    DISPLAY = "display"
    OPERATIONS = "operations"


@dataclass(frozen=True)
class Kind:
    """A kind of identifier: stable code, name to show, usual role, the clause that lists it."""

    code: str
    name: str
    role: AttributeRole
    clause: str


_DIRECT = AttributeRole.DIRECT_IDENTIFIER
_QUASI = AttributeRole.QUASI_IDENTIFIER
_SENSITIVE = AttributeRole.SENSITIVE_ATTRIBUTE
_OTHER = AttributeRole.OTHER

_ALL = (
    # the eighteen of 3.7
    Kind("person_name", _("Personal name"), _DIRECT, "3.7"),
    Kind("id_number", _("Citizen identity number"), _DIRECT, "3.7"),
    Kind("passport", _("Passport number"), _DIRECT, "3.7"),
    Kind("driving_licence", _("Driving licence number"), _DIRECT, "3.7"),
    Kind("address", _("Address"), _DIRECT, "3.7"),
    Kind("email", _("E-mail address"), _DIRECT, "3.7"),
    Kind("phone", _("Telephone number"), _DIRECT, "3.7"),
    Kind("fax", _("Fax number"), _DIRECT, "3.7"),
    Kind("bank_card", _("Bank card number"), _DIRECT, "3.7"),
    Kind("licence_plate", _("Vehicle licence plate"), _DIRECT, "3.7"),
    Kind("vin", _("Vehicle identification number"), _DIRECT, "3.7"),
    Kind("social_security", _("Social insurance number"), _DIRECT, "3.7"),
    Kind("health_card", _("Health card number"), _DIRECT, "3.7"),
    Kind("medical_record", _("Medical record number"), _DIRECT, "3.7"),
    Kind("device_id", _("Device identifier"), _DIRECT, "3.7"),
    Kind("biometric", _("Biometric code"), _DIRECT, "3.7"),
    Kind("ip_address", _("IP address"), _DIRECT, "3.7"),
    Kind("url", _("Web address (URL)"), _DIRECT, "3.7"),
    # 3.8
    Kind("gender", _("Gender"), _QUASI, "3.8"),
    Kind("birth_date", _("Date of birth"), _QUASI, "3.8"),
    Kind("age", _("Age"), _QUASI, "3.8"),
    Kind("event_date", _("Date of an event"), _QUASI, "3.8"),
    Kind("date", _("Date"), _QUASI, "3.8"),
    Kind("region", _("Place or region"), _QUASI, "3.8"),
    Kind("postal_code", _("Postal code"), _QUASI, "3.8"),
    Kind("ancestry", _("Ancestry"), _QUASI, "3.8"),
    Kind("birth_country", _("Country of birth"), _QUASI, "3.8"),
    Kind("language", _("Language"), _QUASI, "3.8"),
    Kind("indigenous", _("Indigenous identity"), _QUASI, "3.8"),
    Kind("ethnic_group", _("Ethnic group"), _QUASI, "3.8"),
    Kind("occupation", _("Occupation"), _QUASI, "3.8"),
    Kind("marital_status", _("Marital status"), _QUASI, "3.8"),
    Kind("education", _("Level of education"), _QUASI, "3.8"),
    Kind("school_years", _("Years of schooling"), _QUASI, "3.8"),
    Kind("criminal_record", _("Criminal record"), _QUASI, "3.8"),
    Kind("income", _("Total income"), _QUASI, "3.8"),
    Kind("religion", _("Religion"), _QUASI, "3.8"),
    # what Chinese tables carry besides
    Kind("id_number_like", _("Identity number with a wrong check digit"), _DIRECT, "3.7"),
    Kind("hk_mo_tw_permit", _("Hong Kong, Macao or Taiwan permit number"), _DIRECT, "3.7"),
    Kind("credit_code", _("Unified social credit code"), _DIRECT, "3.7"),
    Kind("messenger", _("Messenger account (WeChat, QQ)"), _DIRECT, "3.7"),
    Kind("student_number", _("Student number"), _DIRECT, "3.7"),
    Kind("staff_number", _("Staff number"), _DIRECT, "3.7"),
    Kind("account_name", _("User account"), _DIRECT, "3.7"),
    Kind("insurance_number", _("Medical insurance number"), _DIRECT, "3.7"),
    Kind("photo", _("Photograph"), _DIRECT, "3.7"),
    Kind("row_number", _("Row number"), _DIRECT, "5.5.2"),
    Kind("record_key", _("Key of a person or record"), _DIRECT, "5.3.4"),
    Kind("unique_key", _("Key that is unique in nearly every row"), _DIRECT, "5.3.4"),
    Kind("unique_value", _("Value that is unique in nearly every row"), _QUASI, "5.3.4"),
    Kind("coordinates", _("Geographic coordinates"), _QUASI, "3.8"),
    Kind("workplace", _("Workplace or school"), _QUASI, "3.8"),
    Kind("household_type", _("Type of household registration"), _QUASI, "3.8"),
    Kind("diagnosis", _("Diagnosis or disease"), _SENSITIVE, "3.10"),
    Kind("medication", _("Medication or treatment"), _SENSITIVE, "3.10"),
    Kind("lab_result", _("Test result"), _SENSITIVE, "3.10"),
    Kind("fee", _("Fee or amount"), _SENSITIVE, "3.10"),
    Kind("account_balance", _("Account balance or transaction"), _SENSITIVE, "3.10"),
    Kind("credit_rating", _("Credit rating"), _SENSITIVE, "3.10"),
    Kind("political_status", _("Political status"), _SENSITIVE, "3.10"),
    Kind("sexual_orientation", _("Sexual orientation"), _SENSITIVE, "3.10"),
    Kind("genetic", _("Genetic data"), _SENSITIVE, "3.10"),
    Kind("trajectory", _("Movements and tracks"), _SENSITIVE, "3.10"),
    Kind("password", _("Password or secret"), _SENSITIVE, "3.10"),
    Kind("department", _("Department"), _OTHER, ""),
    Kind("free_text", _("Free text"), _OTHER, "5.3.3"),
)

KINDS: dict[str, Kind] = {kind.code: kind for kind in _ALL}

DIRECT_IDENTIFIERS_OF_3_7: tuple[str, ...] = tuple(kind.code for kind in _ALL[:18])
"""The codes of the eighteen direct identifiers that the standard's note lists."""


def role_of(kind: str) -> AttributeRole:
    """The usual role of ``kind``; :attr:`AttributeRole.OTHER` for a kind that is not in the vocabulary."""
    known = KINDS.get(kind)
    return known.role if known else AttributeRole.OTHER
