"""``{% load project_tags %}``: what stands on top of every page of a project."""

from __future__ import annotations

from typing import Any

from django.template import Context, Library

from projects.core.pages import project_frame

register = Library()


@register.inclusion_tag("projects/_header.html", takes_context=True)
def project_header(context: Context, here: str = "", above: str = "", above_url: str = "") -> dict[str, Any]:
    """``{% project_header here=_("Team") %}``: the project's name, its stages, who holds it and its sections.

    ``here`` is the page's own name, empty on the overview; ``above`` and ``above_url`` name the page that it belongs to. Reads
    ``project`` and ``request`` of the page.
    """
    project, request = context["project"], context["request"]
    frame = project_frame(project, request.user, request.path)
    return {
        "project": project,
        "frame": frame,
        "path": request.path,
        "here": here,
        "above": {"label": above, "url": above_url} if above else None,
        "is_section": any(section["url"] == request.path for section in frame.sections),
    }
