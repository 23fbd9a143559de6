"""What the pages of monitoring show, as labels and values."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from approvals.decisions.models import Review, ReviewOutcome
from projects.core.numbers import number
from projects.verification.enums import CheckKind
from projects.verification.presentation import gate_rows as verified_rows
from projects.verification.wording import amount
from projects.workflow import Stage

from .models import Reassessment


class ReviewRow:
    """A stage review for the list: the fields of the review, its stage's label and a short note."""

    def __init__(self, review: Review) -> None:
        self._review = review
        self.stage_label = str(Stage(review.stage).label)
        moment = date_format(localtime(review.time), "Y-m-d H:i")
        self.note = f"{review.get_outcome_display()} · {moment} · {review.reviewed_by}"
        self.tone = "ok" if review.outcome == ReviewOutcome.PASSED else "warn"

    def __getattr__(self, name: str) -> Any:
        return getattr(self._review, name)


def standing(reassessment: Reassessment) -> tuple[str, str]:
    """Tone and word for where a re-assessment stands."""
    if reassessment.concluded_at is not None:
        return "ok", _("Concluded")
    if reassessment.release.ended_at is not None:
        return "neutral", _("No longer needed: the release has ended")
    if reassessment.is_overdue:
        days = (timezone.localdate() - reassessment.due_on).days
        return "fail", ngettext("%(n)s day overdue", "%(n)s days overdue", days) % {"n": days}
    if reassessment.opened_at is None:
        return "neutral", _("Planned")
    if reassessment.measured_at is None:
        return "info", _("Being measured")
    return "warn", _("Awaits its conclusion")


def gate_rows(reassessment: Reassessment) -> list[dict[str, Any]]:
    """What was measured against today's targets and what at approval, for the gate table; l and t as the gate told them."""
    rows = []
    for check in reassessment.measurement.get("checks", ()):
        kind = CheckKind(check["kind"])
        if kind in (CheckKind.DIVERSITY, CheckKind.CLOSENESS):
            rows += [
                asdict(row) | {"earlier": amount(check["approved"], check["unit"]) or "–"}
                for row in verified_rows([check])
            ]
            continue
        sign = "≥" if kind in (CheckKind.K, CheckKind.JOINED) else "≤"
        table = f"{check['table']}: " if check.get("table") else ""
        rows.append(
            {
                "label": f"{table}{kind.label}"
                if kind != CheckKind.INTEGRITY
                else _("The seal of the stored file is intact"),
                "target": "" if check["target"] is None else f"{sign} {number(check['target'])}",
                "measured": "–" if check["measured"] is None else number(check["measured"]),
                "earlier": "–" if check.get("approved") is None else number(check["approved"]),
                "passed": check["met"],
            }
        )
    return rows


def reassessment_row(reassessment: Reassessment) -> dict[str, Any]:
    """A line of the list and of the board."""
    tone, word = standing(reassessment)
    return {
        "reassessment": reassessment,
        "tone": tone,
        "word": word,
        "why": str(reassessment.change) if reassessment.change else _("Periodic"),
    }
