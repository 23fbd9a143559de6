"""In an enclave: what the approved target does not allow is refused on pages and by the API, and SQL queries end with their bound."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.urls import reverse
from django.utils import timezone, translation
from rest_framework.test import APIClient

from approvals.audit.models import AuditEvent
from approvals.governance.verdict import Refused
from projects.enclave import rules
from projects.enclave.models import EnclaveQuery
from projects.enclave.selectors import queries_today
from projects.findings.models import ReceivedSample
from projects.objective.enums import Act
from projects.objective.surroundings.profile.acts import acts_of
from projects.releases import events
from projects.releases.models import Delivery
from projects.statistics.models import Tabulation
from tests.projects.releases.deliveries.acts import everything_but, narrow
from tests.projects.rows import account

from .conftest import ENGLISH, in_an_enclave, query

pytestmark = pytest.mark.django_db
START = in_an_enclave
REFUSED = "The approved target does not allow this in the surroundings of this project: "
COUNT = "SELECT count(*) FROM data"


@pytest.fixture
def recipient(enclave, client):
    client.force_login(enclave.people.recipient)
    return client


@pytest.fixture
def program(enclave):
    client = APIClient()
    client.force_authenticate(enclave.people.recipient)
    return client


def sentence(act):
    with translation.override("en"):
        return f"{REFUSED}{act.label}."


def look(enclave):
    return reverse("recipient:look", args=[Delivery.objects.get(release=enclave.release).pk])


def test_looking_is_refused_and_leaves_no_event(enclave, recipient):
    assert recipient.get(look(enclave)).status_code == 200
    seen = AuditEvent.objects.filter(action=events.RELEASE_VIEWED)
    assert seen.count() == 1
    everything_but(enclave.project, Act.LOOK)
    refused = recipient.get(look(enclave), headers=ENGLISH)
    assert refused.status_code == 403
    assert sentence(Act.LOOK) in refused.content.decode()
    assert seen.count() == 1
    page = recipient.get(reverse("recipient:detail", args=[enclave.release.pk]), headers=ENGLISH)
    assert sentence(Act.LOOK) in page.content.decode()
    assert look(enclave) not in page.content.decode()


def test_sql_queries_are_refused_their_answers_too(enclave, recipient, program):
    made = query(enclave, COUNT)
    page = reverse("enclave_receive:page", args=[enclave.release.pk])
    detail = reverse("enclave_receive:detail", args=[enclave.release.pk, made.pk])
    assert "data-mark" in recipient.get(detail).content.decode()
    everything_but(enclave.project, Act.QUERY)
    assert sentence(Act.QUERY) in recipient.get(page, headers=ENGLISH).content.decode()
    ask = reverse("enclave_receive:ask", args=[enclave.release.pk])
    assert recipient.post(ask, {"statement": COUNT}).status_code == 403
    address = program.get(reverse("api:receive-detail", args=[enclave.release.pk])).request["PATH_INFO"]
    refused = program.post(f"{address}enclave/", {"statement": COUNT}, format="json", headers=ENGLISH)
    assert (refused.status_code, refused.json()["reason"]) == (403, sentence(Act.QUERY))
    assert "data-mark" not in recipient.get(detail).content.decode()
    assert EnclaveQuery.objects.count() == 1


def test_samples_are_refused(enclave, recipient):
    page = reverse("recipient_samples:page", args=[enclave.release.pk])
    assert sentence(Act.SAMPLE) not in recipient.get(page, headers=ENGLISH).content.decode()
    everything_but(enclave.project, Act.SAMPLE)
    assert sentence(Act.SAMPLE) in recipient.get(page, headers=ENGLISH).content.decode()
    assert recipient.post(page, {"size": "3"}).status_code == 403
    assert not ReceivedSample.objects.exists()


def test_asking_for_a_table_is_refused(enclave, recipient, program):
    everything_but(enclave.project, Act.ASK_TABLE)
    ask = reverse("statistics_receive:ask", args=[enclave.release.pk])
    assert recipient.post(ask, {"title": "By diagnosis"}).status_code == 403
    address = program.get(reverse("api:receive-detail", args=[enclave.release.pk])).request["PATH_INFO"]
    refused = program.post(f"{address}statistics/", {}, format="json", headers=ENGLISH)
    assert (refused.status_code, refused.json()["reason"]) == (403, sentence(Act.ASK_TABLE))
    assert not Tabulation.objects.exists()


def test_queries_end_with_the_bound_of_the_day_for_the_person(enclave, recipient):
    narrow(enclave.project, *acts_of("enclave"), queries_a_day=2)
    query(enclave, COUNT)
    assert rules.may_query(enclave.people.recipient, enclave.release)
    query(enclave, COUNT)
    with pytest.raises(Refused) as caught:
        query(enclave, COUNT)
    assert caught.value.verdict.code == "queries_of_the_day"
    page = recipient.get(reverse("enclave_receive:page", args=[enclave.release.pk]), headers=ENGLISH)
    assert "allows 2 SQL queries a day and person" in page.content.decode()
    ask = reverse("enclave_receive:ask", args=[enclave.release.pk])
    assert recipient.post(ask, {"statement": COUNT}).status_code == 403


def test_queries_of_a_person_count_under_each_of_their_accounts(enclave):
    query(enclave, COUNT)
    query(enclave, COUNT)
    same = account(enclave.people.recipient)
    assert queries_today(same, enclave.project) == 2
    assert queries_today(account(), enclave.project) == 0
    assert queries_today(enclave.people.executor, enclave.project) == 0


def test_an_older_query_does_not_count_today(enclave):
    narrow(enclave.project, Act.QUERY, queries_a_day=1)
    query(enclave, COUNT)
    assert rules.may_query(enclave.people.recipient, enclave.release).code == "queries_of_the_day"
    with time_machine.travel(timezone.now() + timedelta(days=1), tick=False):
        assert queries_today(enclave.people.recipient, enclave.project) == 0
