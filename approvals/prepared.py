"""Queries that are put into SQL once in the life of a process, whatever the keys.

Django puts a query into SQL anew each time. With a join for each of a dozen relations that takes several
times as long as the database needs to answer it, and the pages of a project all ask the same: may this
person see it, and which rows stand now (:mod:`projects.core.standing`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import local
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections, router
from django.db.models import Model, QuerySet
from django.db.models.query import get_related_populators


@dataclass(frozen=True)
class Key:
    """Something by which a query differs: the field that it is compared with, and a value that is never there."""

    field: Any
    stand_in: Any

    def written(self, value: Any, connection: Any) -> Any:
        """The value as the database gets it."""
        return self.field.get_db_prep_value(value, connection)


@dataclass(frozen=True)
class _Compiled:
    model: type[Model]
    sql: str
    parameters: tuple[Any, ...]
    places: dict[int, int]
    """Position among the parameters → which key stands there."""
    columns: list[Any]
    names: list[str]
    """The attributes of the model that the first columns fill."""
    related: list[Any]
    """What makes the rows of the relations out of the other columns."""


# What turns a column of the database into a value of Python: position, functions, the column.
Converters = list[tuple[int, Sequence[Callable[..., Any]], Any]]


class _OfThread(local):
    """A converter may know its connection; that belongs to one thread, and both go when the thread does."""

    def __init__(self) -> None:
        self.converters: dict[str, tuple[Any, Converters]] = {}


class Prepared:
    """The rows of ``build(*keys)``, a query to ``model``'s database in which nothing but the keys may differ."""

    def __init__(
        self, model: type[Model], build: Callable[..., QuerySet[Any]], *keys: Callable[[], Key]
    ) -> None:
        self._model, self._build, self._keys = model, build, keys
        self._compiled: dict[str, _Compiled] = {}
        self._mine = _OfThread()

    def rows(self, *values: Any) -> list[Any]:
        """The rows for the values of the keys, in one statement."""
        alias = router.db_for_read(self._model) or DEFAULT_DB_ALIAS
        if alias not in self._compiled:
            self._compiled[alias] = self._compile(alias)
        known, connection = self._compiled[alias], connections[alias]
        written = [key().written(value, connection) for key, value in zip(self._keys, values, strict=True)]
        filled = list(known.parameters)
        for place, which in known.places.items():
            filled[place] = written[which]
        with connection.cursor() as cursor:
            cursor.execute(known.sql, tuple(filled))
            found = cursor.fetchall()
        converters = self._converters_of(alias, known, connection)
        return [self._made(alias, known, converters, connection, list(row)) for row in found]

    def _made(
        self, alias: str, known: _Compiled, converters: Converters, connection: Any, row: list[Any]
    ) -> Any:
        """The object of one row and those of its relations, as Django's own iteration makes them."""
        for position, functions, column in converters:
            for convert in functions:
                row[position] = convert(row[position], column, connection)
        made = known.model.from_db(alias, known.names, row[: len(known.names)])
        for relation in known.related:
            relation.populate(row, made)
        return made

    def _converters_of(self, alias: str, known: _Compiled, connection: Any) -> Converters:
        of, converters = self._mine.converters.get(alias, (None, []))
        if of is not connection:
            converters = [
                (position, [*connection.ops.get_db_converters(column), *own], column)
                for position, column in enumerate(known.columns)
                for own in (column.get_db_converters(connection),)
                if own or connection.ops.get_db_converters(column)
            ]
            self._mine.converters[alias] = connection, converters
        return converters

    def _compile(self, alias: str) -> _Compiled:
        keys: Sequence[Key] = [key() for key in self._keys]
        query = self._build(*(key.stand_in for key in keys)).query
        compiler = query.get_compiler(using=alias)
        sql, parameters = compiler.as_sql()
        written = [key.written(key.stand_in, connections[alias]) for key in keys]
        places = {place: written.index(p) for place, p in enumerate(parameters) if p in written}
        assert len(set(places.values())) == len(keys), "the query depends on its keys"
        assert not compiler.annotation_col_map, "no values beside the fields"
        chosen, made = compiler.select or [], compiler.klass_info
        assert query.model, "the query is of a model"
        assert made, "the query is for objects"
        columns = [column for column, _sql, _alias in chosen]
        fields = made["select_fields"]
        assert fields == list(range(len(fields))), "the model's own fields come first"
        return _Compiled(
            query.model,
            sql,
            tuple(parameters),
            places,
            columns,
            [columns[place].target.attname for place in fields],
            get_related_populators(made, chosen, alias),  # type: ignore[call-arg]
        )
