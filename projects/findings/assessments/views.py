"""The page of the document of an outside assessment: keep it, open it."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_GET, require_http_methods

from approvals.governance.person import Person
from projects.core.assessments.models import AssessmentOrder
from projects.core.assessments.selectors import order_get
from projects.core.rules import may_see_inside
from projects.core.selectors import project_get
from projects.datasets.store.responses import file_response, pieces_of
from projects.datasets.upload.scans import MAX_BYTES, scan_receiving, scan_taken, scan_type
from projects.datasets.upload.uploading import FIELD, STATUS_OF, Upload
from techniques.core.messages import EngineError, filled

from . import rules, services
from .forms import DocumentForm
from .selectors import document_of


# As with data sets: who asks is known before the body is read, the encrypting handler is put in place,
# and only then does the check of the CSRF token read the form (see datasets/views.py).
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def document(request: HttpRequest, project_id: uuid.UUID, order_id: uuid.UUID) -> HttpResponse:
    """Who sees the project reads what is kept; the assessor who has the order keeps their document (POST)."""
    project = project_get(request.user, project_id)
    may_see_inside(request.user, project).require()
    order = order_get(project, order_id)
    if request.method != "POST":
        return _page(request, order)
    rules.may_keep(request.user, order).require()
    with scan_receiving(request, services.PURPOSE) as receiving:
        try:
            receiving.refuse_too_large()
            return _keep(request, order, receiving)
        except EngineError as error:
            # The body may be unread: the page must not read it either.
            text = filled(_(error.message), error.params) if error.params else _(error.message)
            return _page(request, order, problem=text, status=STATUS_OF.get(error.code, 422))


@csrf_protect
def _keep(request: HttpRequest, order: AssessmentOrder, receiving: Upload) -> HttpResponse:
    stored = scan_taken(receiving, request.FILES.get(FIELD))
    if stored is None:
        return _page(request, order, problem=str(rules.DocumentReason.FILE_NEEDED.label), status=422)
    services.document_keep(order, stored=stored, by=request.user)
    messages.success(request, _("The document is kept."))
    return redirect("findings:assessment_document", project_id=order.project_id, order_id=order.pk)


def _page(
    request: HttpRequest, order: AssessmentOrder, *, problem: str = "", status: int = 200
) -> HttpResponse:
    context = {
        "project": order.project,
        "order": order,
        "document": document_of(order),
        "form": DocumentForm(),
        "problem": problem,
        "limit": MAX_BYTES,
        "may_keep": rules.may_keep(request.user, order),
    }
    return render(request, "findings/assessments/document.html", context, status=status)


@require_GET
def file(request: HttpRequest, project_id: uuid.UUID, order_id: uuid.UUID) -> HttpResponseBase:
    """Who sees the project: the document as a download, on the record."""
    project = project_get(request.user, project_id)
    may_see_inside(request.user, project).require()
    return document_response(order_get(project, order_id), by=request.user)


def document_response(order: AssessmentOrder, *, by: Person) -> HttpResponseBase:
    """The file to be saved, with the ending that its bytes have; 404 where none is kept."""
    kept = document_of(order)
    if kept is None:
        raise Http404
    kind = scan_type(kept.stored)
    assert kind is not None  # nothing else was taken
    return file_response(
        pieces_of(services.document_open(kept, by=by)),
        name=f"{order.project.number}-assessment-{order.number}.{kind[1]}",
        content_type=kind[0],
        size=kept.size,
    )
