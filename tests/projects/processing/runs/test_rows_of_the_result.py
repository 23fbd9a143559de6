"""What page and document say of the rows of a result: left out, groups of the source's, or made up."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest
from django.template.loader import render_to_string
from django.utils import timezone, translation

from projects.processing.runs.pages import table_facts

REPORT: dict[str, Any] = {
    "rows_in": 2000,
    "rows_out": 6,
    "columns_in": ["a"],
    "columns_out": ["a"],
    "steps": [],
}


@pytest.mark.parametrize(
    ("technique", "chosen", "on_page", "on_paper"),
    [
        ("statistical.sampling", {}, "of 2,000 rows of the source; 1,994 left out (99.7 %)",
         "6 of 2,000 rows are in the result; 1,994 were left out (99.7 %)."),
        ("statistical.aggregation", {"result": "replace"}, "of 2,000 rows of the source; 1,994 left out (99.7 %)",
         "6 of 2,000 rows are in the result; 1,994 were left out (99.7 %)."),
        ("statistical.aggregation", {}, "each a group of rows of the source, which has 2,000",
         "The result has 6 rows, each a group of rows of the source, which has 2,000."),
        ("statistical.row_per_person", {"collected": {"a": "sum"}}, "each combined from the rows of one person; the source has 2,000",
         "The result has 6 rows, each combined from the rows of one person; the source has 2,000."),
        ("statistical.row_per_person", {}, "of 2,000 rows of the source; 1,994 left out (99.7 %)",
         "6 of 2,000 rows are in the result; 1,994 were left out (99.7 %)."),
        ("synthesis.private", {}, "with made-up values; the source has 2,000",
         "The result has 6 rows with made-up values; the source has 2,000."),
    ],
)  # fmt: skip
def test_what_is_said_of_them_is_what_they_are(
    technique: str, chosen: Any, on_page: str, on_paper: str
) -> None:
    content = {"steps": [{"technique": technique, "columns": ["a"], "parameters": chosen}]}
    steps = [{"step": 0, "technique": technique, "columns": ["a"], "counts": {}, "result": {}}]
    written: Any = SimpleNamespace(
        report=REPORT | {"steps": steps},
        file_name=lambda stem: stem,
        result=None,
        result_format={"kind": "csv"},
    )
    project = SimpleNamespace(pk=uuid4(), number="1", title="x")
    run = SimpleNamespace(
        number=1,
        recipe_version=SimpleNamespace(number=1),
        pk=uuid4(),
        project=project,
        finished_at=timezone.now(),
    )
    with translation.override("en"):
        one = {"name": "", "facts": table_facts(written, content, "x"), "steps": []}
        shown = {
            "results": [one],
            "run": run,
            "project": project,
            "head": SimpleNamespace(made_at=timezone.now()),
        }
        page, paper = (
            " ".join(render_to_string(name, shown).split())
            for name in ("processing/_result.html", "processing/report_document.html")
        )
    assert on_page in page
    assert on_paper in paper
    for said in (page, paper):
        assert (
            sum(words in said for words in ("left out", "a group of", "combined from", "made-up values;"))
            == 1
        )
