"""In which part of ``scripts/test.sh`` a test runs, and which files of a part begin."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

# What stands in each file of the part that starts servers, workers and browsers; the script looks for it.
MARKS = ("slow", "browser")
# The files that take longest, in this order, so that no process is left alone with one of them in the end. A how-to
# is carried out when most inner loops have been compiled.
LONGEST = (
    "tests/access/test_walk.py",
    "tests/techniques/models/differential_privacy/test_audit.py",
    "tests/projects/processing/editor/test_preview.py",
    "tests/golden/test_stories.py",
    "tests/truth/test_sentences.py",
    "tests/projects/core/test_current.py",
    "tests/truth/test_false_passes.py",
    "tests/docs/test_howtos.py",
    "tests/techniques/models/local_privacy/test_client.py",
    "tests/techniques/models/differential_privacy/test_noise.py",
    "tests/truth/test_answers.py",
    "tests/projects/test_year.py",
    "tests/access/test_many_rows.py",
    "tests/projects/datasets/tables/test_pages.py",
    "tests/projects/verification/comparison/test_candidates.py",
    "tests/projects/verification/gate/test_gate.py",
    "tests/golden/test_commands.py",
)


def pytest_collection_modifyitems(config: pytest.Config, items: list[Any]) -> None:
    for item in items:
        for mark in MARKS:
            if item.get_closest_marker(mark) and f"mark.{mark}" not in item.path.read_text(encoding="utf-8"):
                raise pytest.UsageError(
                    f"{item.nodeid} is {mark}; scripts/test.sh looks for the mark in its file"
                )
    if not hasattr(config, "workerinput"):
        return
    # Of the others, those with most tests.
    tests = Counter(item.path for item in items)
    places = {config.rootpath / name: place for place, name in enumerate(LONGEST)}

    def rank(item: Any) -> tuple[int, int, Path]:
        return places.get(item.path, len(places)), -tests[item.path], item.path

    items.sort(key=rank)
