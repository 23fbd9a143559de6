"""The portal's own lines of a review are read in the language of who reads it; what the reviewer typed stays."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.utils import timezone, translation

from approvals.governance.verdict import ALLOW
from projects.core.help.clauses import CLAUSE_TEXTS, clauses
from projects.core.sentences import as_read
from projects.monitoring.forms import ConclusionForm, ReviewForm, comment_name, met_name

LANGUAGES = tuple(permutations(("zh-hans", "en")))
OWN = "compared with the data dictionary: 第3页"


def review(language: str, keys: Iterable[str], **given: Any) -> dict[str, Any]:
    """What the form keeps of a review that was written in ``language``."""
    with translation.override(language):
        data = {
            "content": "c", "object": OWN, "time": timezone.localtime().strftime("%Y-%m-%dT%H:%M"),
            "result": OWN, "measures": OWN, "outcome": "returned", **given,
        }  # fmt: skip
        form = ReviewForm(data, current_hash="c", may_pass=ALLOW, requirements=clauses(keys))
        assert form.is_valid(), form.errors
        return form.review()


FIELDS = ("object", "process", "result", "measures")


def read(said: dict[str, Any], language: str) -> list[str]:
    with translation.override(language):
        return [as_read(said[name]) for name in FIELDS]


@pytest.mark.parametrize(("writer", "reader"), LANGUAGES)
def test_every_line_that_a_review_takes_over(writer, reader):
    asked = clauses(CLAUSE_TEXTS)
    given: dict[str, Any] = {met_name(one): "on" for one in asked[::2]}
    given |= {comment_name(one): "see page 4; 另见附件" for one in asked[::3]}
    given |= {
        "process_chosen": ["0", "1"],
        "process": OWN,
        "result_chosen": ["0", "1"],
        "measures_chosen": ["0"],
    }
    was, wanted = review(writer, CLAUSE_TEXTS, **given), review(reader, CLAUSE_TEXTS, **given)
    assert len(was["process"].split("\n")) == len(asked) + 3
    assert read(was, reader) == [wanted[name] for name in FIELDS]
    assert read(was, writer) == [was[name] for name in FIELDS]


@pytest.mark.parametrize(("writer", "reader"), LANGUAGES)
def test_what_follows_from_the_ticks_and_the_finding_of_a_reassessment(writer, reader):
    keys = ("5.3.2", "5.3.3")
    given = {met_name(one): "on" for one in clauses(keys)} | {"outcome": "passed"}
    given |= dict.fromkeys(("result", "measures"), "")
    was, wanted = review(writer, keys, **given), review(reader, keys, **given)
    assert read(was, reader) == [wanted[name] for name in FIELDS]
    with translation.override(writer):
        kept = str(ConclusionForm.STILL_MET)
    with translation.override(reader):
        assert as_read(kept) == str(ConclusionForm.STILL_MET)
        shown = render_to_string("projects/_review_fields.html", {"review": was})
        assert str(ReviewForm.ONE_BY_ONE) in shown
        assert OWN in shown


def test_a_line_that_only_looks_like_one_stays():
    typed = "5.3.2 Our own heading: not met\n5.3.2 Look-up: perhaps"
    with translation.override("zh-hans"):
        assert as_read(typed) == typed
