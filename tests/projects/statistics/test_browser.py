"""What a recipient of an enclave sees, in a real browser: nothing that axe knows keeps anybody out."""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests.access.answers import body_of
from tests.access.barriers import Browser

from .test_asking import ask, in_an_enclave

pytestmark = [pytest.mark.django_db, pytest.mark.browser, pytest.mark.usefixtures("one_thread", "browser")]
START = in_an_enclave


def test_no_page_of_asking_keeps_anybody_out(making, client, browser):
    window, lines = Browser(browser), []
    client.force_login(making.people.recipient)
    page, table = reverse("statistics_receive:page", args=[making.release.pk]), ask(making)
    look = reverse("statistics_receive:look", args=[making.release.pk, table.pk])
    for url in (page, look):
        for language in ("zh-hans", "en"):
            answer = client.get(url, headers={"Accept-Language": language})
            lines += [f"{url} ({language}): {one}" for one in window.barriers(url, answer, body_of(answer))]
    assert not lines, "\n".join(lines)
