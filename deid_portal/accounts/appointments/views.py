"""Pages about appointments. Administrators only; everybody reads their own on their account's page."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from approvals.governance.verdict import Refused

from .. import rules as account_rules
from ..admin_views import account_page
from ..forms import ReasonForm
from ..models import Appointment, User
from . import rules, selectors, services
from .forms import AppointmentFilterForm, AppointmentForm


@require_safe
def appointment_list(request: HttpRequest) -> HttpResponse:
    """Administrators: who holds or held which post, and what waits for a second administrator."""
    account_rules.may_administer(request.user).require()
    form = AppointmentFilterForm(request.GET)
    found = selectors.appointments()
    if form.is_valid():
        if text := form.cleaned_data["q"]:
            named = Q(account__full_name__icontains=text) | Q(account__username__icontains=text)
            found = found.filter(named)
        for name in ("post", "status"):
            if value := form.cleaned_data[name]:
                found = found.filter(**{name: value})
    page = Paginator(found, 25).get_page(request.GET.get("page"))
    context = {"form": form, "page": page, "rows": selectors.rows_of(page, request.user)}
    return render(request, "accounts/appointments.html", context)


@require_POST
def appointment_give(request: HttpRequest, user_id: int) -> HttpResponse:
    """Administrators: appoint somebody else; another administrator confirms it."""
    account_rules.may_administer(request.user).require()
    account = User.objects.get(pk=user_id)
    form = AppointmentForm(request.POST, account=account, prefix="post")
    if not form.is_valid():
        return account_page(request, account, form)
    try:
        services.appointment_give(account, **form.chosen, by=request.user)
    except Refused as refusal:
        if refusal.verdict.reason != rules.AppointmentReason.DAYS_OVER:
            raise
        form.add_error("ends_on", refusal.verdict.text)
        return account_page(request, account, form)
    messages.success(request, _("Appointed. It takes effect once another administrator has confirmed it."))
    return redirect("accounts:account", user_id=user_id)


@require_POST
def appointment_decide(request: HttpRequest, appointment_id: uuid.UUID) -> HttpResponse:
    """Another administrator than who gave it: confirm an appointment, or turn it down."""
    account_rules.may_administer(request.user).require()
    said = request.POST.get("confirm")
    if said not in ("yes", "no"):
        raise BadRequest
    appointment = Appointment.objects.get(pk=appointment_id)
    services.appointment_decide(appointment, confirm=said == "yes", by=request.user)
    messages.success(request, _("Decided; the person has been told."))
    return redirect("accounts:appointments")


@require_POST
def appointment_end(request: HttpRequest, appointment_id: uuid.UUID) -> HttpResponse:
    """Administrators: end somebody else's appointment at once, with a reason."""
    account_rules.may_administer(request.user).require()
    appointment = Appointment.objects.get(pk=appointment_id)
    form = ReasonForm(request.POST, prefix=f"end-{appointment.pk}")
    if not form.is_valid():
        return account_page(request, appointment.account, form)
    services.appointment_end(appointment, reason=form.cleaned_data["reason"], by=request.user)
    messages.success(request, _("The appointment has ended."))
    return redirect("accounts:account", user_id=appointment.account_id)
