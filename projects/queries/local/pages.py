"""The page of estimates from randomised answers: what was estimated last, how, and what it guarantees."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from approvals.governance.person import Person
from projects.core.models import Project
from projects.core.numbers import count, number, percent
from projects.jobs.enums import JobStatus
from projects.jobs.models import Job
from techniques.core.messages import filled

from ..models import LocalEstimate
from .services import estimates_of, may_estimate

EARLIER = 20
MOST_LINES = 200


def overview(project: Project, user: Person, wanted: str = "") -> dict[str, Any]:
    """The context of the page; ``wanted`` is the number of an earlier estimate, the newest is shown without it."""
    found = list(estimates_of(project)[:EARLIER])
    newest = found[0] if found else None
    job = None
    if newest is not None and newest.measured_at is None and newest.job_id:
        job = Job.objects.filter(pk=newest.job_id).select_related("project", "requested_by").first()
    measured = [one for one in found if one.measured_at is not None]
    estimate = next((one for one in measured if str(one.number) == wanted), None) or next(
        iter(measured), None
    )
    return {
        "may_estimate": may_estimate(user, project),
        "job": job if job and (job.is_active or job.status == JobStatus.FAILED) else None,
        "estimate": estimate,
        "shown": shown(estimate) if estimate else None,
        "earlier": [one for one in measured if one != estimate],
    }


def shown(estimate: LocalEstimate) -> dict[str, Any]:
    """One estimate as rows, drawing and sentences."""
    found, survey = estimate.result, estimate.survey
    is_mean = survey["kind"] == "number"
    word = number if is_mean else percent
    rows = [
        {"label": one["label"] or _("Mean"), "value": word(one["value"]), "low": word(one["low"]), "high": word(one["high"])}
        for one in found["lines"]
    ]  # fmt: skip
    return {
        "rows": rows[:MOST_LINES],
        "more": len(rows) - MOST_LINES if len(rows) > MOST_LINES else 0,
        "bars": []
        if is_mean
        else [(one["label"], min(max(one["value"], 0.0), 1.0)) for one in found["lines"]],
        "statements": [filled(_(one["message"]), one["params"]) for one in found["statements"]],
        "settings": _settings(estimate, found),
    }


def _settings(estimate: LocalEstimate, found: dict[str, Any]) -> list[tuple[str, str]]:
    survey = estimate.survey
    kinds = {
        "response": _("Randomised response"),
        "unary": _("Optimised unary encoding"),
        "number": _("Local Laplace noise"),
    }
    rows = [
        (_("How devices randomised"), kinds[survey["kind"]]),
        (_("ε of each answer"), number(survey["epsilon"])),
    ]
    if survey["kind"] == "number":
        rows += [
            (
                _("Bounds"),
                _("%(low)s to %(high)s") % {"low": number(survey["low"]), "high": number(survey["high"])},
            ),
            (_("Steps between the bounds"), count(survey["steps"])),
        ]
    else:
        rows.append((_("Choices"), count(len(survey["choices"]))))
    return [
        *rows,
        (_("Confidence"), percent(survey["confidence"])),
        (_("Answers that count"), count(found["answers"])),
        (_("Rows of the file"), count(found["rows"])),
        (_("Whose answer it is"), _(", ").join(estimate.person_key) or _("each row is a different person")),
        (_("Clause"), found["clause"]),
    ]
