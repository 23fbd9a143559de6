"""The tables of a project and the links between them: declared on the data page, in a form of their own."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from approvals.governance.person import Person
from projects.core.models import Project
from projects.core.pages import project_view
from techniques.core.messages import EngineError, filled

from .. import rules
from ..models import Table
from . import services as declaring
from .names import named_tables
from .selectors import current_datasets, datasets_now, links_of, table_query


@require_POST
@project_view
def tables(request: HttpRequest, project: Project) -> HttpResponse:
    """The executor in the state of identification: which tables there are, which columns refer to which."""
    rules.may_declare_tables(request.user, project).require()
    act = {"declare": _declare, "link": _link, "unlink": _unlink, "check": _check}.get(
        request.POST.get("do", "")
    )
    if act is not None:
        try:
            act(request, project)
        except EngineError as error:
            messages.error(
                request, filled(_(error.message), error.params) if error.params else _(error.message)
            )
    response = redirect("datasets:page", project_id=project.pk)
    response["Location"] += "#tables"
    return response


def _declare(request: HttpRequest, project: Project) -> None:
    names = [line for line in request.POST.get("names", "").splitlines() if line.strip()]
    declaring.tables_declare(project, names=names, by=request.user)
    made = named_tables(project)
    messages.success(
        request,
        _("The project has these tables: %(tables)s.") % {"tables": _(", ").join(map(str, made))}
        if made
        else _("The project has a single table."),
    )


def _link(request: HttpRequest, project: Project) -> None:
    known = {(str(table.pk), column): table for table, column in places(project)}
    ends = []
    for end in ("source", "target"):
        table_id, _colon, column = request.POST.get(end, "").partition(":")
        table = known.get((table_id, column))
        if table is None:
            raise EngineError("link.incomplete", declaring.INCOMPLETE)
        ends.append((table.name, column))
    new = declaring.Given(*ends[0], *ends[1], request.POST.get("of_person") == "on")
    kept = [declaring.given_of(link) for link in links_of(project)]
    declaring.links_declare(project, links=[*kept, new], by=request.user)
    messages.success(request, _("The link was declared; the portal is counting whether it joins."))


def _unlink(request: HttpRequest, project: Project) -> None:
    gone = request.POST.get("link", "")
    kept = [declaring.given_of(link) for link in links_of(project) if str(link.pk) != gone]
    declaring.links_declare(project, links=kept, by=request.user)
    messages.success(request, _("The link was removed."))


def _check(request: HttpRequest, project: Project) -> None:
    declaring.links_check(project, by=request.user)
    messages.success(request, _("The check of the links has been queued."))


def places(project: Project) -> list[tuple[Table, str]]:
    """Every column of every table whose data set was checked: what a link can name."""
    return [
        (table, column)
        for table, dataset in datasets_now(project)
        if dataset is not None and dataset.is_ready
        for column in dataset.columns
    ]


def table_context(table: Table, page: str) -> dict[str, Any]:
    """What a page about one table shows of the others: a tab for each that people tell apart, to ``page`` about it."""
    url = reverse(page, args=[table.project_id])
    return {
        "table": table,
        "table_query": table_query(table),
        "table_tabs": [
            {"label": one.name, "url": url + table_query(one), "current": one == table}
            for one in named_tables(table.project)
        ],
    }


def to_table(page: str, table: Table) -> HttpResponse:
    """To ``page`` about the table."""
    return redirect(reverse(page, args=[table.project_id]) + table_query(table))


def tables_context(project: Project, user: Person) -> dict[str, Any]:
    """What the data page shows of tables and links."""
    named = named_tables(project)
    links = links_of(project)
    shas = {key: dataset.sha256 for key, dataset in current_datasets(project).items()}
    return {
        "tables": named,
        "table_names": "\n".join(table.name for table in named),
        "may_declare": rules.may_declare_tables(user, project),
        "may_check_links": rules.may_check_links(user, project) if links else None,
        "places": [(f"{table.pk}:{column}", f"{table.name}.{column}") for table, column in places(project)],
        "links": [
            {
                "link": link,
                "checked": link.checked_at is not None
                and (link.source_sha256, link.target_sha256)
                == (shas.get(link.source_id), shas.get(link.target_id)),
                "joined": link.counts.get("rows", 0) - link.counts.get("orphans", 0),
            }
            for link in links
        ],
    }
