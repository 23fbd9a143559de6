"""What each number of the gate means, and how it comes about, with the real values in the formula."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from .enums import CheckKind
from .wording import count, told

CLAUSES: dict[str, str] = {
    CheckKind.RESIDUAL: "5.5.2 a)",
    CheckKind.K: "5.5.2 b)",
    CheckKind.MAX_RISK: "B.1.4.1",
    CheckKind.AVERAGE_RISK: "B.1.4.1 b)",
    CheckKind.OVERALL: "B.1.4.3",
    CheckKind.SUPPRESSION: "A.3.5",
    CheckKind.UTILITY: "5.5.3",
    CheckKind.INTEGRITY: "5.5.2",
    CheckKind.JOIN: "5.5.3",
    CheckKind.JOINED: "5.5.2 b)",
}
MENDABLE = frozenset({
    CheckKind.K, CheckKind.MAX_RISK, CheckKind.AVERAGE_RISK, CheckKind.OVERALL, CheckKind.SUPPRESSION,
    CheckKind.UTILITY,
})  # fmt: skip
"""Checks that another generalisation or suppression can change."""
MEANINGS: dict[str, Any] = {
    CheckKind.RESIDUAL: gettext_lazy(
        "Nobody may be named outright. Names, numbers and the like are searched for in every row, inside longer "
        "texts too."
    ),
    CheckKind.K: gettext_lazy(
        "Records with the same quasi-identifiers form a class. Who knows those of a person gets as far as the "
        "class and no further. This is the size of the smallest class."
    ),
    CheckKind.MAX_RISK: gettext_lazy(
        "How likely the person who is easiest to find is picked out by somebody who knows that this person is in "
        "the data (the prosecutor)."
    ),
    CheckKind.AVERAGE_RISK: gettext_lazy(
        "How many of all records somebody would match to the right person who tries it with every one of them "
        "(the marketer)."
    ),
    CheckKind.OVERALL: gettext_lazy(
        "The risk of the data matters only as far as somebody tries. The threshold of the project is about the "
        "product of both."
    ),
    CheckKind.SUPPRESSION: gettext_lazy(
        "Records that are left out protect the others, but every evaluation misses them. The limit keeps the "
        "result representative."
    ),
    CheckKind.UTILITY: gettext_lazy(
        "Protection that leaves the data useless has missed its purpose. The least usefulness was agreed in step 1."
    ),
    CheckKind.INTEGRITY: gettext_lazy(
        "What was measured is what will be handed over: one changed byte would give another SHA-256."
    ),
    CheckKind.JOIN: gettext_lazy(
        "Tables that no longer join have lost what they were wanted for; and where more joins than before, two keys "
        "have become one."
    ),
    CheckKind.JOINED: gettext_lazy(
        "Who gets several tables sees what stands in all of them about one person. So classes are counted over all "
        "of them, in persons."
    ),
}
_EXPRESSIONS: dict[str, Any] = {
    CheckKind.K: "k = min f",
    CheckKind.MAX_RISK: "R_max = max 1/f = 1/k",
    CheckKind.AVERAGE_RISK: "R_avg = J/n",
    CheckKind.OVERALL: "R = R_data × P",
    CheckKind.JOIN: gettext_lazy("share that joins after / share that joined before"),
    CheckKind.JOINED: "k = min f",
}


def formula_of(check: Mapping[str, Any], report: Mapping[str, Any]) -> dict[str, Any] | None:
    """Formula, the same with its values, and what each sign means; None for a check that is no computation."""
    if not check["formula"]:
        return None
    kind = check["kind"]
    return {
        "label": told(check["label"]),
        "expression": str(_EXPRESSIONS.get(kind) or _("removed / all")),
        "substituted": check["formula"],
        "terms": _terms(kind, report),
        "source": f"GB/T 37964-2019 {CLAUSES.get(kind, '')}",
    }


def _terms(kind: str, report: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    risk, targets = report.get("risk") or {}, report.get("targets") or {}
    if kind in (CheckKind.K, CheckKind.MAX_RISK):
        least = count(risk["k"]) if risk.get("k") else ""
        return [
            ("f", _("records of one equivalence class"), ""),
            ("k", _("records of the smallest class"), least),
        ]
    if kind == CheckKind.JOINED:
        return [("f", _("persons of one equivalence class of the joined tables"), "")]
    if kind == CheckKind.AVERAGE_RISK:
        return [
            ("J", _("number of equivalence classes"), count(risk["classes"]) if risk else ""),
            ("n", _("number of records"), count(risk["rows"]) if risk else ""),
        ]
    if kind == CheckKind.OVERALL:
        measure = "average_risk" if targets.get("measure") == "strict_average" else "max_risk"
        data = f"{risk[measure]:.4g}" if measure in risk else ""
        context = f"{targets['context_risk']:.4g}" if "context_risk" in targets else ""
        return [
            ("R_data", _("risk of the data"), data),
            ("P", _("probability that somebody tries"), context),
        ]
    return []
