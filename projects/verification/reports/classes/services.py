"""Looking at the classes of a result: each look is an audit event without a value."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from approvals.audit.recording import recording
from approvals.governance.person import Person
from projects.datasets.models import Table
from projects.datasets.tables.names import label_of

from ... import events
from ...models import Verification
from .rules import may_look_at_classes
from .selectors import ClassesPage, Unlisted, classes_page


class _NothingShown(Exception):
    """There is no class to show, so nothing was looked at and nothing is recorded."""


def classes_look(
    verification: Verification, table: Table, *, page: int, by: Person
) -> ClassesPage | Unlisted:
    """One page (from 1; brought into range) of the classes of ``table``, the smallest first, or why there are none. That somebody
    looks is recorded before a class is shown."""
    label = label_of(table)
    facts: dict[str, Any] = {"table": label} if label else {}
    with (
        suppress(_NothingShown),
        recording(events.CLASSES_SHOWN, by=by, about=verification, data_leave=True, **facts) as event,
    ):
        rows = Verification.objects.select_for_update(of=("self",)).defer("report", "checks")
        verification = rows.select_related("project", "classes").get(pk=verification.pk)
        may_look_at_classes(by, verification).require()
        shown = classes_page(verification, table, page)
        if isinstance(shown, Unlisted) or not shown.rows:
            raise _NothingShown
        event.facts.update(first=shown.first, last=shown.last)
    return shown
