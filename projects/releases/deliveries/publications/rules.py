"""Who publishes a completely public release, who approves it, and whether its address hands anything out."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, Reason, Verdict, deny, first_denial
from projects.core.enums import SharingType
from projects.core.models import Project
from projects.core.rules import has_role, in_state
from projects.objective.enums import Act
from projects.objective.surroundings.profile.rules import act_allowed
from projects.workflow import Role, State

from ...enums import Availability, PublicationStatus
from ...models import Publication, Release
from ...selectors import current_release


class PublicationReason(Reason):
    NOT_PUBLIC = "publication_not_public", _("Only what is shared completely publicly is published.")
    NO_RELEASE = "publication_no_release", _("No release is in force that could be published.")
    IN_SHARES = (
        "publication_in_shares",
        _("The result is split into shares, each for one holder; it cannot be published."),
    )
    PUBLISHED_ALREADY = "published_already", _("This release is already published or about to be.")
    DECIDED_ALREADY = "publication_decided_already", _("This publication has already been decided.")
    OWN_PROPOSAL = "own_publication", _("You proposed this publication yourself; another person decides.")
    OTHER_CONTENT = (
        "other_publication",
        _("What you decided on is not what is now proposed. Nothing was decided."),
    )
    NOT_UP = "publication_not_up", _("This publication is not under its address any more.")
    DOWN = "publication_down", _("This publication hands nothing out now.")


def is_public(project: Project) -> bool:
    """Whether the data of the project are for everybody."""
    return project.sharing_type == SharingType.PUBLIC


def may_propose(user: Person, project: Project) -> Verdict:
    """The planning manager, of the release in force, unless it is published already."""
    verdict = first_denial(
        has_role(user, project, Role.PLANNER),
        ALLOW if is_public(project) else deny(PublicationReason.NOT_PUBLIC),
        in_state(project, State.MONITORING),
    )
    if not verdict:
        return verdict
    release = current_release(project)
    if release is None or not release.in_force:
        return deny(PublicationReason.NO_RELEASE)
    if release.shares_hash:
        return deny(PublicationReason.IN_SHARES)
    if not (allowed := act_allowed(project, Act.PUBLISH)):
        return allowed
    taken = release.publications.filter(status__in=(PublicationStatus.VERIFYING, PublicationStatus.LIVE))
    return deny(PublicationReason.PUBLISHED_ALREADY) if taken.exists() else ALLOW


def may_decide(user: Person, publication: Publication) -> Verdict:
    """The supervisor of the project, and never who proposed it."""
    verdict = first_denial(
        has_role(user, publication.project, Role.SUPERVISOR), in_state(publication.project, State.MONITORING)
    )
    if not verdict:
        return verdict
    if publication.status != PublicationStatus.WAITING:
        return deny(PublicationReason.DECIDED_ALREADY)
    return deny(PublicationReason.OWN_PROPOSAL) if user.is_same_person(publication.proposed_by) else ALLOW


def may_approve(user: Person, publication: Publication) -> Verdict:
    """The same, while its release is in force."""
    in_force = publication.release.in_force
    verdict = first_denial(
        may_decide(user, publication), ALLOW if in_force else deny(PublicationReason.NO_RELEASE)
    )
    return act_allowed(publication.project, Act.PUBLISH) if verdict else verdict


def may_withdraw(user: Person, publication: Publication) -> Verdict:
    """The planning manager or the supervisor, in whatever state the project is."""
    return first_denial(
        has_role(user, publication.project, Role.PLANNER, Role.SUPERVISOR),
        ALLOW if publication.status == PublicationStatus.LIVE else deny(PublicationReason.NOT_UP),
    )


def availability_of(publication: Publication) -> Availability:
    """Whether what was published is handed out now, as its rows stand."""
    if publication.status != PublicationStatus.LIVE:
        return Availability.WITHDRAWN
    return availability_of_release(publication.release, publication.project)


def availability_of_release(release: Release, project: Project) -> Availability:
    """The same of what has not been withdrawn."""
    if release.ended_at is not None:
        return Availability.ENDED
    if release.seal_broken_at is not None:
        return Availability.BROKEN
    return Availability.UP if project.state == State.MONITORING else Availability.SUSPENDED
