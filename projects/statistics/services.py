"""The only writer of tables of statistics: every step leaves an audit event in the same transaction, without a cell."""

from __future__ import annotations

import csv
import hashlib
import uuid
from io import StringIO
from typing import Any

from django.db.models import Max
from django.utils import timezone

from approvals.audit.proof import explained_require
from approvals.audit.recording import recording
from approvals.governance.person import Person
from approvals.governance.verdict import Refused, deny
from projects.core.models import Project
from projects.core.services import notify, notify_person, project_lock
from projects.datasets.models import Dataset, StoredFile
from projects.datasets.store.store import store_open, store_write
from projects.identification.persons.rules import settled_key
from projects.jobs.services import job_about
from projects.processing.models import RunTable
from projects.processing.runs.findings import rows_stand_for
from projects.releases.models import Release
from projects.workflow import Role
from techniques.core.messages import gettext_noop

from . import events, rules
from .definition import Definition
from .enums import TableStatus
from .models import Tabulation
from .rule_sets import RuleSet, rule_source
from .rules import TableReason
from .selectors import released_columns, released_tables, sources_of, spanning_columns

MAKE_JOB = "statistics.tabulate"
UPLOAD_LIMIT = 1 << 20


def table_make(
    project: Project, *, title: str, source: str, definition: Definition, rules_id: uuid.UUID, by: Person
) -> Tabulation:
    """The executor has a table made from the data called ``source``; a job counts, protects and audits it."""
    with recording(events.STARTED, by=by, project_id=project.pk) as event:
        project = project_lock(project)
        rules.may_make(by, project).require()
        chosen = _rules(rules_id, definition)
        dataset = sources_of(project).get(source)
        if dataset is None:
            raise Refused(deny(TableReason.NO_DATA))
        key = settled_key(dataset)
        if key is None:
            raise Refused(deny(TableReason.PERSONS_UNSAID))
        _check_columns(dataset, definition)
        table = _kept(project, title, definition, chosen, by, dataset=dataset, person_key=list(key))
        event.subject = table.subject
        event.facts |= {"table": str(table), "rules": table.rules_name}
        return table


def table_ask(
    release: Release, *, title: str, purpose: str, source: str, definition: Definition, by: Person
) -> Tabulation:
    """The recipient of an enclave asks for a table of the released rows of ``source``; a job makes and protects it by the rules of
    the organisation, then the supervisor reviews it and senior management signs it before it leaves."""
    purpose = purpose.strip()
    with recording(events.REQUESTED, by=by, project_id=release.project_id, reason=purpose) as event:
        project = project_lock(release.project)
        release = Release.objects.select_related("project").get(pk=release.pk, project=project)
        rules.may_ask(by, release).require()
        explained_require(project.pk, by=by)
        if not purpose:
            raise Refused(deny(TableReason.REASON_NEEDED))
        chosen = next((one for one in rule_source().sets() if one.counts == definition.counts), None)
        if chosen is None:
            raise Refused(deny(TableReason.NO_RULES))
        written = released_tables(release).get(source)
        if written is None:
            raise Refused(deny(TableReason.NO_DATA))
        key = _persons_of(written)
        for column in definition.columns:
            if column not in released_columns(written):
                raise Refused(deny(TableReason.NO_SUCH_COLUMN, column=column))
        _check_columns(written.dataset, definition)
        table = _kept(
            project,
            title,
            definition,
            chosen,
            by,
            dataset=written.dataset,
            person_key=key,
            run_table=written,
            purpose=purpose[:500],
        )
        event.subject = table.subject
        event.facts |= {"table": str(table), "rules": table.rules_name}
        notify(project, events.REQUESTED, (Role.SUPERVISOR,), by=by, reason=purpose[:500], table=str(table))
        return table


def _persons_of(written: RunTable) -> list[str]:
    """By which columns of the source whose rows are told; refused where that of a released row is not known."""
    key = settled_key(written.dataset)
    if key is None or (key and written.subjects_id is None):
        raise Refused(deny(TableReason.PERSONS_UNSAID))
    if rows_stand_for(written.run.recipe_version.tables[written.name].get("steps", ())) != "records":
        raise Refused(deny(TableReason.NOT_RECORDS))
    return list(key)


def table_look(table: Tabulation, *, release: Release, by: Person) -> list[list[str]]:
    """The protected table for the eyes of who asked for it, within the portal and on the record: rows of texts, the heads first."""
    with recording(events.LOOKED_AT, by=by, about=table, data_leave=True, table=str(table)):
        table = _locked(table)
        release = Release.objects.select_related("project").get(pk=release.pk, project=table.project_id)
        rules.may_look_at(by, table, release).require()
        return list(csv.reader(StringIO(_content(table).decode())))


def table_import(
    project: Project, *, title: str, content: bytes, definition: Definition, rules_id: uuid.UUID, by: Person
) -> Tabulation:
    """The executor brings in the cells of a table that was made elsewhere, as CSV; a job reads, protects and audits it."""
    rules.may_make(by, project).require()
    if len(content) > UPLOAD_LIMIT:
        raise Refused(deny(TableReason.TOO_LARGE))
    chosen = _rules(rules_id, definition)
    stored = _stored(content, "tabulation")
    with recording(events.IMPORTED, by=by, project_id=project.pk) as event:
        project = project_lock(project)
        rules.may_make(by, project).require()
        table = _kept(project, title, definition, chosen, by, imported=stored)
        event.subject = table.subject
        event.facts |= {"table": str(table), "rules": table.rules_name}
        return table


def _rules(rules_id: uuid.UUID, definition: Definition) -> RuleSet:
    chosen = next((one for one in rule_source().sets() if one.id == rules_id), None)
    if chosen is None:
        raise Refused(deny(TableReason.NO_RULES))
    if chosen.counts != definition.counts:
        reason = TableReason.RULES_FOR_PERSONS if chosen.counts else TableReason.RULES_FOR_AMOUNTS
        raise Refused(deny(reason, rules=str(chosen)))
    return chosen


def _check_columns(dataset: Dataset, definition: Definition) -> None:
    if not definition.spans:
        raise Refused(deny(TableReason.NO_COLUMNS))
    possible = set(spanning_columns(dataset))
    for column in definition.columns:
        if column not in dataset.columns:
            raise Refused(deny(TableReason.NO_SUCH_COLUMN, column=column))
        # A holding only says what is one contributor; what it is called goes out nowhere.
        if column not in possible and column != definition.holding:
            raise Refused(deny(TableReason.DIRECT_IDENTIFIER, column=column))


def _kept(
    project: Project, title: str, definition: Definition, chosen: RuleSet, by: Person, **source: Any
) -> Tabulation:
    last = Tabulation.objects.filter(project=project).order_by().aggregate(last=Max("number"))["last"] or 0
    table = Tabulation.objects.create(
        project=project, number=last + 1, title=title.strip()[:120], definition=definition.model_dump(mode="json"), rules_id=chosen.id,
        rules_name=str(chosen), made_by=by, **source,
    )  # fmt: skip
    job_about(table, MAKE_JOB, title=gettext_noop("Make a table of statistics"), by=by)
    return table


def _stored(content: bytes, purpose: str) -> StoredFile:
    with store_write(purpose) as writer:
        writer.write(content)
    return writer.stored


def table_made(table: Tabulation, *, report: StoredFile, result: StoredFile | None) -> Tabulation:
    """Keep what a job made; called in the transaction that ends it. Without ``result`` the table must not go out."""
    closed = result is not None
    with recording(
        events.PROTECTED if closed else events.LEFT_OPEN, by=None, about=table, table=str(table)
    ) as event:
        table = _locked(table)
        if table.status != TableStatus.RUNNING:
            raise Refused(deny(TableReason.NOT_WAITING))
        table.report, table.result = report, result
        table.status = TableStatus.PROTECTED if closed else TableStatus.OPEN
        if result is not None:
            table.result_sha256 = event.facts["sha256"] = result.sha256
            notify(
                table.project,
                events.PROTECTED,
                (Role.SUPERVISOR,),
                by=None,
                subject=str(table),
                sha256=result.sha256,
            )
        table.save()
        event.subject = table.subject
        return table


def table_fail(table: Tabulation, *, code: str) -> Tabulation:
    """There is no table. One that has ended stays as it is."""
    if _locked(table).status != TableStatus.RUNNING:
        return table
    with recording(events.FAILED, by=None, about=table, table=str(table), code=code):
        table = _locked(table)
        table.status, table.failed_code = TableStatus.FAILED, code[:80] or "internal"
        table.save()
        return table


def table_decide(table: Tabulation, *, accept: bool, reason: str, by: Person) -> Tabulation:
    """The word of whoever is next: the supervisor passes a table to senior management, which signs it for recipients; either
    refuses it, and takes back one that was signed."""
    reason = reason.strip()
    status = TableStatus(table.status)
    action = {TableStatus.PROTECTED: events.REVIEWED, TableStatus.REVIEWED: events.SIGNED}.get(
        status, events.REVIEWED
    )
    if not accept:
        action = events.TAKEN_BACK if status == TableStatus.APPROVED else events.REFUSED
    with recording(action, by=by, about=table, reason=reason, table=str(table)) as event:
        project_lock(table.project)
        table = _locked_with_source(table)
        if table.status != status:
            raise Refused(deny(TableReason.NOT_WAITING))
        (rules.may_accept if accept else rules.may_refuse)(by, table).require()
        explained_require(table.project_id, by=by)
        if not reason:
            raise Refused(deny(TableReason.REASON_NEEDED))
        if accept:
            _unchanged(table)
        who = "refused" if not accept else "reviewed" if status == TableStatus.PROTECTED else "signed"
        for name, value in (("by", by), ("at", timezone.now()), ("reason", reason[:500])):
            setattr(table, f"{who}_{name}", value)
        table.status = {
            "refused": TableStatus.REFUSED,
            "reviewed": TableStatus.REVIEWED,
            "signed": TableStatus.APPROVED,
        }[who]
        table.save()
        next_role = (Role.MANAGEMENT,) if who == "reviewed" else (Role.EXECUTOR,)
        notify(table.project, event.action, next_role, by=by, reason=reason[:500], table=str(table))
        if table.run_table_id and who != "reviewed":
            facts = {"reason": reason[:500], "table": str(table)}
            notify_person(table.made_by, event.action, by=by, project=table.project, **facts)
        return table


def _unchanged(table: Tabulation) -> None:
    """Refused where a column was judged a direct identifier since the table was made; the rule of who accepts it asks the rest."""
    if table.dataset is not None:
        _check_columns(table.dataset, table.defined)


def table_fetch(table: Tabulation, *, by: Person, release: Release | None = None) -> bytes:
    """The table as it goes out, for who works on it, or for a recipient of ``release``; compared with what was judged."""
    with recording(
        events.FETCHED, by=by, about=table, data_leave=True, table=str(table), sha256=table.result_sha256
    ):
        table = _locked(table)
        if release is None:
            rules.may_fetch(by, table).require()
        else:
            release = Release.objects.select_related("project").get(pk=release.pk, project=table.project_id)
            rules.may_have(by, table, release).require()
        explained_require(table.project_id, by=by)
        return _content(table)


def _content(table: Tabulation) -> bytes:
    """The table as it goes out, compared with what was judged."""
    assert table.result is not None  # a constraint says so
    with store_open(table.result, whole=True) as stream:
        content: bytes = stream.read()
    if hashlib.sha256(content).hexdigest() != table.result_sha256:
        raise Refused(deny(TableReason.OTHER_FILE))
    return content


def _locked_with_source(table: Tabulation) -> Tabulation:
    """The table, locked together with all of the same content in one order, so that no two are signed without knowing of each other."""
    if table.dataset is not None:
        rows = Tabulation.objects.filter(dataset__sha256=table.dataset.sha256).order_by("pk")
        list(rows.select_for_update(of=("self",)).values_list("pk", flat=True))
    return _locked(table)


def _locked(table: Tabulation) -> Tabulation:
    return (
        Tabulation.objects.select_for_update(of=("self",))
        .select_related(
            "project",
            "dataset__table",
            "dataset__stored",
            "run_table",
            "imported",
            "report",
            "result",
            "made_by",
            "reviewed_by",
        )
        .get(pk=table.pk)
    )
