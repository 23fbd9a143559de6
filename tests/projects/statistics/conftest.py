"""A released project of 300 persons, and rules for tables that two persons put in force."""

from __future__ import annotations

from contextlib import nullcontext
from types import SimpleNamespace

import pytest

from deid_portal.organisation.disclosure.rule_sets import rules_decide, rules_propose
from projects.processing.runs.selectors import latest_run
from projects.releases.models import Release
from projects.statistics.definition import Definition
from projects.statistics.services import table_decide, table_import, table_make
from projects.workflow import State
from tests.projects.processing.conftest import SmallStory, make_csv

BY_DIAGNOSIS = {"kind": "persons", "spans": [{"column": "诊断"}, {"column": "性别"}]}


def released(people):
    story = SmallStory(
        vars(people), "Visits for a study", make_csv(), file_name="visits.csv", documents=False
    )
    story.reach(State.MONITORING)
    return story


def in_force(people, name, *, counts, **rules):
    made = rules_propose(name=name, counts=counts, rules=rules, reason="as agreed", by=people.planner)
    return rules_decide(made, accept=True, reason="as agreed", by=people.administrator)


@pytest.fixture
def making(own_start):
    """The release, and a set of rules for counts and one for amounts."""
    story, people = own_start.story, own_start.people
    release = Release.objects.select_related("project").get(project=story.project)
    return SimpleNamespace(
        story=story, people=people, release=release, project=release.project, run=latest_run(release.project),
        counts=in_force(people, "Persons", counts=True, minimum_contributors=50),
        amounts=in_force(people, "Fees", counts=False, minimum_contributors=3, p_percent=10),
    )  # fmt: skip


def made(making, *, run=True, definition=None, rules=None, by=None, source="", **more):
    defined = Definition.model_validate({**BY_DIAGNOSIS, **(definition or {}), **more})
    chosen = rules or (making.counts if defined.counts else making.amounts)
    table = table_make(
        making.project, title="Diagnoses by sex", source=source, definition=defined, rules_id=chosen.pk,
        by=by or making.people.executor,
    )  # fmt: skip
    if run:
        making.story.run_jobs()
        table.refresh_from_db()
    return table


def imported(making, text, *, rules=None, fails=False, **definition):
    table = table_import(
        making.project, title="From the office", content=text.encode(), definition=Definition.model_validate(definition),
        rules_id=(rules or (making.counts if definition["kind"] == "persons" else making.amounts)).pk, by=making.people.executor,
    )  # fmt: skip
    with pytest.raises(RuntimeError) if fails else nullcontext():
        making.story.run_jobs()
    table.refresh_from_db()
    return table


def signed(making, table):
    table = table_decide(table, accept=True, reason="it is as planned", by=making.people.supervisor)
    return table_decide(table, accept=True, reason="it may go out", by=making.people.management)
