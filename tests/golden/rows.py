"""All rows of a project by kind of object, each with every field: what the portal keeps of it."""

from __future__ import annotations

import datetime
import uuid
from collections.abc import Iterable
from typing import Any

from django.db import models

from approvals.audit.models import AuditEvent
from approvals.decisions.models import Review, SignOff
from deid_portal.accounts.models import User
from projects.core.models import Project
from projects.datasets.models import Dataset
from projects.identification.models import ColumnVerdict, MethodPart, PersonKey
from projects.jobs.models import Job
from projects.processing.models import MappingTable, RunTable
from projects.releases.models import Delivery
from projects.releases.seal import seal_matches


def rows_of(project: Project) -> dict[str, list[dict[str, Any]]]:
    """By kind of object in the order in which the work makes them, the rows in the order of their making."""
    datasets = Dataset.objects.filter(project=project)
    releases = project.releases.order_by("released_at")
    kinds: dict[str, Iterable[models.Model]] = {
        "project": [project],
        "members": project.memberships.order_by("since"),
        "objective": [project.objective] if hasattr(project, "objective") else [],
        "notices": project.privacy_notices.order_by("kept_at"),
        "plans": project.plan_versions.order_by("number"),
        "tables": project.tables.order_by("position"),
        "links": project.table_links.order_by("declared_at"),
        "datasets": datasets.order_by("uploaded_at"),
        "rounds": project.rounds.order_by("started_at"),
        "parts": MethodPart.objects.filter(round__project=project).order_by("round__started_at", "method"),
        "person keys": PersonKey.objects.filter(project=project).order_by("decided_at"),
        "verdicts": ColumnVerdict.objects.filter(project=project).order_by("decided_at", "position"),
        "recipes": project.recipes.order_by("number"),
        "runs": project.runs.order_by("number"),
        "tables of runs": RunTable.objects.filter(run__project=project).order_by(
            "run__number", "table__position"
        ),
        "mapping tables": MappingTable.objects.filter(project=project).order_by("made_at"),
        "verifications": project.verifications.order_by("number"),
        "comparisons": project.comparisons.order_by("number"),
        "reviews": Review.objects.filter(project_id=project.pk).order_by("recorded_at"),
        "sign-offs": SignOff.objects.filter(project_id=project.pk).order_by("submitted_at"),
        "agreements": project.agreements.order_by("recorded_at"),
        "releases": releases,
        "deliveries": Delivery.objects.filter(release__project=project).order_by("requested_at"),
        "changes": project.changes.order_by("reported_at"),
        "re-assessments": project.reassessments.order_by("due_on", "opened_at"),
        "audit": AuditEvent.objects.filter(project_id=project.pk).order_by("seq"),
    }
    found = {kind: [fields(one) for one in rows] for kind, rows in kinds.items()}
    found["seals"] = [{"seal matches": seal_matches(release)} for release in releases]
    found["jobs"] = [
        {"kind": job.kind, "title": job.title, "params": job.params, "status": job.status}
        | {"items": [[item.key, item.title, item.params, item.status] for item in job.items.order_by("position")]}
        for job in Job.objects.filter(project=project).order_by("created_at")
    ]  # fmt: skip
    return {kind: rows for kind, rows in found.items() if rows}


def fields(row: models.Model) -> dict[str, Any]:
    """Every field of the row by its name; people by their account's name."""
    kept: dict[str, Any] = {}
    for field in row._meta.concrete_fields:
        value = field.value_from_object(row)
        if field.related_model is User:
            value = value and getattr(row, field.name).username
        elif isinstance(field, models.BinaryField) or (
            field.primary_key and not isinstance(value, uuid.UUID)
        ):
            continue  # a wrapped key; a number that counts the rows of the whole database
        kept[field.name] = plain(value)
    if isinstance(row, AuditEvent):
        for name in ("actor_id", "act", "previous_hash", "hash", "seal"):  # the chain is over all projects
            kept.pop(name)
        # Each digest covers ids and times.
        kept["rows"] = {label: len(said["digests"]) for label, said in row.rows.items()}
    return kept


def plain(value: Any) -> Any:
    """``value`` as JSON has it."""
    if isinstance(value, datetime.datetime):
        return value.isoformat()
    if isinstance(value, datetime.date | uuid.UUID):
        return str(value)
    return value
