"""Rows that give permission: each write of one stands in the log, with a digest of what the row says.

A model is marked where it is defined; its rows are noted while they are written, and the event at the end of the
recording says what was then in the database (:mod:`approvals.audit.proof`). So a row that somebody wrote past
the portal is one that no event explains.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar

from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection
from django.db.models import F, Field, ForeignKey, IntegerField, JSONField, Model, QuerySet, Value
from django.db.models.functions import JSONObject
from django.db.models.signals import post_delete, post_save
from django.utils.timezone import is_naive, make_aware

from .draft import current_draft

_M = TypeVar("_M", bound=type[Model])


@dataclass(frozen=True)
class Proven:
    """A kind of row that gives permission: where it says its project or its person, and which fields do not count."""

    model: type[Model]
    project: str
    person: str
    without: tuple[str, ...]

    @property
    def rows(self) -> QuerySet[Any]:
        return self.model._base_manager.order_by("pk")

    @property
    def fields(self) -> list[str]:
        """The columns that count."""
        return [f.attname for f in self.model._meta.concrete_fields if f.attname not in self.without]


PROVEN: dict[str, Proven] = {}


def proven(*, project: str = "", person: str = "", without: tuple[str, ...] = ()) -> Callable[[_M], _M]:
    """Mark a model: its rows belong to the project or the person that the given lookup leads to, or to nobody."""

    def mark(model: _M) -> _M:
        label = model._meta.label_lower
        PROVEN[label] = Proven(model, project, person, without)
        for signal in (post_save, post_delete):
            signal.connect(_written, sender=model, dispatch_uid=f"proven-{label}")
        return model

    return mark


def _written(sender: type[Model], instance: Model, **kwargs: Any) -> None:
    written_note(sender, [instance.pk])


def written_note(model: type[Model], ids: Iterable[Any]) -> None:
    """Let the event of the recording that is open, if one is, say what these rows were left as."""
    draft, label = current_draft.get(), model._meta.label_lower
    if draft is not None and label in PROVEN:
        draft.rows.setdefault(label, set()).update(ids)


def digests(rows: QuerySet[Any], fields: list[str]) -> Iterator[tuple[str, str]]:
    """The id of each row with the SHA-256, in hexadecimal, of ``fields`` as the database has them."""
    for pk, *values in rows.values_list("pk", *fields).iterator(500):
        yield str(pk), _digest(dict(zip(fields, values, strict=True)))


def digests_at_once(wanted: Sequence[tuple[QuerySet[Any], Sequence[str]]]) -> list[dict[str, str]]:
    """What :func:`digests` says of each (rows, fields), in one statement for all of them."""
    found: list[dict[str, str]] = [{} for _ in wanted]
    parts = [
        rows.order_by()
        .annotate(
            number_=Value(number, output_field=IntegerField()),
            pk_=JSONObject(pk=F("pk")),
            said_=JSONObject(**{name: F(name) for name in fields}),
        )
        .values_list("number_", "pk_", "said_")
        for number, (rows, fields) in enumerate(wanted)
    ]
    for number, key, said in parts[0].union(*parts[1:], all=True) if parts else ():
        meta = wanted[number][0].model._meta
        columns = {field.attname: field for field in meta.concrete_fields}
        assert meta.pk is not None
        found[number][str(_read(meta.pk, key["pk"]))] = _digest({n: _read(columns[n], said[n]) for n in said})
    return found


def _read(field: Field[Any, Any], value: Any) -> Any:
    """A value of a JSON object made by the database, as the field itself would have read it."""
    field = field.target_field if isinstance(field, ForeignKey) else field
    if isinstance(field, JSONField):
        return json.loads(value) if connection.vendor == "sqlite" and value is not None else value
    read = field.to_python(value)
    return make_aware(read, UTC) if isinstance(read, datetime) and is_naive(read) else read


def _digest(values: dict[str, Any]) -> str:
    said = json.dumps(values, cls=DjangoJSONEncoder, sort_keys=True)
    return hashlib.sha256(said.encode()).hexdigest()
