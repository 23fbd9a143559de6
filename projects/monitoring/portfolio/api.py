"""The portfolio for programs: the same lines, filters and order as the page."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from projects.workflow import Stage, State

from .forms import Due, Order, PortfolioForm
from .presentation import due_text_of, recipient_name, risk_source
from .selectors import Portfolio, ProjectLine, portfolio_of


class PortfolioQuerySerializer(serializers.Serializer[Any]):
    q = serializers.CharField(required=False)
    stage = serializers.ChoiceField(choices=Stage.choices, required=False)
    due = serializers.ChoiceField(choices=Due.choices, required=False)
    order = serializers.ChoiceField(choices=Order.choices, required=False)
    over = serializers.BooleanField(required=False)


class PortfolioLineSerializer(serializers.Serializer[Any]):
    """``max_risk`` between 0 and 1 as ``risk_source`` says; null: not measured. ``age`` and ``waiting`` in days."""

    project = serializers.UUIDField()
    number = serializers.CharField()
    title = serializers.CharField()
    stage = serializers.ChoiceField(choices=Stage.choices)
    state = serializers.ChoiceField(choices=State.choices)
    age = serializers.IntegerField()
    waiting = serializers.IntegerField()
    deadline = serializers.DateField(allow_null=True)
    days_left = serializers.IntegerField(allow_null=True)
    max_risk = serializers.FloatField(allow_null=True)
    risk_source = serializers.CharField()
    verification = serializers.IntegerField(allow_null=True)
    run = serializers.IntegerField(allow_null=True)


class PortfolioRecipientSerializer(serializers.Serializer[Any]):
    """``organisation`` is empty where there is no agreement; ``name`` says it in words."""

    organisation = serializers.CharField(allow_blank=True)
    name = serializers.CharField()
    projects = serializers.ListField(child=serializers.CharField())
    fetched = serializers.IntegerField()
    last = serializers.DateTimeField(allow_null=True)
    agreed_until = serializers.DateField(allow_null=True)


class PortfolioDueSerializer(serializers.Serializer[Any]):
    project = serializers.UUIDField()
    text = serializers.CharField()
    deadline = serializers.DateField(allow_null=True)
    days_left = serializers.IntegerField(allow_null=True)


class PortfolioSerializer(serializers.Serializer[Any]):
    by_stage = serializers.DictField(child=serializers.IntegerField())
    projects = PortfolioLineSerializer(many=True)
    recipients = PortfolioRecipientSerializer(many=True)
    due = PortfolioDueSerializer(many=True)


class PortfolioView(APIView):
    @extend_schema(
        "monitoring_portfolio", parameters=[PortfolioQuerySerializer], responses=PortfolioSerializer
    )
    def get(self, request: Request) -> Response:
        """The projects that the caller may see by stage, age, deadline and measured risk, and who holds their releases."""
        form = PortfolioForm(request.query_params)
        if not form.is_valid():
            raise serializers.ValidationError(
                {name: [str(one) for one in errors] for name, errors in form.errors.items()}
            )
        return Response(PortfolioSerializer(_given(portfolio_of(request.user, **form.cleaned_data))).data)


def _given(found: Portfolio) -> dict[str, Any]:
    return {
        "by_stage": {stage.value: count for stage, count in found.by_stage.items()},
        "projects": [_line(line) for line in found.lines],
        "recipients": [
            {
                "organisation": line.organisation,
                "name": recipient_name(line),
                "projects": [project.number for project in line.projects],
                "fetched": line.fetched,
                "last": line.last,
                "agreed_until": line.agreed_until,
            }
            for line in found.recipients
        ],
        "due": [
            {
                "project": line.project.pk,
                "text": due_text_of(line),
                "deadline": line.deadline.due if line.deadline else None,
                "days_left": line.deadline.days if line.deadline else None,
            }
            for line in found.due
        ],
    }


def _line(line: ProjectLine) -> dict[str, Any]:
    project, deadline, risk = line.project, line.deadline, line.risk
    return {
        "project": project.pk,
        "number": project.number,
        "title": project.title,
        "stage": project.stage.value,
        "state": project.state,
        "age": line.age,
        "waiting": line.waiting,
        "deadline": deadline.due if deadline else None,
        "days_left": deadline.days if deadline else None,
        "max_risk": risk.share if risk else None,
        "risk_source": risk_source(risk),
        "verification": risk.verification if risk else None,
        "run": risk.run if risk else None,
    }
