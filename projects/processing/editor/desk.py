"""What lies before a person who writes a recipe: their entries, those before them and those that were taken back.

All of it waits on the server as the person's own draft (ADR 16), so that undoing needs no script and signing out loses nothing. Versions
of the recipe are never undone; they only grow.
"""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from itertools import pairwise
from secrets import token_hex
from typing import Any

from approvals.governance.person import Person
from projects.core.drafts import services
from projects.core.drafts.selectors import Place, draft_of
from projects.datasets.models import Dataset
from projects.datasets.selectors import dataset_columns

from .. import rules
from ..models import WholePreview
from ..recipes.proposal.selectors import recipe_proposed
from ..recipes.selectors import current_recipe
from .drafts import Draft
from .drafts import draft_of as draft_from

MOST = 50
"""States that can be gone back to."""
ROOM = 100_000
"""Characters that those may fill; the oldest give way."""


class Desk:
    """The entries about the recipe of one data set's table, with what was there before each change."""

    def __init__(self, user: Person, dataset: Dataset) -> None:
        table, self.dataset, self._user = dataset.table, dataset, user
        self._place = Place(
            "recipe", rules.may_edit_recipe(user, table.project), table.project, str(table.pk)
        )
        kept = draft_of(self._place, user)
        self._entries: dict[str, list[str]] = kept.entries if kept else {}

    @property
    def draft(self) -> Draft | None:
        """The entries that are not saved yet; None where there are none about this data set."""
        if "draft" not in self._entries:
            return None
        kept: dict[str, Any] = json.loads(self._entries["draft"][0])
        return Draft.from_json(kept) if kept["dataset"] == str(self.dataset.pk) else None

    @property
    def current(self) -> Draft:
        """What the editor shows: the entries that are not saved yet, else the current version, else the suggestion."""
        if (kept := self.draft) is not None:
            return kept
        table = self.dataset.table
        recipe = current_recipe(table.project)
        return draft_from(
            (recipe and recipe.part_of(table)) or recipe_proposed(table)[0],
            dataset_columns(self.dataset),
            dataset=str(self.dataset.pk),
            basis=recipe.number if recipe else 0,
            scene=recipe.scene_of(table) if recipe else "",
        )

    @property
    def seen(self) -> str:
        """What a page carries to say what it shows: it changes with every button, and not with what the page sends by itself, since that
        would put back what a button changed if it came later."""
        return self._entries.get("seen", [""])[0]

    def keep(self, draft: Draft, *before: Draft, is_typed: bool = False) -> None:
        """Let ``draft`` wait; ``before`` it were these, the oldest first. Those that say the same are one.

        ``is_typed`` where the page sent it by itself after a pause.
        """
        past, future = self._read()
        states = [*before, draft]
        steps = [one for one, after in pairwise(states) if one.said != after.said]
        if steps:
            past, future = [*past, *(one.as_json() for one in steps)], []
        self._write(draft, past, future, is_typed=is_typed)

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
        self._keep(previewed=[str(preview.pk), _digest(draft)])

    def previewed(self, draft: Draft) -> str:
        """The preview of the whole result of ``draft``, if it is the newest that was made from here; else ""."""
        preview, digest = self._entries.get("previewed", ("", ""))
        return preview if digest == _digest(draft) else ""

    def clear(self) -> None:
        """No entries wait any more; the preview shows what was saved of them."""
        self._entries = {name: texts for name, texts in self._entries.items() if name == "previewed"}
        self._keep(seen=[token_hex(8)])

    def _read(self) -> tuple[list[Any], list[Any]]:
        if "steps" not in self._entries or self.draft is None:
            return [], []
        past, future = json.loads(zlib.decompress(base64.b64decode(self._entries["steps"][0])))
        return past, future

    def _write(self, draft: Draft, past: list[Any], future: list[Any], *, is_typed: bool = False) -> None:
        past = past[-MOST:]
        while len(packed := _packed([past, future])) > ROOM and (past or future):
            del (past or future)[0]
        seen = [self.seen if is_typed else token_hex(8)]
        self._keep(draft=[json.dumps(draft.as_json())], steps=[packed], seen=seen)

    def _keep(self, **entries: list[str]) -> None:
        self._entries |= entries
        services.draft_keep(self._place, entries=self._entries, by=self._user)


def _digest(draft: Draft) -> str:
    return hashlib.sha256(json.dumps([draft.dataset, draft.said]).encode()).hexdigest()


def _packed(states: list[list[Any]]) -> str:
    return base64.b64encode(zlib.compress(json.dumps(states).encode(), 9)).decode()
