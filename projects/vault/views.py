"""Pages of the vault: what there is and what became of it, never the bytes."""

from __future__ import annotations

import uuid

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from approvals.documents.models import Document
from approvals.documents.selectors import documents_made
from projects.core.models import Project
from projects.core.pages import project_view, stage_context

from . import rules
from .documents import CERTIFICATE
from .forms import DestroyForm
from .purposes import purpose_text
from .selectors import secret_get, secrets_of
from .services import secret_destroy


def _page(
    request: HttpRequest,
    project: Project,
    *,
    failed: tuple[uuid.UUID, forms.Form] | None = None,
    status: int = 200,
) -> HttpResponse:
    rows = []
    printed: dict[str, list[Document]] = {}
    for one in documents_made(project.pk):
        if one.kind == CERTIFICATE:
            printed.setdefault(one.subject_id, []).append(one)
    for secret in secrets_of(project):
        secret.project = project
        form = (
            failed[1] if failed and failed[0] == secret.pk else DestroyForm(auto_id=f"id_%s_{secret.pk.hex}")
        )
        why = _(secret.destroyed_why) if secret.destroyed_why else ""
        rows.append(
            {
                "secret": secret,
                "purpose": purpose_text(secret.purpose),
                "why": why,
                "verdict": rules.may_destroy(request.user, secret),
                "form": form,
                "documents": printed.get(str(secret.pk), []),
            }
        )
    context = stage_context(project, request.user, project.stage) | {"rows": rows}
    return render(request, "vault/page.html", context, status=status)


@require_GET
@project_view
def page(request: HttpRequest, project: Project) -> HttpResponse:
    """Planning manager, executor and supervisor of the project, auditors and assessors."""
    rules.may_list(request.user, project).require()
    return _page(request, project)


@require_POST
@project_view
def destroy(request: HttpRequest, project: Project, secret_id: uuid.UUID) -> HttpResponse:
    """The planning manager, with a reason, once the result is approved or the project has ended."""
    rules.may_list(request.user, project).require()
    secret = secret_get(project, secret_id)
    rules.may_destroy(request.user, secret).require()
    form = DestroyForm(request.POST, auto_id=f"id_%s_{secret.pk.hex}")
    if not form.is_valid():
        return _page(request, project, failed=(secret.pk, form), status=422)
    secret_destroy(secret, reason=form.cleaned_data["reason"], by=request.user)
    messages.success(request, _("The key was destroyed. Its certificate is being printed."))
    return redirect("vault:page", project_id=project.pk)
