"""The only writer of reversal requests; every step leaves an audit event with counts and hashes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from approvals.audit.proof import explained_require
from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.verdict import Refused, deny
from projects.core.models import Project
from projects.core.rules import CoreReason
from projects.core.services import notify, project_lock
from projects.datasets.models import StoredFile
from projects.datasets.store.store import store_destroy
from projects.jobs.one_by_one import each_by_itself
from projects.jobs.services import job_about
from projects.processing.models import Run
from techniques.core.messages import gettext_noop

from . import events, rules
from .contents import Answer, answer_read, values_cleaned, values_write
from .enums import ReversalStatus
from .models import ReversalRequest
from .selectors import way_of

REVERSE_JOB = "reversal.reverse"

Done = Callable[[ReversalRequest], None]
_done: list[Done] = []


def on_reversal_done(function: Done) -> Done:
    """Subscribe to reversals that got values back: how monitoring opens a re-assessment (T/ISC 0078 11.1 d)."""
    _done.append(function)
    return function


def reversal_ask(
    run: Run, *, table: str = "", column: str, values: Iterable[str], reason: str, by: Person
) -> ReversalRequest:
    """Ask to get single values of one column of a run's result back; a second person decides.

    ``table`` is what the run calls the table. Raises Refused, and EngineError for values that cannot be asked for.
    """
    rules.may_ask_about(by, run).require()
    reason = reason.strip()
    if not reason:
        deny(rules.ReversalReason.REASON_NEEDED).require()
    cleaned = values_cleaned(values)
    stored = values_write(cleaned)
    with recording(
        events.REQUESTED, by=by, project_id=run.project_id, reason=reason, values=len(cleaned)
    ) as event:
        project = project_lock(run.project)
        run = Run.objects.select_related("recipe_version", "project").get(pk=run.pk, project=project)
        rules.may_ask_about(by, run).require()
        way = way_of(run, table, column)
        if way is None:
            raise Refused(deny(rules.ReversalReason.NOT_REVERSIBLE))
        last = ReversalRequest.objects.filter(project=project).first()
        request = ReversalRequest.objects.create(
            project=project,
            number=last.number + 1 if last else 1,
            run=run,
            table=table,
            column=column,
            way=way,
            asked=stored,
            values_count=len(cleaned),
            reason=reason[:500],
            asked_by=by,
        )
        event.subject = request.subject
        event.facts.update(run=str(run), column=request.place, way=str(way))
        about = {"values": request.values_count, "column": request.place}
        notify(project, events.REQUESTED, rules.DECIDING, by=by, reason=request.reason, **about)
        return request


def reversal_decide(request: ReversalRequest, *, approve: bool, reason: str, by: Person) -> ReversalRequest:
    """The second person's word. Approved, a job gets the values back; refused, the question is destroyed."""
    reason = reason.strip()
    action = events.APPROVED if approve else events.REFUSED
    with recording(action, by=by, about=request, reason=reason) as event:
        request = _locked(request)
        (rules.may_approve if approve else rules.may_refuse)(by, request).require()
        explained_require(request.project_id, by=by)
        if not reason:
            deny(rules.ReversalReason.REASON_NEEDED).require()
        request.decided_by, request.decided_at = by, timezone.now()
        request.decision_reason = reason[:500]
        request.status = ReversalStatus.RUNNING if approve else ReversalStatus.REFUSED
        event.facts.update(values=request.values_count, column=request.place)
        if approve:
            job = job_about(request, REVERSE_JOB, title=gettext_noop("Get values back"), by=by)
            request.job_id = job.pk
        else:
            store_destroy(request.asked)
        request.save()
        notify(request.project, action, rules.ASKING, by=by, reason=request.decision_reason)
        return request


def reversal_succeed(request: ReversalRequest, *, answer: StoredFile, found: int) -> ReversalRequest:
    """Keep the answer for a limited time; called in the transaction that ends the job."""
    facts: dict[str, Any] = {"values": request.values_count, "found": found, "answer": answer.sha256}
    with recording(events.DONE, by=None, about=request, **facts):
        request = _locked(request)
        rules.may_answer(request).require()
        request.status, request.answer, request.found_count = ReversalStatus.READY, answer, found
        request.readable_until = timezone.now() + timedelta(hours=settings.DEID_REVERSAL_HOURS)
        store_destroy(request.asked)
        request.save()
        notify(request.project, events.DONE, rules.ASKING, by=None, values=request.values_count, found=found)
        if found:
            for react in _done:
                react(request)
        return request


def reversal_fail(request: ReversalRequest, *, code: str) -> ReversalRequest:
    """There is no answer; it can be asked for again. Nothing happens to a request that has ended already."""
    if _locked(request).status != ReversalStatus.RUNNING:
        return request
    with recording(events.FAILED, by=None, about=request, code=code):
        request = _locked(request)
        request.status, request.failed_code = ReversalStatus.FAILED, code[:80] or "internal"
        store_destroy(request.asked)
        request.save()
        return request


def reversal_read(request: ReversalRequest, *, by: Person) -> list[Answer]:
    """The answer, for the eyes of who asked. That it was read is recorded before it is shown."""
    with recording(events.READ, by=by, about=request) as event:
        request = _locked(request)
        rules.may_read(by, request).require()
        explained_require(request.project_id, by=by)
        assert request.answer is not None  # a constraint says so
        answers = answer_read(request.answer)
        request.reads += 1
        request.save()
        event.facts.update(found=request.found_count, answer=request.answer.sha256)
    return answers


def reversal_end(request: ReversalRequest, *, by: Person) -> ReversalRequest:
    """Destroy the answer before its time is over."""
    with recording(events.ENDED, by=by, about=request):
        request = _locked(request)
        rules.may_end(by, request).require()
        return _end(request)


def reversals_expire() -> int:
    """Destroy every answer whose time is over; how many. One that cannot be ended keeps no other one alive."""
    overdue = ReversalRequest.objects.filter(
        status=ReversalStatus.READY, readable_until__lte=timezone.now()
    ).select_related("project", "asked")
    return each_by_itself(overdue, _expire)


def _expire(request: ReversalRequest) -> bool:
    with transaction.atomic(), recording(events.EXPIRED, by=None, about=request):
        request = _locked(request)
        if request.status != ReversalStatus.READY:
            return False
        _end(request)
        return True


def reversals_lapse(project: Project) -> None:
    """The project's result is no longer approved: destroy what is asked and what was answered.

    Called in the transaction of the move. A job under way finds its request ended and ends too.
    """
    open_ones = ReversalRequest.objects.filter(
        project=project, status__in=(ReversalStatus.WAITING, ReversalStatus.RUNNING, ReversalStatus.READY)
    ).select_related("project", "asked")
    for request in open_ones:
        if request.status == ReversalStatus.RUNNING:
            reversal_fail(request, code=str(CoreReason.WRONG_STATE))
            continue
        waiting = request.status == ReversalStatus.WAITING
        action = events.LAPSED if waiting else events.CUT_SHORT
        with recording(action, by=None, about=request):
            locked = _locked(request)
            if waiting:
                store_destroy(locked.asked)
                locked.status = ReversalStatus.LAPSED
                locked.save()
            else:
                _end(locked)


def _end(request: ReversalRequest) -> ReversalRequest:
    assert request.answer is not None
    store_destroy(request.answer)
    request.status = ReversalStatus.ENDED
    request.save()
    return request


def _locked(request: ReversalRequest) -> ReversalRequest:
    return (
        ReversalRequest.objects.select_for_update(of=("self",))
        .select_related("project", "run", "asked", "answer", "asked_by", "decided_by")
        .get(pk=request.pk)
    )
