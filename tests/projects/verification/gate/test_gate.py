"""The gate fails closed: what must never be green is not."""

from __future__ import annotations

import json
from dataclasses import replace

import pyarrow.compute as pc
import pytest
from django.db.models import Value
from django.urls import reverse

from approvals.audit.models import AuditEvent
from approvals.governance.verdict import Refused
from deid_portal.organisation.grading.policy import any_version
from projects.core.evidence import evidence_state
from projects.core.selectors import reads_along
from projects.core.services import project_move
from projects.datasets.tables.selectors import first_table
from projects.identification.enums import ColumnRole
from projects.identification.selectors import verdicts_of
from projects.impact.selectors import House
from projects.jobs.models import Job
from projects.jobs.services import job_cancel, job_run
from projects.verification.models import Verification
from projects.verification.presentation import gate_rows, residual_rows, statements
from projects.verification.selectors import current_verification, latest_verification
from projects.verification.services import verification_start
from projects.verification.sign_off.answer import answer_of
from projects.workflow import Evidence, Move, State
from tests.projects.verification.stories import HIDDEN, ROWS, SmallStory, flip_a_byte, measurable, remove

START = measurable

pytestmark = pytest.mark.django_db


def measured(people, **wrong):
    story = SmallStory(people, **wrong)
    story.reach(State.VERIFICATION)
    return story, story.measure()


def outcome(verification, kind):
    return [check["passed"] for check in verification.checks if check["kind"] == kind]


def assert_shut(story, verification):
    project = story.fresh()
    assert verification.passed is not True
    assert not evidence_state(project, Evidence.GATE_PASSED).met
    assert answer_of(project, latest_verification(project)).tone != "ok"
    with pytest.raises(Refused):
        project_move(project, move=Move.SUBMIT_VERIFICATION, by=story.people["executor"])


def test_a_sound_result_passes_every_check(story):
    verification = story.measure()
    assert verification.passed is True, gate_rows(verification.results)
    assert {check["passed"] for check in verification.checks} == {True}
    assert answer_of(story.fresh(), verification).code == "passed"
    # The pseudonyms differ in every row and are no finding.
    assert not [row for row in residual_rows(verification.measurement.report) if row.column == "病历号"]
    report = verification.report
    assert report["risk"]["k"] >= 5
    assert report["risk"]["before"]["k"] < report["risk"]["k"]
    assert report["level"]["level"] == 3
    assert report["degree"]["passed"] is True
    assert report["residual"]["coverage"] == 1.0


def test_an_id_number_inside_free_text_shuts_the_gate(people):
    story, verification = measured(people, hide=True)
    assert outcome(verification, "residual") == [False]
    found = next(row for row in residual_rows(verification.measurement.report) if row.column == "备注")
    assert found.blocks
    assert found.first_rows
    assert len(HIDDEN) == int(found.rows)
    assert verification.report["level"]["level"] == 1
    remedies = next(row for row in gate_rows(verification.results) if row.kind == "residual").remedies
    assert any("备注" in one.text for one in remedies)
    assert_shut(story, verification)


def test_a_row_number_column_shuts_the_gate(people):
    roles = {"序号": (ColumnRole.OTHER, "")}
    story, verification = measured(people, roles=roles)
    assert outcome(verification, "residual") == [False]
    assert [row.column for row in residual_rows(verification.measurement.report) if row.blocks] == ["序号"]
    assert_shut(story, verification)


def test_a_utility_target_without_its_column_could_not_run(people):
    story, verification = measured(people, change=lambda content: remove(content, "费用"))
    assert None in outcome(verification, "utility")
    assert verification.passed is False
    row = next(row for row in gate_rows(verification.results) if row.passed is None)
    assert row.plain
    assert not row.measured
    assert_shut(story, verification)


def test_a_file_that_was_altered_is_found_out(story):
    assert story.measure().passed is True
    flip_a_byte(story.project)
    verification = story.measure()
    assert outcome(verification, "integrity") == [False]
    assert outcome(verification, "residual") == [None]
    assert outcome(verification, "k") == [None]
    assert verification.report["level"]["level"] is None
    assert_shut(story, verification)


def test_a_broken_off_measurement_takes_the_green_away(story, people):
    assert story.measure().passed is True
    verification, job = verification_start(story.fresh(), by=people.executor)
    assert answer_of(story.fresh(), verification).code == "under_way"
    assert current_verification(story.fresh()) is None
    job_cancel(Job.objects.get(pk=job.pk), by=people.executor)
    verification.refresh_from_db()
    assert verification.ended_at is not None
    assert answer_of(story.fresh(), verification).code == "broken_off"
    assert_shut(story, verification)
    assert story.measure().passed is True
    assert evidence_state(story.fresh(), Evidence.GATE_PASSED).met


def test_targets_that_change_after_the_measurement_outdate_it(story):
    from projects.objective.models import Objective

    verification = story.measure()
    objective = Objective.objects.get(project=story.project)
    objective.risk = {**objective.risk, "k": 6}
    with_governance(objective)
    project = story.fresh()
    assert current_verification(project) is None
    assert not evidence_state(project, Evidence.GATE_PASSED).met
    found = answer_of(project, latest_verification(project))
    assert (found.code, found.tone) == ("outdated", "unknown")
    assert verification.passed is True


def test_targets_that_change_while_the_job_waits_break_the_measurement_off(story, people):
    """And it does not come back to life when they are changed back."""
    from projects.objective.models import Objective

    verification, job = verification_start(story.fresh(), by=people.executor)
    objective = Objective.objects.get(project=story.project)
    strict, objective.risk = objective.risk, {**objective.risk, "k": 2}
    with_governance(objective)
    assert job_run(job.pk).error_code == "verification.outdated"
    objective.risk = strict
    with_governance(objective)
    verification.refresh_from_db()
    assert_shut(story, verification)


def test_verdicts_that_change_while_the_job_waits_break_the_measurement_off(story, people):
    verification, job = verification_start(story.fresh(), by=people.executor)
    verdict = verdicts_of(first_table(story.fresh()))["年龄"]
    strict, verdict.role = verdict.role, ColumnRole.OTHER
    with_governance(verdict)
    assert job_run(job.pk).error_code == "verification.outdated"
    verdict.role = strict
    with_governance(verdict)
    verification.refresh_from_db()
    assert_shut(story, verification)


def with_governance(row):
    """Save as the service of the target would; the change itself is what this test is about."""
    from approvals.audit.recording import recording
    from projects.verification import events

    with recording(
        events.VERIFICATION_STARTED, by=None, subject=row.project.subject, project_id=row.project_id
    ):
        row.save()


def test_a_new_recipe_outdates_it_and_the_history_stays(story, people):
    first = story.measure()
    project_move(
        story.fresh(), move=Move.BACK_TO_PROCESSING, by=people.executor, reason="another way is tried"
    )
    story.change = lambda content: remove(content, "备注")
    story.fresh()
    story.write_recipe()
    assert answer_of(story.fresh(), first).code == "outdated"
    assert current_verification(story.fresh()) is None
    assert list(Verification.objects.filter(project=story.project)) == [first]


def test_no_raw_value_is_kept_or_logged(people):
    story, verification = measured(people, hide=True)
    kept = json.dumps([verification.checks, verification.report], ensure_ascii=False)
    log = json.dumps(
        list(AuditEvent.objects.values_list("subject", "reason", "facts")), ensure_ascii=False, default=str
    )
    for value in story.secret:
        assert value not in kept
        assert value not in log


def test_a_column_of_names_that_stays_shuts_the_gate(people):
    story, verification = measured(
        people,
        roles={"姓名": (ColumnRole.SENSITIVE, "person_name")},
        change=None,
    )
    assert outcome(verification, "residual") == [False]
    assert_shut(story, verification)


def encrypted(content):
    """Record numbers keep their format, under encryption."""
    step = next(s for s in content["steps"] if s["technique"] == "pseudonymization.keyed_hash")
    step["technique"], step["parameters"] = "encryption.format_preserving", {"alphabet": "upper36"}


def test_what_keeps_its_format_is_proven_to_be_no_original(people):
    _story, verification = measured(people, change=encrypted)
    assert outcome(verification, "residual") == [True], gate_rows(verification.results)
    found = next(row for row in residual_rows(verification.measurement.report) if row.column == "病历号")
    assert not found.blocks
    check = next(check for check in verification.checks if check["kind"] == "residual")
    said = next(text for text in check["details"] if text["params"].get("column") == "病历号")
    assert said["params"]["originals"] == ROWS
    assert said["params"]["survivors"] == 0


def test_what_keeps_its_format_and_leaves_an_original_shuts_the_gate(people, monkeypatch):
    from techniques.families.encryption.format_preserving import FormatPreserving

    def weak(self, values):
        made = encrypt(self, values)
        return replace(made, values=pc.if_else(pc.equal(values, values[0]), values, made.values))

    encrypt = FormatPreserving.apply
    monkeypatch.setattr(FormatPreserving, "apply", weak)
    story, verification = measured(people, change=encrypted)
    assert outcome(verification, "residual") == [False]
    assert_shut(story, verification)


def sampled(content):
    """Half of the rows, drawn by lot."""
    content["steps"].insert(
        0, {"technique": "statistical.sampling", "columns": ["性别"], "parameters": {"fraction": 0.5}}
    )


def test_a_sample_hands_its_fraction_to_the_risk_measures(people):
    _story, verification = measured(people, change=sampled)
    risk = verification.report["risk"]
    assert risk["sample"]["fraction"] == 0.5
    assert risk["sample"]["journalist"]["max_risk"] < 1 / risk["k"]
    assert {"sample", "journalist", "population_uniques"} <= {item["code"] for item in risk["statements"]}
    assert any("50" in line for line in statements(verification.measurement.report))
    # What was not drawn is not suppressed.
    check = next(check for check in verification.checks if check["kind"] == "suppression")
    assert check["passed"] is True
    assert check["plain"]["params"]["left"] == ROWS / 2
    assert outcome(verification, "residual") == [True]


def test_measured_and_submitted_in_one_act_only_where_nothing_else_is_missing(people, client, monkeypatch):
    """A measurement that passes and is not submitted would have promised what it could not keep."""
    story = SmallStory(people)
    story.reach(State.VERIFICATION)
    project = story.fresh()
    page = reverse("verification:page", kwargs={"project_id": project.pk})
    client.force_login(people.executor)
    english = {"accept-language": "en"}
    offered = "Measure, and submit if every check passes"
    assert offered in client.get(page, headers=english).content.decode()
    reads_along("impact_rules", Value(True))
    monkeypatch.setattr("projects.impact.selectors._house", lambda _project: House(holds=True))
    try:
        shown = client.get(page, headers=english).content.decode()
        assert offered not in shown
        assert "Measure the result" in shown
        assert "It cannot be submitted in the same act yet." in shown
        assert "A concluded impact assessment" in shown
    finally:
        reads_along("impact_rules", any_version())
