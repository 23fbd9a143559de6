"""The secret rules for tables of statistics: two persons put them in force, few know them, nothing tells them."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from django.urls import reverse

from approvals.audit.models import AuditEvent
from approvals.governance.verdict import Refused
from deid_portal.organisation.disclosure.rule_sets import (
    Sets,
    rules_decide,
    rules_of,
    rules_propose,
    versions,
)
from deid_portal.organisation.models import TableRules
from deid_portal.organisation.proposals.home import proposals_waiting
from projects.core.models import Notification
from techniques.core.messages import EngineError

pytestmark = pytest.mark.django_db
PAGE = "organisation:table_rules"
# Numbers that stand nowhere else.
SECRET = {"minimum_contributors": 17, "dominance": {"n": 3, "k": 87.625}, "p_percent": 13.375}


def propose(by, *, name="Fees", counts=False, rules=None, reason="as agreed"):
    return rules_propose(name=name, counts=counts, rules=rules or SECRET, reason=reason, by=by)


def get(client, who, name=PAGE, language="en"):
    client.force_login(who, backend="deid_portal.accounts.backends.AccountBackend")
    return client.get(reverse(name), headers={"accept-language": language})


def post(client, who, data, name=PAGE, *arguments):
    client.force_login(who, backend="deid_portal.accounts.backends.AccountBackend")
    return client.post(reverse(name, args=arguments), data, headers={"accept-language": "en"})


def refused(call):
    with pytest.raises(Refused) as caught:
        call()
    return caught.value.verdict.code


def test_a_second_person_puts_them_in_force(people):
    made = propose(people.planner)
    assert Sets().sets() == []
    assert refused(lambda: rules_decide(made, accept=True, reason="yes", by=people.planner)) == "own_proposal"
    rules_decide(made, accept=True, reason="as agreed", by=people.administrator)
    (one,) = Sets().sets()
    assert (one.name, one.version, one.counts) == ("Fees", 1, False)
    opened = Sets().opened(one.id)
    assert (opened.minimum_contributors, opened.p_percent, opened.dominance.k) == (17, 13.375, 87.625)


def test_each_set_has_its_versions(people):
    first = rules_decide(propose(people.planner), accept=True, reason="yes", by=people.administrator)
    other = propose(people.planner, name="Persons", counts=True, rules={"minimum_contributors": 5})
    rules_decide(other, accept=True, reason="yes", by=people.administrator)
    second = propose(people.administrator, rules={"p_percent": 10})
    assert (second.number, other.number) == (2, 1)
    assert refused(lambda: propose(people.planner)) == "one_is_waiting"
    rules_decide(second, accept=True, reason="yes", by=people.planner)
    assert [(one.name, one.version) for one in Sets().sets()] == [("Fees", 2), ("Persons", 1)]
    # What was made by a version can be made again.
    assert Sets().opened(first.pk).p_percent == 13.375


def test_what_was_turned_down_is_opened_for_nobody(people):
    made = rules_decide(propose(people.planner), accept=False, reason="no", by=people.administrator)
    with pytest.raises(TableRules.DoesNotExist):
        Sets().opened(made.pk)


@pytest.mark.parametrize("who", ["executor", "supervisor", "management", "auditor", "recipient", "superuser"])
def test_others_neither_propose_nor_know(people, who):
    assert refused(lambda: propose(getattr(people, who))) == "not_an_editor"
    assert not Sets().may_know(getattr(people, who))


@pytest.mark.parametrize(
    ("counts", "rules"),
    [
        (True, {"p_percent": 10}),
        (True, {"minimum_contributors": 5, "zeros": "hidden"}),
        (True, {"minimum_contributors": 5, "p_percent": 10}),
        (False, {"zeros": "hidden"}),
        (False, {"p_percent": 0}),
        (False, {"minimum_contributors": 1}),
        (False, {"prior_posterior": {"p": 50, "q": 10}}),
    ],
)  # fmt: skip
def test_what_are_no_rules_is_refused(people, counts, rules):
    with pytest.raises(ValidationError):
        propose(people.planner, counts=counts, rules=rules)
    assert not TableRules.objects.exists()


class TestSecrets:
    def kept_beside(self):
        """Whatever is kept or sent beside what is sealed."""
        events = list(AuditEvent.objects.values("facts", "reason", "subject", "subject_hash"))
        return str(events) + str(list(Notification.objects.values())) + str(list(versions().values()))

    def test_nothing_that_is_kept_tells_them(self, people):
        rules_decide(propose(people.planner), accept=True, reason="yes", by=people.administrator)
        kept = self.kept_beside()
        assert not any(number in kept for number in ("87.625", "13.375", '"n"'))

    def test_the_same_rules_have_another_hash(self, people):
        """Few numbers would be guessed from a hash of their own."""
        hashes = {propose(people.planner, name=name).content_hash for name in ("a", "b", "c")}
        sealed = {one.sealed for one in TableRules.objects.all()}
        assert (len(hashes), len(sealed)) == (3, 3)

    def test_what_was_moved_to_another_row_does_not_open(self, people):
        one, other = propose(people.planner, name="a"), propose(people.planner, name="b")
        other.sealed = one.sealed
        with pytest.raises(EngineError):
            rules_of(other)

    @pytest.mark.parametrize("language", ["en", "zh-hans"])
    @pytest.mark.parametrize(
        ("who", "knows"),
        [("administrator", True), ("planner", True), ("executor", False), ("auditor", False)],
    )
    def test_the_page_tells_planning_managers_and_administrators(self, client, people, who, knows, language):
        propose(people.planner, name="Waiting")
        rules_decide(propose(people.planner), accept=True, reason="yes", by=people.administrator)
        text = get(client, getattr(people, who), language=language).content.decode()
        assert "Fees" in text
        assert all((number in text) == knows for number in ("87.625", "13.375"))

    def test_the_api_tells_nobody(self, client, people):
        propose(people.planner)
        answer = get(client, people.administrator, "api:organisation-table-rules")
        assert [one["name"] for one in answer.json()] == ["Fees"]
        assert "sealed" not in answer.content.decode()
        assert not any(number in answer.content.decode() for number in ("87.625", "13.375"))


def test_on_the_page_it_is_proposed_and_decided(client, people):
    given = {
        "name": "Fees",
        "kind": "amounts",
        "p_percent": "10",
        "n": "2",
        "zeros": "published",
        "reason": "as agreed",
    }
    answer = post(client, people.planner, given)
    assert answer.status_code == 422
    assert "Dominance needs n and k" in answer.content.decode()
    assert post(client, people.planner, {**given, "k": "80"}).status_code == 302
    (made,) = versions()
    assert [one.url for one in proposals_waiting(people.administrator)] == [reverse(PAGE)]
    answer = post(
        client,
        people.administrator,
        {"decision": "accept", "reason": "yes"},
        "organisation:table_rules_decide",
        made.pk,
    )
    assert answer.status_code == 302
    assert [one.name for one in Sets().sets()] == ["Fees"]


@pytest.mark.parametrize(
    "change",
    [
        "status = 'in_force'",
        "decided_by_id = made_by_id, decided_at = made_at, status = 'in_force', decision_reason = 'x'",
    ],
)
def test_the_database_holds_two_persons(people, change):
    made = propose(people.planner)
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"UPDATE organisation_tablerules SET {change} WHERE id = %s", [made.pk.hex])
