"""What a release made outside the portal is related to: found for a target, told to live projects, and never claimed to be measured."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.translation import override
from rest_framework.test import APIClient

from approvals.audit.models import AuditEvent
from projects.core.models import Project
from projects.core.services import project_move
from projects.datasets.models import Dataset
from projects.monitoring.enums import ChangeKind
from projects.monitoring.models import ChangeEvent
from projects.monitoring.presentation import relations_texts
from projects.monitoring.register.selectors import lines_of, releases_seen
from projects.monitoring.relations import relations_of
from projects.objective.models import PartDraft
from projects.objective.plan.sentences import as_read
from projects.objective.presentation import scope_rows
from projects.objective.selectors import objective_of
from projects.objective.targets.register.content import Question
from projects.objective.targets.register.selectors import releases_found
from projects.objective.targets.register.services import register_look_up, related_take
from projects.processing.models import RunTable
from projects.releases.models import Release
from projects.releases.providers import relatives_pointer
from projects.releases.relatives.outside.kinship import outside_of
from projects.releases.relatives.outside.services import outside_correct, outside_withdraw
from projects.releases.relatives.presentation import overview, summary
from projects.releases.relatives.selectors import run_shown
from projects.releases.services import release_end
from projects.workflow import Move
from tests.projects.objective.steps import fill
from tests.projects.releases.relatives.test_lookup import OfPersons, opened
from tests.projects.releases.relatives.test_relatives import OtherUnmeasured, measured, released

from .steps import facts, recorded

pytestmark = pytest.mark.django_db
UNKNOWN = "could not be measured"


def START(people):
    released(people)
    return released(people, "Second study", kind=OtherUnmeasured)


@pytest.fixture(autouse=True)
def in_english(own_start):
    with override("en"):
        yield


@pytest.fixture
def second(own_start):
    return own_start.story


@pytest.fixture
def mine(own_start, people):
    return opened(people.planner)


def columns_of(project):
    return RunTable.objects.get(run=Release.objects.get(project=project).run_id).report["columns_out"]


def asked(project, by, **question):
    found = register_look_up(project, question=Question(**question), by=by).releases
    return [(one.number, one.by) for one in found if one.is_outside]


@pytest.mark.parametrize(
    ("known", "question", "by"),
    [
        ({"source": "City hospital register"}, {"source": "city hospital"}, ["source"]),
        ({"subject_columns": ["Patient"]}, {"subject": ["patient"]}, ["subject"]),
        ({"columns": ["A1", "b1", "c1"]}, {"columns": ["a1", "B1", "x", "y"]}, ["columns"]),
        ({"columns": ["a1", "b1", "c1"]}, {"columns": ["a1", "x", "y"]}, None),
        ({"source": "City hospital register"}, {"source": "Police"}, None),
        (
            {"source": "City hospital register", "columns": ["a1", "b1"], "subject_columns": ["a1"]},
            {"source": "City hospital register", "columns": ["a1", "b1"], "subject": ["a1"]},
            ["source", "subject", "columns"],
        ),
    ],
)
def test_a_target_finds_it_by_what_is_known_of_it(mine, people, known, question, by):
    recorded(people, **known)
    assert asked(mine, people.planner, **question) == ([("O-1", by)] if by else [])


def test_a_target_finds_it_by_the_hash_of_a_file_of_the_project(second, people):
    sha256 = Dataset.objects.filter(project=second.project).first().sha256
    recorded(people, sha256=sha256)
    (one,) = [row for row in releases_found(people.planner, second.project, Question()) if row.is_outside]
    assert (one.by, one.title, one.is_hidden, one.is_live) == (["copy"], "Visits for the city", False, True)


def test_what_was_withdrawn_is_not_found(mine, people):
    entry = recorded(people, source="City hospital register")
    outside_withdraw(entry, reason="never", by=people.planner)
    assert asked(mine, people.planner, source="City hospital register") == []


def test_the_target_names_it_as_one_made_outside(mine, people, client):
    recorded(people, source="City hospital register")
    project = fill(mine, people)
    register_look_up(project, question=Question(source="City hospital register"), by=people.planner)
    client.force_login(people.planner)
    page = client.get(reverse("objective:register", args=[project.pk]), headers={"accept-language": "en"})
    assert "Outside the portal" in page.content.decode()
    assert related_take(project, seen="", by=people.planner) == 1
    scope = objective_of(Project.objects.get(pk=project.pk)).scope
    assert scope["related"] == [
        {
            "number": "O-1", "title": "Visits for the city", "sharing_type": "controlled", "state": "", "by": ["source"],
            "is_outside": True,
        }
    ]  # fmt: skip
    shown = next(row["value"] for row in scope_rows(scope) if "O-1" in row["value"])
    assert "O-1 Visits for the city, made outside the portal (the same data source)" in shown


def test_a_draft_of_the_relation_says_that_it_was_made_outside(mine, people):
    recorded(people, source="City hospital register")
    register_look_up(mine, question=Question(source="City hospital register"), by=people.planner)
    related_take(mine, seen="", by=people.planner)
    (text,) = PartDraft.objects.get(project=mine).entries["relation"]
    assert "O-1 Visits for the city，门户之外的发布：" in text
    # The portal wrote the line, so each reader has it in their language.
    with override("en"):
        assert "O-1 Visits for the city, made outside the portal: the same data source" in as_read(text)


def test_live_projects_with_columns_of_the_same_names_look_again(second, people, client):
    columns = columns_of(second.project)
    before = ChangeEvent.objects.count()
    project_move(second.project, move=Move.SUSPEND, by=people.supervisor, reason="Looked into.")
    entry = recorded(people, columns=[one.upper() for one in columns])
    assert ChangeEvent.objects.count() == before + 2
    for change in ChangeEvent.objects.filter(noticed__isnull=False).order_by("-reported_at")[:2]:
        assert (change.kind, change.reported_by) == (ChangeKind.NEW_DATA, None)
        assert f"Release O-1, made outside the portal on {entry.released_on.isoformat()}" in change.said
        assert UNKNOWN in change.said
        assert entry.name not in change.said, "who reads the project may not read the entry"
        assert change.reassessment.is_open
        with override("zh-hans"):
            assert "门户之外" in change.said
    assert AuditEvent.objects.get(action="outside_release.recorded").facts["notified"] == 2


def test_the_same_file_and_the_same_persons_of_one_source_are_reasons_too(second, people):
    file = RunTable.objects.get(run=Release.objects.get(project=second.project).run_id).result_sha256
    before = ChangeEvent.objects.count()
    recorded(people, columns=["q"], sha256=file.upper())
    assert ChangeEvent.objects.count() == before + 1
    change = ChangeEvent.objects.order_by("reported_at").last()
    assert change.project == second.project
    assert "SHA-256" in change.said
    assert UNKNOWN in change.said
    persons = released(people, "Persons", kind=OfPersons).project
    before = ChangeEvent.objects.count()
    source = objective_of(persons).scope["source"]
    recorded(people, columns=["q"], source=source)
    assert ChangeEvent.objects.count() == before, "the same source alone says nothing of the persons"
    recorded(people, columns=["q"], source=source, subject_columns=["病历号"])
    (change,) = ChangeEvent.objects.filter(project=persons)
    assert "the same data source" in change.said
    assert UNKNOWN in change.said


def test_who_has_nothing_in_common_or_is_over_is_not_told(second, people):
    before = ChangeEvent.objects.count()
    recorded(people)
    columns = columns_of(second.project)
    for release in Release.objects.all():
        release_end(release, why="Over.", by=people.planner)
    recorded(people, columns=columns)
    assert ChangeEvent.objects.count() == before


def test_a_correction_tells_those_whom_it_concerns_otherwise(second, people):
    columns = columns_of(second.project)
    entry = recorded(people, columns=columns)
    before = ChangeEvent.objects.count()
    entry = outside_correct(
        entry, facts(columns=columns, recipients="Another office"), reason="so", by=people.planner
    )
    assert ChangeEvent.objects.count() == before, "the same columns: they were told"
    entry = outside_correct(entry, facts(columns=columns[:-1]), reason="so", by=people.planner)
    assert ChangeEvent.objects.count() > before


def test_what_was_measured_is_not_called_all(second, people, client):
    measured(second)
    before = summary(second.project)
    assert (before["outside"], UNKNOWN in before["text"]) == (0, False)
    recorded(people, columns=columns_of(second.project))
    after = summary(second.project)
    assert after["text"].startswith(before["text"])
    assert "1 release made outside the portal may concern the same persons (O-1)" in after["text"]
    assert UNKNOWN in after["text"]
    assert UNKNOWN in relatives_pointer(second.project).text
    shown = overview(second.project, people.planner)["outside"]
    assert [(one["name"], one["why"]) for one in shown] == [
        ("O-1 Visits for the city", "columns of the same names")
    ]
    hidden = overview(second.project, people.executor)["outside"]
    assert [(one["id"], one["name"]) for one in hidden] == [(None, "O-1")]
    client.force_login(people.executor)
    page = client.get(
        reverse("releases:relatives", args=[second.project.pk]), headers={"accept-language": "en"}
    ).content.decode()
    assert "Made outside the portal" in page
    assert "Visits for the city" not in page
    caller = APIClient()
    caller.force_authenticate(people.executor)
    (row,) = caller.get(reverse("api:release-relatives", args=[second.project.pk])).json()["outside"]
    assert (row["mark"], row["id"]) == ("O-1", None)


def test_a_reassessment_is_never_settled_beside_one(second, people):
    recorded(people, columns=columns_of(second.project))
    found = relations_of(run_shown(second.project))
    assert found.outside == 1
    assert not found.is_settled
    assert relations_texts(found)[-1].startswith(
        "1 release made outside the portal may concern the same persons;"
    )
    assert UNKNOWN in relations_texts(found)[-1]
    recorded(people, columns=columns_of(second.project), name="Another")
    two = relations_texts(relations_of(run_shown(second.project)))
    assert two[-1].startswith("2 releases made outside the portal may concern the same persons;")
    assert not any("outside" in text for text in relations_texts(found.model_copy(update={"outside": 0})))
    assert not found.model_copy(update={"releases": 0}).is_settled
    only = relations_texts(found.model_copy(update={"releases": 0}))
    assert len(only) == 1
    assert UNKNOWN in only[0]


def test_the_register_says_it_of_each_release(second, people, client):
    recorded(people, columns=columns_of(second.project))
    line = lines_of(people.auditor, list(releases_seen(people.auditor)))[0]
    assert [one.entry.mark for one in line.outside] == ["O-1"]
    line.is_risky = False
    assert line.tells_more is None
    line.is_risky = True
    assert line.tells_more is True
    client.force_login(people.auditor)
    (row, _other) = client.get(reverse("api:register")).json()["results"]
    assert [(one["mark"], one["name"]) for one in row["outside"]] == [("O-1", "O-1 Visits for the city")]


def test_more_entries_cost_no_more_statements(second, people, client):
    columns = columns_of(second.project)
    client.force_login(people.auditor)

    def statements(address) -> int:
        with CaptureQueriesContext(connection) as found:
            client.get(address)
        return len(found)

    addresses = [reverse("board:register"), reverse("releases:relatives", args=[second.project.pk])]
    recorded(people, columns=columns)
    for address in addresses:
        statements(address)
    before = [statements(address) for address in addresses]
    recorded(people, columns=columns, name="Another")
    assert [statements(address) for address in addresses] == before
    assert max(before) <= 21
    assert len(outside_of(run_shown(second.project))) == 2
