"""A suggestion is tried as a job before it is proposed; the editor and the API start from what was found on the data."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils.translation import override

from approvals.governance.verdict import Refused
from projects.core.selectors import history_of
from projects.datasets.tables.selectors import dataset_now, first_table
from projects.jobs.models import Job
from projects.jobs.services import job_cancel
from projects.processing.models import Proposal
from projects.processing.recipes.proposal.pages import said
from projects.processing.recipes.proposal.selectors import recipe_proposed, tried_of, with_settings
from projects.processing.recipes.proposal.services import may_propose, proposal_start
from projects.processing.recipes.services import recipe_save
from projects.processing.recipes.suggestion import MODELS, recipe_suggest
from projects.processing.rules import ProcessingReason
from tests.projects.processing.conftest import at_processing

pytestmark = pytest.mark.django_db
START = at_processing
UNTRIED = "This suggestion has not been tried on the data yet"


@pytest.fixture
def tried(story, processing, people):
    found, _job = proposal_start(first_table(processing), by=people.executor)
    story.run_jobs()
    found.refresh_from_db()
    assert found.measured_at
    return found


def url(project, name):
    return reverse(name, kwargs={"project_id": project.pk})


def test_the_way_to_the_editor_leads_over_a_try(story, processing, executor):
    page = executor.get(url(processing, "processing:page")).content.decode()
    assert f'action="{url(processing, "processing:propose")}"' in page
    editor = executor.post(url(processing, "processing:propose"), follow=True)
    assert editor.redirect_chain[-1][0] == url(processing, "processing:recipe")
    assert UNTRIED in editor.content.decode()
    assert 'class="job' in editor.content.decode(), "the progress stands there"
    runs = 'value="save:run"'
    assert runs not in editor.content.decode(), "what is being tried is not run untried"
    assert str(ProcessingReason.BEING_TRIED.label) in editor.content.decode()
    story.run_jobs()
    text = executor.get(url(processing, "processing:recipe")).content.decode()
    assert runs in text
    found = Proposal.objects.get()
    assert UNTRIED not in text
    assert all(one in text for one in said(found)["texts"])
    again = executor.post(url(processing, "processing:propose"))
    assert again.url == url(processing, "processing:recipe")
    assert Proposal.objects.count() == 1, "it is tried once"
    assert [one.action for one in history_of(processing)[:2]][-1].startswith(("proposal.", "job."))


def test_beside_a_version_the_suggestion_is_tried_when_somebody_starts_from_it(
    story, processing, executor, people
):
    table, page = first_table(processing), url(processing, "processing:recipe")
    recipe_save(
        table, content=recipe_suggest(table) | {"unprepared": "One form everywhere."}, by=people.executor
    )
    text = executor.get(page).content.decode()
    assert UNTRIED not in text, "the version stands there, not the suggestion"
    assert not Proposal.objects.exists()
    dataset = {"dataset": str(dataset_now(table).pk), "basis": "1"}
    text = executor.post(page, dataset | {"do": "suggest"}, follow=True).content.decode()
    assert 'class="job' in text, "the progress stands there"
    story.run_jobs()
    found = Proposal.objects.get()
    assert found.measured_at
    keep = "Your entries stay as they are"
    text = executor.get(page).content.decode()
    assert all(one in text for one in said(found)["texts"])
    assert keep not in text, "they are what was found"
    executor.post(page, dataset | {"do": "suggest"})
    assert Proposal.objects.count() == 1, "it is tried once"
    # Other entries, since it was tried: what was found still stands there, and that they stay.
    executor.post(page, dataset | {"do": "add:as_is"})
    text = executor.get(page).content.decode()
    assert all(one in text for one in said(found)["texts"])
    assert keep in text
    executor.post(page, dataset | {"do": "discard"})
    text = executor.get(page).content.decode()
    assert not [one for one in said(found)["texts"] if one in text], "the version stands there"


def test_what_was_found_is_what_is_proposed(tried, processing, executor, people):
    table = first_table(processing)
    attempt = next(one for one in tried.result["attempts"] if one["variant"] == tried.result["taken"])
    assert attempt["smallest"] >= tried.result["k"] >= 5
    content, found = recipe_proposed(table)
    assert found == tried
    step = next(one for one in content["steps"] if one["technique"] in MODELS)
    # Another way was found, as it is where columns would be lost.
    tried.result = tried.result | {"taken": "local", "settings": step["parameters"] | {"recoding": "local"}}
    made = with_settings(recipe_suggest(table), tried)
    step = next(one for one in made["steps"] if one["technique"] in MODELS)
    assert step["parameters"]["recoding"] == "local"
    recipe_save(table, content=made | {"unprepared": "One form everywhere."}, by=people.executor)
    listed = executor.get(url(processing, "api:processing-suggestion")).json()
    assert [one["columns"] for one in listed["steps"]] == [one["columns"] for one in content["steps"]]
    assert next(one for one in listed["steps"] if one["technique"] in MODELS) in content["steps"]


def test_another_suggestion_was_not_tried(tried, processing):
    table = first_table(processing)
    suggested = recipe_suggest(table)
    assert tried_of(table, suggested) == tried
    reworded = suggested | {"title": "另一个题目"}
    assert tried_of(table, reworded) == tried, "words change nothing"
    fewer = suggested | {"steps": suggested["steps"][1:]}
    assert tried_of(table, fewer) is None


def test_who_may_have_it_tried_and_when(story, processing, people, client):
    table = first_table(processing)
    for role in ("planner", "supervisor", "management", "auditor"):
        with pytest.raises(Refused):
            proposal_start(table, by=getattr(people, role))
    found, job = proposal_start(table, by=people.executor)
    assert may_propose(people.executor, table).code == "proposal_under_way"
    job_cancel(Job.objects.get(pk=job.pk), by=people.executor)
    found.refresh_from_db()
    assert found.ended_at
    assert not found.result
    client.force_login(people.executor)
    answer = client.post(url(processing, "api:processing-proposals"))
    assert answer.status_code == 202, answer.content
    assert answer.json()["said"] == []
    story.run_jobs()
    newest = client.get(url(processing, "api:processing-proposals")).json()["results"][0]
    assert newest["said"]
    assert newest["result"]["taken"] == "suggested"


def test_nothing_of_the_data_is_kept_with_it(tried, secrets):
    text = str(tried.result) + str(tried.suggested)
    assert not [value for value in secrets if value in text]


def test_the_try_costs_a_page_few_statements(tried, processing, executor, django_assert_max_num_queries):
    with django_assert_max_num_queries(21):
        executor.get(url(processing, "processing:recipe"))
    with django_assert_max_num_queries(21):
        executor.get(url(processing, "processing:page"))


def test_an_untried_suggestion_costs_a_page_few_statements(
    processing, executor, django_assert_max_num_queries
):
    for name in ("processing:recipe", "processing:page"):
        with django_assert_max_num_queries(21):
            executor.get(url(processing, name))


def test_chinese_sentences_follow_each_other_without_a_blank(tried):
    """A full stop has its own room; a blank behind it is an error."""
    changed = {**tried.result, "starred": ["出生日期"]}
    changed["attempts"] = [
        {**tried.result["attempts"][0], "variant": "suggested", "emptied": ["性别"]},
        {**tried.result["attempts"][0], "variant": "local", "emptied": []},
    ]
    tried.result = changed | {"taken": "local"}
    with override("zh-hans"):
        found = said(tried)
    texts = [*found["texts"], *(outcome for _variant, outcome in found["variants"])]
    assert sum(one.count("。") for one in texts) > len(texts), "several sentences in one"
    assert not any("。 " in one for one in texts)
    with override("en"):
        assert all(". " in one for one in said(tried)["texts"][:1])
