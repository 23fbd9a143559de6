"""The only writer of the record of talks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _

from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.serialization import governed_act
from approvals.governance.verdict import deny
from projects.core.models import Project
from projects.core.selectors import visible_projects
from projects.core.services import notify_person
from projects.core.texts import unreadable

from ..policies.models import Policy
from ..policies.rules import may_own
from ..rules import OrganisationReason
from . import events, rules
from .enums import CounterpartKind
from .models import FollowUp, Talk, TalkCorrection, TalkParticipant, TalkProject


@dataclass(frozen=True)
class ToDo:
    """What somebody is to do after a talk."""

    what: str
    owner: Person
    due_on: date


def talk_record(
    *,
    kind: CounterpartKind,
    counterpart: str,
    held_on: date,
    people: Iterable[Person],
    topic: str,
    outcome: str,
    projects: Iterable[Project] = (),
    policy: Policy | None = None,
    kept_at: str = "",
    document_hash: str = "",
    follow_up: ToDo | None = None,
    by: Person,
) -> Talk:
    """Write a talk down, with who took part from our side and what follows from it. ``ValidationError`` by field where it is not whole."""
    facts: dict[str, Any] = {
        "counterpart": counterpart.strip(),
        "counterpart_kind": CounterpartKind(kind).value,
        "day": held_on.isoformat(),
    }
    with recording(events.RECORDED, by=by, **facts) as event:
        rules.may_record(by).require()
        took_part = {one.pk: one for one in people}
        concerned = {one.pk: one for one in projects}
        wrong = unreadable(counterpart=counterpart, topic=topic, kept_at=kept_at)
        wrong |= unreadable(lines=True, outcome=outcome)
        if held_on > timezone.localdate():
            wrong["held_on"] = _("The day has not come yet.")
        if not took_part:
            wrong["people"] = _("Choose at least one person.")
        elif not all(map(may_own, took_part.values())):
            wrong["people"] = _("Somebody named here is not an active person of the organisation.")
        if visible_projects(by).filter(pk__in=concerned).count() < len(concerned):
            wrong["projects"] = _("You do not take part in one of these projects.")
        if document_hash and not kept_at.strip():
            wrong["kept_at"] = _("Say where the document lies whose hash you give.")
        if wrong:
            raise ValidationError(wrong)
        made = Talk(
            kind=kind,
            counterpart=counterpart.strip(),
            held_on=held_on,
            topic=topic.strip(),
            outcome=outcome.strip(),
            policy=policy,
            kept_at=kept_at.strip(),
            document_hash=document_hash,
            recorded_by=by,
        )
        made.full_clean(exclude=["policy"])
        made.save()
        event.subject = made.subject
        for person in took_part.values():
            TalkParticipant.objects.create(talk=made, account=person)
        for project in concerned.values():
            TalkProject.objects.create(talk=made, project=project)
        if follow_up is not None:
            follow_up_give(made, follow_up, by=by)
        return made


def talk_correct(talk: Talk, *, text: str, reason: str, by: Person) -> TalkCorrection:
    """Say what is right where the record is wrong; what was written first stays."""
    with recording(events.CORRECTED, by=by, about=talk, reason=reason.strip()):
        rules.may_record(by).require()
        if not text.strip() or not reason.strip():
            deny(OrganisationReason.REASON_NEEDED).require()
        if wrong := unreadable(lines=True, text=text) | unreadable(reason=reason):
            raise ValidationError(wrong)
        return TalkCorrection.objects.create(talk=talk, text=text.strip(), reason=reason.strip(), by=by)


def follow_up_give(talk: Talk, to_do: ToDo, *, by: Person) -> FollowUp:
    """Give somebody inside something to do after a talk, and tell them. ``ValidationError`` by field where it is not whole."""
    facts: dict[str, Any] = {"owner": str(to_do.owner), "due_on": to_do.due_on.isoformat()}
    with recording(events.FOLLOW_UP, by=by, about=talk, **facts):
        rules.may_record(by).require()
        rules.may_have_to_do(to_do.owner).require()
        if wrong := unreadable(what=to_do.what):
            raise ValidationError(wrong)
        if to_do.due_on < timezone.localdate():
            raise ValidationError({"due_on": _("The day is over.")})
        made = FollowUp(
            talk=talk, what=to_do.what.strip(), owner=to_do.owner, due_on=to_do.due_on, added_by=by
        )
        made.full_clean(exclude=["closed_by", "closed_at"])
        made.save()
        if to_do.owner.pk != by.pk:
            notify_person(to_do.owner, events.FOLLOW_UP, by=by, subject=talk.topic, **facts)
        return made


def follow_up_close(follow_up: FollowUp, *, result: str, by: Person) -> FollowUp:
    """Say what came of it; it is nobody's task from then on."""
    with governed_act():
        found = FollowUp.objects.select_for_update(of=("self",)).select_related("talk", "owner")
        follow_up = found.get(pk=follow_up.pk)
        facts: dict[str, Any] = {"owner": str(follow_up.owner), "due_on": follow_up.due_on.isoformat()}
        with recording(events.CLOSED, by=by, about=follow_up.talk, **facts):
            rules.may_close(by, follow_up).require()
            if not result.strip():
                deny(OrganisationReason.REASON_NEEDED).require()
            follow_up.result, follow_up.closed_by, follow_up.closed_at = result.strip(), by, timezone.now()
            follow_up.save()
            return follow_up
