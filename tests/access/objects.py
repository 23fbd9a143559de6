"""What the arguments of an address stand for: the object of a project, None where there is none yet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from approvals.documents.models import Document
from projects.core.models import AssessmentOrder, Project
from projects.datasets.models import Dataset
from projects.disposal.models import Disposal
from projects.enclave.models import EnclaveQuery
from projects.findings.models import (
    CheckedStep,
    Finding,
    ReceivedSample,
    ResultSample,
    SampleDeviation,
    SpotCheck,
)
from projects.identification.models import IdentificationRound
from projects.impact.models import ImpactAssessment
from projects.incidents.models import Incident
from projects.intrusion.models import IntruderClaim, IntruderTest, Invitation
from projects.jobs.models import Job
from projects.monitoring.models import Amendment, LaterReassessment, Reassessment
from projects.objective.models import PrivacyNotice
from projects.processing.models import (
    Exploration,
    Forecast,
    LevelCount,
    Proposal,
    RecipeVersion,
    Run,
    WholePreview,
)
from projects.queries.models import Grant, Query
from projects.releases.models import (
    Agreement,
    Delivery,
    Fetch,
    FetchRequest,
    Publication,
    RecipientChange,
    Release,
)
from projects.reversal.models import ReversalRequest
from projects.statistics.models import Tabulation
from projects.vault.models import Secret
from projects.verification.models import Comparison, Trial, UtilityOpinion, Verification

Find = Callable[[Any, str, Project], Any]


def newest(model: Any, path: str = "project") -> Find:
    """The newest object of ``model`` that belongs to the project."""

    def find(world: Any, role: str, project: Project) -> Any:
        found = model.objects.filter(**{path: project}).values_list("pk", flat=True)
        return next(iter(found[:1]), None)

    return find


def _membership(world: Any, role: str, project: Project) -> int:
    return int(project.memberships.get(role="recipient").pk)


def _token(world: Any, role: str, project: Project) -> Any:
    """Their own; a stranger's for who has none."""
    return world.tokens.get(role, world.tokens["planner"]).pk


def _grant(world: Any, role: str, project: Project) -> Any:
    """One that waits for a decision, where there is one."""
    found = Grant.objects.filter(project=project).order_by("-status", "-number")
    return found.values_list("pk", flat=True).first()


OBJECTS: dict[str, Find] = {
    "project_id": lambda world, role, project: project.pk,
    "membership_id": _membership,
    "token_id": _token,
    "user_id": lambda world, role, project: world.people.other_executor.pk,
    "appointment_id": lambda world, role, project: world.appointment.pk,
    "deputation_id": lambda world, role, project: world.deputation.pk,
    "robot_id": lambda world, role, project: world.robot.pk,
    "record_id": lambda world, role, project: world.record.pk,
    "entry_id": lambda world, role, project: world.outside.pk,
    "party_id": lambda world, role, project: world.party.pk,
    "seat_id": lambda world, role, project: world.seat.pk,
    "talk_id": lambda world, role, project: world.talk.pk,
    "follow_up_id": lambda world, role, project: world.talk.follow_ups.get().pk,
    "training_id": lambda world, role, project: world.training.pk,
    "recovery_id": lambda world, role, project: world.recovery.pk,
    "seq": lambda world, role, project: 1,
    "check_id": lambda world, role, project: world.check.pk,
    "document_id": lambda world, role, project: (
        Document.objects.filter(project_id=project.pk).values_list("pk", flat=True).first()
    ),
    "job_id": newest(Job),
    "secret_id": newest(Secret),
    "dataset_id": newest(Dataset),
    "notice_id": newest(PrivacyNotice),
    "round_id": newest(IdentificationRound),
    "recipe_id": newest(RecipeVersion),
    "run_id": newest(Run),
    "verification_id": newest(Verification),
    "opinion_id": newest(UtilityOpinion),
    "order_id": newest(AssessmentOrder),
    "exploration_id": newest(Exploration),
    "comparison_id": newest(Comparison),
    "release_id": newest(Release),
    "agreement_id": newest(Agreement),
    "recipient_change_id": newest(RecipientChange),
    "delivery_id": newest(Delivery, "release__project"),
    "fetch_request_id": newest(FetchRequest),
    "fetch_id": newest(Fetch),
    "publication_id": newest(Publication),
    "file": lambda world, role, project: 0,
    "token": lambda world, role, project: "nobody-was-told-this-address",
    "reassessment_id": newest(Reassessment),
    "amendment_id": newest(Amendment),
    "later_id": newest(LaterReassessment),
    "kind": lambda world, role, project: "targets",
    "reversal_id": newest(ReversalRequest),
    "grant_id": _grant,
    "query_id": newest(Query),
    "tabulation_id": newest(Tabulation),
    "enclave_query_id": newest(EnclaveQuery),
    "assessment_id": newest(ImpactAssessment),
    "finding_id": newest(Finding),
    "incident_id": newest(Incident),
    "sample_id": newest(ReceivedSample, "release__project"),
    "result_sample_id": newest(ResultSample),
    "deviation_id": newest(SampleDeviation, "ticket__project"),
    "disposal_id": newest(Disposal),
    "test_id": newest(IntruderTest),
    "invitation_id": newest(Invitation, "test__project"),
    "spot_check_id": newest(SpotCheck, "steps__project"),
    "source": lambda world, role, project: "reassessment",
    "origin_id": newest(Reassessment),
    "place": lambda world, role, project: (
        CheckedStep.objects.filter(project=project).values_list("place", flat=True).first()
    ),
}
# Ids of these name an object of one project: with the id of another project's object nothing is found.
OF_A_PROJECT = frozenset(OBJECTS) - {
    "project_id",
    "token_id",
    "user_id",
    "recovery_id",
    "robot_id",
    "entry_id",
    "training_id",
    "party_id",
    "seat_id",
    "talk_id",
    "follow_up_id",
    "seq",
    "check_id",
    "source",
    "kind",
    "place",
    "token",
    "file",
}


def ids_of(project: Project) -> set[str]:
    """The UUIDs by which the project and what belongs to it are addressed."""
    found = {str(project.pk)}
    for model, path in (
        (Job, "project"),
        (Secret, "project"),
        (Dataset, "project"),
        (PrivacyNotice, "project"),
        (IdentificationRound, "project"),
        (Run, "project"),
        (Verification, "project"),
        (Comparison, "project"),
        (UtilityOpinion, "project"),
        (AssessmentOrder, "project"),
        (Amendment, "project"),
        (IntruderTest, "project"),
        (IntruderClaim, "test__project"),
        (Invitation, "test__project"),
        (Trial, "project"),
        (Exploration, "project"),
        (Forecast, "project"),
        (WholePreview, "project"),
        (LevelCount, "project"),
        (Proposal, "project"),
        (Release, "project"),
        (Agreement, "project"),
        (RecipientChange, "project"),
        (Publication, "project"),
        (Delivery, "release__project"),
        (FetchRequest, "project"),
        (Fetch, "project"),
        (Reassessment, "project"),
        (LaterReassessment, "project"),
        (ReversalRequest, "project"),
        (Grant, "project"),
        (Query, "project"),
        (EnclaveQuery, "project"),
        (Tabulation, "project"),
        (ImpactAssessment, "project"),
        (Finding, "project"),
        (ReceivedSample, "release__project"),
        (SampleDeviation, "ticket__project"),
        (ResultSample, "project"),
        (Incident, "project"),
        (Disposal, "project"),
    ):
        found |= {str(pk) for pk in model.objects.filter(**{path: project}).values_list("pk", flat=True)}
    found |= {str(pk) for pk in Document.objects.filter(project_id=project.pk).values_list("pk", flat=True)}
    return found
