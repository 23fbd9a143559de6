"""A result that fails says what would make it pass, the cheapest first; the numbers are what a run then gives."""

from __future__ import annotations

import html
import json

import pytest
from django.urls import reverse

from approvals.audit.models import AuditEvent
from approvals.governance.verdict import Refused
from projects.core.services import project_move
from projects.identification.enums import ColumnRole
from projects.jobs.models import JobItem
from projects.processing.models import RecipeVersion
from projects.processing.recipes.selectors import current_recipe
from projects.processing.runs.pages import version_changes
from projects.processing.runs.services import run_start
from projects.verification.presentation import gate_rows
from projects.verification.remedies.presentation import remedy_tables
from projects.verification.remedies.services import may_take_remedy, remedy_take, with_remedy
from projects.verification.reports.remedies import Remedy
from projects.workflow import Move, State
from tests.projects.verification.stories import ROWS, SmallStory

pytestmark = pytest.mark.django_db


def weak(content):
    """Two alike with every year of age kept are not what the targets ask for."""
    model = next(step for step in content["steps"] if step["technique"] == "model.k_anonymity")
    model["parameters"] |= {"k": 2, "suppression_limit": 0.05, "maximum_levels": {"年龄": 0}}


def back(story):
    project_move(
        story.fresh(), move=Move.BACK_TO_PROCESSING, by=story.people["executor"], reason="k was too small"
    )


def run_of(story):
    """What the model step of the current recipe does when it runs."""
    run, _job = run_start(story.fresh(), by=story.people["executor"])
    story.run_jobs()
    run.refresh_from_db()
    return next(step for step in run.tables.get().report["steps"] if step["technique"].startswith("model."))[
        "result"
    ]


def url(story, name, **more):
    return reverse(name, kwargs={"project_id": story.project.pk, **more})


def take(story, verification, number, prefix="verification:way_take"):
    return url(story, prefix, verification_id=verification.pk, number=number)


def shown_of(verification):
    """The one table of remedies."""
    (shown,) = remedy_tables(verification.measurement.report)
    return shown


@pytest.fixture
def failed(people):
    story = SmallStory(people, change=weak)
    story.reach(State.VERIFICATION)
    return story, story.measure()


def test_a_failing_result_says_what_mends_it_and_that_comes_true(failed, client, people):
    story, verification = failed
    assert verification.passed is False
    found = verification.report["remedies"]
    assert found["problem"] is None
    passing = [remedy for remedy in found["ways"] if remedy["outcome"] and remedy["outcome"]["passes"]]
    kept = [remedy["outcome"]["kept"] for remedy in passing]
    assert kept == sorted(kept, reverse=True)
    assert found["now"]["kept"] > kept[0], "protection is paid for"

    client.force_login(people.executor)
    page = client.get(reverse("verification:page", kwargs={"project_id": story.project.pk})).content.decode()
    assert 'id="ways"' in page
    shown = shown_of(verification)
    assert shown.rows[0].is_cheapest
    row = next(
        row for row in gate_rows(verification.results, verification.measurement.report) if row.kind == "k"
    )
    assert row.remedies[0].text.startswith(shown.passing[0].text)
    assert row.remedies[0].cost
    for value in story.secret:
        assert value not in json.dumps(found, ensure_ascii=False)

    cheapest = passing[0]
    assert (cheapest["code"], cheapest["column"]) == ("unbind", "年龄")
    back(story)
    version = remedy_take(verification, number=1, by=people.executor)
    assert version.tables[""] != verification.run.recipe_version.tables[""]
    made = run_of(story)
    assert made["min_class"] == cheapest["outcome"]["k"]
    assert made["levels"] == cheapest["outcome"]["levels"]


def test_a_result_that_passes_asks_for_nothing(story):
    verification = story.measure()
    assert "remedies" not in verification.report
    assert remedy_tables(verification.measurement.report) == []
    items = JobItem.objects.filter(job_id=verification.job_id).order_by("position")
    # It is measured, its classes are listed, and nothing is searched.
    assert [item.output_hash == "" for item in items] == [False, False, True]


def test_every_row_says_what_its_number_means_with_the_real_values(story, client, people):
    verification = story.measure()
    rows = {row.kind: row for row in gate_rows(verification.results, verification.measurement.report)}
    assert all(row.meaning for row in rows.values())
    risk = verification.report["risk"]
    signs = {sign: value for sign, _meaning, value in rows["average_risk"].formula.terms}
    assert signs == {"J": f"{risk['classes']:,}", "n": f"{risk['rows']:,}"}
    client.force_login(people.supervisor)
    page = client.get(reverse("verification:page", kwargs={"project_id": story.project.pk})).content.decode()
    assert page.count("gate__why") == len(verification.checks)
    assert str(rows["overall"].formula.substituted) in page


def test_what_other_steps_change_before_is_not_guessed(people):
    def rounded(content):
        weak(content)
        step = {
            "technique": "generalization.rounding", "columns": ["年龄"], "parameters": {"base": 2.0},
        }  # fmt: skip
        content["steps"].insert(1, step)

    story = SmallStory(people, change=rounded)
    story.reach(State.VERIFICATION)
    verification = story.measure()
    assert verification.passed is False
    assert shown_of(verification).problem
    assert "年龄" in shown_of(verification).problem


def test_it_is_taken_into_the_recipe_in_one_click_once_the_project_is_back(failed, client, people):
    story, verification = failed
    client.force_login(people.executor)
    page = client.get(url(story, "verification:page")).content.decode()
    assert url(story, "core:move", move="back_to_processing") in page
    assert take(story, verification, 1) not in page
    assert client.post(take(story, verification, 1)).status_code == 403
    assert may_take_remedy(people.executor, verification).code == "back_first"

    back(story)
    assert (
        url(story, "verification:page") + "#ways"
        in client.get(url(story, "processing:page")).content.decode()
    )
    answer = client.get(url(story, "verification:page"))
    page, (shown,) = answer.content.decode(), answer.context["remedies"]
    assert take(story, verification, 1) in page
    said = shown.rows[0].alters
    assert said
    assert all(html.escape(place) in page for place, _before, _after in said)
    answer = client.post(take(story, verification, 1))
    version = current_recipe(story.fresh())
    assert answer.url == url(story, "processing:version", number=version.number)
    assert version.number == verification.run.recipe_version.number + 1
    assert shown_of(verification).rows[0].text[:30] in version.note
    assert version_changes(verification.run.recipe_version, version) == said, "all that it said, and no more"
    event = AuditEvent.objects.get(action="verification.way_taken")
    assert event.subject_id == str(verification.pk)
    assert (event.facts["way"], event.facts["version"]) == (1, version.number)
    assert event.facts["changes"] == ["unbind 年龄"]
    assert AuditEvent.objects.filter(action="recipe.saved", act=event.act).exists()

    verification.refresh_from_db()
    assert may_take_remedy(people.executor, verification).code == "ways_outdated", "the recipe is another one"
    assert take(story, verification, 1) not in client.get(url(story, "verification:page")).content.decode()
    assert "#ways" not in client.get(url(story, "processing:page")).content.decode()


def test_only_the_executor_takes_and_only_what_passes(failed, client, people):
    story, verification = failed
    back(story)
    rows = shown_of(verification).rows
    wrong = [0, len(rows) + 1, *(row.number for row in rows if not row.passes)]
    assert len(wrong) > 2, "some way does not pass"
    for number in wrong:
        with pytest.raises(Refused) as refused:
            remedy_take(verification, number=number, by=people.executor)
        assert refused.value.verdict.code == "no_way"
    with pytest.raises(Refused):
        remedy_take(verification, number=1, by=people.superuser)
    for role in ("planner", "supervisor", "management", "auditor"):
        by = getattr(people, role)
        with pytest.raises(Refused):
            remedy_take(verification, number=1, by=by)
        client.force_login(by)
        assert client.post(take(story, verification, 1)).status_code == 403
        assert (
            take(story, verification, 1) not in client.get(url(story, "verification:page")).content.decode()
        )
    client.force_login(people.outsider)
    assert client.post(take(story, verification, 1)).status_code == 404
    assert RecipeVersion.objects.filter(project=story.project).count() == 1


def test_the_api_lists_the_ways_and_takes_one(failed, client, people):
    story, verification = failed
    back(story)
    client.force_login(people.executor)
    listed = client.get(url(story, "api:verification-detail", verification_id=verification.pk)).json()["ways"]
    remedies = verification.report["remedies"]["ways"]
    assert [remedy["number"] for remedy in listed] == list(range(1, len(remedies) + 1))
    dropped = next(
        one
        for one, remedy in zip(listed, remedies, strict=True)
        if remedy["code"] == "drop" and one["passes"]
    )
    answer = client.post(take(story, verification, dropped["number"], "api:verification-way-take"))
    assert answer.status_code == 201, answer.content
    steps = answer.json()["content"]["steps"]
    removed = next(step for step in steps if step["technique"] == "suppression.remove_column")
    model = next(step for step in steps if step["technique"] == "model.k_anonymity")
    assert "年龄" in removed["columns"]
    assert model["columns"] == ["性别"]
    assert run_of(story)["min_class"] >= verification.report["targets"]["k"]


def test_a_pair_of_changes_is_found_taken_over_and_passes(people, monkeypatch):
    """With the running number among the quasi-identifiers and nothing to be generalised, one change is too little."""
    # The number becomes * in every row, which is more than the story's own bound on such cells allows.
    monkeypatch.setattr("deid_portal.demo.story.UTILITY", [{"kind": "rows_retained", "bound": 0.9}])

    def bound(content):
        model = next(step for step in content["steps"] if step["technique"] == "model.k_anonymity")
        model["parameters"] |= {
            "k": 2,
            "suppression_limit": 1.0,
            "maximum_levels": {name: 0 for name in model["columns"] if name != "性别"},
        }

    story = SmallStory(people, change=bound, roles={"序号": (ColumnRole.QUASI, "row_number")})
    story.reach(State.VERIFICATION)
    verification = story.measure()
    found, shown = verification.report["remedies"], shown_of(verification)
    assert shown.pairs
    first = found["ways"][0]
    assert first["outcome"]["passes"]
    assert {(one["code"], one["column"]) for one in (first, *first["further"])} == {
        ("unbind", "序号"),
        ("unbind", "年龄"),
    }
    assert "序号" in shown.rows[0].text
    assert "年龄" in shown.rows[0].text
    back(story)
    remedy_take(verification, number=1, by=people.executor)
    made = run_of(story)
    assert made["levels"] == first["outcome"]["levels"]
    project_move(story.fresh(), move=Move.SUBMIT_PROCESSING, by=people.executor)
    story.fresh()
    story.review()
    again = story.measure()
    assert all(check["passed"] for check in again.checks if check["kind"] in ("k", "suppression"))


def test_a_way_keeps_the_utility_targets_too_or_says_which_it_misses(people, client, monkeypatch):
    """Every value of the gender has to stay: ways that lose it do not pass, and say so."""
    kept = [
        {"kind": "rows_retained", "bound": 0.5},
        {"kind": "categories_kept", "bound": 1.0, "column": "性别"},
        {"kind": "association_change", "bound": 0.9, "columns": ["性别", "诊断"]},
    ]
    monkeypatch.setattr("deid_portal.demo.story.UTILITY", kept)

    def two_alike(content):
        model = next(step for step in content["steps"] if step["technique"] == "model.k_anonymity")
        model["parameters"] |= {"k": 2, "suppression_limit": 0.05}

    story = SmallStory(people, change=two_alike)
    story.reach(State.VERIFICATION)
    verification = story.measure()
    found = verification.report["remedies"]
    dropped = next(
        remedy for remedy in found["ways"] if (remedy["code"], remedy["column"]) == ("drop", "性别")
    )
    assert [one["passes"] for one in dropped["outcome"]["utility"]] == [True, False, False]
    assert not dropped["outcome"]["passes"]
    shown = shown_of(verification)
    row = shown.rows[found["ways"].index(dropped)]
    assert len(row.missed) == 2
    assert all("性别" in line for line in row.missed)
    client.force_login(people.executor)
    page = client.get(url(story, "verification:page")).content.decode()
    assert all(line in page for line in row.missed)

    first = found["ways"][0]
    assert first["outcome"]["passes"]
    back(story)
    remedy_take(verification, number=1, by=people.executor)
    run_of(story)
    project_move(story.fresh(), move=Move.SUBMIT_PROCESSING, by=people.executor)
    story.fresh()
    story.review()
    measured = [check["measured"] for check in story.measure().checks if check["kind"] == "utility"]
    assert measured == pytest.approx([one["measured"] for one in first["outcome"]["utility"]])


def test_a_column_that_comes_into_the_model_leaves_what_treated_it(people):
    """A quasi-identifier that the recipe coarsens by itself, and one that it leaves as it is."""
    content = {
        "recipe": 1,
        "steps": [
            {
                "technique": "generalization.rounding",
                "columns": ["年龄", "费用"],
                "parameters": {"base": 5.0},
            },
            {"technique": "as_is", "columns": ["性别"], "parameters": {"reason": "because"}},
            {"technique": "statistical.sampling", "columns": ["年龄"], "parameters": {"fraction": 0.5}},
        ],
    }
    remedy = {
        "code": "settings",
        "column": "",
        "settings": {"k": 5, "average_risk": None, "suppression_limit": 0.1},
    }
    star = {"kind": "star"}
    made = with_remedy(content, ["性别", "年龄"], Remedy.model_validate(remedy), {"性别": star})
    assert [step["technique"] for step in made["steps"]] == [
        "generalization.rounding", "statistical.sampling", "model.k_anonymity",
    ]  # fmt: skip
    assert made["steps"][0]["columns"] == ["费用"]
    model = made["steps"][-1]
    assert model["columns"] == ["性别", "年龄"]
    assert model["parameters"]["hierarchies"] == {"性别": star, "年龄": star}
    assert model["parameters"]["k"] == 5
    assert "unfit" not in model["parameters"], "nothing is changed that nobody asked for"
    misread = with_remedy(content, ["性别", "年龄"], Remedy.model_validate(remedy), {}, {"年龄"})
    assert misread["steps"][-1]["parameters"]["unfit"] == "suppress"
    drop = {**remedy, "code": "drop", "column": "年龄"}
    dropped = with_remedy(content, ["性别", "年龄"], Remedy.model_validate(drop), {"性别": star})
    assert dropped["steps"][0] == {
        "technique": "suppression.remove_column", "columns": ["年龄"], "parameters": {},
    }  # fmt: skip
    assert dropped["steps"][-1]["columns"] == ["性别"]
    drawing = next(step for step in dropped["steps"] if step["technique"] == "statistical.sampling")
    assert drawing == {
        "technique": "statistical.sampling",
        "columns": ["性别"],
        "parameters": {"fraction": 0.5},
    }
    assert content["steps"][0]["columns"] == ["年龄", "费用"], "the version that was measured stays as it is"


def test_the_classes_that_are_too_small_are_suppressed_in_one_act(people, monkeypatch):
    """T/ISC 0078 C.6 b: nothing is generalised further, and what is left has k records in each class."""
    monkeypatch.setattr("deid_portal.demo.story.UTILITY", [{"kind": "rows_retained", "bound": 0.1}])
    targets = SmallStory.risk

    def risk(self):
        return targets(self).model_copy(
            update={"k": 8, "average_risk": 0.2, "overall_threshold": 0.2, "suppression_limit": 0.9}
        )

    monkeypatch.setattr(SmallStory, "risk", risk)

    def two_alike(content):
        model = next(step for step in content["steps"] if step["technique"] == "model.k_anonymity")
        model["parameters"] |= {"k": 2, "suppression_limit": 0.9, "average_risk": None}

    story = SmallStory(people, change=two_alike)
    story.reach(State.VERIFICATION)
    verification = story.measure()
    found = verification.report["remedies"]
    one = next(remedy for remedy in found["ways"] if remedy["code"] == "suppress")
    assert one["outcome"]["levels"] == found["now"]["levels"]
    assert one["outcome"]["passes"]
    back(story)
    remedy_take(verification, number=found["ways"].index(one) + 1, by=people.executor)
    made = run_of(story)
    assert made["levels"] == found["now"]["levels"]
    assert made["min_class"] >= verification.report["targets"]["k"]
    assert made["suppressed"] / ROWS == pytest.approx(one["outcome"]["suppressed"])
