"""Protection levels are counted by a job, drawn, edited beside the values, and put into the recipe."""

from __future__ import annotations

import pytest
from django.urls import reverse

from approvals.audit.models import AuditEvent
from approvals.governance.verdict import Refused
from projects.datasets.models import StoredFile
from projects.datasets.selectors import dataset_columns
from projects.datasets.tables.selectors import dataset_now, first_table
from projects.identification.enums import ColumnRole
from projects.identification.selectors import columns_with_role
from projects.jobs.services import job_cancel
from projects.processing.editor.desk import Desk
from projects.processing.editor.drafts import draft_of
from projects.processing.models import LevelCount
from projects.processing.recipes.levels import pages, views
from projects.processing.recipes.levels.forms import ValuesForm, entries_of, height, parameters
from projects.processing.recipes.levels.services import count_start, may_count
from projects.processing.recipes.levels.steps import with_levels
from projects.processing.recipes.suggestion import MODELS, recipe_suggest
from tests.projects.processing.conftest import at_processing

pytestmark = pytest.mark.django_db
START = at_processing
ENGLISH = {"accept-language": "en"}


def url(project, name="levels"):
    return reverse(f"processing:{name}", args=[project.pk])


@pytest.fixture
def table(story):
    return first_table(story.project)


@pytest.fixture
def sensitive(table):
    return columns_with_role(table, ColumnRole.SENSITIVE)[0]


@pytest.fixture
def counted(table, sensitive, story, people):
    count, _job = count_start(table, column=sensitive, level_column="", by=people.executor)
    story.run_jobs()
    count.refresh_from_db()
    return count


def entered(counted, level=1, above=""):
    values = counted.result["values"]
    found = {f"level-{place}": str(level) for place in range(len(values))}
    return found | {f"above-{place}": above for place in range(len(values))} | {"further": ""}


def test_counted_by_a_job_and_shown_to_everybody_inside(counted, story, people, client, secrets):
    assert counted.result["records"] == dataset_now(first_table(story.project)).rows
    assert counted.result["levels"] == {"0": counted.result["units"]}
    assert not StoredFile.objects.filter(scope__startswith="levels:").exists()
    actions = AuditEvent.objects.filter(action__startswith="levels.", subject_id=str(counted.pk)).order_by(
        "seq"
    )
    assert [one.action for one in actions] == ["levels.count_started", "levels.counted"]
    for person in (people.executor, people.supervisor):
        client.force_login(person)
        page = client.get(url(story.project), headers=ENGLISH).content.decode()
        assert "Nobody has been asked yet" in page
        assert 'role="img"' in page
        for value in secrets:
            assert value not in page
    client.force_login(people.outsider)
    assert client.get(url(story.project)).status_code == 404


def test_only_the_executor_counts_and_only_what_is_sensitive(table, sensitive, story, people, client):
    for person in (people.planner, people.supervisor, people.management, people.auditor):
        with pytest.raises(Refused):
            count_start(table, column=sensitive, level_column="", by=person)
    client.force_login(people.executor)
    for wrong in ({"column": "nothing"}, {"column": sensitive, "level_column": sensitive}):
        assert client.post(url(story.project, "levels_count"), wrong).status_code == 422
    assert not LevelCount.objects.exists()
    assert client.post(url(story.project, "levels_count"), {"column": sensitive}).status_code == 302
    assert may_count(people.executor, table).code == "levels_under_way"


def test_a_cancelled_count_leaves_nothing(table, sensitive, people, story):
    count, job = count_start(table, column=sensitive, level_column="", by=people.executor)
    job_cancel(job, by=people.executor)
    story.run_jobs()
    count.refresh_from_db()
    assert (count.measured_at, count.ended_at is not None) == (None, True)
    assert AuditEvent.objects.filter(action="levels.broken_off", subject_id=str(count.pk)).exists()


def test_what_would_happen_is_counted_from_the_levels():
    """Six of flu and five of HIV: by hand."""
    count = LevelCount(
        column="ill",
        level_column="asks",
        result={
            "records": 11, "units": 11, "of_persons": False, "unreadable": 0, "unnamed": 0, "others": {},
            "levels": {"0": 2, "1": 1, "2": 4, "5": 4},
            "values": [{"value": "flu", "records": {"0": 2, "1": 1, "2": 3}}, {"value": "HIV", "records": {"2": 1, "5": 4}}],
        },
    )  # fmt: skip
    found = pages.effect(count, {"flu": (1, ["infection"]), "HIV": (2, ["infection"])})
    assert found["height"] == 3
    # Three of flu ask for 2, four of HIV for 5, which is more than the tree has.
    assert (found["changed"], found["bars"], found["too_high"]) == ("7", [("1", 0), ("2", 3), ("5", 4)], "4")
    assert [one["branch"] for one in found["values"]] == [
        ["flu", "infection", "*"],
        ["HIV", "infection", "*"],
    ]
    assert [share for _label, share in found["shares"]] == [6 / 11, 5 / 11]
    assert (found["alpha_level"], found["alpha"], found["distinct"]) == (1, "54.55 %", "2")
    assert pages.effect(count, {"flu": (9, [])})["out_of_tree"] == ["flu"]


def test_what_few_ask_for_is_told_together():
    """Seven of flu ask for 2, eight are told together; of the table twelve."""
    count = LevelCount(
        column="ill",
        level_column="asks",
        result={
            "records": 30, "units": 30, "of_persons": False, "unreadable": 0, "unnamed": 1, "others": {}, "others_pooled": 4,
            "levels": {"1": 8, "2": 10}, "pooled": 12,
            "values": [{"value": "flu", "records": {"2": 7}, "pooled": 8}, {"value": "HIV", "records": {"1": 5, "2": 6}, "pooled": 0}],
        },
    )  # fmt: skip
    found = pages.effect(count, {"flu": (1, ["infection"]), "HIV": (2, [])})
    assert [(one["records"], one["changed"]) for one in found["values"]] == [("15", "7"), ("11", "0")]
    assert (found["changed"], found["pooled"]) == ("7", "8")
    assert [share for _label, share in found["shares"]] == [15 / 30, 11 / 30]
    said = pages.shown(count)
    assert (said["pooled"], said["none"], said["asked"], said["others"]) == ("12", "", "", "4")
    assert [number for _label, number in said["bars"]] == [8, 10, 12]


def test_the_entries_become_the_settings_of_the_step_and_back():
    data = {
        "level-0": "1",
        "above-0": "infection; *",
        "level-1": "2",
        "above-1": "",
        "further": "gout; 3; joints\n\n",
    }
    form = ValuesForm(data, values=["flu", "HIV"])
    assert form.is_valid(), form.errors
    entries = form.entries()
    assert entries == {"flu": (1, ["infection"]), "HIV": (2, []), "gout": (3, ["joints"])}
    assert height(entries) == 3
    settings = parameters(entries, "asks")
    assert settings == {
        "level_column": "asks",
        "tree": {"kind": "table", "rows": [["flu", "infection"], ["HIV", "*"], ["gout", "joints"]]},
        "levels": {"HIV": 2, "gout": 3},
    }
    assert entries_of({"parameters": settings}) == entries
    assert parameters({"flu": (1, [])}, "asks")["tree"] == {"kind": "star"}
    for wrong in ("flu; 1", "gout", "gout; 0", "gout; x", "gout;1\ngout;2"):
        assert not ValuesForm(data | {"further": wrong}, values=["flu", "HIV"]).is_valid()


def test_the_step_stands_before_the_model_and_the_levels_go_behind_it(table, sensitive):
    header = dataset_columns(dataset_now(table))
    places = {column: place for place, column in enumerate(header)}
    draft = draft_of(recipe_suggest(table), header, dataset="x", basis=0)
    levels = next(one for one in header if one != sensitive)
    for _twice in range(2):
        number = with_levels(draft, parameters({"flu": (2, [])}, levels), sensitive, places)
        techniques = [step.technique for step in draft.steps]
        assert techniques.count(pages.STEP) == 1
        assert techniques[number - 1 : number + 1] == [pages.STEP, "suppression.remove_column"]
        assert draft.steps[number].columns == [places[levels]]
        model = next(place for place, one in enumerate(techniques) if one in MODELS)
        assert number < model
        removed = [step for step in draft.steps if step.technique == "suppression.remove_column"]
        assert sum(places[levels] in step.columns for step in removed) == 1


def test_from_the_page_into_the_editor(table, sensitive, story, people, client):
    """Another column of numbers stands for the levels: what matters is that the step is there, filled in."""
    levels = next(one for one in dataset_columns(dataset_now(table)) if one != sensitive)
    count_start(table, column=sensitive, level_column=levels, by=people.executor)
    story.run_jobs()
    counted = LevelCount.objects.get()
    client.force_login(people.executor)
    page = client.get(url(story.project), headers=ENGLISH).content.decode()
    assert "Cells that are not a level" in page or not counted.result["unreadable"]
    take = url(story.project, "levels_take")
    shown = client.post(take, entered(counted, 1, "anything") | {"do": "show"}, headers=ENGLISH)
    assert shown.status_code == 200
    assert "anything" in shown.content.decode()
    assert client.post(take, entered(counted, 50) | {"do": "take"}).status_code == 422
    taken = client.post(take, entered(counted, 2, "anything") | {"do": "take"})
    assert taken.status_code == 302
    kept = Desk(people.executor, dataset_now(table)).draft
    step = next(one for one in kept.steps if one.technique == pages.STEP)
    assert step.values["p-level_column"] == [levels]
    editor = client.get(taken["Location"].partition("#")[0]).content.decode()
    assert counted.result["values"][0]["value"] in editor
    client.force_login(people.supervisor)
    assert client.post(take, entered(counted) | {"do": "take"}).status_code == 403


def test_without_levels_there_is_no_step_but_a_form(counted, story, people, client):
    client.force_login(people.executor)
    refused = client.post(
        url(story.project, "levels_take"), entered(counted) | {"do": "take"}, headers=ENGLISH
    )
    assert refused.status_code == 422
    assert "collect them first" in refused.content.decode()
    form = client.get(url(story.project, "levels_form") + "?levels=4", headers=ENGLISH).content.decode()
    assert form.count("☐") == 4
    table = client.get(url(story.project, "levels_form") + "?as=csv")
    assert table["Content-Type"].startswith("text/csv")
    assert table.content.decode().strip().split(",")[-1] == "protection_level"


def test_the_interface_counts_and_gives_the_same(table, sensitive, story, people, client):
    client.force_login(people.executor)
    address = reverse("api:processing-level-counts", args=[story.project.pk])
    sent = {"column": sensitive, "level_column": ""}
    assert client.post(address, {"column": "no"}, content_type="application/json").status_code in (
        400,
        409,
        422,
    )
    assert client.post(address, sent, content_type="application/json").status_code == 202
    story.run_jobs()
    (found,) = client.get(address).json()
    assert (found["column"], found["result"]["records"]) == (sensitive, dataset_now(table).rows)


@pytest.mark.parametrize("level", ["9" * 5000, "0", "-1", "x", "²"])
def test_a_line_needs_a_level_that_can_be(level):
    form = ValuesForm({"further": f"flu;{level};illness"}, values=())
    assert not form.is_valid()
    assert list(form.errors) == ["further"]


def test_no_name_in_the_form_is_a_formula(table, story, people, client, monkeypatch):
    client.force_login(people.executor)
    monkeypatch.setattr(views, "person_key_of", lambda _table: ("=1+1", "nr"))
    found = client.get(url(story.project, "levels_form") + "?as=csv").content.decode()
    assert found == "'=1+1,nr,protection_level\r\n"
    assert client.get(url(story.project, "levels_form"), {"levels": "9" * 5000}).status_code == 200


def test_the_form_of_a_further_attribute_has_a_column_of_its_own(
    table, sensitive, story, people, client, monkeypatch
):
    client.force_login(people.executor)
    monkeypatch.setattr(views, "dataset_columns", lambda _dataset: ["nr", "protection_level"])
    asked = {"as": "csv", "column": sensitive}
    found = client.get(url(story.project, "levels_form"), asked).content.decode()
    assert found.strip().split(",")[-1] == f"protection_level_{sensitive}"
