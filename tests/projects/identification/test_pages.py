"""Pages and API: who reaches what, per-row errors, nothing typed is lost, no value of the data in any answer."""

from __future__ import annotations

import json

import pytest
from django.urls import reverse

from approvals.audit.recording import recording
from approvals.documents.models import Document
from approvals.documents.services import document_open
from projects.core.services import project_move
from projects.datasets.tables.selectors import first_table
from projects.identification import events, selectors
from projects.identification.documents import REPORT, report_write
from projects.identification.models import ColumnVerdict
from projects.identification.services import Given, verdict_give
from projects.jobs.selectors import latest_job
from projects.jobs.services import job_run
from projects.workflow import Move
from tests.approvals.documents.printed import anchored_after, needs_poppler, text_of

from .conftest import at_verdicts

START = at_verdicts
INSIDE = ["planner", "executor", "supervisor", "management", "auditor", "assessor"]
OUTSIDE = ["outsider", "recipient", "administrator", "superuser"]


def url(name, project, **kwargs):
    return reverse(f"identification:{name}", kwargs={"project_id": project.pk, **kwargs})


def form(round_, **fields):
    return {"round": str(round_.pk), **fields}


@pytest.mark.parametrize("who", INSIDE)
def test_members_and_auditors_read(judged, ready_project, people, client, table, who):
    client.force_login(getattr(people, who))
    for name, extra in (("page", {}), ("report", {}), ("column", {"position": 2})):
        response = client.get(url(name, ready_project, **extra))
        assert response.status_code == 200
        text = response.content.decode()
        assert "身份证号" in text
        assert not [value for value in (*table.secrets, *table.names) if value in text]


@pytest.mark.parametrize("who", OUTSIDE)
def test_others_do_not_learn_that_it_exists(judged, ready_project, people, client, who):
    client.force_login(getattr(people, who))
    for name, extra in (("page", {}), ("report", {}), ("column", {"position": 2})):
        assert client.get(url(name, ready_project, **extra)).status_code == 404
    for name in ("scan", "page"):
        assert client.post(url(name, ready_project), form(judged)).status_code == 404
    assert client.get(reverse("api:identification-state", args=[ready_project.pk])).status_code == 404


@pytest.mark.parametrize("who", [who for who in INSIDE if who != "executor"])
def test_readers_cannot_act(scanned, ready_project, people, client, who):
    client.force_login(getattr(people, who))
    assert 'name="c0-role"' not in client.get(url("page", ready_project)).content.decode()
    sent = form(scanned, **{"all-reason": "x" * 9, "c3-role": "quasi", "c3-reason": "x" * 9})
    assert client.post(url("scan", ready_project)).status_code == 403
    assert client.post(url("page", ready_project), sent).status_code == 403
    assert client.post(url("page", ready_project), {**sent, "what": "suggestions"}).status_code == 403
    assert not ColumnVerdict.objects.exists()


def test_the_page_before_data_and_before_the_scan(ready_project, upload, table, people, client):
    client.force_login(people.executor)
    assert client.get(url("page", ready_project)).status_code == 200
    assert client.get(url("report", ready_project)).status_code == 302
    assert client.get(url("column", ready_project, position=0)).status_code == 404
    assert client.post(url("page", ready_project), {}).status_code == 403
    upload(table)
    assert url("scan", ready_project) in client.get(url("page", ready_project)).content.decode()
    assert client.get(url("scan", ready_project)).status_code == 405
    assert client.post(url("scan", ready_project)).status_code == 302
    job = latest_job(ready_project, "identification.scan")
    assert str(job.pk) in client.get(url("page", ready_project)).content.decode()
    job_run(job.pk)
    page = client.get(url("page", ready_project))
    assert len(page.context["listing"].rows) == len(table.columns)


def test_no_role_is_chosen_beforehand(scanned, ready_project, people, client):
    client.force_login(people.executor)
    page = client.get(url("page", ready_project))
    assert {row.form["role"].value() for row in page.context["listing"].rows} == {""}
    client.post(url("page", ready_project), form(scanned, **{"c3-kind": "gender"}))
    assert not ColumnVerdict.objects.exists()


def test_saving_nothing_is_not_called_a_success(scanned, ready_project, people, client):
    client.force_login(people.executor)
    client.post(url("page", ready_project), form(scanned))
    [said] = client.get(url("page", ready_project)).context["messages"]
    assert (said.level_tag, str(said)) == ("warning", "没有新的判定，因此未保存任何内容。")


def test_rows_with_mistakes_keep_everything_that_was_typed(scanned, ready_project, people, client):
    client.force_login(people.executor)
    typed = form(
        scanned,
        **{
            "c3-role": "quasi", "c3-reason": "known to neighbours",
            "c4-role": "", "c4-reason": "no role chosen here",
            "c6-role": "other", "c6-reason": "short",
        },
    )  # fmt: skip
    response = client.post(url("page", ready_project), typed)
    assert response.status_code == 422
    assert not ColumnVerdict.objects.exists()
    forms = {one.row.column: one for one in response.context["refused"].lines}
    assert set(forms["科室"].errors) == {"role"}
    assert set(forms["备注"].errors) == {"reason"}
    assert not forms["性别"].errors
    text = response.content.decode()
    for words in ("known to neighbours", "no role chosen here", 'href="#id_c6-reason"'):
        assert words in text


def test_saving_accepting_and_overruling(scanned, ready_project, people, client):
    client.force_login(people.executor)
    long = "Dropped before sharing, see the plan."
    typed = form(
        scanned, accept="2", **{"c3-role": "quasi", "c3-reason": "ok", "c6-role": "other", "c6-reason": long}
    )
    assert client.post(url("page", ready_project) + "?sort=name", typed).url.endswith("?sort=name")
    given = selectors.verdicts_of(first_table(ready_project))
    assert {c: v.role for c, v in given.items()} == {"身份证号": "direct", "性别": "quasi", "备注": "other"}
    assert given["身份证号"].accepted
    client.force_login(people.supervisor)
    page = client.get(url("page", ready_project) + "?show=overruled")
    assert [row.column for row in page.context["listing"].rows] == ["备注"]
    assert long in page.content.decode()
    opened = client.get(url("page", ready_project) + "?show=open").context["listing"].rows
    assert "备注" not in [row.column for row in opened]
    assert [r.column for r in client.get(url("page", ready_project) + "?q=身份").context["listing"].rows] == [
        "身份证号"
    ]


def test_accepting_all_from_the_page(scanned, ready_project, people, client):
    client.force_login(people.executor)
    assert client.post(url("page", ready_project), form(scanned, what="suggestions")).status_code == 422
    sent = form(scanned, what="suggestions", **{"all-reason": "dictionary checked"})
    assert client.post(url("page", ready_project), sent).status_code == 302
    assert selectors.verdicts_of(first_table(ready_project))["身份证号"].reason.startswith(
        "dictionary checked"
    )
    assert client.post(url("page", ready_project), sent).status_code == 422


def test_a_page_older_than_the_scan_is_refused(scanned, scan, ready_project, people, client):
    scan()
    client.force_login(people.executor)
    response = client.post(
        url("page", ready_project), form(scanned, **{"c3-role": "quasi", "c3-reason": "ok"})
    )
    assert response.status_code == 403
    assert not ColumnVerdict.objects.exists()


def test_few_queries(judged, ready_project, people, client, django_assert_max_num_queries):
    client.force_login(people.executor)
    with django_assert_max_num_queries(20):
        client.get(url("page", ready_project))


def test_submission_prints_the_report_in_both_languages(judged, ready_project, people, client, table):
    project_move(ready_project, move=Move.SUBMIT_IDENTIFICATION, by=people.executor)
    job = job_run(latest_job(ready_project, "identification.report_pdf").pk)
    assert job.status == "succeeded", job.error_text
    client.force_login(people.supervisor)
    made = list(client.get(url("report", ready_project)).context["documents"])
    assert {document.language for document in made} == {"zh-hans", "en"}
    for document in made:
        document.refresh_from_db()
        content = document_open(document)
        assert content.startswith(b"%PDF-")
        assert document.subject_hash == selectors.verdicts_hash(ready_project)
        assert not [value for value in table.secrets if value.encode() in content]


@needs_poppler
def test_the_report_names_the_end_of_the_audit_log_and_who_signs(judged, ready_project, people, tmp_path):
    report_write(selectors.current_round(ready_project), "en", by=None)
    english = Document.objects.get(kind=REPORT, language="en")
    text = text_of(english, tmp_path)
    assert anchored_after("identification.verdict_given", text)
    block = text[text.index("Decisions and signatures") :]
    assert "Submitted" not in block, "nobody did so"
    for role in ("executor", "supervisor"):
        assert getattr(people, role).full_name in " ".join(block.split())


@needs_poppler
def test_who_submitted_stands_in_the_signing_block(judged, ready_project, people, tmp_path):
    report_write(selectors.current_round(ready_project), "en", by=people.executor)
    text = text_of(Document.objects.get(kind=REPORT, language="en"), tmp_path)
    assert "Submitted" in text[text.index("Decisions and signatures") :]


# -- API --------------------------------------------------------------------------------------------


def api(name, project, **kwargs):
    return reverse(f"api:identification-{name}", kwargs={"project_id": project.pk, **kwargs})


def test_api_from_scan_to_verdicts(ready_project, upload, table, people, client):
    upload(table)
    client.force_login(people.supervisor)
    refusal = client.post(api("scans", ready_project))
    assert (refusal.status_code, refusal.json()["code"]) == (403, "not_your_role")
    client.force_login(people.executor)
    started = client.post(api("scans", ready_project))
    assert started.status_code == 202
    assert client.post(api("scans", ready_project)).json()["code"] == "scan_running"
    job_run(started.json()["job"])
    state = client.get(api("state", ready_project)).json()
    assert state["missing"] == table.columns
    round_id = state["round"]["id"]
    report = client.get(api("report", ready_project, round_id=round_id))
    assert report.json()["coverage"] == 1.0
    body = {"round": round_id, "verdicts": [{"column": "性别", "role": "quasi", "reason": "known"}]}
    written = client.put(api("verdicts", ready_project), body, content_type="application/json")
    assert [row["column"] for row in written.json()] == ["性别"]
    body["verdicts"].append({"column": "备注", "role": "other", "reason": "no"})
    refusal = client.put(api("verdicts", ready_project), body, content_type="application/json")
    assert (refusal.status_code, refusal.json()["code"]) == (403, "long_reason_needed")
    sent = {"round": round_id, "reason": "dictionary checked"}
    assert client.post(api("accept", ready_project), sent, content_type="application/json").status_code == 200
    listed = client.get(api("verdicts", ready_project))
    assert "性别" in [row["column"] for row in listed.json()]
    history = client.get(api("history", ready_project, position=3))
    assert history.json()[0]["role"] == "quasi"
    assert client.get(api("history", ready_project, position=99)).status_code == 404
    seen = json.dumps([state, report.json(), listed.json(), history.json()], ensure_ascii=False)
    assert not [value for value in (*table.secrets, *table.names) if value in seen]


def test_api_hides_a_round_of_another_project(scanned, people, client):
    from tests.fixtures import make_project

    other = make_project(people, "Other")
    client.force_login(people.executor)
    assert client.get(api("report", other, round_id=scanned.pk)).status_code == 404


def test_verdict_about_a_column_is_found_again_after_it_changed(scanned, ready_project, people, client):
    verdict_give(scanned, Given("性别", "other", reason="first thought"), by=people.executor)
    verdict_give(scanned, Given("性别", "quasi", reason="second thought"), by=people.executor)
    client.force_login(people.auditor)
    text = client.get(url("column", ready_project, position=3)).content.decode()
    assert "first thought" in text
    assert "second thought" in text


def test_what_a_column_holds_is_told_from_counts(scanned, ready_project, people, client, table):
    """In the drawer and on the column's page; a scan from before it was counted is read as it was."""
    held = {one["column"]: one["profile"] for one in scanned.report["columns"]}
    assert held["序号"]["sort"] == "number"
    assert sum(rows for _low, _high, rows in held["序号"]["bars"]) == 400
    assert held["性别"] | {"exact": True} == held["性别"]
    assert held["性别"]["forms"] == [["文", 400]]
    assert not [value for value in (*table.secrets, *table.names) if value in json.dumps(held)]
    client.force_login(people.executor)
    page = client.get(url("page", ready_project), headers={"accept-language": "en"}).content.decode()
    column = client.get(url("column", ready_project, position=0), headers={"accept-language": "en"})
    for text in (page, column.content.decode()):
        assert "Each bar counts at least 10 rows" in text
    assert "Spread of the values" in column.content.decode()
    with recording(events.SCAN_FINISHED, by=None, subject=scanned.subject, project_id=ready_project.pk):
        for one in scanned.report["columns"]:
            del one["profile"]
        scanned.save()
    assert "Each bar counts" not in client.get(url("page", ready_project)).content.decode()
    assert client.get(url("column", ready_project, position=0)).status_code == 200
