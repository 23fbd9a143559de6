"""``{% load project_tags %}``: what stands on top of every page of a project."""

from __future__ import annotations

from typing import Any

from django.template import Context, Library
from django.urls import reverse

from projects.core.pages import HANDED_ON, pointers_everywhere, project_frame
from projects.core.returns import current_return
from projects.core.sentences import as_read

register = Library()
register.filter(as_read)


@register.inclusion_tag("projects/_handed_on.html", takes_context=True)
def next_actors(context: Context) -> dict[str, Any]:
    """``{% next_actors %}``: after an act that ended its reader's turn, who has to act now and what else waits for the reader."""
    project, request = context["project"], context["request"]
    frame = project_frame(project, request.user, request.path) if HANDED_ON in request.GET else None
    # What is still, or again, the reader's is said by the bar above and by the page itself.
    return {"project": project, "frame": None if frame is None or frame.is_mine else frame}


@register.inclusion_tag("projects/_header.html", takes_context=True)
def project_header(context: Context, here: str = "", above: str = "", above_page: str = "") -> dict[str, Any]:
    """``{% project_header here=_("Team") %}``: the project's name, its stages, who holds it and its sections.

    ``here`` is the page's own name, empty on the overview; ``above`` and ``above_page`` say and name the page that it belongs to. Reads
    ``project`` and ``request`` of the page. A page of the stage under way that does not show why its work was returned itself has
    that below the bar.
    """
    project, request = context["project"], context["request"]
    frame = project_frame(project, request.user, request.path)
    below = frame.is_of_work and "returned" not in context
    return {
        "returned": current_return(project) if below else None,
        "project": project,
        "frame": frame,
        "pointers": [one for one in pointers_everywhere(project) if one.url != request.path],
        "path": request.path,
        "here": here,
        "above": {"label": above, "url": reverse(above_page, args=[project.pk])} if above else None,
        "is_section": any(section["url"] == request.path for section in frame.sections),
    }
