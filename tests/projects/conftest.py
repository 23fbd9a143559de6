"""Each test of a project has a store of its own."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def store(settings, tmp_path):
    settings.DEID_STORE_DIR = tmp_path / "store"
    return settings.DEID_STORE_DIR
