"""A result's relatives: which they are, what each combination tells, who is told, and that no value is shown."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.db import models
from django.urls import reverse
from django.utils.translation import override

from approvals.audit.models import AuditEvent
from approvals.governance.verdict import Refused
from deid_portal.demo.story import run_jobs, without_dispensable
from projects.core.models import Project
from projects.core.pages import pointers
from projects.datasets.models import Dataset
from projects.datasets.tables.selectors import first_table
from projects.jobs.enums import JobStatus
from projects.jobs.models import Job
from projects.jobs.services import job_cancel
from projects.processing.recipes.services import recipe_save
from projects.processing.recipes.suggestion import recipe_suggest
from projects.releases.home import relatives_unmeasured
from projects.releases.models import RelativesMeasurement, Release
from projects.releases.relatives import selectors
from projects.releases.relatives.api import RelativesSerializer
from projects.releases.relatives.presentation import overview, summary
from projects.releases.relatives.report import OWN, findings_of
from projects.releases.relatives.selectors import (
    _Comparison,
    _released,
    _traces_of,
    measured_groups,
    relatives_by_run,
    relatives_of,
    run_shown,
    sets_left_out,
)
from projects.releases.relatives.services import RELATIVES_JOB, measurement_start
from projects.workflow import Stage, State
from tests.projects.processing.conftest import UNPREPARED, SmallStory, make_csv

pytestmark = pytest.mark.django_db
BACKEND = "deid_portal.accounts.backends.AccountBackend"


def rare_women() -> bytes:
    """Of 200 men and 100 women three women are born in the forties, and no diagnosis is both men's and women's."""
    rows = []
    for n in range(300):
        is_man = n < 200
        year = 1940 + n % 60 if is_man else 1941 if n >= 297 else 1960 + n % 40
        ill = ("高血压", "肺炎") if is_man else ("糖尿病", "哮喘")
        rows.append(
            f"王小,BL{n:08},{'男' if is_man else '女'},{year}-03-{1 + n % 28:02},{ill[n % 4 == 0]},100.50"
        )
    return "\n".join(["姓名,病历号,性别,出生日期,诊断,费用", *rows, ""]).encode()


class OtherRecipe(SmallStory):
    """Gives the sex and not the birth date, the other way round than the small story does."""

    def write_recipe(self) -> None:
        content = recipe_suggest(first_table(self.project)) | {"unprepared": UNPREPARED}
        content = without_dispensable(content, ("出生日期",))
        recipe_save(first_table(self.project), content=content, by=self.people["executor"])


class Cancelled:
    """A story whose people cancel each measurement with related releases that begins by itself."""

    def run_jobs(self) -> None:
        for job in Job.objects.filter(kind=RELATIVES_JOB, status=JobStatus.QUEUED):
            job_cancel(job, by=job.requested_by)
        super().run_jobs()


class Unmeasured(Cancelled, SmallStory):
    pass


class OtherUnmeasured(Cancelled, OtherRecipe):
    pass


def released(people, title="First study", content=None, kind=SmallStory) -> SmallStory:
    story = kind(vars(people), title, content or rare_women(), file_name="visits.csv", documents=False)
    story.reach(State.MONITORING)
    return story


def START(people):
    released(people)
    return released(people, "Second study", kind=OtherUnmeasured)


@pytest.fixture
def in_english():
    with override("en"):
        yield


@pytest.fixture
def second(own_start):
    return own_start.story


@pytest.fixture
def first(second):
    return Release.objects.exclude(project=second.project).get()


def measured(story) -> RelativesMeasurement:
    made, _job = measurement_start(story.project, by=story.people["executor"])
    run_jobs(documents=False)
    made.refresh_from_db()
    return made


def test_releases_of_one_file_are_relatives(second, first):
    (one,) = relatives_of(run_shown(second.project))
    assert (one.release_id, one.same_source, one.versions) == (first.pk, {"": ""}, {})


def test_a_file_with_the_same_columns_is_another_version(second, people):
    third = released(people, "Third study", make_csv(seed=2))
    found = relatives_of(run_shown(third.project))
    assert [(one.same_source, one.versions) for one in found] == [({}, {"": ""})] * 2


def test_the_recipe_of_a_release_with_nothing_in_common_is_not_understood(second, first, monkeypatch):
    run = run_shown(second.project)

    def near(run):
        (relatives,) = relatives_by_run([run]).values()
        with monkeypatch.context() as whole:
            whole.setattr(selectors._Comparison, "is_near", lambda self, one: True)
            assert [*relatives] == [*relatives_of(run)], "as if every release were read whole"
        (spared,) = relatives_by_run([run], sparing=True).values()
        assert [*spared] == [*relatives]
        assert vars(spared) == vars(relatives)
        comparison = _Comparison(_traces_of({run.pk}))
        return {run.pk} | comparison.near_among(_released().exclude(run=run))

    assert near(run) == {run.pk, first.run_id}
    dataset = models.QuerySet(Dataset).filter(project=first.project)
    dataset.update(sha256="0" * 64, columns=["性别", "another"])
    assert near(run) == {run.pk}
    assert relatives_of(run) == []
    dataset.update(columns=["性别", "出生日期", "another"])
    assert near(run) == {run.pk, first.run_id}
    assert [one.versions for one in relatives_of(run)] == [{"": ""}]


def test_releases_of_one_page_are_relatives_of_each_other(second, first):
    """Nothing beside those that are asked about has anything to do with them."""
    runs = [run_shown(second.project), run_shown(first.project)]
    whole, spared = (relatives_by_run(runs, sparing=sparing) for sparing in (False, True))
    assert {*whole} == {*spared} == {run.pk for run in runs}
    for run, other in zip(runs, runs[::-1], strict=True):
        assert [one.project_id for one in spared[run.pk]] == [other.project_id]
        assert [*spared[run.pk]] == [*whole[run.pk]]


def test_pseudonyms_for_a_purpose_are_sought_where_both_may_make_them(second, first, monkeypatch):
    (own,) = _traces_of({run_shown(second.project).pk})
    apart = own._replace(file="another", key=uuid4(), columns=["another"])
    comparison = _Comparison([apart])
    assert not comparison.is_near(own)
    assert comparison.near_among(_released()) == set()
    # A word that every recipe has, so that each could say a purpose.
    monkeypatch.setattr(selectors, "_PURPOSE", "technique")
    assert not comparison.is_near(own), "what is asked about has none"
    comparison = _Comparison([apart])
    assert comparison.is_near(own)
    assert comparison.near_among(_released()) == {first.run_id, own.run}


def test_who_is_found_by_both_releases_alone_is_counted(second, first):
    """One gives the sex, the other the birth date: each leaves enough candidates, and who is ill like a woman and born in the
    forties is one of three."""
    made = measured(second)
    found, _alone = findings_of(made.findings)
    assert (found.problem, found.releases) == ("", (OWN, str(first.pk)))
    assert "诊断" in found.composed.by
    assert found.composed.alone >= made.k > found.composed.k == 3
    assert (found.composed.new, found.composed.persons) == (3, 300)
    assert found.is_risky
    actions = AuditEvent.objects.filter(action__startswith="relatives.").values_list("action", flat=True)
    # It began by itself at four moves and was cancelled, and so was that of the first study, which has a relative now.
    by_itself = ["relatives.due", "relatives.broken_off"] * 5
    assert sorted(actions) == sorted([*by_itself, "relatives.measured", "relatives.started"])


def test_one_result_released_twice_tells_no_more(second, people):
    """The same recipe on the same file: the combination is no worse than each alone."""
    third = released(people, "Third study", kind=OtherRecipe)
    pair = [
        one
        for one in findings_of(measured(third).findings)
        if one.releases[1:] == (str(Release.objects.get(project=second.project).pk),)
    ]
    assert [(one.composed.k, one.composed.new, one.is_risky) for one in pair] == [
        (pair[0].composed.alone, 0, False)
    ]


@pytest.mark.usefixtures("in_english")
def test_versions_of_a_table_are_compared_by_rows_and_counts(second, first, people):
    """One person more: the group that grew is named by its counts."""
    content = rare_women() + "王小明,BL99000001,男,1961-05-05,肺炎,88.50\n".encode()
    third = released(people, "A version with one more", content)
    made = measured(third)
    found = [one for one in findings_of(made.findings) if one.kind == "versions"]
    # The second study gives the sex alone and this one the birth date: nothing of their rows can be compared, and it says so.
    compared = {one.releases[1]: one for one in found}
    assert compared[str(Release.objects.get(project=second.project).pk)].problem.startswith(
        "The two releases have no"
    )
    version = compared[str(first.pk)]
    assert (version.problem, version.earlier) == ("", str(first.pk))
    assert (version.increment.new, version.increment.gone) == (1, 0)
    ((before, after),) = version.changed.found
    assert (after - before, version.changed.number) == (1, 1)
    assert version.is_risky
    assert f"{before} → {after}" in str(overview(third.project, people.planner)["findings"])
    shown = overview(third.project, people.planner)
    assert "王小明" not in str(shown)
    rows = [one for one in shown["findings"] if one["kind"] == "versions"]
    measured_rows = [one["sentences"][-2:] for one in rows if one["is_measured"]]
    ends = ["of an earlier row tell together.", "a group whose figures did not change."]
    assert measured_rows
    assert all(text.endswith(end) for row in measured_rows for text, end in zip(row, ends, strict=True))
    # Where nothing was measured there is nothing that it leaves out.
    assert not any("Not counted" in str(one["sentences"]) for one in rows if not one["is_measured"])


@pytest.mark.usefixtures("in_english")
def test_a_signer_reads_that_it_was_not_measured_and_then_what_was_found(second, people):
    project = Project.objects.get(pk=second.project.pk)
    assert summary(project)["measurement"] is None
    assert "1 other release may concern the same persons" in summary(project)["text"]
    assert [one.url for one in pointers(project, Stage(project.stage))] == [
        reverse("releases:relatives", args=[project.pk])
    ]
    assert len(relatives_unmeasured(people.supervisor)) == 2
    assert relatives_unmeasured(people.planner) == []
    measured(second)
    assert "combinations that reveal more than one release alone: 1" in summary(project)["text"]
    assert len(relatives_unmeasured(people.supervisor)) == 1


def test_a_new_relative_makes_a_measurement_old(second, people):
    measured(second)
    released(people, "Third study", kind=Unmeasured)
    assert summary(Project.objects.get(pk=second.project.pk))["measurement"] is None


def test_reviewer_and_signer_find_it_measured(first, people):
    """It begins as the verification is submitted, and again where another relative came before the release."""
    story = SmallStory(vars(people), "Third study", rare_women(), file_name="visits.csv", documents=False)
    story.reach(State.VERIFICATION)
    assert not RelativesMeasurement.objects.filter(project=story.project).exists()
    story.verify()
    story.project.refresh_from_db()
    assert summary(Project.objects.get(pk=story.project.pk))["measurement"].number == 1
    story.review()
    assert story.project.relatives_measurements.count() == 1
    released(people, "Fourth study")
    story.project.refresh_from_db()
    story.approve_release()
    story.project.refresh_from_db()
    story.release()
    found = summary(Project.objects.get(pk=story.project.pk))
    assert (found["measurement"].number, found["number"]) == (2, 3)
    due = AuditEvent.objects.filter(action="relatives.due").order_by("seq")
    of_story = due.filter(project_id=story.project.pk)
    assert [(one.actor_id, one.facts["relatives"]) for one in of_story] == [("", 2), ("", 3)]
    # The first had none when it was released; each of the others has its people look again.
    of_first = due.filter(project_id=first.project_id)
    assert [one.facts["relatives"] for one in of_first] == [1, 2, 3]
    assert summary(first.project)["measurement"] is not None


def test_a_cancelled_measurement_leaves_nothing(second, people):
    made, job = measurement_start(second.project, by=people.executor)
    with override("en"):
        assert summary(second.project)["text"].endswith("is being measured.")
    with pytest.raises(Refused) as caught:
        measurement_start(second.project, by=people.executor)
    assert caught.value.verdict.code == "relatives_measuring"
    job_cancel(Job.objects.get(pk=job.pk), by=people.executor)
    made.refresh_from_db()
    assert (made.measured_at, made.findings) == (None, [])
    assert made.ended_at is not None
    with override("en"):
        assert summary(second.project)["text"].endswith("was not measured.")
    assert measured(second).measured_at is not None


def test_who_signs_and_who_receives_cannot_start_it(second, people):
    for person in (people.management, people.recipient):
        with pytest.raises(Refused):
            measurement_start(second.project, by=person)


def test_page_and_api_name_no_project_that_one_may_not_see(client, second, first, people):
    measured(second)
    client.force_login(people.planner, backend=BACKEND)
    address = reverse("releases:relatives", args=[second.project.pk])
    shown = client.get(address, headers={"accept-language": "en"}).content.decode()
    assert first.project.number in shown
    assert "Each of these holds all of them" in shown
    found = client.get(reverse("api:release-relatives", args=[second.project.pk])).json()
    assert [one["is_risky"] for one in found["findings"]] == [True, False]
    assert found["measurement"]["number"] == 5
    hidden = overview(second.project, people.outsider)
    assert first.project.number not in str(hidden["relatives"])
    shown = RelativesSerializer(hidden).data
    assert str(first.pk) not in str(shown)
    assert shown["relatives"][0]["id"] is None
    assert (shown["findings"][0]["releases"], len(shown["findings"][0]["names"])) == ([], 1)


def test_the_page_starts_the_measurement(client, second, people):
    client.force_login(people.executor, backend=BACKEND)
    answer = client.post(reverse("releases:relatives_measure", args=[second.project.pk]))
    assert answer.status_code == 302
    (made,) = RelativesMeasurement.objects.filter(project=second.project, ended_at=None)
    assert made.requested_by == people.executor


@pytest.mark.parametrize("name", ["releases:relatives", "releases:page", "verification:decide", "core:home"])
def test_no_page_asks_too_much_where_there_are_relatives(
    name, client, second, people, django_assert_max_num_queries
):
    measured(second)
    client.force_login(people.planner, backend=BACKEND)
    address = reverse(name, args=[] if name == "core:home" else [second.project.pk])
    client.get(address)
    # The session and the person are read besides.
    with django_assert_max_num_queries(24):
        assert client.get(address).status_code == 200


@pytest.mark.parametrize("number", [1, 3, 5, 6])
def test_every_set_is_measured_or_it_is_said_how_many_are_not(number):
    releases = [str(place) for place in range(number)]
    groups = measured_groups(releases, [set(releases[:2])])
    measured = [{"kind": "composition", "table": "", "releases": list(one)} for one in groups]
    assert len(set(groups)) == len(groups)
    assert tuple(releases) in groups
    assert sets_left_out(measured) == (0 if number <= 5 else 2**6 - 1 - 8)
