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
from projects.releases.agreements.changes.services import terms_accept
from projects.releases.deliveries.services import delivery_open, delivery_request, row_is_sound
from projects.releases.kinds import VerifySeal
from projects.releases.models import Release, ShareHolding
from projects.releases.rules import may_receive
from projects.releases.seal import seal_matches
from projects.releases.selectors import agreement_with
from projects.releases.services import release_create
from projects.releases.shares.services import share_assign
from projects.reversal.services import reversal_ask, reversal_decide, reversal_read
from projects.verification.gate.selectors import sha256_of_result
from projects.workflow import Role, State
from projects.workflow.posts import Post
from techniques.core.messages import EngineError
from techniques.families.encryption.secret_sharing import combine_shares
from tests.fixtures import make_people
from tests.projects.verification.stories import SmallStory

pytestmark = pytest.mark.django_db


def split(content):
    """The fees become shares for three holders, two of whom can put them together."""
    # Rows are compared with the source's below.
    content["order"] = "kept"
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
def shared_scenario(django_db_setup, django_db_blocker, tmp_path_factory):
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
def scenario(shared_scenario, db, settings):
    """Approved, with three recipients who have agreements; nobody holds a share."""
    settings.DEID_STORE_DIR = shared_scenario.store
    people = SimpleNamespace(
        **{name: User.objects.get(pk=user.pk) for name, user in shared_scenario.people.items()}
    )
    project = Project.objects.get(pk=shared_scenario.project.pk)
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


def released(scenario):
    for number, person in enumerate(scenario.holders, 1):
        share_assign(scenario.project, number=number, holder=person, by=scenario.people.planner)
    release = release_create(scenario.project, by=scenario.people.planner)
    scenario.project.refresh_from_db()
    for person in scenario.holders:
        terms_accept(agreement_with(person, scenario.project), confirmed=True, by=person)
    return Release.objects.select_related("project").get(pk=release.pk)


def fetched(scenario, release, person):
    delivery, _job = delivery_request(release, notice_read=True, by=person)
    scenario.story.run_jobs()
    delivery.refresh_from_db()
    assert delivery.status == "ready"
    pieces, _delivery = delivery_open(delivery, by=person)
    return list(csv.DictReader(io.StringIO(b"".join(pieces).decode("utf-8-sig"))))


def test_each_holder_gets_a_file_of_their_own_and_two_of_them_fit(scenario):
    files = list(ShareFile.objects.filter(run=scenario.run))
    assert [share.number for share in files] == [1, 2, 3]
    # The one that the gate has measured is the second holder's.
    assert files[1].sha256 == scenario.run.tables.get().result_sha256
    release = released(scenario)
    tables = [fetched(scenario, release, person) for person in scenario.holders]
    source = list(csv.DictReader(io.StringIO(scenario.story.data.decode())))
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


def test_nobody_gets_two_and_who_has_none_gets_nothing(scenario):
    people, project = scenario.people, scenario.project
    share_assign(project, number=1, holder=scenario.holders[0], by=people.planner)
    for number, holder, who, code in (
        (2, scenario.holders[0], people.planner, "holds_another"),
        (1, scenario.holders[0], people.planner, "holds_it_already"),
        (4, scenario.holders[1], people.planner, "no_such_holder"),
        (2, people.executor, people.planner, "wrong_recipient"),
        (2, scenario.holders[1], people.executor, "not_your_role"),
    ):
        with pytest.raises(Refused) as refused:
            share_assign(project, number=number, holder=holder, by=who)
        assert refused.value.verdict.code == code
    # Passed on to another one: the first may hold nothing else ever after.
    share_assign(project, number=1, holder=scenario.holders[1], by=people.planner)
    with pytest.raises(Refused):
        share_assign(project, number=2, holder=scenario.holders[0], by=people.planner)
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE releases_shareholding SET number = 3")
    release = release_create(project, by=people.planner)
    release = Release.objects.select_related("project").get(pk=release.pk)
    second = scenario.holders[1]
    assert may_receive(second, release).code == "terms_not_accepted"
    terms_accept(agreement_with(second, project), confirmed=True, by=second)
    assert may_receive(second, release)
    for person in (scenario.holders[0], scenario.holders[2]):
        assert may_receive(person, release).code == "no_share"
        with pytest.raises(Refused):
            delivery_request(release, notice_read=True, by=person)


def test_another_account_of_the_same_person_gets_no_second_share(scenario):
    share_assign(scenario.project, number=1, holder=scenario.holders[0], by=scenario.people.planner)
    # Two accounts with one role each: no rule keeps them out of one project.
    person_link(
        scenario.holders[0], scenario.holders[1], reason="one person", by=scenario.people.administrator
    )
    other = User.objects.get(pk=scenario.holders[1].pk)
    with pytest.raises(Refused) as refused:
        share_assign(scenario.project, number=2, holder=other, by=scenario.people.planner)
    assert refused.value.verdict.code == "holds_another"
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO releases_shareholding (id, project_id, number, holder_id, assigned_by_id, assigned_at) "
            "SELECT %s, project_id, 2, %s, assigned_by_id, assigned_at FROM releases_shareholding",
            ["b" * 32, other.pk],
        )
    assert ShareHolding.objects.count() == 1


def test_the_seal_binds_every_file(scenario):
    release = released(scenario)
    assert seal_matches(release)
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE datasets_storedfile SET sha256 = %s WHERE id = %s",
            ["0" * 64, ShareFile.objects.get(number=3).stored_id.hex],
        )
    delivery, _job = delivery_request(release, notice_read=True, by=scenario.holders[0])
    scenario.story.run_jobs()
    delivery.refresh_from_db()
    assert delivery.status == "refused"
    release.refresh_from_db()
    assert release.seal_broken_at is not None


def _exchanged(scenario, number=1):
    """The file of one holder is replaced by the raw upload, as somebody with the database's password could."""
    share = ShareFile.objects.get(run=scenario.run, number=number)
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE processing_sharefile SET stored_id = %s WHERE id = %s",
            [scenario.run.tables.get().dataset.stored_id.hex, share.pk.hex],
        )


def _without_triggers():
    lift(*(one for one in registered() if one.table == "processing_sharefile"))


def test_the_database_exchanges_no_file_of_shares(scenario):
    with pytest.raises(IntegrityError), transaction.atomic():
        _exchanged(scenario)
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("DELETE FROM processing_sharefile")


@pytest.mark.parametrize("hashes_too", [False, True])
def test_an_exchanged_file_of_shares_is_not_released(scenario, hashes_too):
    _without_triggers()
    _exchanged(scenario)
    if hashes_too:
        with connection.cursor() as cursor:
            cursor.execute(
                "UPDATE processing_sharefile SET sha256 = %s WHERE number = 1",
                [scenario.run.tables.get().dataset.stored.sha256],
            )
    with pytest.raises(Refused) as refused:
        released(scenario)
    assert refused.value.verdict.code == "other_files"
    assert not Release.objects.exists()


def test_a_file_of_shares_that_is_exchanged_after_the_release_breaks_the_seal(scenario):
    release = released(scenario)
    assert row_is_sound(release)
    _without_triggers()
    _exchanged(scenario)
    assert not row_is_sound(release)


def test_the_gate_reads_every_holders_file(scenario):
    assert (
        sha256_of_result(scenario.run.tables.get(), lambda share: None)
        == scenario.run.tables.get().result_sha256
    )
    _without_triggers()
    _exchanged(scenario, number=3)
    assert sha256_of_result(scenario.run.tables.get(), lambda share: None) == ""


def test_passing_on_a_share_while_the_seal_is_verified_breaks_no_seal(scenario, monkeypatch):
    release = released(scenario)
    delivery, _job = delivery_request(release, notice_read=True, by=scenario.holders[0])
    fourth = user_create(
        username="fourth", password="correct-horse-battery", full_name="4", post=Post.RECIPIENT, by=None
    )
    member_add(scenario.project, user=fourth, role=Role.RECIPIENT, by=scenario.people.planner)
    hashed = VerifySeal.run_item

    def then_passed_on(self, job, key, tick):
        found = hashed(self, job, key, tick)
        share_assign(scenario.project, number=1, holder=fourth, by=scenario.people.planner)
        return found

    monkeypatch.setattr(VerifySeal, "run_item", then_passed_on)
    scenario.story.run_jobs()
    delivery.refresh_from_db()
    release.refresh_from_db()
    assert delivery.status == "expired"
    assert release.seal_broken_at is None
    assert AuditEvent.objects.get(action="delivery.broken_off").facts["code"] == "release.no_share"


def test_values_are_put_together_by_a_reversal(scenario):
    request = reversal_ask(
        scenario.run,
        column="费用",
        values=["1", "17", "9999"],
        reason="a bill is disputed",
        by=scenario.people.executor,
    )
    assert request.way == "recombination"
    reversal_decide(request, approve=True, reason="as agreed", by=scenario.people.supervisor)
    scenario.story.run_jobs()
    request.refresh_from_db()
    source = list(csv.DictReader(io.StringIO(scenario.story.data.decode())))
    answers = {one.value: one for one in reversal_read(request, by=scenario.people.executor)}
    assert [answers[row].original for row in ("1", "17")] == [source[0]["费用"], source[16]["费用"]]
    assert (answers["9999"].in_result, answers["9999"].original) == (False, None)


def test_page_and_api(client, scenario):
    page = reverse("releases:page", args=[scenario.project.pk])
    api = reverse("api:release-shares", args=[scenario.project.pk])
    client.force_login(scenario.people.planner)
    assert "share" in client.get(page).content.decode()
    sent = client.post(
        reverse("releases:share_assign", args=[scenario.project.pk]),
        {"number": 1, "holder": scenario.holders[0].pk},
    )
    assert sent.status_code == 302
    made = client.post(api, {"number": 2, "holder": "second"}, content_type="application/json")
    assert [row["holder"] for row in made.json()] == ["recipient", "second", None]
    assert (
        client.post(api, {"number": 3, "holder": "nobody"}, content_type="application/json").status_code
        == 400
    )
    client.force_login(scenario.people.supervisor)
    assert (
        client.post(api, {"number": 3, "holder": "third"}, content_type="application/json").status_code == 403
    )
    client.force_login(scenario.people.planner)
    release = release_create(scenario.project, by=scenario.people.planner)
    client.force_login(scenario.holders[0])
    shown = client.get(reverse("recipient:detail", args=[release.pk])).content.decode()
    assert ShareFile.objects.get(number=1).sha256 in shown
    assert ShareFile.objects.get(number=2).sha256 not in shown
    received = client.get(reverse("api:receive-detail", args=[release.pk])).json()
    assert received["result_sha256"] == ShareFile.objects.get(number=1).sha256


def test_all_columns_of_shares_need_the_same_holders(scenario):
    content = RecipeVersion.objects.get(project=scenario.project).tables[""]
    from projects.processing.runs.shares import shares_check
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
        shares_check([Recipe.from_data(content)])
    assert error.value.code == "shares_differ"
