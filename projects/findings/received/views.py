"""A recipient's pages of samples, and the supervisor's decision on what a recipient did."""

from __future__ import annotations

import uuid
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from projects.core.models import Project
from projects.core.pages import project_view
from projects.releases.agreements.checks import check_with
from projects.releases.models import Release
from projects.releases.selectors import release_get

from ..views import detail_page
from . import rules, selectors, services
from .forms import RemedyDecisionForm, RemedyForm, ReportForm, SampleForm, SteadForm
from .inside.views import reading_context
from .models import ReceivedSample
from .presentation import for_recipient, sample_row


@require_http_methods(["GET", "HEAD", "POST"])
def samples(request: HttpRequest, release_id: uuid.UUID) -> HttpResponse:
    """The recipients of a release, former ones too: their samples of what they fetched; another one is drawn (POST)."""
    release = release_get(request.user, release_id)
    may_draw = rules.may_draw(request.user, release)
    form = SampleForm(request.POST or None, release=release)
    if request.method == "POST":
        may_draw.require()
        if form.is_valid():
            made = services.sample_draw(release, **form.cleaned_data, by=request.user)
            messages.success(request, _("The rows are drawn."))
            return redirect("recipient_samples:sample", release_id=release.pk, sample_id=made.pk)
    context = {
        "release": release,
        "rows": [sample_row(one) for one in selectors.samples_of(request.user, release)],
        "may_draw": may_draw,
        "check": check_with(request.user, release),
        "inside": rules.is_inside(release),
        "form": form,
    }
    return render(request, "findings/received/samples.html", context, status=422 if form.is_bound else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def sample(request: HttpRequest, release_id: uuid.UUID, sample_id: uuid.UUID) -> HttpResponse:
    """Who had the sample drawn: the numbers of its rows, the report about them (POST), and what was done since."""
    release = release_get(request.user, release_id)
    found = selectors.sample_get(request.user, release, sample_id)
    if request.method != "POST":
        return _sample(request, release, found)
    rules.may_report(request.user, found).require()
    form = ReportForm(request.POST, sample=found)
    if not form.is_valid():
        return _sample(request, release, found, report=form)
    said = {name: form.cleaned_data[name] for name in ("checked_on", "checked")}
    services.sample_report(found, **said, deviations=form.deviations, by=request.user)
    messages.success(
        request, _("Thank you. The planning manager and the supervisor have been informed of your report.")
    )
    return redirect("recipient_samples:sample", release_id=release.pk, sample_id=found.pk)


@require_POST
def remedy(request: HttpRequest, release_id: uuid.UUID, deviation_id: uuid.UUID) -> HttpResponse:
    """Who found it: what they did with the data, and when."""
    release = release_get(request.user, release_id)
    deviation = selectors.deviation_get(request.user, release, deviation_id)
    rules.may_remedy(request.user, deviation).require()
    form = RemedyForm(request.POST)
    if not form.is_valid():
        found = selectors.sample_get(request.user, release, deviation.sample_id)
        return _sample(request, release, found, remedies={deviation.pk: form})
    services.remedy_record(deviation, **form.cleaned_data, by=request.user)
    messages.success(request, _("Recorded. The supervisor confirms it or asks again."))
    return redirect("recipient_samples:sample", release_id=release.pk, sample_id=deviation.sample_id)


def _sample(
    request: HttpRequest,
    release: Release,
    found: ReceivedSample,
    *,
    report: ReportForm | None = None,
    remedies: dict[uuid.UUID, forms.Form] | None = None,
) -> HttpResponse:
    failed = remedies or {}
    row = for_recipient(found, request.user)
    for one in row["deviations"]:
        key = one["deviation"].pk
        one["form"] = failed.get(key) or RemedyForm(auto_id=f"id_{key}_%s") if one["may_remedy"] else None
    may_report = rules.may_report(request.user, found)
    reading = reading_context(found)
    context: dict[str, Any] = row | {
        "release": release,
        **reading,
        "may_look": rules.may_look(request.user, found),
        "may_read": rules.may_read(request.user, found, reading["is_waiting"]),
        "may_report": may_report,
        "form": (report or ReportForm(sample=found)) if may_report else None,
    }
    status = 200 if report is None and not failed else 422
    return render(request, "findings/received/sample.html", context, status=status)


@require_POST
@project_view
def remedy_in_stead(request: HttpRequest, project: Project, finding_id: uuid.UUID) -> HttpResponse:
    """The planning manager: what was done with the data of a recipient who cannot say it any more."""
    deviation = selectors.deviation_behind(project, finding_id)
    rules.may_remedy_in_stead(request.user, deviation).require()
    form = SteadForm(request.POST)
    if not form.is_valid():
        return detail_page(request, deviation.ticket, form)
    services.remedy_record_in_stead(deviation, **form.cleaned_data, by=request.user)
    messages.success(request, _("Recorded. The supervisor confirms it or asks again."))
    return redirect("findings:detail", project_id=project.pk, finding_id=finding_id)


@require_POST
@project_view
def decide(request: HttpRequest, project: Project, finding_id: uuid.UUID) -> HttpResponse:
    """The supervisor: what the recipient did is confirmed, or asked again with a reason."""
    deviation = selectors.deviation_behind(project, finding_id)
    rules.may_decide(request.user, deviation).require()
    form = RemedyDecisionForm(request.POST)
    decision = request.POST.get("decision")
    if not form.is_valid() or decision not in ("confirm", "again"):
        return detail_page(request, deviation.ticket, form)
    confirm = decision == "confirm"
    services.remedy_decide(deviation, confirm=confirm, reason=form.cleaned_data["reason"], by=request.user)
    messages.success(request, _("Confirmed.") if confirm else _("It is asked again, with your reason."))
    return redirect("findings:detail", project_id=project.pk, finding_id=finding_id)
