"""What every endpoint refuses before it reads: JSON that no answer could repeat."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("[" * 100_000 + "]" * 100_000, "nested too deeply"),
        ('{"expect_hash": "\\ud83d"}', "half of a character"),
        ('{"\\ude00": 1}', "half of a character"),
        ('{"expect_hash": ', "JSON parse error"),
    ],
)
def test_json_that_cannot_be_read_is_a_bad_request(client, people, body, said):
    client.force_login(people.auditor, backend="deid_portal.accounts.backends.AccountBackend")
    headers = {"Accept-Language": "en"}
    answer = client.post("/api/audit/checks/", body, content_type="application/json", headers=headers)
    assert answer.status_code == 400
    assert said in answer.content.decode()


def test_a_sign_that_is_written_as_two_is_one(client, people):
    client.force_login(people.auditor, backend="deid_portal.accounts.backends.AccountBackend")
    answer = client.post(
        "/api/audit/checks/", '{"expect_hash": "\\ud83d\\ude00"}', content_type="application/json"
    )
    assert answer.status_code == 400, "it is no hash"
    assert "half of a character" not in answer.content.decode()
