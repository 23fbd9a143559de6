"""The register in words: the same for its page and the API."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from projects.core.numbers import count
from projects.releases.agreements.approvals import approval_text
from projects.releases.agreements.checks import interval_text
from projects.releases.models import Agreement, Release
from projects.releases.relatives.outside.presentation import kin_row
from projects.releases.relatives.presentation import FOUND, NOT_MEASURED, NOTHING, relative_row

from .selectors import HolderLine, Overlap, ReleaseLine

IN_PART = ("warn", gettext_lazy("Measured in part"))


def release_state(release: Release) -> tuple[str, str]:
    """Tone and word of whether it can be fetched."""
    if release.ended_at is not None:
        return "neutral", _("Ended")
    if release.seal_broken_at is not None:
        return "fail", _("The seal is broken")
    return "ok", _("In force")


def agreement_state(agreement: Agreement) -> tuple[str, str]:
    """Tone and word of the terms by which somebody holds a release."""
    if agreement.ended_at is not None:
        return "neutral", _("Ended")
    if not agreement.in_force:
        return "warn", _("Not in its term")
    return ("ok", _("In force")) if agreement.is_accepted else ("warn", _("Not accepted yet"))


def overlap_state(line: ReleaseLine) -> tuple[str, str]:
    """What is known of the release together with its overlaps."""
    if line.is_risky is None or (line.outside and not line.overlaps):
        tone, word = NOT_MEASURED
    elif line.tells_more is None:
        tone, word = IN_PART
    else:
        tone, word = FOUND if line.is_risky else NOTHING
    return tone, str(word)


def line_row(line: ReleaseLine, *, may_read_outside: bool) -> dict[str, Any]:
    """One release as every reader gets it."""
    tone, word = release_state(line.release)
    measured_tone, measured = overlap_state(line)
    return {
        "line": line,
        "tone": tone,
        "state": word,
        "files": [
            {
                "file": one,
                "rows": ngettext("%(n)s row", "%(n)s rows", one.rows) % {"n": count(one.rows)},
                "columns": _(", ").join(one.columns),
                "subject": _(", ").join(one.subject) or _("none named in the recipe"),
            }
            for one in line.files
        ],
        "holders": [_holder(one, line.is_enclave) for one in line.holders],
        "overlaps": [_overlap(one) for one in line.overlaps],
        "outside": [kin_row(one, may_read=may_read_outside) for one in line.outside],
        "measured_tone": measured_tone,
        "measured": measured,
    }


def _holder(one: HolderLine, in_enclave: bool) -> dict[str, Any]:
    tone, word = agreement_state(one.agreement)
    times = ngettext("fetched %(n)s time", "fetched %(n)s times", one.fetched) % {"n": count(one.fetched)}
    return {
        "holder": one,
        "tone": tone,
        "state": word,
        "fetched": times if one.fetched else _("not fetched"),
        "checks": interval_text(one.agreement.check_months, in_enclave=in_enclave),
        "approval": approval_text(one.agreement.fetch_approval),
    }


def _overlap(one: Overlap) -> dict[str, Any]:
    row = relative_row(one.relative, one.release, one.name, one.is_known)
    return row | {"project": one.release.project_id, "by_one": _(", ").join(one.by_one)}
