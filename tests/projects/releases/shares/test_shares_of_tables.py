"""One of two tables is split: each holder gets a file of theirs of that table and the file that all get of the other."""

from __future__ import annotations

import csv
import io

import pytest
from django.urls import reverse

from deid_portal.accounts.services import user_create
from deid_portal.demo import story as demo
from deid_portal.organisation.services import ensure_defaults
from projects.core.services import member_add
from projects.datasets.tables.selectors import first_table
from projects.processing.recipes.selectors import current_sources
from projects.processing.recipes.sets import set_checked
from projects.processing.runs.selectors import latest_run, result_hashes
from projects.processing.runs.shares import share_files_of
from projects.releases.agreements.changes.services import terms_accept
from projects.releases.deliveries.services import delivery_open, delivery_request, row_is_sound
from projects.releases.models import Release
from projects.releases.selectors import agreement_with
from projects.releases.services import release_create
from projects.releases.shares.services import share_assign
from projects.reversal.services import reversal_ask, reversal_decide, reversal_read
from projects.verification.gate.selectors import sha256_of_result
from projects.workflow import Role, State
from projects.workflow.posts import Post
from techniques.core.messages import EngineError
from techniques.families.encryption.secret_sharing import combine_shares
from tests.projects.datasets.tables.stories import (
    HASH,
    JointStory,
    patients_csv,
    patients_recipe,
    step,
    visits_csv,
    visits_recipe,
)

pytestmark = pytest.mark.django_db
PATIENTS, VISITS = "患者表", "就诊"


def split(holders=3):
    """The fees of the visits become shares, two of which give them back."""
    visits = visits_recipe(HASH)
    visits["steps"][2]["columns"] = ["诊断"]
    shared = step("encryption.secret_sharing", ["费用"], holders=holders, threshold=2, holder=2, decimals=0)
    visits["steps"].append(shared)
    return {"recipe": 1, "tables": {PATIENTS: patients_recipe(HASH), VISITS: visits}}


class Split(JointStory):
    recipe = split()


def START(people):
    ensure_defaults()
    patch = pytest.MonkeyPatch()
    patch.setattr(demo, "UTILITY", [{"kind": "rows_retained", "bound": 0.9}])
    story = Split(vars(people), "Patients and visits", patients_csv(), documents=False)
    story.reach(State.APPROVED)
    patch.undo()
    return story


@pytest.fixture
def story(own_start, settings):
    settings.DEID_STORE_DIR = own_start.store
    return own_start.story


@pytest.fixture
def holders(story):
    """Three recipients with agreements, who hold the numbers 1 to 3; the first is the story's own."""
    people = dict(story.people)
    found = [people["recipient"]]
    for name in ("second", "third"):
        person = user_create(
            username=name, password="correct-horse-battery", full_name=name, post=Post.RECIPIENT, by=None
        )
        member_add(story.project, user=person, role=Role.RECIPIENT, by=people["planner"])
        found.append(person)
    for number, person in enumerate(found, 1):
        story.people = people | {"recipient": person}
        story.sign_agreement()
        share_assign(story.project, number=number, holder=person, by=people["planner"])
    story.people = people
    return found


def fetched(story, release, person):
    terms_accept(agreement_with(person, story.project), confirmed=True, by=person)
    delivery, _job = delivery_request(release, notice_read=True, by=person)
    story.run_jobs()
    delivery.refresh_from_db()
    assert delivery.status == "ready"
    files = [b"".join(delivery_open(delivery, by=person, file=number)[0]) for number in range(2)]
    return [list(csv.DictReader(io.StringIO(file.decode("utf-8-sig")))) for file in files]


def test_each_holder_gets_both_tables_and_two_of_them_give_the_fees(story, holders):
    release_create(story.project, by=story.people["planner"])
    release = Release.objects.select_related("project").get()
    tables = [fetched(story, release, person) for person in holders]
    assert len({tuple(map(str, patients)) for patients, _visits in tables}) == 1
    fees = [row["费用"] for row in csv.DictReader(io.StringIO(visits_csv().decode()))]
    shares = {number: [row["费用"] for row in visits] for number, (_, visits) in enumerate(tables, 1)}
    assert len({tuple(texts) for texts in shares.values()}) == 3
    assert fees not in shares.values()
    assert combine_shares({1: shares[1], 3: shares[3]}, 0) == fees
    others = [[row | {"费用": ""} for row in visits] for _patients, visits in tables]
    assert others[0] == others[1] == others[2]


def test_what_is_signed_and_sealed_names_every_file(story, holders, monkeypatch):
    run = latest_run(story.project)
    release = release_create(story.project, by=story.people["planner"])
    files = share_files_of(run.pk)
    assert [(share.number, share.table) for share in files] == [(n, VISITS) for n in (1, 2, 3)]
    assert [f"share {share.number} {VISITS} {share.sha256}" for share in files] == result_hashes(run)[2:]
    assert row_is_sound(release)
    monkeypatch.setattr(files[2].stored, "sha256", "0" * 64)
    tables = {one.name: one for one in run.tables.all()}
    monkeypatch.setattr("projects.verification.gate.selectors.share_files_of", lambda run_id: files)
    assert sha256_of_result(tables[VISITS], lambda share: None) == ""
    assert sha256_of_result(tables[PATIENTS], lambda share: None) == tables[PATIENTS].result_sha256


def test_page_and_api_tell_each_holder_of_their_own_files(story, holders, client):
    planner = story.people["planner"]
    release = release_create(story.project, by=planner)
    own = {share.number: share.sha256 for share in share_files_of(release.run_id)}
    client.force_login(planner)
    page = client.get(reverse("releases:page", args=[story.project.pk])).content.decode()
    assert all(sha256 in page for sha256 in own.values())
    client.force_login(holders[0])
    [received] = client.get(reverse("api:receive")).json()
    assert [(one["table"], one["sha256"]) for one in received["files"]] == [
        (PATIENTS, release.files[0]["sha256"]),
        (VISITS, own[1]),
    ]
    assert own[2] not in str(received)


def test_a_reversal_puts_the_fees_of_the_visits_together(story):
    run = latest_run(story.project)
    executor = story.people["executor"]
    request = reversal_ask(
        run, table=VISITS, column="费用", values=["1", "17"], reason="a bill is disputed", by=executor
    )
    assert request.way == "recombination"
    reversal_decide(request, approve=True, reason="as agreed", by=story.people["supervisor"])
    story.run_jobs()
    request.refresh_from_db()
    source = list(csv.DictReader(io.StringIO(visits_csv().decode())))
    answers = {one.value: one.original for one in reversal_read(request, by=executor)}
    assert answers == {"1": source[0]["费用"], "17": source[16]["费用"]}


def test_the_holders_of_all_tables_are_the_same(story):
    content = split()
    content["tables"][PATIENTS]["steps"][2:3] = [
        step("encryption.secret_sharing", ["出生日期"], holders=4, threshold=2, holder=2, decimals=0)
    ]
    with pytest.raises(EngineError) as error:
        set_checked(first_table(story.project), content, current_sources(story.project)[1])
    assert error.value.code == "shares_differ"
