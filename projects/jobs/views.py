"""Pages of jobs."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.formats import date_format
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_GET, require_POST

from .models import Job
from .selectors import job_get
from .services import job_cancel


@require_GET
def detail(request: HttpRequest, job_id: uuid.UUID) -> HttpResponse:
    """Everybody who may see the job's project, or asked for a job outside projects."""
    job = job_get(request.user, job_id)
    context = {"job": job, "items": job.items.all(), "facts": _facts(job)}
    return render(request, "jobs/detail.html", context)


@require_GET
def progress(request: HttpRequest, job_id: uuid.UUID) -> HttpResponse:
    """As ``detail``: the fragment that htmx polls. The first answer after the end reloads the page."""
    job = job_get(request.user, job_id)
    response = render(request, "jobs/_progress.html", {"job": job})
    if not job.is_active:
        response["HX-Refresh"] = "true"
    return response


@require_POST
def cancel(request: HttpRequest, job_id: uuid.UUID) -> HttpResponse:
    """Who asked for the job, or the executor of its project; others see why not."""
    job = job_cancel(job_get(request.user, job_id), by=request.user)
    back = request.META.get("HTTP_REFERER", "")
    if url_has_allowed_host_and_scheme(back, {request.get_host()}, require_https=request.is_secure()):
        return redirect(back)
    return redirect("jobs:detail", job_id=job.pk)


def _facts(job: Job) -> list[tuple[str, Any]]:
    def moment(value: Any) -> str:
        return date_format(localtime(value), "Y-m-d H:i:s") if value else "–"

    return [
        (pgettext("a job", "For whom"), str(job.requested_by)),
        (_("Requested at"), moment(job.created_at)),
        (_("Started at"), moment(job.started_at)),
        (_("Ended at"), moment(job.finished_at)),
        (_("Taken up"), job.attempts),
    ]
