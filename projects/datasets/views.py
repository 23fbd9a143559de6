"""The data page of a project: upload, confirm, preview, history."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from projects.core.models import Project
from projects.core.pages import project_view, stage_context
from projects.core.selectors import project_get
from projects.jobs.selectors import latest_jobs
from projects.workflow import STAGES, Stage
from techniques.core.messages import EngineError, filled

from . import presentation, rules
from .enums import CHECK, DETECT
from .forms import FormatForm, ReasonForm, UploadForm
from .models import Table
from .samples import Sample
from .selectors import dataset_get, datasets_of
from .services import dataset_confirm, dataset_look_raw, dataset_upload
from .tables.selectors import dataset_now, population_query, table_of
from .tables.views import table_context, tables_context, to_table
from .upload.uploading import FIELD, STATUS_OF, Upload


def _page(
    request: HttpRequest,
    project: Project,
    *,
    upload_form: UploadForm | None = None,
    format_form: FormatForm | None = None,
    reason_form: ReasonForm | None = None,
    raw: Sample | None = None,
    table: Table,
    population: bool,
    status: int = 200,
) -> HttpResponse:
    user = request.user
    history = list(datasets_of(project).filter(table=table, population=population))
    dataset = next((item for item in history if item.status != "refused"), None)
    latest = history[0] if history else None
    context = stage_context(project, user, Stage.IDENTIFICATION) | {
        "dataset": dataset,
        "refused": latest if latest is not None and latest.status == "refused" else None,
        "history": [item for item in history if dataset is None or item.pk != dataset.pk],
        "may_upload": rules.may_upload(user, table, population=population),
        "is_population": population,
        "population": dataset_now(table, population=True),
        "population_query": population_query(table),
        "upload_form": upload_form or UploadForm(),
        "upload_limit": presentation.upload_limit(),
        "raw": raw,
    }
    context |= tables_context(project, user) | table_context(table, "datasets:page")
    if dataset is not None:
        jobs = latest_jobs(project, (CHECK, DETECT), dataset.pk)
        may_confirm = rules.may_confirm(user, dataset)
        context |= {
            "job": jobs.get(CHECK) or jobs.get(DETECT),
            "facts": presentation.facts(dataset),
            "evidence": presentation.evidence(dataset),
            "preview": presentation.preview(dataset),
            "columns": presentation.column_rows(dataset),
            "may_confirm": may_confirm,
            "format_form": format_form or (FormatForm(found=dataset.format) if may_confirm else None),
            "may_look_raw": rules.may_look_raw(user, dataset),
            "reason_form": reason_form or ReasonForm(),
        }
    return render(request, "datasets/page.html", context, status=status)


@require_GET
@project_view
def page(request: HttpRequest, project: Project) -> HttpResponse:
    """Everybody who may see the project; values are masked."""
    table = table_of(project, request.GET.get("table"))
    return _page(request, project, table=table, population="population" in request.GET)


# The check of the CSRF token reads the form, and reading the form receives the file. So the order is
# turned round here: the outer view is exempt, finds out who asks and whether they may upload at all
# (nobody else's body is read), puts the encrypting handler in place, and only then lets the protected
# inner view read the form. The token travels in the form before the file, or in the X-CSRFToken header.
# A file whose token turns out to be wrong is removed when the ``with`` block ends; a foreign Origin
# header is turned away by the same check before it reads anything.
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def upload(request: HttpRequest, project_id: uuid.UUID) -> HttpResponse:
    """The executor in the state of identification; a GET leads to the data page."""
    project = project_get(request.user, project_id)
    if request.method != "POST":
        return redirect("datasets:page", project_id=project.pk)
    table = table_of(project, request.GET.get("table"))
    population = "population" in request.GET
    rules.may_upload(request.user, table, population=population).require()
    with Upload(request) as receiving:
        try:
            receiving.refuse_too_large()
            return _upload_protected(request, project, receiving, table, population)
        except EngineError as error:
            # The body may be unread: the page must not read it either.
            form = UploadForm(data={}, files=MultiValueDict())
            text = filled(_(error.message), error.params) if error.params else _(error.message)
            form.errors[FIELD] = form.error_class([text])
            status = STATUS_OF.get(error.code, 422)
            return _page(
                request, project, upload_form=form, table=table, population=population, status=status
            )


@csrf_protect
def _upload_protected(
    request: HttpRequest, project: Project, receiving: Upload, table: Table, population: bool
) -> HttpResponse:
    stored, name = receiving.taken(request.FILES.get(FIELD))
    dataset_upload(table, content=stored, name=name, by=request.user, population=population)
    return _to_page(table, population)


def _to_page(table: Table, population: bool) -> HttpResponse:
    """To the data page of the table, or of its population table."""
    if not population:
        return to_table("datasets:page", table)
    return redirect(reverse("datasets:page", args=[table.project_id]) + population_query(table))


@require_POST
@project_view
def confirm(request: HttpRequest, project: Project, dataset_id: uuid.UUID) -> HttpResponse:
    """The executor: confirm or correct the format; starts the check of every row."""
    dataset = dataset_get(project, dataset_id)
    rules.may_confirm(request.user, dataset).require()
    form = FormatForm(request.POST, found=dataset.format)
    if not form.is_valid():
        return _page(
            request, project, format_form=form, table=dataset.table, population=dataset.population, status=422
        )
    goes_on = request.POST.get("then") == "scan" and not dataset.population
    dataset_confirm(dataset, chosen=form.chosen(), goes_on=goes_on, by=request.user)
    if goes_on:
        return to_table(STAGES[Stage.IDENTIFICATION].page, dataset.table)
    return _to_page(dataset.table, dataset.population)


@require_POST
@project_view
def raw_look(request: HttpRequest, project: Project, dataset_id: uuid.UUID) -> HttpResponse:
    """The executor, with a reason: a few unmasked rows, shown once in the answer itself, never cached."""
    dataset = dataset_get(project, dataset_id)
    rules.may_look_raw(request.user, dataset).require()
    form = ReasonForm(request.POST)
    if not form.is_valid():
        return _page(
            request, project, reason_form=form, table=dataset.table, population=dataset.population, status=422
        )
    shown = dataset_look_raw(dataset, reason=form.cleaned_data["reason"], by=request.user)
    messages.info(request, _("This viewing was recorded in the audit log."))
    response = _page(request, project, raw=shown, table=dataset.table, population=dataset.population)
    response["Cache-Control"] = "no-store, private"
    return response
