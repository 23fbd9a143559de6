"""The only writer of the metadata table. Every edit makes a whole new version."""

from __future__ import annotations

import hashlib
import json
import unicodedata
import uuid
from collections.abc import Callable, Sequence
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.serialization import governed_act
from approvals.governance.verdict import deny

from . import events, rules, selectors
from .models import MetadataEntry, MetadataVersion

Entries = list[MetadataEntry]


def ensure_defaults(*, by: Person | None = None) -> MetadataVersion:
    """Lay down version 1 from the table that the product ships, unless there is a version already."""
    newest = MetadataVersion.objects.order_by("-number").first()
    if newest is not None:
        return newest
    with governed_act():
        newest = MetadataVersion.objects.order_by("-number").first()
        return _defaults_lay(by) if newest is None else newest


def _defaults_lay(by: Person | None) -> MetadataVersion:
    entries = selectors.shipped_entries()
    with recording(events.METADATA_SEEDED, by=by, entries=len(entries)) as event:
        version = MetadataVersion.objects.create(
            number=1, reason="shipped", entry_count=len(entries), content_hash=_hash(entries), created_by=by
        )
        event.subject = version.subject
        for entry in entries:
            entry.since = version
        MetadataEntry.objects.bulk_create(entries)
    return version


def entry_add(*, reason: str, by: Person, kind: str = "", **fields: Any) -> MetadataEntry:
    """Add an identifier at the end of the table; without ``kind`` it gets a code of its own."""
    kind = kind or own_kind(str(fields.get("name", "")))

    def add(entries: Entries) -> Entries:
        if any(entry.kind == kind for entry in entries):
            raise ValidationError({"kind": _("An entry of this kind already exists.")})
        last = max((entry.position for entry in entries), default=-1)
        return [*entries, MetadataEntry(kind=kind, position=last + 1, **fields)]

    _next_version(add, reason=reason, by=by)
    return selectors.metadata_entry(kind)


def entry_edit(kind: str, *, reason: str, by: Person, **fields: Any) -> MetadataEntry:
    """Change fields of the entry of ``kind``; the former row stays with the versions it belonged to."""

    def edit(entries: Entries) -> Entries:
        return [
            MetadataEntry(position=e.position, **{**e.content, **fields}) if e.kind == kind else e
            for e in entries
        ]

    _next_version(edit, reason=reason, by=by)
    return selectors.metadata_entry(kind)


def entry_remove(kind: str, *, reason: str, by: Person) -> None:
    """Take an identifier out of the table from the next version on."""
    _next_version(lambda entries: [e for e in entries if e.kind != kind], reason=reason, by=by)


def table_replace(entries: Sequence[MetadataEntry], *, reason: str, by: Person) -> MetadataVersion:
    """Make ``entries`` the whole table; those that stood before keep their place in the order."""

    def replace(current: Entries) -> Entries:
        places = {entry.kind: entry.position for entry in current}
        following = max(places.values(), default=-1) + 1
        for entry in entries:
            if entry.kind in places:
                entry.position = places[entry.kind]
            else:
                entry.position, following = following, following + 1
        return sorted(entries, key=lambda entry: entry.position)

    return _next_version(replace, reason=reason, by=by)


def _next_version(change: Callable[[Entries], Entries], *, reason: str, by: Person) -> MetadataVersion:
    """Apply ``change`` to the current table and write what differs as the next version.

    Raises ``ValidationError`` when an entry is not whole or two claim the same field name, and
    ``Refused`` when nothing would change or no reason is given. Nothing is written then.
    """
    with recording(events.METADATA_CHANGED, by=by, reason=reason.strip()) as event:
        rules.may_edit_metadata(by).require()
        if not reason.strip():
            deny(rules.OrganisationReason.REASON_NEEDED).require()
        ensure_defaults()
        previous = MetadataVersion.objects.select_for_update().order_by("-number")[0]
        current = {entry.kind: entry for entry in selectors.metadata_entries(previous.number)}
        entries = change(list(current.values()))
        entries_check(entries)
        fresh = [e for e in entries if e.kind not in current or current[e.kind].content != e.content]
        removed = sorted(set(current) - {entry.kind for entry in entries})
        if not fresh and not removed:
            deny(rules.OrganisationReason.NOTHING_CHANGED).require()
        version = MetadataVersion.objects.create(
            number=previous.number + 1,
            reason=reason.strip(),
            entry_count=len(entries),
            content_hash=_hash(entries),
            created_by=by,
        )
        changed = [entry.kind for entry in fresh if entry.kind in current]
        MetadataEntry.objects.filter(kind__in=[*changed, *removed], until=None).update(until=version)
        for entry in fresh:
            entry.id, entry.since, entry.until = uuid.uuid4(), version, None
        MetadataEntry.objects.bulk_create(fresh)
        event.subject = version.subject
        event.facts.update(
            added=len(fresh) - len(changed),
            changed=len(changed),
            removed=len(removed),
            kinds=", ".join([*(entry.kind for entry in fresh), *removed])[:500],
        )
    return version


def entries_check(entries: Sequence[MetadataEntry]) -> None:
    """Raise ``ValidationError`` (by kind) unless every entry is whole and no field name is claimed twice."""
    problems: dict[str, list[str]] = {}
    claimed: dict[str, MetadataEntry] = {}
    kinds: set[str] = set()
    for entry in entries:
        try:
            entry.clean_fields(exclude=["since", "until"])
            entry.clean()
        except ValidationError as error:
            problems.setdefault(entry.kind, []).extend(error.messages)
        if entry.kind in kinds:
            problems.setdefault(entry.kind, []).append(_("An entry of this kind already exists."))
        kinds.add(entry.kind)
        for field_name in entry.field_names:
            other = claimed.setdefault(plain_name(field_name), entry)
            if other is not entry:
                text = _("The field name “%(field)s” already belongs to “%(entry)s”.")
                problems.setdefault(entry.kind, []).append(
                    text % {"field": field_name, "entry": _(other.name)}
                )
    if problems:
        raise ValidationError(problems)


def own_kind(name: str) -> str:
    """A stable code for an identifier that is not in the vocabulary of kinds."""
    return "own_" + hashlib.sha256(name.strip().encode()).hexdigest()[:10]


def plain_name(field_name: str) -> str:
    """A field name as the look-up compares it: without case, width, spaces and punctuation."""
    return "".join(c for c in unicodedata.normalize("NFKC", field_name).casefold() if c.isalnum())


def _hash(entries: Sequence[MetadataEntry]) -> str:
    text = json.dumps([entry.content for entry in entries], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()
