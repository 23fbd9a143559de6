"""How the suggestion was tried, in words: the same on the page and in the API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from approvals.governance.person import Person
from approvals.governance.verdict import ALLOW, deny
from projects.core.numbers import count, percent
from projects.datasets.models import Table
from projects.jobs.enums import JobStatus
from projects.jobs.models import Job
from techniques.core.messages import EngineError

from ... import wording
from ...models import Proposal
from ...rules import ProcessingReason
from .services import may_propose

VARIANTS: dict[str, Any] = {
    "suggested": gettext_lazy("as suggested by the rules"),
    "sparing": gettext_lazy("columns as a whole, coarser elsewhere, so that fewer of them become “*”"),
    "local": gettext_lazy("class by class (local recoding), by the same hierarchies"),
    "local_free": gettext_lazy(
        "class by class (local recoding), with any intervals and sets of values where a column has no hierarchy of its own"
    ),
    "unlimited": gettext_lazy("columns as a whole, without a highest level for dates and places"),
}


def overview(table: Table, user: Person, found: Proposal | None) -> dict[str, Any]:
    """What the editor shows above the sheet about the suggestion that it starts from."""
    job = None
    if found is not None and found.measured_at is None and found.job_id:
        job = Job.objects.filter(pk=found.job_id).select_related("project", "requested_by").first()
    is_tried = found is not None and found.measured_at is not None
    return {
        "tried": said(found) if found is not None and is_tried else None,
        "proposal_job": job if job and (job.is_active or job.status == JobStatus.FAILED) else None,
        "may_propose": None if is_tried else may_propose(user, table),
        "run_verdict": deny(ProcessingReason.BEING_TRIED) if job and job.is_active else ALLOW,
    }


def said(found: Proposal) -> dict[str, Any]:
    """``tone``, ``title``, the ``texts`` and the ``variants`` that were tried, each as (variant, outcome)."""
    result = found.result
    attempts: list[Mapping[str, Any]] = result["attempts"]
    first = attempts[0]
    taken = next((one for one in attempts if one["variant"] == result["taken"]), None)
    variants = [(str(VARIANTS[one["variant"]]), _outcome(one, result)) for one in attempts]
    if taken is None:
        texts = [_("None of the ways tried reaches the target: %(why)s") % {"why": _why(first)}]
        texts.append(
            _(
                "The steps below are those suggested by the rules; change the targets, the columns or the hierarchies before you run them."
            )
        )
        return {
            "tone": "fail",
            "title": _("The suggestion was tried on the data and does not run"),
            "texts": texts,
            "variants": variants,
        }
    texts = [_outcome(taken, result)]
    if result["starred"]:
        text = _(
            "A hierarchy could not read the values of these columns, so the only level above them is “*”: %(columns)s."
        )
        texts.append(text % {"columns": _(", ").join(result["starred"])})
    if taken["variant"] != "suggested":
        instead = _("Used instead: %(way)s.") % {"way": VARIANTS[taken["variant"]]}
        texts.append(_together(_changed(first), instead))
    if taken["emptied"]:
        others = len(attempts) - 1
        text = ngettext(
            "%(n)s other way to the target was tried; none keeps more columns.",
            "%(n)s other ways to the target were tried; none keeps more columns.",
            others,
        )
        texts.append(text % {"n": count(others)})
        if result["complete"]:
            texts.append(
                _(
                    "For columns that are generalised as a whole, every smaller set of such columns was tried and ruled out."
                )
            )
    return {
        "tone": "warn" if taken["emptied"] else "ok",
        "title": _("The suggestion was tested on the data"),
        "texts": texts,
        "variants": variants,
    }


def _changed(first: Mapping[str, Any]) -> str:
    """What was wrong with the suggestion of the rules."""
    if first["error"]:
        return _("What the rules alone suggest does not run: %(why)s") % {"why": _why(first)}
    if first["emptied"]:
        return _("The rules alone would make these columns “*” in every row: %(columns)s.") % {
            "columns": _(", ").join(first["emptied"])
        }
    return ""


def _why(attempt: Mapping[str, Any]) -> str:
    error = attempt["error"]
    return wording.engine_text(EngineError(error["code"], error["message"], **error["params"]))


def _outcome(attempt: Mapping[str, Any], result: Mapping[str, Any]) -> str:
    """What one way gave, as it was counted in the result that it wrote."""
    if attempt["error"]:
        return _why(attempt)
    text = _("It runs on all %(rows)s rows.") % {"rows": count(attempt["rows"])}
    if not result["k"]:
        return text
    share = attempt["suppressed"] / attempt["rows"] if attempt["rows"] else 0.0
    smallest = (
        _(
            "Its smallest class has %(n)s records and k requires %(k)s; %(suppressed)s of the records are suppressed."
        )
        if result["persons"] is None
        else _(
            "Its smallest class has %(n)s persons and k requires %(k)s; %(suppressed)s of the records are suppressed."
        )
    )
    numbers = {"n": count(attempt["smallest"]), "k": count(result["k"]), "suppressed": percent(share)}
    emptied = (
        _("These columns are “*” in every row: %(columns)s.") % {"columns": _(", ").join(attempt["emptied"])}
        if attempt["emptied"]
        else _("No column is “*” in every row.")
    )
    return _together(text, smallest % numbers, emptied)


def _together(*sentences: str) -> str:
    """The sentences one after the other, as the reader's language sets them."""
    text = ""
    for one in sentences:
        text = _("%(text)s %(sentence)s") % {"text": text, "sentence": one} if text and one else text or one
    return text
