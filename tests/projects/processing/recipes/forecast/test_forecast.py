"""What each planned step does to the risk by entropy is measured before the recipe is run, and nothing else is kept of it."""

from __future__ import annotations

from html import unescape

import pytest
from django.urls import reverse

from approvals.audit.models import AuditEvent
from approvals.governance.verdict import Refused
from projects.datasets.models import StoredFile
from projects.datasets.selectors import dataset_open
from projects.datasets.tables.selectors import dataset_now, first_table
from projects.jobs.services import job_cancel
from projects.processing.models import Forecast
from projects.processing.recipes.forecast import pages
from projects.processing.recipes.forecast.services import forecast_start, may_forecast
from projects.processing.recipes.selectors import current_recipe
from projects.processing.recipes.services import recipe_save
from techniques.disclosure_risk.entropy import Attack, entropy_risk
from techniques.tables import open_table
from tests.projects.processing.conftest import at_processing

pytestmark = pytest.mark.django_db
START = at_processing


def url(project, name="forecast"):
    return reverse(f"processing:{name}", args=[project.pk])


@pytest.fixture
def written(story):
    story.write_recipe()
    return first_table(story.project)


@pytest.fixture
def measured(written, story, people):
    forecast, _job = forecast_start(written, attack={}, by=people.executor)
    story.run_jobs()
    forecast.refresh_from_db()
    return forecast


def test_the_source_is_measured_as_the_engine_measures_it(measured, written):
    dataset, question = dataset_now(written), measured.question
    with dataset_open(dataset) as stream, open_table(stream, _format(dataset)) as table:
        by_hand = entropy_risk(table.batches(), question["quasi"], question["sensitive"])
    source = measured.result["source"]
    assert source["risk"] == by_hand.risk > 0
    assert [one["column"] for one in source["path"]] == [one.column for one in by_hand.path]
    assert question["attack"] == Attack().model_dump()


def _format(dataset):
    from projects.datasets.selectors import dataset_format

    return dataset_format(dataset)


def test_each_step_of_the_recipe_has_its_figures(measured, written):
    recipe = current_recipe(written.project).part_of(written)
    steps = measured.result["steps"]
    assert [one["technique"] for one in steps] == [one["technique"] for one in recipe["steps"]]
    assert [one["number"] for one in steps] == list(range(1, len(steps) + 1))
    rows = pages.shown(measured)["rows"]
    assert rows[0]["change"] == ""
    # The model makes classes of what told single records apart; what is done to a column that is no
    # quasi-identifier and no sensitive attribute changes nothing.
    model = next(number for number, one in enumerate(steps) if one["technique"].startswith("model."))
    before = steps[model - 1]["risk"] or measured.result["source"]
    assert steps[model]["risk"]["risk"] < before["risk"]
    assert rows[model + 1]["change"] == "lower"
    assert all(
        not one["gain"].startswith((">", "<")) for row in rows if row["has_risk"] for one in row["path"]
    )
    formula = rows[model + 1]["formula"]
    assert formula.substituted.endswith(f"= {rows[model + 1]['risk'].rpartition(' ')[2]}")


def test_the_page_says_so_and_shows_no_value(measured, story, people, client, secrets):
    for person in (people.executor, people.supervisor, people.planner):
        client.force_login(person)
        page = client.get(url(story.project), headers={"accept-language": "en"}).content.decode()
        assert page.count('role="img"') == 1 + len(
            [row for row in pages.shown(measured)["rows"] if row["has_risk"]]
        )
        assert "R = Σ ΔE_i·F(i) × Σ ΔE_i·L(i)" in page
        for value in secrets:
            assert value not in page
    client.force_login(people.outsider)
    assert client.get(url(story.project)).status_code == 404


@pytest.mark.parametrize(("language", "alone"), [("en", "stands alone"), ("zh-hans", "孤立")])
def test_page_and_interface_say_what_it_rests_on_and_what_it_does_not_say(
    measured, story, people, client, language, alone
):
    client.force_login(people.executor)
    said = {"accept-language": language}
    (one,) = client.get(reverse("api:processing-forecasts", args=[story.project.pk]), headers=said).json()
    page = unescape(client.get(url(story.project), headers=said).content.decode())
    assert one["basis"].startswith("GB/T 37964-2019 4.3")
    assert len(one["statements"]) == 6
    assert alone in one["statements"][-1]
    for text in (one["basis"], *one["statements"]):
        assert text in page


def test_nothing_is_kept_but_the_figures(measured):
    assert not StoredFile.objects.filter(scope__startswith="forecast:").exists()
    actions = AuditEvent.objects.filter(subject_id=str(measured.pk), action__startswith="forecast").order_by(
        "seq"
    )
    assert [one.action for one in actions] == ["forecast.started", "forecast.measured"]
    assert measured.content_hash


def test_only_the_executor_starts_it_and_only_one_at_a_time(written, story, people, client):
    for person in (people.planner, people.supervisor, people.management, people.auditor):
        with pytest.raises(Refused):
            forecast_start(written, attack={}, by=person)
    client.force_login(people.executor)
    wrong = {"known": "0", "most_known": "16", "sensitive": "0.5", "quasi": "0.05"}
    assert client.post(url(story.project, "forecast_start"), wrong).status_code == 422
    assert client.post(url(story.project, "forecast_start"), wrong | {"known": "7"}).status_code == 422
    assert not Forecast.objects.exists()
    assert client.post(url(story.project, "forecast_start"), wrong | {"known": "0.9"}).status_code == 302
    assert Forecast.objects.get().question["attack"]["known"] == 0.9
    assert may_forecast(people.executor, written).code == "forecast_under_way"


def test_a_cancelled_one_has_no_figures_and_leaves_nothing(written, people, story):
    forecast, job = forecast_start(written, attack={}, by=people.executor)
    job_cancel(job, by=people.executor)
    story.run_jobs()
    forecast.refresh_from_db()
    assert forecast.measured_at is None
    assert forecast.ended_at is not None
    assert not StoredFile.objects.filter(scope__startswith="forecast:").exists()
    assert AuditEvent.objects.filter(action="forecast.broken_off", subject_id=str(forecast.pk)).exists()
    assert may_forecast(people.executor, written).allowed


def test_a_later_version_is_not_taken_for_the_one_that_was_measured(measured, written, people):
    assert pages.overview(written, people.executor)["is_current"]
    content = current_recipe(written.project).part_of(written)
    recipe_save(written, content=content | {"title": "Another"}, note="another title", by=people.executor)
    written.project.refresh_from_db()
    assert not pages.overview(written, people.executor)["is_current"]


def test_the_interface_starts_it_and_gives_the_same_figures(written, story, people, client):
    client.force_login(people.executor)
    address = reverse("api:processing-forecasts", args=[story.project.pk])
    refused = client.post(address, {"known": 2}, content_type="application/json")
    assert refused.status_code in (400, 409, 422)
    started = client.post(address, {"known": 0.5}, content_type="application/json")
    assert started.status_code == 202
    story.run_jobs()
    (found,) = client.get(address).json()
    assert found["question"]["attack"]["known"] == 0.5
    assert found["result"]["source"]["risk"] > 0
    assert len(found["result"]["steps"]) == len(current_recipe(story.project).part_of(written)["steps"])
