"""A recipient's pages of a sample in an enclave: how far it is read, and its rows under a watermark."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from projects.core.numbers import whole_number
from projects.jobs.selectors import latest_job
from projects.releases.selectors import release_get

from ...inspected.enums import SampleUnit
from ..enums import READ_JOB
from ..models import ReceivedSample
from ..selectors import sample_alone
from . import services


@require_POST
def read(request: HttpRequest, release_id: uuid.UUID, sample_id: uuid.UUID) -> HttpResponse:
    """Who had the sample drawn in an enclave: have the same rows read again, by the seed."""
    found = sample_alone(request.user, release_get(request.user, release_id), sample_id)
    services.received_read(found, by=request.user)
    return redirect("recipient_samples:sample", release_id=release_id, sample_id=found.pk)


@require_GET
def progress(request: HttpRequest, release_id: uuid.UUID, sample_id: uuid.UUID) -> HttpResponse:
    """Who had the sample drawn: the fragment that htmx polls. The first answer after the end reloads the page."""
    found = sample_alone(request.user, release_get(request.user, release_id), sample_id)
    context = {"sample": found, **reading_context(found)}
    response = render(request, "findings/received/_progress.html", context)
    if not context["is_waiting"]:
        response["HX-Refresh"] = "true"
    return response


def reading_context(sample: ReceivedSample) -> dict[str, Any]:
    """How far the job is: pages of jobs are for the project's members."""
    job = latest_job(sample.project, READ_JOB, sample.pk) if sample.inside else None
    if job is None or not job.is_active:
        return {"is_waiting": False}
    shown = {
        "label": job.title_text,
        "state": job.state,
        "percent": job.percent,
        "estimate": job.estimate_text,
    }
    url = reverse("recipient_samples:progress", args=[sample.release_id, sample.pk])
    return {"is_waiting": True, "job": shown, "poll_url": url}


@require_GET
def look(request: HttpRequest, release_id: uuid.UUID, sample_id: uuid.UUID) -> HttpResponse:
    """Who had the sample drawn in an enclave: one page of its rows, with a watermark, on the record."""
    release = release_get(request.user, release_id)
    found = sample_alone(request.user, release, sample_id)
    number = whole_number(request.GET.get("page", "1"))
    shown = services.received_look(found, page=number if number >= 0 else 1, by=request.user)
    unit = SampleUnit.RECORD if found.persons is None else SampleUnit.PERSON
    context = {
        "release": release,
        "sample": found,
        "page": shown,
        "drawn": unit.label,
        "looked_at": timezone.localtime(),
    }
    response = render(request, "findings/received/look.html", context)
    response["Cache-Control"] = "no-store, private"
    return response
