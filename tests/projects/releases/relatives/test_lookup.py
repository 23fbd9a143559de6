"""The register of releases, looked up for a target: what is found and why, and what of it a planning manager may know."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse
from rest_framework.test import APIClient

from approvals.audit.models import AuditEvent
from approvals.audit.recording import recording
from approvals.governance.verdict import Refused
from deid_portal.accounts.events import USER_EDITED
from projects.core.enums import SharingType
from projects.core.models import Project
from projects.core.services import project_create
from projects.identification.persons.services import count_start, person_key_decide
from projects.identification.selectors import current_round
from projects.monitoring.register.selectors import releases_seen
from projects.objective.enums import Part
from projects.objective.forms import ScopeForm
from projects.objective.models import PartDraft, RegisterLookup
from projects.objective.pages import history_of, scope_form, seen_of
from projects.objective.presentation import scope_rows
from projects.objective.selectors import objective_of
from projects.objective.services import sharing_choose
from projects.objective.targets.register.content import Question
from projects.objective.targets.register.services import register_look_up, related_take
from projects.objective.wording import NOTHING_DISCLOSED
from projects.releases.models import Release
from projects.releases.relatives.lookup import mark_of
from projects.releases.services import release_end
from tests.projects.objective.steps import SCOPE, fill
from tests.projects.processing.conftest import SmallStory

from .test_relatives import released

pytestmark = pytest.mark.django_db
BY_COLUMNS = Question(columns=["诊断", "费用", "性别", "出生日期", "x"])


class OfPersons(SmallStory):
    """Identification has decided by which column persons are told apart, and so the recipe says it."""

    def judge(self) -> None:
        super().judge()
        reason, by = (
            "One record number for each person, as the registration office assigns them.",
            self.people["executor"],
        )
        count_start(current_round(self.project), ("病历号",), by=by)
        self.run_jobs()
        person_key_decide(current_round(self.project), ("病历号",), reason=reason, by=by)


def START(people):
    return released(people)


@pytest.fixture
def release(own_start):
    return Release.objects.get()


def opened(by):
    project = project_create(title="A new study", by=by)
    return sharing_choose(project, sharing_type=SharingType.CONTROLLED, by=by)


@pytest.fixture
def mine(release, people):
    return opened(people.planner)


@pytest.fixture
def theirs(release, people):
    return opened(people.outsider)


def asked(project, by, **question):
    return register_look_up(project, question=Question(**question), by=by).releases


def test_columns_of_the_same_names_are_a_reason_from_half_of_the_fewer_on(mine, people, release):
    (one,) = register_look_up(mine, question=BY_COLUMNS, by=people.planner).releases
    assert (one.number, one.title, one.by) == (release.project.number, release.project.title, ["columns"])
    assert set(one.columns) < set(BY_COLUMNS.columns)
    assert len(one.columns) >= 2
    assert (one.releases, one.is_live, one.is_hidden) == (1, True, False)
    assert asked(mine, people.planner, columns=["诊断"]) == []
    assert asked(mine, people.planner, columns=["诊断", "a", "b"]) == []


def test_the_source_is_found_within_more_words(mine, people, release):
    theirs = objective_of(release.project).scope["source"]
    (one,) = asked(mine, people.planner, source=f"({theirs})")
    assert one.by == ["source"]
    assert asked(mine, people.planner, source=theirs[:2]) == []
    assert asked(mine, people.planner, source="Somebody else's register") == []


def test_persons_told_apart_by_the_same_column(mine, people):
    persons = released(people, "Persons", kind=OfPersons).project
    (one,) = asked(mine, people.planner, subject=["病历号", "another"])
    assert (one.number, one.by) == (persons.number, ["subject"])
    assert asked(mine, people.planner, subject=["another"]) == []


def test_an_ended_release_counts_since_what_was_fetched_stays(mine, people, release):
    release_end(release, why="Over.", by=people.planner)
    (one,) = register_look_up(mine, question=BY_COLUMNS, by=people.planner).releases
    assert not one.is_live


def test_of_a_hidden_project_there_is_a_mark_and_the_reason(theirs, people, release, client):
    (one,) = register_look_up(theirs, question=BY_COLUMNS, by=people.outsider).releases
    assert (one.is_hidden, one.number, one.title) == (True, mark_of(release.pk), "")
    assert (one.sharing_type, one.state) == ("", "")
    client.force_login(people.outsider)
    page = client.get(reverse("objective:register", args=[theirs.pk])).content.decode()
    assert mark_of(release.pk) in page
    for secret in (release.project.title, release.project.number, str(release.pk)):
        assert secret not in page
    assert list(releases_seen(people.auditor, q=mark_of(release.pk))) == [release]
    assert not releases_seen(people.outsider, q=mark_of(release.pk)).exists()
    event = AuditEvent.objects.get(action="objective.register_looked_up")
    assert (event.facts["found"], event.facts["hidden"]) == (1, 1)


def test_one_click_names_them_in_what_is_saved_and_the_plan_says_why(mine, people, release):
    project = fill(mine, people)
    register_look_up(project, question=BY_COLUMNS, by=people.planner)
    before = objective_of(project).scope["relation"]
    assert related_take(project, seen="", by=people.planner) == 1
    project = Project.objects.get(pk=project.pk)
    scope = objective_of(project).scope
    (row,) = scope["related"]
    assert (row["number"], row["by"]) == (release.project.number, ["columns"])
    assert scope["relation"] == before
    shown = next(one["value"] for one in scope_rows(scope) if release.project.number in one["value"])
    assert release.project.title in shown
    # It may be changed afterwards: unticked, it goes.
    form = scope_form(project, people.planner, objective_of(project), SCOPE)
    assert form.is_valid(), form.errors
    assert form.content.related == []


def test_one_click_begins_a_draft_where_nothing_is_saved(theirs, people, release, client):
    register_look_up(theirs, question=BY_COLUMNS, by=people.outsider)
    client.force_login(people.outsider)
    done = client.post(reverse("objective:register_take", args=[theirs.pk]))
    assert done.url == reverse("objective:scope", args=[theirs.pk])
    draft = PartDraft.objects.get(project=theirs, part=Part.SCOPE)
    assert draft.entries["related"] == [mark_of(release.pk)]
    assert mark_of(release.pk) in draft.entries["relation"][0]
    assert release.project.title not in draft.entries["relation"][0]
    page = client.get(done.url)
    assert page.context["form"]["related"].value() == [mark_of(release.pk)]
    sent = SCOPE | {"related": [mark_of(release.pk)], "seen": seen_of(theirs, Part.SCOPE)}
    assert client.post(done.url, sent).status_code == 302
    (row,) = objective_of(Project.objects.get(pk=theirs.pk)).scope["related"]
    assert (row["number"], row["title"], row["by"]) == (mark_of(release.pk), "", ["columns"])


def test_nothing_disclosed_is_not_offered_where_the_register_names_some(mine, people):
    project = fill(mine, people)
    nothing = SCOPE | {"relation": "", "relation_chosen": ["0"]}
    assert scope_form(project, people.planner, objective_of(project), nothing).is_valid()
    register_look_up(project, question=BY_COLUMNS, by=people.planner)
    project = Project.objects.get(pk=project.pk)
    form = scope_form(project, people.planner, objective_of(project), nothing)
    assert list(form.errors) == ["relation"]
    history = history_of(project, people.planner, {})
    plain = ScopeForm(nothing, history=history)
    assert plain.is_valid()
    assert plain.content.relation == str(NOTHING_DISCLOSED)


def test_who_does_not_plan_looks_nothing_up(mine, people):
    with pytest.raises(Refused):
        register_look_up(mine, question=BY_COLUMNS, by=people.outsider)
    assert not RegisterLookup.objects.exists()


def test_a_lookup_stays_as_it_was(mine, people):
    made = register_look_up(mine, question=BY_COLUMNS, by=people.planner)
    rows = RegisterLookup.objects.filter(pk=made.pk)
    for alter in (lambda: rows.update(found=[]), rows.delete):
        with pytest.raises(IntegrityError), transaction.atomic(), recording(USER_EDITED, by=None):
            alter()


def test_programs_look_it_up_too(mine, people, release):
    caller = APIClient()
    caller.force_authenticate(people.planner)
    path = reverse("api:objective-register", args=[mine.pk])
    assert caller.post(path, {"columns": "a,b"}, format="json").status_code == 400
    made = caller.post(path, BY_COLUMNS.model_dump(), format="json")
    assert made.status_code == 201
    assert made.json()["found"][0]["number"] == release.project.number
    assert [one["id"] for one in caller.get(path).json()] == [made.json()["id"]]
    assert caller.post(reverse("api:objective-register-take", args=[mine.pk])).status_code == 200
    assert PartDraft.objects.get(project=mine).entries["related"] == [release.project.number]
