"""Parts share nobody only where somebody decided that each row is one person."""

from __future__ import annotations

from decimal import Decimal

import pytest

from projects.identification.persons.rules import settled_key
from projects.queries.models import Grant
from projects.queries.services import grant_propose

from .conftest import granted, released
from .test_queries import asked, left, page, refused

pytestmark = pytest.mark.django_db
START = released


def test_that_no_sign_was_found_opens_no_account_of_parts(client, asking):
    people, by = asking.people, asking.people.planner
    assert settled_key(asking.dataset) == ()
    what = {"dataset": asking.dataset, "recipient": None, "epsilon": Decimal(1), "reason": "for the study"}
    assert refused(lambda: grant_propose(asking.project, **what, part="性别", by=by)) == "parts_unsaid"
    assert not Grant.objects.exists()
    shown = page(client, by, "queries:page", asking.project.pk).content.decode()
    assert "only where it was decided with the identification that each row is one person" in shown
    # Without parts everything adds up, and nothing rests on the decision.
    granted(people, asking.release, asking.dataset, "1")
    granted(people, asking.release, asking.dataset, "1", people.recipient)
    assert asked(asking, run=False, epsilon=0.5, by=[], where={"性别": ["男"]}).status == "running"
    assert asked(asking, run=False, epsilon=0.4, by=[], where={"性别": ["女"]}).status == "running"
    assert left(asking) == Decimal("0.1")
