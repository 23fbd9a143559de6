"""Reading accounts, budgets and questions."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import QuerySet

from approvals.governance.person import Person
from approvals.request_cache import cached_read
from projects.core.models import Project
from projects.datasets.models import Dataset
from projects.identification.enums import ColumnRole
from projects.identification.selectors import columns_with_role, graded_above, verdicts_of
from projects.processing.models import RunTable
from projects.releases.models import Release
from techniques.models.differential_privacy.loss import (
    Budget,
    Charge,
    Loss,
    Spent,
    affords,
    left_of,
    parts_of,
    spent,
)
from techniques.models.differential_privacy.question import Question

from .enums import CHARGED, GrantStatus
from .models import Grant, Query


def grants_of(project: Project) -> QuerySet[Grant]:
    return Grant.objects.filter(project=project).select_related(
        "project", "dataset__table__project", "recipient", "proposed_by", "decided_by"
    )


def grant_get(project: Project, grant_id: uuid.UUID) -> Grant:
    return grants_of(project).get(pk=grant_id)


def opened_of(dataset: Dataset, *, lock: bool = False) -> Grant | None:
    """The budget that opened the account of a data set; with ``lock`` nobody else charges it until the end of the act."""
    rows = Grant.objects.filter(dataset=dataset, recipient=None, status=GrantStatus.GRANTED).order_by(
        "number"
    )
    return (rows.select_for_update() if lock else rows).first()


def has_account_elsewhere(dataset: Dataset, *statuses: GrantStatus) -> bool:
    """Whether another data set, of whatever project, holds the same file and has an account, or a proposal of these ``statuses``."""
    others = Grant.objects.filter(dataset__sha256=dataset.sha256, recipient=None, status__in=statuses)
    return others.exclude(dataset=dataset).exists()


def queries_of(project: Project) -> QuerySet[Query]:
    return Query.objects.filter(project=project).select_related(
        "project", "recipient", "dataset__table__project", "same_as"
    )


def queries_by(user: Person, release: Release) -> QuerySet[Query]:
    """What this recipient asked in the project, newest first."""
    return queries_of(release.project).filter(recipient=user)


@cached_read
def sources_of(run_id: uuid.UUID) -> dict[str, Dataset]:
    """The data sets that a run read, by the names of its tables."""
    found = RunTable.objects.filter(run=run_id).select_related("table", "dataset__table__project")
    return {
        one.name: one.dataset for one in sorted(found, key=lambda one: (not one.table.is_first, one.name))
    }


def askable_columns(dataset: Dataset) -> list[str]:
    """The columns that a question may name: all but direct identifiers, and those that are graded higher than the data of the
    project, of which nothing leaves."""
    held = set(columns_with_role(dataset.table, ColumnRole.DIRECT))
    given = verdicts_of(dataset.table).values()
    held |= {verdict.column for verdict in graded_above(dataset.table.project, given)}
    return [column for column in dataset.columns if column not in held]


@dataclass(frozen=True)
class Account:
    """What was granted and spent of a data set, or of it by one recipient."""

    opened: Grant
    epsilon: Decimal
    charges: Sequence[Charge]

    @property
    def budget(self) -> Budget:
        """As the engine counts; ε is what all grants come to."""
        return Budget(
            epsilon=float(self.epsilon),
            delta=self.opened.delta,
            composition=self.opened.composition,  # type: ignore[arg-type]
            neighbours=self.opened.neighbours,  # type: ignore[arg-type]
            part=self.opened.part or None,
        )

    @property
    def spent(self) -> Spent:
        return spent(self.charges, self.budget)

    @property
    def left(self) -> Decimal:
        """The greatest ε of one more count that may still be asked for."""
        return left_of(self.charges, self.budget)

    def rise(self, charge: Charge) -> Decimal:
        """By how much ``charge`` raises the ε that was spent; infinite where δ does not last."""
        return spent([*self.charges, charge], self.budget).epsilon - self.spent.epsilon

    def left_after(self, charge: Charge) -> Decimal | None:
        """What would be left if ``charge`` were spent; None where the budget does not allow it."""
        if not affords(self.charges, charge, self.budget):
            return None
        return left_of([*self.charges, charge], self.budget)

    @property
    def share(self) -> float:
        """The part of the ε that was spent, 0 … 1."""
        return min(1.0, float(self.spent.epsilon / self.epsilon))


def account_of(
    dataset: Dataset, grants: Sequence[Grant], charged: Sequence[Query], recipient: Any = None
) -> Account | None:
    """The account of the data set, or that of a recipient in it, from granted budgets and charged questions; None where there is none."""
    granted = [one for one in grants if one.dataset_id == dataset.pk and one.status == GrantStatus.GRANTED]
    opened = next((one for one in granted if one.recipient_id is None), None)
    whose = [one for one in granted if one.recipient_id == (None if recipient is None else recipient.pk)]
    if opened is None or not whose:
        return None
    paid = [
        one
        for one in charged
        if one.dataset_id == dataset.pk and (recipient is None or one.recipient_id == recipient.pk)
    ]
    return Account(
        opened,
        sum((one.epsilon for one in whose), Decimal(0)),
        [charge_in(opened, one) for one in paid],
    )


def left_after(
    dataset: Dataset, project: Project, recipient: Person, question: Question, charge: Charge
) -> Decimal | None:
    """What ``recipient`` could still spend after ``question``: of the own part, and of the whole as far as that is less. What was asked
    before costs nothing. None where the budget does not allow it."""
    grants, charged = list(grants_of(project)), charged_in(project)
    accounts = [account_of(dataset, grants, charged, whose) for whose in (recipient, None)]
    if None in accounts:
        return None
    is_free = any(one.dataset_id == dataset.pk and one.question_hash == question.hash for one in charged)
    left = [one.left if is_free else one.left_after(charge) for one in accounts if one is not None]
    return None if None in left else min(one for one in left if one is not None)


def charge_in(opened: Grant, query: Query) -> Charge:
    """What a question costs its account: all of it, or the parts that its conditions confine it to."""
    where = query.question.get("where", {})
    return Charge(Loss.stored(query.loss), parts_of(where, opened.part or None, per_row=not query.person_key))


def charged_in(project: Project) -> list[Query]:
    """Questions that count as spent, in order."""
    return list(queries_of(project).filter(status__in=CHARGED).order_by("number"))


def questions_of(project: Project) -> list[Query]:
    """Every question of a project without its answer, the newest first."""
    return list(queries_of(project).defer("answer", "same_as__answer"))


def charged_of(queries: Sequence[Query]) -> list[Query]:
    """:func:`charged_in` of :func:`questions_of`."""
    return [one for one in reversed(queries) if one.status in CHARGED]
