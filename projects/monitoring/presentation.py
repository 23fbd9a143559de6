"""What the pages of monitoring show, as labels and values."""

from __future__ import annotations

from typing import Any

from django.utils.formats import date_format
from django.utils.timezone import localtime

from approvals.decisions.models import Review, ReviewOutcome
from projects.workflow import Stage


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
