"""Who records agreements, hands out and fetches; and every single thing that stops a release from being fetched (3.13, 4.5)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import timezone

from deid_portal.accounts.models import User
from projects.core.models import Membership, Project
from projects.datasets.models import StoredFile
from projects.processing.models import RecipeVersion, Run, RunTable, ShareFile
from projects.releases import rules
from projects.releases.agreements.changes.rules import may_accept
from projects.releases.models import (
    Agreement,
    Delivery,
    RelativesMeasurement,
    Release,
    ShareHolding,
)
from projects.releases.relatives.rules import may_measure
from projects.workflow import State
from tests.projects import rows
from tests.projects.rows import account, change, member, put, team, unkept

pytestmark = pytest.mark.django_db
TODAY = timezone.localdate()


@pytest.fixture(autouse=True)
def the_day_stays(monkeypatch):
    """A run over midnight would end on another day than the one that its cases were made for."""
    monkeypatch.setattr(timezone, "localdate", lambda: TODAY)


DAY = timedelta(days=1)
RELEASING = (State.APPROVED, State.MONITORING)


@pytest.fixture(autouse=True)
def nothing_stays(db: None) -> Iterator[None]:
    with unkept():
        yield


@pytest.fixture
def released() -> SimpleNamespace:
    """Everything is there: a recipient of a monitored project has an agreement and a delivery that was verified."""
    project = put(Project, state=State.MONITORING, sharing_type="controlled")
    people = team(project)
    agreement = agree(project, people["recipient"])
    release = put(Release, project=project, files=[{"file_name": "a.csv"}], seal="s")
    delivery = deliver(release, people["recipient"])
    return SimpleNamespace(
        project=project, people=people, agreement=agreement, release=release, delivery=delivery
    )


def agree(project: Project, recipient: User, *, accepted: bool = True, **given: Any) -> Agreement:
    # Once it is released, the database lets nobody add an agreement that was not signed.
    change(project, state=State.APPROVED)
    agreement = rows.agree(project, recipient, accepted=accepted, **given)
    change(project, state=project.state)
    return agreement


def deliver(release: Release, recipient: User, **given: Any) -> Delivery:
    return put(
        Delivery,
        release=release,
        recipient=recipient,
        **({"status": "ready", "verified_at": timezone.now()} | given),
    )


def fresh(row: Any) -> Any:
    return type(row)._base_manager.get(pk=row.pk)


def test_the_recipient_fetches(released):
    for user in released.people.values():
        mine = user == released.people["recipient"]
        code = "" if mine else "not_a_recipient"
        assert rules.may_receive(user, released.release).code == code
        assert rules.may_fetch(user, released.release).code == code
        assert rules.may_download(user, released.delivery).code == code
    assert rules.may_look_at(released.people["recipient"], released.delivery).code == "not_enclave"


STOPS = {
    "release_ended": lambda it: change(it.release, ended_at=timezone.now(), ended_why="as agreed"),
    "seal_broken": lambda it: change(it.release, seal_broken_at=timezone.now()),
    "project_suspended": lambda it: change(it.project, state=State.APPROVED),
    "no_share": lambda it: change(it.release, shares_hash="f" * 64),
    "no_agreement": lambda it: change(it.agreement, ended_at=timezone.now()),
    "not_a_recipient": lambda it: change(
        Membership.objects.get(project=it.project, role="recipient"), ended_at=timezone.now()
    ),
}


@pytest.mark.parametrize("code", STOPS)
def test_one_thing_is_enough_to_stop_it(released, code):
    STOPS[code](released)
    recipient, release, delivery = (
        fresh(one) for one in (released.people["recipient"], released.release, released.delivery)
    )
    for verdict in (
        rules.may_receive(recipient, release),
        rules.may_fetch(recipient, release),
        rules.may_download(recipient, delivery),
        rules.may_look_at(recipient, delivery),
    ):
        assert verdict.code == code


def test_an_account_that_is_not_active_gets_nothing(released):
    recipient = released.people["recipient"]
    change(recipient, is_active=False)
    assert rules.may_receive(fresh(recipient), released.release).code == "not_a_recipient"


@pytest.mark.parametrize("state", [state for state in State if state != State.MONITORING])
def test_nothing_is_fetched_but_while_the_release_is_monitored(released, state):
    change(released.project, state=state, suspended_from="monitoring" if state == State.SUSPENDED else "")
    assert (
        rules.may_receive(released.people["recipient"], fresh(released.release)).code == "project_suspended"
    )


@pytest.mark.parametrize(
    ("signed", "until", "in_force"),
    [
        (TODAY, TODAY, True),
        (TODAY - DAY, TODAY + DAY, True),
        (TODAY + DAY, TODAY + DAY, False),
        (TODAY - DAY, TODAY - DAY, False),
    ],
)
@pytest.mark.parametrize("sharing", ["controlled", "enclave", "public"])
def test_an_agreement_in_force_is_needed_but_for_what_is_public(sharing, signed, until, in_force):
    project = put(Project, state=State.MONITORING, sharing_type=sharing)
    recipient = member(project, "recipient")
    release = put(Release, project=project, files=[])
    wanted = "" if sharing == "public" else "no_agreement"
    assert rules.may_receive(recipient, release).code == wanted
    agree(project, account(), signed_on=TODAY, valid_until=TODAY)
    assert rules.may_receive(recipient, release).code == wanted
    agree(project, recipient, signed_on=signed, valid_until=until)
    assert rules.may_receive(recipient, release).code == ("" if in_force else wanted)


def test_terms_are_accepted_before_anything_is_received(released):
    second = member(released.project, "recipient")
    agreement = agree(released.project, second, accepted=False)
    assert rules.may_receive(second, released.release).code == "terms_not_accepted"
    assert rules.may_receive(released.people["recipient"], released.release), "the others receive as before"
    for who in (second, *released.people.values()):
        code = "" if who == second else "not_your_agreement"
        assert may_accept(who, agreement).code == code
    change(agreement, ended_at=timezone.now())
    assert may_accept(second, fresh(agreement)).code == "agreement_not_in_force"
    assert may_accept(released.people["recipient"], released.agreement).code == "terms_accepted_already"
    assert may_accept(second, None).code == "no_agreement"


def test_of_an_enclave_no_file_is_fetched(released):
    change(released.project, sharing_type="enclave")
    recipient, delivery = released.people["recipient"], fresh(released.delivery)
    assert rules.may_fetch(recipient, delivery.release).code == "enclave_only"
    assert rules.may_download(recipient, delivery).code == "enclave_only"
    assert rules.may_look_at(recipient, delivery)


HOUR, NOW = timedelta(hours=1), timedelta()
# Times are counted from the moment at which the test runs.
DELIVERIES = [
    ({"status": "ready"}, ""),
    ({"status": "fetched", "fetched_at": NOW}, ""),
    ({"status": "verifying", "verified_at": None}, "not_ready"),
    ({"status": "refused"}, "not_ready"),
    ({"status": "expired"}, "delivery_expired"),
    ({"verified_at": timedelta(minutes=5) - HOUR}, ""),
    ({"verified_at": -HOUR - timedelta(minutes=1)}, "delivery_expired"),
    (
        {"status": "fetched", "fetched_at": NOW, "verified_at": -2 * HOUR},
        "delivery_expired",
    ),
]


@pytest.mark.parametrize(("given", "code"), DELIVERIES)
def test_a_delivery_is_used_by_who_asked_within_the_hour_of_its_verification(released, given, code):
    recipient = released.people["recipient"]
    now = timezone.now()
    given = {name: now + one if isinstance(one, timedelta) else one for name, one in given.items()}
    delivery = deliver(released.release, recipient, **given)
    assert rules.may_download(recipient, delivery).code == code
    second = member(released.project, "recipient")
    agree(released.project, second)
    assert rules.may_receive(second, released.release)
    assert rules.may_download(second, delivery).code == "not_a_recipient"


@pytest.mark.parametrize("state", State)
def test_agreements_are_the_planners(state):
    project = put(Project, state=state, suspended_from="monitoring" if state == State.SUSPENDED else "")
    people = team(project)
    code = "" if state in RELEASING else "wrong_state"
    planner, recipient = people["planner"], people["recipient"]
    assert rules.may_record_agreement(planner, project).code == code
    assert rules.may_record_agreement(planner, project, recipient).code == code
    assert rules.may_record_agreement(planner, project, people["executor"]).code == (
        code or "wrong_recipient"
    )
    assert rules.may_release(planner, project).code == ("" if state == State.APPROVED else "wrong_state")
    for name, user in people.items():
        if name != "planner":
            assert not rules.may_record_agreement(user, project)
            assert not rules.may_release(user, project)
            assert not rules.may_assign_shares(user, project)


@pytest.mark.parametrize("what", ["agreement", "release"])
def test_planner_and_supervisor_end_what_is_in_force(released, what):
    row = getattr(released, what)
    ask = rules.may_end_agreement if what == "agreement" else rules.may_end_release
    allowed = [name for name, user in released.people.items() if ask(user, row)]
    assert allowed == ["planner", "supervisor"]
    change(row, ended_at=timezone.now(), **({"ended_why": "over"} if what == "release" else {}))
    assert ask(released.people["planner"], fresh(row)).code == f"{what}_ended"


@pytest.fixture
def split() -> SimpleNamespace:
    """A result of two shares, approved."""
    project = put(Project, state=State.APPROVED)
    recipe = put(RecipeVersion, project=project, number=1, content={}, verdicts_hash="v")
    run = put(Run, project=project, recipe_version=recipe)
    put(RunTable, run=run, result_sha256="f", result_rows=1, result=put(StoredFile))
    change(run, status="succeeded")
    for number in (1, 2):
        put(ShareFile, project=project, run=run, number=number, stored=put(StoredFile))
    return SimpleNamespace(project=project, people=team(project), run=run)


def test_shares_are_given_by_the_planner_one_number_to_a_person(split, monkeypatch):
    # Which run is the latest hangs on recipe, verdicts and data: that is asked in its own tests.
    monkeypatch.setattr(rules, "latest_run", lambda project: split.run)
    project, people = split.project, split.people
    planner, holder = people["planner"], people["recipient"]
    assert rules.may_assign_shares(planner, project)
    assert rules.may_hold(planner, project, 1, holder)
    assert rules.may_hold(planner, project, 3, holder).code == "no_such_holder"
    for name, other in people.items():
        assert rules.may_hold(planner, project, 1, other).code == (
            "" if name == "recipient" else "wrong_recipient"
        )
    assert rules.may_hold(people["executor"], project, 1, holder).code == "not_your_role"
    put(ShareHolding, project=project, holder=holder, number=1, assigned_by=planner, ended_at=timezone.now())
    assert rules.may_hold(planner, project, 1, holder)
    second = account(holder)
    member(project, "recipient", second)
    for one in (User.objects.get(pk=holder.pk), second):
        assert rules.may_hold(planner, project, 2, one).code == "holds_another"
        assert rules.may_hold(planner, project, 1, one)
    assert rules.may_hold(planner, project, 2, member(project, "recipient"))
    change(project, state=State.PROCESSING)
    assert rules.may_hold(planner, fresh(project), 1, holder).code == "wrong_state"


def test_where_nothing_was_split_there_is_nothing_to_give(split, monkeypatch):
    monkeypatch.setattr(rules, "latest_run", lambda project: None)
    assert rules.may_assign_shares(split.people["planner"], split.project).code == "no_shares"


def test_a_release_of_shares_is_fetched_by_their_holders(released):
    change(released.release, shares_hash="f" * 64)
    recipient = released.people["recipient"]
    put(ShareHolding, project=released.project, holder=recipient, number=1)
    assert rules.may_receive(recipient, fresh(released.release))


@pytest.mark.parametrize("state", State)
def test_the_team_has_a_result_measured_with_its_relatives(split, state):
    change(split.project, state=state, suspended_from="monitoring" if state == State.SUSPENDED else "")
    project, over = fresh(split.project), state in (State.CLOSED, State.REJECTED, State.WITHDRAWN)
    for name, user in split.people.items():
        wanted = "not_a_member" if name == "outsider" else "not_your_role"
        if name in ("planner", "executor", "supervisor"):
            wanted = "wrong_state" if over else ""
        assert may_measure(user, project, split.run, ["another"]).code == wanted, name


def test_what_is_measured_with_relatives_is_there_and_once_at_a_time(split):
    project, planner = split.project, split.people["planner"]
    assert may_measure(planner, project, None, ["another"]).code == "no_result"
    assert may_measure(planner, project, split.run, []).code == "no_relatives"
    given = {"run": split.run, "k": 5, "relatives": [], "sets": []}
    put(RelativesMeasurement, project=put(Project), **given)
    running = put(RelativesMeasurement, project=project, **given)
    assert may_measure(planner, project, split.run, ["another"]).code == "relatives_measuring"
    change(running, ended_at=timezone.now())
    assert may_measure(planner, project, split.run, ["another"])
