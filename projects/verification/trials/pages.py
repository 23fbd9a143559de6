"""What is shown of trials: to the executor what was measured, to everybody how many there were."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from approvals.governance.person import Person
from approvals.passages import passage
from projects.core.models import Project
from projects.core.numbers import count
from projects.core.pages import Pointer
from projects.jobs.enums import JobStatus
from projects.jobs.models import Job
from projects.objective.selectors import basis_hash
from projects.workflow import STATES, Stage, State

from .. import presentation
from ..reports.pictures import by_column, distributions
from ..selectors import latest_verification
from .models import Trial
from .selectors import COUNTS, trials_counted
from .services import may_try, run_to_try, trials_of


def overview(project: Project, user: Person) -> dict[str, Any]:
    """The page: the trial under way, what the newest one measured, and all of them in a line each."""
    found = list(trials_of(project))
    newest = found[0] if found else None
    job = None
    if newest is not None and newest.measured_at is None:
        # A trial that waits for its run has that run's job.
        job = (
            Job.objects.filter(pk=str(newest.job_id or newest.run.job_id))
            .select_related("project", "requested_by")
            .first()
        )
    measured = [one for one in found if one.measured_at is not None]
    latest = measured[0] if measured else None
    context: dict[str, Any] = {
        "may_try": may_try(user, project),
        "job": job if job and (job.is_active or job.status == JobStatus.FAILED) else None,
        "trial": latest,
        "trials": [trial_row(one) for one in found],
        "said": trials_said(len(measured), len({one.run_id for one in measured})),
    }
    if latest is not None:
        measurement = latest.measurement
        context |= {
            "gate": presentation.gate_rows(
                measurement.checks,
                measurement.report,
                recipe_url=reverse("processing:page", kwargs={"project_id": project.pk}),
            ),
            "charts": presentation.charts(measurement),
            "by_column": by_column(measurement.report, presentation.columns_lost(measurement.report)),
            "distributions": distributions(measurement.report),
            "is_current": latest.run == run_to_try(project) and latest.targets_hash == basis_hash(project),
            "answer": tally(latest),
        }
    return context


def tally(trial: Trial) -> str:
    """How a trial came out, in a sentence that is no verdict."""
    results = trial.results
    met = sum(result.passed is True for result in results)
    if met == len(results):
        return ngettext(
            "The %(all)s check meets its target in this trial.",
            "All %(all)s checks meet their targets in this trial.",
            len(results),
        ) % {"all": count(len(results))}
    return _("%(missed)s of %(all)s checks do not meet their targets in this trial.") % {
        "missed": count(len(results) - met),
        "all": count(len(results)),
    }


def trial_row(trial: Trial) -> dict[str, Any]:
    """A trial on one line."""
    if trial.measured_at is not None:
        outcome = tally(trial)
    else:
        outcome = _("It is in progress.") if trial.ended_at is None else _("It ended without a measurement.")
    return {"trial": trial, "version": trial.run.recipe_version.number, "outcome": outcome}


def trials_said(trials: int, runs: int) -> str:
    """How many trials measured, of how many results, for who judges the work; empty where none did.

    Who tries long enough finds a result that passes by chance; so the number belongs to what is judged.
    """
    if not trials:
        return ""
    said = ngettext(
        "The executor measured %(trials)s time before handing over, of",
        "The executor measured %(trials)s times before handing over, of",
        trials,
    ) % {"trials": count(trials)}
    of = ngettext("%(runs)s result.", "%(runs)s results.", runs) % {"runs": count(runs)}
    return passage((said, of))


def trials_pointer(project: Project) -> Pointer | None:
    """How many trials there were, before who reviews the work or signs it."""
    row = STATES[State(project.state)]
    if not row.under_review and not row.awaits_signature:
        return None
    newest = latest_verification(project) if row.stage is Stage.VERIFICATION else None
    counts = trials_counted(project) if newest is None else [getattr(newest, name) for name in COUNTS]
    said = trials_said(*counts)
    if not said:
        return None
    return Pointer(
        title=_("Measured before it was handed over"),
        text=passage((said, _("A trial is not a verdict; only the verification is."))),
        url=reverse("verification:trials", kwargs={"project_id": project.pk}),
        label=_("What the trials measured"),
        tone="info",
    )
