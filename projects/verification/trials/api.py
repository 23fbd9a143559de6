"""Trials for programs."""

from __future__ import annotations

import uuid

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.status import HTTP_202_ACCEPTED

from ..api import VerificationAPIView
from ..remedies.services import remedy_carry_out
from ..selectors import verifications_of
from . import services
from .models import Trial


class TrialSerializer(serializers.ModelSerializer[Trial]):
    """What was measured before the result was handed over; no verdict, and nothing that is signed."""

    requested_by = serializers.CharField()
    run = serializers.UUIDField(source="run_id")
    recipe_version = serializers.IntegerField(source="run.recipe_version.number")
    checks = serializers.JSONField(help_text="The checks of the gate with what was measured.")
    missed = serializers.IntegerField(help_text="Checks that do not meet their target, or could not run.")

    class Meta:
        model = Trial
        fields = (
            "id", "number", "run", "recipe_version", "checks", "missed", "content_hash", "targets_hash", "requested_by",
            "requested_at", "measured_at", "ended_at", "job_id",
        )  # fmt: skip
        read_only_fields = fields


class Trials(VerificationAPIView):
    @extend_schema("verification_trial_list", responses=TrialSerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """Who sees the project: every trial, newest first."""
        return Response(TrialSerializer(services.trials_of(self.project), many=True).data)

    @extend_schema("verification_try", request=None, responses={202: TrialSerializer})
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        """The executor, while the data is processed: measure the current result as a trial, as a job."""
        trial, _job = services.trial_start(self.project, by=request.user)
        return Response(TrialSerializer(trial).data, status=HTTP_202_ACCEPTED)


class RemedyCarryOut(VerificationAPIView):
    @extend_schema("verification_way_carry_out", request=None, responses={202: TrialSerializer})
    def post(
        self, request: Request, project_id: uuid.UUID, verification_id: uuid.UUID, number: int
    ) -> Response:
        """The executor: back to processing where need be, a way that passes into the recipe, its run, and a trial of the result."""
        verification = verifications_of(self.project).get(pk=verification_id)
        _version, trial = remedy_carry_out(verification, number=number, by=request.user)
        return Response(TrialSerializer(trial).data, status=HTTP_202_ACCEPTED)
