"""The target: who may write it, what is missing, what a version pins, and what lapses."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.utils import translation

from approvals.audit.models import AuditEvent
from approvals.audit.verify import verify
from approvals.decisions.models import Decision, SignOff
from approvals.decisions.selectors import current_approval, open_signoff
from approvals.governance.governed import GovernanceBypassed
from approvals.governance.verdict import Refused
from projects.core.enums import SharingType
from projects.core.evidence import content_of, evidence_state
from projects.core.services import project_move
from projects.objective import completeness, services
from projects.objective.completeness import missing_items
from projects.objective.enums import Part
from projects.objective.models import Objective, PlanVersion
from projects.objective.selectors import (
    objective_of,
    plan_current,
    plan_hash,
    risk_targets,
    utility_targets,
)
from projects.objective.targets.content import Plan, Scope
from projects.objective.targets.reading import plan_read, risk_read, scope_read, utility_read
from projects.objective.targets.risk import risk_defaults
from projects.workflow import Evidence, Move, Stage, State

from .steps import FACTORS, SCOPE, approved, decide, fill, fresh, review, submit, write_plan

pytestmark = pytest.mark.django_db
NOT_WRITERS = ("supervisor", "management", "recipient", "auditor", "outsider", "superuser")


@pytest.mark.parametrize("name", NOT_WRITERS)
def test_only_the_planning_manager_and_the_executor_write_the_target(project, people, name):
    somebody = getattr(people, name)
    project = fill(project, people)
    calls = (
        lambda: services.sharing_choose(project, sharing_type=SharingType.ENCLAVE, by=somebody),
        lambda: services.scope_save(project, scope=scope_read(SCOPE), by=somebody),
        lambda: services.risk_save(project, risk=risk_defaults("controlled"), by=somebody),
        lambda: services.utility_save(project, targets=[], by=somebody),
        lambda: services.utility_remove(project, position=0, by=somebody),
        lambda: services.utility_suggested_add(project, by=somebody),
        lambda: services.plan_save(project, plan=Plan(**objective_of(project).plan), by=somebody),
    )
    before = plan_hash(project)
    for call in calls:
        with pytest.raises(Refused) as refused:
            call()
        assert refused.value.verdict.code in ("not_your_role", "not_a_member")
    assert plan_hash(fresh(project)) == before


def test_the_executor_drafts_and_only_the_planning_manager_submits(project, people):
    project = fill(project, people)
    services.scope_save(
        project, scope=scope_read(SCOPE | {"laws": "Drafted by the executor."}), by=people.executor
    )
    assert objective_of(fresh(project)).scope["laws"] == "Drafted by the executor."
    event = AuditEvent.objects.filter(project_id=project.pk).latest("seq")
    assert (event.action, event.actor_id) == ("objective.part", str(people.executor.pk))
    with pytest.raises(Refused) as refused:
        project_move(fresh(project), move=Move.SUBMIT_OBJECTIVE, by=people.executor)
    assert refused.value.verdict.code == "not_your_role"
    write_plan(fresh(project), people)
    submit(fresh(project), people)
    with pytest.raises(Refused) as refused:
        services.scope_save(fresh(project), scope=scope_read(SCOPE), by=people.executor)
    assert refused.value.verdict.code == "wrong_state"


def test_nothing_is_written_outside_the_first_state(project, people):
    project = approved(project, people)
    assert project.state == State.IDENTIFICATION
    before = plan_hash(project)
    with pytest.raises(Refused) as refused:
        services.scope_save(project, scope=scope_read(SCOPE), by=people.planner)
    assert refused.value.verdict.code == "wrong_state"
    with pytest.raises(GovernanceBypassed):
        Objective.objects.update(scope=None)
    with pytest.raises(GovernanceBypassed):
        PlanVersion.objects.all().delete()
    assert plan_hash(fresh(project)) == before


def test_the_sharing_type_comes_first(project, people):
    with pytest.raises(Refused) as refused:
        services.scope_save(project, scope=scope_read(SCOPE), by=people.planner)
    assert refused.value.verdict.code == "sharing_first"
    assert [item.page for item in missing_items(project)] == ["objective:sharing"]


def test_public_sharing_needs_the_confirmation(project, people):
    with pytest.raises(Refused) as refused:
        services.sharing_choose(project, sharing_type=SharingType.PUBLIC, by=people.planner)
    assert refused.value.verdict.code == "irrevocable"
    services.sharing_choose(
        project, sharing_type=SharingType.PUBLIC, irrevocable_understood=True, by=people.planner
    )
    assert fresh(project).sharing_type == SharingType.PUBLIC


@pytest.mark.parametrize(
    ("sharing_type", "k", "measure", "max_risk", "context"),
    [
        ("public", 20, "max", 0.05, 1.0),
        ("controlled", 5, "strict_average", 0.2, 1.0),
        ("enclave", 3, "strict_average", 1 / 3, 1.0),
    ],
)
def test_defaults_by_sharing_type(project, people, sharing_type, k, measure, max_risk, context):
    services.sharing_choose(
        project, sharing_type=SharingType(sharing_type), irrevocable_understood=True, by=people.planner
    )
    targets = risk_targets(fresh(project))
    assert (targets.k, targets.measure, targets.context_risk) == (k, measure, context)
    assert targets.max_risk == pytest.approx(max_risk)
    assert targets.strict_cap == pytest.approx(1 / 3)
    assert targets.suppression_limit == 0.05
    assert targets.reassess_months == (6 if sharing_type == "public" else 12)


def test_another_sharing_type_discards_the_risk_targets(project, people):
    project = fill(project, people)
    assert not missing_items(project)
    services.sharing_choose(project, sharing_type=SharingType.ENCLAVE, by=people.planner)
    project = fresh(project)
    assert objective_of(project).risk is None
    assert risk_targets(project).k == 3
    assert {item.page for item in missing_items(project)} == {"objective:risk", "objective:plan_edit"}
    # The same type again changes nothing.
    services.risk_save(project, risk=risk_defaults("enclave"), by=people.planner)
    services.sharing_choose(project, sharing_type=SharingType.ENCLAVE, by=people.planner)
    assert objective_of(project).risk is not None


def test_nothing_is_missing_before_the_sharing_type_but_the_sharing_type(project):
    with translation.override("en"):
        assert [str(item.text) for item in missing_items(project)] == ["No sharing type has been chosen."]


@pytest.mark.parametrize(
    ("part", "kept", "says"),
    [
        ("scope", [None, {}, {"of_before": "x"}], "The object of de-identification is not fully described (six factors)."),
        ("factors", [None, {}, {"of_before": "x"}], "The factors of the target are not fully described (five factors)."),
        ("risk", [None, {}, {"of_before": 1}], "The risk targets are not fully set for this sharing type."),
        ("utility", [[], [{"kind": "of_before"}]],
         "No readable utility target states what the result must at least be good for."),
        ("plan", [None, {}, {"purpose": "x"}], "The implementation plan is not complete (nine sections)."),
    ],
)  # fmt: skip
def test_what_is_missing_is_said_of_that_part_alone(project, people, monkeypatch, part, kept, says):
    """Also where something stands there that this version no longer reads: it is not said that nothing was written."""
    project = fill(project, people)
    with translation.override("en"):
        assert [str(item.text) for item in missing_items(project)] == []
        for content in kept:
            left = objective_of(project)
            setattr(left, part, content)
            monkeypatch.setattr(completeness, "objective_of", lambda project, left=left: left)
            assert [str(item.text) for item in missing_items(project)] == [says]


def test_of_a_plan_written_before_a_change_it_is_said_until_it_is_saved_again(project, people):
    project = fill(project, people)
    targets = risk_defaults("controlled").model_copy(update={"k": 10})
    services.risk_save(project, risk=targets, by=people.planner)
    with translation.override("en"):
        said = [str(item.text) for item in missing_items(project)]
    assert said == ["The target changed after the plan was written: read the plan again and save it."]


def test_a_draft_is_named_until_it_is_gone(project, people):
    project = fill(project, people)
    services.draft_keep(project, part=Part.FACTORS, entries={"use_after": ["x"]}, seen="", by=people.planner)
    with translation.override("en"):
        [said] = [str(item.text) for item in missing_items(fresh(project))]
    assert said.endswith("is not finished: its entries count once the step is saved in full.")
    services.draft_discard(fresh(project), part=Part.FACTORS, by=people.planner)
    assert not any(item.part is Part.FACTORS for item in missing_items(fresh(project)))


def test_what_is_missing_is_named_part_by_part(project, people):
    by = people.planner
    services.sharing_choose(project, sharing_type=SharingType.CONTROLLED, by=by)
    project = fresh(project)
    pages = [item.page for item in missing_items(project)]
    assert pages == ["objective:together"] * 4 + ["objective:plan_edit"]
    with pytest.raises(Refused) as refused:
        submit(project, people)
    assert len(refused.value.verdict.missing) == 5
    project = fill(project, people)
    assert evidence_state(project, Evidence.OBJECTIVE_COMPLETE).met
    services.utility_save(project, targets=[], by=by)
    assert {i.page for i in missing_items(project)} == {"objective:utility", "objective:plan_edit"}


def test_a_plan_that_was_written_before_the_targets_changed_is_not_complete(project, people):
    project = fill(project, people)
    targets = risk_defaults("controlled").model_copy(update={"k": 10})
    services.risk_save(project, risk=targets, by=people.planner)
    assert [i.page for i in missing_items(project)] == ["objective:plan_edit"]
    write_plan(project, people)
    assert not missing_items(project)


def test_one_letter_changes_the_hash_and_lapses_the_approval(project, people):
    project = approved(project, people)
    approval = SignOff.objects.get(project_id=project.pk, subject_kind="plan")
    digest = plan_hash(project)
    assert approval.holds_for(digest)
    assert evidence_state(project, Evidence.PLAN_APPROVED).met

    project_move(project, move=Move.REVISE_OBJECTIVE, by=people.planner, reason="another use")
    # Going back alone changes nothing: the approval stands until the content changes.
    assert evidence_state(fresh(project), Evidence.PLAN_APPROVED).met
    write_plan(fresh(project), people, purpose=objective_of(project).plan["purpose"] + "。")
    project = fresh(project)
    approval.refresh_from_db()
    assert plan_hash(project) != digest
    assert approval.lapsed_at is not None
    assert not evidence_state(project, Evidence.PLAN_APPROVED).met
    assert plan_current(project) is None
    assert content_of(project, Stage.OBJECTIVE) is None

    # Writing the old text again does not bring the old approval back.
    write_plan(project, people, purpose=objective_of(project).plan["purpose"][:-1])
    project = fresh(project)
    assert plan_hash(project) == digest
    assert not evidence_state(project, Evidence.PLAN_APPROVED).met
    assert current_approval(project.pk, kind="plan", content_hash=digest) is None


def test_the_plan_goes_through_review_and_decision(project, people):
    project = fill(project, people)
    submit(project, people)
    version = PlanVersion.objects.get(project=project)
    assert (version.number, version.content_hash) == (1, plan_hash(project))
    assert version.created_by == people.planner
    assert content_of(fresh(project), Stage.OBJECTIVE) == version.subject
    assert open_signoff(project.pk, "plan") is None

    with pytest.raises(Refused) as refused:
        decide(project, people)
    assert refused.value.verdict.code == "wrong_state"
    review(project, people)
    request = open_signoff(project.pk, "plan")
    assert request.subject_hash == version.content_hash
    assert request.submitted_by == people.planner

    for name in ("planner", "executor", "supervisor", "recipient", "auditor", "outsider", "superuser"):
        with pytest.raises(Refused):
            services.objective_decide(
                fresh(project), decision=Decision.APPROVED, reason="r", by=getattr(people, name)
            )
    with pytest.raises(Refused) as refused:
        services.objective_decide(
            fresh(project), decision=Decision.APPROVED, reason="  ", by=people.management
        )
    assert refused.value.verdict.code == "reason_needed"
    assert open_signoff(project.pk, "plan") == request

    project = decide(project, people)
    assert project.state == State.IDENTIFICATION
    request.refresh_from_db()
    assert (request.decision, request.decided_by) == (Decision.APPROVED, people.management)
    acts = AuditEvent.objects.filter(
        project_id=project.pk, action__in=("objective.decided", "signoff.decided", "project.approve_plan")
    )
    assert len({event.act for event in acts}) == 1
    assert acts.count() == 3
    assert verify().sound


def test_the_workflow_alone_cannot_approve(project, people):
    """The generic move finds no approval; the decision and its record come together or not at all."""
    project = fill(project, people)
    submit(project, people)
    review(project, people)
    with pytest.raises(Refused) as refused:
        project_move(fresh(project), move=Move.APPROVE_PLAN, by=people.management, reason="r")
    assert refused.value.verdict.code == "evidence_missing"
    assert fresh(project).state == State.PLAN_APPROVAL
    project_move(fresh(project), move=Move.RETURN_PLAN, by=people.management, reason="too vague")
    assert open_signoff(project.pk, "plan") is None


@pytest.mark.parametrize(
    ("decision", "state"),
    [(Decision.RETURNED, State.OBJECTIVE_DRAFT), (Decision.REJECTED, State.REJECTED)],
)
def test_returned_and_rejected(project, people, decision, state):
    project = fill(project, people)
    submit(project, people)
    review(project, people)
    project = decide(project, people, decision)
    assert project.state == state
    assert not evidence_state(project, Evidence.PLAN_APPROVED).met
    assert SignOff.objects.get(project_id=project.pk).decision == decision


def test_versions_are_numbered_by_change(project, people):
    project = fill(project, people)
    submit(project, people)
    project_move(fresh(project), move=Move.RETURN_OBJECTIVE, by=people.supervisor, reason="unclear")
    submit(project, people)
    assert PlanVersion.objects.filter(project=project).count() == 1
    project_move(fresh(project), move=Move.RETURN_OBJECTIVE, by=people.supervisor, reason="unclear")
    write_plan(fresh(project), people, schedule="一月至三月")
    submit(project, people)
    assert [v.number for v in PlanVersion.objects.filter(project=project)] == [2, 1]


def test_a_review_of_the_earlier_content_does_not_count(project, people):
    project = fill(project, people)
    submit(project, people)
    review(project, people)
    decide(project, people, Decision.RETURNED)
    write_plan(fresh(project), people, schedule="一月至三月")
    submit(project, people)
    assert not evidence_state(fresh(project), Evidence.OBJECTIVE_REVIEWED).met
    with pytest.raises(Refused):
        project_move(fresh(project), move=Move.PASS_OBJECTIVE, by=people.supervisor)


def test_utility_targets_are_added_once_and_removed(project, people):
    by = people.planner
    services.sharing_choose(project, sharing_type=SharingType.CONTROLLED, by=by)
    project = fresh(project)
    services.utility_suggested_add(project, by=by)
    services.utility_suggested_add(project, by=by)
    assert [t.kind for t in utility_targets(project)] == ["rows_retained", "suppressed_cells"]
    (mean,) = utility_read([{"kind": "mean_change", "column": "费用", "bound": 0.05}])
    services.utility_add(project, target=mean, by=by)
    services.utility_remove(project, position=0, by=by)
    services.utility_remove(project, position=99, by=by)
    assert [t.kind for t in utility_targets(project)] == ["suppressed_cells", "mean_change"]


RISK = {"k": 5, "measure": "strict_average", "max_risk": 0.2, "average_risk": 0.05, "overall_threshold": 0.05}


@pytest.mark.parametrize(
    ("sharing_type", "changes", "field"),
    [
        ("controlled", {"max_risk": 0.1}, "max_risk"),
        ("controlled", {"k": 1}, "k"),
        ("controlled", {"k": "viele"}, "k"),
        ("controlled", {"average_risk": None}, "average_risk"),
        ("controlled", {"average_risk": 0.5}, "average_risk"),
        ("controlled", {"measure": "max"}, "average_risk"),
        ("controlled", {"strict_cap": 0.1}, "strict_cap"),
        ("controlled", {"context_risk": 0.3}, "context_reason"),
        ("controlled", {"overall_threshold": 0}, "overall_threshold"),
        ("controlled", {"overall_threshold": float("nan")}, "overall_threshold"),
        ("controlled", {"suppression_limit": 1.1}, "suppression_limit"),
        ("controlled", {"surprise": 1}, "surprise"),
        ("public", {}, "measure"),
        (
            "public",
            {"measure": "max", "average_risk": None, "context_risk": 0.3, "context_reason": "x"},
            "context_risk",
        ),
    ],
)
def test_targets_that_contradict_themselves_are_refused(sharing_type, changes, field):
    assert risk_read(RISK, "controlled").k == 5
    with pytest.raises(ValidationError) as error:
        risk_read({**RISK, **changes}, sharing_type)
    assert field in error.value.message_dict
    assert all(error.value.message_dict[field])


def test_a_cap_of_one_third_is_a_third():
    assert risk_read({**RISK, "strict_cap": 0.33}, "controlled").strict_cap == 1 / 3
    assert risk_read({**RISK, "k": 3, "max_risk": 0.333, "average_risk": 0.1}, "enclave").max_risk == 1 / 3


@pytest.mark.parametrize(
    ("k", "floor"), [(3, "0.3334"), (7, "0.1429"), (400, "0.0025"), (70_000, "0.00001429")]
)
def test_the_floor_that_a_refusal_names_is_one_that_passes(k, floor):
    with pytest.raises(ValidationError) as refused:
        risk_read({**RISK, "k": k, "max_risk": 1e-6, "average_risk": 1e-6}, "enclave")
    assert f"将最大风险提高到{floor}。" in str(refused.value)
    assert float(floor) >= 1 / k


def test_the_service_checks_the_sharing_type_again(project, people):
    services.sharing_choose(
        project, sharing_type=SharingType.PUBLIC, irrevocable_understood=True, by=people.planner
    )
    from pydantic_core import PydanticCustomError

    with pytest.raises(PydanticCustomError):
        services.risk_save(fresh(project), risk=risk_defaults("enclave"), by=people.planner)


@pytest.mark.parametrize("gone", [name for name, info in Scope.model_fields.items() if info.is_required()])
def test_every_factor_of_the_scope_is_needed(gone):
    with pytest.raises(ValidationError) as error:
        scope_read({name: value for name, value in SCOPE.items() if name != gone})
    assert list(error.value.message_dict) == [gone]
    empty = [] if isinstance(SCOPE[gone], list) else "   "
    with pytest.raises(ValidationError):
        scope_read({**SCOPE, gone: empty})


@pytest.mark.parametrize("rows", [{}, [1], [{"kind": "nothing"}], [{"kind": "mean_change", "bound": 2}]])
def test_utility_targets_that_cannot_be_read(rows):
    with pytest.raises(ValidationError):
        utility_read(rows)


def test_an_empty_section_is_refused():
    with pytest.raises(ValidationError) as error:
        plan_read({"purpose": "x"})
    assert len(error.value.message_dict) == 8


def test_facts_in_the_audit_log_hold_no_text_of_the_target(project, people):
    fill(project, people)
    log = repr(list(AuditEvent.objects.filter(project_id=project.pk).values_list("facts", "reason")))
    for text in (SCOPE["source"], FACTORS["protection"]):
        assert text not in log
