"""The pages of the policy library: the list, one entry, and the two forms with which versions are proposed."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_GET, require_http_methods, require_POST, require_safe

from approvals.governance.person import Person
from approvals.governance.verdict import Refused
from projects.core.drafts.pages import draft_answer, draft_begin, draft_end
from projects.datasets.store.responses import file_response, pieces_of
from projects.datasets.upload.uploading import STATUS_OF, Upload
from projects.objective.enums import NoticeKind
from projects.objective.notice.files import CONTENT_TYPES
from techniques.core.messages import EngineError, filled

from ..proposals import pages
from ..proposals.forms import DecisionForm
from ..proposals.rules import may_decide, may_propose
from ..rules import may_read_organisation
from . import rules, selectors, services
from .forms import EntryForm, OwnerForm, ReviewForm, VersionForm, post_labels
from .models import Policy, PolicyVersion
from .receiving import document_receiving, document_taken


@require_safe
def policies(request: HttpRequest) -> HttpResponse:
    """Everybody inside: the library, with who owns what and how many have read it."""
    may_read_organisation(request.user).require()
    context = {"entries": selectors.entries(), "may_propose": may_propose(request.user)}
    return render(request, "organisation/policies/list.html", context)


# As with data sets: who asks is known before the body is read, the encrypting handler is put in place,
# and only then does the check of the CSRF token read the form (see datasets/views.py).
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def policy_add(request: HttpRequest) -> HttpResponse:
    """Planning managers and administrators: a new entry with its first version, which waits for its approval."""
    may_propose(request.user).require()

    def add(form: Any, document: services.Document | None) -> Policy:
        reason = form.cleaned_data["reason"]
        return services.policy_add(
            **form.entry(), wording=form.wording(), document=document, reason=reason, by=request.user
        )

    return _proposing(request, EntryForm, add, "organisation/policies/add.html", {})


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def policy_propose(request: HttpRequest, policy_id: uuid.UUID) -> HttpResponse:
    """Planning managers and administrators: another version, which waits for its approval."""
    may_propose(request.user).require()
    policy = selectors.policy_get(policy_id)
    now = selectors.in_force_of(policy)

    shown = {"policy": policy, "now": now.number if now is not None else 0}

    def propose(form: Any, document: services.Document | None) -> Policy:
        reason = form.cleaned_data["reason"]
        services.version_propose(
            policy, wording=form.wording(), document=document, reason=reason, by=request.user
        )
        return policy

    def make(*data: Any) -> VersionForm:
        return VersionForm(*data, now=now)

    return _proposing(request, make, propose, "organisation/policies/propose.html", shown)


def _proposing(
    request: HttpRequest,
    make: Callable[..., VersionForm],
    act: Callable[[Any, services.Document | None], Policy],
    template: str,
    context: dict[str, Any],
) -> HttpResponse:
    if request.method != "POST":
        form = make()
        draft_begin(request, form, may_propose(request.user), about=_about(context))
        return render(request, template, context | {"form": form})
    with document_receiving(request) as receiving:
        try:
            receiving.refuse_too_large()
            return _propose(request, receiving, make, act, template, context)
        except EngineError as error:
            # The body may be unread: the page must not read it either.
            text = filled(_(error.message), error.params) if error.params else _(error.message)
            shown = context | {"form": make(), "problem": text}
            return render(request, template, shown, status=STATUS_OF.get(error.code, 422))


def _about(context: dict[str, Any]) -> str:
    """What a draft is kept for: the version of the entry that it would follow."""
    return f"{context['policy'].pk} {context['now']}" if "policy" in context else ""


@csrf_protect
def _propose(
    request: HttpRequest,
    receiving: Upload,
    make: Callable[..., VersionForm],
    act: Callable[[Any, services.Document | None], Policy],
    template: str,
    context: dict[str, Any],
) -> HttpResponse:
    form = make(request.POST)
    answer = draft_answer(request, form, may_propose(request.user), about=_about(context))
    if answer is not None:
        return answer
    if form.is_valid():
        try:
            policy = act(form, document_taken(receiving, request.FILES))
        except ValidationError as error:
            at_fields = {*getattr(error, "error_dict", {})} <= {*form.fields}
            form.add_error(None, error if at_fields else error.messages)
        except Refused as refusal:
            if refusal.verdict.reason not in pages.ANSWERED:
                raise
            form.add_error(None, refusal.verdict.text)
        else:
            draft_end(request, form)
            messages.success(request, _("The version is proposed and waits for its approval."))
            return redirect("organisation:policy", policy_id=policy.pk)
    return render(request, template, context | {"form": form}, status=422)


@require_safe
def policy(request: HttpRequest, policy_id: uuid.UUID) -> HttpResponse:
    """Everybody inside: what holds, what waits, who has acknowledged it, what was reviewed, and what rests on it."""
    may_read_organisation(request.user).require()
    found = selectors.policy_get(policy_id)
    return _page(request, found)


def _page(request: HttpRequest, policy: Policy, status: int = 200, **forms: Any) -> HttpResponse:
    versions = list(selectors.versions_of(policy))
    shown = next((one for one in versions if one.status == "in_force"), None)
    waiting = pages.waiting_of(versions)
    readers = selectors.readers_of(shown) if shown is not None else []
    mine = any(one.person.pk == request.user.pk and one.at for one in readers)
    may_review = rules.may_review(request.user, policy)
    context = {
        "policy": policy,
        "shown": shown,
        "concerned": post_labels(shown.concerns) if shown is not None else [],
        "readers": readers,
        "unread": sum(one.at is None for one in readers),
        "may_acknowledge": rules.may_acknowledge(request.user, shown, done=mine) if shown else None,
        "waiting": waiting,
        "waiting_concerned": post_labels(waiting.concerns) if waiting is not None else [],
        "may_decide": may_decide(request.user, waiting) if waiting else None,
        "decision": DecisionForm(),
        "may_propose": may_propose(request.user),
        "versions": versions,
        "reviews": list(selectors.reviews_of(policy)),
        "review_form": ReviewForm() if may_review else None,
        "owner_form": OwnerForm() if rules.may_hand_over(request.user) else None,
        "resting": selectors.resting_seen(policy, request.user),
    } | forms
    return render(request, "organisation/policies/policy.html", context, status=status)


@require_POST
def policy_decide(request: HttpRequest, policy_id: uuid.UUID, version_id: uuid.UUID) -> HttpResponse:
    """Senior management for an internal policy, another planning manager or administrator for the rest: approve a version
    or turn it down."""
    found = selectors.version_get(policy_id, version_id)
    decision = pages.decide(request, found, services.version_decide, in_force=_("The version is approved."))
    if decision is not None:
        return _page(request, found.policy, status=422, decision=decision)
    return redirect("organisation:policy", policy_id=policy_id)


@require_POST
def policy_acknowledge(request: HttpRequest, policy_id: uuid.UUID, version_id: uuid.UUID) -> HttpResponse:
    """Whom the version in force concerns: I have read it."""
    found = selectors.version_get(policy_id, version_id)
    services.version_acknowledge(found, by=request.user)
    messages.success(request, _("Your acknowledgement is on record."))
    return redirect("organisation:policy", policy_id=policy_id)


@require_POST
def policy_review(request: HttpRequest, policy_id: uuid.UUID) -> HttpResponse:
    """The owner: what was looked at, and when next."""
    found = selectors.policy_get(policy_id)
    rules.may_review(request.user, found).require()
    form = ReviewForm(request.POST)
    if not form.is_valid():
        return _page(request, found, 422, review_form=form)
    try:
        services.policy_review(found, **form.cleaned_data, by=request.user)
    except Refused as refusal:
        if refusal.verdict.reason != rules.PolicyReason.NEXT_IN_PAST:
            raise
        form.add_error("next_on", refusal.verdict.text)
        return _page(request, found, 422, review_form=form)
    messages.success(request, _("The review of the entry is on record."))
    return redirect("organisation:policy", policy_id=policy_id)


@require_POST
def policy_owner(request: HttpRequest, policy_id: uuid.UUID) -> HttpResponse:
    """Planning managers and administrators: somebody else answers for the entry."""
    found = selectors.policy_get(policy_id)
    rules.may_hand_over(request.user).require()
    form = OwnerForm(request.POST)
    if not form.is_valid():
        return _page(request, found, 422, owner_form=form)
    if form.cleaned_data["owner"] == found.owner:
        form.add_error("owner", _("Nothing was changed."))
        return _page(request, found, 422, owner_form=form)
    services.owner_change(found, **form.cleaned_data, by=request.user)
    messages.success(request, _("The owner has been changed."))
    return redirect("organisation:policy", policy_id=policy_id)


@require_GET
def policy_document(request: HttpRequest, policy_id: uuid.UUID, version_id: uuid.UUID) -> HttpResponseBase:
    """Everybody inside: the document of a version as a download, on the record."""
    may_read_organisation(request.user).require()
    return document_response(selectors.version_get(policy_id, version_id), by=request.user)


def document_response(found: PolicyVersion, *, by: Person) -> HttpResponseBase:
    """The file to be saved, under its name with the ending that its bytes have."""
    stream = services.document_open(found, by=by)
    assert found.stored is not None  # else it would not open
    return file_response(
        pieces_of(stream),
        name=found.file_name,
        content_type=CONTENT_TYPES[NoticeKind(found.document_kind)],
        size=found.stored.size,
    )
