"""The page of the scan of a record: keep it, open it."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_GET, require_http_methods

from approvals.governance.person import Person
from approvals.governance.verdict import Refused
from projects.datasets.store.responses import file_response, pieces_of
from projects.datasets.upload.scans import MAX_BYTES, scan_receiving, scan_taken, scan_type
from projects.datasets.upload.uploading import FIELD, STATUS_OF, Upload
from techniques.core.messages import EngineError, filled

from .. import rules
from ..models import StaffRecord
from . import services
from .forms import ScanForm

PURPOSE = "staff_record"


# As with data sets: who asks is known before the body is read, the encrypting handler is put in place,
# and only then does the check of the CSRF token read the form (see datasets/views.py).
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def scan(request: HttpRequest, record_id: uuid.UUID) -> HttpResponse:
    """Administrators: the scan of a record; keep it where none is kept."""
    rules.may_read(request.user).require()
    record = services.record_get(record_id)
    if request.method != "POST":
        return _page(request, record)
    rules.may_keep_scan(request.user, record).require()
    with scan_receiving(request, PURPOSE) as receiving:
        try:
            receiving.refuse_too_large()
            return _keep(request, record, receiving)
        except EngineError as error:
            # The body may be unread: the page must not read it either.
            text = filled(_(error.message), error.params) if error.params else _(error.message)
            return _page(request, record, problem=text, status=STATUS_OF.get(error.code, 422))


@csrf_protect
def _keep(request: HttpRequest, record: StaffRecord, receiving: Upload) -> HttpResponse:
    stored = scan_taken(receiving, request.FILES.get(FIELD))
    if stored is None:
        return _page(request, record, problem=str(rules.RecordReason.SCAN_NEEDED.label), status=422)
    try:
        services.scan_keep(record, stored=stored, by=request.user)
    except Refused as error:
        if error.verdict.reason != rules.RecordReason.OTHER_FILE:
            raise
        return _page(request, record, problem=str(error.verdict.text), status=422)
    messages.success(request, _("The scan is kept."))
    return redirect("records:scan", record_id=record.pk)


def _page(request: HttpRequest, record: StaffRecord, *, problem: str = "", status: int = 200) -> HttpResponse:
    context = {
        "record": record,
        "scan": record.scan if rules.has_scan(record) else None,
        "form": ScanForm(),
        "problem": problem,
        "limit": MAX_BYTES,
        "may_keep": rules.may_keep_scan(request.user, record),
    }
    return render(request, "records/scan.html", context, status=status)


@require_GET
def scan_file(request: HttpRequest, record_id: uuid.UUID) -> HttpResponseBase:
    """Administrators: the scan as a download, on the record."""
    rules.may_read(request.user).require()
    return scan_response(services.record_get(record_id), by=request.user)


def scan_response(record: StaffRecord, *, by: Person) -> HttpResponseBase:
    """The file to be saved, with the ending that its bytes have; 404 where none is kept, or it was destroyed with the record."""
    if not rules.has_scan(record) or record.scan.is_destroyed:
        raise Http404
    kind = scan_type(record.scan.stored)
    assert kind is not None  # nothing else was taken
    return file_response(
        pieces_of(services.scan_open(record.scan, by=by)),
        name=f"record-{record.done_on:%Y%m%d}.{kind[1]}",
        content_type=kind[0],
        size=record.scan.size,
    )
