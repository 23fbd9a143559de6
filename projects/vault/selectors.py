"""Reading the vault: everything but the bytes."""

from __future__ import annotations

import uuid

from django.db.models import QuerySet

from projects.core.models import Project

from .models import Secret


def secrets_of(project: Project) -> QuerySet[Secret]:
    """Live and destroyed keys; the wrapped bytes stay in the database."""
    return (
        Secret.objects.filter(project=project)
        .defer("wrapped_key")
        .select_related("created_by", "proposed_by", "destroyed_by", "project")
    )


def secret_get(project: Project, secret_id: uuid.UUID) -> Secret:
    return secrets_of(project).get(pk=secret_id)
