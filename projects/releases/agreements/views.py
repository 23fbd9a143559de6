"""Recording and ending agreements, and opening their scans."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import date
from typing import Any, BinaryIO

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from approvals.documents.selectors import documents_of_project
from approvals.governance.person import Person
from projects.core.enums import SharingType
from projects.core.evidence import evidence_state
from projects.core.models import Project
from projects.core.pages import project_view, reason_missing, stage_context
from projects.core.selectors import project_get
from projects.datasets.models import StoredFile
from projects.datasets.store.responses import file_response, pieces_of
from projects.datasets.store.store import store_remove
from projects.datasets.upload.scans import MAX_BYTES, scan_receiving, scan_taken, scan_type
from projects.datasets.upload.uploading import FIELD, Upload
from projects.workflow import Evidence, Stage
from techniques.core.messages import EngineError, filled

from .. import rules, selectors, services
from ..forms import PROHIBITIONS, AgreementForm, EndForm
from ..models import Agreement, RecipientChange
from .changes.selectors import asks_of
from .changes.services import change_propose
from .clauses import clauses_in_force
from .documents import KIND, text_start
from .parties import register_kept
from .terms import SCAN_PURPOSE, Terms


# As with data sets: who asks is known before the body is read, the encrypting handler is put in place,
# and only then does the check of the CSRF token read the form (see datasets/views.py).
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def agreement(request: HttpRequest, project_id: uuid.UUID) -> HttpResponse:
    """The planning manager, before and after the release: record a signed agreement."""
    project = project_get(request.user, project_id)
    rules.may_record_agreement(request.user, project).require()
    if request.method != "POST":
        return _form(request, project, AgreementForm(project=project))
    with scan_receiving(request, SCAN_PURPOSE) as receiving:
        try:
            receiving.refuse_too_large()
            return _record(request, project, receiving)
        except EngineError as error:
            # The body may be unread: the page must not read it either.
            form = AgreementForm(project=project)
            text = filled(_(error.message), error.params) if error.params else _(error.message)
            return _form(request, project, form, problem=text, status=422)


@csrf_protect
def _record(request: HttpRequest, project: Project, receiving: Upload) -> HttpResponse:
    form = AgreementForm(request.POST, project=project)
    if not form.is_valid():
        return _form(request, project, form, status=422)
    try:
        stored = scan_taken(receiving, request.FILES.get(FIELD))
    except EngineError as error:
        form.add_error(FIELD, filled(_(error.message), error.params) if error.params else _(error.message))
        return _form(request, project, form, status=422)
    if stored is None:
        form.add_error(FIELD, rules.ReleaseReason.SCAN_NEEDED.label)
        return _form(request, project, form, status=422)
    try:
        made = agreement_or_change(project, form.agreement(), stored, by=request.user)
    except BaseException as error:
        store_remove(stored)
        if not isinstance(error, ValidationError):
            raise
        form.add_error(None, error)
        return _form(request, project, form, status=422)
    if isinstance(made, RecipientChange):
        messages.success(request, _("It alters what was signed, and waits for senior management."))
        return redirect("releases:recipient_change", project_id=project.pk, recipient_change_id=made.pk)
    messages.success(request, _("The agreement is recorded."))
    if request.POST.get("then") == "release":
        _released(request, project)
    return redirect("releases:page", project_id=project.pk)


def agreement_or_change(
    project: Project, said: dict[str, Any], scan: StoredFile, *, by: Person
) -> Agreement | RecipientChange:
    """Record what was signed or, where it alters what senior management has signed, propose it as a change."""
    recipient = said["recipient"]
    compared = {
        name: said[name] for name in ("purpose", "valid_until", "check_months", "country", "fetch_approval")
    }
    if not asks_of(project, recipient, **compared):
        return services.agreement_record(project, **said, scan=scan, by=by)
    terms = Terms(**{name: said[name] for name in Terms.model_fields})
    return change_propose(project, recipient=recipient, terms=terms, scan=scan, by=by)


def _released(request: HttpRequest, project: Project) -> None:
    """Seal and release with the agreement that was the last thing missing; the page says what else is, if it was not the last."""
    missing = evidence_state(project, Evidence.RELEASE_READY).missing
    if _may_release(request.user, project) and not missing:
        services.release_create(project, by=request.user)
        messages.success(request, _("Released under its seal. The recipients have been notified."))
        return
    for text in missing:
        messages.warning(request, _("Before it can be released: %(what)s") % {"what": text})


def _may_release(user: Person, project: Project) -> bool:
    """Public data are released on their own page, which wants it confirmed that it cannot be taken back."""
    return project.sharing_type != SharingType.PUBLIC and bool(rules.may_release(user, project))


def _form(
    request: HttpRequest, project: Project, form: AgreementForm, *, problem: str = "", status: int = 200
) -> HttpResponse:
    context = stage_context(project, request.user, Stage.RELEASE) | {
        "form": form,
        "problem": problem,
        "prohibitions": [form[name] for name in PROHIBITIONS],
        "scan_limit": MAX_BYTES,
        "approved": selectors.approved_content(project) if _may_release(request.user, project) else None,
        "organisations": register_kept().names(),
        "offers": [],
        "may_print": rules.may_print_agreement(request.user, project),
        "own_clauses": clauses_in_force(),
        "documents": documents_of_project(project.pk).filter(kind=KIND),
    }
    return render(request, "releases/agreement.html", context, status=status)


@require_POST
@project_view
def print_text(request: HttpRequest, project: Project) -> HttpResponse:
    """The planning manager: the text that both sides sign, as a document in both languages."""
    text_start(project, by=request.user)
    messages.success(request, _("The text of the agreement is being printed; it appears here in a moment."))
    return redirect("releases:agreement", project_id=project.pk)


@require_POST
@project_view
def agreement_end(request: HttpRequest, project: Project, agreement_id: uuid.UUID) -> HttpResponse:
    """The planning manager or the supervisor: its recipient cannot fetch anything any more."""
    found = selectors.agreement_get(project, agreement_id)
    rules.may_end_agreement(request.user, found).require()
    form = EndForm(request.POST)
    if not form.is_valid():
        title = _("End the agreement with %(who)s") % {"who": found.recipient}
        return reason_missing(request, project, form, title=title, tone="danger")
    services.agreement_end(found, why=form.cleaned_data["reason"], by=request.user)
    messages.success(request, _("The agreement has ended."))
    return redirect("releases:page", project_id=project.pk)


@require_GET
def scan(request: HttpRequest, project_id: uuid.UUID, agreement_id: uuid.UUID) -> HttpResponseBase:
    """Who may see the project: the scan of a signed agreement, as a download, on the record."""
    project = project_get(request.user, project_id)
    return scan_response(project, selectors.agreement_get(project, agreement_id), by=request.user)


def scan_response(project: Project, found: Agreement, *, by: Person) -> HttpResponseBase:
    """The scan as a file to be saved; 404 where none was received."""
    return scan_file(
        project, found.scan, lambda: services.agreement_scan_open(found, by=by), signed_on=found.signed_on
    )


def scan_file(
    project: Project, scan: StoredFile | None, opened: Callable[[], BinaryIO], *, signed_on: date
) -> HttpResponseBase:
    """What ``opened`` gives as a file to be saved; 404 where there is no ``scan``."""
    if scan is None or (kind := scan_type(scan)) is None:
        raise Http404
    return file_response(
        pieces_of(opened()),
        name=f"{project.number}-agreement-{signed_on:%Y%m%d}.{kind[1]}",
        content_type=kind[0],
        size=scan.size,
    )
