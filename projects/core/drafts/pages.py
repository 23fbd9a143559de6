"""What a page does with the draft of its form: shows it, keeps it, discards it."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from approvals.governance.verdict import Verdict

from ..models import Project
from . import services
from .forms import KeptForm
from .selectors import Place, draft_of

KEEP, LATER, DISCARD = "keep", "later", "discard"
"""What a form is sent for beside saving it: by the page itself after a pause, by its button, and to throw a draft away."""


def draft_begin(
    request: HttpRequest,
    form: KeptForm,
    verdict: Verdict,
    *parts: KeptForm | None,
    project: Project | None = None,
    about: Any = "",
) -> None:
    """Let ``form`` keep drafts where ``verdict`` allows saving it, and begin with the one that waits. ``parts`` are further forms of
    the same page that are sent and kept together with it."""
    form.beside = tuple(one for one in parts if one is not None)
    if not verdict:
        return
    form.place = Place(form.draft_name, verdict, project, str(about))
    form.draft = draft_of(form.place, request.user)
    form.opened = (_opened(request) if form.is_bound else None) or uuid4()
    for one in (form, *form.beside):
        if form.draft is not None and not one.is_bound:
            one.begin_with(form.draft.entries)


def _opened(request: HttpRequest) -> UUID | None:
    """Which page was sent, as it said itself."""
    try:
        return UUID(request.POST.get("opened", ""))
    except ValueError:
        return None


def draft_answer(
    request: HttpRequest,
    form: KeptForm,
    verdict: Verdict,
    *parts: KeptForm | None,
    project: Project | None = None,
    about: Any = "",
    back: str = "",
) -> HttpResponse | None:
    """As :func:`draft_begin`; and the answer to what was sent for the sake of the draft alone. None where the form is to be saved, or read.

    ``back`` is the address of the form's page, where that is another one than it is sent to.
    """
    draft_begin(request, form, verdict, *parts, project=project, about=about)
    then = request.POST.get("then")
    if not form.is_bound or form.place is None or then not in (KEEP, LATER, DISCARD):
        return None
    if then == DISCARD:
        services.draft_remove(form.place, by=request.user)
        messages.success(request, _("The draft is discarded."))
        return redirect(back or request.get_full_path())
    entries = {name: texts for one in (form, *form.beside) for name, texts in one.entries.items()}
    if then == KEEP:
        kept = services.draft_keep(form.place, entries=entries, by=request.user, opened=form.opened)
        return HttpResponse(status=409 if kept is None else 204)
    # Who presses the button wants a draft, even of what was saved before.
    services.draft_keep(form.place, entries=entries, by=request.user)
    messages.success(request, _("Kept as a draft. Only you can see it."))
    return redirect(back or request.get_full_path())


def draft_end(request: HttpRequest, form: Form) -> None:
    """The form is saved: nothing of it waits any more, nor arrives later."""
    if isinstance(form, KeptForm) and form.place is not None:
        services.form_saved(form.place, by=request.user, opened=form.opened)
