"""Two tables on the pages and in the API: declared, linked, judged, written for, handed out; to whom it is open."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from deid_portal.organisation.services import ensure_defaults
from projects.datasets.models import Dataset, Table
from projects.datasets.tables.selectors import dataset_now, links_of, tables_of
from projects.identification.selectors import round_now
from projects.processing.models import Proposal
from projects.processing.recipes.selectors import current_recipe
from projects.workflow import State

from .stories import make_story, visits_recipe

UNPREPARED = {"unprepared": "Every column has one form."}
pytestmark = pytest.mark.django_db


@pytest.fixture
def story(people, django_capture_on_commit_callbacks):
    ensure_defaults()
    with django_capture_on_commit_callbacks(execute=False):
        yield make_story(people)


def url(name, project, **more):
    return reverse(name, kwargs={"project_id": project.pk, **more})


def text(response, status=200):
    assert response.status_code == status, response.content.decode()[:3000]
    return response.content.decode()


# Session, person and the second step are the frame's, paid once on every page.
FRAME = ("django_session", "otp_totp", 'accounts_user"."id" =', "SAVEPOINT")


def cheap(client, address, most=20):
    """The page's text, put together with few statements of its own."""
    client.get(address)
    with CaptureQueriesContext(connection) as statements:
        shown = text(client.get(address))
    own = [one["sql"] for one in statements if not any(part in one["sql"] for part in FRAME)]
    assert len(own) <= most, "\n".join(one[:150] + " … " + one[one.find("WHERE") :][:260] for one in own)
    return shown


def test_tables_are_declared_and_linked_on_the_data_page(story, people, client):
    project = story.reach(State.IDENTIFICATION)
    page = url("datasets:page", project)
    client.force_login(people.executor)
    assert "table-names" in text(client.get(page))
    client.post(url("datasets:tables", project), {"do": "declare", "names": "patients\nvi/sits"})
    (only,) = tables_of(project)
    client.post(url("datasets:tables", project), {"do": "declare", "names": "patients\nvisits"})
    patients, visits = tables_of(project)
    assert patients == only
    for table, content in ((patients, story.data), (visits, b"who,day\n1,2\n")):
        with_table = "" if table == patients else f"?table={table.pk}"
        from django.core.files.uploadedfile import SimpleUploadedFile

        answer = client.post(
            url("datasets:upload", project) + with_table, {"file": SimpleUploadedFile("t.csv", content)}
        )
        assert answer["Location"].endswith(with_table)
        story.run_jobs()
        dataset = dataset_now(table)
        client.post(
            url("datasets:confirm", project, dataset_id=dataset.pk),
            {"encoding": "utf-8", "delimiter": ",", "quote": '"', "header": "on"},
        )
        story.run_jobs()
    assert "姓名" in text(client.get(page))
    shown = text(client.get(f"{page}?table={visits.pk}"))
    assert "who" in shown
    # A link that joins nothing keeps the stage shut; the page says so.
    places = {"source": f"{visits.pk}:who", "target": f"{patients.pk}:病历号", "of_person": "on"}
    client.post(url("datasets:tables", project), {"do": "link", **places})
    story.run_jobs()
    (link,) = links_of(project)
    assert link.counts["orphans"] == link.counts["rows"] == 1
    assert "0 / 1" in text(client.get(page)) or "status" in text(client.get(page))
    client.post(url("datasets:tables", project), {"do": "unlink", "link": str(link.pk)})
    assert links_of(project) == []
    # A table that is taken out is no longer there, what was uploaded of it stays on record.
    client.post(url("datasets:tables", project), {"do": "declare", "names": "patients"})
    assert tables_of(project) == [only]
    assert client.get(f"{page}?table={visits.pk}").status_code == 404
    assert Dataset.objects.filter(table=visits).count() == 1
    # Others may look and not declare; strangers see nothing.
    client.force_login(people.supervisor)
    assert "table-names" not in text(client.get(page))
    assert client.post(url("datasets:tables", project), {"do": "declare", "names": "a\nb"}).status_code == 403
    client.force_login(people.outsider)
    assert client.post(url("datasets:tables", project), {"do": "declare", "names": "a\nb"}).status_code == 404
    assert not Table.objects.filter(name="a").exists()


def test_every_page_of_two_tables(story, people, client):
    project = story.reach(State.PROCESSING)
    _patients, visits = tables_of(project)
    about = f"?table={visits.pk}"
    client.force_login(people.executor)
    cheap(client, url("core:project", project))
    for name in ("datasets:page", "identification:page"):
        assert "就诊" in cheap(client, url(name, project))
        assert cheap(client, url(name, project) + about)
    assert "诊断" in text(client.get(url("identification:page", project) + about))
    assert "诊断" in cheap(client, url("identification:report", project))
    assert "患者" in text(client.get(url("identification:column", project, position=0) + about))
    # The editor starts from a suggestion in which linked columns take the same pseudonym.
    editor = cheap(client, url("processing:recipe", project) + about)
    assert "就诊.患者 → 患者表.病历号" in editor
    written = text(client.get(url("processing:recipe_text", project)))
    assert written.count("pseudonymization.keyed_hash") == 2
    story.write_recipe()
    assert "就诊" in cheap(client, url("processing:page", project))
    api = {"HTTP_ACCEPT": "application/json"}
    tables = client.get(url("api:dataset-tables", project), **api).json()
    assert [one["name"] for one in tables["tables"]] == ["患者表", "就诊"]
    assert tables["links"][0]["counts"]["orphans"] == 3
    saved = client.get(url("api:processing-recipes", project), **api).json()
    assert set(saved[0]["content"]["tables"]) == {"患者表", "就诊"}
    verdicts = client.get(url("api:identification-verdicts", project) + about, **api).json()
    assert {one["column"] for one in verdicts} == {"患者", "就诊日期", "诊断", "费用"}
    advice_about_a_further_table(story, project, visits, client)
    answer = client.post(
        url("api:processing-recipes", project) + about,
        {"content": visits_recipe() | {"title": "again"} | UNPREPARED, "note": "a title"},
        content_type="application/json",
        **api,
    )
    assert answer.status_code == 201, answer.json()
    assert current_recipe(project).tables["就诊"]["title"] == "again"
    assert "就诊" in text(
        client.get(url("processing:version", project, number=current_recipe(project).number))
    )
    assert round_now(visits).dataset.table == visits
    the_later_stages(story, project, people, client)


def advice_about_a_further_table(story, project, visits, client):
    """Techniques, model, scenes and solutions are asked about one of the tables, and kept for it."""
    about, api = f"?table={visits.pk}", {"HTTP_ACCEPT": "application/json"}
    for name in ("advice", "model_advice", "scenes", "solutions"):
        first, further = url(f"processing:{name}", project), url(f"processing:{name}", project) + about
        assert further in text(client.get(first)), name
        assert first in cheap(client, further), name
    kept = {"content_type": "application/json", **api}
    for name in ("processing-advice", "processing-model-advice"):
        body = (
            {"columns": {"诊断": {"data_type": "category"}}}
            if name == "processing-advice"
            else {"knows": True}
        )
        made = client.post(url(f"api:{name}", project) + about, body, **kept)
        assert (made.status_code, made.json()["table"]) == (201, str(visits.pk)), made.json()
        assert set(made.json()["answers"]["columns"]) == {"诊断"}
        assert "hash" in text(client.get(url(name.replace("-", ":", 1).replace("-", "_"), project) + about))
        # About the first table nobody has asked.
        assert made.json()["content_hash"] not in text(
            client.get(url(name.replace("-", ":", 1).replace("-", "_"), project))
        )
    suggested = client.get(url("api:processing-suggestion", project) + about, **api).json()
    body = {"content": suggested | UNPREPARED, "note": "as suggested"}
    assert client.post(url("api:processing-recipes", project) + about, body, **kept).status_code == 201
    taken = client.post(url("processing:model_advice_take", project) + about)
    assert taken.status_code == 302
    version = current_recipe(project)
    advised = made.json()["advice"]["technique"]
    assert advised in [step["technique"] for step in version.part_of(visits)["steps"]]
    explored = client.post(url("processing:explore", project) + about)
    assert explored["Location"].endswith(about)
    story.run_jobs()
    found = client.get(url("api:processing-explorations", project), **api).json()
    assert [(one["table"], one["measured_at"] is not None) for one in found] == [(str(visits.pk), True)]
    assert 'id="solutions"' in text(client.get(url("processing:solutions", project) + about))
    assert 'id="solutions"' not in text(client.get(url("processing:solutions", project)))
    scenes = client.get(url("api:processing-scenes", project) + about, **api).json()
    body = {"content": scenes[2]["content"] | UNPREPARED, "scene": scenes[2]["scene"], "note": "for display"}
    saved = client.post(url("api:processing-recipes", project) + about, body, **kept).json()
    assert [(one["table"], one["scene"], one["departures"]) for one in saved["scenes"]] == [
        ("就诊", "display", [])
    ]
    assert saved["scenes"][0]["name"] in text(client.get(url("processing:page", project)))
    # Another table's recipe leaves that as it is.
    first = current_recipe(project).tables["患者表"] | {"title": "the first"} | UNPREPARED
    again = client.post(
        url("api:processing-recipes", project), {"content": first, "note": "title"}, **kept
    ).json()
    assert again["scenes"] == saved["scenes"]


def the_later_stages(story, project, people, client):
    from projects.processing.runs.services import run_start
    from projects.releases.selectors import current_release

    run_start(project, by=people.executor)
    story.run_jobs()
    run = project.runs.get()
    assert "就诊" in cheap(client, url("processing:run_detail", project, run_id=run.pk))
    assert (
        cheap(client, url("processing:page", project)).count(run.tables.get(name="就诊").result_sha256) >= 1
    )
    assert "患者表" in cheap(client, url("processing:report", project))
    from projects.core.services import project_move
    from projects.workflow import Move

    project_move(project, move=Move.SUBMIT_PROCESSING, by=people.executor)
    verification = url("verification:page", project)
    for step in (story.review, story.verify, story.review):
        # Nothing measured yet, measured, and with the report for senior management.
        cheap(client, verification)
        story.project.refresh_from_db()
        step()
    for person in (people.executor, people.management):
        client.force_login(person)
        assert "就诊：" in cheap(client, verification)
    cheap(client, url("core:project", project))
    assert run.tables.get(name="就诊").result_sha256 in cheap(client, url("verification:decide", project))
    for step in (story.approve_release, story.release):
        story.project.refresh_from_db()
        step()
    release = current_release(project)
    client.force_login(people.planner)
    assert release.files[1]["file_name"] in cheap(client, url("releases:page", project))
    client.force_login(people.recipient)
    detail = cheap(client, reverse("recipient:detail", kwargs={"release_id": release.pk}), most=5)
    assert release.files[1]["sha256"] in detail
    client.post(reverse("recipient:request", kwargs={"release_id": release.pk}), {"notice_read": "on"})
    story.run_jobs()
    delivery = release.deliveries.get()
    here = {"delivery_id": delivery.pk}
    assert "?file=1" in text(client.get(reverse("recipient:delivery", kwargs=here)))
    got = client.get(reverse("recipient:download", kwargs=here) + "?file=1")
    assert got.status_code == 200
    assert b"".join(got.streaming_content).count(b"\n") == release.files[1]["rows"] + 1
    assert client.get(reverse("recipient:download", kwargs=here) + "?file=2").status_code == 404
    received = client.get(reverse("api:receive-detail", kwargs={"release_id": release.pk})).json()
    assert [file["table"] for file in received["files"]] == ["患者表", "就诊"]
    assert set(received["further_notices"]) == {"就诊"}


def test_each_table_s_suggestion_is_tried_from_the_page(story, client, people):
    """Writing the recipe is offered for each table, and tries that of the one alone; without a name the first."""
    project = story.reach(State.PROCESSING)
    client.force_login(people.executor)
    address = reverse("processing:page", args=[project.pk])
    page = " ".join(client.get(address, headers={"accept-language": "en"}).content.decode().split())
    assert (
        "a suggestion for each table: every column treated as its verdict and the targets ask, tried on the"
        in page
    )
    assert page.count(f'action="{reverse("processing:propose", args=[project.pk])}') == 2
    client.post(reverse("processing:propose", args=[project.pk]))
    assert [one.dataset.table.name for one in Proposal.objects.all()] == ["患者表"]
