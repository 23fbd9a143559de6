"""What an attribute is: its role in re-identification and its type of data; and where a result is used."""

from __future__ import annotations

from enum import StrEnum

from techniques.core.messages import _


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
