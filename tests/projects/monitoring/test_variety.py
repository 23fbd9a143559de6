"""What was promised of l and t is measured again on the released file, as the gate measured it."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils import timezone

from approvals.audit.recording import recording
from deid_portal.demo.story import Story
from projects.core.enums import SharingType
from projects.identification.models import ColumnVerdict
from projects.monitoring import events
from projects.monitoring.amendments.yardstick import Yardstick
from projects.monitoring.kinds import with_approved
from projects.objective.models import Objective
from projects.objective.targets.risk import RiskTargets, risk_defaults
from projects.verification.gate.checks.closeness import Closeness
from projects.verification.gate.checks.diversity import Diversity
from projects.verification.reports.gate import CheckResult
from projects.verification.selectors import latest_verification
from projects.workflow import State
from tests.projects.monitoring.steps import reported
from tests.projects.releases import stories

VARIETY = (Diversity.kind, Closeness.kind)


class BoundStory(Story):
    """The targets ask for l and t; the recipe is the one that is suggested for them."""

    def risk(self) -> RiskTargets:
        return RiskTargets(**super().risk().model_dump() | {"l": 2, "t": 0.5, "t_distance": "ordered"})


def START(people):
    story = BoundStory(vars(people), "Visits for a study", stories.data(), documents=False)
    story.reach(State.MONITORING)
    return story


def rows(stored):
    return [CheckResult.model_validate(one) for one in stored]


def variety(checks):
    return [check for check in checks if check["kind"] in VARIETY]


def ask(project, **changes) -> None:
    with recording(events.REASSESSMENT_MEASURING, by=None):
        objective = Objective.objects.get(project=project)
        objective.risk = RiskTargets(**objective.risk | changes).model_dump(mode="json")
        objective.save()


def test_l_and_t_are_measured_as_the_gate_measured_them(monitored, people):
    at_gate = variety(latest_verification(monitored.project).checks)
    assert {check["label"]["columns"] for check in at_gate} == {"诊断", "费用"}
    assert {check["kind"] for check in at_gate} == set(VARIETY)
    made = reported(monitored, people).measurement
    assert made["met"] is True
    assert variety(made["checks"]) == [
        {**check, "met": True, "approved": check["measured"]} for check in at_gate
    ]


def test_a_stricter_target_is_found_to_fail_beside_the_figure_at_approval(monitored, people, client):
    project = monitored.project
    before = {c["label"]["columns"]: c["measured"] for c in variety(latest_verification(project).checks)
              if c["kind"] == Diversity.kind}  # fmt: skip
    ask(project, l=1000, t=0.01)
    made = reported(monitored, people)
    assert made.measurement["met"] is False
    failing = [check for check in variety(made.measurement["checks"]) if not check["met"]]
    assert [(c["kind"], c["target"]) for c in failing] == [("diversity", 1000), ("closeness", 0.01)] * 2
    for check in failing:
        assert check["approved"] is not None
        if check["kind"] == Diversity.kind:
            assert check["measured"] == check["approved"] == before[check["label"]["columns"]]
    client.force_login(people.supervisor)
    path = reverse("monitoring:reassessment", kwargs={"project_id": project.pk, "reassessment_id": made.pk})
    page = client.get(path, headers={"accept-language": "en"}).content.decode()
    assert "At approval" in page
    assert "≥ 1,000" in page
    assert "Required of every sensitive attribute by the risk targets of step 1." in page
    check = made.measurement["checks"][0]
    del check["approved"]  # what was measured before these figures were kept still shows
    with recording(events.REASSESSMENT_MEASURING, by=None):
        made.save()
    assert client.get(path).status_code == 200


def test_without_a_verdict_nothing_is_said_of_the_classes(monitored, people):
    with recording(events.REASSESSMENT_MEASURING, by=None):
        ColumnVerdict.objects.filter(project=monitored.project, role="quasi").update(
            superseded_at=timezone.now()
        )
    made = reported(monitored, people).measurement
    found = variety(made["checks"])
    assert found
    assert {(check["passed"], check["met"], check["measured"]) for check in found} == {(None, False, None)}


@pytest.mark.parametrize(("table", "figure"), [("a", 3), ("b", 7), ("", None)])
def test_each_table_has_its_own_figure_at_approval(table, figure):
    label = {"message": "", "params": {}, "columns": "s"}
    approved = [
        {"kind": "diversity", "measure": "distinct", "label": label, "table": name, "target": bound, "measured": got}
        for name, bound, got in (("a", 2, 3), ("b", 2, 7))
    ]  # fmt: skip
    views = ({**label, "columns": columns} for columns in ("a + b", "c + d"))
    approved += [
        {"kind": "joined", "label": view, "target": 5, "measured": got}
        for view, got in zip(views, (9, 6), strict=True)
    ]
    again = {"kind": "diversity", "measure": "distinct", "label": label, "table": table, "target": 4}
    joined = {
        "kind": "joined",
        "label": {**label, "columns": "c + d"},
        "target": 5,
        "measured": 6,
        "passed": True,
    }
    targets = risk_defaults(SharingType.CONTROLLED)
    as_signed = Yardstick(targets, targets, None, {}, [])
    found = with_approved(rows([again, joined]), rows(approved), as_signed)
    assert [(one.approved, one.met) for one in found] == [(figure, False), (6, True)]
