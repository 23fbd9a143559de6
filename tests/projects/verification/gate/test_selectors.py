"""What is hashed before a gate is opened: the result, and the file of every holder of its shares."""

from __future__ import annotations

from copy import copy
from types import SimpleNamespace

import pytest

from projects.processing.runs.selectors import latest_run
from projects.verification.gate.selectors import sha256_of_result

pytestmark = pytest.mark.django_db


def test_a_share_counts_by_what_was_written_down_and_by_what_is_read(story, monkeypatch):
    """A hash differs whichever of both comes first in the order of letters; the shares of other tables are not of this file."""
    of = latest_run(story.project).tables.get()
    kept, whole = of.result, of.result_sha256

    def found(said, noted, table=of.name):
        """Of a share that holds what the result holds, whose release and whose row say this."""
        stored = copy(kept)
        stored.sha256 = noted
        share = SimpleNamespace(table=table, stored=stored, sha256=said)
        monkeypatch.setattr("projects.verification.gate.selectors.share_files_of", lambda run_id: [share])
        return sha256_of_result(of, lambda share: None)

    assert found(whole, whole) == whole
    for other in ("0" * 64, "f" * 64):
        assert found(other, whole) == found(whole, other) == found(other, other) == ""
        assert found(other, other, "another") == whole
