"""Pages of the audit log: reading, exporting, verifying. Auditors only."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from approvals.passages import without_gaps

from . import checks, rules
from .forms import AnchorForm, LogFilterForm
from .models import AuditCheck, AuditEvent
from .readers.export import csv_lines, export_note, json_lines
from .readers.fact_names import fact_name
from .registry import fact_text, reason_beside, reason_text, sentence_for, subject_text
from .selectors import LogPaginator, events_matching
from .verify import stored_head


def _sentence(event: AuditEvent) -> str:
    """Shown without the gaps that reasons were kept with."""
    return without_gaps(
        sentence_for(
            event.action, actor=event.actor, subject=event.subject, reason=event.reason, facts=event.facts
        )
    )


@require_safe
def log(request: HttpRequest) -> HttpResponse:
    """Auditors: the whole log, filtered."""
    rules.may_read_log(request.user).require()
    form = LogFilterForm(request.GET)
    found = events_matching(**form.cleaned_data) if form.is_valid() else AuditEvent.objects.none()
    until = form.cleaned_data.get("until") if not form.cleaned_data.get("since") else None
    page = LogPaginator(found, 50, until=until).get_page(request.GET.get("page"))
    query = request.GET.copy()
    query.pop("page", None)
    context = {
        "form": form,
        "page": page,
        "rows": [
            {
                "event": event,
                "sentence": _sentence(event),
                "reason": without_gaps(reason_beside(event.action, event.reason)),
            }
            for event in page
        ],
        "query": query.urlencode(),
    }
    return render(request, "audit/log.html", context)


@require_safe
def event(request: HttpRequest, seq: int) -> HttpResponse:
    """Auditors: one row with everything that is hashed."""
    rules.may_read_log(request.user).require()
    found = AuditEvent.objects.get(pk=seq)
    context = {
        "event": found,
        "sentence": _sentence(found),
        "reason": reason_text(found.action, found.reason),
        "subject": subject_text(found.action, found.subject),
        "facts": [(fact_name(name), fact_text(name, value)) for name, value in found.facts.items()],
        "same_act": AuditEvent.objects.filter(act=found.act).exclude(pk=seq).order_by("seq")[:50],
    }
    return render(request, "audit/event.html", context)


@require_POST
def export_csv(request: HttpRequest) -> HttpResponse | StreamingHttpResponse:
    """Auditors: the filtered log for a spreadsheet. Leaves an event, so it is a POST."""
    rules.may_read_log(request.user).require()
    form = LogFilterForm(request.POST)
    if not form.is_valid():
        return redirect("audit:log")
    export_note("CSV", by=request.user)
    return _file(csv_lines(events_matching(**form.cleaned_data).iterator(2000)), "text/csv", "csv")


@require_POST
def export_chain(request: HttpRequest) -> StreamingHttpResponse:
    """Auditors: the whole chain for checking it elsewhere. Leaves an event, so it is a POST."""
    rules.may_read_log(request.user).require()
    export_note("JSON Lines", by=request.user)
    return _file(json_lines(stored_head()), "application/x-ndjson", "jsonl")


def _file(lines: Any, kind: str, ending: str) -> StreamingHttpResponse:
    response = StreamingHttpResponse(lines, content_type=f"{kind}; charset=utf-8")
    stamp = timezone.localtime().strftime("%Y%m%d-%H%M%S")
    response["Content-Disposition"] = f'attachment; filename="audit-log-{stamp}.{ending}"'
    return response


@require_http_methods(["GET", "POST"])
def verify(request: HttpRequest) -> HttpResponse:
    """Auditors: start a check of the whole chain, against a written-down row or not; see the last ones."""
    rules.may_read_log(request.user).require()
    form = AnchorForm(request.POST or None)
    if request.method == "POST" and (not request.POST or form.is_valid()):
        check = checks.check_start(by=request.user, anchor=form.anchor)
        checks.check_continue(check, by=request.user)
        return redirect("audit:check", check_id=check.pk)
    last = [(one, checks.faults_of(one)) for one in AuditCheck.objects.select_related("by")[:10]]
    context = {"checks": last, "head": stored_head(), "form": form}
    return render(request, "audit/verify.html", context, status=422 if form.is_bound else 200)


@require_http_methods(["GET", "POST"])
def check(request: HttpRequest, check_id: uuid.UUID) -> HttpResponse:
    """Auditors: how far a check is (GET), or a slice more of it (POST)."""
    rules.may_read_log(request.user).require()
    found = AuditCheck.objects.get(pk=check_id)
    if request.method == "POST":
        found = checks.check_continue(found, by=request.user)
        if not getattr(request, "htmx", False):
            return redirect("audit:check", check_id=check_id)
    template = "audit/_check.html" if getattr(request, "htmx", False) else "audit/check.html"
    over = found.finished_at is not None or not checks.is_ours(found)
    return render(request, template, {"check": found, "faults": checks.faults_of(found), "over": over})
