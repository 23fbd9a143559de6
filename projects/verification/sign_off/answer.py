"""May this be signed? One answer for the page, the decision and the document; green only when all is there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from approvals.decisions.selectors import current_approval
from approvals.passages import passage
from projects.core.evidence import evidence_state
from projects.core.models import Project
from projects.core.numbers import moment
from projects.core.returns import returns_of, unexplained
from projects.identification.selectors import verdicts_hash
from projects.objective.selectors import basis_hash
from projects.processing.recipes.objections import run_objections
from projects.processing.runs.selectors import latest_run
from projects.workflow import SIGNED, Evidence, Stage, State

from ..gate.scales.presentation import degree_statement
from ..models import Verification
from ..rules import RELEASE
from ..selectors import HANDED_OUT, has_other_populations
from .related import related_of


@dataclass(frozen=True)
class Answer:
    """``code``: approved, passed, degree_below and related_open (passed, and to be signed only with a reason for that), failed, could_not_run, stopped, outdated, under_way, broken_off, unmeasured;
    of a result that was returned and stands as it was: returned, or justified.

    ``tone`` is ok only for approved and passed; for degree_below and related_open it is warn. ``verification`` is what it was read from, if anything.
    """

    code: str
    tone: str
    title: str
    lead: str
    verification: Verification | None = None
    # The mark of the related releases that who approves it accepts; None where there is nothing to accept of them.
    related: str | None = None

    @property
    def is_current(self) -> bool:
        """Whether the measurement is about the result and the targets as they are now."""
        return self.code in (
            "approved",
            "passed",
            "degree_below",
            "related_open",
            "failed",
            "could_not_run",
            "stopped",
            "returned",
            "justified",
        )


def answer_of(project: Project, newest: Verification | None) -> Answer:
    """The answer from the newest verification of the project, whatever became of it."""
    stopped = _stopped(project)
    if newest is None:
        if stopped:
            lead = stopped
        elif evidence_state(project, Evidence.RUN_SUCCEEDED).met:
            lead = _("There is a result, but nobody has measured it yet.")
        else:
            lead = _("There is no result of the current recipe to measure yet.")
        return Answer("unmeasured", "unknown", _("No: not measured yet"), lead)
    if newest.passed is None and newest.ended_at is None:
        lead = _("The answer appears when every row has been read.")
        return Answer("under_way", "unknown", _("Not yet: the result is being measured"), lead, newest)
    if newest.passed is None:
        lead = _("It ended without an answer, which counts as not passed. Measure again.")
        return Answer("broken_off", "unknown", _("No: the measurement could not run"), lead, newest)
    outdated = _outdated(project, newest)
    if outdated:
        return Answer("outdated", "unknown", _("No: the measurement is out of date"), outdated, newest)
    if stopped:
        title = _("No: the policy on cryptography does not allow this result")
        return Answer("stopped", "fail", title, stopped, newest)
    return _measured(project, newest)


def _stopped(project: Project) -> str:
    """What the policy that holds now has against the current result; what was handed out already stays out."""
    run = latest_run(project)
    if run is None or State(project.suspended_from or project.state) in HANDED_OUT:
        return ""
    return passage(run_objections(run))


def _outdated(project: Project, newest: Verification) -> str:
    run = latest_run(project)
    if run is None or run.pk != newest.run_id or run.recipe_version.verdicts_hash != verdicts_hash(project):
        return _("Recipe, data or result changed after this measurement.")
    if newest.targets_hash != basis_hash(project):
        return _("The targets changed after this measurement.")
    if newest.passed is not None and has_other_populations(newest):
        return _("Another population table was named after this measurement.")
    return ""


def _measured(project: Project, newest: Verification) -> Answer:
    results = newest.results
    failed = sum(result.passed is False for result in results)
    unknown = sum(result.passed is None for result in results)
    if failed:
        lead = ngettext(
            "%(n)s check did not pass. What would help is shown with the check.",
            "%(n)s checks did not pass. What would help is shown with each of them.",
            failed,
        ) % {"n": failed}
        if unknown:
            lead = passage((lead, _unknown(unknown)))
        return Answer("failed", "fail", _("No: the result does not meet its targets"), lead, newest)
    if unknown or not results or newest.passed is not True:
        return Answer("could_not_run", "unknown", _("No: a check could not run"), _unknown(unknown), newest)
    every = _("Every one of the %(n)s checks ran on the written file and passed.") % {"n": len(results)}
    # A release that was taken back is to be judged anew, whatever was signed before.
    is_signed = State(project.suspended_from or project.state) in SIGNED
    signed = is_signed and current_approval(project.pk, kind=RELEASE, content_hash=newest.content_hash)
    below = newest.degree_below
    if below is not None:
        every = passage((every, degree_statement(below, signed or None)))
    if signed:
        return Answer("approved", "ok", _("Signed: exactly this result is approved"), every, newest)
    if (returned := _returned(project, newest)) is not None:
        return returned
    reviewed = evidence_state(project, Evidence.VERIFICATION_REVIEWED).met
    if not reviewed:
        every = passage((every, _("The stage review by the supervisor comes before the signature.")))
    is_judged = State(project.suspended_from or project.state) == State.RELEASE_APPROVAL
    related = related_of(project) if is_judged else None
    if related is not None and related.is_settled and not related.is_measuring:
        related = None
    mark = related.mark if related is not None else None
    if related is not None:
        every = passage((every, related.text))
        if related.is_measuring:
            title = _("Not yet: related releases are being measured")
            return Answer("related_open", "warn", title, every, newest, mark)
    if below is not None:
        title = _("Only with a reason: the degree of anonymisation is below 1")
        return Answer("degree_below", "warn", title, every, newest, mark)
    if related is not None:
        title = _("Only with a reason: related releases may reveal more together")
        return Answer("related_open", "warn", title, every, newest, mark)
    title = _("Yes: this result may be signed") if reviewed else _("The result meets its targets")
    return Answer("passed", "ok", title, every, newest)


def _returned(project: Project, newest: Verification) -> Answer | None:
    """The answer where work that was returned stands as it was; None where it does not."""
    justified = [
        one
        for one in returns_of(project)
        # A justified plan or identification was judged in its own review: it is not the result that was returned.
        if one.justification is not None
        and (one.stage == Stage.PROCESSING or one.stage == Stage.VERIFICATION)
        and one.unchanged
    ]
    for one in (*unexplained(project), *justified):
        lead = _("%(by)s returned it on %(when)s: “%(reason)s”.") % {
            "by": one.by,
            "when": moment(one.at),
            "reason": one.reason.rstrip(".。"),
        }
        if one.justification is None:
            unsaid = _("Nothing has changed since, and nobody has justified why it is resubmitted as it is.")
            lead = passage((lead, unsaid))
            return Answer("returned", "fail", _("No: what was returned has not been changed"), lead, newest)
        said = _("It was resubmitted unchanged. %(who)s gives the reason: “%(text)s”.") % {
            "who": one.justification.given_by,
            "text": one.justification.text.rstrip(".。"),
        }
        lead = passage((lead, said))
        title = _("Returned before and unchanged: judge the justification first")
        return Answer("justified", "warn", title, lead, newest)
    return None


def _unknown(number: int) -> str:
    return ngettext(
        "%(n)s check could not run and counts as not passed.",
        "%(n)s checks could not run and count as not passed.",
        number,
    ) % {"n": number}


def badge_of(verification: Verification) -> dict[str, Any]:
    """Badge of one verification in the history: tone and word."""
    if verification.passed is True:
        return {"tone": "ok", "word": _("Passed")}
    if verification.passed is False:
        return {"tone": "fail", "word": _("Did not pass")}
    if verification.ended_at is None:
        return {"tone": "info", "word": _("Being measured")}
    return {"tone": "unknown", "word": _("Could not run")}
