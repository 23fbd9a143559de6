"""Looking at the classes of a result: each look is an audit event without a value."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from approvals.audit.recording import recording
from approvals.governance.person import Person
from projects.datasets.models import Table
from projects.datasets.store.store import store_open
from projects.datasets.tables.names import label_of

from ... import events
from ...models import Verification
from .rules import may_look_at_classes

PAGE_CLASSES = 50


@dataclass(frozen=True)
class ListedClass:
    """A class: ``size`` in persons where those are counted, else in rows; ``is_below`` the k that the target asks for."""

    place: int
    size: int
    rows: int
    values: list[str]
    is_below: bool


@dataclass(frozen=True)
class ClassesPage:
    """One page of the classes of a table; ``listed`` of ``total`` are kept, ``below`` of those are smaller than ``k``. ``first`` and
    ``last`` count from 1, both 0 where there is none; ``is_looser``: the check reads emptied cells as anything, the list as themselves."""

    columns: list[str]
    rows: list[ListedClass]
    persons: bool
    k: int
    total: int
    listed: int
    below: int
    is_looser: bool
    number: int
    pages: int

    @property
    def first(self) -> int:
        return self.rows[0].place if self.rows else 0

    @property
    def last(self) -> int:
        return self.rows[-1].place if self.rows else 0

    @property
    def before(self) -> int:
        """The number of the page before this one; 0 where there is none."""
        return self.number - 1

    @property
    def after(self) -> int:
        """The number of the page after this one; 0 where there is none."""
        return self.number + 1 if self.number < self.pages else 0


def classes_look(verification: Verification, table: Table, *, page: int, by: Person) -> ClassesPage | None:
    """One page (from 1; brought into range) of the classes of ``table``, the smallest first; None where none were listed of it.
    That somebody looks is recorded before anything is shown."""
    label = label_of(table)
    facts: dict[str, Any] = {"table": label} if label else {}
    with recording(events.CLASSES_SHOWN, by=by, about=verification, data_leave=True, **facts) as event:
        rows = Verification.objects.select_for_update(of=("self",)).defer("report", "checks")
        verification = rows.select_related("project", "classes").get(pk=verification.pk)
        may_look_at_classes(by, verification).require()
        assert verification.classes is not None  # the rule has just said so
        with store_open(verification.classes, whole=True) as stream:
            listed = json.loads(stream.read()).get(str(table.pk))
        shown = _page(listed, page) if listed else None
        event.facts.update(first=shown.first if shown else 0, last=shown.last if shown else 0)
    return shown


def _page(listed: dict[str, Any], number: int) -> ClassesPage:
    kept, k = listed["classes"], listed["k"]
    pages = max(1, -(-len(kept) // PAGE_CLASSES))
    number = max(1, min(number, pages))
    skip = (number - 1) * PAGE_CLASSES
    return ClassesPage(
        columns=listed["columns"],
        rows=[
            ListedClass(place, size, rows, values, is_below=size < k)
            for place, (size, rows, values) in enumerate(kept[skip : skip + PAGE_CLASSES], start=skip + 1)
        ],
        persons=listed["persons"],
        k=k,
        total=listed["total"],
        listed=len(kept),
        below=sum(one[0] < k for one in kept),
        is_looser=listed["looser"],
        number=number,
        pages=pages,
    )
