"""A row of the identifier metadata table: the five fields of GB/T 37964 5.3.2."""

from __future__ import annotations

from dataclasses import dataclass, replace

from techniques.core.attributes import AttributeRole
from techniques.core.kinds import KINDS

TEXT = ("CHAR", "VARCHAR")
NUMBER = ("INTEGER", "DECIMAL")
DATE = ("DATE", "DATETIME", "VARCHAR")


@dataclass(frozen=True)
class MetadataRow:
    """One identifier of the metadata table; ``field_names`` are matched by ``lookup``, values by ``value_form`` (:mod:`.forms`)."""

    kind: str
    meaning: str
    format: str
    data_types: tuple[str, ...] = TEXT
    field_names: tuple[str, ...] = ()
    role_override: AttributeRole | None = None
    value_form: str = ""

    @property
    def name(self) -> str:
        """The identifier's name (msgid)."""
        return KINDS[self.kind].name if self.kind in KINDS else self.kind

    @property
    def role(self) -> AttributeRole:
        """The role a match suggests."""
        if self.role_override is not None:
            return self.role_override
        return KINDS[self.kind].role if self.kind in KINDS else AttributeRole.OTHER

    def called(self, names: str) -> MetadataRow:
        """The same row with its field names, separated by spaces."""
        return replace(self, field_names=tuple(names.split()))
