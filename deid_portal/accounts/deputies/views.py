"""Pages about deputies: everybody's own, and all of them for administrators."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from approvals.governance.person import Person
from approvals.governance.verdict import Refused
from projects.core.forms import as_sent

from .. import rules as account_rules
from ..forms import ReasonForm
from ..models import Deputation, User
from . import rules, selectors, services
from .forms import DeputyForm


@require_http_methods(["GET", "POST"])
def deputies(request: HttpRequest) -> HttpResponse:
    """Every signed-in person: who acts in their stead, on whose behalf they act; name a deputy."""
    return _page(request, request.user, "accounts:deputies")


@require_http_methods(["GET", "POST"])
def account_deputies(request: HttpRequest, user_id: int) -> HttpResponse:
    """Administrators: the deputies of somebody; name one for who cannot."""
    account_rules.may_administer(request.user).require()
    return _page(request, User.objects.get(pk=user_id), "accounts:account_deputies", user_id=user_id)


def _page(request: HttpRequest, account: Any, back: str, **where: Any) -> HttpResponse:
    form = _naming(account, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            services.deputy_name(account, **form.chosen, by=request.user)
        except Refused as refusal:
            form.add_error(None, refusal.verdict.text)
        else:
            messages.success(request, _("Named. It takes effect once an administrator has confirmed it."))
            away: HttpResponse = redirect(back, **where)
            return away
    return _shown(request, account, form)


def _naming(account: Any, data: Any = None) -> DeputyForm:
    posts = selectors.posts_of(account)
    return DeputyForm(data, posts=posts, people=selectors.deputies_possible(account) if posts else [])


def _shown(
    request: HttpRequest, account: Any, form: DeputyForm, ending: ReasonForm | None = None
) -> HttpResponse:
    context = {
        "account": account,
        "own": account.pk == request.user.pk,
        "form": form if form.posts and form.people else None,
        "ending": ending,
        "posts": form.posts,
        "rows": rows_of(selectors.deputations_of(account), request.user, ending),
    }
    status = 422 if form.is_bound or ending else 200
    return render(request, "accounts/deputies.html", context, status=status)


@require_safe
def deputations(request: HttpRequest) -> HttpResponse:
    """Administrators: who acts or acted on whose behalf, and what waits for an administrator."""
    account_rules.may_administer(request.user).require()
    return _all_shown(request)


def _all_shown(request: HttpRequest, ending: ReasonForm | None = None) -> HttpResponse:
    page = Paginator(selectors.deputations(), 25).get_page(request.GET.get("page"))
    context = {"page": page, "rows": rows_of(page, request.user, ending), "ending": ending}
    return render(request, "accounts/deputations.html", context, status=422 if ending else 200)


def rows_of(found: Any, user: Person, ending: ReasonForm | None = None) -> list[dict[str, Any]]:
    """Each deputation with what ``user`` may do about it; ``ending`` is the form that ends one, as it was filled in."""

    return [
        {
            "one": one,
            "tenure": one.tenure,
            "decide": rules.may_decide(user, one, confirm=True),
            "turn_down": rules.may_decide(user, one, confirm=False),
            "end_form": as_sent(ReasonForm(prefix=f"end-{one.pk}"), ending)
            if rules.may_end(user, one)
            else None,
        }
        for one in found
    ]


@require_POST
def deputation_decide(request: HttpRequest, deputation_id: uuid.UUID) -> HttpResponse:
    """Another administrator than who named the deputy: confirm it, or turn it down."""
    account_rules.may_administer(request.user).require()
    said = request.POST.get("confirm")
    if said not in ("yes", "no"):
        raise BadRequest
    deputation = selectors.deputations().get(pk=deputation_id)
    services.deputation_decide(deputation, confirm=said == "yes", by=request.user)
    messages.success(request, _("Decided; the two have been told."))
    return redirect("accounts:deputations")


@require_POST
def deputation_end(request: HttpRequest, deputation_id: uuid.UUID) -> HttpResponse:
    """Either of the two, or an administrator: end it at once, with a reason."""
    deputation = _findable(request.user, deputation_id)
    rules.may_end(request.user, deputation).require()
    mine = request.user.pk in (deputation.account_id, deputation.deputy_id)
    form = ReasonForm(request.POST, prefix=f"end-{deputation.pk}")
    if not form.is_valid():
        if mine:
            return _shown(request, request.user, _naming(request.user), form)
        return _all_shown(request, form)
    services.deputation_end(deputation, reason=form.cleaned_data["reason"], by=request.user)
    messages.success(request, _("It has ended."))
    return redirect("accounts:deputies" if mine else "accounts:deputations")


def _findable(user: Person, deputation_id: uuid.UUID) -> Deputation:
    """One's own, or any for administrators; for others there is none."""
    found = selectors.deputations() if account_rules.may_administer(user) else selectors.deputations_of(user)
    return found.get(pk=deputation_id)
