"""The organisation's letterhead: its only writer, and how it is read."""

from __future__ import annotations

import hashlib
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import get_language

from approvals.audit.recording import recording
from approvals.documents.letterhead import Letterhead, Logo, Mark
from approvals.governance.person import Person
from approvals.governance.serialization import governed_act
from approvals.governance.verdict import deny

from .. import events, rules
from ..models import LetterheadVersion


def versions() -> QuerySet[LetterheadVersion]:
    """Every version, the newest first; the first one holds."""
    return LetterheadVersion.objects.select_related("made_by")


def letterhead_now() -> Letterhead:
    """The letterhead of a document that is made now, in the active language."""
    newest = LetterheadVersion.objects.first()
    if newest is None:
        return Letterhead()
    name = newest.name_en if get_language() == "en" and newest.name_en else newest.name
    return Letterhead(name, newest.picture, str(Mark(newest.mark).label) if newest.mark else "")


def letterhead_set(
    *, name: str, name_en: str = "", mark: str = "", logo: Logo | None = None, by: Person
) -> LetterheadVersion:
    """Lay down the next version. Documents that exist stay as they are."""
    name, name_en = name.strip(), name_en.strip()
    content = logo.content if logo else b""
    facts: dict[str, Any] = {
        "name": name,
        "mark": mark,
        "logo": hashlib.sha256(content).hexdigest() if content else "",
    }
    with governed_act(), recording(events.LETTERHEAD_SET, by=by, **facts) as event:
        rules.may_set_letterhead(by).require()
        last = LetterheadVersion.objects.first()
        now = (name, name_en, mark, content)
        if last is not None and (last.name, last.name_en, last.mark, bytes(last.logo)) == now:
            deny(rules.OrganisationReason.NOTHING_CHANGED).require()
        made = LetterheadVersion.objects.create(
            number=last.number + 1 if last else 1,
            name=name,
            name_en=name_en,
            mark=mark,
            logo=content,
            logo_type=logo.media_type if logo else "",
            made_by=by,
        )
        event.subject = made.subject
        return made
