"""Reading the list of the classes that a measurement has kept, a page at a time."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from projects.datasets.models import Table
from projects.datasets.store.store import store_open

from ...models import Verification
from .enums import WhyUnlisted

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


@dataclass(frozen=True)
class Unlisted:
    """Nothing was listed of a table, and why not."""

    why: WhyUnlisted


def classes_page(verification: Verification, table: Table, page: int) -> ClassesPage | Unlisted:
    """One page (from 1; brought into range) of the classes of ``table``, the smallest first. The list is there
    (:func:`.rules.are_there`), and what of it anybody is shown is for the caller to record."""
    assert verification.classes is not None
    with store_open(verification.classes, whole=True) as stream:
        listed = json.loads(stream.read()).get(str(table.pk), {"why": WhyUnlisted.NEW_TABLE})
    return Unlisted(WhyUnlisted(listed["why"])) if "why" in listed else page_of(listed, page)


def page_of(listed: dict[str, Any], number: int) -> ClassesPage:
    """A page of what was ``listed`` of a table."""
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
