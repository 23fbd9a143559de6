"""Jobs in a template: ``{% include "jobs/_progress.html" with job=job %}`` uses this."""

from __future__ import annotations

from typing import Any

from django import template
from django.urls import reverse

from projects.jobs import rules
from projects.jobs.models import Job

register = template.Library()


@register.simple_tag(takes_context=True)
def job_view(context: dict[str, Any], job: Job) -> dict[str, Any]:
    """What the progress component shows of ``job`` to this reader, and the addresses it needs.

    The cancel button is there only for who may cancel.
    """
    request = context.get("request")
    user = getattr(request, "user", None)
    may_cancel = job.is_active and user is not None and bool(rules.may_cancel(user, job))
    return {
        "shown": {
            "label": job.title_text,
            "state": job.state,
            "percent": job.percent if job.is_active else None,
            "estimate": job.estimate_text,
            "message": job.error_text,
        },
        "poll_url": reverse("jobs:progress", args=[job.pk]) if job.is_active else "",
        "cancel_url": reverse("jobs:cancel", args=[job.pk]) if may_cancel else "",
    }
