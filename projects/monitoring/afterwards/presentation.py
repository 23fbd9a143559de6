"""What pages say about copies that are out."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from django.utils.timezone import localdate
from django.utils.translation import gettext as _

from approvals.governance.verdict import Verdict
from projects.core.deadlines import deadline_on
from projects.core.numbers import count, percent
from projects.releases.models import Release

from ..models import LaterReassessment
from .enums import LaterOutcome, Question
from .selectors import LastMeasured, StillOut


def later_status(later: LaterReassessment) -> tuple[str, str]:
    """Tone and word for how far one has come."""
    if later.outcome == LaterOutcome.ENDED:
        return "ok", str(LaterOutcome.ENDED.label)
    if later.concluded_at is not None:
        return "ok", _("Concluded")
    if later.is_overdue:
        return "fail", deadline_on(later.due_on).text
    return "warn", _("Awaits its conclusion")


def later_row(later: LaterReassessment) -> dict[str, Any]:
    """A line of a list."""
    tone, word = later_status(later)
    return {"later": later, "tone": tone, "word": word}


def release_row(
    release: Release, out: StillOut, later: LaterReassessment | None, due: date | None, may_begin: Verdict
) -> dict[str, Any]:
    """A release that has ended: what is out of it, its newest re-assessment, and the day of the next, where there is one to come."""
    return {
        "release": release,
        "texts": out_texts(out.as_json()),
        "is_out": bool(out),
        "due": due,
        "may_begin": may_begin,
        "newest": later_row(later) if later is not None else None,
    }


def out_texts(found: Mapping[str, Any]) -> list[str]:
    """What is out, or was at a conclusion; ``found`` as :meth:`.selectors.StillOut.as_json` gives it."""
    said = []
    if found["copies"]:
        said.append(
            _("Copies whose destruction nobody has stated: %(number)s.")
            % {"number": count(len(found["copies"]))}
        )
    if found["stated"]:
        said.append(
            _("Copies whose destruction was stated: %(number)s.") % {"number": count(found["stated"])}
        )
    if found["public"]:
        text = _("It was public from %(day)s on; its files were fetched %(fetched)s times, by nobody known.")
        said.append(text % {"day": found["published_on"], "fetched": count(found["fetched"])})
    return said or [_("Nobody fetched anything of it.")]


def measured_text(last: LastMeasured | None) -> str:
    """What was measured last, in a sentence; empty where nothing was."""
    if last is None:
        return ""
    found, day = last.found, localdate(last.at).isoformat()
    if found.k is None:
        return _("Measured last on %(day)s, without figures about classes.") % {"day": day}
    text = _(
        "Measured last on %(day)s: k = %(k)s, greatest risk of a person %(max)s, on average %(average)s."
    )
    figures = {
        "day": day,
        "k": count(found.k),
        "max": _share(found.max_risk),
        "average": _share(found.average_risk),
    }
    return text % figures


def _share(value: float | None) -> str:
    return "–" if value is None else percent(value)


def answer_rows(later: LaterReassessment) -> list[dict[str, str]]:
    """Each question with what was answered; nothing before the conclusion."""
    return [
        {
            "question": str(one.label),
            "answer": _("Yes") if later.answers[one]["yes"] else _("No"),
            "words": later.answers[one]["words"],
        }
        for one in Question
        if one in later.answers
    ]
