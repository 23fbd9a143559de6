"""The only writer of queries in the enclave: each, and each look at what it found, is an audit event without a text and without a value."""

from __future__ import annotations

import json
import secrets
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from approvals.audit.proof import explained_require
from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.verdict import deny
from projects.core.services import project_lock
from projects.datasets.models import StoredFile
from projects.datasets.store.store import store_destroy, store_write
from projects.jobs.one_by_one import each_by_itself
from projects.jobs.selectors import latest_job
from projects.jobs.services import job_about, job_cancel
from projects.releases.models import Release
from techniques.core.messages import gettext_noop

from . import events, rules
from .enums import QueryFault, QueryState
from .models import EnclaveQuery
from .rules import EnclaveReason
from .selectors import result_of

QUERY_JOB = "enclave.query"
LONGEST = 10_000
"""Characters of a query."""


def query_ask(release: Release, *, statement: str, purpose: str = "", by: Person) -> EnclaveQuery:
    """A recipient of an enclave has one SELECT run over the released tables; a job answers it."""
    statement, purpose = statement.strip(), purpose.strip()[:500]
    if not statement:
        deny(EnclaveReason.NO_STATEMENT).require()
    if len(statement) > LONGEST:
        deny(EnclaveReason.STATEMENT_LONG, most=LONGEST).require()
    with recording(
        events.STARTED, by=by, project_id=release.project_id, reason=purpose, data_leave=True
    ) as event:
        project = project_lock(release.project)
        release = Release.objects.select_related("project").get(pk=release.pk, project=project)
        rules.may_query(by, release).require()
        explained_require(project.pk, by=by)
        last = EnclaveQuery.objects.filter(project=project).order_by("-number").first()
        query = EnclaveQuery.objects.create(
            project=project,
            release=release,
            number=last.number + 1 if last else 1,
            statement=_stored({"salt": secrets.token_hex(16), "statement": statement}),
            purpose=purpose,
            asked_by=by,
            kept_until=timezone.now() + timedelta(days=settings.DEID_QUERY_DAYS),
        )
        event.subject = query.subject
        event.facts["sha256"] = query.statement.sha256
        job_about(query, QUERY_JOB, title=gettext_noop("Run the query"), by=by)
        return query


def _stored(content: dict[str, Any]) -> StoredFile:
    with store_write("enclave_query") as writer:
        writer.write(json.dumps(content, ensure_ascii=False).encode())
    return writer.stored


def query_end(query: EnclaveQuery, found: dict[str, Any], *, result: StoredFile) -> EnclaveQuery:
    """Keep what the sandbox ``found``, which lies in ``result``; called in the transaction that ends the job."""
    code = str(QueryFault(f"enclave_{found['error']}")) if "error" in found else ""
    with recording(events.FAILED if code else events.ANSWERED, by=None, about=query) as event:
        query = _locked(query)
        rules.may_answer(query).require()
        query.result, query.milliseconds = result, found["milliseconds"]
        if code:
            query.status, query.failed_code = QueryState.FAILED, code
            event.facts["code"] = code
        else:
            query.status, query.tables = QueryState.ANSWERED, found["tables"]
            query.row_count, query.is_cut = len(found["rows"]), found["more"]
            event.facts |= {
                "tables": found["tables"] or "", "rows": query.row_count, "milliseconds": query.milliseconds
            }  # fmt: skip
        query.save()
        return query


def query_fail(query: EnclaveQuery, *, code: str) -> EnclaveQuery:
    """The job broke off or was cancelled: there is no answer. One that has ended stays as it is."""
    if _locked(query).status != QueryState.RUNNING:
        return query
    with recording(events.FAILED, by=None, about=query, code=code):
        query = _locked(query)
        query.status, query.failed_code = QueryState.FAILED, code[:80] or "internal"
        query.save()
        return query


def query_cancel(query: EnclaveQuery, *, by: Person) -> None:
    """Who asked does not want to wait any longer."""
    job = latest_job(query.project, QUERY_JOB, query.pk)
    assert job is not None  # begun with the query
    job_cancel(job, by=by)


def query_look(query: EnclaveQuery, *, by: Person) -> dict[str, Any]:
    """What the query found, for the eyes of who asked, within the portal; that they look is recorded before it is shown."""
    with recording(events.LOOKED_AT, by=by, about=query, data_leave=True) as event:
        query = _locked(query)
        rules.may_look(by, query).require()
        explained_require(query.project_id, by=by)
        event.facts["rows"] = query.row_count or 0
        return result_of(query)


def queries_expire() -> int:
    """Destroy the texts of queries and what they found when their time is over; how many. One that cannot be ended keeps no other alive.

    First end those whose job has ended without them, which would keep their people from the next.
    """
    running = EnclaveQuery.objects.filter(status=QueryState.RUNNING).select_related("project")
    each_by_itself(running, _end_without_job)
    overdue = EnclaveQuery.objects.filter(kept_until__lte=timezone.now(), statement__destroyed_at=None)
    ended = overdue.exclude(status=QueryState.RUNNING).select_related("project", "statement")
    return each_by_itself(ended, _expire)


def _end_without_job(query: EnclaveQuery) -> bool:
    job = latest_job(query.project, QUERY_JOB, query.pk)
    if job is not None and job.is_active:
        return False
    with transaction.atomic():
        query_fail(query, code="internal")
    return True


def _expire(query: EnclaveQuery) -> bool:
    with transaction.atomic(), recording(events.EXPIRED, by=None, about=query):
        query = _locked(query)
        for stored in (query.statement, query.result):
            if stored is not None and stored.destroyed_at is None:
                store_destroy(stored)
        return True


def _locked(query: EnclaveQuery) -> EnclaveQuery:
    rows = EnclaveQuery.objects.select_for_update(of=("self",))
    related = rows.select_related("project", "release__project", "statement", "result", "asked_by")
    return related.get(pk=query.pk)
