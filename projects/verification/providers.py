"""Evidence that verification answers for, and what it does when the project moves."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from django.db.models import Exists, F, OuterRef, Subquery
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from approvals.decisions.selectors import current_approval
from approvals.governance.draft import Subject
from approvals.governance.person import Person
from projects.core.audit_package.registry import signed_texts
from projects.core.evidence import (
    Changes,
    Missing,
    demands,
    provides,
    since_return,
    stage_content,
    stage_work,
    work_of,
)
from projects.core.models import Membership, Project
from projects.core.numbers import beside
from projects.core.pages import Judged, Pointer, judged_as, points_from
from projects.core.selectors import members_by_role, reads_along
from projects.core.sentences import Sentence, kept, written_by_portal
from projects.core.services import on_move
from projects.core.tasks_registry import work_said
from projects.datasets.store.holdings import HeldKind, Holder, holds_files
from projects.identification.presentation import overrides_of
from projects.objective.selectors import basis_hash
from projects.processing.enums import RunStatus
from projects.processing.models import Run
from projects.processing.recipes.selectors import current_recipe
from projects.processing.runs.designation.selectors import adds_evidence
from projects.processing.runs.pages import version_changes
from projects.workflow import Evidence, Move, MoveRule, Role, Stage, State
from techniques.core.canonical import canonical_hash, canonical_json

from .documents import REPORT_KIND, SIGNED_KIND, report_document_start
from .gate.scales.presentation import degree_statement
from .models import Verification
from .presentation import gate_rows, measured_changes
from .remedies.services import remedies_that_hold
from .rules import RELEASE
from .selectors import content_now, current_verification, latest_verification, verifications_of
from .services import release_signoff_request, verification_justified
from .sign_off.designation import measured
from .sign_off.opinions import home, triggers  # noqa: F401
from .sign_off.quorum import quorum_of, why_text
from .trials.pages import trials_pointer

holds_files(
    Holder(
        Verification,
        "classes",
        HeldKind.RESULT,
        gettext_lazy("Classes of the result with their values"),
        F("number"),
    )
)


@provides(Evidence.GATE_PASSED)
def gate_passed(project: Project) -> Missing:
    verification = current_verification(project)
    if verification is None:
        return [_("A measurement of the current result against the current targets")]
    if not verification.passed:
        results = verification.results
        failed = [result for result in results if result.passed is not True]
        return [
            _("%(failed)s of %(all)s checks of the gate did not pass")
            % {"failed": len(failed), "all": len(results)}
        ]
    return []


@provides(Evidence.RELEASE_APPROVED)
def release_approved(project: Project) -> Missing:
    verification = current_verification(project)
    hash_now = verification.content_hash if verification else ""
    signoff = current_approval(project.pk, kind=RELEASE, content_hash=hash_now) if verification else None
    if verification is None or signoff is None:
        return [_("The approval of exactly this result by senior management")]
    if verification.degree_below is not None and signoff.acceptance == "":
        return [_("The reason why senior management accepts a degree of anonymisation below 1")]
    return []


@demands(Evidence.TEAM_COMPLETE)
def enough_sign(project: Project) -> Missing:
    """As many members of senior management as will have to sign a result of such data that is shared in this way."""
    members = members_by_role(project).get(Role.MANAGEMENT, [])
    if not members or len(members) >= (quorum := quorum_of(project)).needed:
        return []
    text = ngettext(
        "%(role)s: %(needed)s person has to sign the result, %(n)s in the team",
        "%(role)s: %(needed)s people have to sign the result, %(n)s in the team",
        quorum.needed,
    )
    said = text % {"role": Role.MANAGEMENT.label, "needed": quorum.needed, "n": len(members)}
    return [beside(said, why_text(quorum.by))]


@stage_content(Stage.VERIFICATION)
def content(project: Project) -> Subject | None:
    verification = current_verification(project)
    return None if verification is None else verification.subject


@signed_texts("verification")
def measurements(project: Project) -> Iterator[str]:
    """Each measurement, as its content is now: of one whose content is another than was judged, the hash is another too."""
    for verification in verifications_of(project).filter(passed__isnull=False):
        yield canonical_json(content_now(verification, verification.run))


@stage_work(Stage.VERIFICATION)
def work(project: Project) -> str:
    return canonical_hash([work_of(project, Stage.PROCESSING), basis_hash(project)])


def _judged_title() -> str:
    return _("Verification %(number)s: result of run %(run)s, version %(version)s of the recipe")


@written_by_portal
def _judged_titles() -> tuple[Sentence, ...]:
    return (Sentence(_judged_title, dict.fromkeys(("number", "run", "version"), kept("[0-9]+"))),)


@judged_as(Stage.VERIFICATION)
def judged(project: Project) -> Judged:
    verification = current_verification(project)
    assert verification is not None  # it is the content
    title = _judged_title() % {
        "number": verification.number,
        "run": verification.run.number,
        "version": verification.run.recipe_version.number,
    }
    below = verification.degree_below
    context = {
        "gate": gate_rows(verification.results, verification.measurement.report),
        "overrides": overrides_of(project),
        "degree_below": below and degree_statement(below, None),
    }
    return Judged(title, "verification/_judged.html", context)


@since_return(Verification._meta.model_name or "")
@since_return(RELEASE)
def changes(project: Project, returned: Subject, at: datetime) -> Changes:
    """Of the recipe, and of what was measured."""
    before = verifications_of(project).get(pk=returned.id)
    recipe, now = current_recipe(project), current_verification(project)
    rows = version_changes(before.run.recipe_version, recipe) if recipe is not None else []
    return rows + (measured_changes(before, now) if now is not None else [])


@points_from(Stage.PROCESSING)
def remedies_pointer(project: Project) -> Pointer | None:
    """The way from the recipe whose result failed to what would make it pass, for the stage bar leads forward only
    to stages that were reached."""
    newest = latest_verification(project)
    if project.state != State.PROCESSING or newest is None or newest.passed is not False:
        return None
    holding = remedies_that_hold(project, newest)
    if not holding and newest.run.recipe_version != current_recipe(project):
        return None
    passing = len(holding)
    text = _("What failed, and by how much, is shown with the verification.")
    if passing:
        text = ngettext(
            "%(n)s remedy that makes it pass was worked out; one click adds it to the recipe.",
            "%(n)s ways to make it pass were worked out; one click takes one of them into the recipe.",
            passing,
        ) % {"n": passing}
    return Pointer(
        title=_("The result of this recipe did not pass the verification"),
        text=text,
        url=reverse("verification:page", kwargs={"project_id": project.pk}) + ("#ways" if passing else ""),
        label=_("What would make it pass") if passing else _("To the verification"),
    )


adds_evidence(measured)
points_from(Stage.PROCESSING)(trials_pointer)
points_from(Stage.VERIFICATION)(trials_pointer)


@on_move
def react(project: Project, rule: MoveRule, by: Person) -> None:
    """Take in why returned work comes back as it was; ask for the signature and print the report after the review; print
    it signed after the decision."""
    if rule.hands_on and not rule.judged:
        verification_justified(project, by=by)
    if rule.move == Move.PASS_VERIFICATION:
        release_signoff_request(project, by=by)
        kind = REPORT_KIND
    elif rule.judged and State.RELEASE_APPROVAL in rule.sources:
        kind = SIGNED_KIND
    else:
        return
    verification = current_verification(project)
    if verification is not None:
        report_document_start(verification, by=by, kind=kind)


_LAST = Verification.objects.filter(project=OuterRef("project")).order_by("-number")
_RESULT = Run.objects.filter(project=OuterRef("project"), status=RunStatus.SUCCEEDED).order_by("-number")
# What was measured of an earlier result says nothing of this one.
_FAILED = Verification.objects.filter(
    project=OuterRef("project"),
    pk=Subquery(_LAST.values("pk")[:1]),
    run=Subquery(_RESULT.values("pk")[:1]),
    passed=False,
)
reads_along("last_failed", Exists(_FAILED))


@work_said(State.VERIFICATION)
def last_failed(membership: Membership) -> str:
    """That the result was measured and does not pass, so that measuring it is not what there is to do."""
    failed: bool = membership.last_failed  # type: ignore[attr-defined]
    return _("Verify the result (the last measurement did not pass)") if failed else ""
