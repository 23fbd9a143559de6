"""Reading the metadata table, its versions, and the rule library."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet, Subquery
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from approvals.request_cache import cached_read
from projects.identification.enums import ENGINE_ROLE, ROLE_OF_ENGINE, ColumnRole
from projects.identification.lookup import MetadataTable
from techniques.core.attributes import AttributeRole
from techniques.core.kinds import KINDS
from techniques.identification.metadata.lookup import DEFAULT_METADATA_TABLE, MetadataRow

from .models import MetadataEntry, MetadataVersion

SHIPPED = 0
"""The version number that stands for the table as shipped, before anybody has edited it."""


def shipped_entries() -> list[MetadataEntry]:
    """The table that the product ships, as unsaved entries."""
    return [
        MetadataEntry(
            kind=row.kind,
            position=position,
            name=row.name,
            meaning=row.meaning,
            format=row.format,
            data_types=list(row.data_types),
            field_names=list(dict.fromkeys(row.field_names)),
            role=ROLE_OF_ENGINE[row.role.value],
        )
        for position, row in enumerate(DEFAULT_METADATA_TABLE)
    ]


def versions() -> QuerySet[MetadataVersion]:
    return MetadataVersion.objects.select_related("created_by")


def current_version() -> int:
    """The number of the current version; 0 while the table is as shipped."""
    number = MetadataVersion.objects.order_by("-number").values_list("number", flat=True).first()
    return SHIPPED if number is None else number


@cached_read
def _current() -> tuple[int, list[MetadataEntry]]:
    """The number of the current version and its entries, with one statement unless there are none."""
    number = MetadataVersion.objects.order_by("-number").values("number")[:1]
    entries: list[Any] = list(MetadataEntry.objects.filter(until=None).annotate(newest=Subquery(number)))
    if entries:
        return entries[0].newest, entries
    newest = current_version()
    return newest, shipped_entries() if newest == SHIPPED else []


def metadata_entries(version: int | None = None) -> list[MetadataEntry]:
    """The entries of ``version`` (default: the current one), in order of precedence.

    Raises ``MetadataVersion.DoesNotExist`` for a version that never was.
    """
    newest, entries = _current()
    if version is None or version == newest:
        return list(entries)
    if not 0 < version <= newest:
        raise MetadataVersion.DoesNotExist
    held = Q(since__lte=version) & (Q(until=None) | Q(until__gt=version))
    return list(MetadataEntry.objects.filter(held))


def metadata_entry(kind: str) -> MetadataEntry:
    """The current entry of ``kind``; raises ``MetadataEntry.DoesNotExist``."""
    for entry in metadata_entries():
        if entry.kind == kind:
            return entry
    raise MetadataEntry.DoesNotExist


def metadata_table() -> MetadataTable:
    """The table in the engine's terms; what the look-up method of every project uses."""
    rows, names = [], {}
    for entry in metadata_entries():
        role = AttributeRole(ENGINE_ROLE[ColumnRole(entry.role)])
        known = KINDS.get(entry.kind)
        if known is None:
            names[entry.kind] = entry.name
        rows.append(
            MetadataRow(
                kind=entry.kind,
                meaning=entry.meaning,
                format=entry.format,
                data_types=tuple(entry.data_types),
                field_names=tuple(entry.field_names),
                value_form=entry.value_form,
                role_override=None if known is not None and known.role == role else role,
            )
        )
    version, _entries = _current()
    return MetadataTable("shipped" if version == SHIPPED else str(version), rows, names)


@dataclass(frozen=True)
class VersionChange:
    """How one entry differs between a version and the one before it; None where it was not there."""

    kind: str
    before: MetadataEntry | None
    after: MetadataEntry | None

    @property
    def title(self) -> str:
        entry = self.after or self.before
        return "" if entry is None else gettext(entry.name)

    @property
    def rows(self) -> list[tuple[str, str, str]]:
        """(label, before, after) of each field, for a table of differences."""
        return [(label, _shown(self.before, name), _shown(self.after, name)) for name, label in _FIELDS]


_FIELDS: tuple[tuple[str, Any], ...] = (
    ("name", _("Identifier name")),
    ("meaning", _("Meaning")),
    ("format", _("Format")),
    ("data_types", _("Common data types")),
    ("field_names", _("Common field names")),
    ("role", _("Suggested role")),
    ("value_form", _("Form of the values")),
)


def _shown(entry: MetadataEntry | None, name: str) -> str:
    if entry is None:
        return ""
    if name == "role":
        return str(ColumnRole(entry.role).label)
    value = getattr(entry, name)
    if name == "value_form":
        return str(value)
    return _(", ").join(value) if isinstance(value, list) else gettext(value)


def version_changes(number: int) -> list[VersionChange]:
    """What version ``number`` changed, in order of precedence."""
    version = MetadataVersion.objects.get(pk=number)
    after = {entry.kind: entry for entry in version.added.all()}
    before = {entry.kind: entry for entry in version.ended.all()}
    return [VersionChange(kind, before.get(kind), after.get(kind)) for kind in {**before, **after}]
