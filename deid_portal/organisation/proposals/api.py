"""What every API of proposals does: lists the versions, takes the next one, has a second person decide."""

from __future__ import annotations

import uuid
from abc import abstractmethod
from collections.abc import Callable, Iterable
from typing import Any, ClassVar, Generic, TypeVar

from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from approvals.api import given
from approvals.governance.person import Person

from ..rules import may_read_organisation
from .models import Proposal
from .rules import may_decide, may_propose

Version = TypeVar("Version", bound=Proposal)
VERSION_FIELDS = (
    "id", "number", "status", "reason", "made_by", "made_at", "decision_reason", "decided_by", "decided_at", "content_hash",
)  # fmt: skip
"""What an API tells of every version, beside what it lays down."""


class VersionSerializer(serializers.ModelSerializer[Version]):
    """A version; a subclass adds what it lays down."""

    made_by = serializers.CharField(source="made_by.username")
    decided_by = serializers.CharField(source="decided_by.username", allow_null=True, default=None)


class ReasonedSerializer(serializers.Serializer[Any]):
    """What is proposed, which a subclass adds, and why."""

    reason = serializers.CharField(max_length=500)


class SecondPersonDecisionSerializer(serializers.Serializer[Any]):
    accept = serializers.BooleanField()
    reason = serializers.CharField(max_length=500)


class VersionList(APIView, Generic[Version]):
    """Every version, the newest first, and the next one."""

    shown: ClassVar[type[VersionSerializer[Any]]]
    sent: ClassVar[type[ReasonedSerializer]]

    versions: Callable[[], Iterable[Version]]
    """The newest first, with who made and decided them."""

    @abstractmethod
    def propose(self, sent: dict[str, Any], by: Person) -> Version:
        """Lay down what was ``sent``."""

    def get(self, request: Request) -> Response:
        may_read_organisation(request.user).require()
        return Response(self.shown(self.versions(), many=True).data)

    def post(self, request: Request) -> Response:
        """Planning managers and administrators: propose the next version, which waits for a second person."""
        may_propose(request.user).require()
        made = self.propose(given(self.sent(data=request.data)), request.user)
        return Response(self.shown(made).data, status=status.HTTP_201_CREATED)


class VersionDecision(APIView, Generic[Version]):
    """Planning managers and administrators, but not who proposed it: put a version in force or turn it down."""

    shown: ClassVar[type[VersionSerializer[Any]]]

    version: Callable[[uuid.UUID], Version]
    """The one of this id; ObjectDoesNotExist."""
    decide: Callable[..., Version]
    """Put it in force or turn it down: the version, then ``accept``, ``reason`` and ``by``."""

    def post(self, request: Request, version_id: uuid.UUID) -> Response:
        found = self.version(version_id)
        may_decide(request.user, found).require()
        sent = given(SecondPersonDecisionSerializer(data=request.data))
        return Response(self.shown(self.decide(found, **sent, by=request.user)).data)


def described(
    name: str, shown: type[VersionSerializer[Any]], sent: type[ReasonedSerializer], about: str
) -> Any:
    """Decorates a :class:`VersionList` with what the schema tells; ``name`` begins its operations, ``about`` is the list's."""
    return extend_schema_view(
        get=extend_schema(name, responses=shown(many=True), description=about),
        post=extend_schema(f"{name}_propose", request=sent, responses={201: shown}),
    )


def described_decision(name: str, shown: type[VersionSerializer[Any]]) -> Any:
    """Decorates a :class:`VersionDecision`."""
    return extend_schema_view(
        post=extend_schema(
            f"{name}_decide",
            request=SecondPersonDecisionSerializer,
            responses=shown,
            description=VersionDecision.__doc__,
        )
    )
