"""What the database itself refuses about outside reviews of usefulness."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.utils import timezone

from projects.verification.models import UtilityOpinion
from tests.projects.rows import account, allowed, put, refused, unkept

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nothing_stays(db: None) -> Iterator[None]:
    with unkept():
        yield


def test_an_assessor_is_asked_and_answers_later() -> None:
    assessor = account(post="assessor", access_until=timezone.localdate())
    for nobody in (account(), account(post="auditor")):
        with refused("an external assessor is asked"):
            put(UtilityOpinion, assessor=nobody)
    with refused("answers later"):
        put(UtilityOpinion, assessor=assessor, verdict="fit", reason="so it is", answered_at=timezone.now())
    with allowed():
        put(UtilityOpinion, assessor=assessor)
