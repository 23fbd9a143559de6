"""The only writer of budgets and questions: each charge under a lock of the account, with its audit event."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from django.db.models import Max
from django.utils import timezone

from approvals.audit.proof import explained_require
from approvals.audit.recording import leave_note, recording
from approvals.governance.person import Person
from approvals.governance.verdict import Refused, deny
from projects.core.models import Project
from projects.core.selectors import role_of
from projects.core.services import notify, notify_person, project_lock
from projects.datasets.models import Dataset
from projects.identification.persons.rules import settled_key
from projects.identification.selectors import person_key_of
from projects.jobs.services import job_about
from projects.releases.models import Release
from projects.workflow import Role
from techniques.core.messages import EngineError, gettext_noop
from techniques.models.differential_privacy.loss import PLACES, affords
from techniques.models.differential_privacy.planning import charge_of, plan
from techniques.models.differential_privacy.question import Question

from . import events, rules
from .enums import CHARGED, Exhaustion, GrantStatus, QueryStatus
from .models import Grant, Query
from .selectors import (
    Account,
    account_of,
    askable_columns,
    charged_in,
    grants_of,
    has_account_elsewhere,
    opened_of,
    sources_of,
)

ANSWER_JOB = "queries.answer"
MOST_EPSILON, MOST_DELTA = 1000, 0.01
COUNTING = ("delta", "composition", "neighbours", "part", "exhaustion")
"""What the budget that opens an account says of all that follow."""


def grant_propose(
    project: Project,
    *,
    dataset: Dataset,
    recipient: Person | None,
    epsilon: Decimal,
    reason: str,
    by: Person,
    delta: float = 0.0,
    composition: str = "sequential",
    neighbours: str = "add_remove",
    part: str = "",
    exhaustion: str = Exhaustion.STOP,
) -> Grant:
    """The planning manager proposes a budget for a data set, or a part of it for a recipient; a second person grants it.

    How costs are counted is said with the first budget of a data set; for later ones what is said of that does not count.
    """
    with recording(events.PROPOSED, by=by, project_id=project.pk, reason=reason.strip()) as event:
        project = project_lock(project)
        rules.may_propose(by, project, recipient).require()
        opened = opened_of(dataset)
        if opened is not None and opened.exhaustion == Exhaustion.STOP and recipient is None:
            raise Refused(deny(rules.QueryReason.STOPPED))
        if recipient is not None and opened is None:
            raise Refused(deny(rules.QueryReason.NO_ACCOUNT))
        if opened is None and has_account_elsewhere(dataset, GrantStatus.GRANTED, GrantStatus.WAITING):
            raise Refused(deny(rules.QueryReason.OTHER_ACCOUNT))
        if opened is None and part:
            _may_tell_parts(dataset, part)
        grant = _propose(project, dataset, recipient, opened, epsilon, reason, by, delta=delta, composition=composition,
                         neighbours=neighbours, part=part, exhaustion=exhaustion)  # fmt: skip
        event.subject = grant.subject
        event.facts.update(_words(grant))
        return grant


def more_ask(release: Release, *, dataset: Dataset, epsilon: Decimal, reason: str, by: Person) -> Grant:
    """A recipient asks for more than was granted, where the account allows that; a second person grants it."""
    with recording(events.PROPOSED, by=by, project_id=release.project_id, reason=reason.strip()) as event:
        project = project_lock(release.project)
        opened = opened_of(dataset)
        rules.may_ask_for_more(by, release, opened).require()
        assert opened is not None
        grant = _propose(project, dataset, by, opened, epsilon, reason, by)
        event.subject = grant.subject
        event.facts.update(_words(grant))
        return grant


def _propose(
    project: Project, dataset: Dataset, recipient: Person | None, opened: Grant | None, epsilon: Decimal, reason: str, by: Person,
    **counting: Any,
) -> Grant:  # fmt: skip
    delta = float(counting.get("delta") or 0.0)
    needs_delta = opened is None and counting.get("composition") == "zcdp"
    if not PLACES <= epsilon <= MOST_EPSILON or not 0 <= delta <= MOST_DELTA or (needs_delta and not delta):
        raise Refused(deny(rules.QueryReason.AMOUNT_INVALID))
    if not reason.strip():
        raise Refused(deny(rules.QueryReason.REASON_NEEDED))
    if opened is not None:
        counting = {name: getattr(opened, name) for name in COUNTING}
    last = Grant.objects.filter(project=project).order_by().aggregate(last=Max("number"))["last"] or 0
    grant = Grant.objects.create(
        project=project, number=last + 1, dataset=dataset, recipient=recipient, nano_epsilon=int(epsilon / PLACES),
        reason=reason.strip()[:500], proposed_by=by, **counting,
    )  # fmt: skip
    notify(
        project,
        events.PROPOSED,
        rules.DECIDING,
        by=by,
        reason=grant.reason,
        subject=str(grant),
        **_words(grant),
    )
    return grant


def grant_decide(grant: Grant, *, approve: bool, reason: str, by: Person) -> Grant:
    """The second person's word."""
    with recording(
        events.GRANTED if approve else events.REFUSED, by=by, about=grant, reason=reason.strip()
    ) as event:
        project_lock(grant.project)
        grant = (
            Grant.objects.select_for_update(of=("self",))
            .select_related("project", "proposed_by", "recipient", "dataset")
            .get(pk=grant.pk)
        )
        (rules.may_grant if approve else rules.may_refuse)(by, grant).require()
        explained_require(grant.project_id, by=by)
        if not reason.strip():
            raise Refused(deny(rules.QueryReason.REASON_NEEDED))
        if approve and grant.recipient_id is None:
            _may_open(grant)
        grant.status = GrantStatus.GRANTED if approve else GrantStatus.REFUSED
        grant.decided_by, grant.decided_at, grant.decision_reason = by, timezone.now(), reason.strip()[:500]
        grant.save()
        event.facts.update(_words(grant))
        _tell_outcome(grant, event.action, by)
        return grant


def _tell_outcome(grant: Grant, action: str, by: Person) -> None:
    """The planning manager, the recipient whose part it is, and who asked for it: each of them once."""
    facts = {"reason": grant.decision_reason, "subject": str(grant), **_words(grant)}
    notify(grant.project, action, (Role.PLANNER,), by=by, **facts)
    people = {one.pk: one for one in (grant.recipient, grant.proposed_by) if one is not None}
    for person in people.values():
        if role_of(person, grant.project) == Role.RECIPIENT:
            notify_person(person, action, by=by, project=grant.project, **facts)


def _may_open(grant: Grant) -> None:
    """Refused where an account that was opened meanwhile stops or counts in another way, or the same file has one elsewhere."""
    # Decisions on the same file in two projects wait for each other.
    files = Dataset.objects.filter(sha256=grant.dataset.sha256).order_by("pk")
    list(files.select_for_update(of=("self",)).values_list("pk", flat=True))
    opened = opened_of(grant.dataset)
    if opened is None:
        if has_account_elsewhere(grant.dataset, GrantStatus.GRANTED):
            raise Refused(deny(rules.QueryReason.OTHER_ACCOUNT))
        return
    if opened.exhaustion == Exhaustion.STOP:
        raise Refused(deny(rules.QueryReason.STOPPED))
    if any(getattr(opened, name) != getattr(grant, name) for name in COUNTING):
        raise Refused(deny(rules.QueryReason.OTHER_COUNTING))


def query_ask(release: Release, *, table: str, question: Question, by: Person) -> Query:
    """A recipient asks. What it costs is charged at once, under the lock of the account, and a job answers; a question that was asked
    before, by whomever, costs nothing; one that the budget does not allow is kept as refused.

    Raises Refused where nothing may be asked, EngineError where the question cannot be answered at any price; that a recipient tried
    stays in the log.
    """
    try:
        return _ask(release, table, question, by)
    except (Refused, EngineError) as no:
        if role_of(by, release.project) == Role.RECIPIENT:
            code = no.verdict.code if isinstance(no, Refused) else no.code
            leave_note(events.TURNED_AWAY, by=by, subject=release.subject, project_id=release.project_id, kind=question.kind, code=code)  # fmt: skip
        raise


def _ask(release: Release, table: str, question: Question, by: Person) -> Query:
    with recording(events.CHARGED, by=by, project_id=release.project_id, kind=question.kind) as event:
        project = project_lock(release.project)
        release = Release.objects.select_related("project").get(pk=release.pk)
        rules.may_ask(by, release).require()
        dataset = source_in(sources_of(release.run_id), table)
        opened = opened_of(dataset, lock=True)
        if opened is None:
            raise Refused(deny(rules.QueryReason.NO_ACCOUNT))
        key = _person_key(dataset)
        if opened.part and not key:
            _said_of_parts(dataset)
        _check_columns(dataset, question.columns)
        planned = plan(question, opened.neighbours)  # type: ignore[arg-type]
        grants, charged = list(grants_of(project)), charged_in(project)
        whole, own = account_of(dataset, grants, charged), account_of(dataset, grants, charged, by)
        assert whole is not None
        if own is None:
            raise Refused(deny(rules.QueryReason.NO_ALLOTMENT))
        if any(one.dataset_id == dataset.pk and tuple(one.person_key) != key for one in charged):
            raise Refused(deny(rules.QueryReason.PERSONS_CHANGED))
        first = Query.objects.filter(dataset=dataset, question_hash=question.hash, status__in=CHARGED).first()
        charge = charge_of(planned, whole.budget, per_row=not key)
        if first is not None:
            status = QueryStatus.REPEATED
        elif all(affords(one.charges, charge, one.budget) for one in (whole, own)):
            status = QueryStatus.RUNNING
        else:
            status = QueryStatus.REFUSED
        last = Query.objects.filter(project=project).order_by().aggregate(last=Max("number"))["last"] or 0
        query = Query.objects.create(
            project=project, number=last + 1, dataset=dataset, release_id=release.pk, recipient=by,
            question=question.model_dump(mode="json", exclude_defaults=True), question_hash=question.hash, person_key=list(key),
            loss=planned.loss.as_dict(), status=status, same_as=first,
        )  # fmt: skip
        event.subject = query.subject
        event.facts["epsilon"] = _short(planned.loss.epsilon)
        if first is not None:
            explained_require(project.pk, by=by)
            event.action = events.REPEATED
            event.facts["first"] = str(first)
        elif status == QueryStatus.REFUSED:
            event.action = events.OVERDRAWN
            event.facts["left"] = _short(min(whole.left, own.left))
        else:
            job_about(query, ANSWER_JOB, title=gettext_noop("Answer a question"), by=by)
        return query


def query_answered(query: Query, answer: dict[str, Any]) -> Query:
    """Keep the answer with its charge; called in the transaction that ends the job."""
    with recording(events.ANSWERED, by=None, about=query, data_leave=True) as event:
        query = query_locked(query)
        release = Release.objects.select_related("project").get(pk=query.release_id)
        rules.may_answer(query, release).require()
        query.status, query.answer, query.answered_at = QueryStatus.ANSWERED, answer, timezone.now()
        query.save()
        event.facts["epsilon"] = paid = _short(Decimal(query.loss["epsilon"]))
        _tell_askers(query, events.ANSWERED, epsilon=paid)
        return query


def query_fail(query: Query, *, code: str) -> Query:
    """Nobody sees an answer, so nothing is charged. A question that has ended stays as it is."""
    if query_locked(query).status != QueryStatus.RUNNING:
        return query
    with recording(events.FAILED, by=None, about=query, code=code):
        query = query_locked(query)
        query.status, query.failed_code = QueryStatus.FAILED, code[:80] or "internal"
        query.save()
        _tell_askers(query, events.FAILED, code=query.failed_code)
        return query


def _tell_askers(query: Query, action: str, **facts: str) -> None:
    """Who asked, and whoever asked the same meanwhile, is people what became of it; a former recipient is not."""
    waiting = query.repeats.select_related("recipient")
    people = {one.pk: one for one in (query.recipient, *(repeat.recipient for repeat in waiting))}
    for person in people.values():
        if role_of(person, query.project) == Role.RECIPIENT:
            notify_person(person, action, by=None, project=query.project, subject=str(query), **facts)


def query_locked(query: Query) -> Query:
    return (
        Query.objects.select_for_update(of=("self",))
        .select_related("project", "recipient", "dataset")
        .get(pk=query.pk)
    )


def source_in(sources: Mapping[str, Dataset], table: str) -> Dataset:
    """The data set of the table of this name, the first where none is named; Refused ``no_account`` where there is none."""
    found = sources.get(table) or (next(iter(sources.values())) if not table and sources else None)
    if found is None:
        raise Refused(deny(rules.QueryReason.NO_ACCOUNT))
    return found


def _person_key(dataset: Dataset) -> tuple[str, ...]:
    """The columns by which rows are of one person; none where a row is a person, because somebody said so or nothing speaks against it."""
    key = settled_key(dataset)
    if key is None:
        raise Refused(deny(rules.QueryReason.PERSONS_UNSAID))
    return key


def _may_tell_parts(dataset: Dataset, part: str) -> None:
    """Parts share nobody where each row is a person, so that whoever has a row has it in one part."""
    _check_columns(dataset, [part])
    if _person_key(dataset):
        raise Refused(deny(rules.QueryReason.PARTS_SHARE_PERSONS))
    _said_of_parts(dataset)


def _said_of_parts(dataset: Dataset) -> None:
    """That a scan found no sign of persons with several rows does not say that nobody has one in two parts: somebody decides it."""
    if person_key_of(dataset.table) is None:
        raise Refused(deny(rules.QueryReason.PARTS_UNSAID))


def _check_columns(dataset: Dataset, columns: Iterable[str]) -> None:
    askable = set(askable_columns(dataset))
    for column in columns:
        if column not in dataset.columns:
            raise Refused(deny(rules.QueryReason.NO_SUCH_COLUMN, column=column))
        if column not in askable:
            raise Refused(deny(rules.QueryReason.DIRECT_IDENTIFIER, column=column))


def _words(grant: Grant) -> dict[str, str]:
    whose = str(grant.recipient) if grant.recipient is not None else str(grant.dataset)
    return {"epsilon": _short(grant.epsilon), "whose": whose}


def _short(amount: Decimal) -> str:
    return format(amount.normalize(), "f")


__all__ = [
    "Account",
    "grant_decide",
    "grant_propose",
    "more_ask",
    "query_answered",
    "query_ask",
    "query_fail",
    "source_in",
]
