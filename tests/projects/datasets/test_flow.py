"""From an upload to a data set that is ready, or refused whole."""

from __future__ import annotations

import io
import resource
import sys

import numpy as np
import pytest

from approvals.audit.models import AuditEvent
from approvals.governance.governed import GovernanceBypassed
from approvals.governance.verdict import Refused
from projects.core.evidence import evidence_state
from projects.core.models import Notification
from projects.datasets.models import Dataset, StoredFile
from projects.datasets.samples import mask, preview_of
from projects.datasets.selectors import (
    dataset_columns,
    dataset_format,
    dataset_get,
    dataset_open,
)
from projects.datasets.services import dataset_confirm, dataset_look_raw, dataset_upload
from projects.datasets.tables.selectors import dataset_now, first_table
from projects.datasets.upload.file_names import display_name
from projects.datasets.upload.headers import personal_name
from projects.datasets.upload.memory import memory_bound
from projects.jobs.models import Job
from projects.jobs.selectors import latest_job
from projects.jobs.services import job_cancel, job_run
from projects.workflow import Evidence
from techniques.core.messages import EngineError

from .conftest import CSV, at_identification

pytestmark = pytest.mark.django_db
START = at_identification


def confirmed(dataset, people, **more):
    dataset_confirm(dataset, by=people.executor, **more)
    job = job_run(latest_job(dataset.project, "datasets.check", dataset.pk).pk)
    return dataset_get(dataset.project, dataset.pk), job


def audit_text():
    return "\n".join(str(vars(event)) for event in AuditEvent.objects.all())


def test_upload_detect_confirm_check(upload, people, ready_project, store):
    dataset = upload()
    assert dataset.status == "uploaded"
    found = dataset_format(dataset)
    assert (found.kind, found.encoding, found.delimiter, found.header) == ("csv", "utf-8", ",", True)
    assert evidence_state(ready_project, Evidence.DATASET_READY).missing
    dataset, job = confirmed(dataset, people)
    assert job.status == "succeeded"
    assert (dataset.status, dataset.rows) == ("ready", 3)
    assert dataset_columns(dataset) == ["姓名", "年龄", "备注"]
    assert dataset.sha256 == job.items.get(key="rows").output_hash
    assert evidence_state(ready_project, Evidence.DATASET_READY).met
    assert dataset_now(first_table(ready_project)) == dataset
    assert dataset_open(dataset).read() == CSV
    assert StoredFile.objects.count() == 2, "the file and its sample; nothing is left in the workspace"
    for path in store.rglob("*.enc"):
        assert "张三".encode() not in path.read_bytes()
    assert "张三" not in audit_text()


def test_preview_is_masked(upload):
    preview = preview_of(upload())
    assert preview.columns == ["姓名", "年龄", "备注"]
    assert preview.rows[0] == ["张***", "3***", None]
    assert preview.rows[2] == ["王***", "***", "o***"]
    assert (mask("男"), mask(""), mask(None)) == ("***", "", None)


def test_a_broken_file_is_refused_whole_with_its_line(upload, people, ready_project, store):
    rows = "".join(f"人{i},{i},好\n" for i in range(60_000))
    dataset = upload(("姓名,年龄,备注\n" + rows + "坏,1\n").encode())
    dataset, job = confirmed(dataset, people)
    assert (dataset.status, job.status) == ("refused", "failed")
    assert dataset.refused_code == "table.row.ragged"
    assert dataset.refused_params["line"] == 60_002
    assert "60002" in dataset.refused_text
    assert dataset.sample is None
    assert bytes(StoredFile.objects.get(pk=dataset.stored_id).wrapped_key) == b""
    with pytest.raises(EngineError):
        dataset_open(dataset)
    assert dataset_now(first_table(ready_project)) is None
    event = AuditEvent.objects.get(action="dataset.refused")
    assert event.facts == {"code": "table.row.ragged", "line": 60_002, "column": event.facts["column"]}
    assert "人1" not in audit_text()


@pytest.mark.parametrize("content", [b"", b"%PDF-1.7 something", b"\xff\xd8\xff\xe0" + b"x" * 99])
def test_what_is_no_table_is_refused_at_detection(upload, content, ready_project):
    dataset = upload(content)
    assert dataset.status == "refused"
    assert dataset.refused_code.startswith("table.")
    assert dataset_now(first_table(ready_project)) is None


def test_format_may_be_corrected(upload, people):
    dataset = upload("姓名;年龄\n张三;3,5\n李四;4,5\n".encode())
    values = {**dataset.format, "delimiter": ";"}
    dataset, _job = confirmed(dataset, people, chosen=values)
    assert dataset_columns(dataset) == ["姓名", "年龄"]


def test_nobody_calls_values_missing(upload, people):
    """What a file is written as is confirmed; which of its values count is not for whoever sends it to say."""
    dataset = upload(b"a,b\n1,HIV\n2,flu\n")
    with pytest.raises(EngineError) as refused:
        confirmed(dataset, people, chosen={**dataset.format, "missing": ["HIV"]})
    assert (refused.value.code, refused.value.params) == ("dataset.format", {"fields": "missing"})


@pytest.mark.parametrize(
    "name",
    ["13800138000", "手机13800138000", "11010519491231002X", "１３８００１３８０００", "a.b@example.com"],
)
def test_a_column_name_that_is_personal_data_refuses_the_file(upload, people, name):
    """A file without a row of names, confirmed as having one; its first person must stand nowhere."""
    dataset = upload(f"张三,{name},好\n李四,无,坏\n".encode())
    header = {**dataset.format, "header": True}
    dataset, job = confirmed(dataset, people, chosen=header)
    assert (dataset.status, dataset.refused_code) == ("refused", "table.name.personal")
    assert dataset.refused_params == {"column": 2}
    assert name not in f"{vars(dataset)} {vars(job)} {audit_text()}"


def test_without_a_row_of_names_the_same_file_is_taken(upload, people):
    dataset = upload("张三,13800138000\n李四,13900139000\n".encode())
    dataset, _job = confirmed(dataset, people, chosen={**dataset.format, "header": False})
    assert dataset.status == "ready"


def test_the_name_of_the_file_stands_in_no_event(upload, people):
    dataset, _job = confirmed(upload(name="张三_病历.csv"), people)
    assert dataset.name == "张三_病历.csv"
    dataset_look_raw(dataset, reason="A look.", by=people.executor)
    upload(b"", name="李四.csv")
    text = audit_text() + "".join(str(vars(row)) for row in [*Job.objects.all(), *Notification.objects.all()])
    assert "张三" not in text
    assert "李四" not in text
    assert f"#{dataset.sha256[:12]}" in text


def test_a_preview_shows_no_personal_column_name(upload, people):
    dataset = upload(b"name,a.b@example.com\nx,y\n")
    assert dataset.sample is None or "a.b@example.com" not in str(preview_of(dataset).columns)
    if dataset.format["header"]:
        assert dataset.preview_problem["code"] == "table.name.personal"


def test_ordinary_column_names_are_never_refused():
    names = [
        *(
            "姓名",
            "身份证号",
            "手机号码",
            "联系电话(座机)",
            "E-mail",
            "邮箱@公司",
            "QQ 号",
            "微信 openid",
            "车牌号",
        ),
        *(
            "父亲 文化程度",
            "家属 关系",
            "母亲 职业",
            "新C1000",
            "京A区人数",
            "1.2.3.4 题",
            "Q1_2_3",
            "2024-01-01",
        ),
        *("20240101", "2024年01月", "2019-2020-2021-2022", "202401010000", "1500000000", "1700000000000"),
        *(
            "LOINC 13457-7",
            "ICD10 E11.900",
            "SNOMED 73211009",
            "6901234567892",
            "PAY_0",
            "P1234567",
            "E12345678",
        ),
        *(
            "avg(x)@p95",
            "user@host",
            "地址（省市区）1号楼",
            "column_13",
            "0",
            "1e10",
            "192.168",
            "X-Y-Z",
            "A@B",
        ),
        *("DATEOFREGISTRATION", "91310000MA1K35XY2T企业", "3.14159265358979", "血压(mmHg)120/80", "010 区号"),
    ]
    assert personal_name(names) is None, names[personal_name(names) - 1]
    assert personal_name([*names, "13800138000"]) == len(names) + 1


def test_a_format_that_does_not_exist_is_no_change(upload, people):
    dataset = upload()
    with pytest.raises(EngineError) as error:
        dataset_confirm(dataset, chosen={**dataset.format, "encoding": "utf-7"}, by=people.executor)
    assert error.value.params == {"fields": "encoding"}
    dataset.refresh_from_db()
    assert dataset.status == "uploaded"


def test_a_replaced_data_set_stays_in_the_history(upload, people, ready_project):
    first, _job = confirmed(upload(), people)
    second = upload(name="second.csv")
    assert second.replaces == first
    assert dataset_now(first_table(ready_project)) == second
    assert evidence_state(ready_project, Evidence.DATASET_READY).missing, "the second is not confirmed"
    assert dataset_open(first).read() == CSV
    with pytest.raises(Refused) as refused:
        dataset_confirm(first, by=people.executor)
    assert refused.value.verdict.code == "dataset_not_to_confirm"


def test_a_refused_replacement_leaves_the_former_current(upload, people, ready_project):
    first, _job = confirmed(upload(), people)
    assert upload(b"").status == "refused"
    assert dataset_now(first_table(ready_project)) == first


def test_a_fault_of_ours_or_a_cancellation_does_not_destroy_the_file(upload, people, monkeypatch):
    dataset = upload()
    dataset_confirm(dataset, by=people.executor)
    job_cancel(latest_job(dataset.project, "datasets.check", dataset.pk), by=people.executor)
    dataset.refresh_from_db()
    assert dataset.status == "uploaded"

    from techniques import tables

    def broken(*args):
        raise RuntimeError

    monkeypatch.setattr(tables, "check", broken, raising=False)
    dataset, job = confirmed(dataset, people)
    assert (dataset.status, job.status, job.error_code) == ("uploaded", "failed", "job.internal")
    assert dataset_open(dataset).read() == CSV


def test_a_file_that_takes_too_much_memory_ends_its_job_alone(upload, people, monkeypatch, settings):
    from techniques import tables

    monkeypatch.setattr(tables, "check", lambda *args: np.empty(8 * 1024**3, dtype=np.uint8), raising=False)
    settings.DEID_READ_MEMORY_MB = 256
    before = resource.getrlimit(resource.RLIMIT_DATA)
    dataset, job = confirmed(upload(), people)
    assert (dataset.status, job.status, job.error_code) == ("uploaded", "failed", "job.memory")
    assert dataset_open(dataset).read() == CSV
    assert resource.getrlimit(resource.RLIMIT_DATA) == before


@pytest.mark.skipif(sys.platform != "linux", reason="bounds memory on Linux alone")
def test_the_bound_holds_within_its_block_only():
    with memory_bound(64), pytest.raises(MemoryError):
        bytearray(4 * 1024**3)
    with memory_bound(0):
        assert len(bytearray(100 * 1024**2))
    assert len(bytearray(100 * 1024**2))


def test_a_row_that_points_to_another_file_is_not_opened(upload, people):
    first, second = upload(), upload(b"a,b\n1,2\n", name="other.csv")
    stored, second.stored = second.stored, first.stored
    with pytest.raises(EngineError) as error:
        dataset_open(second)
    assert error.value.code == "store.damaged"
    second.stored = stored
    assert dataset_open(second).read() == b"a,b\n1,2\n"


def test_confirming_waits_for_the_detection(upload, people):
    dataset = upload(detect=False)
    with pytest.raises(Refused) as refused:
        dataset_confirm(dataset, by=people.executor)
    assert refused.value.verdict.code == "dataset_being_detected"


@pytest.mark.parametrize(
    "who", ["planner", "supervisor", "management", "recipient", "auditor", "outsider", "superuser"]
)
def test_only_the_executor_uploads_confirms_and_looks(upload, people, ready_project, who, store):
    user = getattr(people, who)
    dataset = upload()
    files = StoredFile.objects.count()
    with pytest.raises(Refused):
        dataset_upload(first_table(ready_project), content=io.BytesIO(CSV), name="x.csv", by=user)
    with pytest.raises(Refused):
        dataset_confirm(dataset, by=user)
    with pytest.raises(Refused):
        dataset_look_raw(dataset, reason="curious", by=user)
    assert StoredFile.objects.count() == files
    assert not AuditEvent.objects.filter(action="dataset.raw_look").exists()


def test_no_upload_before_the_plan_is_approved(project, people, store):
    with pytest.raises(Refused) as refused:
        dataset_upload(first_table(project), content=io.BytesIO(CSV), name="x.csv", by=people.executor)
    assert refused.value.verdict.code == "wrong_state"
    assert not StoredFile.objects.exists()


def test_raw_look_needs_a_reason_and_leaves_an_event_without_values(upload, people):
    dataset = upload()
    with pytest.raises(Refused) as refused:
        dataset_look_raw(dataset, reason="  ", by=people.executor)
    assert refused.value.verdict.code == "reason_needed"
    shown = dataset_look_raw(dataset, reason="Is the remark a diagnosis?", by=people.executor)
    assert shown.rows[0][0] == "张三"
    event = AuditEvent.objects.get(action="dataset.raw_look")
    assert (event.reason, event.facts, event.actor_id) == (
        "Is the remark a diagnosis?",
        {"rows": 3},
        str(people.executor.pk),
    )
    assert "张三" not in audit_text()


def test_direct_writes_are_refused(upload):
    dataset = upload()
    with pytest.raises(GovernanceBypassed):
        dataset.save()
    with pytest.raises(GovernanceBypassed):
        Dataset.objects.update(status="ready")


@pytest.mark.parametrize(
    ("given_name", "shown"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\data\\visits.csv", "visits.csv"),
        ("a\u202evsc.exe\x00\n.csv", "avsc.exe.csv"),
        ("", "未命名文件"),
        ("...", "未命名文件"),
        ("病历" * 200 + ".xlsx", None),
    ],
)
def test_hostile_names(given_name, shown):
    result = display_name(given_name)
    assert len(result) <= 160
    if shown is None:
        assert result.endswith("….xlsx")
    elif shown == "未命名文件":
        assert result
    else:
        assert result == shown
