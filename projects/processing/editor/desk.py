"""What lies before a person who writes a recipe: their entries, those before them and those that were taken back.

All of it waits in the session, so that undoing needs no script. Versions of the recipe are never undone; they only grow.
"""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from itertools import pairwise
from typing import Any

from django.contrib.sessions.backends.base import SessionBase

from projects.datasets.models import Dataset

from ..models import WholePreview
from .drafts import Draft

MOST = 50
"""States that can be gone back to."""
ROOM = 100_000
"""Characters that those may fill in the session; the oldest give way."""


class Desk:
    """The entries about the recipe of one data set's table, with what was there before each change."""

    def __init__(self, session: SessionBase, dataset: Dataset) -> None:
        self._session, self._dataset = session, dataset
        place = f"{dataset.table.project_id}-{dataset.table_id}"
        self._draft, self._steps = f"recipe-draft-{place}", f"recipe-steps-{place}"
        self._previewed = f"recipe-preview-{place}"

    @property
    def draft(self) -> Draft | None:
        """The entries that are not saved yet; None where there are none about this data set."""
        kept: dict[str, Any] = self._session.get(self._draft, {})
        return Draft.from_json(kept) if kept.get("dataset") == str(self._dataset.pk) else None

    def keep(self, draft: Draft, *before: Draft) -> None:
        """Let ``draft`` wait; ``before`` it were these, the oldest first. Those that say the same are one."""
        past, future = self._read()
        states = [*before, draft]
        steps = [one for one, after in pairwise(states) if one.said != after.said]
        if steps:
            past, future = [*past, *(one.as_json() for one in steps)], []
        self._write(draft, past, future)

    def undo(self, now: Draft) -> Draft:
        """The entries before the newest change; ``now`` itself where there are none."""
        past, future = self._read()
        return self._exchange(now, past, future, past, future)

    def redo(self, now: Draft) -> Draft:
        """The entries that were taken back last; ``now`` itself where there are none."""
        past, future = self._read()
        return self._exchange(now, future, past, past, future)

    def _exchange(
        self, now: Draft, source: list[Any], target: list[Any], past: list[Any], future: list[Any]
    ) -> Draft:
        if not source:
            return now
        target.append(now.as_json())
        found = Draft.from_json(source.pop())
        # What is written about the change, and what it is compared with, are not settings of the recipe.
        found.general["note"], found.basis = now.general.get("note", [""]), now.basis
        self._write(found, past, future)
        return found

    def preview(self, draft: Draft, preview: WholePreview) -> None:
        """The whole result of ``draft`` is worked out as ``preview``."""
        self._session[self._previewed] = [str(preview.pk), _digest(draft)]

    def previewed(self, draft: Draft) -> str:
        """The preview of the whole result of ``draft``, if it is the newest that was made from here; else ""."""
        preview, digest = self._session.get(self._previewed) or ("", "")
        return preview if digest == _digest(draft) else ""

    def clear(self) -> None:
        """Nothing waits any more."""
        self._session.pop(self._draft, None)
        self._session.pop(self._steps, None)

    def _read(self) -> tuple[list[Any], list[Any]]:
        kept = self._session.get(self._steps)
        if not kept or self.draft is None:
            return [], []
        past, future = json.loads(zlib.decompress(base64.b64decode(kept)))
        return past, future

    def _write(self, draft: Draft, past: list[Any], future: list[Any]) -> None:
        self._session[self._draft] = draft.as_json()
        past = past[-MOST:]
        while len(packed := _packed([past, future])) > ROOM and (past or future):
            del (past or future)[0]
        self._session[self._steps] = packed


def _digest(draft: Draft) -> str:
    return hashlib.sha256(json.dumps([draft.dataset, draft.said]).encode()).hexdigest()


def _packed(states: list[list[Any]]) -> str:
    return base64.b64encode(zlib.compress(json.dumps(states).encode(), 9)).decode()
