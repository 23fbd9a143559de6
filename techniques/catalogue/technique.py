"""What the catalogue says of one technique: family, scope, clause, Table C.1 row, claims, parameters."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from techniques.catalogue.claims import Claims
from techniques.catalogue.table_c1 import Properties
from techniques.core.fields import describe
from techniques.core.kinds import Role
from techniques.core.messages import gettext_noop
from techniques.core.settings import Parameters


class Family(StrEnum):
    """The families of Annex A and B, in the standard's order."""

    STATISTICAL = "statistical"
    ENCRYPTION = "encryption"
    SUPPRESSION = "suppression"
    PSEUDONYMISATION = "pseudonymisation"
    GENERALISATION = "generalisation"
    RANDOMISATION = "randomisation"
    SYNTHESIS = "synthesis"
    MODEL = "model"
    NONE = "none"


FAMILY_NAMES: dict[Family, str] = {
    Family.STATISTICAL: gettext_noop("Statistical techniques"),
    Family.ENCRYPTION: gettext_noop("Cryptographic techniques"),
    Family.SUPPRESSION: gettext_noop("Suppression"),
    Family.PSEUDONYMISATION: gettext_noop("Pseudonymisation"),
    Family.GENERALISATION: gettext_noop("Generalisation"),
    Family.RANDOMISATION: gettext_noop("Randomisation"),
    Family.SYNTHESIS: gettext_noop("Synthesis"),
    Family.MODEL: gettext_noop("Privacy models"),
    Family.NONE: gettext_noop("No technique"),
}


class DataType(StrEnum):
    """What the values of a column are."""

    TEXT = "text"
    CATEGORY = "category"
    NUMBER = "number"
    DATE = "date"
    REGION = "region"


class Scope(StrEnum):
    """What a technique works on, which decides how the engine runs it."""

    STRUCTURE = "structure"
    """Keeps or removes a column; nothing is computed."""
    COLUMN = "column"
    """Works on the distinct values of one column; naming several columns treats each by itself."""
    TABLE = "table"
    """Works on the combinations of all its columns together."""


class Missing(StrEnum):
    """What becomes of missing values; in no technique do they turn into a value unseen."""

    KEPT = "kept"
    VALUE = "value"
    ROW = "row"
    MOVED = "moved"
    LEFT_OUT = "left_out"
    DRAWN = "drawn"


MISSING_TEXTS: dict[Missing, str] = {
    Missing.KEPT: gettext_noop("Missing values stay missing."),
    Missing.VALUE: gettext_noop("Missing counts as a value of its own when rows are compared."),
    Missing.ROW: gettext_noop("A row in which one of the columns is missing loses the others too."),
    Missing.MOVED: gettext_noop("Missing values change places like all others; there are as many as before."),
    Missing.LEFT_OUT: gettext_noop("Figures are about the values that are there; missing is a group of its own."),
    Missing.DRAWN: gettext_noop("Cells are missing about as often as before, in made-up rows like any other value."),
}  # fmt: skip


@dataclass(frozen=True)
class TechniqueSpec:
    """One technique. ``name`` and ``summary`` are untranslated texts."""

    key: str
    family: Family
    name: str
    summary: str
    clauses: tuple[str, ...]
    scope: Scope
    parameters: type[Parameters]
    implementation: str
    roles: frozenset[Role]
    data_types: frozenset[DataType]
    properties: Properties | None = None
    reversible: bool = False
    needs_key: bool = False
    random: bool = False
    only_masks: bool = False
    """A.3.2: if nothing stronger is used, security and management measures must be added (G-109)."""
    claims: Claims | None = None
    """What the technique keeps and breaks, and when not to use it; property tests hold each of them."""
    missing: Missing = Missing.KEPT
    """What becomes of missing values."""

    def as_dict(self) -> dict[str, Any]:
        """Everything a client needs to choose and to fill in this technique, as JSON-ready values."""
        row = self.properties
        return {
            "key": self.key,
            "family": self.family.value,
            "name": self.name,
            "summary": self.summary,
            "clauses": list(self.clauses),
            "scope": self.scope.value,
            "roles": sorted(role.value for role in self.roles),
            "data_types": sorted(kind.value for kind in self.data_types),
            "reversible": self.reversible,
            "needs_key": self.needs_key,
            "random": self.random,
            "table_c1": None
            if row is None
            else {
                "row": row.row,
                "truthful": row.truthful,
                "data_types": row.data_types,
                "attributes": row.attributes,
                "singling_out": row.singling_out.value,
                "linking": row.linking.value,
                "inference": row.inference.value,
                "cost": row.cost.value,
                "uncertain": list(row.uncertain),
            },
            "missing": self.missing.value,
            "claims": None if self.claims is None else self.claims.as_dict(),
            "parameters": [field.as_dict() for field in describe(self.parameters)],
        }
