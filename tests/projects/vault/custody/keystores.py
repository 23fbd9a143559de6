"""A store of the keys beside the database of the tests: a file of its own, migrated by its own migrations, in which everything is
committed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connections
from django.db.utils import ConnectionHandler

from projects.vault.custody.routing import VAULT

KEY = "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="


@pytest.fixture
def place_of_keys(tmp_path) -> Path:
    return tmp_path / "keys.sqlite3"


@pytest.fixture
def keystore(db, settings, place_of_keys) -> Iterator[Path]:
    """The file of the store; the portal knows of it as long as the test lasts."""
    where = {"ENGINE": "django.db.backends.sqlite3", "NAME": str(place_of_keys)}
    where["OPTIONS"] = connections["default"].settings_dict["OPTIONS"]  # as the settings give every database
    settings.DEID_VAULT_KEY = KEY
    connections.databases[VAULT] = ConnectionHandler({"default": {}, VAULT: where}).settings[VAULT]
    # Tests may open no database that was not there when they were collected; this one is opened past that.
    connections[VAULT].connect()
    try:
        call_command("migrate", "custody", database=VAULT, verbosity=0)
        yield place_of_keys
    finally:
        connections[VAULT].close()
        del connections[VAULT]
        del connections.databases[VAULT]
