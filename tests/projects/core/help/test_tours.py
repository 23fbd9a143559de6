"""The tour at the first sign-in: by what a person does, sent away for good, and there again when it is wanted; the terms of a stage."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils.html import escape
from django.utils.translation import override

from projects.core.help.glossary import TERMS, terms_of
from projects.core.help.tours import TOURS, Audience, audience_of
from projects.workflow import STAGES, Stage

pytestmark = pytest.mark.django_db
BACKEND = "deid_portal.accounts.backends.AccountBackend"
PEOPLE = {
    "planner": Audience.PLANNER,
    "executor": Audience.EXECUTOR,
    "supervisor": Audience.SUPERVISOR,
    "management": Audience.MANAGEMENT,
    "recipient": Audience.RECIPIENT,
    "auditor": Audience.OVERSEER,
    "assessor": Audience.ASSESSOR,
    "administrator": Audience.ADMINISTRATOR,
}


@pytest.mark.parametrize("who", PEOPLE)
def test_each_is_led_round_what_they_do_until_they_want_it_no_more(client, people, project, who):
    person = getattr(people, who)
    assert audience_of(person) == PEOPLE[who]
    client.force_login(person, backend=BACKEND)
    english = {"accept-language": "en"}
    stops = TOURS[PEOPLE[who]]
    assert 3 <= len(stops) <= 5
    home = client.get("/", headers=english).content.decode()
    assert [str(stop.title) for stop in stops if str(escape(str(stop.title))) not in home] == []
    for stop in filter(None, (stop.page for stop in stops)):
        assert client.get(reverse(stop)).status_code == 200, stop
    assert client.post(reverse("core:help_tour_end")).status_code == 302
    assert client.post(reverse("core:help_tour_end")).status_code == 302, "twice is once"
    home = client.get("/", headers=english).content.decode()
    assert str(escape(str(stops[0].text))) not in home
    assert reverse("core:help_tour") in home
    again = client.get(reverse("core:help_tour"), headers=english).content.decode()
    assert [str(stop.text) for stop in stops if str(escape(str(stop.text))) not in again] == []


def test_what_others_do_can_be_read_but_leads_nowhere(client, people):
    client.force_login(people.planner, backend=BACKEND)
    page = client.get(reverse("core:help_tour"), {"as": "overseer"}).content.decode()
    assert reverse("audit:verify") not in page
    assert client.get(reverse("core:help_tour"), {"as": "nobody"}).status_code == 404


def test_the_terms_of_a_stage_are_those_of_the_glossary_in_the_readers_language():
    for stage in STAGES:
        assert 3 <= len(terms_of(stage)) == len({term.zh for term in terms_of(stage)}), stage
        assert set(terms_of(stage)) <= set(TERMS)
    assert terms_of(Stage.CLOSED) == []
    first = terms_of(Stage.IDENTIFICATION)[0]
    with override("zh-hans"):
        assert (first.word, first.other) == ("直接标识符", "direct identifier")
    with override("en"):
        assert (first.word, first.other) == ("direct identifier", "直接标识符")
