"""API of the core: the same services, rules and reasons as the pages."""

from __future__ import annotations

import uuid
from datetime import date
from typing import Any

from django.contrib.auth import get_user_model
from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from approvals.api import PORTION, given, portion
from approvals.audit.models import AuditEvent
from approvals.audit.registry import sentence_for
from projects.workflow import Move, Role, Stage

from . import services
from .deadlines import Deadline, deadlines_of
from .enums import ProjectMark
from .evidence import EvidenceState
from .models import Membership, Notification, Project
from .pages import checklist, move_offers
from .returns import returns_of
from .rules import may_mark, may_see_inside
from .selectors import (
    history_of,
    mark_text,
    members_with_deputies,
    memberships_of,
    notifications_of,
    project_get,
    role_of,
    visible_projects,
)
from .tasks_registry import due_text, tasks_of
from .timeline import notification_rows


class SignedSerializer(serializers.Serializer[Any]):
    """What is signed. ``secret``: the password of who signs, or a code of their second step; not asked of a token."""

    secret = serializers.CharField(max_length=128, trim_whitespace=False, write_only=True, default="")


class ProjectAPIView(APIView):
    """Finds the project among those that the caller may see; 404 otherwise.

    A view that is ``inside`` is for its team and its readers: a recipient is refused (403).
    """

    inside = False

    project: Project

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self.project = project_get(request.user, kwargs["project_id"], with_deadline=False)
        if self.inside:
            may_see_inside(request.user, self.project).require()

    def sent(self, serializer: type[serializers.Serializer[Any]]) -> dict[str, Any]:
        """What the caller sent, as ``serializer`` reads it; 400 where it does not fit."""
        return given(serializer(data=self.request.data))

    def signed(self, serializer: type[SignedSerializer]) -> dict[str, Any]:
        """The same of what is signed. A session says the person's secret again; a token is a secret of its own."""
        found = self.sent(serializer)
        secret = found.pop("secret")
        if self.request.auth is None and not self.request.confirms(secret):  # type: ignore[attr-defined]
            raise serializers.ValidationError(
                {"secret": [_("Password or code is wrong. Nothing was signed.")]}
            )
        return found


class ProjectListSerializer(serializers.ListSerializer[Any]):
    """Asks once for the deadlines of all its projects."""

    def to_representation(self, data: Any) -> list[Any]:
        projects = list(data)
        self.child.deadlines = deadlines_of(projects)  # type: ignore[union-attr]
        return super().to_representation(projects)


class ProjectSerializer(serializers.ModelSerializer[Any]):
    """``deadline``: the day by which its stage has to be done; ``days_left`` until then, below 0 where it is overdue."""

    deadlines: dict[uuid.UUID, Deadline] | None = None
    deadline = serializers.SerializerMethodField()
    days_left = serializers.SerializerMethodField()
    stage = serializers.ChoiceField(choices=Stage.choices, read_only=True)
    owner_role = serializers.SerializerMethodField()

    class Meta:
        model = Project
        fields = (
            "id", "number", "title", "summary", "sharing_type", "state", "suspended_from", "stage",
            "owner_role", "state_since", "created_at", "deadline", "days_left",
        )  # fmt: skip
        list_serializer_class = ProjectListSerializer
        read_only_fields = (
            "id", "number", "sharing_type", "state", "suspended_from", "state_since", "created_at",
        )  # fmt: skip

    def _deadline(self, project: Project) -> Deadline | None:
        if self.deadlines is None:
            self.deadlines = deadlines_of([project])
        return self.deadlines.get(project.pk)

    def get_deadline(self, project: Project) -> date | None:
        found = self._deadline(project)
        return found.due if found else None

    def get_days_left(self, project: Project) -> int | None:
        found = self._deadline(project)
        return found.days if found else None

    def get_owner_role(self, project: Project) -> str:
        """The role that has to act now; empty where nobody has to."""
        return project.owner.value if project.owner else ""


class EvidenceLineSerializer(serializers.Serializer[Any]):
    evidence = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    met = serializers.BooleanField()
    missing = serializers.ListField(child=serializers.CharField())
    role = serializers.CharField()


def evidence_lines(states: list[EvidenceState]) -> list[dict[str, Any]]:
    """For :class:`EvidenceLineSerializer`."""
    return [
        {
            "evidence": state.evidence.value,
            "label": str(state.label),
            "met": state.met,
            "missing": [str(text) for text in state.missing],
            "role": state.evidence.role.value,
        }
        for state in states
    ]


class MoveOfferSerializer(serializers.Serializer[Any]):
    move = serializers.ChoiceField(choices=Move.choices)
    label = serializers.CharField()  # type: ignore[assignment]
    allowed = serializers.BooleanField()
    needs_reason = serializers.BooleanField()
    # The work comes back as it was returned.
    needs_justification = serializers.BooleanField()
    by_judgement = serializers.BooleanField()
    code = serializers.CharField()
    reason = serializers.CharField()
    missing = serializers.ListField(child=serializers.CharField())


class ReturnSerializer(serializers.Serializer[Any]):
    """Work that was sent back; ``unchanged``: it stands as it was. ``justification`` says why it comes back so."""

    stage = serializers.ChoiceField(choices=Stage.choices)
    content = serializers.CharField(source="row.subject_hash")
    reason = serializers.CharField()
    by = serializers.CharField()
    at = serializers.DateTimeField()
    unchanged = serializers.BooleanField()
    justification = serializers.CharField(allow_blank=True)


class ProjectDetailSerializer(ProjectSerializer):
    my_role = serializers.SerializerMethodField()
    checklist = serializers.SerializerMethodField()
    moves = serializers.SerializerMethodField()
    returns = serializers.SerializerMethodField()

    class Meta(ProjectSerializer.Meta):
        fields = (*ProjectSerializer.Meta.fields, "my_role", "checklist", "moves", "returns")  # type: ignore[assignment]

    def get_my_role(self, project: Project) -> str:
        return role_of(self.context["user"], project) or ""

    @extend_schema_field(EvidenceLineSerializer(many=True))
    def get_checklist(self, project: Project) -> list[dict[str, Any]]:
        return evidence_lines(checklist(project, project.stage))

    @extend_schema_field(ReturnSerializer(many=True))
    def get_returns(self, project: Project) -> list[dict[str, Any]]:
        """Every return, youngest first."""
        return ReturnSerializer(returns_of(project), many=True).data  # type: ignore[return-value]

    @extend_schema_field(MoveOfferSerializer(many=True))
    def get_moves(self, project: Project) -> list[dict[str, Any]]:
        return [
            {
                "move": offer.rule.move.value,
                "label": offer.label,
                "allowed": offer.verdict.allowed,
                "needs_reason": offer.rule.needs_reason,
                "needs_justification": offer.unexplained,
                "by_judgement": offer.rule.judged,
                "code": offer.verdict.code,
                "reason": offer.verdict.text,
                "missing": [str(text) for text in offer.verdict.missing],
            }
            for offer in move_offers(project, self.context["user"])
        ]


class MembershipSerializer(serializers.ModelSerializer[Any]):
    username = serializers.CharField(source="user.username", read_only=True)
    name = serializers.CharField(source="user.full_name", read_only=True)
    # Who stands in for the member now.
    deputy = serializers.CharField(source="deputy.username", read_only=True, allow_null=True, default=None)

    class Meta:
        model = Membership
        fields = ("id", "username", "name", "role", "since", "ended_at", "deputy")
        read_only_fields = fields


class MemberAddSerializer(serializers.Serializer[Any]):
    username = serializers.CharField(max_length=150)
    role = serializers.ChoiceField(choices=Role.choices)


class MoveSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField(required=False, allow_blank=True, default="", max_length=2000)
    # Why work that was returned is submitted as it was.
    justification = serializers.CharField(required=False, allow_blank=True, default="", max_length=2000)


class EventSerializer(serializers.ModelSerializer[Any]):
    sentence = serializers.SerializerMethodField()

    class Meta:
        model = AuditEvent
        fields = ("seq", "at", "actor", "action", "sentence", "reason", "facts", "hash")
        read_only_fields = fields

    def get_sentence(self, event: AuditEvent) -> str:
        return sentence_for(
            event.action, actor=event.actor, subject=event.subject, reason=event.reason, facts=event.facts
        )


class TaskSerializer(serializers.Serializer[Any]):
    title = serializers.CharField()
    url = serializers.CharField()
    project = serializers.CharField()
    due = serializers.CharField()
    tone = serializers.CharField()
    # The day by which it has to be done, and how many are left until then; below 0 where it is overdue.
    deadline = serializers.DateField(allow_null=True)
    days_left = serializers.IntegerField(allow_null=True)


class NotificationSerializer(serializers.ModelSerializer[Any]):
    sentence = serializers.SerializerMethodField()

    class Meta:
        model = Notification
        fields = ("id", "project", "action", "actor", "sentence", "at", "read_at")
        read_only_fields = fields

    def get_sentence(self, notification: Notification) -> str:
        return str(notification_rows([notification])[0]["sentence"])


def _detail(request: Request, project: Project) -> Response:
    return Response(ProjectDetailSerializer(project, context={"user": request.user}).data)


class ProjectOpenSerializer(serializers.Serializer[Any]):
    """``template``: the one that the project begins with; its answers are drafts."""

    title = ProjectSerializer().fields["title"]
    summary = ProjectSerializer().fields["summary"]
    template = serializers.UUIDField(required=False, allow_null=True, default=None)


class ProjectListView(APIView):
    """Every signed-in person: the projects that they may look into; planning managers open one."""

    @extend_schema("projects_list", parameters=PORTION, responses=ProjectSerializer(many=True))
    def get(self, request: Request) -> Response:
        return portion(request, visible_projects(request.user), ProjectSerializer)

    @extend_schema("projects_create", request=ProjectOpenSerializer, responses={201: ProjectSerializer})
    def post(self, request: Request) -> Response:
        said = given(ProjectOpenSerializer(data=request.data))
        key = said.pop("template")
        template = services.template_get(key, request.user) if key else None
        project = services.project_create(**said, template=template, by=request.user)
        return Response(ProjectSerializer(project).data, status=status.HTTP_201_CREATED)


class ProjectView(ProjectAPIView):
    """Who may see the project: where it stands, what is missing, which moves are open to me and why not."""

    @extend_schema("projects_read", responses=ProjectDetailSerializer)
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        return _detail(request, self.project)

    @extend_schema("projects_edit", request=ProjectSerializer, responses=ProjectDetailSerializer)
    def patch(self, request: Request, project_id: uuid.UUID) -> Response:
        changed = given(ProjectSerializer(self.project, data=request.data, partial=True))
        new = {"title": self.project.title, "summary": self.project.summary, **changed}
        return _detail(request, services.project_edit(self.project, **new, by=request.user))


class MarkSerializer(serializers.Serializer[Any]):
    """``mark`` is what was chosen, ``shown`` what documents of the project bear on top, in the caller's language."""

    mark = serializers.ChoiceField(choices=ProjectMark.choices)
    shown = serializers.SerializerMethodField()

    def get_shown(self, project: Project) -> str:
        return mark_text(project)


class MarkView(ProjectAPIView):
    """The mark of secrecy on the documents of a project."""

    @extend_schema("projects_mark_read", responses=MarkSerializer)
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """Who may see the project."""
        return Response(MarkSerializer(self.project).data)

    @extend_schema("projects_mark_set", request=MarkSerializer, responses=MarkSerializer)
    def put(self, request: Request, project_id: uuid.UUID) -> Response:
        """The planning manager, until the project has ended; documents that exist stay as they are."""
        may_mark(request.user, self.project).require()
        mark = self.sent(MarkSerializer)["mark"]
        return Response(MarkSerializer(services.project_mark(self.project, mark=mark, by=request.user)).data)


class MemberListView(ProjectAPIView):
    """Who may see the project: its members; its planning manager gives roles."""

    @extend_schema("projects_members_list", responses=MembershipSerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        return Response(
            MembershipSerializer(members_with_deputies(memberships_of(self.project)), many=True).data
        )

    @extend_schema("projects_members_add", request=MemberAddSerializer, responses={201: MembershipSerializer})
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        data = self.sent(MemberAddSerializer)
        user = get_user_model().objects.get(username=data["username"])
        role = Role(data["role"])
        membership = services.member_add(self.project, user=user, role=role, by=request.user)
        return Response(MembershipSerializer(membership).data, status=status.HTTP_201_CREATED)


class MemberView(ProjectAPIView):
    """The planning manager of the project: end a role."""

    @extend_schema("projects_members_end", responses=MembershipSerializer)
    def delete(self, request: Request, project_id: uuid.UUID, membership_id: int) -> Response:
        membership = Membership.objects.select_related("user").get(pk=membership_id, project=self.project)
        return Response(MembershipSerializer(services.member_end(membership, by=request.user)).data)


class MoveView(ProjectAPIView):
    """Who has the role that the move names: change the project's state."""

    @extend_schema("projects_move", request=MoveSerializer, responses=ProjectDetailSerializer)
    def post(self, request: Request, project_id: uuid.UUID, move: str) -> Response:
        if move not in Move.values:
            raise Http404
        data = self.sent(MoveSerializer)
        moved = services.project_move_directly(self.project, move=Move(move), by=request.user, **data)
        return _detail(request, moved)


class HistoryView(ProjectAPIView):
    """Who may see the project: its events."""

    @extend_schema("projects_history", parameters=PORTION, responses=EventSerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        return portion(request, history_of(self.project), EventSerializer)


class TaskListView(APIView):
    """Every signed-in person: what they have to do."""

    @extend_schema("tasks_list", responses=TaskSerializer(many=True))
    def get(self, request: Request) -> Response:
        tasks = [
            {
                "title": str(task.title),
                "url": task.url,
                "project": task.project,
                "due": due_text(task.due),
                "tone": task.tone,
                "deadline": task.deadline.due if task.deadline else None,
                "days_left": task.deadline.days if task.deadline else None,
            }
            for task in tasks_of(request.user)
        ]
        return Response(TaskSerializer(tasks, many=True).data)


class NotificationListView(APIView):
    """Every signed-in person: their notifications; POST marks all as read."""

    @extend_schema("notifications_list", parameters=PORTION, responses=NotificationSerializer(many=True))
    def get(self, request: Request) -> Response:
        return portion(request, notifications_of(request.user), NotificationSerializer)

    @extend_schema("notifications_read", request=None, responses={204: None})
    def post(self, request: Request) -> Response:
        services.notifications_mark_read(by=request.user)
        return Response(status=status.HTTP_204_NO_CONTENT)
