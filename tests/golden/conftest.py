"""People for the stories, the same as in the portal's tests."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from tests.fixtures import make_people


@pytest.fixture
def people(db: None) -> SimpleNamespace:
    return make_people()
