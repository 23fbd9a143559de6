"""Accounts, budgets and questions as rows that page and API share."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _

from approvals.governance.person import Person
from approvals.passages import passage
from projects.core.models import Project
from projects.core.numbers import count, percent
from projects.datasets.models import Dataset
from projects.identification.persons.rules import settled_key
from projects.releases.models import Release
from techniques.core.messages import filled
from techniques.models.differential_privacy.outcome import Answer, plain

from .asked import shortly
from .enums import COMPOSITION, KINDS, NEIGHBOURS, GrantStatus, QueryStatus
from .models import Grant, Query
from .selectors import Account, account_of, charged_of, grants_of, questions_of, sources_of
from .statement import statement

GRANT_TONES = {GrantStatus.WAITING: "warn", GrantStatus.GRANTED: "ok", GrantStatus.REFUSED: "fail"}
QUERY_TONES = {
    QueryStatus.RUNNING: "info",
    QueryStatus.ANSWERED: "ok",
    QueryStatus.REPEATED: "ok",
    QueryStatus.REFUSED: "fail",
    QueryStatus.FAILED: "fail",
}


def counting_row(grant: Grant) -> dict[str, str]:
    """What is compared, whose data that are, and how costs add up: said to who grants a budget and to who asks."""
    key = settled_key(grant.dataset)
    if key is None:
        unit = _("not settled yet; nothing is answered until it is")
    elif key:
        unit = _("one person: all rows with the same %(columns)s") % {"columns": _(", ").join(key)}
    else:
        unit = _("one row, which is one person")
    return {
        "neighbours": str(NEIGHBOURS[grant.neighbours]),
        "unit": unit,
        "composition": str(COMPOSITION[grant.composition]),
    }


def account_row(account: Account, recipient: Any = None) -> dict[str, Any]:
    """What was granted, spent and is left, as numbers without noughts at their end."""
    spent = account.spent
    return {
        "recipient": recipient,
        "granted": plain(account.epsilon),
        "spent": plain(spent.epsilon),
        "left": plain(account.left),
        "spent_delta": float(spent.delta),
        "share": percent(account.share),
        "questions": len(account.charges),
    }


def book(project: Project, sources: dict[str, Dataset]) -> list[dict[str, Any]]:
    """The account of each data set: the whole, what each recipient was granted and has spent of it, and its entries, the newest first."""
    grants, queries = list(grants_of(project)), questions_of(project)
    charged = charged_of(queries)
    rows = []
    for name, dataset in sources.items():
        whole = account_of(dataset, grants, charged)
        people: dict[Any, Any] = {
            one.recipient_id: one.recipient
            for one in grants
            if one.dataset_id == dataset.pk
            and one.recipient is not None
            and one.status == GrantStatus.GRANTED
        }
        each = [(person, account_of(dataset, grants, charged, person)) for person in people.values()]
        rows.append(
            {
                "table": name,
                "dataset": dataset,
                "opened": whole.opened if whole else None,
                "person_key": settled_key(dataset),
                "counting": counting_row(whole.opened) if whole else None,
                "whole": account_row(whole) if whole else None,
                "recipients": [
                    account_row(account, person) for person, account in each if account is not None
                ],
                "parts": _parts(whole, [account for _person, account in each if account is not None]),
                "bars": _bars(
                    (_("The whole data set"), whole), *((str(person), account) for person, account in each)
                ),
                "lines": statement(dataset, whole, grants, queries) if whole else [],
            }
        )
    return rows


def _parts(whole: Account | None, accounts: list[Account]) -> dict[str, Any] | None:
    """What the recipients' parts come to beside the whole; None where there is no account or no part."""
    if whole is None or not accounts:
        return None
    together = sum((one.epsilon for one in accounts), Decimal(0))
    return {
        "granted": plain(together),
        "free": plain(max(whole.epsilon - together, Decimal(0))),
        "is_more": together > whole.epsilon,
    }


def _bars(*accounts: tuple[str, Account | None]) -> list[tuple[str, float, float]]:
    """What was granted and spent of each account that there is, for a picture."""
    return [
        (name, float(account.epsilon), float(account.spent.epsilon))
        for name, account in accounts
        if account is not None
    ]


def own_accounts(user: Person, release: Release) -> list[dict[str, Any]]:
    """What one recipient was granted of each data set, and what is left of the whole: the account of nobody else."""
    grants, queries = list(grants_of(release.project)), questions_of(release.project)
    charged = charged_of(queries)
    rows = []
    for name, dataset in sources_of(release.run_id).items():
        own, whole = account_of(dataset, grants, charged, user), account_of(dataset, grants, charged)
        if own is not None and whole is not None:
            rows.append(
                {
                    "table": name,
                    "dataset": dataset,
                    "opened": own.opened,
                    "person_key": settled_key(dataset),
                    "counting": counting_row(own.opened),
                    **account_row(own, user),
                    "left_of_all": plain(whole.left),
                    "bars": _bars((_("Your part"), own), (_("The whole data set"), whole)),
                    "lines": statement(dataset, own, grants, queries, user),
                }
            )
    return rows


def grant_row(grant: Grant) -> dict[str, Any]:
    status = GrantStatus(grant.status)
    return {
        "grant": grant,
        "counting": None if grant.recipient_id else counting_row(grant),
        "epsilon": plain(grant.epsilon),
        "tone": GRANT_TONES[status],
        "word": status.label,
    }


def query_row(query: Query) -> dict[str, Any]:
    """A question with its cost and what became of it."""
    status = QueryStatus(query.status)
    paid = query.paid
    # What it repeats may have no answer yet, or have failed after it was repeated.
    shown = (
        QueryStatus(paid.status)
        if status == QueryStatus.REPEATED and paid.status != QueryStatus.ANSWERED
        else status
    )
    free = status in (QueryStatus.REPEATED, QueryStatus.REFUSED, QueryStatus.FAILED)
    return {
        "query": query,
        "kind": query.question["kind"],
        "kind_word": KINDS.get(query.question["kind"], query.question["kind"]),
        "about": shortly(query.question),
        "epsilon": "0" if free else plain(query.loss["epsilon"]),
        "charged_delta": "0" if free else plain(query.loss["delta"]),
        "price": plain(query.loss["epsilon"]),
        "delta": plain(query.loss["delta"]),
        "tone": QUERY_TONES[shown],
        "word": shown.label,
        "is_running": shown == QueryStatus.RUNNING,
    }


def query_rows(queries: Iterable[Query]) -> list[dict[str, Any]]:
    return [query_row(one) for one in queries]


def answer_row(query: Query) -> dict[str, Any] | None:
    """The answer with its sentences; None while there is none."""
    if query.paid.answer is None:
        return None
    # What says sentences loads the numerical libraries: only where there is something to say.
    from techniques.models.differential_privacy.statements import CLAUSE, beside, statements

    answer = Answer.model_validate(query.paid.answer)
    return {
        "clause": CLAUSE,
        "answer": answer,
        "dimensions": [one["column"] for one in answer.question.get("by", [])],
        "cells": [_cell(one, beside(answer)) for one in [*answer.cells, *answer.margins]],
        "sentences": [
            passage((filled(_(one.message), one.params), one.formula)) for one in statements(answer)
        ],
        "has_bounds": answer.off is not None or any(one.low is not None for one in answer.cells),
    }


def _cell(cell: Any, choice: Any) -> dict[str, Any]:
    def text(value: Any) -> str:
        if isinstance(value, str):
            return value
        return count(value) if float(value).is_integer() else plain(value)

    if cell.low is not None:
        bounds = f"{text(cell.low)} … {text(cell.high)}"
    else:
        bounds = "" if choice is None else filled(_(choice.message), choice.params)
    return {"labels": cell.labels, "value": text(cell.value), "bounds": bounds}
