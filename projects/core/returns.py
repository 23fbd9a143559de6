"""Work that was sent back: by whom and why, whether it was changed since, and what is hashed of its justification.

The reviews and sign-offs that returned are the returns. Each is answered before the work goes on: by a change, or by
a justification. A return counts for as long as the project lives, so that a version that was returned once does not come
back unexplained after another was tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from approvals.decisions.models import Decision, Justification, Review, ReviewOutcome, SignOff
from approvals.decisions.selectors import reviews_of, signoffs_of
from approvals.decisions.services import return_justify
from approvals.governance.draft import Subject
from approvals.governance.person import Person
from approvals.request_cache import cached_read
from projects.workflow import MOVES, STATES, Stage, stage_states

from .evidence import Changes, changes_since, content_of, work_of
from .models import Project

_STAGES = list(Stage)
# Where the work is done again that a decision about content of a kind returns.
_STAGE_OF_SIGNED = {
    row.signs: STATES[target].stage
    for row in STATES.values()
    if row.signs and (target := MOVES[row.outcomes[Decision.RETURNED]].target) is not None
}


@dataclass(frozen=True)
class Return:
    """One return. ``stage`` is where the work is done again."""

    project: Project
    row: Review | SignOff
    stage: Stage
    reason: str
    by: Person
    at: datetime
    justification: Justification | None

    @property
    def unchanged(self) -> bool:
        """Whether the work stands as it was returned. Where the row does not say what the work was, its hash does."""
        if self.row.work_hash:
            return self.row.work_hash == work_of(self.project, self.stage)
        contents = [content_of(self.project, stage) for stage in Stage]
        return any(content is not None and content.hash == self.row.subject_hash for content in contents)

    @property
    def changes(self) -> Changes:
        """(label, before, after) of what is otherwise now, for who judges the work again."""
        return [] if self.unchanged else changes_since(self.project, self.subject, self.at)

    @property
    def subject(self) -> Subject:
        label = self.row.subject_label if isinstance(self.row, SignOff) else self.row.object
        return Subject(self.row.subject_kind, self.row.subject_id, label, self.row.subject_hash)


@cached_read
def returns_of(project: Project) -> list[Return]:
    """Every return in the project, youngest first."""
    reviews = [row for row in reviews_of(project.pk) if row.outcome == ReviewOutcome.RETURNED]
    signoffs = [row for row in signoffs_of(project.pk) if row.decision == Decision.RETURNED]
    if not reviews and not signoffs:
        return []
    found = [
        Return(
            project,
            row,
            Stage(row.stage),
            row.result,
            row.reviewed_by,
            row.recorded_at,
            getattr(row, "justification", None),
        )
        for row in reviews
    ]
    for row in signoffs:
        assert row.decided_by is not None
        assert row.decided_at is not None
        stage = _STAGE_OF_SIGNED[row.subject_kind]
        found.append(
            Return(
                project,
                row,
                stage,
                row.reason,
                row.decided_by,
                row.decided_at,
                getattr(row, "justification", None),
            )
        )
    return sorted(found, key=lambda one: one.at, reverse=True)


def current_return(project: Project) -> Return | None:
    """The return that the work now under way goes back to: the project's last judgement, if it returned."""
    found = returns_of(project)
    if not found or project.stage == Stage.CLOSED:
        return None
    judged = [row.recorded_at for row in reviews_of(project.pk)]
    judged += [row.decided_at for row in signoffs_of(project.pk) if row.decided_at is not None]
    return found[0] if found[0].at == max(judged) else None


def returned_among(found: QuerySet[Project]) -> QuerySet[Project]:
    """The projects of ``found`` whose last judgement returned their work: those that :func:`current_return` knows a return of."""
    own = {"project_id": OuterRef("project_id")}

    def last(rows: QuerySet[Any], at: str) -> QuerySet[Any]:
        later = Exists(Review.objects.filter(**own, recorded_at__gt=OuterRef(at)).order_by())
        decided = Exists(SignOff.objects.filter(**own, decided_at__gt=OuterRef(at)).order_by())
        return rows.filter(~later, ~decided).order_by().values("project_id")

    reviews = last(Review.objects.filter(outcome=ReviewOutcome.RETURNED), "recorded_at")
    signoffs = last(SignOff.objects.filter(decision=Decision.RETURNED), "decided_at")
    return found.exclude(state__in=stage_states(Stage.CLOSED)).filter(Q(pk__in=reviews) | Q(pk__in=signoffs))


def unexplained(project: Project) -> list[Return]:
    """Returns of this stage and those before it whose work comes back as it was, without a word why."""
    reached = _STAGES.index(project.stage)
    return [
        one
        for one in returns_of(project)
        if one.justification is None and _STAGES.index(one.stage) <= reached and one.unchanged
    ]


def justify(project: Project, text: str, *, by: Person) -> list[Justification]:
    """Keep ``text`` with every return that the work now comes back from unchanged; nothing where it was changed."""
    return [
        return_justify(one.row, subject=project.subject, text=text.strip(), by=by)
        for one in unexplained(project)
    ]


def justifications_in(project: Project, *stages: Stage) -> list[dict[str, Any]]:
    """What the content of ``stages`` says of its justifications, as it is hashed; empty where there is none."""
    return [
        {
            "returned": one.row.subject_hash,
            "by": str(one.by.pk),
            "reason": one.reason,
            "justification": one.justification.text,
            # Not by name: a person may come to be called otherwise, and the content stays what it was.
            "justified_by": str(one.justification.given_by_id),
        }
        for one in reversed(returns_of(project))
        if one.justification is not None and one.stage in stages
    ]


def justified_rows(said: Iterable[Mapping[str, Any]]) -> list[dict[str, str]]:
    """What :func:`justifications_in` says, as the rows of a table."""
    return [
        {
            "key": _("Returned, and submitted unchanged"),
            "value": _("Reason of the return: %(reason)s\nJustification: %(text)s")
            % {"reason": one["reason"], "text": one["justification"]},
            "hint": "",
        }
        for one in said
    ]


def returns_to_judge(project: Project, *stages: Stage) -> list[Return]:
    """What who judges the work of ``stages`` must know first: the return that stands, and what came back unchanged."""
    current = current_return(project)
    return [
        one
        for one in returns_of(project)
        if (current is not None and one.row == current.row) or (one.stage in stages and one.unchanged)
    ]
