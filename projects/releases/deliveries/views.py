"""A recipient's own pages: what was released to them, its notice, and the file behind its seal."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from approvals.governance.person import Person
from approvals.governance.verdict import Verdict
from projects.core.enums import SharingType
from projects.core.numbers import whole_number
from projects.datasets.models import StoredFile
from projects.datasets.store.responses import CONTENT_TYPES, FALLBACK, file_response
from projects.jobs.selectors import latest_job
from projects.objective.enums import Act
from projects.objective.surroundings.profile.presentation import act_lines
from projects.objective.surroundings.profile.rules import act_allowed, profile_of

from .. import rules, selectors
from ..agreements.approvals import approval_text
from ..agreements.changes.presentation import terms_rows
from ..agreements.changes.services import terms_accept
from ..agreements.checks import interval_text
from ..agreements.terms import terms_of
from ..enums import DeliveryStatus
from ..forms import NoticeForm, TermsAndNoticeForm
from ..models import Delivery, Release
from ..selectors import number_held
from . import services as deliveries
from .computing import summable_columns
from .notice import degree_notice, notices_of
from .services import DELIVERY_JOB


@require_GET
def listing(request: HttpRequest) -> HttpResponse:
    """Every signed-in person: the releases of the projects that they are a recipient of, and no others."""
    rows = [
        {"release": release, "verdict": rules.may_receive(request.user, release)}
        for release in selectors.released_to(request.user)
    ]
    return render(request, "releases/recipient_list.html", {"rows": rows})


@require_GET
def detail(request: HttpRequest, release_id: uuid.UUID) -> HttpResponse:
    """The recipient of the release; a former one is told why they get nothing."""
    release = selectors.release_get(request.user, release_id)
    verdict = rules.may_receive(request.user, release)
    return _detail(request, release, verdict, _form_for(verdict)())


def _form_for(verdict: Verdict) -> type[NoticeForm]:
    """Who has not accepted the terms yet does it along with the first request."""
    return TermsAndNoticeForm if verdict.reason == rules.ReleaseReason.NOT_ACCEPTED else NoticeForm


def _detail(
    request: HttpRequest, release: Release, verdict: Verdict, form: NoticeForm, *, status: int = 200
) -> HttpResponse:
    user = request.user
    if verdict.reason == rules.ReleaseReason.NOT_A_RECIPIENT:
        verdict.require()
    agreement = selectors.agreement_with(user, release.project)
    asked = list(selectors.deliveries_to(user, release)[:20])
    is_enclave = release.project.sharing_type == SharingType.ENCLAVE
    context: dict[str, Any] = {
        "release": release,
        "verdict": verdict,
        "is_public": release.project.sharing_type == SharingType.PUBLIC,
        "is_enclave": is_enclave,
        "files": deliveries.files_for(release, user),
        "number": number_held(user, release.project_id) if release.shares_hash else None,
        "notices": notices_of(release),
        "summable": summable_columns(release)
        if verdict and not is_enclave and rules.delivery_allowed(release)
        else [],
        "degree_below": degree_notice(release),
        "agreement": agreement,
        "accepts": isinstance(form, TermsAndNoticeForm),
        "terms": terms_rows(terms_of(agreement), enclave=is_enclave) if agreement is not None else [],
        "checks": interval_text(agreement.check_months, in_enclave=is_enclave)
        if agreement is not None
        else "",
        "approval": approval_text(agreement.fetch_approval) if agreement is not None else "",
        "needs_approval": rules.needs_approval(user, release.project),
        "deliveries": asked,
        "form": form,
        "acts": act_lines(profile_of(release.project), release.project.sharing_type),
        "delivery_allowed": rules.delivery_allowed(release),
        "look_allowed": act_allowed(release.project, Act.LOOK) if is_enclave else None,
    }
    if verdict and asked and not form.is_bound:
        asked[0].release = release
        newest = _delivery_context(request, asked[0])
        # What was asked for stands where it was asked for, as long as it is verified or may be fetched.
        if newest["is_waiting"] or newest["may_use"]:
            context |= newest
    return render(request, "releases/recipient_detail.html", context, status=status)


@require_POST
def request_delivery(request: HttpRequest, release_id: uuid.UUID) -> HttpResponse:
    """The recipient of the release, with a current agreement: accept its terms the first time, and have the seal verified."""
    release = selectors.release_get(request.user, release_id)
    verdict = rules.may_receive(request.user, release)
    form = _form_for(verdict)(request.POST)
    if not isinstance(form, TermsAndNoticeForm):
        verdict.require()
    if not form.is_valid():
        return _detail(request, release, verdict, form, status=422)
    if isinstance(form, TermsAndNoticeForm):
        agreement = selectors.agreement_with(request.user, release.project)
        assert agreement is not None  # of a verdict that waits for nothing but its terms
        terms_accept(agreement, confirmed=True, by=request.user)
        if not rules.delivery_allowed(release):
            # Nothing is fetched; what else the target allows waits for the terms.
            return redirect("recipient:detail", release_id=release.pk)
    made, _job = deliveries.delivery_request(release, notice_read=True, by=request.user)
    return redirect("recipient:detail", release_id=made.release_id)


@require_GET
def delivery(request: HttpRequest, delivery_id: uuid.UUID) -> HttpResponse:
    """Who asked for the delivery: how far it is, and the file once its seal is verified."""
    found = selectors.delivery_get(request.user, delivery_id)
    return render(request, "releases/recipient_delivery.html", _delivery_context(request, found))


def _delivery_context(request: HttpRequest, found: Delivery) -> dict[str, Any]:
    release, user = found.release, request.user
    receives = rules.may_receive(user, release)
    if receives.reason == rules.ReleaseReason.NOT_A_RECIPIENT:
        receives.require()
    is_enclave = release.project.sharing_type == SharingType.ENCLAVE
    waiting = found.status == DeliveryStatus.VERIFYING
    return {
        "delivery": found,
        "release": release,
        "files": _files(found, user),
        "is_enclave": is_enclave,
        "is_waiting": waiting,
        "receives": receives,
        "may_use": rules.may_look_at(user, found) if is_enclave else rules.may_unseal(user, found),
        "job": _shown(found) if waiting else None,
        "poll_url": reverse("recipient:progress", kwargs={"delivery_id": found.pk}) if waiting else "",
    }


def _files(found: Delivery, user: Person) -> list[dict[str, Any]]:
    """Each file, with whether it may be fetched now, here and in any way: what is fetched by programs alone may need an approval too."""
    return [
        one
        | {
            "may_download": rules.may_download(user, found, number, Act.FETCH),
            "may_fetch": rules.may_download(user, found, number),
        }
        for number, one in enumerate(deliveries.files_for(found.release, user))
    ]


def _shown(found: Delivery) -> dict[str, Any]:
    """The recipient sees how far the job is and nothing else: job pages are for the project's members."""
    job = latest_job(found.release.project, DELIVERY_JOB, found.pk)
    if job is None:
        return {"label": str(found.get_status_display()), "state": "queued", "percent": None}
    return {
        "label": job.title_text,
        "state": job.state if job.is_active else "running",
        "percent": job.percent if job.is_active else None,
        "estimate": job.estimate_text,
    }


@require_GET
def progress(request: HttpRequest, delivery_id: uuid.UUID) -> HttpResponse:
    """Who asked for the delivery: the fragment that htmx polls. The first answer after the end reloads the page."""
    found = selectors.delivery_get(request.user, delivery_id)
    context = _delivery_context(request, found)
    response = render(request, "releases/_progress.html", context)
    if not context["is_waiting"]:
        response["HX-Refresh"] = "true"
    return response


@require_GET
def download(request: HttpRequest, delivery_id: uuid.UUID) -> HttpResponseBase:
    """Who asked for the delivery, while agreement, release and seal stand: the file itself."""
    found = selectors.delivery_get(request.user, delivery_id)
    number = file_number(request.GET.get("file", ""))
    pieces, found = deliveries.delivery_open(found, by=request.user, file=number)
    return delivery_response(pieces, found, number)


def file_number(text: str) -> int:
    """Which file of a release an address asks for; the first where it says nothing (``?file=1``: the second)."""
    if text and not (text.isdecimal() and len(text) < 4):
        raise StoredFile.DoesNotExist
    return int(text or 0)


def delivery_response(pieces: Any, found: Delivery, number: int = 0) -> HttpResponseBase:
    release = found.release
    sent = deliveries.files_for(release, found.recipient)[number]
    name = sent["file_name"]
    content_type = CONTENT_TYPES.get(name.rsplit(".", 1)[-1], FALLBACK)
    return file_response(pieces, name=name, content_type=content_type, size=sent["size"])


@require_GET
def look(request: HttpRequest, delivery_id: uuid.UUID) -> HttpResponse:
    """Enclave sharing, who asked for the delivery: one page of the first rows, with a watermark, on the record."""
    found = selectors.delivery_get(request.user, delivery_id)
    number = whole_number(request.GET.get("page", "1"))
    file = file_number(request.GET.get("file", ""))
    shown = deliveries.delivery_look(found, page=number if number >= 0 else 1, by=request.user, file=file)
    now = timezone.localtime()
    context = {
        "delivery": found,
        "release": found.release,
        "page": shown,
        "of_file": f"&file={file}" if file else "",
        "file_name": found.release.files[file]["file_name"],
        "looked_at": now,
    }
    response = render(request, "releases/recipient_look.html", context)
    response["Cache-Control"] = "no-store, private"
    return response
