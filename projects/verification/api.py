"""Verification through the API: the same services, rules and reasons as the pages."""

from __future__ import annotations

import uuid
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.status import HTTP_201_CREATED, HTTP_202_ACCEPTED

from approvals.decisions.models import Decision
from approvals.documents.api import DocumentSerializer
from projects.core.api import ProjectAPIView, SignedSerializer
from projects.identification.presentation import overrides_of
from projects.processing.recipes.api import RecipeSerializer
from projects.processing.runs.designation.presentation import DesignationSerializer, shown_of

from . import rules, services
from .gate.scales.entropy import entropy_shown
from .gate.scales.presentation import scale_rows, scale_statements, severity_statements
from .models import Verification
from .pages import documents_of, guarantee, steps_of
from .presentation import exempt_rows, gate_rows, noisy_left_out, noisy_rows, residual_rows, statements
from .remedies.presentation import remedy_tables
from .remedies.services import remedy_take
from .selectors import latest_verification, verifications_of
from .sign_off.answer import answer_of
from .sign_off.signers import signing_of


class GateRowSerializer(serializers.Serializer[Any]):
    """One check in the reader's language. ``passed`` null: could not run, which is not a pass."""

    kind = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    target = serializers.CharField(allow_blank=True)
    measured = serializers.CharField(allow_blank=True)
    passed = serializers.BooleanField(allow_null=True)
    plain = serializers.CharField(allow_blank=True)
    clause = serializers.CharField(allow_blank=True)
    meaning = serializers.CharField(allow_blank=True)
    fixes = serializers.SerializerMethodField()

    def get_fixes(self, row: Any) -> list[str]:
        return [f"{one.text} · {one.cost}" if one.cost else one.text for one in row.remedies]


class ExemptSerializer(serializers.Serializer[Any]):
    """A column that tells records apart and stays by a person's word: what was found, and the reason."""

    column = serializers.CharField()
    found = serializers.CharField()
    reason = serializers.CharField()


class ResidualSerializer(serializers.Serializer[Any]):
    """Something that should not be in the result; where it is, never what it is."""

    column = serializers.CharField()
    kind = serializers.CharField()
    where = serializers.CharField()
    rows = serializers.CharField(allow_blank=True)
    first_rows = serializers.CharField(allow_blank=True)
    blocks = serializers.BooleanField()


class ScaleFormulaSerializer(serializers.Serializer[Any]):
    """How a grade comes about, with the real values."""

    expression = serializers.CharField()
    substituted = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]


class ScaleSerializer(serializers.Serializer[Any]):
    """How another standard grades the result; no part of the gate."""

    label = serializers.CharField()  # type: ignore[assignment]
    value = serializers.CharField()
    plain = serializers.CharField()
    passed = serializers.BooleanField(
        allow_null=True, help_text="Null: not determined, or it has no threshold."
    )
    has_threshold = serializers.BooleanField()
    formula = ScaleFormulaSerializer(allow_null=True)


class NoisySerializer(serializers.Serializer[Any]):
    """Two columns with noise: source → result; one number if nothing changed."""

    columns = serializers.CharField()
    correlation = serializers.CharField()
    covariance = serializers.CharField()


class RemedySerializer(serializers.Serializer[Any]):
    """A change that makes a failing result pass, the cheapest first. ``passes`` null: it leads to no solution. A
    remedy is for one table, or for the view that joins several; the next verification measures that view again whatever
    is taken.
    """

    number = serializers.IntegerField(help_text="By which it is taken into the recipe.")
    table = serializers.CharField(
        allow_blank=True, help_text="Of several tables the one that it mends; blank of the joined view."
    )
    joined = serializers.BooleanField(help_text="Whether it mends the view that joins the tables.")
    text = serializers.CharField()
    passes = serializers.BooleanField(allow_null=True)
    kept = serializers.CharField(allow_blank=True, help_text="Detail of the quasi-identifiers that is left.")
    smallest = serializers.CharField(allow_blank=True, help_text="Records of the smallest class.")
    average = serializers.CharField(allow_blank=True, help_text="Average risk.")
    suppressed = serializers.CharField(allow_blank=True, help_text="Share of the records suppressed.")
    below = serializers.CharField(
        allow_blank=True, help_text="Of the joined view: persons in classes that are too small."
    )
    missed = serializers.ListField(child=serializers.CharField(), help_text="Utility targets that it misses.")
    untold = serializers.ListField(
        child=serializers.CharField(), help_text="Utility targets that only a run can tell of."
    )


class VerificationSerializer(serializers.ModelSerializer[Verification]):
    """One measurement of one run's result."""

    requested_by = serializers.CharField()
    run = serializers.UUIDField(source="run_id")

    class Meta:
        model = Verification
        fields = (
            "id", "number", "run", "passed", "content_hash", "targets_hash", "requested_by", "requested_at",
            "measured_at", "ended_at", "job_id",
        )  # fmt: skip


class OverrideSerializer(serializers.Serializer[Any]):
    """A verdict that sets findings of the scan aside."""

    column = serializers.CharField()
    found = serializers.CharField()
    role = serializers.CharField()
    reason = serializers.CharField()
    by = serializers.CharField()


class VerificationDetailSerializer(VerificationSerializer):
    """With the gate table, the remedies, the findings, the scales and the full report."""

    gate = GateRowSerializer(many=True, read_only=True)
    ways = RemedySerializer(many=True, read_only=True)
    exempt = ExemptSerializer(many=True, read_only=True)
    residual = ResidualSerializer(many=True, read_only=True)
    noisy = NoisySerializer(many=True, read_only=True)
    noisy_left_out = serializers.CharField(read_only=True, allow_blank=True)
    scales = ScaleSerializer(many=True, read_only=True)
    scale_statements = serializers.ListField(child=serializers.CharField(), read_only=True)
    entropy_statements = serializers.ListField(
        child=serializers.CharField(), read_only=True, help_text="What the risk by information entropy says."
    )
    statements = serializers.ListField(child=serializers.CharField(), read_only=True)
    guarantee = serializers.CharField(
        read_only=True, help_text="Whether the protection is formal or heuristic."
    )
    found = serializers.ListField(
        child=serializers.CharField(), read_only=True, help_text="What the steps of the run found and chose."
    )
    report = serializers.DictField(read_only=True)
    documents = DocumentSerializer(many=True, read_only=True)
    overrides = OverrideSerializer(many=True, read_only=True)
    designation = DesignationSerializer(read_only=True, allow_null=True)

    class Meta(VerificationSerializer.Meta):
        fields = (  # type: ignore[assignment]
            *VerificationSerializer.Meta.fields, "gate", "exempt", "ways", "residual", "noisy", "noisy_left_out", "scales", "scale_statements", "entropy_statements",
            "statements",
            "guarantee", "found", "report",
            "documents", "overrides", "designation",
        )  # fmt: skip

    def to_representation(self, verification: Verification) -> dict[str, Any]:
        measurement = verification.measurement
        report = measurement.report
        tables = remedy_tables(report)
        vars(verification).update(
            gate=gate_rows(measurement.checks, report),
            ways=[vars(row) | {"joined": shown.joined} for shown in tables for row in shown.rows],
            exempt=exempt_rows(report),
            residual=residual_rows(report),
            noisy=noisy_rows(report),
            noisy_left_out=noisy_left_out(report),
            scales=scale_rows(report),
            scale_statements=scale_statements(report),
            entropy_statements=[said for shown in entropy_shown(report) for said in shown["statements"]],
            statements=severity_statements(report) + statements(report),
            guarantee=guarantee(verification.run),
            found=[said for step in steps_of(verification.run) for said in step["sentences"]],
            documents=documents_of(verification),
            overrides=overrides_of(verification.project),
            designation=shown_of(verification.run),
        )
        return super().to_representation(verification)


class SignatureSerializer(serializers.Serializer[Any]):
    signed_by = serializers.CharField(source="signed_by.username")
    # Whose deputy signed; null where the role was their own.
    in_stead_of = serializers.CharField(source="in_stead_of.username", allow_null=True, default=None)
    signed_at = serializers.DateTimeField()
    reason = serializers.CharField()
    acceptance = serializers.CharField(allow_null=True)
    related_acceptance = serializers.CharField(allow_null=True)


class SigningSerializer(serializers.Serializer[Any]):
    """How far the signatures have come, where several people have to sign: ``missing`` may still do so; ``short`` is true where
    fewer may than have to, ``why`` says what asks for as many."""

    needed = serializers.IntegerField()
    why = serializers.CharField()
    given = SignatureSerializer(many=True)
    missing = serializers.ListField(child=serializers.CharField())
    short = serializers.BooleanField(source="is_short")


class AnswerSerializer(serializers.Serializer[Any]):
    """May the result be signed? ``code`` is approved, passed, degree_below, related_open, failed, could_not_run, stopped, outdated,
    under_way, broken_off or unmeasured; ``green`` only when every check passed on exactly the current result, and nothing is left to
    accept."""

    code = serializers.CharField()
    green = serializers.BooleanField()
    title = serializers.CharField()
    lead = serializers.CharField()
    related = serializers.CharField(
        allow_null=True,
        help_text="Mark of the related releases that an approval has to accept; null where there are none.",
    )
    verification = VerificationSerializer(allow_null=True)
    signing = SigningSerializer(allow_null=True)


class ReleaseDecisionSerializer(SignedSerializer):
    """Senior management's decision. ``content_hash`` is that of the verification that was looked at; ``acceptance`` says why
    a degree of anonymisation below 1 is approved, ``related_acceptance`` why what related releases reveal together with the result
    is, with ``related``, the mark of those that were looked at, as the answer has it; neither is given for anything else."""

    decision = serializers.ChoiceField(choices=Decision.choices)
    reason = serializers.CharField(max_length=2000)
    content_hash = serializers.CharField(max_length=64)
    acceptance = serializers.CharField(max_length=2000, allow_blank=True, default="")
    related_acceptance = serializers.CharField(max_length=2000, allow_blank=True, default="")
    related = serializers.CharField(max_length=64, allow_blank=True, default="")


class VerificationAPIView(ProjectAPIView):
    inside = True

    def answer(self) -> Response:
        found = answer_of(self.project, latest_verification(self.project))
        data = {
            "code": found.code,
            "green": found.tone == "ok",
            "title": found.title,
            "lead": found.lead,
            "related": found.related,
            "verification": found.verification,
            "signing": signing_of(self.project),
        }
        return Response(AnswerSerializer(data).data)


class MeasureSerializer(serializers.Serializer[Any]):
    hand_on = serializers.BooleanField(default=False)


class VerificationList(VerificationAPIView):
    @extend_schema("verification_list", responses=VerificationSerializer(many=True))
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """Who sees the project: every verification, newest first."""
        rows = verifications_of(self.project).defer("report", "checks")
        return Response(VerificationSerializer(rows, many=True).data)

    @extend_schema("verification_start", request=MeasureSerializer, responses={202: VerificationSerializer})
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        """The executor, while the result is being verified: measure the current result, as a job; with ``hand_on`` it is submitted
        for review at once if every check passes."""
        given = self.sent(MeasureSerializer)
        verification, _job = services.verification_start(
            self.project, hands_on=given["hand_on"], by=request.user
        )
        return Response(VerificationSerializer(verification).data, status=HTTP_202_ACCEPTED)


class VerificationDetail(VerificationAPIView):
    @extend_schema("verification_retrieve", responses=VerificationDetailSerializer)
    def get(self, request: Request, project_id: uuid.UUID, verification_id: uuid.UUID) -> Response:
        """Who sees the project: one verification with its gate table and full report."""
        verification = verifications_of(self.project).get(pk=verification_id)
        return Response(VerificationDetailSerializer(verification).data)


class RemedyTake(VerificationAPIView):
    @extend_schema("verification_way_take", request=None, responses={HTTP_201_CREATED: RecipeSerializer})
    def post(
        self, request: Request, project_id: uuid.UUID, verification_id: uuid.UUID, number: int
    ) -> Response:
        """The executor, while the data is processed: write a way that passes into a new version of the recipe."""
        verification = verifications_of(self.project).get(pk=verification_id)
        version = remedy_take(verification, number=number, by=request.user)
        context = {"verdicts_hash": version.verdicts_hash}
        return Response(RecipeSerializer(version, context=context).data, status=HTTP_201_CREATED)


class VerificationAnswer(VerificationAPIView):
    @extend_schema("verification_answer", responses=AnswerSerializer)
    def get(self, request: Request, project_id: uuid.UUID) -> Response:
        """Who sees the project: may the current result be signed?"""
        return self.answer()


class ReleaseDecision(VerificationAPIView):
    @extend_schema("verification_decide", request=ReleaseDecisionSerializer, responses=AnswerSerializer)
    def post(self, request: Request, project_id: uuid.UUID) -> Response:
        """Senior management, while the release awaits approval. Where several have to sign, the last approval approves."""
        rules.may_decide(request.user, self.project).require()
        data = self.signed(ReleaseDecisionSerializer)
        self.project = services.release_decide(
            self.project,
            decision=Decision(data["decision"]),
            reason=data["reason"],
            seen_hash=data["content_hash"],
            acceptance=data["acceptance"],
            related_acceptance=data["related_acceptance"],
            seen_related=data["related"],
            by=request.user,
        )
        return self.answer()
