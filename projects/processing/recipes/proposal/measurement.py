"""Trying the suggestion; works in the worker, returns plain figures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, BinaryIO

from projects.datasets.selectors import dataset_format, dataset_open
from projects.datasets.store.store import EncryptedWorkspace
from techniques.anonymization.proposal import proposal as tried
from techniques.engines.parts import Source
from techniques.recipe.recipe import Recipe

from ...models import Proposal


def outcome_of(
    proposal: Proposal, workspace: EncryptedWorkspace, tick: Callable[[float], None]
) -> dict[str, Any]:
    """What the engine found; raw data lie in ``workspace`` while it works, and are gone afterwards."""
    dataset = proposal.dataset
    assert dataset.rows is not None  # a suggestion is made for checked data sets only
    opened: partial[BinaryIO] = partial(dataset_open, dataset)
    source = Source(opened, dataset_format(dataset), dataset.rows, dataset.size)

    @contextmanager
    def place() -> Iterator[EncryptedWorkspace]:
        workspace.clear()
        try:
            yield workspace
        finally:
            workspace.clear()

    return tried(Recipe.from_data(proposal.suggested), source, place, tick).as_dict()
