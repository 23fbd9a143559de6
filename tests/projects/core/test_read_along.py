"""What packages have read along with a row is about that row: a subquery that names none would say of each what is true of any."""

from __future__ import annotations

import pytest

from projects.core import selectors as memberships
from projects.core.models import Membership
from projects.verification import selectors as verifications
from projects.verification.models import Verification

pytestmark = pytest.mark.django_db  # the version of the database says how a statement is written
OF_ALL = {"impact_rules", "follow_ups_open", "has_team_head"}
"""Said of the organisation, whichever the row."""
READ = [
    (model, name, expression)
    for model, module in ((Membership, memberships), (Verification, verifications))
    for name, expression in sorted(module._read_along.items())
]


@pytest.mark.parametrize(("model", "name", "expression"), READ, ids=[name for _model, name, _one in READ])
def test_it_is_about_the_row(model, name, expression):
    written = str(model.objects.order_by().annotate(along=expression).values("along").query)
    read, _from, _table = written.rpartition(" FROM ")
    assert (f'"{model._meta.db_table}".' in read) == (name not in OF_ALL)
