"""The page of the privacy notice: put it on file, replace it, open it."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from approvals.governance.person import Person
from projects.core.models import Project
from projects.core.pages import project_view
from projects.core.rules import may_see_inside
from projects.core.selectors import project_get
from projects.datasets.store.responses import file_response, pieces_of
from projects.datasets.upload.uploading import FIELD, STATUS_OF, Upload
from techniques.core.messages import EngineError, filled

from .. import pages
from ..enums import NoticeKind, Part
from ..forms import NoticeForm
from ..models import PrivacyNotice
from ..rules import may_edit_after_sharing
from ..selectors import objective_of
from . import services
from .files import CONTENT_TYPES, MAX_BYTES, notice_receiving


# As with data sets: who asks is known before the body is read, the encrypting handler is put in place,
# and only then does the check of the CSRF token read the form (see datasets/views.py).
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def notice(request: HttpRequest, project_id: uuid.UUID) -> HttpResponse:
    """Who sees the project reads; the planning manager puts a file on file while the target is being determined."""
    project = project_get(request.user, project_id)
    may_see_inside(request.user, project).require()
    if request.method != "POST":
        return _page(request, project)
    may_edit_after_sharing(request.user, project).require()
    with notice_receiving(request) as receiving:
        try:
            receiving.refuse_too_large()
            return _keep(request, project, receiving)
        except EngineError as error:
            # The body may be unread: the page must not read it either.
            text = filled(_(error.message), error.params) if error.params else _(error.message)
            return _page(request, project, problem=text, status=STATUS_OF.get(error.code, 422))


@csrf_protect
def _keep(request: HttpRequest, project: Project, receiving: Upload) -> HttpResponse:
    stored, name = receiving.taken(request.FILES.get(FIELD))
    services.notice_keep(project, stored=stored, name=name, by=request.user)
    messages.success(request, _("The privacy notice is on file. The plan names it from now on."))
    return redirect("objective:notice", project_id=project.pk)


def _page(request: HttpRequest, project: Project, *, problem: str = "", status: int = 200) -> HttpResponse:
    objective = objective_of(project)
    current = objective.notice if objective else None
    kept = list(services.notices_of(project)[:20])
    context = pages.step_frame(project, request.user, Part.SCOPE) | {
        "form": NoticeForm(),
        "problem": problem,
        "limit": MAX_BYTES,
        "verdict": may_edit_after_sharing(request.user, project),
        "notice": current,
        "earlier": [row for row in kept if row != current],
    }
    return render(request, "objective/notice.html", context, status=status)


@require_POST
@project_view
def notice_remove(request: HttpRequest, project: Project) -> HttpResponse:
    """The planning manager, while the target is being determined: the target names no notice any more."""
    services.notice_remove(project, by=request.user)
    messages.success(request, _("The target no longer names a privacy notice."))
    return redirect("objective:notice", project_id=project.pk)


@require_GET
def notice_file(request: HttpRequest, project_id: uuid.UUID, notice_id: uuid.UUID) -> HttpResponseBase:
    """Who sees the project: a notice as a download, on the record."""
    project = project_get(request.user, project_id)
    return notice_response(services.notice_get(project, notice_id), by=request.user)


def notice_response(found: PrivacyNotice, *, by: Person) -> HttpResponseBase:
    """The file to be saved, under its name with the ending that its bytes have."""
    return file_response(
        pieces_of(services.notice_open(found, by=by)),
        name=found.file_name,
        content_type=CONTENT_TYPES[NoticeKind(found.kind)],
        size=found.size,
    )
