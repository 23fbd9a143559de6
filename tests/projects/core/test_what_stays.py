"""What of each row stays as it was written, whoever writes past the code, column by column.

The tables below say it of the portal's own knowledge and not of its triggers: a column that a trigger forgets fails here.
Each trigger is asked by itself: the others of its table are away, and so are the checks of single rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Any, NamedTuple

import pytest
from django.apps import apps
from django.db import connection, models
from django.utils import timezone

from approvals.audit.apps import APPEND_ONLY
from approvals.governance.triggers import registered
from tests.projects.rows import another, change, delete, new_value, put, refused, unkept

pytestmark = pytest.mark.django_db
WHY = "text before"


class Kept(NamedTuple):
    """``always``: columns that never change. ``never``: nor do these, which may name nothing. ``once``: what is empty is
    filled in once. ``then``: once the row says ``after``, these do not change either. ``along``: what has to change whenever a
    row is written."""

    trigger: str
    model: str
    always: str
    once: str = ""
    never: str = ""
    after: dict[str, Any] = {}
    then: str = ""
    along: dict[str, Any] = {}


KEPT = (
    Kept(
        "appointment_stays_as_given", "accounts.Appointment",
        "id account_id post starts_on reason basis given_at",
        once="decided_by_id decided_at ended_by_id ended_at end_reason", never="ends_on given_by_id",
    ),
    Kept("account_origin_is_final", "accounts.User", "", once="origin_id"),
    Kept(
        "deputation_stays_as_given", "accounts.Deputation",
        "id account_id post deputy_id begins_at over_at reason given_by_id given_at",
        once="decided_by_id decided_at ended_by_id ended_at end_reason",
    ),
    Kept("review_stead_stays", "decisions.Review", "", never="in_stead_of_id"),
    Kept(
        "signoff_stead_stays", "decisions.SignOff", "",
        once="in_stead_of_id", after={"decided_by_id": 7}, then="in_stead_of_id",
    ),
    Kept("signoff_needed_stays", "decisions.SignOff", "needed", never="needed_by"),
    Kept(
        "policy_version_stays", "organisation.PolicyVersion",
        "id policy_id number content_hash edition text document_name document_kind document_hash effective_on review_on reason "
        "made_by_id made_at concerns",
        once="decided_by_id decided_at decision_reason", never="stored_id",
    ),
    Kept("policy_stays_what_it_is", "organisation.Policy", "id title kind regulation every_project added_at"),
    Kept(
        "follow_up_stays", "organisation.FollowUp", "id talk_id what owner_id due_on added_by_id added_at",
        once="closed_by_id closed_at result",
    ),
    Kept(
        "party_stays_as_ended", "organisation.Party", "id recorded_by_id recorded_at",
        once="ended_by_id ended_at end_reason", after={"ended_at": timezone.now()}, then="name key kind country code contact",
    ),
    Kept(
        "executing_party_stays", "organisation.ExecutingParty", "id project_id party_id named_by_id named_at", once="ended_at",
    ),
    Kept(
        "team_seat_stays", "organisation.TeamSeat", "id account_id duty named_by_id named_at",
        once="taken_at ended_by_id ended_at end_reason",
    ),
    Kept(
        "staff_record_stays", "records.StaffRecord",
        "id account_id kind title done_on passed kept_at document_hash recorded_by_id recorded_at",
        once="taken_back_by_id taken_back_at taken_back_why", never="valid_until",
    ),
    Kept(
        "training_stays", "records.Training", "id title teaches roles held_on planned_by_id planned_at",
        once="closed_by_id closed_at cancelled_why kept_at document_hash", never="valid_months repeat_months",
    ),
    Kept("membership_role_is_final", "core.Membership", "id project_id user_id role"),
    Kept(
        "secret_stays_as_proposed", "vault.Secret", "id project_id purpose created_at",
        once="destroyed_at destroyed_by_id destroyed_why",
        after={"destroyed_at": timezone.now(), "proposed_by_id": 7, "proposed_why": WHY}, then="proposed_by_id proposed_why",
    ),
    Kept(
        "need_is_final", "objective.ProjectNeed",
        "id project_id number content content_hash raised_by_id raised_at",
        once="answered_by_id answered_at is_accepted", after={"answered_by_id": 7}, then="answer",
    ),
    Kept(
        "register_lookup_stays", "objective.RegisterLookup",
        "id project_id asked found looked_up_by_id looked_up_at",
    ),
    Kept(
        "share_file_is_final", "processing.ShareFile", "id project_id run_id number stored_id sha256 table made_at"
    ),
    Kept(
        "mapping_table_is_final", "processing.MappingTable",
        "id project_id run_id table step column stored_id key_id made_at",
    ),
    Kept(
        "reversal_is_final", "reversal.ReversalRequest",
        "id project_id number run_id table column way asked_id values_count reason asked_by_id asked_at",
        once="decided_by_id decided_at job_id answer_id found_count", after={"decided_by_id": 7}, then="decision_reason",
    ),
    Kept(
        "assessment_stays_as_ordered", "core.AssessmentOrder",
        "id project_id number assessor_id covers until ordered_by_id ordered_at",
        once="reported_at ended_at ended_by_id end_reason", after={"conclusion": "conforms"}, then="conclusion report",
    ),
    Kept(
        "opinion_stays_as_given", "verification.UtilityOpinion",
        "id project_id verification_id assessor_id question asked_by_id asked_at",
        once="answered_at", after={"verdict": "fit"}, then="verdict reason",
    ),
    Kept(
        "agreement_stays_as_recorded", "releases.Agreement",
        "id project_id recipient_id organisation purpose prohibits_reidentification prohibits_linkage prohibits_onward_sharing "
        "signed_by signed_on valid_until scan_sha256 recorded_by_id recorded_at",
        once="ended_at", never="check_months country fetch_approval",
    ),
    Kept(
        "recipient_change_stays_as_proposed", "releases.RecipientChange",
        "id project_id number recipient_id asks terms scan_sha256 content_hash proposed_by_id proposed_at needed",
        after={"outcome": "approved", "decided_by_id": 7, "decided_at": timezone.now(), "agreement_id": None},
        never="needed_by", then="outcome reason decided_by_id decided_at",
    ),
    Kept(
        "outside_release_stays", "releases.OutsideRelease",
        "id number name source released_on sharing_type recipients subject_columns columns treatment evidence sha256 why_outside "
        "content_hash recorded_by_id recorded_at",
        once="withdrawn_by_id withdrawn_at withdrawn_why", never="valid_until replaces_id",
    ),
    Kept(
        "share_number_is_final", "releases.ShareHolding",
        "id project_id number holder_id assigned_by_id assigned_at", once="ended_at",
    ),
    Kept(
        "publication_stays_as_proposed", "releases.Publication",
        "id project_id release_id number token title summary conditions contact content_hash proposed_by_id proposed_at",
        once="decided_by_id decided_at published_at version ended_by_id ended_at reason ended_why",
    ),
    Kept(
        "grant_is_final", "queries.Grant",
        "id project_id number dataset_id nano_epsilon delta composition neighbours part exhaustion reason proposed_by_id "
        "proposed_at",
        once="decided_by_id decided_at", never="recipient_id", after={"status": "granted"}, then="status decision_reason",
    ),
    Kept(
        "query_is_final", "queries.Query",
        "id project_id number dataset_id release_id recipient_id question question_hash person_key loss asked_at",
        along={"status": "answered"},
    ),
    Kept(
        "enclave_query_is_final", "enclave.EnclaveQuery",
        "id project_id release_id number statement_id purpose asked_by_id asked_at kept_until",
        along={"status": "answered"},
    ),
    Kept(
        "tabulation_is_final", "statistics.Tabulation",
        "id project_id number title person_key purpose definition rules_id rules_name made_by_id made_at",
        once="dataset_id imported_id run_table_id report_id result_id reviewed_by_id reviewed_at signed_by_id signed_at "
        "refused_by_id refused_at result_sha256 reviewed_reason signed_reason refused_reason failed_code",
        along={"status": "open"},
    ),
    Kept(
        "impact_stays_as_laid_down", "impact.ImpactAssessment",
        "id project_id number content occasions about content_hash made_by_id made_at", never="recipients",
        after={"outcome": "concluded", "decided_by_id": 7, "decided_at": timezone.now()},
        then="outcome decided_by_id decided_at reason",
    ),
    Kept(
        "intruder_test_stays_as_said", "intrusion.IntruderTest",
        "id project_id run_id number knowledge scope testers auxiliary opened_by_id opened_at",
        once="closed_by_id closed_at attempts", after={"closed_at": timezone.now()}, then="conclusion",
    ),
    Kept(
        "intruder_claim_stays_as_made", "intrusion.IntruderClaim",
        "id test_id number of_table record reference grounds certainty made_by_id made_at",
        never="invitation_id", once="checked_by_id checked_at", after={"verdict": "wrong"}, then="verdict",
    ),
    Kept(
        "invitation_stays_as_made", "intrusion.Invitation",
        "id test_id tester_id task until gets_file shows_verdicts invited_by_id invited_at", never="country",
        once="ended_by_id ended_at end_reason",
    ),
    Kept(
        "sample_stays_as_drawn", "findings.ReceivedSample",
        "id release_id recipient_id number file rows size seed drawn_at inside",
        once="checked_on checked reported_at persons", after={"outcome": "nothing"},
        then="outcome looked is_cut pages_seen shown_rows",
    ),
    Kept(
        "result_sample_stays_as_drawn", "findings.ResultSample",
        "id project_id run_id number of_table sha256 seed drawn_by_id drawn_at", never="asked",
        once="population size looked_at found reported_by_id reported_at", after={"outcome": "nothing"}, then="outcome",
    ),
    Kept(
        "recipient_remedy_stays", "findings.RecipientRemedy",
        "id deviation_id kind text done_on recorded_by_id recorded_at stead_reason",
        once="decided_by_id decided_at", after={"state": "again"}, then="state reason",
    ),
    Kept(
        "finding_stays_as_raised", "findings.Finding",
        "id project_id number source stage severity title description raised_by_id raised_at", never="origin_id",
        after={"status": "closed", "closed_by_id": 7, "closed_at": timezone.now()},
        then="status owner_id due_on closed_by_id closed_at",
    ),
    Kept(
        "checked_step_is_final", "findings.CheckedStep", "id spot_check_id project_id stage place",
        after={"result": "found", "checked_by_id": 7, "checked_at": timezone.now()},
        then="result remark checked_by_id checked_at",
    ),
    Kept(
        "incident_stays_as_reported", "incidents.Incident",
        "id project_id number kind severity description noticed_at raised_by_id raised_at",
        once="closed_by_id closed_at reassessment_id later_id", after={"verdict": "confirmed"}, then="verdict",
    ),
    Kept(
        "amendment_stays_as_proposed", "monitoring.Amendment",
        "id project_id reassessment_id number kind content former why content_hash proposed_by_id proposed_at",
        once="reviewed_by_id reviewed_at decided_by_id decided_at", after={"outcome": "approved"},
        then="outcome review decision",
    ),
    Kept("amendment_stays_as_proposed", "monitoring.Amendment", "", after={"reviewed_by_id": 7}, then="review"),
    Kept(
        "reassessment_conclusion_stays", "monitoring.Reassessment", "",
        after={"outcome": "keep", "concluded_by_id": 7, "concluded_at": timezone.now(), "measured_at": timezone.now(), "met": True},
        then="id project_id release_id due_on measurement measured_at met outcome finding concluded_by_id concluded_at",
    ),
    Kept(
        "later_stays", "monitoring.LaterReassessment", "id project_id release_id due_on opened_at",
        after={
            "outcome": "nothing", "concluded_by_id": 7, "concluded_at": timezone.now(), "measured_at": timezone.now(), "met": True,
        },
        then="measurement measured_at met answers found outcome reason concluded_by_id concluded_at",
    ),
    Kept(
        "risk_acceptance_stays", "monitoring.RiskAcceptance",
        "id project_id reassessment_id measured_at until reason accepted_by_id accepted_at", once="ended_at",
    ),
    Kept(
        "disposal_stays_as_told", "disposal.Disposal",
        "id project_id number content content_hash reason proposed_by_id proposed_at",
        after={"outcome": "destroying", "decided_by_id": 7, "decided_at": timezone.now()},
        then="decided_by_id decided_at decision_reason",
    ),
)  # fmt: skip


class Moves(NamedTuple):
    """``allowed``: from which state a row comes to which, as ``from>to``; no other pair."""

    trigger: str
    model: str
    column: str
    allowed: str
    given: dict[str, Any] = {}


MOVES = (
    Moves("training_closed_once", "records.Training", "status", "planned>held planned>cancelled"),
    Moves("appointment_stays_as_given", "accounts.Appointment", "status", "waits>confirmed waits>turned_down confirmed>ended"),
    Moves("deputation_stays_as_given", "accounts.Deputation", "status", "waits>confirmed waits>turned_down confirmed>ended"),
    Moves(
        "reversal_is_final", "reversal.ReversalRequest", "status",
        "waiting>refused waiting>running waiting>lapsed running>ready running>failed ready>ended",
    ),
    Moves(
        "publication_goes_forward", "releases.Publication", "status",
        "waiting>replaced waiting>refused waiting>verifying waiting>lapsed verifying>live verifying>stopped live>withdrawn",
    ),
    Moves("query_is_final", "queries.Query", "status", "running>answered running>failed"),
    Moves("enclave_query_is_final", "enclave.EnclaveQuery", "status", "running>answered running>failed"),
    Moves(
        "tabulation_is_final", "statistics.Tabulation", "status",
        "running>open running>failed running>protected protected>reviewed protected>refused reviewed>approved reviewed>refused "
        "approved>refused",
    ),
    Moves(
        "disposal_stays_as_told", "disposal.Disposal", "outcome", "waiting>destroying waiting>kept destroying>destroyed",
        {"decided_by_id": 7, "decided_at": timezone.now()},
    ),
)  # fmt: skip

FINAL = [
    "accounts.Leaving",
    "organisation.PolicyAcknowledgement",
    "organisation.PolicyReview",
    "organisation.Talk",
    "organisation.TalkParticipant",
    "organisation.TalkProject",
    "organisation.TalkCorrection",
    "organisation.PartyAgreement",
    "decisions.Signature",
    "decisions.ManagementReview",
    "decisions.ChecklistRecord",
    "decisions.Justification",
    "core.StageComment",
    "releases.TermsAcceptance",
    "releases.ChangeSignature",
    "releases.CopyStatement",
    "findings.AssessmentDocument",
    "releases.FetchRequest",
    "releases.FetchDecision",
    "releases.Fetch",
    "findings.SampleDeviation",
    "findings.ResultDeviation",
    "findings.FindingStep",
    "findings.SpotCheck",
    "incidents.IncidentStep",
    "lessons.Lesson",
    "records.Attendance",
    "records.RecordScan",
    "audit.AuditEvent",
]
"""Written once: neither a column of it changes nor does the row go."""
STAYING = [
    "accounts.Appointment",
    "accounts.Deputation",
    "organisation.PolicyVersion",
    "organisation.Policy",
    "organisation.FollowUp",
    "organisation.Party",
    "organisation.ExecutingParty",
    "organisation.TeamSeat",
    "records.StaffRecord",
    "records.Training",
    "core.AssessmentOrder",
    "core.Membership",
    "objective.ProjectNeed",
    "objective.RegisterLookup",
    "processing.ShareFile",
    "processing.MappingTable",
    "reversal.ReversalRequest",
    "verification.UtilityOpinion",
    "releases.Agreement",
    "releases.RecipientChange",
    "releases.OutsideRelease",
    "releases.ShareHolding",
    "releases.Publication",
    "queries.Grant",
    "queries.Query",
    "enclave.EnclaveQuery",
    "statistics.Tabulation",
    "impact.ImpactAssessment",
    "intrusion.IntruderTest",
    "intrusion.IntruderClaim",
    "intrusion.Invitation",
    "findings.ReceivedSample",
    "findings.ResultSample",
    "findings.RecipientRemedy",
    "findings.Finding",
    "findings.CheckedStep",
    "incidents.Incident",
    "monitoring.Amendment",
    "monitoring.RiskAcceptance",
    "monitoring.LaterReassessment",
    "disposal.Disposal",
]
"""Ended, never deleted."""


@pytest.fixture(autouse=True)
def nothing_stays(db: None) -> Iterator[None]:
    with unkept():
        yield


ALL = (APPEND_ONLY, *registered())


def final(model: type[models.Model], event: str) -> str:
    """The trigger that refuses the event on any condition."""
    (name,) = (
        one.name
        for one in ALL
        if one.table == model._meta.db_table and event in one.events and one.condition == "TRUE"
    )
    return name


def alone(model: type[models.Model], name: str, *events: str) -> str:
    """Take what else the table refuses away; the message of what is left, which is asked at an update if nothing is said."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = %s", [model._meta.db_table]
        )
        for (other,) in cursor.fetchall():
            if other not in [f"{name}_{event}" for event in events or ("update",)]:
                cursor.execute(f'DROP TRIGGER "{other}"')
        cursor.execute("PRAGMA ignore_check_constraints = ON")
    return next(trigger.message for trigger in ALL if trigger.name == name)


@pytest.fixture(autouse=True)
def checks_again(nothing_stays: None) -> Iterator[None]:
    yield
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA ignore_check_constraints = OFF")


def names(kept: tuple[Kept, ...], of: str) -> list[Any]:
    return [
        pytest.param(one, name, id=f"{one.trigger}-{name}")
        for one in kept
        for name in getattr(one, of).split()
    ]


def nothing_in(row: models.Model, name: str) -> Any:
    return None if row._meta.get_field(name).null else ""


def filled(model: type[models.Model], *columns: str) -> dict[str, Any]:
    return {name: new_value(model._meta.get_field(name)) for name in columns}


@pytest.mark.parametrize(("kept", "name"), names(KEPT, "always"))
def test_what_was_written_never_changes(kept: Kept, name: str) -> None:
    model = apps.get_model(kept.model)
    message, row = alone(model, kept.trigger), put(model)
    with refused(message):
        change(row, **another(row, name), **kept.along)


@pytest.mark.parametrize(("kept", "name"), names(KEPT, "once") + names(KEPT, "never"))
def test_what_was_named_is_not_exchanged(kept: Kept, name: str) -> None:
    model = apps.get_model(kept.model)
    message = alone(model, kept.trigger)
    row = put(model, **filled(model, name))
    for other in (another(row, name), {name: nothing_in(row, name)}):
        with refused(message):
            change(row, **other, **kept.along)


@pytest.mark.parametrize(("kept", "name"), names(KEPT, "once"))
def test_what_was_empty_is_filled_in(kept: Kept, name: str) -> None:
    model = apps.get_model(kept.model)
    alone(model, kept.trigger)
    row = put(model)
    change(row, **another(row, name), **kept.along)


@pytest.mark.parametrize(("kept", "name"), names(KEPT, "never"))
def test_what_names_nothing_names_nothing_later(kept: Kept, name: str) -> None:
    model = apps.get_model(kept.model)
    message, row = alone(model, kept.trigger), put(model)
    with refused(message):
        change(row, **another(row, name), **kept.along)


@pytest.mark.parametrize(("kept", "name"), names(KEPT, "then"))
def test_what_was_decided_stays_from_then_on(kept: Kept, name: str) -> None:
    model = apps.get_model(kept.model)
    message = alone(model, kept.trigger)
    row = put(model, **kept.after)
    gone = [{name: None}] if model._meta.get_field(name).null and name in kept.after else []
    for other in (another(row, name), *gone):
        with refused(message):
            change(row, **other, **kept.along)
    if name not in kept.always:
        before = put(model)
        change(before, **another(before, name))


@pytest.mark.parametrize("kept", KEPT, ids=lambda kept: kept.trigger)
def test_a_row_in_which_nothing_changes_is_written_again(kept: Kept) -> None:
    model = apps.get_model(kept.model)
    alone(model, kept.trigger)
    state = {moves.column: moves.allowed.split(">")[0] for moves in MOVES if moves.trigger == kept.trigger}
    column = (kept.always or kept.then or kept.once or kept.never).split()[-1]
    for given in ({}, filled(model, *kept.once.split(), *kept.never.split()), kept.after):
        row = put(model, **state | given)
        change(row, **{column: getattr(row, column)}, **kept.along)


@pytest.mark.parametrize("moves", MOVES, ids=lambda moves: moves.trigger)
def test_a_row_goes_from_state_to_state_as_it_may_and_no_other_way(moves: Moves) -> None:
    model = apps.get_model(moves.model)
    message = alone(model, moves.trigger)
    states = [value for value, _label in model._meta.get_field(moves.column).flatchoices]
    for old, new in permutations(states, 2):
        row = put(model, **{moves.column: old} | moves.given)
        if f"{old}>{new}" in moves.allowed.split():
            change(row, **{moves.column: new})
        else:
            with refused(message):
                change(row, **{moves.column: new})


@pytest.mark.parametrize("label", FINAL)
def test_what_is_written_once_neither_changes_nor_goes(label: str) -> None:
    model = apps.get_model(label)
    name = next(field.attname for field in model._meta.concrete_fields if not field.primary_key)
    message, row = alone(model, final(model, "UPDATE"), "update", "delete"), put(model)
    for act in (lambda: change(row, **another(row, name)), lambda: delete(row)):
        with refused(message):
            act()


@pytest.mark.parametrize("label", STAYING)
def test_what_is_ended_is_not_deleted(label: str) -> None:
    model = apps.get_model(label)
    message, row = alone(model, final(model, "DELETE"), "delete"), put(model)
    with refused(message):
        delete(row)


def test_every_trigger_of_that_kind_is_asked() -> None:
    asked = {one.trigger for one in (*KEPT, *MOVES)}
    by_table = {apps.get_model(label)._meta.db_table for label in (*FINAL, *STAYING)}
    for trigger in registered():
        if trigger.condition == "TRUE":
            assert trigger.table in by_table or trigger.table in OF_ANOTHER_DATABASE, trigger.name
        elif "EXISTS" not in trigger.condition and "OLD." in trigger.condition and "UPDATE" in trigger.events:
            assert trigger.name in asked | OF_ANOTHER_KIND, trigger.name


OF_ANOTHER_DATABASE = {"custody_keptkey", "custody_keyaccess"}
"""What lies in the store of the keys: tests of the custody, and one on PostgreSQL, ask these."""
OF_ANOTHER_KIND = {"secret_destroyed_as_proposed", "secret_stays_apart", "storedfile_destroyed_stays_so"}
"""What they refuse is no change of a written word: a test of their package asks them."""
