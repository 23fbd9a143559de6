"""Secret shares: each holder's file to a person of their own, and the way back by a reversal."""

from __future__ import annotations

import csv
import io
from types import SimpleNamespace

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import override_settings
from django.urls import reverse

from approvals.audit.models import AuditEvent
from approvals.governance.triggers import lift, registered
from approvals.governance.verdict import Refused
from deid_portal.accounts.models import User
from deid_portal.accounts.persons import person_link
from deid_portal.accounts.services import user_create
from deid_portal.demo import story as demo
from projects.core.models import Project
from projects.core.services import member_add
from projects.processing.models import RecipeVersion, Run, ShareFile
from projects.releases.deliveries.services import delivery_open, delivery_request, row_is_sound
from projects.releases.kinds import VerifySeal
from projects.releases.models import Release, ShareHolding
from projects.releases.rules import may_receive
from projects.releases.seal import seal_matches
from projects.releases.services import release_create
from projects.releases.shares.services import share_assign
from projects.reversal.services import reversal_ask, reversal_decide, reversal_read
from projects.verification.gate.selectors import sha256_of_result
from projects.workflow import Role, State
from projects.workflow.posts import Post
from techniques.core.messages import EngineError
from techniques.families.encryption.secret_sharing import combine_shares
from tests.portal.conftest import make_people
from tests.portal.verification.stories import SmallStory

pytestmark = pytest.mark.django_db


def split(content):
    """The fees become shares for three holders, two of whom can put them together."""
    for step in content["steps"]:
        step["columns"] = [column for column in step["columns"] if column != "费用"]
    content["steps"].append(
        {
            "technique": "encryption.secret_sharing",
            "columns": ["费用"],
            "parameters": {"holders": 3, "threshold": 2, "holder": 2, "decimals": 0},
        }
    )


class Rolled(Exception):
    """Ends the transaction."""


@pytest.fixture(scope="module")
def all_told(django_db_setup, django_db_blocker, tmp_path_factory):
    """Told once for the module; what a test adds is undone after it."""
    patch = pytest.MonkeyPatch()
    patch.setattr(demo, "UTILITY", [{"kind": "rows_retained", "bound": 0.9}])
    store = tmp_path_factory.mktemp("store")
    with django_db_blocker.unblock(), override_settings(DEID_STORE_DIR=store):
        try:
            with transaction.atomic():
                people = make_people()
                story = SmallStory(people, change=split)
                story.reach(State.APPROVED)
                yield SimpleNamespace(people=vars(people), project=story.project, store=store)
                raise Rolled
        except Rolled:
            patch.undo()


@pytest.fixture
def told(all_told, db, settings):
    """Approved, with three recipients who have agreements; nobody holds a share."""
    settings.DEID_STORE_DIR = all_told.store
    people = SimpleNamespace(**{name: User.objects.get(pk=user.pk) for name, user in all_told.people.items()})
    project = Project.objects.get(pk=all_told.project.pk)
    holders = [people.recipient]
    for name in ("second", "third"):
        person = user_create(
            username=name, password="correct-horse-battery", full_name=name, post=Post.RECIPIENT, by=None
        )
        member_add(project, user=person, role=Role.RECIPIENT, by=people.planner)
        holders.append(person)
    story = SmallStory(people, change=split)
    story.project = project
    for person in holders:
        story.people = vars(people) | {"recipient": person}
        story.sign_agreement()
    run = Run.objects.get(project=project)
    return SimpleNamespace(story=story, project=project, people=people, holders=holders, run=run)


def released(told):
    for number, person in enumerate(told.holders, 1):
        share_assign(told.project, number=number, holder=person, by=told.people.planner)
    release = release_create(told.project, by=told.people.planner)
    told.project.refresh_from_db()
    return Release.objects.select_related("project").get(pk=release.pk)


def fetched(told, release, person):
    delivery, _job = delivery_request(release, notice_read=True, by=person)
    told.story.run_jobs()
    delivery.refresh_from_db()
    assert delivery.status == "ready"
    pieces, _delivery = delivery_open(delivery, by=person)
    return list(csv.DictReader(io.StringIO(b"".join(pieces).decode("utf-8-sig"))))


def test_each_holder_gets_a_file_of_their_own_and_two_of_them_fit(told):
    files = list(ShareFile.objects.filter(run=told.run))
    assert [share.number for share in files] == [1, 2, 3]
    # The one that the gate has measured is the second holder's.
    assert files[1].sha256 == told.run.tables.get().result_sha256
    release = released(told)
    tables = [fetched(told, release, person) for person in told.holders]
    source = list(csv.DictReader(io.StringIO(told.story.data.decode())))
    assert len(tables[0]) == len(source)
    for table in tables[1:]:
        assert [dict(row, 费用="") for row in table] == [dict(row, 费用="") for row in tables[0]]
    shares = {number: [row["费用"] for row in table] for number, table in enumerate(tables, 1)}
    assert len({tuple(texts) for texts in shares.values()}) == 3
    fees = [row["费用"] for row in source]
    assert combine_shares({1: shares[1], 3: shares[3]}, 0) == fees
    assert shares[1] != fees
    assert AuditEvent.objects.filter(action="run.shares_kept").count() == 1
    assert AuditEvent.objects.filter(action="release.share_assigned").count() == 3


def test_nobody_gets_two_and_who_has_none_gets_nothing(told):
    people, project = told.people, told.project
    share_assign(project, number=1, holder=told.holders[0], by=people.planner)
    for number, holder, who, code in (
        (2, told.holders[0], people.planner, "holds_another"),
        (1, told.holders[0], people.planner, "holds_it_already"),
        (4, told.holders[1], people.planner, "no_such_holder"),
        (2, people.executor, people.planner, "wrong_recipient"),
        (2, told.holders[1], people.executor, "not_your_role"),
    ):
        with pytest.raises(Refused) as refused:
            share_assign(project, number=number, holder=holder, by=who)
        assert refused.value.verdict.code == code
    # Passed on to another one: the first may hold nothing else ever after.
    share_assign(project, number=1, holder=told.holders[1], by=people.planner)
    with pytest.raises(Refused):
        share_assign(project, number=2, holder=told.holders[0], by=people.planner)
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE releases_shareholding SET number = 3")
    release = release_create(project, by=people.planner)
    release = Release.objects.select_related("project").get(pk=release.pk)
    assert may_receive(told.holders[1], release)
    for person in (told.holders[0], told.holders[2]):
        assert may_receive(person, release).code == "no_share"
        with pytest.raises(Refused):
            delivery_request(release, notice_read=True, by=person)


def test_another_account_of_the_same_person_gets_no_second_share(told):
    share_assign(told.project, number=1, holder=told.holders[0], by=told.people.planner)
    # Two accounts with one role each: no rule keeps them out of one project.
    person_link(told.holders[0], told.holders[1], reason="one person", by=told.people.administrator)
    other = User.objects.get(pk=told.holders[1].pk)
    with pytest.raises(Refused) as refused:
        share_assign(told.project, number=2, holder=other, by=told.people.planner)
    assert refused.value.verdict.code == "holds_another"
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO releases_shareholding (id, project_id, number, holder_id, assigned_by_id, assigned_at) "
            "SELECT %s, project_id, 2, %s, assigned_by_id, assigned_at FROM releases_shareholding",
            ["b" * 32, other.pk],
        )
    assert ShareHolding.objects.count() == 1


def test_the_seal_binds_every_file(told):
    release = released(told)
    assert seal_matches(release)
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE datasets_storedfile SET sha256 = %s WHERE id = %s",
            ["0" * 64, ShareFile.objects.get(number=3).stored_id.hex],
        )
    delivery, _job = delivery_request(release, notice_read=True, by=told.holders[0])
    told.story.run_jobs()
    delivery.refresh_from_db()
    assert delivery.status == "refused"
    release.refresh_from_db()
    assert release.seal_broken_at is not None


def _exchanged(told, number=1):
    """The file of one holder is replaced by the raw upload, as somebody with the database's password could."""
    share = ShareFile.objects.get(run=told.run, number=number)
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE processing_sharefile SET stored_id = %s WHERE id = %s",
            [told.run.tables.get().dataset.stored_id.hex, share.pk.hex],
        )


def _without_triggers():
    lift(*(one for one in registered() if one.table == "processing_sharefile"))


def test_the_database_exchanges_no_file_of_shares(told):
    with pytest.raises(IntegrityError), transaction.atomic():
        _exchanged(told)
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("DELETE FROM processing_sharefile")


@pytest.mark.parametrize("hashes_too", [False, True])
def test_an_exchanged_file_of_shares_is_not_released(told, hashes_too):
    _without_triggers()
    _exchanged(told)
    if hashes_too:
        with connection.cursor() as cursor:
            cursor.execute(
                "UPDATE processing_sharefile SET sha256 = %s WHERE number = 1",
                [told.run.tables.get().dataset.stored.sha256],
            )
    with pytest.raises(Refused) as refused:
        released(told)
    assert refused.value.verdict.code == "other_files"
    assert not Release.objects.exists()


def test_a_file_of_shares_that_is_exchanged_after_the_release_breaks_the_seal(told):
    release = released(told)
    assert row_is_sound(release)
    _without_triggers()
    _exchanged(told)
    assert not row_is_sound(release)


def test_the_gate_reads_every_holders_file(told):
    assert sha256_of_result(told.run.tables.get(), lambda share: None) == told.run.tables.get().result_sha256
    _without_triggers()
    _exchanged(told, number=3)
    assert sha256_of_result(told.run.tables.get(), lambda share: None) == ""


def test_passing_on_a_share_while_the_seal_is_verified_breaks_no_seal(told, monkeypatch):
    release = released(told)
    delivery, _job = delivery_request(release, notice_read=True, by=told.holders[0])
    fourth = user_create(
        username="fourth", password="correct-horse-battery", full_name="4", post=Post.RECIPIENT, by=None
    )
    member_add(told.project, user=fourth, role=Role.RECIPIENT, by=told.people.planner)
    hashed = VerifySeal.run_item

    def then_passed_on(self, job, key, tick):
        found = hashed(self, job, key, tick)
        share_assign(told.project, number=1, holder=fourth, by=told.people.planner)
        return found

    monkeypatch.setattr(VerifySeal, "run_item", then_passed_on)
    told.story.run_jobs()
    delivery.refresh_from_db()
    release.refresh_from_db()
    assert delivery.status == "expired"
    assert release.seal_broken_at is None
    assert AuditEvent.objects.get(action="delivery.broken_off").facts["code"] == "release.no_share"


def test_values_are_put_together_by_a_reversal(told):
    request = reversal_ask(
        told.run,
        column="费用",
        values=["1", "17", "9999"],
        reason="a bill is disputed",
        by=told.people.executor,
    )
    assert request.way == "recombination"
    reversal_decide(request, approve=True, reason="as agreed", by=told.people.supervisor)
    told.story.run_jobs()
    request.refresh_from_db()
    source = list(csv.DictReader(io.StringIO(told.story.data.decode())))
    answers = {one.value: one for one in reversal_read(request, by=told.people.executor)}
    assert [answers[row].original for row in ("1", "17")] == [source[0]["费用"], source[16]["费用"]]
    assert (answers["9999"].in_result, answers["9999"].original) == (False, None)


def test_page_and_api(client, told):
    page = reverse("releases:page", args=[told.project.pk])
    api = reverse("api:release-shares", args=[told.project.pk])
    client.force_login(told.people.planner)
    assert "share" in client.get(page).content.decode()
    sent = client.post(
        reverse("releases:share_assign", args=[told.project.pk]), {"number": 1, "holder": told.holders[0].pk}
    )
    assert sent.status_code == 302
    made = client.post(api, {"number": 2, "holder": "second"}, content_type="application/json")
    assert [row["holder"] for row in made.json()] == ["recipient", "second", None]
    assert (
        client.post(api, {"number": 3, "holder": "nobody"}, content_type="application/json").status_code
        == 400
    )
    client.force_login(told.people.supervisor)
    assert (
        client.post(api, {"number": 3, "holder": "third"}, content_type="application/json").status_code == 403
    )
    client.force_login(told.people.planner)
    release = release_create(told.project, by=told.people.planner)
    client.force_login(told.holders[0])
    shown = client.get(reverse("recipient:detail", args=[release.pk])).content.decode()
    assert ShareFile.objects.get(number=1).sha256 in shown
    assert ShareFile.objects.get(number=2).sha256 not in shown
    received = client.get(reverse("api:receive-detail", args=[release.pk])).json()
    assert received["result_sha256"] == ShareFile.objects.get(number=1).sha256


def test_all_columns_of_shares_need_the_same_holders(told):
    content = RecipeVersion.objects.get(project=told.project).first
    from projects.processing.runs.shares import share_plan
    from techniques.recipe.recipe import Recipe

    content["steps"] = [
        {
            "technique": "encryption.secret_sharing",
            "columns": [column],
            "parameters": {"holders": holders, "threshold": 2, "holder": 1},
        }
        for column, holders in (("费用", 3), ("年龄", 4))
    ]
    with pytest.raises(EngineError) as error:
        share_plan(Recipe.from_data(content))
    assert error.value.code == "shares_differ"
