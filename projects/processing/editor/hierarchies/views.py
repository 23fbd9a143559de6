"""The page on which a table of levels is edited as a sheet; what is done waits with the other entries of the editor."""

from __future__ import annotations

import copy
import csv
import re
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from projects.core.drafts.pages import KEEP
from projects.core.models import Project
from projects.core.numbers import whole_number
from projects.core.pages import project_view
from projects.datasets.models import Dataset, Table
from projects.datasets.selectors import dataset_columns
from projects.datasets.tables.selectors import dataset_now, table_of, table_query
from projects.datasets.tables.views import table_context, to_table
from techniques.core.messages import EngineError

from ... import rules, wording
from ..desk import Desk
from ..drafts import Draft
from ..editor import Editor
from . import levels
from .pages import Slot, sheet

_PLACE = re.compile(r"(?:h|c(\d{1,4})-h)(\d{0,4})")
_CELL = re.compile(r"cell-(\d{1,6})-(\d{1,2})")
_NAME = re.compile(r"name-(\d{1,2})-(\d{1,6})")
_BRANCH = re.compile(r"(\d{1,2})-(\d{1,6})")


@require_http_methods(["GET", "POST"])
@project_view
def hierarchy(request: HttpRequest, project: Project, number: int, place: str) -> HttpResponse:
    """The project's executor, while the data is being processed: the levels of one hierarchy of step ``number``."""
    rules.may_edit_recipe(request.user, project).require()
    table = table_of(project, request.GET.get("table"))
    dataset = dataset_now(table)
    if dataset is None or not dataset.is_ready:
        return to_table("processing:recipe", table)
    desk = Desk(request.user, dataset)
    draft = copy.deepcopy(Editor(dataset, desk.current).draft)
    slot, name = _slot(draft, dataset, number, place)
    if slot is None:
        messages.warning(request, _("The recipe has no table of levels at this point."))
        return to_table("processing:recipe", table)
    problem, status = "", 200
    is_typed = request.POST.get("then") == KEEP
    if is_typed and request.POST.get("seen", "") != desk.seen:
        return HttpResponse(status=409)
    if request.method == "POST":
        before = copy.deepcopy(draft)
        try:
            slot.write(_changed(slot.read(), request.POST))
        except (levels.Unsound, csv.Error) as error:
            problem, status = str(error), 422
        else:
            desk.keep(draft, before, is_typed=is_typed)
            if is_typed:
                return HttpResponse(status=204)
            return redirect(_address(project, table, number, place, request))
    typed = request.POST if problem else QueryDict()
    try:
        rows = slot.read()
        context = sheet(
            rows,
            page=request.GET.get("page", ""),
            wanted=request.GET.get("q", "").strip()[:100],
            typed=typed,
            picked=typed.getlist("pick"),
            as_tree=request.GET.get("view") == "tree",
        )
        levels.sound(rows)
    except csv.Error:
        messages.warning(request, _("The text of this hierarchy is not a table; correct it there first."))
        return to_table("processing:recipe", table)
    except EngineError as error:
        problem = problem or wording.engine_text(error, path=name)
    context |= table_context(table, "processing:recipe") | {
        "project": project,
        "column": name,
        "step": number,
        "place": place,
        "sheet_url": _address(project, table, number, place, request, view=""),
        "tree_url": _address(project, table, number, place, request, view="tree", page=""),
        "technique": wording.technique_name(slot.step.technique),
        "problem": problem,
        "seen": desk.seen,
    }
    return render(request, "processing/hierarchy.html", context, status=status)


def _slot(draft: Draft, dataset: Dataset, number: int, place: str) -> tuple[Slot | None, str]:
    """Where the hierarchy stands in the draft, and the column it is about."""
    found = _PLACE.fullmatch(place)
    if not found:
        raise Http404
    if not 0 < number <= len(draft.steps):
        return None, ""
    step, header = draft.steps[number - 1], dataset_columns(dataset)
    said = found[1] or found[2]
    position = int(said) if said else (step.columns[0] if step.columns else 0)
    if position >= len(header):
        return None, ""
    slot = Slot(step, f"{place}-")
    return (slot if slot.is_table else None), header[position]


def _address(
    project: Project, table: Table, number: int, place: str, request: HttpRequest, **other: str
) -> str:
    """The page's own address; ``other`` says what is shown otherwise."""
    url = reverse("processing:hierarchy", kwargs={"project_id": project.pk, "number": number, "place": place})
    asked = {name: other.get(name, request.GET.get(name, "")) for name in ("page", "q", "view")}
    kept = {name: text for name, text in asked.items() if text}
    query = table_query(table)
    more = urlencode(kept)
    return f"{url}{query}{('&' if query else '?') + more if more else ''}"


def _changed(rows: levels.Rows, posted: Any) -> levels.Rows:
    """The rows after the button that was pressed; what was typed into cells of the page counts with every button."""
    cells = [
        (int(found[1]), int(found[2]), text)
        for name, text in posted.items()
        if (found := _CELL.fullmatch(name))
    ]
    action, _colon, argument = posted.get("do", "").partition(":")
    picked = {
        rows[place][0] for one in posted.getlist("pick") if 0 <= (place := whole_number(one)) < len(rows)
    }
    for one in posted.getlist("branch"):
        if found := _BRANCH.fullmatch(one):
            picked.update(levels.within(rows, int(found[1]), int(found[2])))
    names = [
        (int(found[1]), int(found[2]), text)
        for name, text in posted.items()
        if (found := _NAME.fullmatch(name))
    ]
    level = whole_number(argument or posted.get("level", ""))
    if action in ("rename", "move") and not (rows and 0 < level < len(rows[0])):
        raise levels.Unsound(_("Choose a level."))
    typed = levels.named(levels.written(rows, cells), names)
    if action == "rename":
        return levels.renamed(typed, level, posted.get("old", ""), posted.get("new", ""))
    if action == "move":
        return levels.moved(typed, picked, level, posted.get("group", ""))
    if action == "add":
        return levels.level_added(typed, level)
    if action == "drop":
        return levels.level_removed(typed, level)
    if action == "values":
        return levels.values_added(typed, posted.get("fresh", "").splitlines())
    if action == "gone":
        return levels.values_removed(typed, picked)
    return typed
