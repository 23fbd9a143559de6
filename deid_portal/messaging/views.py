"""Pages of messages: everybody's own choice, and what administrators set up and see."""

from __future__ import annotations

import uuid
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from approvals.governance.verdict import Refused
from projects.core.numbers import count

from . import rules, selectors, services
from .enums import MessageStatus, Problem
from .forms import ChoiceForm, RobotForm, TestForm
from .models import Message

TONES = {
    MessageStatus.WAITING: "info",
    MessageStatus.SENT: "ok",
    MessageStatus.FAILED: "fail",
    MessageStatus.DROPPED: "neutral",
}


@require_http_methods(["GET", "POST"])
def choice(request: HttpRequest) -> HttpResponse:
    """Every signed-in person: when and how they are written to."""
    user = request.user
    robots = [one for one in selectors.robots() if rules.may_use(user, one)]
    form = ChoiceForm(request.POST or None, choice=selectors.choice_of(user), robots=robots)
    if request.method == "POST" and form.is_valid():
        services.choice_set(**form.chosen, by=user)
        messages.success(request, _("Saved."))
        return redirect("messaging:choice")
    context = {
        "form": form,
        "has_mail": rules.has_mail(user),
        "mail_is_set": settings.DEID_MAIL_IS_SET,
        "remind_days": settings.DEID_REMIND_DAYS,
        "digest_hour": f"{settings.DEID_DIGEST_HOUR:02d}:00",
    }
    return render(request, "messaging/choice.html", context, status=422 if form.is_bound else 200)


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Administrators: the ways out, a test, and what was sent or failed."""
    rules.may_manage(request.user).require()
    return _page(request, RobotForm())


def _page(request: HttpRequest, form: RobotForm, status: int = 200) -> HttpResponse:
    robots = list(selectors.robots())
    shown = Paginator(selectors.messages_made(), 50).get_page(request.GET.get("page"))
    context: dict[str, Any] = {
        "form": form,
        "robots": robots,
        "test_form": TestForm(robots=robots),
        "page": shown,
        "rows": [_row(one) for one in shown],
        "backlog": selectors.backlog(),
        "mail_is_set": settings.DEID_MAIL_IS_SET,
        "server": f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT}",
        "is_encrypted": settings.EMAIL_USE_TLS or settings.EMAIL_USE_SSL,
        "sender": settings.DEFAULT_FROM_EMAIL,
        "portal_url": settings.DEID_PORTAL_URL,
        "permitted": settings.DEID_WEBHOOK_HOSTS,
    }
    return render(request, "messaging/page.html", context, status=status)


def _row(message: Message) -> dict[str, Any]:
    return {
        "message": message,
        "tone": TONES[MessageStatus(message.status)],
        "channel": message.robot or (_("Mail") if message.attempts or message.ended_at else ""),
        "problem": Problem(message.problem).label if message.problem else "",
    }


@require_POST
def robot_add(request: HttpRequest) -> HttpResponse:
    """Administrators: set a robot up."""
    rules.may_manage(request.user).require()
    form = RobotForm(request.POST)
    if form.is_valid():
        try:
            robot = services.robot_add(**form.cleaned_data, by=request.user)
        except Refused as refusal:
            if refusal.verdict.reason == rules.MessageReason.ADDRESS_WRONG:
                form.add_error("url", refusal.verdict.text)
            elif refusal.verdict.reason == rules.MessageReason.NAME_TAKEN:
                form.add_error("name", refusal.verdict.text)
            else:
                raise
        else:
            messages.success(request, _("“%(name)s” is set up. Send a test message by it.") % {"name": robot})
            return redirect("messaging:page")
    return _page(request, form, 422)


@require_POST
def robot_remove(request: HttpRequest, robot_id: uuid.UUID) -> HttpResponse:
    """Administrators: remove a robot; who had chosen it gets mail."""
    rules.may_manage(request.user).require()
    services.robot_remove(selectors.robot_get(robot_id), by=request.user)
    messages.success(request, _("The robot is removed, and its address destroyed."))
    return redirect("messaging:page")


@require_POST
def test(request: HttpRequest) -> HttpResponse:
    """Administrators: a test message, sent while they wait."""
    rules.may_manage(request.user).require()
    form = TestForm(request.POST, robots=list(selectors.robots()))
    if not form.is_valid():
        messages.error(request, _("Say by which way the test message goes."))
        return redirect("messaging:page")
    verdict = rules.may_test(request.user, form.robot)
    if verdict.reason == rules.MessageReason.NO_MAIL:
        messages.error(request, verdict.text)
        return redirect("messaging:page")
    robot = selectors.robot_get(form.robot.pk) if form.robot else None
    sent = services.message_test(robot, by=request.user)
    if sent.status == MessageStatus.SENT:
        messages.success(request, _("The test message was sent."))
    else:
        why = Problem(sent.problem).label
        messages.error(request, _("The test message did not go out: %(why)s.") % {"why": why})
    return redirect("messaging:page")


@require_POST
def again(request: HttpRequest) -> HttpResponse:
    """Administrators: what failed is sent again, as far as it is still true."""
    rules.may_manage(request.user).require()
    n = services.failed_offer_again(by=request.user)
    said = ngettext("%(n)s message waits again.", "%(n)s messages wait again.", n) % {"n": count(n)}
    messages.success(request, said)
    return redirect("messaging:page")
