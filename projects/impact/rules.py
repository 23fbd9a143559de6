"""Who assesses, and who decides."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext_lazy as _

from approvals.countries import country_name, is_abroad
from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Reason, Verdict, deny, first_denial
from projects.core.models import Membership, Project
from projects.core.rules import has_role, in_state
from projects.intrusion.invitations.rules import Place, demands_of_invitations
from projects.releases.models import Release
from projects.releases.rules import demands_of_receipt
from projects.workflow import ACTIVE, Role, State

from .abroad import named_to_testers, projects_unassessed
from .enums import Outcome
from .models import ImpactAssessment
from .selectors import needs_assessment, outdated_for


class ImpactReason(Reason):
    NO_SHARING = "no_sharing", _("Choose the sharing type first: the assessment is about it.")
    ONE_WAITS = "one_waits", _("An assessment is already waiting for a decision.")
    OWN_ASSESSMENT = "own_assessment", _("You submitted it yourself; another person decides.")
    DECIDED_ALREADY = "decided_already", _("This assessment has been decided already.")
    NOT_ASSESSED = (
        "impact_not_assessed",
        _(
            "You can receive this release once its impact on the people concerned has been assessed for you as a recipient."
        ),
    )
    NOT_ABROAD = (
        "impact_not_abroad",
        _(
            "You can receive this release once a concluded impact assessment names your country or region and what permits the "
            "transfer."
        ),
    )
    TESTER_ABROAD = (
        "impact_tester_abroad",
        _(
            "A result goes to a tester in %(place)s once a concluded impact assessment names that country or region and what permits the "
            "transfer."
        ),
    )
    REASON_NEEDED = "reason_needed", _("A reason is required.")


@demands_of_receipt
def assessed_for(user: Person, release: Release, held: Membership) -> Verdict:
    """A release that went out after an assessment is received by those about whom a concluded one is."""
    project = release.project
    if held.agreed_abroad and project.pk in projects_unassessed(user.pk):  # type: ignore[attr-defined]
        return deny(ImpactReason.NOT_ABROAD)
    if not (held.impact_laid and held.impact_rules):  # type: ignore[attr-defined]
        return ALLOW
    if project.pk in outdated_for(user.pk) and needs_assessment(project):
        return deny(ImpactReason.NOT_ASSESSED)
    return ALLOW


@demands_of_invitations
def assessed_for_testers(places: Sequence[Place]) -> list[Verdict]:
    """A tester abroad is shown a result as long as the assessment that was decided last holds and names their country."""
    abroad = frozenset(project.pk for project, country in places if is_abroad(country))
    named = named_to_testers(abroad) if abroad else {}
    return [
        deny(ImpactReason.TESTER_ABROAD, place=country_name(country))
        if is_abroad(country) and country not in named[project.pk]
        else ALLOW
        for project, country in places
    ]


def may_assess(user: Person, project: Project) -> Verdict:
    """Planning manager and executor, while the project goes on."""
    verdict = first_denial(
        has_role(user, project, Role.PLANNER, Role.EXECUTOR),
        in_state(project, *(State(state) for state in ACTIVE)),
    )
    if not verdict:
        return verdict
    if not project.sharing_type:
        return deny(ImpactReason.NO_SHARING)
    waits = ImpactAssessment.objects.filter(project=project, outcome=Outcome.WAITING).exists()
    return deny(ImpactReason.ONE_WAITS) if waits else ALLOW


def may_decide(user: Person, assessment: ImpactAssessment) -> Verdict:
    """A judge of the project, and never who laid it down."""
    verdict = has_role(user, assessment.project, Role.SUPERVISOR, Role.MANAGEMENT)
    if not verdict:
        return verdict
    if assessment.outcome != Outcome.WAITING:
        return deny(ImpactReason.DECIDED_ALREADY)
    return deny(ImpactReason.OWN_ASSESSMENT) if user.is_same_person(assessment.made_by) else ALLOW
