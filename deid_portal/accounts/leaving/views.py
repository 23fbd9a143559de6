"""The page of a leaver. Administrators only; of projects they read the number, nothing of the content."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from deid_portal.organisation.team.selectors import seats_of
from projects.core.models import Membership
from projects.core.succession.forms import HandOverForm
from projects.core.succession.selectors import successors
from projects.core.succession.services import planning_hand_over
from projects.workflow import Role

from .. import rules as account_rules
from ..models import Leaving, User
from . import rules, selectors, services


class LeavingForm(forms.Form):
    reason = forms.CharField(
        label=gettext_lazy("Reason"), widget=forms.Textarea(attrs={"rows": 2}), max_length=500
    )
    agreed = forms.CharField(
        label=gettext_lazy("What was agreed about confidentiality after leaving"),
        help_text=gettext_lazy(
            "Depends on the grade of the data that the person worked on. Say where the signed paper is kept."
        ),
        widget=forms.Textarea(attrs={"rows": 3}),
        max_length=1000,
    )
    at_once = forms.BooleanField(
        label=gettext_lazy("Access has to end at once, before the planning is handed over"),
        required=False,
        help_text=gettext_lazy(
            "The projects have no planning manager until you, or senior management of the project, hand the planning over."
        ),
    )

    def __init__(self, *args: Any, plans_alone: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not plans_alone:
            del self.fields["at_once"]


@require_http_methods(["GET", "POST"])
def leaving(request: HttpRequest, user_id: int) -> HttpResponse:
    """Administrators: what somebody has in hand, and that they leave."""
    account_rules.may_administer(request.user).require()
    account = User.objects.get(pk=user_id)
    rows = selectors.in_hand(account)
    alone = rules.leaves_planned(account, rows, at_once=False)
    form = LeavingForm(request.POST or None, plans_alone=not alone)
    if request.method == "POST":
        rules.may_record_leaving(request.user, account).require()
        if form.is_valid() and not alone and not form.cleaned_data["at_once"]:
            form.add_error(None, alone.text)
        if form.is_valid():
            services.leaving_record(account, **form.cleaned_data, by=request.user)
            messages.success(request, _("Recorded. Access has ended."))
            return redirect("accounts:leaving", user_id=user_id)
    context = {
        "account": account,
        "left": Leaving.objects.filter(account=account).select_related("recorded_by").first(),
        "rows": rows,
        "duties": _(", ").join(str(one.get_duty_display()) for one in seats_of(account)),
        "level": selectors.level_of(account),
        "may": rules.may_record_leaving(request.user, account),
        "form": form,
    }
    return render(request, "accounts/leaving.html", context, status=422 if form.is_bound else 200)


@require_http_methods(["GET", "POST"])
def leaving_planning(request: HttpRequest, user_id: int, number: str) -> HttpResponse:
    """Administrators: hand the planning of one project of theirs over to a holder of the post."""
    account_rules.may_administer(request.user).require()
    membership = Membership.objects.select_related("project", "user").get(
        user=user_id, project__number=number, role=Role.PLANNER, ended_at=None
    )
    form = HandOverForm(request.POST or None, people=successors(membership.project))
    if request.method == "POST" and form.is_valid():
        made = planning_hand_over(membership.project, **form.chosen, by=request.user)
        messages.success(request, _("%(member)s plans the project now.") % {"member": made.user})
        return redirect("accounts:leaving", user_id=user_id)
    context = {"form": form, "account": membership.user, "number": number}
    status = 422 if form.is_bound else 200
    return render(request, "accounts/leaving_planning.html", context, status=status)
