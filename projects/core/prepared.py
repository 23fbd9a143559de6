"""A query for one row that is put into SQL once in the life of a process, whatever the key.

Django puts a query into SQL anew each time. With a join for each of a dozen relations that takes several
times as long as the database needs to answer it, and the pages of a project all ask the same: which rows
stand now (:mod:`projects.core.standing`).
"""

from __future__ import annotations

import copy
import uuid
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections, router
from django.db.models import Model, QuerySet
from django.db.models.query import ModelIterable


class Prepared:
    """``build(key)`` gives the query for a row of ``model``; nothing but the key may differ from one time to the next."""

    def __init__(self, model: type[Model], build: Callable[[uuid.UUID], QuerySet[Any]]) -> None:
        self._model, self._build = model, build
        self._compiled: dict[str, tuple[Any, str, tuple[Any, ...], frozenset[int]]] = {}

    def get(self, key: uuid.UUID) -> Any:
        """The row for ``key``; raises the model's ``DoesNotExist``."""
        alias = router.db_for_read(self._model) or DEFAULT_DB_ALIAS
        if alias not in self._compiled:
            self._compiled[alias] = self._compile(alias)
        compiler, sql, parameters, places = self._compiled[alias]
        connection = connections[alias]
        value = self._value(key, connection)
        filled = tuple(value if place in places else p for place, p in enumerate(parameters))
        # A compiler keeps a connection, and that belongs to one thread.
        mine = copy.copy(compiler)
        mine.connection = connection
        mine.as_sql = lambda *args, **kwargs: (sql, filled)
        query = SimpleNamespace(get_compiler=lambda using: mine)
        asked: Any = SimpleNamespace(db=alias, query=query, _known_related_objects={})
        rows: Iterator[Any] = iter(ModelIterable(asked))
        for row in rows:
            return row
        raise self._model.DoesNotExist  # type: ignore[attr-defined]

    def _value(self, key: uuid.UUID, connection: Any) -> Any:
        """The key as the database gets it."""
        field: Any = self._model._meta.pk
        return field.get_db_prep_value(key, connection)

    def _compile(self, alias: str) -> tuple[Any, str, tuple[Any, ...], frozenset[int]]:
        stand_in = uuid.uuid4()
        compiler = self._build(stand_in).query.get_compiler(using=alias)
        sql, parameters = compiler.as_sql()
        value = self._value(stand_in, connections[alias])
        places = frozenset(place for place, parameter in enumerate(parameters) if parameter == value)
        assert places, "the query does not depend on its key"
        return compiler, sql, tuple(parameters), places
