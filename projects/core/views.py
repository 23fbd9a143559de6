"""Home, projects, members, moves, notifications, history."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from approvals.audit.rules import LogBroken
from approvals.decisions.selectors import management_reviews_of, reviews_of, signoffs_of
from approvals.governance.verdict import Refused
from projects.workflow import RECIPIENT_PAGE, STATES, TERMINAL, Move, Role, Stage, State, stage_states
from projects.workflow.posts import Post

from . import rules, selectors, services
from .audit_package.rules import may_take
from .deadlines import Deadline, by_deadline, deadlines_of
from .drafts.pages import draft_answer, draft_end
from .executing.source import executing_card
from .forms import (
    TEAM,
    MarkForm,
    MemberForm,
    MoveForm,
    ProjectFilterForm,
    ProjectForm,
    SharingForm,
    TeamForm,
)
from .help.tours import TOURS, TOURS_KNOWN, Stop, audience_of
from .models import Membership, Project, in_states
from .pages import next_url, onward, project_view, reason_missing, stage_context
from .succession.rules import may_hand_over
from .tasks_registry import due_text, running_of, tasks_of
from .timeline import course, notification_rows, timeline


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Every signed-in person: what they have to do."""
    user = request.user
    tasks = [
        {
            "label": task.label,
            "url": task.url,
            "project": task.project,
            "hint": task.hint,
            "tone": task.tone,
            "word": task.word,
            "icon": task.icon,
            "due": "" if task.hint else due_text(task.due),
            "rank": task.rank,
            "deadline": task.deadline,
        }
        for task in tasks_of(user)
    ]
    is_reader = user.reads_all_projects or user.assesses
    recent = selectors.visible_projects(user).order_by("-state_since")[:8]
    context = {
        "signatures": [task for task in tasks if task["rank"] <= 10],
        "tasks": [task for task in tasks if task["rank"] > 10],
        "task_count": len(tasks),
        "running": running_of(user),
        "news": notification_rows(selectors.unread_notifications(user)[:6]),
        "may_open": rules.may_open_project(user),
        "recent": recent if is_reader else [],
        "received_url": reverse(RECIPIENT_PAGE) if user.post == Post.RECIPIENT else "",
        "is_recipient": user.post == Post.RECIPIENT,
        "is_administrator": user.post == Post.ADMINISTRATOR,
        "is_reader": is_reader,
        "tour": _tour(request),
    }
    return render(request, "core/home.html", context)


def _tour(request: HttpRequest) -> Sequence[Stop]:
    """The stops of this person's tour until they want it no more; the account is asked once a session."""
    audience = audience_of(request.user)
    known = request.session.get(TOURS_KNOWN, {})
    if audience.value not in known:
        seen = selectors.has_seen_tour(request.user, audience)
        request.session[TOURS_KNOWN] = known = {**known, audience.value: seen}
    return () if known[audience.value] else TOURS[audience]


@require_safe
def projects(request: HttpRequest) -> HttpResponse:
    """Every signed-in person: the projects that they may look into."""
    user = request.user
    form = ProjectFilterForm(request.GET)
    found = selectors.visible_projects(user)
    if form.is_valid():
        if text := form.cleaned_data["q"]:
            found = found.filter(Q(title__icontains=text) | Q(number__icontains=text))
        if stage := form.cleaned_data["stage"]:
            found = found.filter(in_states(stage_states(Stage(stage))))
        if form.cleaned_data["mine"]:
            mine = Q(pk__in=[])
            for row in STATES.values():
                if row.owner is not None:
                    held = Membership.objects.filter(user=user, role=row.owner, ended_at=None)
                    mine |= Q(state=row.state, pk__in=held.values("project"))
            found = found.filter(mine)
    ordered: Any = found
    if form.is_valid() and form.cleaned_data["sort"]:
        ordered = by_deadline(found)
    page = Paginator(ordered, 20).get_page(request.GET.get("page"))
    deadlines = deadlines_of(list(page))
    roles = selectors.my_roles(user)
    rows = [_row(project, roles.get(project.pk, ""), deadlines.get(project.pk)) for project in page]
    context = {
        "form": form,
        "page": page,
        "rows": rows,
        "may_open": rules.may_open_project(user),
        "filtered": any(request.GET.get(name) for name in ("q", "stage", "mine")),
    }
    return render(request, "core/projects.html", context)


def _row(project: Project, role: str, deadline: Deadline | None) -> dict[str, Any]:
    return {
        "deadline": deadline,
        "project": project,
        "role": role,
        "owner": project.owner.label if project.owner else "",
        "tone": STATES[State(project.state)].tone,
    }


@require_http_methods(["GET", "POST"])
def project_create(request: HttpRequest) -> HttpResponse:
    """Planning managers: open a project."""
    may_open = rules.may_open_project(request.user)
    may_open.require()
    like, template = _like(request), _template(request)
    form = ProjectForm(request.POST or None)
    others = selectors.people_for_roles().exclude(pk=request.user.pk)
    held = {} if like is None else selectors.members_by_role(like)
    same = {role.value: str(held[role][0].pk) for role in TEAM if held.get(role)}
    team_form = TeamForm(request.POST or None, roles=TEAM, people=others, initial=same)
    # What begins like another project or with a template is shared as that one is.
    anew = like is None and template is None
    sharing_form = SharingForm(request.POST or None, initial={"sharing_type": ""}) if anew else None
    origin = "" if anew else (like or template).pk  # type: ignore[union-attr]
    parts = (sharing_form, team_form)
    if (answer := draft_answer(request, form, may_open, *parts, about=origin)) is not None:
        return answer
    right = [one.is_valid() for one in (form, *parts) if one is not None]
    if request.method == "POST" and all(right):
        try:
            project = services.project_create(
                **form.cleaned_data,
                team=team_form.team,
                like=like,
                template=template,
                sharing_type=sharing_form.chosen if sharing_form is not None else None,
                by=request.user,
            )
        except LogBroken:
            raise
        except Refused as refusal:
            team_form.add_error(None, refusal.verdict.text)
        else:
            draft_end(request, form)
            messages.success(request, _("The project is open."))
            members = reverse("core:members", kwargs={"project_id": project.pk})
            return redirect(next_url(project, request.user) if team_form.team else members)
    context: dict[str, Any] = {
        "form": form,
        "team_form": team_form,
        "sharing_form": sharing_form,
        "like": like,
        "template": template,
    }
    if anew:
        context["templates"] = services.templates_offered(request.user)
        context["earlier"] = selectors.visible_projects(request.user).order_by("-created_at")[:8]
    return render(request, "core/project_form.html", context)


def _like(request: HttpRequest) -> Project | None:
    """The project that a new one begins like, if the address names one."""
    if not (named := request.GET.get("like")):
        return None
    try:
        return selectors.project_get(request.user, uuid.UUID(named))
    except ValueError:
        raise Http404 from None


def _template(request: HttpRequest) -> services.Template | None:
    """The template that a new project begins with, if the address names one and no project."""
    if not (named := request.GET.get("template")) or request.GET.get("like"):
        return None
    try:
        return services.template_get(uuid.UUID(named), request.user)
    except ValueError:
        raise Http404 from None


@require_http_methods(["GET", "POST"])
@project_view
def project_edit(request: HttpRequest, project: Project) -> HttpResponse:
    """The planning manager of the project, while the target is being determined."""
    rules.may_act_in(request.user, project, State.OBJECTIVE_DRAFT).require()
    form = ProjectForm(request.POST or None, instance=project)
    if request.method == "POST" and form.is_valid():
        services.project_edit(Project.objects.get(pk=project.pk), **form.cleaned_data, by=request.user)
        messages.success(request, _("Saved."))
        return redirect("core:project", project_id=project.pk)
    return render(request, "core/project_form.html", {"form": form, "project": project})


@require_http_methods(["GET", "POST"])
@project_view
def project_mark(request: HttpRequest, project: Project) -> HttpResponse:
    """The planning manager of the project, until it has ended: what its documents bear on top."""
    rules.may_mark(request.user, project).require()
    form = MarkForm(request.POST or None, initial={"mark": project.mark})
    if request.method == "POST" and form.is_valid():
        if form.has_changed():
            services.project_mark(project, **form.cleaned_data, by=request.user)
        messages.success(request, _("Saved."))
        return redirect("core:project", project_id=project.pk)
    status = 422 if form.is_bound else 200
    return render(request, "core/mark.html", {"form": form, "project": project}, status=status)


@require_safe
@project_view
def project_overview(request: HttpRequest, project: Project) -> HttpResponse:
    """Who may see the project: where it stands, who is in it, what was decided."""
    stage = project.stage if project.stage != Stage.CLOSED else Stage.RELEASE
    context = stage_context(project, request.user, stage) | {
        "is_current": True,
        "memberships": [m for m in selectors.members_in_order(project) if m.ended_at is None],
        "signoffs": signoffs_of(project.pk),
        "reviews": reviews_of(project.pk),
        "management_reviews": management_reviews_of(project.pk),
        "course": course(project),
        "events": timeline(selectors.history_of(project)[:6]),
        "continue_url": next_url(project, request.user),
        "may_edit": rules.may_act_in(request.user, project, State.OBJECTIVE_DRAFT),
        "mark": selectors.mark_text(project),
        "may_mark": rules.may_mark(request.user, project),
        "like_url": f"{reverse('core:project_create')}?like={project.pk}"
        if rules.may_open_project(request.user)
        else "",
        "over": project.state in TERMINAL,
    }
    return render(request, "core/project.html", context)


@require_safe
@project_view
def project_continue(request: HttpRequest, project: Project) -> HttpResponse:
    """Who may see the project is led to where its work goes on, who has to act to the very step; a list of tasks need not know it."""
    return redirect(next_url(project, request.user))


@require_http_methods(["GET", "POST"])
@project_view
def members(request: HttpRequest, project: Project) -> HttpResponse:
    """Who may see the project sees its members; its planning manager gives roles."""
    verdict = rules.may_manage_members(request.user, project)
    supervised = rules.may_give_role(request.user, project, Role.SUPERVISOR)
    if request.method == "POST":
        supervised.require()
    rows = selectors.members_with_deputies(selectors.members_in_order(project))
    held = {m.role for m in rows if m.ended_at is None}
    empty_roles = [role for role in Role if role.value not in held]
    form, team_form = None, None
    if verdict:
        form, team_form = _member_forms(request, project, empty_roles)
    elif supervised:
        # Of a project that has ended: no other role is given any more.
        empty_roles = [Role.SUPERVISOR]
        team_form = TeamForm(request.POST or None, roles=empty_roles, people=selectors.candidates(project))
    if request.method == "POST":
        if team_form is not None and team_form.is_bound:
            if team_form.is_valid() and _team_added(request, project, team_form):
                return redirect("core:members", project_id=project.pk)
        elif form is not None and form.is_valid() and _member_added(request, project, form):
            return redirect("core:members", project_id=project.pk)
    context = {
        "project": project,
        "form": form,
        "team_form": team_form,
        "verdict": verdict,
        "memberships": rows,
        "empty_roles": empty_roles,
        "next_url": next_url(project, request.user) if verdict and not empty_roles else "",
        "may_hand_over": may_hand_over(request.user, project),
        "carried_out": executing_card(project, request.user),
    }
    return render(request, "core/members.html", context, status=422 if request.method == "POST" else 200)


def _member_forms(
    request: HttpRequest, project: Project, empty_roles: list[Role]
) -> tuple[MemberForm, TeamForm | None]:
    """A form for one further person, and one for the roles that nobody has; one of them was sent."""
    sent = request.POST or None
    one = sent is not None and "user" in sent
    form = MemberForm(sent if one else None, project=project)
    if not empty_roles:
        return form, None
    people = selectors.candidates(project)
    return form, TeamForm(None if one else sent, roles=empty_roles, people=people)


def _member_added(request: HttpRequest, project: Project, form: MemberForm) -> bool:
    user, role = form.cleaned_data["user"], Role(form.cleaned_data["role"])
    if not (joins := rules.may_join(user, project, role)):
        form.add_error("user", joins.text)
        return False
    services.member_add(project, user=user, role=role, by=request.user)
    messages.success(request, _("%(member)s now has a role.") % {"member": user})
    return True


def _team_added(request: HttpRequest, project: Project, form: TeamForm) -> bool:
    try:
        added = services.team_add(project, team=form.team, by=request.user)
    except Refused as refusal:
        form.add_error(None, refusal.verdict.text)
        return False
    for membership in added:
        messages.success(request, _("%(member)s now has a role.") % {"member": membership.user})
    return True


@require_POST
@project_view
def member_end(request: HttpRequest, project: Project, membership_id: int) -> HttpResponse:
    """The planning manager of the project: end somebody's role."""
    membership = Membership.objects.select_related("user").get(pk=membership_id, project=project)
    services.member_end(membership, by=request.user)
    messages.success(request, _("The role of %(member)s has ended.") % {"member": membership.user})
    return redirect("core:members", project_id=project.pk)


_MOVE_FIELDS: dict[Any, str] = {
    rules.CoreReason.REASON_NEEDED: "reason",
    rules.CoreReason.RETURN_UNEXPLAINED: "justification",
}
"""Which text a move was refused for the want of."""


@require_POST
@project_view
def move(request: HttpRequest, project: Project, move: str) -> HttpResponse:
    """Who has the role that the move names: change the project's state."""
    if move not in Move.values:
        raise Http404
    form, title = MoveForm(request.POST), str(Move(move).label)
    if not form.is_valid():
        return reason_missing(request, project, form, title=title, only=",".join(form.errors))
    try:
        moved = services.project_move_directly(project, move=Move(move), by=request.user, **form.cleaned_data)
    except Refused as refusal:
        if (field := _MOVE_FIELDS.get(refusal.verdict.reason)) is None:
            raise
        form.add_error(field, refusal.verdict.text)
        return reason_missing(request, project, form, title=title, only=field)
    messages.success(
        request,
        _("Done: %(move)s. The project is now in the state: %(state)s.")
        % {"move": Move(move).label, "state": moved.get_state_display()},
    )
    return redirect(onward(moved, request.user))


@require_safe
@project_view
def history(request: HttpRequest, project: Project) -> HttpResponse:
    """Who may see the project: everything that happened in it."""
    page = Paginator(selectors.history_of(project), 40).get_page(request.GET.get("page"))
    context = {
        "project": project,
        "page": page,
        "events": timeline(page),
        "may_take": may_take(request.user, project).allowed,
    }
    return render(request, "core/history.html", context)


@require_safe
def notifications(request: HttpRequest) -> HttpResponse:
    """Every signed-in person: their own notifications."""
    page = Paginator(selectors.notifications_of(request.user), 30).get_page(request.GET.get("page"))
    unread = any(notification.read_at is None for notification in page)
    context = {"page": page, "rows": notification_rows(page), "unread": unread}
    return render(request, "core/notifications.html", context)


@require_POST
def notifications_read(request: HttpRequest) -> HttpResponse:
    """Every signed-in person: mark their own notifications as read."""
    services.notifications_mark_read(by=request.user)
    return redirect("core:notifications")
