"""Which rows hold files of the store: said by the package of the row, so that whoever lists or destroys a project's data misses none.

Every reference to a stored file is registered, as data or as evidence; a test looks for those that are not.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db import models
from django.db.models import CharField, F, Value
from django.db.models.functions import Cast
from django.utils.translation import gettext_lazy as _

from projects.core.models import Project
from projects.jobs.models import Job

from ..models import StoredFile


class HeldKind(models.TextChoices):
    """What a stored file is to its project. Evidence outlives the data."""

    SOURCE = "source", _("Source file")
    WORKSPACE = "workspace", _("Working copy or preview")
    RESULT = "result", _("Result")
    AUXILIARY = "auxiliary", _("Key, mapping table or answer of a reversal")
    EVIDENCE = "evidence", _("Signed or stated by people")


DATA = (HeldKind.SOURCE, HeldKind.WORKSPACE, HeldKind.RESULT, HeldKind.AUXILIARY)
"""What is destroyed in the end; keys of the vault are auxiliary as well."""


@dataclass(frozen=True)
class Holder:
    """A field that refers to a stored file: what the file is to the project, which ``path`` leads there, and the field or expression
    by which people tell one from another. An empty ``path``: the file is the organisation's, of no project."""

    model: type[models.Model]
    field: str
    kind: HeldKind
    label: Any
    named: Any
    path: str = "project"

    @property
    def code(self) -> str:
        return f"{self.model._meta.label_lower}.{self.field}"


@dataclass(frozen=True)
class Holding:
    """A stored file that is there."""

    code: str
    kind: HeldKind
    name: str
    stored: StoredFile


LEFT_BEHIND = "left_behind"
"""The code of what a job that broke down left in its workspace."""
_holders: dict[str, Holder] = {}
_SUBJECT = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def holds_files(*holders: Holder) -> None:
    """Register fields that refer to stored files; called once, from an app's ``providers`` module."""
    _holders.update({one.code: one for one in holders})


def holders() -> tuple[Holder, ...]:
    return tuple(_holders.values())


def held_label(code: str) -> str:
    """What a file is, in the reader's language."""
    return str(_holders[code].label) if code in _holders else str(_("Left behind by a job that broke down"))


def holdings_of(project: Project, *, evidence: bool = False) -> list[Holding]:
    """The files that lie there for ``project``, the oldest first: its data, or what stays as ``evidence`` of them."""
    wanted = [one for one in holders() if one.path and (one.kind == HeldKind.EVIDENCE) is evidence]
    named: dict[uuid.UUID, tuple[str, str]] = {}
    for code, name, file in _rows(wanted, project):
        named.setdefault(file, (code, name))
    if not evidence:
        named |= {file: (LEFT_BEHIND, name) for name, file in _left_behind(project)}
    files = StoredFile.objects.filter(pk__in=list(named), destroyed_at=None).defer("wrapped_key")
    return [
        Holding(code, _holders[code].kind if code in _holders else HeldKind.WORKSPACE, name, stored)
        for stored in files.order_by("created_at", "pk")
        for code, name in [named[stored.pk]]
    ]


def _rows(wanted: Iterable[Holder], project: Project) -> Iterable[Any]:
    """(code, name, file) of every row, with one statement for all models."""
    found: list[Any] = [
        one.model._base_manager.filter(**{one.path: project})
        .exclude(**{one.field: None})
        .order_by()
        .annotate(
            held_as=Value(one.code, output_field=CharField()),
            held_name=Cast(F(one.named) if isinstance(one.named, str) else one.named, CharField()),
        )
        .values_list("held_as", "held_name", f"{one.field}_id")
        for one in wanted
    ]
    return found[0].union(*found[1:], all=True) if found else ()


def _left_behind(project: Project) -> list[tuple[str, uuid.UUID]]:
    """(scope, file) of what lies in workspaces of the project's jobs; what is under way is in some, what broke down in others."""
    scoped = list(StoredFile.objects.exclude(scope="").values_list("scope", "pk"))
    if not scoped:
        return []
    jobs = Job.objects.filter(project=project).values_list("pk", "subject_id")
    own = {part for pk, subject in jobs for part in (str(pk), subject)}
    return [(scope.partition(":")[0], file) for scope, file in scoped if own & {*_SUBJECT.findall(scope)}]
