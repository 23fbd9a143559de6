"""What an administrator fills in wrongly on the page of an account comes back with it, in the list of errors."""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests.pages import sent_nowhere
from tests.projects.rows import account

pytestmark = pytest.mark.django_db
LATE = {
    "post-post": "supervisor",
    "post-starts_on": "2030-05-02",
    "post-ends_on": "2030-05-01",
    "post-reason": "so",
}


@pytest.fixture
def administrator(client):
    by = account(post="administrator", must_change_password=False)
    client.force_login(by)
    return by


@pytest.mark.parametrize(
    ("name", "sent", "field", "kept"),
    [
        ("appointment_give", {"post-post": "supervisor", "post-starts_on": "2030-05-01"}, "post-reason", "2030-05-01"),
        ("appointment_give", LATE, "post-ends_on", "2030-05-02"),
        ("account_person", {"person-reason": "the same passport"}, "person-other", "the same passport"),
        ("account_person", {}, "person-reason", ""),
        ("account_password", {"password-reason": " "}, "password-reason", ""),
    ],
)  # fmt: skip
def test_it_comes_back_with_what_is_wrong_and_nothing_is_lost(client, administrator, name, sent, field, kept):
    of = account()
    answer = client.post(reverse(f"accounts:{name}", args=[of.pk]), sent)
    assert answer.status_code == 422
    page = answer.content.decode()
    assert f'href="#id_{field}"' in page
    assert kept in page
    assert page.count("error-summary__title") == 1
    assert sent_nowhere(page) == []
    assert of.appointments.filter(given_by=administrator).count() == 0


def test_an_appointment_is_not_ended_without_a_reason(client, administrator):
    of = account()
    held = of.appointments.first()
    address = reverse("accounts:appointment_end", args=[held.pk])
    answer = client.post(address, {})
    assert answer.status_code == 422
    page = answer.content.decode()
    assert f'href="#id_end-{held.pk}-reason"' in page
    assert page.count('aria-invalid="true"') == 1
    held.refresh_from_db()
    assert held.ended_at is None
