"""Reading publications."""

from __future__ import annotations

import uuid

from django.db.models import QuerySet

from projects.core.models import Project

from ...models import Publication


def publications_of(project: Project) -> QuerySet[Publication]:
    """All of them, the newest first."""
    found = Publication.objects.filter(project=project)
    people = ("proposed_by", "decided_by", "ended_by")
    return found.select_related("project", "release", *people).prefetch_related("downloads")


def publication_get(project: Project, publication_id: uuid.UUID) -> Publication:
    return publications_of(project).get(pk=publication_id)


def published_get(token: str) -> Publication:
    """What was ever published under an address; else ``Publication.DoesNotExist``.

    One statement, whether nobody knows the address or what it is to lead to waits for its publication.
    """
    found = Publication.objects.filter(token=token, published_at__isnull=False)
    return found.select_related("project", "release").get()


def versions_of(publication: Publication) -> list[Publication]:
    """Every version that was published of the same project, the newest first."""
    found = Publication.objects.filter(project=publication.project_id, published_at__isnull=False)
    return list(found.select_related("project", "release").order_by("-version"))
