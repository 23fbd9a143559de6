"""How senior management's reviews of records are drawn, for pages, the approval report and the API."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from approvals.decisions.models import ManagementOutcome, ManagementReview
from projects.core.evidence import content_of
from projects.core.models import Project
from projects.core.numbers import moment
from projects.core.sentences import as_read
from projects.findings.models import Finding
from projects.workflow import Stage

from .rules import passed_unchanged
from .selectors import REVIEWED_STAGES, findings_by_review

TONES = {ManagementOutcome.SOUND: "ok", ManagementOutcome.DEVIATING: "warn"}


@dataclass(frozen=True)
class ManagementReviewRow:
    """One review with the findings that it raised; ``is_current``: the stage still is what was judged."""

    review: ManagementReview
    is_current: bool
    findings: list[Finding]

    @property
    def stage_label(self) -> str:
        return str(Stage(self.review.stage).label)

    @property
    def tone(self) -> str:
        return TONES[ManagementOutcome(self.review.outcome)]

    @property
    def version(self) -> str:
        """Of an earlier version, in words; empty where it is of what there is now."""
        return "" if self.is_current else _("of an earlier version")

    @property
    def note(self) -> str:
        """Outcome, version, time and person, in one line."""
        said = (
            self.review.get_outcome_display(),
            self.version,
            moment(self.review.time),
            str(self.review.reviewed_by),
        )
        return " · ".join(filter(None, said))


def management_rows(project: Project, reviews: Sequence[ManagementReview]) -> list[ManagementReviewRow]:
    raised = findings_by_review(reviews)
    return [ManagementReviewRow(one, _is_current(project, one), raised[one.pk]) for one in reviews]


def _is_current(project: Project, review: ManagementReview) -> bool:
    content = content_of(project, Stage(review.stage))
    return content is not None and content.hash == review.subject_hash


def record_text(row: ManagementReviewRow) -> str:
    """All that stands of a review, for a paper."""
    review = row.review
    named = (
        (_("Object of the review"), as_read(review.object)),
        (_("Process of the review"), as_read(review.process)),
        (_("Result of the review"), as_read(review.result)),
        (_("Measures taken"), as_read(review.measures)),
        (_("Content hash"), review.subject_hash),
    )
    lines = [row.note, *(f"{label}{_(': ')}{text}" for label, text in named)]
    return "\n".join([*lines, *(f"F{one.number} {one.headline}" for one in row.findings)])


def stages_to_review(project: Project) -> list[dict[str, Any]]:
    """Each stage whose records can be reviewed now, with its page."""
    return [
        {"label": str(stage.label), "url": reverse("monitoring:oversight", args=[project.pk, stage.value])}
        for stage in REVIEWED_STAGES
        if passed_unchanged(project, stage)
    ]


def document_row(documents: Sequence[Any]) -> dict[str, Any]:
    """The line about the stage's document among those about its evidence."""
    return {
        "label": _("The document of the stage is kept"),
        "state": "done" if documents else "waiting",
        "role": "",
        "who": "",
        "hint": "",
    }
