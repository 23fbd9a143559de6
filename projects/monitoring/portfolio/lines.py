"""Long lists of which the number is known, and of which only that is read which somebody looks at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from heapq import merge
from itertools import islice
from typing import Any, Generic, Protocol, TypeVar, overload

from django.db.models import QuerySet

PORTION = 500
"""So many lines are read at once where all are wanted."""
_Line = TypeVar("_Line")


class Rows(Protocol):
    """Rows in their order: a list, a query, or :class:`Merged`."""

    def __getitem__(self, place: slice) -> Any: ...
    def __iter__(self) -> Iterator[Any]: ...


class Merged:
    """Rows of several queries, each of them in order, in the order of all. Of none more is read than could be shown."""

    def __init__(self, queries: Sequence[Rows]) -> None:
        self._queries = queries

    def __getitem__(self, place: slice) -> list[Any]:
        first = [list(query[: place.stop]) for query in self._queries]
        return list(islice(merge(*first), place.start, place.stop))

    def __iter__(self) -> Iterator[Any]:
        return merge(*map(_in_portions, self._queries))


def _in_portions(rows: Rows) -> Iterator[Any]:
    """Every row; of a query none is kept when it was read."""
    return rows.iterator(PORTION) if isinstance(rows, QuerySet) else iter(rows)


class Lines(Sequence[_Line], Generic[_Line]):
    """``count`` lines in the order of ``rows``; ``read`` makes lines of some of these."""

    def __init__(self, count: int, rows: Rows, read: Callable[[list[Any]], list[_Line]]) -> None:
        self._count, self._rows, self._read = count, rows, read

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, place: int) -> _Line: ...
    @overload
    def __getitem__(self, place: slice) -> list[_Line]: ...
    def __getitem__(self, place: int | slice) -> _Line | list[_Line]:
        """Places count from the beginning."""
        if isinstance(place, slice):
            return self._read(list(self._rows[place]))
        return self._read(list(self._rows[place : place + 1]))[0]

    def __iter__(self) -> Iterator[_Line]:
        rows = _in_portions(self._rows)
        while portion := list(islice(rows, PORTION)):
            yield from self._read(portion)
