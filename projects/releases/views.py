"""The page of the release: what was approved, the seal, who may have it, and who fetched it."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from approvals.decisions.selectors import signoffs_of
from projects.core.enums import SharingType
from projects.core.models import Project
from projects.core.pages import project_view, reason_missing, stage_context
from projects.objective.selectors import factors_of
from projects.objective.surroundings.profile.presentation import act_lines, kept_lines
from projects.objective.surroundings.profile.rules import profile_of
from projects.workflow import Stage, State

from . import rules, selectors, services
from .agreements.approvals import approval_text
from .agreements.changes.presentation import change_labels, tone_of
from .agreements.changes.selectors import changes_of
from .agreements.checks import check_of, interval_text
from .agreements.parties import register_kept
from .deliveries.notice import notices_of
from .deliveries.services import row_is_sound
from .forms import EndForm
from .models import Release
from .shares.views import share_rows

LATEST = 50


@require_GET
@project_view
def page(request: HttpRequest, project: Project) -> HttpResponse:
    """Everybody who may see the project: approval, seal, agreements, deliveries."""
    user = request.user
    context = stage_context(project, user, Stage.RELEASE)
    release = selectors.current_release(project)
    past = [row for row in selectors.releases_made(project) if row.ended_at is not None]
    agreements = selectors.agreements_all(project)
    is_enclave = project.sharing_type == SharingType.ENCLAVE
    for agreement in agreements:
        agreement.project = project
        agreement.checks = interval_text(agreement.check_months, in_enclave=is_enclave)  # type: ignore[attr-defined]
        agreement.approval = approval_text(agreement.fetch_approval)  # type: ignore[attr-defined]
        agreement.may_end = rules.may_end_agreement(user, agreement)  # type: ignore[attr-defined]
    context |= {
        "release": release,
        "past": past,
        "is_public": project.sharing_type == SharingType.PUBLIC,
        "is_enclave": is_enclave,
        "recipients": _recipients(project, agreements),
        "agreements": agreements,
        "may_read_parties": register_kept().may_read(user),
        "changes": [
            {"change": one, "asks": change_labels(one), "tone": tone_of(one)}
            for one in changes_of(project)[:LATEST]
        ],
        "acts": act_lines(profile_of(project), project.sharing_type),
        "kept": kept_lines(factors_of(project), project.sharing_type),
        "deliveries": selectors.deliveries_of(project)[:LATEST],
        "may_record": rules.may_record_agreement(user, project),
        "may_release": rules.may_release(user, project),
        "release_missing": [
            row for row in context["checklist"] if not row.met and row.evidence == "release_ready"
        ],
        "offers": [offer for offer in context["offers"] if offer.rule.move != "release"],
        "shares": share_rows(project),
        "may_assign": rules.may_assign_shares(user, project),
        "approved": selectors.approved_content(project) if State(project.state) == State.APPROVED else None,
    }
    if release is not None:
        context |= {
            "approval": next((s for s in signoffs_of(project.pk) if s.pk == release.signoff_id), None),
            "row_sound": row_is_sound(release),
            "notices": notices_of(release),
            "may_end": rules.may_end_release(user, release),
        }
    return render(request, "releases/page.html", context)


def _recipients(project: Project, agreements: list[Any]) -> list[dict[str, Any]]:
    """Each recipient with the agreement that is in force with them and the checks that it asks of them, if any."""
    current = {a.recipient_id: a for a in agreements if a.ended_at is None}
    rows = [(user, current.get(user.pk)) for user in selectors.recipients_of(project)]
    return [
        {"user": user, "agreement": held, "check": check_of(held) if held is not None else None}
        for user, held in rows
    ]


@require_POST
@project_view
def create(request: HttpRequest, project: Project) -> HttpResponse:
    """The planning manager of an approved project: seal and hand out exactly what was approved."""
    rules.may_release(request.user, project).require()
    if project.sharing_type == SharingType.PUBLIC and request.POST.get("irrevocable") != "yes":
        messages.error(request, rules.ReleaseReason.IRREVOCABLE.label)
        return redirect("releases:page", project_id=project.pk)
    services.release_create(project, by=request.user)
    messages.success(request, _("Released under its seal. The recipients have been notified."))
    return redirect("releases:page", project_id=project.pk)


@require_POST
@project_view
def end(request: HttpRequest, project: Project, release_id: uuid.UUID) -> HttpResponse:
    """The planning manager or the supervisor: from now on nobody can fetch it."""
    release = Release.objects.select_related("project").get(pk=release_id, project=project)
    rules.may_end_release(request.user, release).require()
    form = EndForm(request.POST)
    if not form.is_valid():
        return reason_missing(request, project, form, title=_("End this release"), tone="danger")
    services.release_end(release, why=form.cleaned_data["reason"], by=request.user)
    messages.success(request, _("The release has ended."))
    return redirect("releases:page", project_id=project.pk)
