"""Intruder tests for programs: the same services, rules and reasons as the pages."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from projects.core.api import ProjectAPIView

from . import rules, selectors, services
from .enums import Certainty, ClaimVerdict, Knowledge
from .forms import LONG, MOST_CLAIMS
from .models import IntruderTest


class IntruderTestWriteSerializer(serializers.Serializer[Any]):
    knowledge = serializers.ChoiceField(choices=Knowledge.choices)
    scope = serializers.CharField(max_length=LONG)
    testers = serializers.CharField(max_length=LONG)
    auxiliary = serializers.CharField(max_length=LONG)


class IntruderClaimSerializer(serializers.Serializer[Any]):
    """``record``: the number of a record of the result, of its ``table`` where it has several; who that is stands at ``reference``. What an
    invited tester claims names their ``invitation``, on what ``grounds`` and with what ``certainty``; other claims do not."""

    id = serializers.UUIDField()
    number = serializers.IntegerField()
    table = serializers.CharField(source="of_table")
    record = serializers.IntegerField()
    reference = serializers.CharField()
    invitation = serializers.UUIDField(source="invitation_id", allow_null=True)
    grounds = serializers.CharField(allow_blank=True)
    certainty = serializers.ChoiceField(choices=Certainty.choices, allow_blank=True)
    made_by = serializers.CharField(source="made_by.full_name")
    made_at = serializers.DateTimeField()
    verdict = serializers.ChoiceField(choices=ClaimVerdict.choices)
    checked_by = serializers.CharField(source="checked_by.full_name", default=None, allow_null=True)
    checked_at = serializers.DateTimeField(allow_null=True)


class RateSerializer(serializers.Serializer[Any]):
    """Right claims among the persons whom the testers tried to recognise, with Wilson's interval (95 %)."""

    value = serializers.FloatField()
    low = serializers.FloatField()
    high = serializers.FloatField()


class IntruderTestSerializer(serializers.Serializer[Any]):
    """``rate`` is null before the end."""

    id = serializers.UUIDField()
    number = serializers.IntegerField()
    run = serializers.UUIDField(source="run_id")
    knowledge = serializers.ChoiceField(choices=Knowledge.choices)
    scope = serializers.CharField()
    testers = serializers.CharField()
    auxiliary = serializers.CharField()
    opened_by = serializers.CharField(source="opened_by.full_name")
    opened_at = serializers.DateTimeField()
    attempts = serializers.IntegerField(allow_null=True)
    conclusion = serializers.CharField(allow_blank=True)
    closed_at = serializers.DateTimeField(allow_null=True)
    claims = IntruderClaimSerializer(source="claims.all", many=True)
    rate = serializers.SerializerMethodField()

    @extend_schema_field(RateSerializer(allow_null=True))
    def get_rate(self, test: IntruderTest) -> dict[str, float] | None:
        rate = selectors.rate_of(test, test.claims.all())
        return None if rate is None else {"value": rate.value, "low": rate.low, "high": rate.high}


class IntruderClaimsWriteSerializer(serializers.Serializer[Any]):
    records = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=999_999_999),
        min_length=1,
        max_length=MOST_CLAIMS,
    )
    reference = serializers.CharField(max_length=100)
    table = serializers.CharField(max_length=200, default="", allow_blank=True)


class IntruderChecksSerializer(serializers.Serializer[Any]):
    claims = serializers.ListField(child=serializers.UUIDField(), min_length=1, max_length=MOST_CLAIMS)
    right = serializers.BooleanField()


class IntruderTestCloseSerializer(serializers.Serializer[Any]):
    attempts = serializers.IntegerField(min_value=1, max_value=1_000_000)
    conclusion = serializers.CharField(max_length=LONG)


class _OfTest(ProjectAPIView):
    inside = True

    def found(self, test_id: uuid.UUID) -> IntruderTest:
        return selectors.intruder_test_get(self.project, test_id)

    def shown(self, test_id: uuid.UUID, code: int = status.HTTP_200_OK) -> Response:
        found = selectors.tests_of(self.project).prefetch_related("claims__made_by", "claims__checked_by")
        return Response(IntruderTestSerializer(found.get(pk=test_id)).data, status=code)


class IntruderTests(_OfTest):
    @extend_schema("intrusion_list", responses=IntruderTestSerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """Every intruder test of the project with its claims, the newest first."""
        found = selectors.tests_of(self.project).prefetch_related("claims__made_by", "claims__checked_by")
        return Response(IntruderTestSerializer(found, many=True).data)

    @extend_schema(
        "intrusion_open", request=IntruderTestWriteSerializer, responses={201: IntruderTestSerializer}
    )
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        """Open a test of the current result."""
        rules.may_open(request.user, self.project).require()
        made = services.intruder_test_open(
            self.project, **self.sent(IntruderTestWriteSerializer), by=request.user
        )
        return self.shown(made.pk, status.HTTP_201_CREATED)


class IntruderTestDetail(_OfTest):
    @extend_schema("intrusion_detail", responses=IntruderTestSerializer)
    def get(self, request: Request, project_id: uuid.UUID, test_id: uuid.UUID) -> Response:
        """One test with its claims."""
        return self.shown(test_id)


class IntruderClaims(_OfTest):
    @extend_schema(
        "intrusion_claim", request=IntruderClaimsWriteSerializer, responses={201: IntruderTestSerializer}
    )
    def post(self, request: Request, project_id: uuid.UUID, test_id: uuid.UUID) -> Response:
        """Record what the testers claim."""
        found = self.found(test_id)
        rules.may_claim(request.user, found).require()
        services.claims_record(found, **self.sent(IntruderClaimsWriteSerializer), by=request.user)
        return self.shown(test_id, status.HTTP_201_CREATED)


class IntruderChecks(_OfTest):
    @extend_schema("intrusion_check", request=IntruderChecksSerializer, responses=IntruderTestSerializer)
    def post(self, request: Request, project_id: uuid.UUID, test_id: uuid.UUID) -> Response:
        """Say of claims that all of them are right, or that all are wrong."""
        found = self.found(test_id)
        rules.may_check(request.user, found, selectors.is_waiting(found.claims.all())).require()
        services.claims_check(found, **self.sent(IntruderChecksSerializer), by=request.user)
        return self.shown(test_id)


class IntruderTestClose(_OfTest):
    @extend_schema("intrusion_close", request=IntruderTestCloseSerializer, responses=IntruderTestSerializer)
    def post(self, request: Request, project_id: uuid.UUID, test_id: uuid.UUID) -> Response:
        """Conclude the test: of how many persons, and what follows."""
        found = self.found(test_id)
        rules.may_close(request.user, found, selectors.is_waiting(found.claims.all())).require()
        services.intruder_test_close(found, **self.sent(IntruderTestCloseSerializer), by=request.user)
        return self.shown(test_id)
