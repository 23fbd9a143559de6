"""The surroundings are assessed by plain questions; the number goes into the target with where it comes from."""

from __future__ import annotations

import pytest
from django.db import IntegrityError
from django.urls import reverse
from django.utils import translation

from approvals.audit.models import AuditEvent
from approvals.audit.recording import recording
from approvals.governance.verdict import Refused
from projects.core.enums import SharingType
from projects.core.numbers import percent
from projects.core.sentences import as_read
from projects.objective import events
from projects.objective.models import ContextAssessment
from projects.objective.presentation import risk_rows
from projects.objective.selectors import risk_targets
from projects.objective.services import sharing_choose
from projects.objective.surroundings.context import assessments_of, context_assess, context_take
from techniques.core.messages import EngineError
from techniques.disclosure_risk.scales.environment import CONTROLS, MOTIVES
from techniques.disclosure_risk.scales.recovery import RECOVERY
from techniques.disclosure_risk.scales.safeguards import MANAGEMENT, TECHNICAL

pytestmark = pytest.mark.django_db
SOURCE = "卫生行业年度报告 2025"
ANSWERS = {
    "controls": {item.code: 1.0 if i < 8 else 0.5 if i == 8 else 0.0 for i, item in enumerate(CONTROLS)},
    "motives": {item.code: 0.5 for item in MOTIVES},
    "safeguards": {item.code: 1.0 for item in (*TECHNICAL, *MANAGEMENT)} | {"staff": 0.0, "audit": 0.5},
    "safeguards_source": "ISO/IEC 27001, 2025",
    "recovery": {item.code: 0.5 for item in RECOVERY} | {"means": 1.0},
    "recovery_source": "法务部意见 2025-11",
    "prevalence": 0.0001,
    "prevalence_source": "Health survey 2024",
    "breach": 0.05,
    "breach_source": SOURCE,
}


@pytest.fixture
def controlled(project, people):
    sharing_choose(project, sharing_type=SharingType.CONTROLLED, by=people.planner)
    project.refresh_from_db()
    return project


def url(project, name="context"):
    return reverse(f"objective:{name}", kwargs={"project_id": project.pk})


def entries():
    return {
        **{f"control-{code}": f"{value:g}" for code, value in ANSWERS["controls"].items()},
        **{f"motive-{code}": f"{value:g}" for code, value in ANSWERS["motives"].items()},
        **{f"safeguard-{code}": f"{value:g}" for code, value in ANSWERS["safeguards"].items()},
        **{f"recovery-{code}": f"{value:g}" for code, value in ANSWERS["recovery"].items()},
        **{
            name: ANSWERS[name]
            for name in (
                "prevalence",
                "prevalence_source",
                "breach",
                "breach_source",
                "safeguards_source",
                "recovery_source",
            )
        },
        "acquaintances": 150,
    }


def test_answers_are_computed_kept_and_taken_into_the_target(client, controlled, people):
    client.force_login(people.planner)
    assert client.get(url(controlled)).status_code == 200
    assert client.post(url(controlled), entries()).status_code == 302
    made = assessments_of(controlled).get()
    assert (made.finding["controls"], made.finding["motive"]) == ("medium", "medium")
    assert (made.finding["value"], made.finding["decisive"], made.finding["k"]) == (0.3, "deliberate", 6)
    page = client.get(url(controlled)).content.decode()
    assert "30 %" in page
    assert SOURCE in page
    assert "每10,000人中有一人具有该特征（Health survey 2024）" in page
    assert page.count("B.1.4.2 b)") >= 3

    assert client.post(url(controlled, "context_take")).url == url(controlled, "risk")
    controlled.refresh_from_db()
    targets = risk_targets(type(controlled).objects.get(pk=controlled.pk))
    assert targets.context_risk == 0.3
    assert SOURCE in targets.context_reason
    made.refresh_from_db()
    assert made.taken_by == people.planner
    actions = set(AuditEvent.objects.values_list("action", flat=True))
    assert {"context.assessed", "context.taken", "objective.part"} <= actions


@pytest.mark.parametrize("prevalence", [0.0001, 0.01])
def test_the_reason_has_the_figures_of_these_answers_and_is_read_in_either_language(
    controlled, people, prevalence
):
    with translation.override("en"):
        context_assess(controlled, answers=ANSWERS | {"prevalence": prevalence}, by=people.planner)
        context_take(controlled, by=people.planner)
    said = risk_targets(controlled).context_reason
    # Of 150 acquaintances at least one is in the data.
    acquaintance = percent(1 - (1 - prevalence) ** 150)
    assert said == (
        f"Assessment no. 1 by {people.planner}: deliberate attempt 30 % (controls Medium, motive Medium), acquaintance "
        f"{acquaintance}, breach 5 % ({SOURCE}); the largest counts."
    )
    with translation.override("en"):
        assert as_read(said) == said
    assert as_read(said).startswith(f"评估第1号（{people.planner}）")
    assert acquaintance in as_read(said)


def test_the_page_names_the_grounds_on_which_recovery_is_beyond_reasonable_effort(client, controlled, people):
    client.force_login(people.planner)
    client.post(url(controlled), entries())
    assert assessments_of(controlled).get().finding["recovery"] == {"grounds": ["means"], "beyond": True}
    page = client.get(url(controlled), headers={"accept-language": "en"}).content.decode()
    assert page.count("No lawful means lead back to persons") == 2, "as the question, and as the ground"
    assert page.count("would take an unreasonable time") == 1
    assert ANSWERS["recovery_source"] in page
    client.post(url(controlled), entries() | {"recovery-means": "0.5"})
    page = client.get(url(controlled), headers={"accept-language": "en"}).content.decode()
    assert "No ground is met in full" in page
    made = assessments_of(controlled).first()
    before = {
        "answers": {name: said for name, said in made.answers.items() if not name.startswith("recovery")},
        "finding": {name: said for name, said in made.finding.items() if name != "recovery"},
    }
    with recording(events.CONTEXT_ASSESSED, by=people.planner, project_id=controlled.pk, value=0.3) as event:
        ContextAssessment.objects.create(
            project=controlled,
            number=made.number + 1,
            content_hash="0" * 64,
            made_by=people.planner,
            **before,
        )
        event.subject = made.subject
    page = client.get(url(controlled), headers={"accept-language": "en"}).content.decode()
    assert "had not yet been asked about when this assessment was made" in page


def test_a_probability_of_one_that_was_assessed_is_not_called_unassessed(controlled):
    risk = risk_targets(controlled)
    assert risk.context_risk == 1
    for reason, said in (("", "Not assessed"), ("assessment 1 says so", "assessment 1 says so")):
        with translation.override("en"):
            rows = risk_rows(risk.model_copy(update={"context_reason": reason}), "controlled")
        (row,) = (row for row in rows if row["key"] == "context_risk")
        assert said in row["why"]


def test_the_same_answers_add_nothing_and_a_missing_one_is_said(client, controlled, people):
    first = context_assess(controlled, answers=ANSWERS, by=people.planner)
    assert context_assess(controlled, answers=ANSWERS, by=people.planner) == first
    with pytest.raises(EngineError):
        context_assess(controlled, answers={**ANSWERS, "motives": {}}, by=people.planner)
    client.force_login(people.planner)
    answer = client.post(url(controlled), {**entries(), "breach_source": "", "control-training": ""})
    assert answer.status_code == 422
    assert assessments_of(controlled).count() == 1


def test_only_who_writes_the_target_and_never_for_public_data(client, controlled, people):
    for role in ("supervisor", "management", "auditor"):
        with pytest.raises(Refused):
            context_assess(controlled, answers=ANSWERS, by=getattr(people, role))
        client.force_login(getattr(people, role))
        assert client.get(url(controlled)).status_code == 200
        assert client.post(url(controlled, "context_take")).status_code == 403
    client.force_login(people.outsider)
    assert client.get(url(controlled)).status_code == 404
    with pytest.raises(Refused) as refused:
        context_take(controlled, by=people.planner)
    assert refused.value.verdict.code == "no_assessment"
    made = context_assess(controlled, answers=ANSWERS, by=people.planner)
    with (
        pytest.raises(IntegrityError),
        recording(events.CONTEXT_TAKEN, by=people.planner, subject=made.subject, value=1),
    ):
        ContextAssessment.objects.filter(pk=made.pk).update(taken_by=people.planner)


def test_public_data_has_no_surroundings_to_judge(client, project, people):
    sharing_choose(project, sharing_type=SharingType.PUBLIC, irrevocable_understood=True, by=people.planner)
    project.refresh_from_db()
    with pytest.raises(Refused) as refused:
        context_assess(project, answers=ANSWERS, by=people.planner)
    assert refused.value.verdict.code == "public_context"
    client.force_login(people.planner)
    assert client.get(url(project)).status_code == 200
