"""What a recipient of an enclave sees of queries, in a real browser: nothing that axe knows keeps anybody out."""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests.access.answers import body_of
from tests.access.barriers import Browser

from .conftest import in_an_enclave, query

pytestmark = [pytest.mark.django_db, pytest.mark.browser, pytest.mark.usefixtures("one_thread", "browser")]
START = in_an_enclave


def test_no_page_of_queries_keeps_anybody_out(enclave, client, browser):
    window, lines = Browser(browser), []
    answered = query(enclave, 'SELECT a.*, NULL AS "无" FROM data a, data b', purpose="for the report")
    failed = query(enclave, 'SELECT CAST("诊断" AS INTEGER) FROM data')
    own = reverse("enclave_receive:page", args=[enclave.release.pk])
    details = [
        reverse("enclave_receive:detail", args=[enclave.release.pk, one.pk]) for one in (answered, failed)
    ]
    for person, urls in (
        (enclave.people.recipient, [own, *details]),
        (enclave.people.supervisor, [reverse("enclave:page", args=[enclave.project.pk])]),
    ):
        client.force_login(person)
        for url in urls:
            for language in ("zh-hans", "en"):
                answer = client.get(url, headers={"Accept-Language": language})
                lines += [
                    f"{url} ({language}): {one}" for one in window.barriers(url, answer, body_of(answer))
                ]
    assert not lines, "\n".join(lines)
