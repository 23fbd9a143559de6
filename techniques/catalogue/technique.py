"""The row of one technique: its settings, the standard's clauses, what it keeps and breaks, and its traits.

Every fact about a technique stands in its row, in the file of its family beside its settings. No other module
keeps a table by the codes of techniques; who needs another fact gives the row another field.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import Any

from techniques.catalogue.family import FAMILIES, AnnexA, Family
from techniques.catalogue.table_c1 import NO, Effect, Properties
from techniques.core.attributes import AttributeRole, DataType, Scene
from techniques.core.fields import describe
from techniques.core.messages import _
from techniques.core.settings import TechniqueSettings

ANY_ROLE = frozenset(AttributeRole)
ANY_TYPE = frozenset(DataType)
IDENTIFYING = frozenset({AttributeRole.DIRECT_IDENTIFIER, AttributeRole.QUASI_IDENTIFIER})
QUASI_AND_SENSITIVE = frozenset({AttributeRole.QUASI_IDENTIFIER, AttributeRole.SENSITIVE_ATTRIBUTE})
PERSONAL = IDENTIFYING | QUASI_AND_SENSITIVE
NOT_DIRECT = ANY_ROLE - {AttributeRole.DIRECT_IDENTIFIER}
DISPLAYING = frozenset({Scene.DISPLAY, Scene.OPERATIONS})


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
    Missing.KEPT: _("Missing values stay missing."),
    Missing.VALUE: _("Missing counts as a value of its own when rows are compared."),
    Missing.ROW: _("A row in which one of the columns is missing loses the others too."),
    Missing.MOVED: _("Missing values change places like all others; there are as many as before."),
    Missing.LEFT_OUT: _("Figures are about the values that are there; missing is a group of its own."),
    Missing.DRAWN: _("Cells are missing about as often as before, in made-up rows like any other value."),
}  # fmt: skip


class WayBack(StrEnum):
    """How values are got back from results (GB/T 37964 A.2, A.4)."""

    DECRYPTION = "decryption"
    """With the key of the run, from the result alone."""
    MAPPING_TABLE = "mapping_table"
    """From the table of what was assigned to what (A.4.2)."""
    RECOMPUTATION = "recomputation"
    """Not from the result: by deriving the pseudonyms of the source's values anew and comparing (A.4.3)."""
    RECOMBINATION = "recombination"
    """From the files of enough holders of secret shares, row by row (A.2.6)."""


@dataclass(frozen=True)
class Claims:
    """What a technique keeps and breaks of the values (GB/T 37964 5.4.3 d to j); property tests hold each claim.

    A claim speaks of the values that stay. ``YES`` holds for every input, ``PARTLY`` as :attr:`Technique.keeps` says,
    ``NO`` is no promise: single inputs may still come out so.
    """

    order: Effect = NO
    """Smaller values stay smaller or equal."""
    format: Effect = NO
    """Length and kinds of characters stay."""
    type: Effect = NO
    """Numbers stay numbers, dates stay dates."""
    distinctness: Effect = NO
    """Different values stay different, equal values equal."""
    statistics: Effect = NO
    """Counts, means or relations between columns stay, as the note says."""
    reversible: Effect = NO
    """Who holds the key gets the values back."""


@dataclass(frozen=True, kw_only=True)
class Technique:
    """One technique. All texts are untranslated."""

    key: str
    family: Family
    name: str
    summary: str
    clauses: tuple[str, ...]
    """Of GB/T 37964, the one that describes the technique first; of T/ISC 0078 where it is named."""
    papers: tuple[str, ...] = ()
    """That say how it works, where no clause does."""
    scope: Scope
    settings: type[TechniqueSettings]
    implementation: str = ""
    """``module:name`` of a callable ``(settings, context) -> Operation``; empty where nothing is computed."""
    roles: frozenset[AttributeRole]
    """What attributes it is meant for."""
    data_types: frozenset[DataType]
    properties: Properties | None = None
    """Its row of Table C.1."""
    claims: Claims | None = None
    """What it keeps and breaks; None where that is not asked: the column goes, or stays as it is."""
    keeps: str = ""
    """What is kept, in words."""
    not_for: str = ""
    """When not to use it."""
    missing: Missing = Missing.KEPT
    """What becomes of missing values."""
    way_back: WayBack | None = None
    """How its results lead back to the values, where some settings of it allow that."""
    needs_key: bool = False
    random: bool = False
    only_masks: bool = False
    """A.3.2: if nothing stronger is used, security and management measures must be added."""
    national: bool = True
    """Whether it can do with national cryptography (A.2.1), or needs none."""
    computable: bool = False
    """A.2.5: its results stand for sums that are computed on them, in no result themselves."""
    makes_equal: bool = False
    """5.4.3 k: several records come to share a value; so do all techniques that generalise."""
    replaces_by_made_up: bool = False
    """5.5.2 a: every value becomes a made-up one of the same kind, which looks like somebody's: only the source tells
    whose it is."""
    joins_tables: bool = False
    """5.4.3 i: equal values become equal in all tables, which is what it is chosen for."""
    bounds_risk: bool = False
    """5.4.3 a: the risk that remains is bounded by a number."""
    previewable: bool = True
    """Whether a handful of rows shows what it does: not where nobody can read its values, where its rows are not
    those of the source, or where it needs many rows."""
    whole_table: bool = False
    """4.2 d: needs all rows at once, so that it runs on one machine only, whatever its settings."""
    masks_live: bool = False
    """T/ISC 0078 B.3: shows a part of a single value: nothing is learned from others, drawn, or kept to go back."""
    scenes: frozenset[Scene] = frozenset()
    """T/ISC 0078 Annex B: scenes of use that it suits, beside those of its family."""
    annex_a: AnnexA = field(default_factory=AnnexA)
    notice: str = ""
    """What a recipient must not compute from its results (4.4); empty: what is said of its family. It tells no
    setting that would help to undo anything."""

    @property
    def makes_pseudonyms(self) -> bool:
        """Whether equal values of a run become equal ones that stand for them; not ciphertexts that are drawn anew for each cell."""
        encrypted = (
            self.family is Family.ENCRYPTION and self.claims is not None and self.claims.distinctness != NO
        )
        return encrypted or self.family is Family.PSEUDONYMISATION

    def properties_with(self, settings: TechniqueSettings) -> Properties | None:
        """Its row of Table C.1; what joins releases does nothing against linking."""
        row = self.properties
        return replace(row, linking=NO) if row and settings.joins_releases else row

    @property
    def clause(self) -> str:
        """Where the standard describes it."""
        return self.clauses[0]

    @property
    def prepares(self) -> bool:
        """5.4.2: it belongs to preparation, by bringing into form, sampling, or putting rows together."""
        return any(clause.startswith("5.4.2") for clause in self.clauses)

    @property
    def treats(self) -> bool:
        """Whether it changes what a value tells, and not only how it is written."""
        return self.family not in (Family.NONE, Family.PREPARATION)

    @property
    def makes_up_rows(self) -> bool:
        """A.7: its rows are nobody's."""
        return self.family is Family.SYNTHESIS and self.scope is Scope.TABLE

    @property
    def reversible(self) -> bool:
        """Whether the key brings the values back from the result alone."""
        return self.way_back is WayBack.DECRYPTION

    @property
    def forms_no_classes(self) -> bool:
        """Whether it moves values about without making any two alike: quasi-identifiers stay as telling as the gate counts
        them."""
        return self.family is Family.RANDOMISATION and not self.makes_equal

    @property
    def recipient_notice(self) -> str:
        """What a recipient must not compute from its results (4.4), whatever the settings."""
        return self.notice or FAMILIES[self.family].notice

    def basis(self, settings: TechniqueSettings) -> tuple[list[str], list[str]]:
        """Clauses and papers that it rests on with these settings."""
        clauses = [*self.clauses, *settings.more_clauses]
        return list(dict.fromkeys(clauses)), list(dict.fromkeys([*self.papers, *settings.papers]))

    def notice_with(self, settings: TechniqueSettings) -> str:
        """The same with these settings: an untranslated message, in which they may stand by their names."""
        return settings.notice or self.recipient_notice

    def needs_whole_table(self, settings: TechniqueSettings) -> bool:
        """4.2 d: whether with these settings all rows have to be in one place, and not only what they hold, counted."""
        return self.whole_table or settings.needs_whole_table

    def suits(self, scene: Scene) -> bool:
        """Whether T/ISC 0078 Annex B names it, or its family, for ``scene``."""
        return scene in self.scenes or scene in FAMILIES[self.family].scenes

    def named(self, dimension: str) -> float | None:
        """What T/ISC 0078 Annex A says of it, or else of its family, in one of the four dimensions."""
        own: float | None = getattr(self.annex_a, dimension)
        return getattr(FAMILIES[self.family].annex_a, dimension) if own is None else own

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
            "table_c1": row and asdict(row) | {"uncertain": list(row.uncertain)},
            "missing": self.missing.value,
            "claims": self.claims and asdict(self.claims) | {"notes": self.keeps, "not_for": self.not_for},
            "parameters": [field.as_dict() for field in describe(self.settings)],
        }
