"""Pages of identification: the table of columns with their verdicts, and the report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from approvals.documents.selectors import documents_about
from approvals.governance.verdict import Refused, deny
from projects.core.models import Project
from projects.core.numbers import count, percent
from projects.core.pages import project_view, stage_context
from projects.core.returns import current_return
from projects.datasets.tables.selectors import dataset_now, table_of, table_query
from projects.datasets.tables.views import table_context, to_table
from projects.jobs.selectors import latest_job
from projects.workflow import Stage

from . import documents, rules, selectors, services
from .forms import ReasonForm, VerdictForm
from .models import IdentificationRound
from .persons.presentation import decision_text
from .persons.rules import is_settled
from .presentation import FILTERS, SORTS, Row, method_lines, rows_of, rows_sorted, tally
from .samples import samples_of

PAGE_SIZE = 40


@dataclass
class Listing:
    """The lines of one page of the table, as the address asks for them."""

    rows: list[Row]
    page: Page[Row]
    which: str
    order: str
    query: str


def _listing(request: HttpRequest, lines: list[Row]) -> Listing:
    which, order = request.GET.get("show", ""), request.GET.get("sort", "")
    query = request.GET.get("q", "").strip()
    shown = [
        row
        for row in lines
        if row.is_shown(which) and (not query or query.casefold() in row.column.casefold())
    ]
    page = Paginator(rows_sorted(shown, order), PAGE_SIZE).get_page(request.GET.get("page"))
    return Listing(list(page.object_list), page, which, order, query)


def _forms(rows: list[Row], data: Any = None) -> list[VerdictForm]:
    """A form for each line; the lines get them too."""
    kinds = sorted(rows[0].names.items(), key=lambda pair: pair[1]) if rows else []
    for row in rows:
        row.form = VerdictForm(data, row=row, kinds=kinds)
    return [row.form for row in rows]


@require_http_methods(["GET", "POST"])
@project_view
def page(request: HttpRequest, project: Project) -> HttpResponse:
    """Everybody who may see the project reads; its executor judges (POST). What the methods say per column.

    Both forms of the page are sent to its own address, so that a change of language after a refused
    form finds the page again.
    """
    if request.method == "POST":
        return _accept(request, project) if "what" in request.POST else _save(request, project)
    return _page(request, project)


def _page(
    request: HttpRequest,
    project: Project,
    *,
    lines: list[Row] | None = None,
    listing: Listing | None = None,
    bound: list[VerdictForm] | None = None,
    accept_form: ReasonForm | None = None,
    status: int = 200,
) -> HttpResponse:
    context = stage_context(project, request.user, Stage.IDENTIFICATION)
    table = table_of(project, request.GET.get("table"))
    dataset = dataset_now(table)
    round_ = selectors.round_now(table)
    may_judge = rules.may_judge(request.user, project, round_)
    context |= table_context(table, "identification:page") | {
        "dataset": dataset,
        "round": round_,
        "may_scan": rules.may_scan(request.user, table),
        "may_judge": may_judge,
        "scan_job": latest_job(project, services.SCAN),
        "running": selectors.running_round(project),
    }
    if round_ is not None and dataset is not None:
        lines = rows_of(project, round_) if lines is None else lines
        listing = _listing(request, lines) if listing is None else listing
        samples = samples_of(dataset)
        for row in listing.rows:
            row.samples = samples.get(row.column, ())
        if may_judge and bound is None:
            _forms(listing.rows)
        key = selectors.person_key_in(round_)
        context |= {
            "persons_key": key,
            "persons_text": decision_text(round_, key),
            "persons_settled": is_settled(round_, key),
            "listing": listing,
            "tally": tally(lines),
            "filters": FILTERS.items(),
            "sorts": SORTS.items(),
            "bound_forms": bound or [],
            "accept_form": accept_form or ReasonForm(prefix="accept"),
            "row_count": count(round_.report["rows"]),
            "coverage": percent(round_.report["coverage"]),
            "methods": method_lines(round_),
            "long_reason": rules.LONG_REASON,
            "report_documents": _documents(project),
        }
    return render(request, "identification/page.html", context, status=status)


def _documents(project: Project) -> Any:
    """The report as documents; one about all tables."""
    first = selectors.current_round(project)
    return documents_about(selectors.report_subject(first), kind=documents.REPORT) if first else []


@require_POST
@project_view
def scan(request: HttpRequest, project: Project) -> HttpResponse:
    """The project's executor, while identifiers are being identified. Look-up and rules over every row."""
    table = table_of(project, request.GET.get("table"))
    services.scan_start(table, by=request.user)
    messages.success(request, _("The scan has been queued."))
    return to_table("identification:page", table)


def _round_of(request: HttpRequest, project: Project) -> IdentificationRound:
    """The round that the form was about; a page that is older than the newest scan is refused."""
    newest = selectors.round_now(table_of(project, request.GET.get("table")))
    rules.may_judge(request.user, project, newest).require()
    assert newest is not None
    if request.POST.get("round") != str(newest.pk):
        deny(rules.IdentificationReason.OLD_ROUND).require()
    return newest


def _save(request: HttpRequest, project: Project) -> HttpResponse:
    """Verdicts about the columns of one page.

    ``accept`` or ``confirm`` in the form name the one column whose suggestion, or earlier verdict, is taken; the
    entries of the other lines are saved with it.
    """
    round_ = _round_of(request, project)
    lines = rows_of(project, round_)
    listing = _listing(request, lines)
    forms = _forms(listing.rows, request.POST)
    given = []
    sound = True
    for form in forms:
        sound = form.is_valid() and sound
        one = _given(request, form)
        if one is None or form.errors:
            continue
        verdict = services.verdict_check(form.row.report, one, form.row.names, form.row.verdict)
        if verdict:
            given.append(one)
        else:
            sound = False
            field = "role" if verdict.reason == rules.IdentificationReason.UNKNOWN_ROLE else "reason"
            form.add_error(field, _("Choose a role.") if field == "role" and not one.role else verdict.text)
    if not sound:
        return _page(request, project, lines=lines, listing=listing, bound=forms, status=422)
    written = services.verdicts_give(round_, given, by=request.user)
    text = ngettext("%(count)s verdict was saved.", "%(count)s verdicts were saved.", len(written))
    messages.success(request, text % {"count": len(written)})
    return redirect(_back(request, project))


def _given(request: HttpRequest, form: VerdictForm) -> services.Given | None:
    position = str(form.row.report.position)
    if request.POST.get("accept") == position:
        return services.accepted(form.row.report, request.POST.get(form.add_prefix("reason"), ""))
    if request.POST.get("confirm") == position and form.row.earlier is not None:
        return services.confirmed(form.row.earlier)
    return form.given if form.is_valid() else None


def _back(request: HttpRequest, project: Project) -> str:
    url = reverse("identification:page", kwargs={"project_id": project.pk})
    query = request.GET.urlencode()
    return f"{url}?{query}" if query else url


def _accept(request: HttpRequest, project: Project) -> HttpResponse:
    """Every sure suggestion, or every verdict from before, with one reason."""
    round_ = _round_of(request, project)
    form = ReasonForm(request.POST, prefix="accept")
    if not form.is_valid():
        return _page(request, project, accept_form=form, status=422)
    action = (
        services.earlier_confirm if request.POST.get("what") == "earlier" else services.suggestions_accept
    )
    try:
        written = action(round_, reason=form.cleaned_data["reason"], by=request.user)
    except Refused as refusal:
        if refusal.verdict.reason != rules.IdentificationReason.NOTHING_TO_ACCEPT:
            raise
        form.add_error(None, refusal.verdict.text)
        return _page(request, project, accept_form=form, status=422)
    text = ngettext("%(count)s verdict was saved.", "%(count)s verdicts were saved.", len(written))
    messages.success(request, text % {"count": len(written)})
    return redirect(_back(request, project))


@require_GET
@project_view
def report(request: HttpRequest, project: Project) -> HttpResponse:
    """Everybody who may see the project. The identification report, to read and to print."""
    round_ = selectors.current_round(project)
    if round_ is None:
        return redirect("identification:page", project_id=project.pk)
    subject = selectors.report_subject(round_)
    context = documents.report_context(project, round_) | {
        "content_hash": subject.hash,
        "documents": documents_about(subject, kind=documents.REPORT),
        "rounds": selectors.rounds_of(project),
    }
    return render(request, "identification/report.html", context)


@require_GET
@project_view
def column(request: HttpRequest, project: Project, position: int) -> HttpResponse:
    """Everybody who may see the project. Every verdict that was ever given about one column."""
    table = table_of(project, request.GET.get("table"))
    round_ = selectors.round_now(table)
    if round_ is None:
        raise IdentificationRound.DoesNotExist
    row = next((row for row in rows_of(project, round_) if row.report.position == position), None)
    if row is None:
        raise IdentificationRound.DoesNotExist
    context = {
        "project": project,
        "row": row,
        "history": selectors.verdict_history(table, row.column),
        "table_query": table_query(table),
        "returned": current_return(project),
    }
    return render(request, "identification/column.html", context)
