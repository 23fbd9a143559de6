"""API of accounts and questions: the same services and rules as the pages."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from approvals.api import given
from approvals.governance.verdict import deny
from projects.core.api import ProjectAPIView
from projects.processing.runs.selectors import latest_run
from projects.releases.models import Release
from projects.releases.rules import ReleaseReason, may_receive
from projects.releases.selectors import recipients_of, release_get
from techniques.core.validation import validated
from techniques.models.differential_privacy.question import Question

from . import rules, services
from .enums import Exhaustion, GrantStatus, QueryStatus
from .models import Grant, Query
from .presentation import answer_row, book, own_accounts, query_row
from .pricing import price_of
from .selectors import grant_get, grants_of, queries_by, queries_of, sources_of


def _person_key() -> serializers.ListField:
    return serializers.ListField(
        child=serializers.CharField(), allow_null=True,
        help_text="The columns by which rows are of one person; empty: each row is one; null: not settled, so nothing is answered.",
    )  # fmt: skip


class BalanceSerializer(serializers.Serializer[Any]):
    """ε as exact decimals."""

    granted = serializers.CharField()
    spent = serializers.CharField()
    left = serializers.CharField(help_text="The greatest ε of one more count.")
    spent_delta = serializers.FloatField()
    questions = serializers.IntegerField()


class RecipientBalanceSerializer(BalanceSerializer):
    recipient = serializers.CharField(source="recipient.username")


class LineSerializer(serializers.Serializer[Any]):
    """An entry of an account: a budget that was granted, or a question."""

    at = serializers.DateTimeField()
    number = serializers.CharField(help_text="B and the number of a budget, Q and that of a question.")
    what = serializers.CharField()
    received = serializers.CharField(allow_blank=True, help_text="Empty where the entry brings nothing.")
    paid = serializers.CharField(allow_blank=True, help_text="Empty where the entry is no question.")
    balance = serializers.CharField(help_text="What was granted less what all answers so far cost together.")


class TeamLineSerializer(LineSerializer):
    who = serializers.CharField()


class AccountSerializer(serializers.Serializer[Any]):
    table = serializers.CharField(help_text="Empty where there is a single table.")
    person_key = _person_key()
    whole = BalanceSerializer(allow_null=True)
    recipients = RecipientBalanceSerializer(many=True)
    lines = TeamLineSerializer(many=True, help_text="The statement of the account, the newest entry first.")


class OwnAccountSerializer(BalanceSerializer):
    table = serializers.CharField()
    person_key = _person_key()
    left_of_all = serializers.CharField()
    lines = LineSerializer(many=True, help_text="The statement of your part, the newest entry first.")


class GrantSerializer(serializers.ModelSerializer[Grant]):
    table = serializers.CharField(source="dataset.table.name", read_only=True)
    recipient = serializers.CharField(source="recipient.username", read_only=True, default=None)
    proposed_by = serializers.CharField(source="proposed_by.username", read_only=True)
    decided_by = serializers.CharField(source="decided_by.username", read_only=True, default=None)
    epsilon = serializers.DecimalField(max_digits=13, decimal_places=9, read_only=True)
    status = serializers.ChoiceField(choices=GrantStatus.choices, read_only=True)

    class Meta:
        model = Grant
        fields = (
            "id", "number", "table", "recipient", "epsilon", "delta", "composition", "neighbours", "part", "exhaustion", "reason", "proposed_by",
            "proposed_at", "status", "decided_by", "decided_at", "decision_reason",
        )  # fmt: skip
        read_only_fields = fields


class QuerySerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField(source="query.pk")
    number = serializers.IntegerField(source="query.number")
    recipient = serializers.CharField(source="query.recipient.username")
    kind = serializers.CharField()
    status = serializers.ChoiceField(source="query.status", choices=QueryStatus.choices)
    epsilon = serializers.CharField(
        help_text="What was charged: 0 where it was asked before, refused or failed."
    )
    delta = serializers.CharField(source="charged_delta", help_text="The same of δ.")
    asked_at = serializers.DateTimeField(source="query.asked_at")


class CellSerializer(serializers.Serializer[Any]):
    labels = serializers.ListField(child=serializers.CharField(allow_blank=True))
    value = serializers.JSONField()
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)


class QueryDetailSerializer(QuerySerializer):
    question = serializers.JSONField(source="query.question")
    clause = serializers.CharField(allow_blank=True)
    cells = CellSerializer(many=True)
    margins = CellSerializer(many=True)
    off = serializers.FloatField(
        allow_null=True, help_text="How many rows a chosen value is at most worse than the best candidate."
    )
    statements = serializers.ListField(
        child=serializers.CharField(), help_text="What it guarantees and what not."
    )


class BookSerializer(serializers.Serializer[Any]):
    accounts = AccountSerializer(many=True)
    grants = GrantSerializer(many=True)
    queries = QuerySerializer(many=True)


class OwnBookSerializer(serializers.Serializer[Any]):
    accounts = OwnAccountSerializer(many=True)
    grants = GrantSerializer(many=True)
    queries = QuerySerializer(many=True)


class GrantProposeSerializer(serializers.Serializer[Any]):
    table = serializers.CharField(
        required=False, allow_blank=True, default="", help_text="By default the first one."
    )
    recipient = serializers.CharField(
        required=False, allow_null=True, default=None, help_text="User name; none: the whole data set."
    )
    epsilon = serializers.DecimalField(max_digits=13, decimal_places=9, min_value=0)
    delta = serializers.FloatField(required=False, default=0.0, min_value=0, max_value=0.01)
    composition = serializers.ChoiceField(choices=["sequential", "zcdp"], default="sequential")
    neighbours = serializers.ChoiceField(choices=["add_remove", "change"], default="add_remove")
    part = serializers.CharField(
        required=False,
        allow_blank=True,
        default="",
        max_length=512,
        help_text="A column whose values tell apart parts that share nobody: questions confined to different values cost what the "
        "dearest of them costs, with `change` what the two dearest cost. Only where each row is a person, and with the first budget "
        "of a data set.",
    )
    exhaustion = serializers.ChoiceField(choices=Exhaustion.choices, default=Exhaustion.STOP)
    reason = serializers.CharField(max_length=500)


class GrantDecideSerializer(serializers.Serializer[Any]):
    approve = serializers.BooleanField()
    reason = serializers.CharField(max_length=500)


class QueryAskSerializer(serializers.Serializer[Any]):
    table = serializers.CharField(
        required=False, allow_blank=True, default="", help_text="By default the first one."
    )
    question = serializers.JSONField(help_text="As for `deid query --ask`.")
    price = serializers.BooleanField(
        required=False, default=False, help_text="Only say what the answer would cost."
    )


class MoreSerializer(serializers.Serializer[Any]):
    table = serializers.CharField(required=False, allow_blank=True, default="")
    epsilon = serializers.DecimalField(max_digits=13, decimal_places=9, min_value=0)
    reason = serializers.CharField(max_length=500)


class ExpectedSerializer(serializers.Serializer[Any]):
    code = serializers.CharField()
    text = serializers.CharField()
    params = serializers.JSONField()


class PriceSerializer(serializers.Serializer[Any]):
    epsilon = serializers.CharField()
    delta = serializers.CharField()
    clause = serializers.CharField()
    left_after = serializers.CharField(
        allow_null=True,
        help_text="The greatest ε of one more count that you could ask for after it; null where the budget does not allow it.",
    )
    expected = ExpectedSerializer(many=True, help_text="How far noise moves one group of the answer.")


def _detail(query: Query) -> dict[str, Any]:
    found = answer_row(query)
    answer = found["answer"] if found else None
    return {
        **query_row(query),
        "clause": found["clause"] if found else "",
        "cells": answer.cells if answer else [],
        "margins": answer.margins if answer else [],
        "off": answer.off if answer else None,
        "statements": found["sentences"] if found else [],
    }


def _dataset(run_id: Any, table: str) -> Any:
    return services.source_in(sources_of(run_id) if run_id else {}, table)


class QueriesView(ProjectAPIView):
    """The accounts of the project, who was granted and who spent what; and proposing a budget."""

    @extend_schema(responses=BookSerializer)
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        run = latest_run(self.project)
        found = {
            "accounts": book(self.project, sources_of(run.pk) if run else {}),
            "grants": grants_of(self.project),
            "queries": [query_row(one) for one in queries_of(self.project)],
        }
        return Response(BookSerializer(found).data)

    @extend_schema(request=GrantProposeSerializer, responses={201: GrantSerializer})
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        rules.may_propose(request.user, self.project).require()
        data = self.sent(GrantProposeSerializer)
        name, table = data.pop("recipient"), data.pop("table")
        whose = next((one for one in recipients_of(self.project) if one.username == name), None)
        if name and whose is None:
            deny(rules.QueryReason.WRONG_RECIPIENT, member=name).require()
        run = latest_run(self.project)
        made = services.grant_propose(
            self.project,
            dataset=_dataset(run.pk if run else None, table),
            recipient=whose,
            by=request.user,
            **data,
        )
        return Response(GrantSerializer(made).data, status=201)


class GrantDecideView(ProjectAPIView):
    """The second person's word."""

    @extend_schema(request=GrantDecideSerializer, responses=GrantSerializer)
    def post(self, request: Request, project_id: uuid.UUID, grant_id: uuid.UUID) -> Response:
        found = grant_get(self.project, grant_id)
        rules.may_refuse(request.user, found).require()
        data = self.sent(GrantDecideSerializer)
        return Response(GrantSerializer(services.grant_decide(found, **data, by=request.user)).data)


class _OwnView(APIView):
    """Finds the release among those of the caller."""

    release: Release

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self.release = release_get(request.user, kwargs["release_id"])
        verdict = may_receive(request.user, self.release)
        if verdict.reason == ReleaseReason.NOT_A_RECIPIENT:
            verdict.require()


class OwnQueriesView(_OwnView):
    """A recipient's own account and questions; and asking."""

    @extend_schema(responses=OwnBookSerializer, operation_id="receive_queries_account")
    def get(self, request: Request, release_id: uuid.UUID) -> Response:
        found = {
            "accounts": own_accounts(request.user, self.release),
            "grants": grants_of(self.release.project).filter(recipient=request.user),
            "queries": [query_row(one) for one in queries_by(request.user, self.release)],
        }
        return Response(OwnBookSerializer(found).data)

    @extend_schema(request=QueryAskSerializer, responses={200: PriceSerializer, 201: QueryDetailSerializer})
    def post(self, request: Request, release_id: uuid.UUID) -> Response:
        rules.may_ask(request.user, self.release).require()
        data = given(QueryAskSerializer(data=request.data))
        question = validated(Question, data["question"], "question")
        if data["price"]:
            price = price_of(request.user, self.release, data["table"], question)
            return Response(PriceSerializer(price).data)
        made = services.query_ask(self.release, table=data["table"], question=question, by=request.user)
        return Response(QueryDetailSerializer(_detail(made)).data, status=201)


class OwnQueryView(_OwnView):
    """One question of the caller's, with its answer."""

    @extend_schema(responses=QueryDetailSerializer)
    def get(self, request: Request, release_id: uuid.UUID, query_id: uuid.UUID) -> Response:
        found = queries_by(request.user, self.release).get(pk=query_id)
        rules.may_read(request.user, found, self.release).require()
        return Response(QueryDetailSerializer(_detail(found)).data)


class MoreView(_OwnView):
    """Ask for more, where the account allows it; a second person grants it."""

    @extend_schema(request=MoreSerializer, responses={201: GrantSerializer})
    def post(self, request: Request, release_id: uuid.UUID) -> Response:
        rules.may_ask(request.user, self.release).require()
        data = given(MoreSerializer(data=request.data))
        dataset = _dataset(self.release.run_id, data.pop("table"))
        made = services.more_ask(self.release, dataset=dataset, by=request.user, **data)
        return Response(GrantSerializer(made).data, status=201)
