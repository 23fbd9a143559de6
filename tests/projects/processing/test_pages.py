"""Pages: who reaches what, in which state; what is shown, and that no value of the data ever is."""

from __future__ import annotations

import json
import uuid

import pytest
from django.urls import reverse
from django.utils.translation import override

from approvals.documents.models import Document
from projects.core.services import project_move
from projects.datasets.tables.selectors import first_table
from projects.jobs.selectors import latest_job
from projects.jobs.services import job_run
from projects.processing.models import RecipeVersion, Run
from projects.processing.recipes.pages import step_lines
from projects.processing.recipes.services import recipe_save
from projects.processing.runs.documents import REPORT, _page_one, report_write
from projects.workflow import Move, State
from tests.approvals.documents.printed import anchored_after, needs_poppler, text_of
from tests.approvals.governance.test_governance import raw_sql, without_triggers
from tests.projects.processing.conftest import at_processing

from .conftest import NOTE

START = at_processing

INSIDE = ["planner", "executor", "supervisor", "management", "auditor", "assessor"]
OUTSIDE = ["outsider", "recipient", "administrator", "superuser"]


def url(name, project, **kwargs):
    return reverse(f"processing:{name}", kwargs={"project_id": project.pk, **kwargs})


def readable(project, run):
    return [
        url("page", project),
        url("version", project, number=1),
        url("run_detail", project, run_id=run.pk),
        url("report", project),
    ]


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_members_and_auditors_read_and_see_no_value(finished, processing, people, client, secrets, language):
    for who in INSIDE:
        client.force_login(getattr(people, who))
        for address in readable(processing, finished):
            response = client.get(address, headers={"accept-language": language})
            assert response.status_code == 200, address
            text = response.content.decode()
            assert "出生日期" in text
            assert not [value for value in secrets if value in text]


def test_others_do_not_learn_that_it_exists(finished, processing, people, client):
    for who in OUTSIDE:
        client.force_login(getattr(people, who))
        for address in [
            *readable(processing, finished),
            url("recipe", processing),
            url("recipe_text", processing),
        ]:
            assert client.get(address).status_code == 404
        for name in ("run", "recipe", "recipe_text"):
            assert client.post(url(name, processing), {"do": "save"}).status_code == 404


def test_readers_cannot_act(saved, processing, people, client):
    for who in INSIDE:
        if who == "executor":
            continue
        client.force_login(getattr(people, who))
        assert client.get(url("recipe", processing)).status_code == 403
        assert client.get(url("recipe_text", processing)).status_code == 403
        for name in ("run", "recipe", "recipe_text"):
            assert client.post(url(name, processing), {"do": "save"}).status_code == 403
    assert RecipeVersion.objects.count() == 1
    assert not Run.objects.exists()


def test_what_does_not_exist(saved, processing, people, client):
    client.force_login(people.executor)
    assert client.get(url("version", processing, number=9)).status_code == 404
    assert client.get(url("run_detail", processing, run_id=uuid.uuid4())).status_code == 404
    assert client.get(url("report", processing)).status_code == 302
    assert client.get(url("run", processing)).status_code == 405


def test_a_run_of_another_project_is_not_found(finished, processing, people, client):
    from tests.fixtures import make_project

    other = make_project(people, "Another")
    client.force_login(people.executor)
    assert client.get(url("run_detail", other, run_id=finished.pk)).status_code == 404
    assert client.get(url("version", other, number=1)).status_code == 404


def test_not_before_and_not_after_the_stage(story, people, client):
    client.force_login(people.executor)
    project = story.reach(State.IDENTIFICATION)
    assert client.get(url("page", project)).status_code == 200
    assert client.get(url("recipe", project)).status_code == 403
    assert client.post(url("run", project)).status_code == 403


def test_nothing_changes_after_submission(finished, processing, people, client):
    project_move(processing, move=Move.SUBMIT_PROCESSING, by=people.executor)
    client.force_login(people.executor)
    assert client.get(url("page", processing)).status_code == 200
    for name in ("run", "recipe", "recipe_text"):
        assert client.post(url(name, processing), {"do": "save"}).status_code == 403


def test_the_page_through_the_stage(processing, content, story, people, client):
    client.force_login(people.executor)
    text = client.get(url("page", processing)).content.decode()
    # The first way to a recipe goes by a proposal that is tried on the data.
    assert url("propose", processing) in text
    assert client.post(url("run", processing)).status_code == 403
    recipe_save(first_table(processing), content=content, note="first", by=people.executor)
    assert url("run", processing) in client.get(url("page", processing)).content.decode()
    assert client.post(url("run", processing)).status_code == 302
    job = latest_job(processing, "processing.run")
    assert str(job.pk) in client.get(url("page", processing)).content.decode()
    assert client.post(url("run", processing)).status_code == 403
    job_run(job.pk)
    page = client.get(url("page", processing))
    facts = page.context["results"][0]["facts"]
    assert facts["rows_in"] == "300"
    assert {level["column"] for level in facts["levels"]} == {"性别", "出生日期"}
    assert facts["columns_removed"] == ["姓名"]
    assert page.context["estimate"]


def test_history_is_kept(finished, processing, content, story, people, client):
    content["title"] = "Second"
    recipe_save(first_table(processing), content=content, note=NOTE, by=people.executor)
    client.force_login(people.auditor)
    page = client.get(url("page", processing))
    assert page.context["result"] is None
    assert [row["run"].number for row in page.context["runs"]] == [1]
    assert [version.number for version in page.context["versions"]] == [2, 1]
    version = client.get(url("version", processing, number=2))
    assert version.context["changes"] == [("处理方案名称", "Visits for a study", "Second")]
    assert NOTE in version.content.decode()


def test_submission_prints_the_report_in_both_languages(finished, processing, people, client, secrets):
    project_move(processing, move=Move.SUBMIT_PROCESSING, by=people.executor)
    job = job_run(latest_job(processing, "processing.report_pdf").pk)
    assert job.status == "succeeded", job.error_text
    client.force_login(people.supervisor)
    documents = client.get(url("report", processing)).context["documents"]
    assert {document.language for document in documents} == {"zh-hans", "en"}


@needs_poppler
def test_the_report_names_the_end_of_the_audit_log(finished, tmp_path):
    for language in ("zh-hans", "en"):
        report_write(finished, language, by=None)
    english = Document.objects.get(kind=REPORT, language="en")
    text = text_of(english, tmp_path)
    assert anchored_after("run.succeeded", text)
    # Every page after the first ends with the hash of this document's content, not with one that it speaks of.
    feet = [
        [line for line in page.splitlines() if line.strip()][-1] for page in text.split("\f") if page.strip()
    ]
    assert len(feet) > 1
    assert all(english.subject_hash in foot for foot in feet), feet
    assert f"{finished.project.number}-R{finished.number}" in text


def test_few_queries(finished, processing, people, client, django_assert_max_num_queries):
    client.force_login(people.executor)
    with django_assert_max_num_queries(20):
        client.get(url("page", processing))


def test_the_report_says_on_page_one_what_was_set_aside(finished):
    """With a verdict against a finding the paper does not say that nobody set one aside; without one it names none."""
    without_triggers()
    raw_sql("UPDATE identification_columnverdict SET overrules = %s", "[]")
    with override("en"):
        before = _page_one(finished.project, finished)["weigh"]
        assert not any("against what the scan found" in said for said in before)
        raw_sql(
            'UPDATE identification_columnverdict SET overrules = %s WHERE "column" = %s',
            json.dumps([{"kind": "phone", "rows": 7}]),
            "出生日期",
        )
        after = _page_one(Run.objects.get(pk=finished.pk).project, finished)["weigh"]
    assert after == ["1 verdict against what the scan found: 出生日期", *before]


@needs_poppler
def test_the_report_gives_each_setting_a_line_of_its_own(finished, tmp_path):
    """Side by side with its name over the width of the page, not in one narrow column."""
    report_write(finished, "en", by=None)
    text = text_of(Document.objects.get(kind=REPORT, language="en"), tmp_path)
    (part,) = finished.recipe_version.tables.values()
    with override("en"):
        shown = [line for step in step_lines(part) for line in step.settings if "\n" not in line[1]]
    assert len(shown) > 5
    lines = [" ".join(line.split()) for line in text.splitlines()]
    whole = [f"{title} {value}" for title, value in shown if len(title) < 30 and len(value) < 40]
    assert len(whole) > 3
    assert [line for line in whole if not any(line in one for one in lines)] == []
