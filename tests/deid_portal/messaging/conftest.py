"""The servers that messages go to, and people who have addresses."""

from __future__ import annotations

import pytest

from deid_portal.accounts.services import profile_edit

from .servers import Mailbox, robot_open


@pytest.fixture
def mailbox(settings):
    """The portal's mail server."""
    found = Mailbox()
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", found.port
    settings.EMAIL_HOST_USER = settings.EMAIL_HOST_PASSWORD = ""
    settings.EMAIL_USE_TLS = settings.EMAIL_USE_SSL = False
    settings.DEID_MAIL_IS_SET = True
    settings.DEID_PORTAL_URL = "https://deid.example"
    found.open()
    yield found
    found.close()


@pytest.fixture
def robot(settings):
    """A robot of a chat, at an address that the settings permit."""
    with robot_open() as found:
        settings.DEID_WEBHOOK_HOSTS = [found.host]
        yield found


@pytest.fixture
def reachable(people):
    """Everybody reads English and has an address of their own, but for the assessor, for whom each project would wait."""
    for name, person in vars(people).items():
        profile_edit(person, email="" if name == "assessor" else f"{name}@hospital.example", language="en")
        person.refresh_from_db()
    return people
