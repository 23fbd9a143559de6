"""Answers that devices randomised are estimated by a job, shown with what they guarantee, and not kept."""

from __future__ import annotations

import random

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from approvals.audit.models import AuditEvent
from approvals.governance.verdict import Refused
from projects.datasets.models import StoredFile
from projects.jobs.services import job_cancel
from projects.queries.local.services import PURPOSE, estimate_start, may_estimate
from projects.queries.models import LocalEstimate
from projects.workflow import State
from techniques.models.local_privacy.client import BITS
from techniques.models.local_privacy.reports import encoded, findings
from techniques.models.local_privacy.survey import Survey
from tests.projects.processing.conftest import SmallStory, make_csv

pytestmark = pytest.mark.django_db
SURVEY = Survey(kind="response", epsilon=1, choices=("yes", "no", "sometimes"))


def planned(people):
    story = SmallStory(vars(people), "A survey", make_csv(), file_name="visits.csv", documents=False)
    story.reach(State.IDENTIFICATION)
    return story


START = planned


@pytest.fixture
def story(own_start):
    return own_start.story


@pytest.fixture
def people(own_start):
    return own_start.people


def drawn(number=600, share=0.5):
    """What devices would send of so many persons, that share of whom say yes."""
    seeded = random.Random(7)
    values = ["yes" if place < number * share else "no" for place in range(number)]
    return [encoded(value, SURVEY, lambda: seeded.getrandbits(BITS)) for value in values]


def started(story, people, content, **more):
    given = {
        "title": "Who smokes",
        "survey": SURVEY.model_dump(mode="json"),
        "column": "report",
        "person_key": [],
    }
    return estimate_start(story.project, content=content.encode(), by=people.executor, **given | more)


def page(client, who, project, language="en", **more):
    client.force_login(who)
    address = reverse("queries:local", args=[project.pk])
    return client.get(address, more, headers={"accept-language": language}).content.decode()


def test_the_estimates_are_the_engines_and_the_file_goes(story, people):
    reports = drawn()
    estimate, _job = started(story, people, "report\n" + "\n".join(reports) + "\n")
    story.run_jobs()
    estimate.refresh_from_db()
    wanted = findings(reports, SURVEY).model_dump(mode="json")
    assert {name: estimate.result[name] for name in wanted} == wanted
    assert abs(wanted["lines"][0]["value"] - 0.5) < 0.15
    assert (estimate.stored, len(estimate.content_hash)) == (None, 64)
    assert not StoredFile.objects.filter(purpose=PURPOSE).exists()
    assert not StoredFile.objects.filter(scope__startswith="local_estimate:").exists()
    actions = AuditEvent.objects.filter(action__startswith="local_estimate.").order_by("seq")
    assert [one.action for one in actions] == ["local_estimate.started", "local_estimate.estimated"]


def test_of_a_person_one_answer_counts(story, people):
    content = (
        "\ufeffwho,report\n"
        + "".join(f"{place // 2},{one}\n" for place, one in enumerate(drawn(100)))
        + "x,9\n"
    )
    estimate, _job = started(story, people, content, person_key=["who"])
    story.run_jobs()
    estimate.refresh_from_db()
    found = estimate.result
    assert (found["rows"], found["answers"], found["repeated"], found["unreadable"]) == (101, 50, 50, 1)


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_the_page_says_estimates_settings_and_what_is_guaranteed(client, story, people, language):
    started(story, people, "report\n" + "\n".join(drawn()) + "\n")
    story.run_jobs()
    (estimate,) = LocalEstimate.objects.all()
    text = page(client, people.supervisor, story.project, language)
    for words in ("2.718", "B.2.3", "600", "sometimes", estimate.content_hash[:8]):
        assert words in text
    said = "at most 2.718 times as likely" if language == "en" else "2.718倍"
    assert said in text
    assert "local_privacy.js" in text
    client.force_login(people.supervisor)
    kit = client.get(reverse("queries:local_kit", args=[story.project.pk]))
    assert kit["Content-Disposition"] == 'attachment; filename="local_privacy.py"'
    assert reverse("queries:local_kit", args=[story.project.pk]) in text
    made: dict[str, object] = {}
    exec(compile(kit.content, "local_privacy.py", "exec"), made)
    assert made["response"](1, 3, 20.0) in range(3)
    client.force_login(people.outsider)
    assert client.get(reverse("queries:local", args=[story.project.pk])).status_code == 404


def test_a_mean_has_no_share(client, story, people):
    survey = Survey(kind="number", epsilon=1, low=0, high=100).model_dump(mode="json")
    started(story, people, "report\n" + "40\n60\n" * 30, survey=survey)
    story.run_jobs()
    text = page(client, people.executor, story.project)
    assert "Mean" in text
    assert "Estimated shares" not in text
    assert LocalEstimate.objects.get().result["lines"][0]["value"] == 50


def test_only_the_executor_and_one_at_a_time(story, people):
    for who in (people.planner, people.supervisor, people.management, people.auditor):
        with pytest.raises(Refused):
            estimate_start(
                story.project, title="x", content=b"report\n0\n", survey=SURVEY.model_dump(mode="json"), column="report",
                person_key=[], by=who,
            )  # fmt: skip
    assert not StoredFile.objects.filter(purpose=PURPOSE).exists()
    _estimate, job = started(story, people, "report\n0\n")
    assert may_estimate(people.executor, story.project).code == "being_estimated"
    job_cancel(job, by=people.executor)
    story.run_jobs()
    assert not StoredFile.objects.filter(purpose=PURPOSE).exists()
    assert AuditEvent.objects.filter(action="local_estimate.broken_off").exists()
    assert may_estimate(people.executor, story.project)


def test_what_cannot_be_read_says_why_and_leaves_nothing(story, people):
    estimate, _job = started(story, people, "answer\n0\n")
    with pytest.raises(RuntimeError, match="unknown_column"):
        story.run_jobs()
    estimate.refresh_from_db()
    assert (estimate.measured_at, estimate.stored, estimate.ended_at is not None) == (None, None, True)
    assert not StoredFile.objects.filter(purpose=PURPOSE).exists()


def test_through_the_page_and_the_interface(client, story, people):
    client.force_login(people.executor)
    address = reverse("queries:local_start", args=[story.project.pk])
    content = ("report\n" + "\n".join(drawn()) + "\n").encode()

    def form(**more):
        return {
            "title": "Who smokes", "kind": "response", "epsilon": "1", "choices": "yes\nno\nsometimes", "confidence": "0.95",
            "column": "report", "file": SimpleUploadedFile("reports.csv", content),
        } | more  # fmt: skip

    for wrong in ({"choices": "yes"}, {"kind": "number"}, {"epsilon": "50"}, {"title": ""}, {"file": ""}):
        assert client.post(address, form(**wrong)).status_code == 422
    assert not LocalEstimate.objects.exists()
    assert client.post(address, form()).status_code == 302
    story.run_jobs()
    by_program = reverse("api:queries-local", args=[story.project.pk])
    given = {"title": "Again", "survey": SURVEY.model_dump(mode="json"), "reports": content.decode()}
    answer = client.post(by_program, given, content_type="application/json")
    assert answer.status_code == 202, answer.content
    story.run_jobs()
    again, first = client.get(by_program, headers={"accept-language": "en"}).json()
    assert again["result"] == first["result"]
    assert again["result"]["clause"] == "GB/T 37964-2019 B.2.3, B.2.5"
    assert "at most 2.718 times as likely" in " ".join(one["text"] for one in again["result"]["statements"])
    chinese, _first = client.get(by_program, headers={"accept-language": "zh-hans"}).json()
    assert "2.718倍" in " ".join(one["text"] for one in chinese["result"]["statements"])
    assert chinese["result"]["statements"][0]["params"] == {"epsilon": "1"}
    text = page(client, people.executor, story.project, estimate="1")
    assert 'href="?estimate=2#estimate"' in text
