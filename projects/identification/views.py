"""Pages of identification: the table of columns with their verdicts, and the report."""

from __future__ import annotations

from collections.abc import Callable
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
from approvals.governance.person import by_reading
from approvals.governance.verdict import Reason, deny
from projects.core.models import Project
from projects.core.numbers import count, percent
from projects.core.pages import project_view, stage_context
from projects.core.returns import current_return
from projects.core.rules import CoreReason
from projects.datasets.enums import CHECK
from projects.datasets.forms import UploadForm
from projects.datasets.presentation import upload_limit
from projects.datasets.rules import may_upload
from projects.datasets.tables.selectors import dataset_now, table_of, table_query
from projects.datasets.tables.views import table_context, to_table
from projects.jobs.selectors import latest_job
from projects.workflow import Stage

from . import documents, rules, selectors, services, wording
from .enums import ColumnRole
from .forms import SeveralForm, VerdictForm
from .links.striking import StrikingText
from .links.wording import LinksText
from .models import IdentificationRound
from .persons.presentation import decision_text
from .persons.rules import is_settled
from .presentation import FILTERS, SORTS, Row, above_of_rows, method_lines, rows_of, rows_sorted, tally
from .samples import samples_of
from .sentences import reason_read

PAGE_SIZE = 100


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


@dataclass
class Sheet:
    """The forms of one page of the table, as they were sent or empty: one for each line, and one for several lines."""

    lines: list[VerdictForm]
    several: SeveralForm


def _sheet(rows: list[Row], data: Any = None) -> Sheet:
    """The lines get their forms too."""
    names = rows[0].names if rows else wording.kind_names()
    kinds = sorted(names.items(), key=lambda pair: by_reading(pair[1]))
    for row in rows:
        row.form = VerdictForm(data, row=row, kinds=kinds)
    return Sheet([row.form for row in rows], SeveralForm(data, kinds=kinds))


@require_http_methods(["GET", "POST"])
@project_view
def page(request: HttpRequest, project: Project) -> HttpResponse:
    """Everybody who may see the project reads; its executor judges (POST). What the methods say per column.

    The form of the page is sent to its own address, so that a change of language after a refused
    form finds the page again.
    """
    return _save(request, project) if request.method == "POST" else _page(request, project)


def _page(
    request: HttpRequest,
    project: Project,
    *,
    lines: list[Row] | None = None,
    listing: Listing | None = None,
    sent: Sheet | None = None,
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
    if dataset is None or not dataset.is_ready:
        context |= {
            "check_job": None if dataset is None else latest_job(project, CHECK, dataset.pk),
            "may_upload": may_upload(request.user, table),
            "upload_form": UploadForm(),
            "upload_limit": upload_limit(),
        }
    if round_ is not None and dataset is not None:
        lines = rows_of(project, round_) if lines is None else lines
        listing = _listing(request, lines) if listing is None else listing
        samples = samples_of(dataset)
        for row in listing.rows:
            row.samples = samples.get(row.column, ())
        sheet = sent or (_sheet(listing.rows) if may_judge else None)
        key = selectors.person_key_in(round_)
        context |= {
            "persons_key": key,
            "persons_text": decision_text(round_, key),
            "persons_settled": is_settled(round_, key),
            "listing": listing,
            "tally": tally(lines),
            "above": above_of_rows(project, lines),
            "links": LinksText(round_, lines),
            "striking": StrikingText(round_),
            "filters": FILTERS.items(),
            "sorts": SORTS.items(),
            "sheet": sheet,
            "refused": sent,
            "picked": request.POST.getlist("pick"),
            "roles": ColumnRole.choices,
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


TOGETHER = {"suggestions": services.sure_suggestions, "earlier": services.unchanged_verdicts}
"""What else the form may ask for: verdicts that stand beside those of its lines."""


def _save(request: HttpRequest, project: Project) -> HttpResponse:
    """Verdicts about the columns of one page: every line that was changed, and what was asked of several.

    ``what`` is empty, ``picked`` for what is said of the columns ticked, or one of ``TOGETHER``, which go beyond the page.
    ``accept`` or ``confirm`` name the one column whose suggestion, or earlier verdict, is taken.
    """
    round_ = _round_of(request, project)
    lines = rows_of(project, round_)
    listing = _listing(request, lines)
    sheet, what = _sheet(listing.rows, request.POST), request.POST.get("what", "")
    given = _given_in(request, sheet, what) if sheet.several.is_valid() else []
    if what in TOGETHER and not sheet.several.errors:
        given += _given_together(round_, sheet.several, TOGETHER[what], {one.column for one in given})
    if sheet.several.errors or any(form.errors for form in sheet.lines):
        return _page(request, project, lines=lines, listing=listing, sent=sheet, status=422)
    written = services.verdicts_give(round_, given, by=request.user)
    if written:
        text = ngettext("%(count)s verdict was saved.", "%(count)s verdicts were saved.", len(written))
        messages.success(request, text % {"count": len(written)})
    else:
        messages.warning(request, _("No line has a new verdict, so nothing was saved."))
    table = round_.dataset.table
    if not selectors.columns_without_verdict(table) and not is_settled(
        round_, selectors.person_key_in(round_)
    ):
        return to_table("identification:persons", table)
    return redirect(_back(request, project))


_FIELDS: dict[Reason | None, str] = {
    rules.IdentificationReason.UNKNOWN_ROLE: "role",
    rules.IdentificationReason.GRADE_TOO_LOW: "grade",
}
"""Where a line says what stands against its verdict; beside its reason, where nothing else is said."""


def _given_in(request: HttpRequest, sheet: Sheet, what: str) -> list[services.Given]:
    """What the lines say; a line that cannot stand gets its error."""
    picked = _picked(request, sheet) if what == "picked" else frozenset()
    if what == "picked" and not picked:
        sheet.several.add_error(None, _("Tick the columns that the verdict applies to."))
    elif what == "picked" and not sheet.several.said:
        sheet.several.add_error("role", _("Choose a verdict for the ticked columns."))
    given = []
    for form in sheet.lines:
        one = _given(request, form, sheet.several, picked) if form.is_valid() else None
        if one is None:
            continue
        verdict = services.verdict_check(form.row.report, one, form.row.names, form.row.verdict)
        if verdict:
            given.append(one)
        else:
            field = _FIELDS.get(verdict.reason, "reason")
            form.add_error(field, _("Choose a role.") if field == "role" and not one.role else verdict.text)
    return given


def _picked(request: HttpRequest, sheet: Sheet) -> frozenset[int]:
    """The columns that are ticked; ``open`` stands for every line shown that has no verdict."""
    ticked = request.POST.getlist("pick")
    return frozenset(
        form.row.report.position
        for form in sheet.lines
        if str(form.row.report.position) in ticked or ("open" in ticked and form.row.verdict is None)
    )


def _given(
    request: HttpRequest, form: VerdictForm, several: SeveralForm, picked: frozenset[int]
) -> services.Given | None:
    position = form.row.report.position
    if request.POST.get("accept") == str(position):
        own = form.cleaned_data["reason"] or several.cleaned_data["reason"]
        return services.accepted(form.row.report, own, grade=form.cleaned_data["grade"])
    if request.POST.get("confirm") == str(position) and form.row.earlier is not None:
        return services.confirmed(form.row.earlier)
    return form.given(several, is_picked=position in picked)


def _given_together(
    round_: IdentificationRound,
    several: SeveralForm,
    choose: Callable[[IdentificationRound, str], list[services.Given]],
    known: set[str],
) -> list[services.Given]:
    """Every sure suggestion, or every verdict from before, about a column of which no line says something else."""
    reason = several.cleaned_data["reason"].strip()
    if len(reason) < rules.SHORT_REASON:
        several.add_error("reason", deny(CoreReason.REASON_NEEDED).text)
        return []
    chosen = [one for one in choose(round_, reason) if one.column not in known]
    if not chosen:
        several.add_error(None, deny(rules.IdentificationReason.NOTHING_TO_ACCEPT).text)
    return chosen


def _back(request: HttpRequest, project: Project) -> str:
    url = reverse("identification:page", kwargs={"project_id": project.pk})
    query = request.GET.urlencode()
    return f"{url}?{query}" if query else url


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
        "history": [(one, reason_read(one)) for one in selectors.verdict_history(table, row.column)],
        "table_query": table_query(table),
        "returned": current_return(project),
    }
    return render(request, "identification/column.html", context)
