"""The only writer of intruder tests and of the claims of their testers."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from typing import Any

from django.db.models import Max
from django.utils import timezone

from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.verdict import deny
from projects.core.models import Project
from projects.core.services import notify, project_lock
from projects.processing.runs.selectors import latest_run, results_by_table, tables_of_run
from projects.processing.runs.services import hash_facts
from projects.workflow import Role

from . import events, rules
from .documents import report_start
from .enums import ClaimVerdict, Knowledge
from .models import IntruderClaim, IntruderTest, Invitation
from .selectors import claims_of, is_waiting, places_of


def intruder_test_open(
    project: Project, *, knowledge: Knowledge, scope: str, testers: str, auxiliary: str, by: Person
) -> IntruderTest:
    """Open a test of the current result."""
    with recording(events.OPENED, by=by, project_id=project.pk) as event:
        project = project_lock(project)
        rules.may_open(by, project).require()
        said = {"scope": scope.strip(), "testers": testers.strip(), "auxiliary": auxiliary.strip()}
        if not all(said.values()):
            deny(rules.IntrusionReason.SAY_IT).require()
        run = latest_run(project)
        assert run is not None  # as the rule requires
        last = IntruderTest.objects.filter(project=project).aggregate(last=Max("number"))["last"] or 0
        test = IntruderTest(
            project=project, run=run, number=last + 1, knowledge=Knowledge(knowledge), opened_by=by, **said
        )
        test.save(force_insert=True)
        event.subject = test.subject
        event.facts.update(run=str(run), **hash_facts("result", results_by_table(run)))
        return test


def claims_record(
    test: IntruderTest, *, records: Sequence[int], reference: str, table: str = "", by: Person
) -> IntruderTest:
    """Record that the testers claim to know whose these records of the result are, of its ``table`` where it has several."""
    with recording(events.CLAIMED, by=by, about=test) as event:
        test = test_locked(test)
        rules.may_claim(by, test).require()
        reference = reference.strip()
        if not reference or not records:
            deny(rules.IntrusionReason.SAY_IT).require()
        claims_add(test, records=records, table=table, reference=reference, by=by)
        event.facts["claims"] = len(records)
        notify(test.project, events.CLAIMED, (Role.EXECUTOR,), by=by, subject=str(test), claims=len(records))
        return test


def claims_add(
    test: IntruderTest,
    *,
    records: Sequence[int],
    table: str,
    reference: str,
    by: Person,
    invitation: Invitation | None = None,
    **said: Any,
) -> list[IntruderClaim]:
    """Write claims of a test that is locked, within a recording. Each record is claimed once by an ``invitation``, and once without."""
    written = tables_of_run(test.run).get(table)
    rows = (written.result_rows or 0) if written else 0
    own = test.claims.filter(invitation=invitation, of_table=table)
    before = set(own.values_list("record", flat=True))
    for record in records:
        if record in before:
            deny(rules.IntrusionReason.CLAIMED_ALREADY).require()
        if not 1 <= record <= rows:
            deny(rules.IntrusionReason.NO_SUCH_RECORD).require()
        before.add(record)
    last = test.claims.aggregate(last=Max("number"))["last"] or 0
    claims = []
    for number, record in enumerate(records, last + 1):
        claim = IntruderClaim(
            test=test,
            number=number,
            of_table=table,
            record=record,
            reference=reference[:100],
            made_by=by,
            invitation=invitation,
            **said,
        )
        claim.save(force_insert=True)
        claims.append(claim)
    return claims


def claims_check(
    test: IntruderTest, *, claims: Collection[uuid.UUID], right: bool, by: Person
) -> IntruderTest:
    """Say of claims that were held against the source that all of them are right, or that all are wrong."""
    with recording(events.CHECKED, by=by, about=test) as event:
        test = test_locked(test)
        held = claims_of(test)
        rules.may_check(by, test, is_waiting(held)).require()
        chosen = [one for one in held if one.pk in set(claims)]
        if not chosen:
            deny(rules.IntrusionReason.NOTHING_TO_CHECK).require()
        for claim in chosen:
            rules.may_check_claim(by, claim).require()
            claim.verdict = ClaimVerdict.RIGHT if right else ClaimVerdict.WRONG
            claim.checked_by, claim.checked_at = by, timezone.now()
            claim.save()
        event.facts.update(right=len(chosen) if right else 0, wrong=0 if right else len(chosen))
        return test


def intruder_test_close(test: IntruderTest, *, attempts: int, conclusion: str, by: Person) -> IntruderTest:
    """Conclude a test once every claim is checked: of how many persons how many were recognised. It is printed."""
    with recording(events.CONCLUDED, by=by, about=test) as event:
        test = test_locked(test)
        claims = claims_of(test)
        rules.may_close(by, test, is_waiting(claims)).require()
        conclusion = conclusion.strip()
        if not conclusion:
            deny(rules.IntrusionReason.SAY_IT).require()
        if attempts < max(1, len(places_of(claims))):
            deny(rules.IntrusionReason.FEWER_THAN_CLAIMS).require()
        test.attempts, test.conclusion = attempts, conclusion
        test.closed_by, test.closed_at = by, timezone.now()
        test.save()
        right = len(places_of(one for one in claims if one.verdict == ClaimVerdict.RIGHT))
        event.facts.update(right=right, attempts=attempts)
        roles = (Role.PLANNER, Role.EXECUTOR, Role.MANAGEMENT)
        notify(
            test.project, events.CONCLUDED, roles, by=by, subject=str(test), right=right, attempts=attempts
        )
        report_start(test, by=by)
        return test


def test_locked(test: IntruderTest) -> IntruderTest:
    """The test as it stands in the database, with its project locked."""
    project_lock(test.project)
    found = IntruderTest.objects.select_for_update(of=("self",)).select_related("project", "run")
    return found.get(pk=test.pk)
