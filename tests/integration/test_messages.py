"""Several workers send messages at once, on PostgreSQL: each person gets one mail."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.deid_portal.messaging.servers import Mailbox

pytestmark = [pytest.mark.slow, pytest.mark.services]
PEOPLE, WORKERS = 12, 4


@pytest.fixture
def mailbox():
    found = Mailbox()
    found.open()
    yield found
    found.close()


def test_nobody_is_written_to_twice(portal, mailbox):
    portal.env["DEID_EMAIL_URL"] = f"smtp://127.0.0.1:{mailbox.port}"
    outcomes = portal.ask("race_messages", str(PEOPLE), str(WORKERS))["outcomes"]
    assert outcomes == [["done"] * WORKERS] * 2
    written = Counter(mail["To"] for mail in mailbox.mails)
    assert written == Counter(f"planner{number}@hospital.example" for number in range(PEOPLE))
    assert portal.query("SELECT DISTINCT kind, status FROM messaging_message") == [("new", "sent")]
