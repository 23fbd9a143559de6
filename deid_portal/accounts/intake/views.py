"""The page of a table of people: choose it, look at what it would do, take the people in. Administrators only."""

from __future__ import annotations

from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from typing import Any

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from approvals.governance.verdict import Refused
from deid_portal.organisation.exchange import BadTable, Problem

from .. import rules
from ..forms import ReasonForm
from . import services
from .files import COLUMNS, LIMIT_ROWS
from .forms import TableForm

SHOWN = 200
EXAMPLE = (
    ",".join(COLUMNS)
    + "\nli.lei,李雷,信息科,li.lei@example.org,staff,,supervisor\nhan.meimei,韩梅梅,质控科,,planner,2027-12-31,"
)


@require_http_methods(["GET", "POST"])
def intake(request: HttpRequest) -> HttpResponse:
    """Administrators: people from a CSV or XLSX table, with a preview; posts are proposed, never given, by it."""
    rules.may_administer(request.user).require()
    if "table" in request.POST:
        return _carry_out(request)
    form = TableForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        return _preview(request, form.cleaned_data["file"])
    return _page(request, form, status=422 if form.is_bound else 200)


def _carry_out(request: HttpRequest) -> HttpResponse:
    try:
        content = b64decode(request.POST["table"], validate=True)
    except (NotBase64, ValueError):
        raise BadRequest from None
    form = ReasonForm(request.POST)
    if not form.is_valid():
        return _preview(request, content, form)
    try:
        made = services.intake_carry_out(
            content,
            fingerprint=request.POST.get("fingerprint", ""),
            reason=form.cleaned_data["reason"],
            by=request.user,
        )
    except BadTable as bad:
        return _problems(request, bad.problems)
    except Refused as refusal:
        if refusal.verdict.reason not in rules.LOOK_AGAIN:
            raise
        return _preview(request, content, form, refusal.verdict.text)
    return render(request, "accounts/intake_done.html", {"made": made})


def _preview(
    request: HttpRequest, content: bytes, form: ReasonForm | None = None, refused: str = ""
) -> HttpResponse:
    try:
        plan = services.intake_look(content, by=request.user)
    except BadTable as bad:
        return _problems(request, bad.problems)
    if plan.problems:
        return _problems(request, plan.problems)
    context = {
        "plan": plan,
        "table": b64encode(content).decode(),
        "form": form or ReasonForm(),
        "refused": refused,
    }
    return render(request, "accounts/intake_preview.html", context, status=422 if form else 200)


def _problems(request: HttpRequest, problems: list[Problem]) -> HttpResponse:
    return _page(request, TableForm(), status=422, problems=problems[:SHOWN], problem_count=len(problems))


def _page(request: HttpRequest, form: TableForm, *, status: int, **more: Any) -> HttpResponse:
    context = {"form": form, "example": EXAMPLE, "limit": LIMIT_ROWS, **more}
    return render(request, "accounts/intake.html", context, status=status)
