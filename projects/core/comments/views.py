"""The page of the comments on a step."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from approvals.governance.verdict import Refused

from ..drafts.pages import draft_answer, draft_end
from ..enums import Thread
from ..models import Project
from ..pages import project_view
from ..rules import CoreReason, may_comment
from . import selectors, services
from .forms import CommentForm

# What is said of the text stands at the text, not on a page of its own.
_OF_THE_TEXT = (CoreReason.PERSONAL_IN_TEXT, CoreReason.NOTHING_SAID)


@require_http_methods(["GET", "HEAD", "POST"])
@project_view
def comments(request: HttpRequest, project: Project, thread: str) -> HttpResponse:
    """Who may see the project reads what was said about a step; who works in it writes (POST)."""
    if thread not in Thread.values:
        raise Http404
    verdict = may_comment(request.user, project)
    form = CommentForm(request.POST or None) if verdict or request.method == "POST" else None
    about = Thread(thread).value
    if (
        form is not None
        and (answer := draft_answer(request, form, verdict, project=project, about=about)) is not None
    ):
        return answer
    if request.method == "POST":
        verdict.require()
        assert form is not None
        if form.is_valid():
            try:
                services.comment_write(project, thread=Thread(thread), **form.cleaned_data, by=request.user)
            except Refused as refused:
                if refused.verdict.reason not in _OF_THE_TEXT:
                    raise
                form.add_error("text", refused.verdict.text)
            else:
                draft_end(request, form)
                messages.success(request, _("Your comment has been posted."))
                return redirect("core:comments", project_id=project.pk, thread=thread)
    threads = selectors.threads_of(project)
    context = {
        "project": project,
        "thread": Thread(thread),
        "comments": threads[Thread(thread)],
        "tabs": [
            {
                "label": one.label,
                "url": reverse("core:comments", args=[project.pk, one.value]),
                "current": one == thread,
                "count": len(said),
            }
            for one, said in threads.items()
        ],
        "members": selectors.members_inside(project),
        "form": form,
        "verdict": verdict,
    }
    status = 422 if form is not None and form.is_bound else 200
    return render(request, "core/comments.html", context, status=status)
