"""Pages of live masking: the policies, their versions, and the decision on a proposal."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from approvals.governance.verdict import Refused
from deid_portal.organisation.proposals import rules
from deid_portal.organisation.proposals.forms import DecisionForm
from deid_portal.organisation.rules import may_read_organisation
from projects.core.drafts.pages import draft_answer, draft_end

from . import selectors, services
from .enums import MASKED_POSTS
from .forms import ProposalForm

EXAMPLE = '{"values": [{"kind": "phone", "value": "…"}, {"kind": "name", "value": "…"}]}'


@require_GET
def page(request: HttpRequest) -> HttpResponse:
    """Everybody inside. The policies in force and those that wait for a second person."""
    may_read_organisation(request.user).require()
    context = {"policies": selectors.policies(), "may_propose": rules.may_propose(request.user)}
    return render(request, "masking/page.html", context)


@require_GET
def policy(request: HttpRequest, name: str) -> HttpResponse:
    """Everybody inside. All versions of a policy; what the newest says, and how to call it."""
    may_read_organisation(request.user).require()
    return _policy(request, name)


def _policy(request: HttpRequest, name: str, decision: DecisionForm | None = None) -> HttpResponse:
    versions = list(selectors.versions_of(name))
    if not versions:
        raise Http404
    shown = versions[0]
    context = {
        "versions": versions,
        "shown": shown,
        "posts": [post.label for post in MASKED_POSTS],
        "lines": selectors.grid(shown),
        "may_propose": rules.may_propose(request.user),
        "may_decide": rules.may_decide(request.user, shown),
        "decision": decision or DecisionForm(),
        "call": f"POST {reverse('api:masking', args=[name])}\n{EXAMPLE}",
    }
    return render(request, "masking/policy.html", context, status=422 if decision is not None else 200)


@require_http_methods(["GET", "POST"])
def propose(request: HttpRequest, name: str = "") -> HttpResponse:
    """Planning managers and administrators. Propose a policy, or the next version of one."""
    may_propose = rules.may_propose(request.user)
    may_propose.require()
    before = selectors.versions_of(name).first() if name else None
    if name and before is None:
        raise Http404
    form = ProposalForm(request.POST or None, policy=before)
    about = before.pk if before is not None else ""
    if (answer := draft_answer(request, form, may_propose, about=about)) is not None:
        return answer
    if request.method == "POST" and form.is_valid():
        try:
            made = services.policy_propose(**form.values(), by=request.user)
        except Refused as refusal:
            if refusal.verdict.reason != rules.ProposalReason.ONE_IS_WAITING:
                raise
            form.add_error(None, refusal.verdict.text)
        else:
            draft_end(request, form)
            messages.success(request, _("The proposal is waiting for a second person."))
            return redirect("masking:policy", name=made.name)
    status = 422 if form.is_bound else 200
    return render(request, "masking/form.html", {"form": form, "before": before}, status=status)


@require_POST
def decide(request: HttpRequest, policy_id: uuid.UUID) -> HttpResponse:
    """Planning managers and administrators, but not who proposed it. Put a version in force or turn it down."""
    found = selectors.policy_get(policy_id)
    rules.may_decide(request.user, found).require()
    form = DecisionForm(request.POST)
    if not form.is_valid():
        return _policy(request, found.name, form)
    services.policy_decide(found, accept=form.accept, reason=form.cleaned_data["reason"], by=request.user)
    text = _("The policy is in force.") if form.accept else _("The proposal was rejected.")
    messages.success(request, text)
    return redirect("masking:policy", name=found.name)
