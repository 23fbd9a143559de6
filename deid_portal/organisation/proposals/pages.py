"""What every page of proposals does: lays a version down, has a second person decide, shows what waits and what was."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.translation import gettext as _

from approvals.governance.verdict import Refused
from projects.core.drafts.forms import KeptForm
from projects.core.drafts.pages import draft_answer, draft_end

from ..rules import OrganisationReason
from .forms import DecisionForm
from .models import Proposal, ProposalStatus
from .rules import ProposalReason, may_decide, may_propose

ANSWERED = (ProposalReason.ONE_IS_WAITING, OrganisationReason.NOTHING_CHANGED)
"""Refusals that the form answers; any other is one for the whole page."""


def waiting_of(versions: Sequence[Proposal]) -> Any:
    """The version that waits for a second person, None where none does."""
    return next((one for one in versions if one.status == ProposalStatus.PROPOSED), None)


def sent(request: HttpRequest, decision: DecisionForm | None) -> QueryDict | None:
    """What the form of another version was sent with: nothing where a page is read, or shown again because of a ``decision``."""
    return (request.POST or None) if decision is None else None


def status_of(form: forms.Form, decision: DecisionForm | None) -> int:
    """The page's answer: that a form was refused, or that it is shown."""
    return 422 if form.is_bound or decision is not None else 200


def context_of(
    request: HttpRequest, versions: Sequence[Proposal], form: forms.Form, decision: DecisionForm | None
) -> dict[str, Any]:
    """What ``organisation/_decision.html``, ``organisation/_propose.html`` and ``organisation/_versions.html`` show."""
    waiting = waiting_of(versions)
    return {
        "waiting": waiting,
        "may_decide": may_decide(request.user, waiting) if waiting else None,
        "decision": decision or DecisionForm(),
        "may_propose": may_propose(request.user),
        "form": form,
        "versions": versions,
    }


def kept(request: HttpRequest, form: KeptForm, about: Any) -> HttpResponse | None:
    """The answer to what was sent for the sake of a draft. It belongs to the version in force, which ``about`` names: beside a later one
    it would bring back what that one changed."""
    return draft_answer(request, form, may_propose(request.user), about=about)


def laid_down(
    request: HttpRequest,
    form: forms.Form,
    propose: Callable[[dict[str, Any]], Any],
    *,
    field: str | None = None,
) -> bool:
    """Whether what the valid form says was proposed by ``propose``; the form says why not, at ``field``."""
    may_propose(request.user).require()
    if not form.is_valid():
        return False
    try:
        propose(form.cleaned_data)
    except ValidationError as error:
        at_fields = {*getattr(error, "error_dict", {})} <= {*form.fields}
        form.add_error(None, error if at_fields else error.messages)
    except Refused as refusal:
        if refusal.verdict.reason not in ANSWERED:
            raise
        form.add_error(field, refusal.verdict.text)
    else:
        draft_end(request, form)
        messages.success(request, _("The proposal is waiting for a second person."))
        return True
    return False


def decide(
    request: HttpRequest, found: Proposal, act: Callable[..., Any], *, in_force: str
) -> DecisionForm | None:
    """Have ``act`` put ``found`` in force or turn it down, as the second person says. The form, where it says too little: the version
    waits on, and the page shows the form again."""
    may_decide(request.user, found).require()
    form = DecisionForm(request.POST)
    if not form.is_valid():
        return form
    act(found, accept=form.accept, reason=form.cleaned_data["reason"], by=request.user)
    messages.success(request, in_force if form.accept else _("The proposal was rejected."))
    return None
