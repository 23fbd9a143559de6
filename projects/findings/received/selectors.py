"""Reading samples that recipients check, and what came of them."""

from __future__ import annotations

import uuid

from django.db.models import OuterRef, Prefetch, QuerySet, Subquery

from approvals.governance.person import Person
from projects.core.models import Project
from projects.releases.agreements.checks import last_check_read_by
from projects.releases.models import Release

from ..models import Finding
from .models import ReceivedSample, RecipientRemedy, SampleDeviation


def _whole(samples: QuerySet[ReceivedSample]) -> QuerySet[ReceivedSample]:
    """With what was found and done, for two more statements however many there are."""
    return samples.select_related("release__project", "recipient", "content").prefetch_related(
        Prefetch("deviations", SampleDeviation.objects.select_related("sample", "ticket__project")),
        _REMEDIES_OF,
    )


_DONE = RecipientRemedy.objects.select_related("recorded_by", "decided_by")
_REMEDIES = Prefetch("remedies", _DONE)
_REMEDIES_OF = Prefetch("deviations__remedies", _DONE)


_REPORTED = ReceivedSample.objects.filter(release=OuterRef("held"), recipient=OuterRef("recipient")).exclude(
    checked_on=None
)
last_check_read_by(Subquery(_REPORTED.order_by("-checked_on").values("checked_on")[:1]))


def samples_of(user: Person, release: Release) -> QuerySet[ReceivedSample]:
    """The samples of ``release`` that were drawn for ``user``, the newest first."""
    return _whole(ReceivedSample.objects.filter(release=release, recipient=user.pk))


def sample_get(user: Person, release: Release, sample_id: uuid.UUID) -> ReceivedSample:
    return samples_of(user, release).get(pk=sample_id)


def sample_alone(user: Person, release: Release, sample_id: uuid.UUID) -> ReceivedSample:
    """The same without what was found in it."""
    found = ReceivedSample.objects.select_related("release__project", "recipient", "content")
    return found.get(release=release, recipient=user.pk, pk=sample_id)


def samples_in(project: Project) -> QuerySet[ReceivedSample]:
    """Every sample of the releases of ``project``, the newest first."""
    return _whole(ReceivedSample.objects.filter(release__project=project))


def _deviations() -> QuerySet[SampleDeviation]:
    found = SampleDeviation.objects.select_related("sample__release", "sample__recipient", "ticket__project")
    return found.prefetch_related(_REMEDIES)


def deviation_get(user: Person, release: Release, deviation_id: uuid.UUID) -> SampleDeviation:
    """What ``user`` found in a sample of ``release``."""
    return _deviations().get(pk=deviation_id, sample__release=release, sample__recipient=user.pk)


def deviation_of(ticket: Finding) -> SampleDeviation | None:
    """What a recipient found that became ``ticket``; None of a finding from elsewhere."""
    return _deviations().filter(ticket=ticket).first()


def deviation_behind(project: Project, finding_id: uuid.UUID) -> SampleDeviation:
    """The same by the id of a finding of ``project``; else ``SampleDeviation.DoesNotExist``."""
    return _deviations().get(ticket=finding_id, ticket__project=project)
