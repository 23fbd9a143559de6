"""Queries that are put into SQL once in the life of a process, whatever the keys.

Django puts a query into SQL anew each time. With a join for each of a dozen relations that takes several
times as long as the database needs to answer it, and the pages of a project all ask the same: may this
person see it, and which rows stand now (:mod:`projects.core.standing`).
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections, router
from django.db.models import Model, QuerySet
from django.db.models.query import ModelIterable


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
    compiler: Any
    sql: str
    parameters: tuple[Any, ...]
    places: dict[int, int]
    """Position among the parameters → which key stands there."""


class Prepared:
    """The rows of ``build(*keys)``, a query of ``model`` in which nothing but the keys may differ."""

    def __init__(
        self, model: type[Model], build: Callable[..., QuerySet[Any]], *keys: Callable[[], Key]
    ) -> None:
        self._model, self._build, self._keys = model, build, keys
        self._compiled: dict[str, _Compiled] = {}

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
        # A compiler keeps a connection, and that belongs to one thread.
        mine = copy.copy(known.compiler)
        mine.connection = connection
        mine.as_sql = lambda *args, **kwargs: (known.sql, tuple(filled))
        query = SimpleNamespace(get_compiler=lambda using: mine)
        asked: Any = SimpleNamespace(db=alias, query=query, _known_related_objects={})
        return list(ModelIterable(asked))

    def _compile(self, alias: str) -> _Compiled:
        keys: Sequence[Key] = [key() for key in self._keys]
        compiler = self._build(*(key.stand_in for key in keys)).query.get_compiler(using=alias)
        sql, parameters = compiler.as_sql()
        written = [key.written(key.stand_in, connections[alias]) for key in keys]
        places = {place: written.index(p) for place, p in enumerate(parameters) if p in written}
        assert len(set(places.values())) == len(keys), "the query depends on its keys"
        return _Compiled(compiler, sql, tuple(parameters), places)
