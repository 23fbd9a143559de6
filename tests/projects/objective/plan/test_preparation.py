"""The plan says how the data are prepared before treatment, or why they are not (5.4.2): typed, asked, and shown."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import translation

from approvals.documents.models import Document
from projects.jobs.models import Job
from projects.jobs.services import job_run
from projects.objective import wording
from projects.objective.completeness import missing_items
from projects.objective.enums import Section
from projects.objective.models import PlanVersion
from projects.objective.plan.prefill import plan_prefill
from projects.objective.presentation import difference_rows, plan_rows
from projects.objective.selectors import objective_of, plan_content, plan_hash
from projects.objective.targets.content import PREPARING, Plan
from projects.objective.targets.reading import plan_read
from tests.approvals.documents.printed import needs_poppler, text_of
from tests.projects.objective.steps import fill, fresh, submit

pytestmark = pytest.mark.django_db
NORMALISE, SAMPLE = "preparation.normalise", "statistical.sampling"
SECTIONS = {section.value: f"text of {section.value}" for section in Section}
STEPS = {"steps": [NORMALISE, SAMPLE], "explanation": "One form for dates; one row in ten."}
NONE = {"steps": [], "explanation": "Every column has one form already."}


def edit(project) -> str:
    return reverse("objective:plan_edit", kwargs={"project_id": project.pk})


def save(planner, project, sent):
    """Sent by who has the page open as it is now."""
    seen = planner.get(edit(project)).context["seen"]
    return planner.post(edit(project), sent | {"seen": seen})


def form(*steps: str, explanation: str = "How it is done.") -> dict[str, str]:
    places = {f"preparation_{place}": key for place, key in enumerate(steps, start=1)}
    return SECTIONS | places | {"preparation_explanation": explanation}


@pytest.fixture
def planner(client, project, people):
    fill(project, people)
    client.force_login(people.planner)
    return client


def test_a_plan_of_before_the_question_keeps_its_content_to_the_letter():
    assert Plan(**SECTIONS).model_dump(mode="json") == SECTIONS
    assert plan_read(SECTIONS).preparation is None
    said = plan_read(SECTIONS | {"preparation": STEPS}).model_dump(mode="json")
    assert said == SECTIONS | {"preparation": STEPS}
    assert plan_read(said).model_dump(mode="json") == said


@pytest.mark.parametrize(
    "said",
    [
        {"steps": ["suppression.mask"], "explanation": "A treatment, not a preparation."},
        {"steps": [SAMPLE, SAMPLE], "explanation": "Twice."},
        {"steps": [NORMALISE], "explanation": "  "},
        {"steps": [], "explanation": ""},
        {"steps": [NORMALISE]},
        {"explanation": "Nothing chosen."},
        "none",
    ],
)
def test_what_is_no_preparation_is_refused(said):
    with pytest.raises(ValidationError) as error:
        plan_read(SECTIONS | {"preparation": said})
    assert list(error.value.message_dict) == ["preparation"]


def test_who_writes_a_plan_has_to_say_it():
    with pytest.raises(ValidationError) as error:
        plan_read(SECTIONS, stated=True)
    assert list(error.value.message_dict) == ["preparation"]


def test_there_is_a_place_for_each_technique_that_prepares():
    assert len(wording.PREPARATION) == len(PREPARING) == 3


def test_nothing_is_chosen_beforehand_and_what_is_saved_comes_back(planner, project):
    shown = planner.get(edit(project)).context["form"]
    names = [name for name in shown.fields if name.startswith("preparation")]
    assert [shown[name].value() for name in names] == [None] * 5
    assert "preparation" not in plan_prefill(project, objective_of(project))
    before = plan_hash(fresh(project))
    for step in ((), ("",)):
        answer = save(planner, project, form(*step))
        assert (answer.status_code, set(answer.context["form"].errors)) == (422, {"preparation_1"})
    assert plan_hash(fresh(project)) == before
    assert save(planner, project, form(NORMALISE, "", SAMPLE)).status_code == 302
    stored = objective_of(fresh(project)).plan["preparation"]
    assert stored == {"steps": [NORMALISE, SAMPLE], "explanation": "How it is done."}
    assert plan_hash(fresh(project)) != before
    again = planner.get(edit(project)).context["form"]
    assert [again[name].value() for name in names] == [NORMALISE, SAMPLE, None, None, "How it is done."]
    assert save(planner, project, form("none", explanation="One form.")).status_code == 302
    assert objective_of(fresh(project)).plan["preparation"] == {"steps": [], "explanation": "One form."}
    assert planner.get(edit(project)).context["form"]["preparation_1"].value() == "none"
    assert not missing_items(fresh(project))


@pytest.mark.parametrize("steps", [("none", SAMPLE), (SAMPLE, SAMPLE), (SAMPLE, "", SAMPLE)])
def test_choices_that_do_not_go_together(planner, project, steps):
    answer = save(planner, project, form(*steps))
    assert (answer.status_code, set(answer.context["form"].errors)) == (422, {"preparation_1"})


def test_half_of_it_is_kept_as_a_draft(planner, project):
    sent = {"preparation_1": NORMALISE, "then": "overview"}
    assert save(planner, project, sent).status_code == 302
    assert planner.get(edit(project)).context["form"]["preparation_1"].value() == NORMALISE
    assert "preparation" not in objective_of(fresh(project)).plan


def test_the_api_asks_the_same(planner, project):
    address = reverse("api:objective-plan", kwargs={"project_id": project.pk})

    def put(body):
        answer = planner.put(address, body, content_type="application/json")
        return answer.status_code, answer.json()

    status, body = put(SECTIONS)
    assert (status, list(body["errors"])) == (400, ["preparation"])
    status, body = put(SECTIONS | {"preparation": STEPS})
    assert (status, body["plan"]["preparation"]) == (200, STEPS)


def test_it_stands_under_the_scheme_and_a_change_of_it_is_a_difference(planner, project):
    rows = plan_rows(SECTIONS | {"preparation": STEPS})
    with translation.override("en"):
        labels = [row["key"] for row in rows]
    assert len(rows) == len(plan_rows(SECTIONS)) + 1
    place = next(n for n, row in enumerate(rows) if row["under"])
    assert rows[place]["under"] == rows[place - 1]["key"] == labels[place - 1]
    save(planner, project, form(NORMALISE))
    before = plan_content(fresh(project))
    save(planner, project, form("none", explanation="One form."))
    with translation.override("en"):
        ((label, old, new),) = difference_rows(before, plan_content(fresh(project)))
    assert label == "Preparation (5.4.2)"
    assert (old, new) == ("Normalisation\nHow it is done.", "Nothing is prepared\nOne form.")
    page = planner.get(reverse("objective:plan", kwargs={"project_id": project.pk})).content.decode()
    assert "One form." in page


@needs_poppler
def test_the_document_has_it(planner, project, people, tmp_path):
    save(planner, project, form(SAMPLE, NORMALISE, explanation="One row in ten, then one form."))
    submit(project, people)
    for job in Job.objects.filter(kind="objective.plan_pdf"):
        job_run(job.pk)
    assert PlanVersion.objects.get(project=project).content["plan"]["preparation"]["steps"][0] == SAMPLE
    text = text_of(Document.objects.get(kind="plan", language="en"), tmp_path)
    assert "Sampling → Normalisation" in text
    assert "One row in ten, then one form." in text
