"""Statements that are put together once: for what every request asks, Django takes ten times as long to put the statement together
as the database to answer it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.db.models import QuerySet

# Stands for the key of a row while a statement is put together; no row has it.
NO_KEY = -(2**40) - 7


class Prepared:
    """The rows of one model, without rows of others beside them, that ``query`` finds.

    ``stand_ins``: what stands in ``query`` for each value that differs from time to time, as the database stores it; each stands
    there once. What is annotated comes as the database writes it: on SQLite truth is a number.
    """

    def __init__(self, query: QuerySet[Any], stand_ins: Mapping[str, Any]) -> None:
        self._model = query.model
        self._sql, values = query.order_by().query.sql_with_params()
        self._values = list(values)
        for value in stand_ins.values():
            if self._values.count(value) != 1:
                raise ValueError(f"{value} does not stand in the statement once")
        self._places = {name: self._values.index(value) for name, value in stand_ins.items()}

    def rows(self, **stored: Any) -> Iterator[Any]:
        """What it finds with these values in the places of all stand-ins, each as the database stores it."""
        values = list(self._values)
        for name, place in self._places.items():
            values[place] = stored[name]
        return iter(self._model._base_manager.raw(self._sql, values))
