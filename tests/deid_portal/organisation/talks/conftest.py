"""The mail server that reminders go to, and people who have addresses."""

from tests.deid_portal.messaging.conftest import mailbox, reachable

__all__ = ["mailbox", "reachable"]
