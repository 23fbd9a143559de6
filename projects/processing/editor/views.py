"""Pages on which a recipe is written: as a form without any script, and as text."""

from __future__ import annotations

import copy
import re
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from projects.core.drafts.pages import KEEP
from projects.core.models import Project
from projects.core.numbers import whole_number
from projects.core.pages import project_view
from projects.core.returns import current_return
from projects.datasets.models import Table
from projects.datasets.selectors import dataset_columns
from projects.datasets.tables.names import label_of
from projects.datasets.tables.selectors import (
    dataset_now,
    first_table,
    links_of,
    table_of,
    table_query,
    tables_of,
)
from projects.datasets.tables.views import table_context, to_table
from projects.objective.presentation import preparation_text
from projects.objective.selectors import planned_preparation
from techniques.catalogue.technique import MISSING_TEXTS
from techniques.core.messages import EngineError
from techniques.engines.preview import can_be_shown
from techniques.recipe.recipe_set import whole
from techniques.recipe.text import load

from .. import rules, wording
from ..models import RecipeVersion
from ..recipes.pages import yaml_text
from ..recipes.proposal.pages import overview
from ..recipes.proposal.selectors import recipe_proposed
from ..recipes.proposal.services import is_untried, proposal_start
from ..recipes.scenes.recipes import scene_name, scene_read, scene_recipe
from ..recipes.selectors import current_recipe, current_sources
from ..recipes.services import recipe_save
from ..recipes.sets import references_of, written
from ..runs.services import run_start
from .desk import Desk
from .drafts import Draft, columns_lost, draft_of, draft_read
from .editor import Editor, families, several_options
from .forms import TextForm
from .preview import Preview, claims, sample_preview
from .whole import pages as whole_pages
from .whole.services import preview_start

_SHEET = re.compile(r"(\d{1,4}):(h\d{0,4}|c\d{1,4}-h)")


def _url(project: Project, table: Table) -> str:
    return reverse("processing:recipe", kwargs={"project_id": project.pk}) + table_query(table)


@require_http_methods(["GET", "POST"])
@project_view
def recipe(request: HttpRequest, project: Project) -> HttpResponse:
    """The project's executor, while the data is being processed: write the recipe.

    Each button posts the whole form, and so does the page after a pause; the entries wait as a draft and the page is shown anew.
    """
    rules.may_edit_recipe(request.user, project).require()
    table = table_of(project, request.GET.get("table"))
    dataset = dataset_now(table)
    if dataset is None or not dataset.is_ready:
        messages.error(request, _("There is no checked data set to write a recipe for."))
        return to_table("processing:page", table)
    current = current_recipe(project)
    desk = Desk(request.user, dataset)
    if request.method == "POST":
        return _post(request, project, desk, current)
    draft = desk.current
    editor = Editor(dataset, draft)
    wanted = whole_number(request.GET.get("look", ""))
    shown = wanted if 0 < wanted <= len(draft.steps) else 0
    found = _preview(request, Editor(dataset, copy.deepcopy(draft)), shown) if shown else None
    editor.show(check=False, note_required=current is not None)
    return _editor(request, desk, editor, current, preview=(shown, found))


def _post(request: HttpRequest, project: Project, desk: Desk, current: RecipeVersion | None) -> HttpResponse:
    action, _colon, argument = request.POST.get("do", "").partition(":")
    dataset, table = desk.dataset, desk.dataset.table
    url = _url(project, table)
    if action == "discard":
        desk.clear()
        messages.info(request, _("The unsaved entries were discarded."))
        return to_table("processing:page", table)
    is_replaced = request.POST.get("dataset") != str(dataset.pk)
    if request.POST.get("then") == KEEP:
        return HttpResponse(status=409 if is_replaced or not _keep(request, desk) else 204)
    if is_replaced:
        messages.warning(
            request, _("The data set has been replaced in the meantime; start again from what was saved.")
        )
        desk.clear()
        return redirect(url)
    header = dataset_columns(dataset)
    before = _before(desk)
    posted = draft_read(request.POST, columns=len(header), dataset=str(dataset.pk))
    if action in ("undo", "redo"):
        desk.keep(posted, before)
        found = desk.undo(posted) if action == "undo" else desk.redo(posted)
        if found is posted:
            nothing = {"undo": _("There is nothing to undo."), "redo": _("There is nothing to redo.")}
            messages.info(request, nothing[action])
        return redirect(f"{url}#recipe-columns")
    draft = copy.deepcopy(posted)
    if action in ("suggest", "scene"):
        scene = scene_read(argument) if action == "scene" else None
        draft = draft_of(
            scene_recipe(table, scene) if scene else recipe_proposed(table)[0],
            header,
            dataset=str(dataset.pk),
            basis=current.number if current else 0,
            scene=scene or "",
        )
        draft.general["note"] = request.POST.getlist("g-note")
    editor = Editor(dataset, draft)
    if action == "save":
        desk.keep(posted, before)
        return _save(request, desk, editor, current, runs=argument == "run")
    if action == "sheet" and (wanted := _SHEET.fullmatch(argument)):
        desk.keep(posted, before)
        place = {"project_id": project.pk, "number": int(wanted[1]), "place": wanted[2]}
        return redirect(reverse("processing:hierarchy", kwargs=place) + table_query(table))
    if action == "whole":
        desk.keep(posted, before)
        return _preview_whole(request, desk, editor, current)
    if action == "look" and argument.isdecimal():
        desk.keep(posted, before)
        return redirect(f"{url}{'&' if '?' in url else '?'}look={argument}#step-{argument}")
    anchor = "steps" if action in ("suggest", "scene") else editor.act(action, argument, request.POST)
    # The scenes of use send no entries, only the wish for others.
    editor.complete()
    if action == "suggest" and is_untried(request.user, table):
        proposal_start(table, by=request.user)
    desk.keep(draft, before, *([posted] if "basis" in request.POST else []))
    if editor.unfit:
        text = _("Not given to these columns because it is not intended for their verdicts: %(columns)s.")
        messages.warning(request, text % {"columns": _(", ").join(editor.unfit)})
    return redirect(f"{url}#{anchor}")


def _before(desk: Desk) -> Draft:
    """The entries as the page shows them: what it fills in belongs to them, since they are compared with what it sends back."""
    return desk.draft or Editor(desk.dataset, desk.current).draft


def _keep(request: HttpRequest, desk: Desk) -> bool:
    """Let wait what the page sends by itself; whether it was still what the person sees."""
    if request.POST.get("seen", "") != desk.seen:
        return False
    before, columns = _before(desk), len(dataset_columns(desk.dataset))
    posted = draft_read(request.POST, columns=columns, dataset=str(desk.dataset.pk))
    if posted.said != before.said or posted.note != before.note:
        desk.keep(posted, before, is_typed=True)
    return True


@require_POST
@project_view
def preview(request: HttpRequest, project: Project, number: int) -> HttpResponse:
    """The project's executor, while the data is being processed: what a step of the form would do."""
    rules.may_edit_recipe(request.user, project).require()
    dataset = dataset_now(table_of(project, request.GET.get("table")))
    if dataset is None or not dataset.is_ready or request.POST.get("dataset") != str(dataset.pk):
        found = Preview(
            problem=_("The data set has been replaced in the meantime; start again from what was saved.")
        )
    else:
        draft = draft_read(request.POST, columns=len(dataset_columns(dataset)), dataset=str(dataset.pk))
        found = _preview(request, Editor(dataset, draft), number)
    return render(request, "processing/_preview.html", {"preview": found})


def _preview(request: HttpRequest, editor: Editor, number: int) -> Preview:
    """Try step ``number`` (from 1) of the draft on the first rows."""
    editor.show(check=True, note_required=False)
    if not 0 < number <= len(editor.steps):
        raise Http404
    form = editor.steps[number - 1]
    if not form.is_valid():
        return Preview(problem=_("Complete the settings of this step first."))
    step = {"technique": form.step.technique, "columns": form.chosen, "parameters": form.parameters()}
    return sample_preview(editor.dataset, step, by=request.user)


def _preview_whole(
    request: HttpRequest, desk: Desk, editor: Editor, current: RecipeVersion | None
) -> HttpResponse:
    """Have the entries carried out on the whole table; they need not be fit to be saved for their note."""
    editor.show(check=True, note_required=False)
    if editor.is_sound():
        try:
            preview, _job = preview_start(editor.dataset.table, content=editor.content(), by=request.user)
        except EngineError as error:
            editor.refuse(error)
        else:
            desk.preview(editor.draft, preview)
            return redirect(f"{_url(desk.dataset.table.project, desk.dataset.table)}#whole")
    return _editor(request, desk, editor, current, status=422)


def _save(
    request: HttpRequest, desk: Desk, editor: Editor, current: RecipeVersion | None, *, runs: bool
) -> HttpResponse:
    """``runs``: what was saved is run at once."""
    editor.show(check=True, note_required=current is not None)
    sound = editor.is_sound()
    if sound and current is not None and editor.draft.basis != current.number:
        text = _("%(who)s saved version %(number)s in the meantime. Compare them; saving again replaces it.")
        editor.errors.append((text % {"who": current.created_by, "number": current.number}, "general"))
        editor.draft.basis = current.number
        sound = False
    if sound:
        try:
            note = editor.general.cleaned_data["note"]
            table = editor.dataset.table
            saved = recipe_save(
                table,
                content=editor.content(),
                note=note,
                scene=editor.draft.scene,
                stated=True,
                by=request.user,
            )
        except EngineError as error:
            editor.refuse(error)
        else:
            desk.clear()
            return _saved(request, table.project, saved, current, table, runs=runs)
    desk.keep(editor.draft)
    return _editor(request, desk, editor, current, status=422)


def _saved(
    request: HttpRequest,
    project: Project,
    saved: RecipeVersion,
    before: RecipeVersion | None,
    table: Table,
    *,
    runs: bool,
) -> HttpResponse:
    if saved == before:
        messages.info(
            request, _("Nothing changed: version %(number)s has the same content.") % {"number": saved.number}
        )
    else:
        messages.success(request, _("Version %(number)s was saved.") % {"number": saved.number})
    if runs and (may_run := rules.may_run(request.user, project)):
        run_start(project, by=request.user)
        messages.success(request, _("The run has been queued."))
    elif runs:
        messages.warning(request, may_run.text)
    return to_table("processing:page", table)


def _suggestion(
    request: HttpRequest, editor: Editor, current: RecipeVersion | None, *, is_kept: bool
) -> dict[str, Any]:
    """How the suggestion was tried, where the entries began from it: without a version they do. With one they do where they say the
    same, or where somebody had it tried since."""
    if current is not None and not is_kept:
        return {}
    table = editor.dataset.table
    proposed, found = recipe_proposed(table)
    first = draft_of(proposed, editor.header, dataset=editor.draft.dataset, basis=editor.draft.basis)
    is_proposed = editor.is_said_by(first)
    is_newer = current is not None and found is not None and found.requested_at > current.created_at
    if current is not None and not (is_proposed or is_newer):
        return {}
    return overview(table, request.user, found) | {"is_proposed": is_proposed}


def _editor(
    request: HttpRequest,
    desk: Desk,
    editor: Editor,
    current: RecipeVersion | None,
    *,
    status: int = 200,
    preview: tuple[int, Preview | None] = (0, None),
) -> HttpResponse:
    table, project, is_kept = desk.dataset.table, desk.dataset.table.project, desk.draft is not None
    content = current.part_of(table) if current else None
    wrong = next((form.number for form in editor.steps if form.is_bound and form.errors), None)
    opened = preview[0] - 1 if preview[0] else wrong
    planned = planned_preparation(project)
    context: dict[str, Any] = table_context(table, "processing:recipe") | {
        "project": project,
        "editor": editor,
        "links": [link for link in links_of(project) if table in (link.source, link.target)],
        "current": current,
        "is_kept": is_kept,
        "seen": desk.seen,
        **_suggestion(request, editor, current, is_kept=is_kept),
        "scene": scene_name(editor.draft.scene),
        "national": editor.national,
        "planned": preparation_text(planned) if planned else "",
        "families": families(),
        "several": several_options(editor),
        "returned": current_return(project),
        "lost": columns_lost(content, editor.header) if content and not is_kept else [],
        "blocks": [
            {
                "form": form,
                "number": form.number + 1,
                "anchor": f"step-{form.number + 1}",
                "name": wording.technique_name(form.step.technique),
                "clause": form.spec.clause,
                "summary": _(form.spec.summary),
                "brief": form.brief,
                "is_open": opened == form.number,
                "bounds": editor.bounds(form.step.technique),
                "effects": wording.effects(form.spec, form.step.values.get("p-joinable", [""])[0]),
                "claims": claims(form.spec),
                "notes": _(form.spec.keeps) if form.spec.keeps else "",
                "not_for": wording.technique_not_for(form.spec.key),
                "missing": _(MISSING_TEXTS[form.spec.missing]),
                "can_be_shown": can_be_shown(form.step.technique),
                "preview": preview[1] if preview[0] == form.number + 1 else None,
                "is_first": form.number == 0,
                "is_last": form.number == len(editor.steps) - 1,
            }
            for form in editor.steps
        ],
    }
    context |= whole_pages.overview(table, request.user, own=desk.previewed(editor.draft))
    return render(request, "processing/recipe.html", context, status=status)


def _text_content(project: Project) -> dict[str, Any]:
    """What the text starts from: the current version of each table's recipe, else the suggestion."""
    _version, sources = current_sources(project)
    parts = {label_of(one.table): one.recipe or recipe_proposed(one.table)[0] for one in sources}
    return written(project.title, parts, references_of(project))


@require_http_methods(["GET", "POST"])
@project_view
def recipe_text(request: HttpRequest, project: Project) -> HttpResponse:
    """The project's executor, while the data is being processed: the recipe as text, checked like the form."""
    rules.may_edit_recipe(request.user, project).require()
    current = current_recipe(project)
    note_required = current is not None
    if request.method == "POST":
        form = TextForm(request.POST, note_required=note_required)
        if form.is_valid():
            try:
                content, note = whole(load(form.cleaned_data["text"])), form.cleaned_data["note"]
                saved = recipe_save(
                    first_table(project), content=content, note=note, stated=True, by=request.user
                )
            except EngineError as error:
                form.add_error("text", wording.engine_text(error))
            else:
                for table in tables_of(project):
                    if (written_for := dataset_now(table)) is not None:
                        Desk(request.user, written_for).clear()
                return _saved(request, project, saved, current, first_table(project), runs=False)
        context = {"project": project, "form": form, "current": current}
        return render(request, "processing/recipe_text.html", context, status=422)
    content = _text_content(project)
    form = TextForm(note_required=note_required, initial={"text": yaml_text(content) if content else ""})
    context = {"project": project, "form": form, "current": current}
    return render(request, "processing/recipe_text.html", context)
