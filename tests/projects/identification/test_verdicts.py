"""Verdicts: who, when, with which reason; history, hashes, and what a new scan does to them."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils import translation

from approvals.audit.models import AuditEvent
from approvals.decisions.selectors import passed_review
from approvals.decisions.services import review_record
from approvals.governance.governed import GovernanceBypassed
from approvals.governance.verdict import Refused
from projects.core.evidence import content_of, evidence_state
from projects.core.services import project_move
from projects.datasets.tables.selectors import first_table
from projects.identification import selectors, wording
from projects.identification.enums import ColumnRole
from projects.identification.models import ColumnVerdict
from projects.identification.presentation import overrides_of
from projects.identification.reports import columns_of
from projects.identification.services import (
    Given,
    accepted,
    earlier_confirm,
    suggestions_accept,
    verdict_give,
    verdicts_give,
)
from projects.workflow import Evidence, Move, Stage

from .conftest import ROLES, at_verdicts, make_table

START = at_verdicts
REASON = "as agreed with the clinic"


def refused(code: str):
    return pytest.raises(Refused, match=f"^{code}$")


def test_selectors_for_later_stages(judged, ready_project):
    assert list(selectors.verdicts_of(first_table(ready_project))) == list(ROLES)
    assert selectors.columns_with_role(first_table(ready_project), "quasi") == ["性别", "科室"]
    assert selectors.columns_with_role(first_table(ready_project), ColumnRole.SENSITIVE) == ["诊断"]
    assert selectors.columns_with_role(first_table(ready_project), "quasi_identifier") == ["性别", "科室"]
    assert len(selectors.verdicts_hash(ready_project)) == 64
    assert selectors.columns_without_verdict(first_table(ready_project)) == []


def test_no_verdict_before_the_scan(ready_project, upload, table, people):
    upload(table)
    assert selectors.verdicts_of(first_table(ready_project)) == {}
    assert selectors.verdicts_hash(ready_project) == ""
    assert selectors.columns_without_verdict(first_table(ready_project)) == table.columns
    assert content_of(ready_project, Stage.IDENTIFICATION) is None
    assert not evidence_state(ready_project, Evidence.VERDICTS_COMPLETE).met


def test_evidence_names_the_missing_columns(scanned, ready_project, people):
    state = evidence_state(ready_project, Evidence.VERDICTS_COMPLETE)
    assert "身份证号" in str(state.missing[0])
    verdicts_give(
        scanned, [Given(c, r, reason=REASON) for c, r in list(ROLES.items())[:-1]], by=people.executor
    )
    (missing,) = evidence_state(ready_project, Evidence.VERDICTS_COMPLETE).missing
    assert "备注" in str(missing)
    assert "身份证号" not in str(missing)
    verdict_give(scanned, Given("备注", "direct", reason=REASON), by=people.executor)
    assert evidence_state(ready_project, Evidence.VERDICTS_COMPLETE).met


@pytest.mark.parametrize(
    "who",
    ["planner", "supervisor", "management", "recipient", "auditor", "assessor", "outsider", "superuser"],
)
def test_only_the_executor_judges(scanned, people, who):
    with pytest.raises(Refused):
        verdict_give(scanned, Given("性别", "quasi", reason=REASON), by=getattr(people, who))
    with pytest.raises(Refused):
        suggestions_accept(scanned, reason=REASON, by=getattr(people, who))
    assert not ColumnVerdict.objects.exists()


def test_not_after_submission(judged, ready_project, people):
    project_move(ready_project, move=Move.SUBMIT_IDENTIFICATION, by=people.executor)
    with refused("wrong_state"):
        verdict_give(judged, Given("性别", "other", reason=REASON), by=people.executor)
    assert selectors.columns_with_role(first_table(ready_project), "quasi") == ["性别", "科室"]


@pytest.mark.parametrize(
    ("given", "code"),
    [
        (Given("性别", "", reason=REASON), "unknown_role"),
        (Given("性别", "boss", reason=REASON), "unknown_role"),
        (Given("性别", "quasi", reason="  "), "reason_needed"),
        (Given("性别", "quasi", kind="nothing", reason=REASON), "unknown_kind"),
        (Given("性別", "quasi", reason=REASON), "no_such_column"),
        (Given("性别", "quasi", reason=REASON, severity="high"), "severity_elsewhere"),
        (Given("诊断", "sensitive", reason=REASON, severity="awful"), "severity_elsewhere"),
        (Given("备注", "other", reason="只是备注"), "long_reason_needed"),
        (Given("备注", "sensitive", reason="只是备注"), "long_reason_needed"),
    ],
)
def test_what_is_no_verdict(scanned, people, given, code):
    with refused(code):
        verdicts_give(scanned, [Given("科室", "quasi", reason=REASON), given], by=people.executor)
    assert not ColumnVerdict.objects.exists()
    assert not AuditEvent.objects.filter(action="identification.verdict_given").exists()


def test_the_harm_of_a_sensitive_attribute_is_part_of_the_verdict(client, judged, ready_project, people):
    table = first_table(ready_project)
    before = selectors.verdicts_hash(ready_project)
    unchanged = selectors.verdicts_of(table)["诊断"]
    client.force_login(people.executor)
    address = reverse("api:identification-verdicts", args=[ready_project.pk])
    assert all("severity" not in row for row in client.get(address).json())
    given = {"column": "诊断", "role": "sensitive", "severity": "high", "reason": unchanged.reason}
    body = {"round": str(judged.pk), "verdicts": [given | {"kind": unchanged.kind}]}
    (row,) = client.put(address, body, content_type="application/json").json()
    assert row["severity"] == "high"
    assert selectors.verdicts_hash(ready_project) != before
    assert AuditEvent.objects.get(action="identification.verdict_changed").facts["severity"] == "high"
    page = client.get(
        reverse("identification:page", args=[ready_project.pk]), headers={"accept-language": "en"}
    )
    assert "Great harm" in page.content.decode()
    client.force_login(people.recipient)
    assert client.put(address, body, content_type="application/json").status_code == 404


def test_a_finding_is_overruled_only_with_a_longer_reason_and_stays_visible(scanned, people):
    reason = "The remark is dropped from the table before anything is shared."
    row = verdict_give(scanned, Given("备注", "other", kind="free_text", reason=reason), by=people.executor)
    assert row.overrules == [{"kind": "id_number", "rows": 3}]
    event = AuditEvent.objects.get(action="identification.finding_overruled")
    assert event.facts["overruled"] == "id_number"
    assert event.reason == reason


def test_what_speaks_for_a_finding_does_not_argue_against_it(scanned, people, ready_project):
    """Accept the suggestion, then lower the verdict and leave the reason that stands in the form."""
    report = columns_of(scanned)["身份证号"]
    row = verdict_give(
        scanned, accepted(report, "as in the data dictionary of the clinic"), by=people.executor
    )
    suggested = wording.recorded(report)
    with translation.override("zh-hans"):
        in_chinese = wording.recorded(report)
    for reason in (row.reason, suggested, in_chinese, f"{suggested} ok", f"{in_chinese}（{row.reason}）"):
        with pytest.raises(Refused, match="own_reason_needed"):
            verdict_give(scanned, Given("身份证号", "quasi", "id_number", reason), by=people.executor)
    own = "Only its first six digits stay: the region, which the study is about."
    verdict_give(scanned, Given("身份证号", "quasi", "id_number", own), by=people.executor)
    (shown,) = overrides_of(ready_project)
    assert (shown.column, shown.reason, shown.by) == ("身份证号", own, str(people.executor))
    # The verdict that stands may be given again as it is.
    verdict_give(scanned, Given("身份证号", "quasi", "id_number", own), by=people.executor)


def test_history_stays_and_provenance_per_method_is_kept(scanned, people, ready_project):
    first = verdict_give(scanned, Given("性别", "other", reason="no need"), by=people.executor)
    second = verdict_give(scanned, Given("性别", "quasi", reason="known to others"), by=people.executor)
    third = verdict_give(scanned, Given("性别", "quasi", reason="known to others"), by=people.executor)
    assert third.pk == second.pk
    first.refresh_from_db()
    assert first.superseded_at is not None
    assert list(selectors.verdict_history(first_table(ready_project), "性别")) == [second, first]
    assert set(second.provenance) == {"lookup", "rules", "suggestion"}
    assert second.provenance["lookup"]["kind"] == "gender"
    changed = AuditEvent.objects.get(action="identification.verdict_changed")
    assert (changed.facts["old_role"], changed.facts["role"]) == ("other", "quasi")


def test_verdicts_are_written_by_services_only(scanned, people):
    verdict_give(scanned, Given("性别", "quasi", reason=REASON), by=people.executor)
    with pytest.raises(GovernanceBypassed):
        ColumnVerdict.objects.update(role="other")
    with pytest.raises(GovernanceBypassed):
        ColumnVerdict.objects.first().delete()


def test_accepting_is_an_explicit_verdict_with_a_reason(scanned, people):
    report = columns_of(scanned)["身份证号"]
    row = verdict_give(scanned, accepted(report), by=people.executor)
    assert (row.role, row.kind, row.accepted) == ("direct", "id_number", True)
    assert row.decided_by == people.executor
    assert "400" in row.reason


def test_accepting_all_sure_ones_leaves_the_rest(scanned, people, ready_project):
    verdict_give(scanned, Given("患者姓名", "direct", reason="mine"), by=people.executor)
    with refused("reason_needed"):
        suggestions_accept(scanned, reason=" ", by=people.executor)
    written = suggestions_accept(scanned, reason="data dictionary checked", by=people.executor)
    sure = [c for c, r in columns_of(scanned).items() if r.suggestion and r.suggestion.is_sure]
    assert [row.column for row in written] == [c for c in sure if c != "患者姓名"]
    assert all(row.accepted and row.reason.startswith("data dictionary checked") for row in written)
    assert selectors.verdicts_of(first_table(ready_project))["患者姓名"].reason == "mine"
    acts = AuditEvent.objects.filter(action="identification.verdict_given", facts__accepted=True)
    assert len({event.act for event in acts}) == 1
    with refused("nothing_to_accept"):
        suggestions_accept(scanned, reason="again", by=people.executor)


def test_the_hash_covers_every_verdict_the_report_and_the_data(judged, ready_project, people, scan):
    before = selectors.verdicts_hash(ready_project)
    verdict_give(judged, Given("性别", "quasi", reason="another reason"), by=people.executor)
    reworded = selectors.verdicts_hash(ready_project)
    verdict_give(judged, Given("性别", "quasi", kind="gender", reason="another reason"), by=people.executor)
    kinded = selectors.verdicts_hash(ready_project)
    scan()
    assert len({before, reworded, kinded, selectors.verdicts_hash(ready_project)}) == 4


def test_a_changed_verdict_lapses_the_review(judged, ready_project, people):
    project_move(ready_project, move=Move.SUBMIT_IDENTIFICATION, by=people.executor)
    content = content_of(ready_project, Stage.IDENTIFICATION)
    from django.utils import timezone

    review_record(
        project_id=ready_project.pk, stage=Stage.IDENTIFICATION, subject=content, object="o", time=timezone.now(),
        process="p", result="r", measures="m", outcome="passed", submitted_by=people.executor, by=people.supervisor,
    )  # fmt: skip
    ready_project.refresh_from_db()
    assert evidence_state(ready_project, Evidence.IDENTIFICATION_REVIEWED).met
    project_move(ready_project, move=Move.PASS_IDENTIFICATION, by=people.supervisor)
    project_move(ready_project, move=Move.BACK_TO_IDENTIFICATION, by=people.executor, reason="mistake")
    ready_project.refresh_from_db()
    verdict_give(judged, Given("科室", "other", reason="public knowledge"), by=people.executor)
    assert not evidence_state(ready_project, Evidence.IDENTIFICATION_REVIEWED).met
    now = content_of(ready_project, Stage.IDENTIFICATION)
    assert not passed_review(ready_project.pk, stage=Stage.IDENTIFICATION, content_hash=now.hash)


def test_a_new_scan_asks_for_every_verdict_again(judged, ready_project, people, scan):
    again = scan()
    assert selectors.verdicts_of(first_table(ready_project)) == {}
    assert list(selectors.earlier_verdicts(again)) == list(ROLES)
    with refused("old_round"):
        verdict_give(judged, Given("性别", "quasi", reason=REASON), by=people.executor)
    with refused("reason_needed"):
        earlier_confirm(again, reason="", by=people.executor)
    written = earlier_confirm(again, reason="same data", by=people.executor)
    assert {row.column: row.role for row in written} == ROLES
    assert all(row.decided_by == people.executor for row in written)
    assert ColumnVerdict.objects.filter(round=judged, superseded_at=None).count() == len(ROLES)


def test_a_new_data_set_proposes_only_where_nothing_new_was_found(upload, scan, people, ready_project):
    upload(make_table(hide=False))
    first = scan()
    verdicts_give(
        first,
        [Given(c, "other" if c == "备注" else r, reason="as found and as agreed") for c, r in ROLES.items()],
        by=people.executor,
    )
    before = selectors.verdicts_hash(ready_project)
    upload(make_table(seed=2))
    assert selectors.verdicts_hash(ready_project) == ""
    second = scan()
    written = earlier_confirm(second, reason="same clinic", by=people.executor)
    assert [row.column for row in written] == [column for column in ROLES if column != "备注"]
    assert selectors.columns_without_verdict(first_table(ready_project)) == ["备注"]
    assert selectors.verdicts_hash(ready_project) not in ("", before)
