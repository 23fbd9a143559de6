"""Others' data that became known after the release: looked for in it, and said in a re-assessment."""

from __future__ import annotations

import csv
import io

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils.translation import override

from projects.core.models import Project
from projects.datasets.models import Dataset
from projects.datasets.services import dataset_confirm
from projects.monitoring.documents import report_context
from projects.monitoring.models import Reassessment
from projects.monitoring.presentation import outside_texts
from projects.monitoring.report import Outside, Remeasurement
from projects.monitoring.services import reassessment_measure_again
from projects.releases.rules import may_receive
from projects.releases.selectors import current_release
from projects.verification.reports.gate import Population
from projects.verification.selectors import current_verification
from tests.projects.monitoring.steps import reported
from tests.projects.releases import stories

START = stories.released
STRANGERS = 100


@pytest.fixture
def made(monitored, people):
    return reported(monitored, people)


def register(columns):
    """Everybody of the source by these columns, and people who are not in it."""
    rows = list(csv.DictReader(io.StringIO(stories.data().decode("gb18030"))))
    out = io.StringIO()
    writer = csv.DictWriter(out, ["姓名", *columns], extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    for number in range(STRANGERS):
        writer.writerow({"姓名": f"stranger {number}"} | dict.fromkeys(columns, f"zzqx {number}"))
    return len(rows), out.getvalue().encode()


def test_brought_in_while_monitored_it_is_measured_and_touches_nothing_signed(
    monitored, made, people, client
):
    project = monitored.project
    columns = made.remeasured.columns
    number, content = register(columns)
    page = reverse("monitoring:reassessment", args=[project.pk, made.pk])
    upload = reverse("datasets:upload", args=[project.pk]) + "?population=1"
    for who in (people.planner, people.supervisor, people.management):
        client.force_login(who)
        sent = {"file": SimpleUploadedFile("register.csv", content)}
        assert client.post(upload, sent).status_code == 403
        assert (
            "Bring in outside data"
            not in client.get(page, headers={"accept-language": "en"}).content.decode()
        )
    client.force_login(people.executor)
    said = client.get(page, headers={"accept-language": "en"}).content.decode()
    assert "Bring in outside data" in said
    # Only others' data: what was released has its source already.
    sent = {"file": SimpleUploadedFile("register.csv", content)}
    assert client.post(upload.replace("?population=1", ""), sent).status_code == 403
    sent = {"file": SimpleUploadedFile("register.csv", content)}
    assert client.post(upload, sent).status_code == 302
    monitored.run_jobs()
    dataset_confirm(Dataset.objects.get(population=True), by=people.executor)
    monitored.run_jobs()
    project = Project.objects.get(pk=project.pk)
    assert current_verification(project) is not None
    assert may_receive(people.recipient, current_release(project))
    found = Reassessment.objects.select_related("project", "release").get(pk=made.pk)
    assert found.remeasured.outside == {}
    reassessment_measure_again(found, by=people.supervisor)
    monitored.run_jobs()
    found = Reassessment.objects.select_related("project", "release").get(pk=made.pk)
    (one,) = found.remeasured.outside.values()
    assert one.problem is None
    assert one.population.rows == number + STRANGERS
    assert one.looked_for == number + STRANGERS
    assert one.known == number
    assert set(one.columns) <= set(columns)
    # Nobody of elsewhere has their like, and who has shares a class of k at least.
    assert 0 < one.attempts <= number
    assert 0 < one.successes / one.attempts <= 1 / found.remeasured.k + 1e-9
    assert one.low < one.successes / one.attempts < one.high
    assert one.single == 0
    with override("en"):
        ((_name, lines),) = outside_texts(found.remeasured)
        context = report_context(found)
    assert any("is right in" in line for line in lines)
    shown = client.get(page, headers={"accept-language": "en"}).content.decode()
    assert all(line.split(":")[0] in shown for line in lines)
    assert [one[1] for one in context["outside"]] == [lines]
    assert set(lines) <= set(context["weigh"])
    # Figures of persons, never a value.
    assert "zzqx" not in str(found.measurement)
    assert "stranger" not in shown


def test_a_table_by_which_nobody_can_be_looked_for_says_so(monitored, made, people):
    from projects.datasets.services import dataset_upload
    from projects.datasets.tables.selectors import first_table

    content = io.BytesIO("姓名,爱好\n某人,棋\n".encode())
    table = first_table(Project.objects.get(pk=monitored.project.pk))
    dataset_upload(table, content=content, name="r.csv", by=people.executor, population=True)
    monitored.run_jobs()
    dataset_confirm(Dataset.objects.get(population=True), by=people.executor)
    monitored.run_jobs()
    reassessment_measure_again(made, by=people.supervisor)
    monitored.run_jobs()
    (one,) = Reassessment.objects.get(pk=made.pk).remeasured.outside.values()
    assert one.problem is not None
    with override("en"):
        ((_name, lines),) = outside_texts(Reassessment.objects.get(pk=made.pk).remeasured)
    assert lines[-1].startswith("Nobody of it could be looked for in the release.")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"attempts": 0}, 1),
        ({"attempts": 10, "successes": 2.5, "low": 0.1, "high": 0.5}, 2),
        ({"attempts": 10, "successes": 2.5, "low": 0.1, "high": 0.5, "single": 3, "single_right": 2}, 3),
    ],
)
def test_only_what_was_tried_is_said(given, said):
    one = Outside(population=Population(sha256="f" * 64), columns=["a", "b"], looked_for=20, **given)
    with override("en"):
        ((_name, lines),) = outside_texts(Remeasurement(outside={"": one}))
    lines = lines[-said:]
    assert lines[0] == (
        f"Persons of it who were looked for in the release: 20, by a, b; persons who have their like there: {given['attempts']}."
    )
    if said > 1:
        assert (
            lines[1]
            == "A guess about one of these is right in 25 % of the cases (95 % interval: 10 % to 50 %)."
        )
    if said > 2:
        assert lines[2] == "Matched by one person alone: 3; of these matches 2 are right."
    assert (
        sum("like there" in line or "A guess" in line or "one person alone" in line for line in lines) == said
    )
