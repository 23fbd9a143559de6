"""Rows that give permission: each write of one stands in the log, with a digest of what the row says.

A model is marked where it is defined; its rows are noted while they are written, and the event at the end of the
recording says what was then in the database (:mod:`approvals.audit.proof`). So a row that somebody wrote past
the portal is one that no event explains. Rows of one model that belong to one project or person are a *unit*: it is proved
before the first of them is written, so that no act states anew what somebody else has altered.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property, lru_cache
from typing import Any, TypeVar

from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection
from django.db.models import F, Field, ForeignKey, JSONField, Model, QuerySet
from django.db.models.functions import JSONObject
from django.db.models.signals import post_delete, post_save, pre_delete, pre_save
from django.utils.timezone import is_naive, make_aware

from .draft import Unit, current_draft

_M = TypeVar("_M", bound=type[Model])


@dataclass(frozen=True)
class Proven:
    """A kind of row that gives permission.

    ``owner`` is the look-up of the project or the person that its rows belong to, "" where they are the organisation's.
    ``without`` are fields that do not count, ``beside`` look-ups of other tables that do; of rows that are ``many``
    an act looks at those that it writes, and where data leave at all of them.
    """

    model: type[Model]
    project: str
    person: str
    without: tuple[str, ...]
    beside: tuple[str, ...]
    many: bool

    @property
    def owner(self) -> str:
        return self.project or self.person

    @property
    def rows(self) -> QuerySet[Any]:
        return self.model._base_manager.order_by("pk")

    @cached_property
    def fields(self) -> list[str]:
        """The columns that count."""
        own = [f.attname for f in self.model._meta.concrete_fields if f.attname not in self.without]
        return [*own, *self.beside]

    def owner_of(self, row: Model) -> str:
        found: Any = row
        *steps, last = self.owner.split("__")
        for step in steps:
            found = getattr(found, step)
        field = None if last in ("", "pk") else found._meta.get_field(last)
        return owner_text(found.pk if last == "pk" else getattr(found, field.attname) if field else "")


PROVEN: dict[str, Proven] = {}


def proven(
    *,
    project: str = "",
    person: str = "",
    without: tuple[str, ...] = (),
    beside: tuple[str, ...] = (),
    many: bool = False,
) -> Callable[[_M], _M]:
    """Mark a model: its rows belong to the project or the person that the given look-up leads to, or to nobody."""

    def mark(model: _M) -> _M:
        label = model._meta.label_lower
        PROVEN[label] = Proven(model, project, person, without, beside, many)
        for signal in (pre_save, pre_delete):
            signal.connect(_to_be_written, sender=model, dispatch_uid=f"proven-before-{label}")
        for signal in (post_save, post_delete):
            signal.connect(_written, sender=model, dispatch_uid=f"proven-{label}")
        return model

    return mark


def owner_text(owner: Any) -> str:
    return "" if owner is None else str(owner)


def _to_be_written(sender: type[Model], instance: Model, **kwargs: Any) -> None:
    label, draft = sender._meta.label_lower, current_draft.get()
    # Who has no number yet owns nothing that could be proved.
    if draft is not None and instance.pk is not None:
        draft.before_write((label, PROVEN[label].owner_of(instance)))


def _written(sender: type[Model], instance: Model, **kwargs: Any) -> None:
    label, draft = sender._meta.label_lower, current_draft.get()
    if draft is not None:
        draft.units.add((label, PROVEN[label].owner_of(instance)))
        draft.rows.setdefault(label, set()).add(instance.pk)


def update_note(rows: QuerySet[Any]) -> None:
    """What the signals do for single rows, before a query alters ``rows`` of a model that may be marked."""
    draft, label = current_draft.get(), rows.model._meta.label_lower
    if draft is None or label not in PROVEN:
        return
    owner = PROVEN[label].owner
    for found in rows.values_list("pk", *([owner] if owner else [])):
        draft.before_write((label, owner_text(found[-1] if owner else "")))
        draft.rows.setdefault(label, set()).add(found[0])


class _Plain(DjangoJSONEncoder):
    """Moments to the microsecond; Django's own cuts them to the millisecond."""

    def default(self, o: Any) -> Any:
        return o.astimezone(UTC).isoformat() if isinstance(o, datetime) else super().default(o)


def digests(rows: QuerySet[Any], fields: Sequence[str], *, exact: bool = True) -> Iterator[tuple[str, str]]:
    """The id of each row with the SHA-256, in hexadecimal, of ``fields`` as the database has them.

    Not ``exact``: as the first events that stated rows did, with moments cut to the millisecond.
    """
    for pk, *values in rows.values_list("pk", *fields).iterator(500):
        yield str(pk), _digest(dict(zip(fields, values, strict=True)), exact=exact)


def units_read(units: Iterable[Unit]) -> dict[Unit, dict[str, str]]:
    """What :func:`digests` says of the rows of each unit, in one statement for all of them."""
    wanted = list(units)
    found: dict[Unit, dict[str, str]] = {unit: {} for unit in wanted}
    parts, values = [], []
    for number, (label, owner) in enumerate(wanted):
        sql, before, after = _statement(label, connection.alias, tuple(PROVEN[label].fields))
        parts.append(sql)
        values += [number, *before, *([_prepared(label, owner)] if PROVEN[label].owner else []), *after]
    if not parts:
        return found
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(parts), values)
        rows = cursor.fetchall()
    columns = {label: _columns(label, tuple(PROVEN[label].fields)) for label, _owner in wanted}
    for number, key, said in rows:
        unit = wanted[number]
        of, plain = columns[unit[0]], _loaded(said)
        found[unit][str(_read(of["pk"], _loaded(key)["pk"]))] = _digest(
            {name: _read(of[name], plain[name]) for name in plain}, exact=True
        )
    return found


@lru_cache(maxsize=200)
def _columns(label: str, fields: tuple[str, ...]) -> dict[str, Field[Any, Any]]:
    return {name: _field(PROVEN[label].model, name) for name in ("pk", *fields)}


# Stands for the owner while a statement is put together; no project and no person has it.
_NOBODY = {"UUIDField": "5f1d7c1e-0000-4000-8000-00000000dead", "CharField": "5f1d7c1e-dead"}


@lru_cache(maxsize=200)
def _statement(label: str, alias: str, fields: tuple[str, ...]) -> tuple[str, list[Any], list[Any]]:
    """The SQL that reads the rows of one owner as JSON, with the values before and after the owner's.

    Django takes longer to put it together than the database to answer it.
    """
    kind = PROVEN[label]
    rows = kind.model._base_manager.using(alias).order_by()
    owner = None
    if kind.owner:
        nobody: Any = _NOBODY.get(_owner_field(label).get_internal_type(), -(2**40) - 7)
        rows, owner = rows.filter(**{kind.owner: nobody}), _prepared(label, nobody)
    answer = rows.annotate(
        pk_=JSONObject(pk=F("pk")), said_=JSONObject(**{name: F(name) for name in fields})
    ).values_list("pk_", "said_")
    sql, values = answer.query.sql_with_params()
    at = list(values).index(owner) if kind.owner else len(values)
    return sql.replace("SELECT ", "SELECT %s, ", 1), list(values[:at]), list(values[at + 1 :])


def _owner_field(label: str) -> Field[Any, Any]:
    return _field(PROVEN[label].model, PROVEN[label].owner)


def _prepared(label: str, owner: str) -> Any:
    return _owner_field(label).get_db_prep_value(owner, connection)


def _field(model: type[Model], name: str) -> Field[Any, Any]:
    """The field at the end of a look-up; of a foreign key the one that it points to."""
    field: Any = None
    for step in name.split("__"):
        known = {f.attname: f for f in model._meta.concrete_fields}
        field = model._meta.pk if step == "pk" else known.get(step) or model._meta.get_field(step)
        model = field.related_model or model
    while isinstance(field, ForeignKey):
        field = field.target_field
    return field  # type: ignore[no-any-return]


def _loaded(value: Any) -> Any:
    return json.loads(value) if isinstance(value, str) else value


def _read(field: Field[Any, Any], value: Any) -> Any:
    """A value of a JSON object made by the database, as the field itself would have read it."""
    if isinstance(field, JSONField):
        return json.loads(value) if connection.vendor == "sqlite" and value is not None else value
    read = field.to_python(value)
    return make_aware(read, UTC) if isinstance(read, datetime) and is_naive(read) else read


def _digest(values: dict[str, Any], *, exact: bool) -> str:
    said = json.dumps(values, cls=_Plain if exact else DjangoJSONEncoder, sort_keys=True)
    return hashlib.sha256(said.encode()).hexdigest()
