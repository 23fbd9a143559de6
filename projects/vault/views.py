"""Pages of the vault: what there is and what became of it, never the bytes."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from approvals.documents.models import Document
from approvals.documents.selectors import documents_made
from approvals.governance.person import Person
from approvals.governance.verdict import Verdict
from projects.core.models import Project
from projects.core.pages import project_view, stage_context

from . import rules
from .documents import CERTIFICATE
from .forms import DestroyForm, KeepForm
from .models import Secret
from .purposes import purpose_text
from .selectors import secret_get, secrets_of
from .services import secret_destroy, secret_keep, secret_propose


def _page(
    request: HttpRequest,
    project: Project,
    *,
    failed: tuple[uuid.UUID, str, forms.Form] | None = None,
    status: int = 200,
) -> HttpResponse:
    rows = []
    printed: dict[str, list[Document]] = {}
    for one in documents_made(project.pk):
        if one.kind == CERTIFICATE:
            printed.setdefault(one.subject_id, []).append(one)
    for secret in secrets_of(project):
        secret.project = project
        why = _(secret.destroyed_why) if secret.destroyed_why else ""
        rows.append(
            {
                "secret": secret,
                "purpose": purpose_text(secret.purpose),
                "why": why,
                "acts": _acts(request, secret, failed),
                "documents": printed.get(str(secret.pk), []),
            }
        )
    context = stage_context(project, request.user, project.stage) | {"rows": rows}
    return render(request, "vault/page.html", context, status=status)


def _acts(
    request: HttpRequest, secret: Secret, failed: tuple[uuid.UUID, str, forms.Form] | None
) -> dict[str, dict[str, Any]]:
    """Each act on a key with the rule's answer for this person and its form."""
    acts = {"propose": rules.may_propose, "destroy": rules.may_destroy, "keep": rules.may_keep}
    return {
        name: {
            "verdict": rule(request.user, secret),
            "form": failed[2] if failed and failed[:2] == (secret.pk, name) else _form(name, secret),
        }
        for name, rule in acts.items()
    }


@require_GET
@project_view
def page(request: HttpRequest, project: Project) -> HttpResponse:
    """Planning manager, executor and supervisor of the project, auditors and assessors."""
    rules.may_list(request.user, project).require()
    return _page(request, project)


@require_POST
@project_view
def propose(request: HttpRequest, project: Project, secret_id: uuid.UUID) -> HttpResponse:
    """The planning manager, with a reason, once the result is approved or the project has ended."""
    text = _("Proposed. The supervisor decides whether to destroy or keep the key.")
    return _act(request, project, secret_id, "propose", rules.may_propose, secret_propose, text)


@require_POST
@project_view
def keep(request: HttpRequest, project: Project, secret_id: uuid.UUID) -> HttpResponse:
    """The supervisor declines what was proposed, or the planning manager takes it back."""
    return _act(request, project, secret_id, "keep", rules.may_keep, secret_keep, _("The key is kept."))


@require_POST
@project_view
def destroy(request: HttpRequest, project: Project, secret_id: uuid.UUID) -> HttpResponse:
    """The supervisor, with a reason, of what the planning manager has proposed."""
    text = _("The key has been destroyed. Its certificate is being printed.")
    return _act(request, project, secret_id, "destroy", rules.may_destroy, secret_destroy, text)


def _act(
    request: HttpRequest,
    project: Project,
    secret_id: uuid.UUID,
    name: str,
    rule: Callable[[Person, Secret], Verdict],
    service: Callable[..., Secret],
    text: str,
) -> HttpResponse:
    rules.may_list(request.user, project).require()
    secret = secret_get(project, secret_id)
    rule(request.user, secret).require()
    form = _form(name, secret, request.POST)
    if not form.is_valid():
        return _page(request, project, failed=(secret.pk, name, form), status=422)
    service(secret, reason=form.cleaned_data["reason"], by=request.user)
    messages.success(request, text)
    return redirect("vault:page", project_id=project.pk)


def _form(name: str, secret: Secret, sent: Any = None) -> forms.Form:
    """The form of an act, with ids of its own among those of all keys."""
    return (KeepForm if name == "keep" else DestroyForm)(sent, auto_id=f"id_{name}_%s_{secret.pk.hex}")
