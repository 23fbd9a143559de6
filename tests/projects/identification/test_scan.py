"""The scan: whole columns, hidden identifiers, order of the methods, nothing of the data in what is kept."""

from __future__ import annotations

import json
from dataclasses import replace

import pyarrow as pa
import pytest
from django.apps import apps
from django.db import IntegrityError, connection, transaction

from approvals.audit.models import AuditEvent
from approvals.governance.verdict import Refused
from deid_portal.organisation import services as organisation
from projects.datasets.tables.selectors import first_table
from projects.identification import scanning, selectors, services
from projects.identification.enums import ColumnRole, Method
from projects.identification.links.search import values_search
from projects.identification.models import IdentificationRound, MethodPart
from projects.identification.reports import columns_of
from projects.jobs.selectors import latest_job
from projects.jobs.services import job_cancel, job_run
from projects.vault.custody.routing import APP as CUSTODY
from techniques.core.messages import EngineError
from techniques.tables.dictionary import dictionary_encode

from .conftest import HIDDEN_ROWS, ROWS, Table


def test_id_numbers_hidden_below_an_empty_head_are_found(scanned):
    report = columns_of(scanned)["备注"]
    found = next(f for f in report.findings if f.kind == "id_number")
    assert (found.hits, found.substring_hits, found.checked_hits) == (0, 3, 3)
    assert found.first_rows == HIDDEN_ROWS
    assert found.is_strong
    assert report.suggestion.role == ColumnRole.DIRECT
    assert report.missing > 100


def test_every_row_of_every_column_was_read(scanned, table):
    reports = columns_of(scanned)
    assert scanned.report["coverage"] == 1.0
    assert scanned.report["rows"] == ROWS
    assert list(reports) == table.columns
    assert {report.rows for report in reports.values()} == {ROWS}
    whole = next(f for f in reports["身份证号"].findings if f.kind == "id_number")
    assert (whole.hits, whole.checked_hits) == (ROWS, ROWS)
    assert any(f.kind == "row_number" for f in reports["序号"].findings)


def test_suggestions(scanned):
    roles = {c: r.suggestion.role if r.suggestion else None for c, r in columns_of(scanned).items()}
    assert roles["身份证号"] == roles["患者姓名"] == roles["序号"] == roles["备注"] == ColumnRole.DIRECT
    assert roles["性别"] == ColumnRole.QUASI
    assert roles["诊断"] == ColumnRole.SENSITIVE


def test_what_is_written_in_several_ways_is_kept_with_the_scan(upload, scan, table):
    upload(table)
    before = scan()
    assert not [one for one in before.report["columns"] if "spellings" in one["scan"]]
    lines = table.content.decode().splitlines()
    mixed = [f"{line},{'2024-03-01' if n % 2 else '2024/3/1'}" for n, line in enumerate(lines[1:])]
    upload(replace(table, content="\n".join([lines[0] + ",就诊日期", *mixed]).encode()))
    found = {one["column"]: one["scan"].get("spellings") for one in scan().report["columns"]}
    assert found.pop("就诊日期") == {"width": True, "blanks": "keep", "dates": True}
    assert set(found.values()) == {None}


def test_the_organisations_table_is_what_is_looked_up(upload, scan, table, people):
    upload(table)
    organisation.entry_add(
        name="科别", meaning="m", format="f", data_types=[], field_names=["科室x", "内部科别"],
        role=ColumnRole.QUASI, reason="x", by=people.planner,
    )  # fmt: skip
    assert scan().report["methods"][0]["version"] == "2"


def test_values_of_a_form_of_the_organisation_are_found_whatever_their_column_is_called(
    upload, scan, table, people
):
    lines = table.content.decode().splitlines()
    with_badges = [
        lines[0] + ",栏",
        *(f"{line},EMP-{n * 7919 % 100_003:06}" for n, line in enumerate(lines[1:])),
    ]
    upload(replace(table, content="\n".join(with_badges).encode()))
    before = scan()
    assert (
        columns_of(before)["栏"].suggestion is None or columns_of(before)["栏"].suggestion.kind != "own_badge"
    )
    entry = organisation.entry_add(
        name="工牌", meaning="m", format="f", data_types=[], field_names=["badge"], role=ColumnRole.QUASI,
        value_form="EMP-[0-9]{6}", reason="x", by=people.planner,
    )  # fmt: skip
    found = scan()
    one = columns_of(found)["栏"]
    assert (one.suggestion.kind, one.suggestion.role) == (entry.kind, ColumnRole.QUASI)
    assert next(f for f in one.findings if f.kind == entry.kind).hits == ROWS
    versions = [method["version"] for method in found.report["methods"]]
    assert versions == ["2", before.report["methods"][1]["version"] + "-2"]


def test_order_of_the_methods_is_enforced(ready_project, upload, table, people):
    upload(table)
    round_ = services.scan_start(first_table(ready_project), by=people.executor)
    with pytest.raises(EngineError) as error:
        scanning.method_run(round_, Method.RULES, lambda share: None)
    assert error.value.code == "identification.order"
    scanning.method_run(round_, Method.LOOKUP, lambda share: None)
    shares: list[float] = []
    scanning.method_run(round_, Method.RULES, shares.append)
    # One way through all rows, then another through those of the likely keys: the share only rises, to the whole.
    assert shares == sorted(shares)
    assert shares[0] < shares[-1] == 1.0
    lookup, rules = MethodPart.objects.filter(round=round_)
    assert (lookup.method, rules.method) == ("lookup", "rules")
    assert lookup.finished_at <= rules.started_at


def shares_of_rules(project, people) -> list[float]:
    round_ = services.scan_start(first_table(project), by=people.executor)
    scanning.method_run(round_, Method.LOOKUP, lambda share: None)
    shares: list[float] = []
    scanning.method_run(round_, Method.RULES, shares.append)
    return shares


def test_progress_is_told_column_by_column_of_the_values_that_catch_the_eye():
    columns = {name: dictionary_encode(pa.array(["x", "y"])) for name in "abcd"}
    shares: list[float] = []
    values_search(columns, "abcd", None, shares.append)
    assert shares == [0.25, 0.5, 0.75, 1.0]


def test_rows_are_read_once_where_nothing_is_to_be_searched(ready_project, upload, people):
    upload(Table(("a,b\n" + "x,y\n" * 20).encode(), ["a", "b"], [], []))
    shares = shares_of_rules(ready_project, people)
    assert not [share for share in shares if 0.8 < share <= 0.9]
    assert shares[-1] == 1.0


def test_rules_that_ran_before_links_were_searched_are_gathered(ready_project, upload, table, people):
    upload(table)
    round_ = services.scan_start(first_table(ready_project), by=people.executor)
    for method in (Method.LOOKUP, Method.RULES):
        scanning.method_run(round_, method, lambda share: None)
    part = round_.parts.get(method=Method.RULES)
    part.report = {name: one for name, one in part.report.items() if name not in ("links", "striking")}
    part.save()
    assert not {"links", "striking"} & set(scanning.report_gather(round_))


def test_a_scan_that_is_not_whole_fails(ready_project, upload, table, people):
    upload(table)
    round_ = services.scan_start(first_table(ready_project), by=people.executor)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE datasets_dataset SET rows = rows + 1")
    job = job_run(latest_job(ready_project, services.SCAN, round_.pk).pk)
    assert (job.status, job.error_code) == ("failed", "identification.coverage")
    assert IdentificationRound.objects.get(pk=round_.pk).status == "failed"
    assert selectors.current_round(ready_project) is None
    services.scan_start(first_table(ready_project), by=people.executor)


def test_a_cancelled_scan_carries_nothing_and_makes_room(ready_project, upload, table, people):
    upload(table)
    round_ = services.scan_start(first_table(ready_project), by=people.executor)
    with pytest.raises(Refused) as refused:
        services.scan_start(first_table(ready_project), by=people.executor)
    assert refused.value.verdict.code == "scan_running"
    job_cancel(latest_job(ready_project, services.SCAN, round_.pk), by=people.executor)
    assert IdentificationRound.objects.get(pk=round_.pk).status == "cancelled"
    services.scan_start(first_table(ready_project), by=people.executor)


def test_equal_scans_have_equal_report_hashes(scanned, scan):
    again = scan()
    assert again.pk != scanned.pk
    assert again.report_hash == scanned.report_hash


@pytest.mark.parametrize(
    "who", ["planner", "supervisor", "management", "auditor", "outsider", "recipient", "superuser"]
)
def test_only_the_executor_scans(ready_project, upload, table, people, who):
    upload(table)
    with pytest.raises(Refused):
        services.scan_start(first_table(ready_project), by=getattr(people, who))
    assert not IdentificationRound.objects.exists()


def test_no_scan_without_data_or_in_another_state(ready_project, project, people):
    with pytest.raises(Refused) as refused:
        services.scan_start(first_table(ready_project), by=people.executor)
    assert refused.value.verdict.code == "no_dataset"


def test_a_finished_round_is_whole(scanned):
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE identification_identificationround SET report_hash = ''")


def every_text_in_the_database() -> str:
    """All that lies in any table in the clear."""
    parts = []
    for model in apps.get_models(include_auto_created=True):
        if model._meta.app_label == CUSTODY:
            continue  # of another database, where there is one
        for values in model._base_manager.values_list():
            parts.append(json.dumps([str(value) for value in values], ensure_ascii=False))
    return "\n".join(parts)


def test_no_value_of_the_data_lies_in_any_table(judged, table):
    text = every_text_in_the_database()
    assert "身份证号" in text
    assert not [value for value in table.secrets if value in text]
    assert "已登记" not in text
    assert AuditEvent.objects.filter(action="identification.scan_finished").exists()
