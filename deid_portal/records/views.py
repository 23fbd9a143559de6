"""Pages of the catalogue of posts, which everybody inside reads, and of the records of a person, for administrators."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_http_methods, require_POST

from deid_portal.accounts.forms import ReasonForm
from deid_portal.accounts.models import User
from deid_portal.organisation.proposals import pages
from deid_portal.organisation.proposals.forms import DecisionForm
from deid_portal.organisation.proposals.models import ProposalStatus
from deid_portal.organisation.rules import may_read_organisation
from projects.core.forms import as_sent

from . import rules, selectors, services
from .enums import ROLES, RecordKind
from .forms import CatalogueForm, RecordForm
from .models import PostCatalogue, StaffRecord


@require_http_methods(["GET", "POST"])
def catalogue(request: HttpRequest, decision: DecisionForm | None = None) -> HttpResponse:
    """Everybody inside reads it; planning managers and administrators propose another version."""
    may_read_organisation(request.user).require()
    versions = list(selectors.versions())
    now = next((one for one in versions if one.status == ProposalStatus.IN_FORCE), None)
    form = CatalogueForm(pages.sent(request, decision), now=now)
    form.address = reverse("records:catalogue")

    def propose(given: dict[str, Any]) -> None:
        services.catalogue_propose(form.posts, reason=given["reason"], by=request.user)

    if (answer := pages.kept(request, form, now.number if now else 0)) is not None:
        return answer
    if request.method == "POST" and decision is None and pages.laid_down(request, form, propose):
        return redirect("records:catalogue")
    context = pages.context_of(request, versions, form, decision) | {
        "rows": post_rows(now),
        "now": now,
        "waiting_rows": post_rows(pages.waiting_of(versions)),
    }
    return render(request, "records/catalogue.html", context, status=pages.status_of(form, decision))


def post_rows(version: PostCatalogue | None) -> list[dict[str, Any]]:
    """What each role asks for, in words."""
    rows = []
    for role in ROLES if version else ():
        row = version.posts[role.value] if version else {}
        asks = [str(RecordKind(kind).label) for kind in row["asks"]]
        rows.append({**row, "role": role.label, "asks": _(", ").join(asks) or _("Nothing")})
    return rows


@require_POST
def catalogue_decide(request: HttpRequest, version_id: uuid.UUID) -> HttpResponse:
    """Planning managers and administrators, but not who proposed it. Put a version in force or turn it down."""
    found = selectors.version_get(version_id)
    in_force = _("The catalogue of posts is in force.")
    decision = pages.decide(request, found, services.catalogue_decide, in_force=in_force)
    if decision is not None:
        return catalogue(request, decision)
    return redirect("records:catalogue")


@require_http_methods(["GET", "POST"])
def records(request: HttpRequest, user_id: int) -> HttpResponse:
    """Administrators: what is on record about somebody, and what their roles would lack; put something on record."""
    rules.may_read(request.user).require()
    account = User.objects.get(pk=user_id)
    form = RecordForm(request.POST or None)
    if request.method == "POST" and form.is_valid() and _recorded(form, account, request):
        messages.success(request, _("It has been recorded."))
        return redirect("records:records", user_id=user_id)
    return _records_page(request, account, form)


def _records_page(
    request: HttpRequest, account: User, form: RecordForm, withdrawal: ReasonForm | None = None
) -> HttpResponse:
    missing = selectors.records_missing([account])
    context = {
        "account": account,
        "form": form,
        "withdrawal": withdrawal,
        "may_record": rules.may_record(request.user, account, done_on=timezone.localdate(), valid_until=None),
        "asked": selectors.catalogue_now() is not None,
        "missing": [(role.label, text) for (_key, role), text in missing.items()],
        "rows": [
            {
                "record": one,
                "may": rules.may_take_back(request.user, one),
                "may_keep": rules.may_keep_scan(request.user, one).allowed,
                "has_scan": rules.has_scan(one),
                "scan_label": pgettext("of a paper", "Scan") if rules.has_scan(one) else _("Keep the scan"),
                "form": as_sent(ReasonForm(prefix=str(one.pk)), withdrawal),
            }
            for one in selectors.records_of(account)
        ],
    }
    status = 422 if form.is_bound or withdrawal else 200
    return render(request, "records/records.html", context, status=status)


def _recorded(form: RecordForm, account: User, request: HttpRequest) -> bool:
    given = form.cleaned_data
    days = {name: given[name] for name in ("done_on", "valid_until")}
    if (verdict := rules.may_record(request.user, account, **days)).reason == rules.RecordReason.DAYS_WRONG:
        form.add_error("done_on", verdict.text)
        return False
    services.record_add(account, **given | {"kind": RecordKind(given["kind"])}, by=request.user)
    return True


@require_POST
def record_take_back(request: HttpRequest, record_id: uuid.UUID) -> HttpResponse:
    """Administrators: a record was wrong, with the reason."""
    rules.may_read(request.user).require()
    record = StaffRecord.objects.select_related("account").get(pk=record_id)
    rules.may_take_back(request.user, record).require()
    form = ReasonForm(request.POST, prefix=str(record.pk))
    if not form.is_valid():
        return _records_page(request, record.account, RecordForm(), form)
    services.record_take_back(record, reason=form.cleaned_data["reason"], by=request.user)
    messages.success(request, _("The record has been withdrawn."))
    return redirect("records:records", user_id=record.account_id)
