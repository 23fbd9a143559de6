"""Releases made outside the portal in words: the same for pages, signers and programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from projects.core.numbers import moment
from projects.objective.targets.register.content import Ground

from .kinship import OutsideKin
from .models import OutsideRelease


def entry_state(entry: OutsideRelease) -> tuple[str, str]:
    """Tone and word of whether the entry counts, and whether the release may still be used."""
    if entry.withdrawn_at is not None:
        return "neutral", _("Entry withdrawn")
    return ("ok", _("In force")) if entry.in_force else ("neutral", _("Ended"))


def entry_row(entry: OutsideRelease) -> dict[str, Any]:
    """An entry as the register and its own page show it."""
    tone, word = entry_state(entry)
    return {
        "entry": entry,
        "tone": tone,
        "state": word,
        "columns": _(", ").join(entry.columns),
        "subject": _(", ").join(entry.subject_columns) or _("not known"),
        "treatment": entry.treatment or _("not known"),
        "term": entry.valid_until.isoformat() if entry.valid_until else _("without end"),
    }


def entry_facts(entry: OutsideRelease) -> list[tuple[str, Any]]:
    """All that was written down, in the order in which it is asked."""
    row = entry_row(entry)
    facts: list[tuple[str, Any]] = [
        (_("State"), row["state"]),
        (_("What was released"), entry.name),
        (_("Data source"), entry.source),
        (_("Released on"), entry.released_on.isoformat()),
        (_("Sharing type"), entry.get_sharing_type_display()),
        (_("Recipients"), entry.recipients),
        (_("Columns that tell persons apart"), row["subject"]),
        (_("Columns"), row["columns"]),
        (_("How it was treated"), row["treatment"]),
        (_("Valid until and including"), row["term"]),
        (_("Where the evidence lies"), entry.evidence),
        (_("SHA-256 of the released file"), entry.sha256 or _("not known")),
        (_("Why it was made outside the portal"), entry.why_outside),
        (
            _("Recorded"),
            _("%(who)s, %(when)s") % {"who": entry.recorded_by, "when": moment(entry.recorded_at)},
        ),
    ]
    if entry.replaces is not None:
        facts.append((_("Replaces"), str(entry.replaces)))
    return facts


def kin_row(one: OutsideKin, *, may_read: bool) -> dict[str, Any]:
    """A release made outside beside a result; who may not read the entry learns its mark and the reason."""
    entry = one.entry
    return {
        "id": str(entry.pk) if may_read else None,
        "mark": entry.mark,
        "name": str(entry) if may_read else entry.mark,
        "why": _("; ").join(str(Ground(ground).label) for ground in one.kin.grounds),
        "columns": list(one.kin.columns),
        "released_on": entry.released_on,
    }


def unmeasurable_text(found: Sequence[OutsideKin]) -> str:
    """What nobody could measure; "" without any."""
    if not found:
        return ""
    return ngettext(
        "%(n)s release made outside the portal may concern the same persons (%(marks)s); what it reveals together with this result could not be measured, because the portal does not have its file.",
        "%(n)s releases made outside the portal may concern the same persons (%(marks)s); what they reveal together with this result could not be measured, because the portal does not have their files.",
        len(found),
    ) % {"n": len(found), "marks": _(", ").join(one.entry.mark for one in found)}
