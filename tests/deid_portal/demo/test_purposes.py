"""Each of the demo's projects says what it is for itself, and has a table of its own that can serve it."""

from __future__ import annotations

from datetime import date

import pytest

from deid_portal.demo.loading import LEAST_ROWS, STAGE_PURPOSES
from deid_portal.demo.notice import notice_of
from deid_portal.demo.purposes import COSTS
from deid_portal.demo.sources import CHECK_UP, FOLLOW_UP, OUTPATIENT
from deid_portal.demo.story import Story
from projects.identification.enums import ColumnRole
from projects.verification.remedies.services import remedies_that_hold
from projects.verification.services import verification_start
from projects.workflow import State

PURPOSES = [purpose for _state, purpose in STAGE_PURPOSES]
# Columns that the scan finds to be direct identifiers by their values or names.
IDENTIFIERS = {"姓名", "身份证号", "手机号", "备注"}


def test_no_two_projects_share_title_use_recipient_or_table():
    for name in ("title", "recipient", "use", "use_after", "laws"):
        values = [getattr(purpose, name) for purpose in PURPOSES]
        assert len(set(values)) == len(values) == 7, name
    assert (
        len({purpose.summary_text for purpose in PURPOSES}) == len({one.agreed_text for one in PURPOSES}) == 7
    )
    assert len({one.source.title for one in PURPOSES}) == len({one.source.person for one in PURPOSES}) == 7
    assert len({tuple(one.source.table(20).column_names) for one in PURPOSES}) == 7


@pytest.mark.parametrize("purpose", PURPOSES, ids=lambda purpose: purpose.source.title)
def test_what_a_project_is_for_is_in_its_table(purpose):
    source = purpose.source
    table = source.table(200)
    columns = set(table.column_names)
    assert len(table) == 200
    # The texts are about this table and no other.
    said = " ".join(
        [
            purpose.title,
            purpose.summary_text,
            *map(str, purpose.scope().values()),
            *purpose.factors().values(),
        ]
    )
    assert source.title in purpose.title or purpose.title.startswith(source.title)
    assert source.title in purpose.scope()["policy"]
    assert not any(other.source.title in said for other in PURPOSES if other is not purpose)
    # Everything that people say of columns is about columns that it has, and nothing is left unsaid.
    assert set(source.verdicts) <= columns
    assert columns == IDENTIFIERS & columns | set(source.verdicts) | {source.person}
    assert {source.day, source.amount, source.finding, *source.dispensable} <= columns
    assert source.verdicts[source.finding][0] == ColumnRole.SENSITIVE
    # The means and shares that the purpose needs can be measured.
    assert all(float(value) >= 0 for value in table[source.amount].to_pylist())
    assert 1 < len(set(table[source.finding].to_pylist())) < 200
    name, content = notice_of(source)
    assert name == f"{source.notice}.txt"
    text = content.decode()
    assert source.notice in text
    assert "七、用于医学研究时，我们先按国家标准去标识化" in text


def test_persons_have_the_age_of_the_office_that_notes_them():
    for source, youngest, oldest in ((FOLLOW_UP, 35, 130), (CHECK_UP, 18, 65)):
        rows = source.table(500).to_pylist()
        ages = [
            (date.fromisoformat(row[source.day]) - date.fromisoformat(row["出生日期"])).days / 365.25
            for row in rows
        ]
        assert youngest <= min(ages)
        assert max(ages) < oldest
    rows = OUTPATIENT.table(500).to_pylist()
    assert (
        min(date.fromisoformat(r["就诊日期"]) - date.fromisoformat(r["出生日期"]) for r in rows).days
        < 18 * 365
    )


@pytest.mark.django_db
def test_the_project_under_verification_has_something_to_mend(people):
    """What newcomers meet there: a result that is too risky, and ways to mend it by one click."""
    story = Story(vars(people), COSTS.title, COSTS.source.csv(LEAST_ROWS), documents=False, purpose=COSTS)
    story.reach(State.VERIFICATION)
    verification, _job = verification_start(story.project, by=people.executor)
    story.run_jobs()
    verification.refresh_from_db()
    assert verification.passed is False
    assert {"k", "max_risk"} <= {one["kind"] for one in verification.checks if not one["passed"]}
    remedies = remedies_that_hold(story.project, verification)
    assert sum(one.passes for one in remedies) >= 2
