"""Audit events and notifications as a person reads them, and the course of a project that they tell of."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime
from typing import Any, NamedTuple

from django.urls import reverse
from django.utils.timezone import localdate
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from approvals.audit.models import AuditEvent
from approvals.audit.registry import reason_beside, sentence_for
from approvals.passages import without_gaps
from projects.workflow import MOVES, RECIPIENT_PAGE, STATES, Role, Stage, State, stage_states

from .models import Notification, Project
from .numbers import beside, count, moment
from .pages import project_url, stage_bar
from .selectors import history_of, members_by_role, roles_held


def timeline(events: Iterable[AuditEvent]) -> list[dict[str, Any]]:
    """Events for the ``timeline`` component, shown without the gaps that reasons were kept with."""
    return [
        {
            "sentence": without_gaps(
                sentence_for(
                    event.action,
                    actor=event.actor,
                    subject=event.subject,
                    reason=event.reason,
                    facts=event.facts,
                )
            ),
            "when": moment(event.at),
            "detail": without_gaps(reason_beside(event.action, event.reason)),
            "hash": event.hash,
            "tone": _tone(event.action),
        }
        for event in events
    ]


def _tone(action: str) -> str:
    verb = action.rsplit(".", 1)[-1]
    if verb.startswith(("approve", "pass", "release")):
        return "ok"
    if verb.startswith(("reject", "withdraw", "suspend")):
        return "fail"
    return "warn" if verb.startswith(("return", "reopen", "back", "revise")) else ""


def notification_rows(notifications: Iterable[Notification]) -> list[dict[str, Any]]:
    return [_notification_row(notification) for notification in notifications]


def _notification_row(notification: Notification) -> dict[str, Any]:
    """One message; its reason stands below the sentence unless the sentence says it."""
    sentence = sentence_for(
        notification.action,
        actor=notification.actor or _("The portal"),
        subject=notification.facts.get("subject") or str(notification.project or ""),
        reason=notification.reason,
        facts=notification.facts,
    )
    return {
        "sentence": sentence,
        "when": moment(notification.at),
        "detail": reason_beside(notification.action, notification.reason),
        "url": _target(notification),
        "tone": "" if notification.read_at else "info",
    }


def _target(notification: Notification) -> str:
    """The page that the news leads to; a recipient sees their own pages, not the project's."""
    project = notification.project
    if project is None:
        return ""
    if roles_held(notification.user_id).get(project.pk) == Role.RECIPIENT:
        return reverse(RECIPIENT_PAGE)
    if thread := notification.facts.get("thread"):
        return reverse("core:comments", args=[project.pk, thread])
    return project_url(project)


class Passage(NamedTuple):
    """A stage of a project on its way: ``state`` is done, current, next or blocked; ``who`` holds it, handed it on or will begin it,
    ``when`` since or from when to when, with the days."""

    label: str
    state: str
    who: str
    when: str


def course(project: Project) -> list[Passage]:
    """Each stage of the process with who holds it and since when, in order."""
    moves = (
        history_of(project).filter(action__in=[rule.audit_action for rule in MOVES.values()]).order_by("seq")
    )
    at = Stage.OBJECTIVE
    entered: dict[Stage, datetime] = {}
    entered[at] = project.created_at
    left: dict[Stage, tuple[datetime, str]] = {}
    for event in moves:
        state = State(event.facts["new"])
        # Suspended, a project stays where it is.
        stage = at if state == State.SUSPENDED else STATES[state].stage
        if stage != at:
            left[at] = (event.at, event.actor)
            entered.setdefault(stage, event.at)
        at = stage
    members = members_by_role(project)
    return [_passage(project, step.stage, step.state, entered, left, members) for step in stage_bar(project)]


def _passage(
    project: Project,
    stage: Stage,
    state: str,
    entered: dict[Stage, datetime],
    left: dict[Stage, tuple[datetime, str]],
    members: dict[Role, list[Any]],
) -> Passage:
    label = str(stage.label)
    if state == "done" and stage in left:
        end, by = left[stage]
        first, last = localdate(entered.get(stage, end)), localdate(end)
        span = str(first) if first == last else _("%(first)s to %(last)s") % {"first": first, "last": last}
        return Passage(
            label, state, _("Handed over by %(name)s") % {"name": by}, beside(span, _days(first, last))
        )
    if state in ("current", "blocked"):
        owner = project.owner
        held = _("Nobody needs to act") if owner is None else str(owner.label)
        names = _(", ").join(map(str, members.get(owner, []))) if owner is not None else ""
        first = localdate(project.state_since)
        since = beside(_("since %(since)s") % {"since": first}, _days(first, localdate()))
        return Passage(
            label, state, f"{names} · {held}" if names else held, f"{project.get_state_display()} · {since}"
        )
    begins = STATES[stage_states(stage)[0]].owner
    names = _(", ").join(map(str, members.get(begins, []))) if begins is not None else ""
    return Passage(label, "next", names or (str(begins.label) if begins is not None else ""), _("Not begun"))


def _days(first: date, last: date) -> str:
    days = (last - first).days
    return ngettext("%(n)s day", "%(n)s days", days) % {"n": count(days)} if days else _("the same day")
