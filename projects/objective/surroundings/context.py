"""The assessment of the surroundings: its only writer, and reading it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.serialization import governed_act
from approvals.governance.verdict import deny
from projects.core.models import Project
from projects.core.numbers import percent
from projects.core.services import project_lock
from techniques.disclosure_risk.scales.context import ContextAnswers, assess_context

from .. import events
from ..enums import Level
from ..models import ContextAssessment, Objective
from ..rules import ObjectiveReason, may_assess
from ..selectors import risk_targets
from ..services import risk_save
from ..wording import ASSESSED


def assessments_of(project: Project) -> QuerySet[ContextAssessment]:
    """All of them, newest first."""
    return ContextAssessment.objects.filter(project=project).select_related("project", "made_by", "taken_by")


def context_assess(project: Project, *, answers: Mapping[str, Any], by: Person) -> ContextAssessment:
    """Keep the answers with what follows from them; the same answers change nothing.

    Raises EngineError for answers that are missing or out of range.
    """
    with governed_act():
        project = project_lock(project)
        may_assess(by, project).require()
        said = ContextAnswers.from_data(dict(answers))
        threshold = risk_targets(project).overall_threshold
        sharing: Any = project.sharing_type
        found = assess_context(said, threshold, sharing).as_dict(said)
        last = assessments_of(project).first()
        if last is not None and last.content_hash == found["sha256"]:
            return last
        with recording(events.CONTEXT_ASSESSED, by=by, project_id=project.pk) as event:
            assessment = ContextAssessment.objects.create(
                project=project,
                number=last.number + 1 if last else 1,
                answers=found["answers"],
                finding=found["finding"],
                content_hash=found["sha256"],
                made_by=by,
            )
            event.subject = assessment.subject
            event.facts["value"] = round(assessment.finding["value"], 4)
            return assessment


def context_take(project: Project, *, by: Person) -> Objective:
    """Put the newest assessment into the risk targets: the probability, and where it comes from."""
    with governed_act():
        project = project_lock(project)
        may_assess(by, project).require()
        assessment = assessments_of(project).first()
        if assessment is None:
            deny(ObjectiveReason.NO_ASSESSMENT).require()
        assert assessment is not None
        value = max(round(assessment.finding["value"], 6), 1e-6)
        with recording(events.CONTEXT_TAKEN, by=by, about=assessment, value=round(value, 4)):
            targets = risk_targets(project).model_copy(
                update={"context_risk": value, "context_reason": reason_of(assessment)}
            )
            objective = risk_save(project, risk=type(targets)(**targets.model_dump()), by=by)
            assessment.taken_by, assessment.taken_at = by, timezone.now()
            assessment.save()
            return objective


def reason_of(assessment: ContextAssessment) -> str:
    """One sentence for the target: what was found, by which of the three, and where the breach rate is from."""
    found = assessment.finding
    return str(ASSESSED) % {
        "number": assessment.number,
        "who": assessment.made_by,
        "controls": level_word(found["controls"]),
        "motive": level_word(found["motive"]),
        "deliberate": percent(found["deliberate"]),
        "acquaintance": percent(found["acquaintance"]),
        "breach": percent(found["breach"]),
        "source": assessment.answers["breach_source"],
    }


def level_word(level: str) -> str:
    """A grade in the reader's language."""
    return str(Level(level).label)
