"""The page on which the register of releases is looked up for a target (5.2.2 f)."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from projects.core.models import Project
from projects.core.pages import project_view
from projects.core.rules import may_see_inside

from ... import pages
from ...enums import Part
from ...rules import may_look_up
from ...selectors import objective_of
from . import services
from .content import Ground
from .forms import LookupForm
from .selectors import last_lookup, question_suggested


@require_http_methods(["GET", "HEAD", "POST"])
@project_view
def register(request: HttpRequest, project: Project) -> HttpResponse:
    """Who sees the project reads what was found; the planning manager, while the target is being determined, looks it up (POST)."""
    may_see_inside(request.user, project).require()
    verdict = may_look_up(request.user, project)
    if request.method == "POST":
        verdict.require()
    form = None
    if verdict:
        form = LookupForm(request.POST or None, initial=LookupForm.initial_of(question_suggested(project)))
    if request.method == "POST" and form is not None and form.is_valid():
        made = services.register_look_up(project, question=form.question, by=request.user)
        found = len(made.found)
        said = ngettext("The register names %(n)s entry.", "The register names %(n)s entries.", found)
        messages.success(request, said % {"n": found})
        return redirect("objective:register", project_id=project.pk)
    last = last_lookup(project)
    objective = objective_of(project)
    named = {one["number"] for one in ((objective.scope if objective else None) or {}).get("related", [])}
    context = {
        "project": project,
        "form": form,
        "verdict": verdict,
        "last": last,
        "rows": [
            {
                "found": one,
                "by": [str(Ground(ground).label) for ground in one.by],
                "is_named": one.number in named,
            }
            for one in (last.releases if last is not None else [])
        ],
    }
    return render(request, "objective/register.html", context, status=pages.form_status(form))


@require_POST
@project_view
def register_take(request: HttpRequest, project: Project) -> HttpResponse:
    """The planning manager names in the target what the last look-up found."""
    may_look_up(request.user, project).require()
    taken = services.related_take(project, seen=pages.seen_of(project, Part.SCOPE), by=request.user)
    if not taken:
        messages.warning(request, _("The last look-up found nothing to take over."))
        return redirect("objective:register", project_id=project.pk)
    messages.success(request, _("The target names these releases now. Go on from here."))
    return redirect("objective:scope", project_id=project.pk)
