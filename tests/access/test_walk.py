"""Every address × role × checkpoint: what it answers, what it hides, what it never says."""

from __future__ import annotations

from collections import defaultdict

import pytest

from approvals.audit.models import AuditEvent

from .checkpoints import CHECKPOINTS
from .expectations import TABLES
from .fuzzing import Fuzzing, served_operations, traces
from .roles import EVERYBODY
from .walk import Walk

# A page with more than the first is listed, with the second it fails, whoever asks; a list that grows with its rows
# is found by tests/access/test_many_rows.py. Not counted: the session, and the person who asks.
MANY_QUERIES, TOO_MANY_QUERIES = 18, 22
# Fetching the file is an act, although it is a GET: locked, asked again under the lock, compared with the log, recorded.
pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", params=list(CHECKPOINTS))
def visits(request, walk):
    return walk(request.param)


@pytest.fixture(scope="module")
def operations(lifecycle):
    return served_operations(lifecycle.world.keys["planner"])


@pytest.fixture
def fuzzed(request, visits, lifecycle, operations, log_ears):
    """What came of hostile requests here; each checkpoint has a role and a part of the operations."""
    checkpoint = request.node.callspec.params["visits"]
    place = list(CHECKPOINTS).index(checkpoint)
    role = EVERYBODY[place % len(EVERYBODY)]
    there = Walk(lifecycle.at(checkpoint), checkpoint, lifecycle.personal)
    with log_ears.listening(), Fuzzing(there, place) as fuzzing:
        fuzzing.drawn(operations[place :: len(CHECKPOINTS)], role, examples=1)
        fuzzing.bent(role, chances=0.1)
    return fuzzing


def no_faults(visits, kind):
    lines = sorted({f"{visit} – {text}" for visit in visits for what, text in visit.faults if what == kind})
    if lines:
        pytest.fail(f"{len(lines)} faults\n" + "\n".join(lines[:60]), pytrace=False)


def test_everybody_gets_what_is_theirs(visits):
    no_faults(visits, "status")


def test_nothing_of_a_hidden_project_is_named(visits):
    no_faults(visits, "hidden")


def test_no_personal_value_is_shown_or_recorded(visits):
    no_faults(visits, "raw")


def test_asking_for_the_head_alone_opens_nothing(visits):
    """What is opened is in the log; whoever asks for the head gets nothing, and so leaves no event."""
    no_faults(visits, "event")


def test_every_page_has_its_policy_language_and_heading(visits):
    no_faults(visits, "markup")


def test_no_page_asks_the_database_too_often(visits):
    many = [
        f"{visit}: {visit.queries} queries"
        for visit in visits
        if visit.method == "GET" and visit.queries >= TOO_MANY_QUERIES
    ]
    assert not many


def test_no_input_is_an_error(visits, fuzzed):
    """A small part of ``make fuzz`` at each checkpoint, by one role after the other."""
    assert sum(fuzzed.sent.values()) > 5
    assert not fuzzed.faults, "\n\n".join(traces(fuzzed.faults))


class TestTheWholeWalk:
    @pytest.fixture
    def whole(self, walk):
        return [visit for checkpoint in CHECKPOINTS for visit in walk(checkpoint)]

    def test_every_expectation_was_met_with_success_somewhere(self, whole):
        """An expectation that nobody ever fulfils would say nothing."""
        reached = {(visit.name, visit.method) for visit in whole if visit.succeeded}
        lacking = [
            f"{method} {name}"
            for table in TABLES.values()
            for name, methods in table.items()
            for method, rules in methods.items()
            if (name, method) not in reached
            and not any(rule.never for rule in (rules if isinstance(rules, list) else [rules]))
        ]
        assert not lacking

    def test_no_event_of_the_tale_holds_a_personal_value(self, whole, lifecycle):
        held = [
            event.action
            for event in AuditEvent.objects.all()
            if lifecycle.personal.found_in(f"{event.subject} {event.reason} {event.facts}")
        ]
        assert AuditEvent.objects.count() > 100
        assert not held

    def test_no_line_of_the_logs_holds_a_personal_value(self, whole, log_ears):
        assert log_ears.lines > 100
        assert not log_ears.heard

    def test_pages_with_many_queries_are_listed(self, whole, say):
        most: dict[str, tuple[int, int, str]] = defaultdict(lambda: (0, 0, ""))
        for visit in whole:
            if visit.method == "GET" and visit.queries > MANY_QUERIES:
                line = (visit.queries, visit.repeated, f"{visit.role} @ {visit.checkpoint}")
                most[visit.name] = max(most[visit.name], line)
        for name, (queries, repeated, where) in sorted(most.items(), key=lambda item: -item[1][0]):
            say(f"{queries:4} (one of them {repeated} times)  {name:40} {where}")
