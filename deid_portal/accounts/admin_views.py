"""Accounts of the organisation. Administrators only; they see people, never project data."""

from __future__ import annotations

import uuid
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import BadRequest
from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from approvals.governance.person import by_reading
from projects.core.forms import as_sent
from projects.workflow.posts import OPEN_TO, Post

from . import persons, recovery, rules, services, two_step
from .appointments.forms import AppointmentForm
from .appointments.selectors import appointments, rows_of
from .events import Lost
from .forms import AccountCreateForm, AccountFilterForm, AccountForm, PersonForm, ReasonForm
from .models import Recovery, User


def _account(request: HttpRequest, user_id: int) -> User:
    rules.may_administer(request.user).require()
    return User.objects.get(pk=user_id)


@require_safe
def account_list(request: HttpRequest) -> HttpResponse:
    """Administrators: everybody who has an account."""
    rules.may_administer(request.user).require()
    form = AccountFilterForm(request.GET)
    users = User.objects.all()
    if form.is_valid():
        if text := form.cleaned_data["q"]:
            users = users.filter(
                Q(full_name__icontains=text) | Q(username__icontains=text) | Q(department__icontains=text)
            )
        if post := form.cleaned_data["post"]:
            users = users.filter(post=post)
    page = Paginator(_in_order(users), 25).get_page(request.GET.get("page"))
    found = User.objects.in_bulk(page.object_list)
    page.object_list = [found[key] for key in page.object_list]
    return render(request, "accounts/account_list.html", {"form": form, "page": page})


def _in_order(users: QuerySet[User]) -> list[Any]:
    """Keys of the accounts: those in use first, each by how the name is read, which no database knows."""
    rows = users.values_list("is_active", "full_name", "username", "pk")
    ordered = sorted(rows, key=lambda row: (not row[0], by_reading(row[1] or row[2]), row[2]))
    return [row[3] for row in ordered]


@require_http_methods(["GET", "POST"])
def account_create(request: HttpRequest) -> HttpResponse:
    """Administrators: a new account with a one-time password, shown once."""
    rules.may_administer(request.user).require()
    form = AccountCreateForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        password = services.one_time_password()
        account = services.user_create(
            **form.cleaned_data, password=password, must_change_password=True, by=request.user
        )
        return _password_shown(request, account, password)
    return render(request, "accounts/account_form.html", {"form": form})


@require_http_methods(["GET", "POST"])
def account_edit(request: HttpRequest, user_id: int) -> HttpResponse:
    """Administrators: name, department, e-mail and end date of an account."""
    account = _account(request, user_id)
    form = AccountForm(request.POST or None, instance=account)
    if request.method == "POST" and form.is_valid():
        # The form has put the new values on its instance; the service compares with what is stored.
        stored = User.objects.get(pk=user_id)
        services.user_edit(stored, **form.cleaned_data, by=request.user)
        messages.success(request, _("Saved."))
        return redirect("accounts:account", user_id=user_id)
    return account_page(request, account, form)


def account_page(request: HttpRequest, account: User, form: forms.BaseForm) -> HttpResponse:
    """The page of an account, with ``form`` as it was filled in among its forms."""

    context: dict[str, Any] = {
        "form": as_sent(AccountForm(instance=account), form),
        "account": account,
        "others": rules.may_administer_other(request.user, account),
        "two_step": two_step.has_second_step(account),
        "reason_form": as_sent(ReasonForm(), form),
        "password_form": as_sent(ReasonForm(prefix="password"), form),
        "recoveries": [
            (one, rules.may_decide_recovery(request.user, one, allow=True))
            for one in recovery.recoveries_waiting(account)
        ],
        "person_form": as_sent(PersonForm(account=account, prefix="person"), form),
        "unlink_form": as_sent(ReasonForm(prefix="unlink"), form),
        "same_person": list(persons.accounts_of(account)),
        "appointment_form": as_sent(AppointmentForm(account=account, prefix="post"), form)
        if OPEN_TO[Post(account.post)]
        else None,
        "appointment_rows": [
            row | {"end_form": as_sent(ReasonForm(prefix=f"end-{row['appointment'].pk}"), form)}
            for row in rows_of(appointments().filter(account=account), request.user)
        ],
        "filled_in": form,
    }
    return render(request, "accounts/account.html", context, status=422 if form.is_bound else 200)


@require_POST
def account_person(request: HttpRequest, user_id: int) -> HttpResponse:
    """Administrators: two accounts are one natural person's; the duties of one count for the other."""
    account = _account(request, user_id)
    form = PersonForm(request.POST, account=account, prefix="person")
    if not form.is_valid():
        return account_page(request, account, form)
    conflicts = persons.person_link(
        account, form.cleaned_data["other"], reason=form.cleaned_data["reason"], by=request.user
    )
    messages.success(request, _("Saved."))
    if conflicts:
        text = _(
            "These accounts already have different roles in: %(projects)s. Tell the people who review there."
        )
        messages.warning(request, text % {"projects": _(", ").join(conflicts)})
    return redirect("accounts:account", user_id=user_id)


@require_POST
def account_person_end(request: HttpRequest, user_id: int) -> HttpResponse:
    """Administrators: the link of this account was a mistake, with a reason."""
    account = _account(request, user_id)
    form = ReasonForm(request.POST, prefix="unlink")
    if not form.is_valid():
        return account_page(request, account, form)
    persons.person_unlink(account, reason=form.cleaned_data["reason"], by=request.user)
    messages.success(request, _("Saved."))
    return redirect("accounts:account", user_id=user_id)


@require_POST
def account_active(request: HttpRequest, user_id: int) -> HttpResponse:
    """Administrators: deactivate or activate somebody else's account."""
    account = _account(request, user_id)
    services.user_set_active(account, active=_yes(request, "active"), by=request.user)
    messages.success(request, _("Saved."))
    return redirect("accounts:account", user_id=user_id)


@require_POST
def account_password(request: HttpRequest, user_id: int) -> HttpResponse:
    """Administrators: ask for a one-time password for somebody else, with a reason."""
    return _recovery_ask(request, user_id, Lost.PASSWORD, ReasonForm(request.POST, prefix="password"))


@require_POST
def account_two_step(request: HttpRequest, user_id: int) -> HttpResponse:
    """Administrators: ask that the second step of somebody who lost it be removed, with a reason."""
    return _recovery_ask(request, user_id, Lost.SECOND_STEP, ReasonForm(request.POST))


def _recovery_ask(request: HttpRequest, user_id: int, lost: Lost, form: ReasonForm) -> HttpResponse:
    account = _account(request, user_id)
    if not form.is_valid():
        return account_page(request, account, form)
    _recovery, password = recovery.recovery_request(
        account, lost=lost, reason=form.cleaned_data["reason"], by=request.user
    )
    if password:
        return _password_shown(request, account, password)
    messages.success(request, _("Requested. Another administrator has to decide; the person is notified."))
    return redirect("accounts:account", user_id=user_id)


@require_POST
def account_recovery(request: HttpRequest, user_id: int, recovery_id: uuid.UUID) -> HttpResponse:
    """Administrators: decide about a recovery that another one asked for; its password is shown once."""
    account = _account(request, user_id)
    waiting = Recovery.objects.get(pk=recovery_id, account=account)
    password = recovery.recovery_decide(waiting, allow=_yes(request, "allow"), by=request.user)
    if password:
        return _password_shown(request, account, password)
    messages.success(request, _("Decided; the person has been notified."))
    return redirect("accounts:account", user_id=user_id)


def _yes(request: HttpRequest, name: str) -> bool:
    """What was decided; a decision that does not say which is none."""
    said = request.POST.get(name)
    if said not in ("yes", "no"):
        raise BadRequest
    return said == "yes"


def _password_shown(request: HttpRequest, account: User, password: str) -> HttpResponse:
    return render(request, "accounts/one_time_password.html", {"account": account, "password": password})
