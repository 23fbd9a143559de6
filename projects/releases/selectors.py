"""Reading agreements, releases and deliveries."""

from __future__ import annotations

import uuid
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from approvals.decisions.selectors import signoffs_of
from approvals.governance.person import Person
from approvals.request_cache import cached_read
from projects.core.models import Membership, Project
from projects.core.selectors import members_by_role
from projects.objective.selectors import factors_along
from projects.processing.runs.selectors import latest_run, tables_of_run
from projects.verification.selectors import current_verification
from projects.workflow import Role

from .agreements.checks import with_checks
from .agreements.parties import register_kept
from .enums import DeliveryStatus
from .models import Agreement, Delivery, Release, ShareHolding


def recipients_of(project: Project) -> list[Any]:
    """The people who are recipients now."""
    return members_by_role(project).get(Role.RECIPIENT, [])


def agreements_of(project: Project) -> QuerySet[Agreement]:
    """All of them; ``party``: whose each is in the register of organisations, where it is known."""
    found = Agreement.objects.filter(project=project).annotate(party=register_kept().column())
    return found.select_related("recipient", "recorded_by", "scan", "acceptance")


@cached_read
def agreements_all(project: Project) -> list[Agreement]:
    """All of them, for who asks several times in one page; with what is known of their checks."""
    return list(with_checks(agreements_of(project)))


def held_by(project: Project, recipient: Person) -> Agreement | None:
    """The agreement with one recipient that was not ended."""
    found = (one for one in agreements_all(project) if one.recipient_id == recipient.pk)
    return next((one for one in found if one.ended_at is None), None)


@cached_read
def releases_made(project: Project) -> list[Release]:
    """All releases of the project, ended ones too, the newest first."""
    return list(project.releases.select_related("released_by"))


def current_release(project: Project) -> Release | None:
    """The release in force, or one whose seal broke; not an ended one."""
    return next((one for one in releases_made(project) if one.ended_at is None), None)


def releases_of(project: Project) -> QuerySet[Release]:
    return Release.objects.filter(project=project).select_related("released_by")


def released_to(user: Person) -> QuerySet[Release]:
    """Releases of the projects that ``user`` is a recipient of; nothing else, for nobody else.

    Each is marked with ``fetched``: whether this recipient has fetched it.
    """
    if not user.is_authenticated or not user.is_active:
        return Release.objects.none()
    projects = Membership.objects.filter(user=user, role=Role.RECIPIENT, ended_at=None).values("project")
    fetched = Delivery.objects.filter(release=OuterRef("pk"), recipient=user, status=DeliveryStatus.FETCHED)
    releases = Release.objects.filter(project__in=projects).select_related("project__objective")
    return releases.annotate(fetched=Exists(fetched))


def release_get(user: Person, release_id: uuid.UUID) -> Release:
    """A release, for its present recipients and those at its release; else ``Release.DoesNotExist``.

    A former recipient knows of it already, so the rules may tell them why they get nothing any more.
    """
    if not user.is_authenticated or not user.is_active:
        raise Release.DoesNotExist
    mine = Membership.objects.filter(user=user, role=Role.RECIPIENT, project=OuterRef("project")).filter(
        Q(ended_at=None) | Q(ended_at__gte=OuterRef("released_at"))
    )
    release = Release.objects.filter(Exists(mine)).select_related("project__objective").get(pk=release_id)
    factors_along(release.project)
    return release


def delivery_get(user: Person, delivery_id: uuid.UUID) -> Delivery:
    """A delivery for who asked for it; else ``Delivery.DoesNotExist``."""
    mine = Delivery.objects.filter(recipient=user).select_related("release__project__objective")
    delivery = mine.get(pk=delivery_id)
    factors_along(delivery.release.project)
    return delivery


def deliveries_of(project: Project) -> QuerySet[Delivery]:
    return Delivery.objects.filter(Q(release__project=project)).select_related("recipient", "release")


def agreement_get(project: Project, agreement_id: uuid.UUID) -> Agreement:
    return agreements_of(project).select_related("project").get(pk=agreement_id)


def agreement_with(user: Person, project: Project) -> Agreement | None:
    """The agreement with this recipient that was not ended, whether or not its term is over."""
    return _agreements_with(user.pk).get(project.pk)


@cached_read
def _agreements_with(user_id: Any) -> dict[uuid.UUID, Agreement]:
    """Agreements with one recipient that were not ended, by project; the youngest of each."""
    found = Agreement.objects.filter(recipient=user_id, ended_at=None).select_related("acceptance")
    return {agreement.project_id: agreement for agreement in reversed(found)}


def deliveries_to(user: Person, release: Release) -> QuerySet[Delivery]:
    """What this recipient asked for, newest first."""
    return Delivery.objects.filter(recipient=user, release=release)


def holdings_of(project: Project) -> QuerySet[ShareHolding]:
    """Who holds, or held, which number of secret shares."""
    return ShareHolding.objects.filter(project=project).select_related("holder", "assigned_by")


def number_held(user: Person, project_id: uuid.UUID) -> int | None:
    """Whose shares ``user`` gets in a project; None where nobody has given them a number."""
    return _numbers_held(user.pk).get(project_id)


@cached_read
def _numbers_held(user_id: Any) -> dict[uuid.UUID, int]:
    held = ShareHolding.objects.filter(holder=user_id, ended_at=None)
    return dict(held.values_list("project_id", "number"))


def approved_content(project: Project) -> dict[str, Any]:
    """What would be sealed."""
    verification, run = current_verification(project), latest_run(project)
    signoff = None
    if verification is not None:
        judged = (s for s in signoffs_of(project.pk) if s.subject_hash == verification.content_hash)
        signoff = next(judged, None)
    tables = list(tables_of_run(run).values()) if run is not None else []
    return {"run": run, "tables": tables, "verification": verification, "signoff": signoff}
