"""A project that begins like another: drafts, and what has to be answered anew left open."""

from __future__ import annotations

import pytest
from django.urls import reverse

from projects.core.models import Project
from projects.core.services import project_create
from projects.objective.completeness import missing_items
from projects.objective.enums import Part
from projects.objective.models import Objective, PartDraft
from projects.objective.plan.saved.answers import ANEW
from tests.fixtures import make_project

from .steps import FACTORS, SCOPE, fill

pytestmark = pytest.mark.django_db


@pytest.fixture
def planner(client, people):
    client.force_login(people.planner)
    return client


@pytest.fixture
def copied(planner, people, project):
    source = fill(project, people)
    address = reverse("core:project_create") + f"?like={source.pk}"
    page = planner.get(address)
    assert not page.context["form"]["summary"].value(), (
        "what the earlier one was for is not what this one is for"
    )
    form = page.context["team_form"]
    team = {name: form[name].value() for name in form.fields}
    assert team["executor"] == str(people.executor.pk), "the same team is suggested"
    answer = planner.post(address, {"title": "Next year", "summary": "The same for 2027"} | team)
    made = Project.objects.get(title="Next year")
    assert answer.url == reverse("objective:together", args=[made.pk])
    return made


def test_answers_are_taken_over_as_drafts_and_nothing_is_saved(copied):
    assert copied.sharing_type == "controlled"
    assert not Objective.objects.filter(project=copied).exists()
    drafts = {one.part: one for one in PartDraft.objects.filter(project=copied)}
    assert set(drafts) == {Part.SCOPE, Part.FACTORS, Part.TARGETS}
    assert drafts[Part.SCOPE].entries["laws"] == [SCOPE["laws"]]
    assert drafts[Part.FACTORS].entries["protections"] == FACTORS["protections"]
    for part, names in ANEW.items():
        assert not names & set(drafts[part].entries), part
    assert {item.part for item in missing_items(copied)} == set(Part) - {Part.SHARING}


def test_what_has_to_be_answered_anew_is_named_and_empty(planner, copied):
    page = planner.get(reverse("objective:scope", args=[copied.pk]))
    form = page.context["form"]
    assert form["laws"].value() == SCOPE["laws"]
    assert form["regulations"].value() == SCOPE["regulations"]
    assert not form["relation"].value()
    assert not form["use_risk"].value()
    assert not form["use"].value(), "the page says that the use is left empty"
    for name in ("use", "use_risk", "related", "relation"):
        assert form.fields[name].label in page.context["anew"]
    half = planner.post(page.request["PATH_INFO"], {"laws": SCOPE["laws"]})
    assert half.status_code == 422
    saved = planner.post(page.request["PATH_INFO"], SCOPE | {"seen": page.context["seen"]})
    assert saved.url == reverse("objective:factors", args=[copied.pk])
    assert not PartDraft.objects.filter(project=copied, part=Part.SCOPE).exists()


def test_nobody_copies_what_they_may_not_see(planner, people):
    hidden = project_create(title="Somebody else's", by=people.outsider)
    for address in (f"?like={hidden.pk}", "?like=nonsense"):
        assert planner.get(reverse("core:project_create") + address).status_code == 404


def test_completely_public_sharing_is_chosen_and_confirmed_each_time(people):
    source = fill(make_project(people, "Published"), people, "public")
    made = project_create(title="Next", like=source, by=people.planner)
    made.refresh_from_db()
    assert not made.sharing_type
    assert not PartDraft.objects.filter(project=made).exists()
