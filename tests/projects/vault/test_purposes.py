"""Every purpose of a key has words in the reader's language; what no version knows is shown as it is stored."""

from __future__ import annotations

import pytest
from django.utils import translation

from projects.vault.purposes import MAPPINGS, ONCE, PROJECT_KEY, SEED, SHARED, purpose_text


@pytest.mark.parametrize(
    ("stored", "word"),
    [(SEED % 7, "7"), (ONCE % 7, "7"), (MAPPINGS % 7, "7"), (SHARED % "研究 (a)", "研究 (a)")],
)
def test_a_purpose_is_said_in_words(stored: str, word: str) -> None:
    with translation.override("zh-hans"):
        said = purpose_text(stored)
    assert word in said
    assert said.isascii() is False
    assert "run" not in said


def test_the_key_of_a_project_and_what_is_not_known() -> None:
    with translation.override("en"):
        assert purpose_text(PROJECT_KEY) == "pseudonyms and encryption"
        assert purpose_text("of another version") == "of another version"
