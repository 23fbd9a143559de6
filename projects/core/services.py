"""The only writer of projects, memberships and notifications.

Always in this order: lock the row, check the rule, write state and audit event in one
transaction, on commit notify.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from django.db import transaction
from django.utils import timezone
from guardian.shortcuts import assign_perm, remove_perm

from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.serialization import governed_act
from approvals.governance.verdict import deny, first_denial
from projects.workflow import MOVES, Move, MoveRule, Role, State

from . import events, returns, rules
from .enums import INSIDE_ROLES, PERMISSION_OF_ROLE, ProjectMark, SharingType
from .models import Membership, Notification, Project, TourSeen
from .succession.stead import deputy_now


class Template(Protocol):
    """What a new project can begin with beside an earlier project; who may begin with it need not see where it comes from."""

    @property
    def pk(self) -> uuid.UUID: ...

    @property
    def name(self) -> str: ...


@dataclass(frozen=True)
class TemplateSource:
    """What a stage package does that keeps templates: it tells which a person may begin with, finds one of them (or raises
    ObjectDoesNotExist), and gives a project, inside the transaction that opens it, what the template says, as drafts."""

    offered: Callable[[Person], Iterable[Template]]
    get: Callable[[uuid.UUID, Person], Template]
    take: Callable[[Any, Project, Person], None]


# Called inside the transaction that opens a project with (project, by); stage packages subscribe.
_openers: list[Callable[[Project, Person], None]] = []

# Called inside the transaction that opens a project like another with (source, project, by).
_copiers: list[Callable[[Project, Project, Person], None]] = []

# Who keeps templates of projects: one source.
_template_sources: list[TemplateSource] = []

# Called inside the transaction that opens a project with (project, sharing type, by), where that is known from the beginning.
_sharers: list[Callable[[Project, SharingType, Person], object]] = []

# Called inside the transaction of every move with (project, rule, by); stage packages subscribe.
_subscribers: list[Callable[[Project, MoveRule, Person], None]] = []


def on_open(function: Callable[[Project, Person], None]) -> Callable[[Project, Person], None]:
    """Subscribe to new projects: what a stage package gives each of them."""
    if function not in _openers:
        _openers.append(function)
    return function


def on_copy(
    function: Callable[[Project, Project, Person], None],
) -> Callable[[Project, Project, Person], None]:
    """Subscribe to projects that begin like another: what a stage package takes over from it, as drafts."""
    if function not in _copiers:
        _copiers.append(function)
    return function


def template_source(source: TemplateSource) -> None:
    """Let projects begin with the templates of this source, in place of one before."""
    _template_sources[:] = [source]


def templates_offered(person: Person) -> Iterable[Template]:
    """What ``person`` may begin a project with, beside an earlier one."""
    return _template_sources[0].offered(person)


def template_get(template_id: uuid.UUID, person: Person) -> Template:
    """The template of this id; ObjectDoesNotExist where ``person`` may not begin with it."""
    return _template_sources[0].get(template_id, person)


def on_sharing(
    function: Callable[[Project, SharingType, Person], object],
) -> Callable[[Project, SharingType, Person], object]:
    """Subscribe to projects that begin with their sharing type: who keeps it writes it down."""
    if function not in _sharers:
        _sharers.append(function)
    return function


def on_move(
    function: Callable[[Project, MoveRule, Person], None],
) -> Callable[[Project, MoveRule, Person], None]:
    """Subscribe to moves: how an earlier stage reacts to a later one without importing it."""
    if function not in _subscribers:
        _subscribers.append(function)
    return function


def project_lock(project: Project) -> Project:
    """The row, locked until the transaction ends, freshly read."""
    return Project.objects.select_for_update().get(pk=project.pk)


def project_create(
    *,
    title: str,
    summary: str = "",
    team: Mapping[Role, Person] | None = None,
    like: Project | None = None,
    template: Template | None = None,
    sharing_type: SharingType | None = None,
    by: Person,
) -> Project:
    """Open a project, with those of its team who are known; who opens it is its planning manager.

    ``sharing_type``, where it is known, is the first step of the target; one that is completely public is confirmed on its own page.
    ``like`` is a project that ``by`` may look into, ``template`` one that they may begin with, in place of it: what stages take over
    from either are drafts, and count once they are saved.
    """
    rules.may_open_project(by).require()
    if like is not None:
        rules.may_see_inside(by, like).require()
    with governed_act():
        with recording(events.PROJECT_CREATED, by=by) as event:
            year = timezone.localdate().year
            last = Project.objects.filter(number__startswith=f"{year}-").order_by("-number").first()
            serial = int(last.number.split("-")[1]) + 1 if last else 1
            project = Project(title=title, summary=summary, number=f"{year}-{serial:04d}", created_by=by)
            project.full_clean()
            project.save()
            event.subject, event.project_id = project.subject, project.pk
            for function in _openers:
                function(project, by)
        membership_write(project, by, Role.PLANNER, by=by)
        if team:
            team_add(project, team=team, by=by)
        if like is not None:
            for copier in _copiers:
                copier(like, project, by)
        if template is not None:
            _template_sources[0].take(template_get(template.pk, by), project, by)
        if sharing_type is not None:
            for sharer in _sharers:
                sharer(project, sharing_type, by)
        if like is not None or template is not None or sharing_type is not None:
            project.refresh_from_db()
        return project


def project_edit(project: Project, *, title: str, summary: str, by: Person) -> Project:
    """Change title and summary while the target is being determined."""
    with recording(events.PROJECT_EDITED, by=by, about=project) as event:
        project = project_lock(project)
        rules.may_act_in(by, project, State.OBJECTIVE_DRAFT).require()
        event.facts.update(old_title=project.title, new_title=title)
        project.title, project.summary = title, summary
        project.full_clean()
        project.save()
        return project


def project_mark(project: Project, *, mark: ProjectMark, by: Person) -> Project:
    """Say what the documents of the project bear on top from now on; those that exist stay as they are."""
    mark = ProjectMark(mark)
    with recording(events.PROJECT_MARKED, by=by, about=project, mark=str(mark)):
        project = project_lock(project)
        rules.may_mark(by, project).require()
        if project.mark == mark:
            deny(rules.CoreReason.MARKED_ALREADY).require()
        project.mark = mark
        project.save()
        return project


def member_add(project: Project, *, user: Person, role: Role, by: Person) -> Membership:
    """Give ``user`` a role; the planning manager does that, by :func:`.rules.may_give_role`."""
    role = Role(role)
    with governed_act():
        project = project_lock(project)
        first_denial(rules.may_give_role(by, project, role), rules.may_join(user, project, role)).require()
        return membership_write(project, user, role, by=by)


def team_add(project: Project, *, team: Mapping[Role, Person], by: Person) -> list[Membership]:
    """Give several people their roles, all or none."""
    with governed_act():
        return [member_add(project, user=user, role=role, by=by) for role, user in team.items()]


def membership_write(project: Project, user: Person, role: Role, *, by: Person) -> Membership:
    """Write that somebody has a role; who calls it has locked the project and asked the rules."""
    with recording(events.MEMBER_ADDED, by=by, about=project, member=str(user), role=str(role)):
        membership = Membership.objects.create(project=project, user=user, role=role)
        assign_perm(PERMISSION_OF_ROLE[role], user, project)
        if role in INSIDE_ROLES:
            assign_perm("view_project", user, project)
        return membership


def member_end(membership: Membership, *, by: Person) -> Membership:
    """End a role. The row stays, so that the person can never come back in another role."""
    with governed_act():
        project = project_lock(membership.project)
        rules.may_manage_members(by, project).require()
        if membership.user_id == by.pk:
            deny(rules.CoreReason.NOT_YOUR_ROLE, roles=str(Role.PLANNER.label)).require()
        return membership_end(membership, by=by)


def membership_end(membership: Membership, *, by: Person) -> Membership:
    """Write that a role has ended; who calls it has locked the project and asked the rule."""
    project = membership.project
    facts: dict[str, Any] = {"member": str(membership.user), "role": membership.role}
    with recording(events.MEMBER_ENDED, by=by, about=project, **facts):
        membership = Membership.objects.select_for_update().get(pk=membership.pk)
        membership.ended_at = timezone.now()
        membership.save()
        remove_perm(PERMISSION_OF_ROLE[Role(membership.role)], membership.user, project)
        remove_perm("view_project", membership.user, project)
        return membership


def project_move(
    project: Project, *, move: Move, by: Person, reason: str = "", justification: str = ""
) -> Project:
    """Make a move of the workflow: the only code that changes a project's state.

    ``justification`` says why work that was returned is submitted as it was; it counts where it was not changed.
    """
    rule = MOVES[Move(move)]
    with recording(rule.audit_action, by=by, about=project, reason=reason) as event:
        project = project_lock(project)
        rules.may_move(by, project, rule.move).require()
        if rule.needs_reason and not reason.strip():
            deny(rules.CoreReason.REASON_NEEDED).require()
        if justification.strip() and rule.hands_on and not rule.judged:
            event.facts["justified"] = len(returns.justify(project, justification, by=by))
        rules.may_hand_on(project, rule.move).require()
        old = State(project.state)
        new = rule.target or State(project.suspended_from)
        project.suspended_from = old if new == State.SUSPENDED else ""
        project.state, project.state_since = new, timezone.now()
        if rule.reopens:
            project.reopened_at = project.state_since
        project.save()
        event.facts.update(old=str(old), new=str(new))
        for subscriber in _subscribers:
            subscriber(project, rule, by)
        notify(project, rule.audit_action, rule.notifies, by=by, reason=reason)
        return project


def project_move_directly(
    project: Project, *, move: Move, by: Person, reason: str = "", justification: str = ""
) -> Project:
    """A move that a person makes with a button: any but those that a judgement makes."""
    rules.may_move_directly(by, project, move).require()
    return project_move(project, move=move, by=by, reason=reason, justification=justification)


def project_hand_on(project: Project, *, move: Move, by: Person) -> Project | None:
    """Make ``move`` at once after the act that was the last thing missing for it. None, and nothing done, where something stands
    against it, or a return wants an answer first: the stage's page says what."""
    now = Project.objects.get(pk=project.pk)
    if not rules.may_move_directly(by, now, move) or not rules.may_hand_on(now, move):
        return None
    return project_move_directly(now, move=move, by=by)


def notify(
    project: Project, action: str, roles: Iterable[Role], *, by: Person | None, reason: str = "", **facts: Any
) -> None:
    """On commit leave a notification with everybody who has one of ``roles`` or stands in for one of them, except who acted; ``facts`` are what the
    sentence of ``action`` names beside the person and its subject, which is the project unless they name another."""
    transaction.on_commit(lambda: _notify(project, action, list(roles), by, reason, facts))


def _notify(
    project: Project, action: str, roles: list[Role], by: Person | None, reason: str, facts: dict[str, Any]
) -> None:
    members = project.memberships.filter(role__in=roles, ended_at=None)
    reached = dict.fromkeys(
        one
        for pair in members.annotate(deputy_id=deputy_now()).values_list("user_id", "deputy_id")
        for one in pair
        if one is not None and (by is None or one != by.pk)
    )
    Notification.objects.bulk_create(
        Notification(
            user_id=user_id,
            project=project,
            action=action,
            actor="" if by is None else str(by),
            reason=reason,
            facts=facts,
        )
        for user_id in reached
    )


def notify_person(
    user: Person,
    action: str,
    *,
    by: Person | None,
    project: Project | None = None,
    reason: str = "",
    **facts: Any,
) -> None:
    """On commit leave a notification with one person, about ``project`` or about none."""
    actor = "" if by is None else str(by)
    transaction.on_commit(
        lambda: Notification.objects.create(
            user=user, project=project, action=action, actor=actor, reason=reason, facts=facts
        )
    )


def notifications_mark_read(*, by: Person) -> None:
    Notification.objects.filter(user=by, read_at=None).update(read_at=timezone.now())


def tour_end(audience: str, *, by: Person) -> None:
    """Show ``by`` no more by itself what people of this kind do here."""
    TourSeen.objects.get_or_create(user=by, audience=audience)
