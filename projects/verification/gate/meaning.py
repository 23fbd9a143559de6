"""What each number of the gate means, and how it comes about, with the real values in the formula."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from projects.core.numbers import count

from ..enums import CheckKind
from ..wording import told

CLAUSES: dict[str, str] = {
    CheckKind.RESIDUAL: "5.5.2 a)",
    CheckKind.K: "5.5.2 b)",
    CheckKind.MAX_RISK: "B.1.4.1",
    CheckKind.AVERAGE_RISK: "B.1.4.1 b)",
    CheckKind.OVERALL: "B.1.4.3",
    CheckKind.DIVERSITY: "B.1.2",
    CheckKind.CLOSENESS: "B.1.3",
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
    CheckKind.DIVERSITY: gettext_lazy(
        "Who knows to which class a person belongs knows the sensitive value as well if all in it share one. So the "
        "values of every class have to differ."
    ),
    CheckKind.CLOSENESS: gettext_lazy(
        "A class whose values differ from those of everybody tells something about its members, however varied it is. "
        "The distance says how much, from 0 (nothing) to 1."
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
    "distinct": "l = min |{s}|",
    "entropy": "l = min exp(−Σ p ln p)",
    "recursive": "r₁ < c · (r_l + … + r_m)",
    "equal": "t = max ½ Σ |p − q|",
    "ordered": "t = max 1/(m−1) Σ |Σ (p − q)|",
    "hierarchical": "t = max 1/H Σ_h ½ Σ |p_h − q_h|",
}


def formula_of(check: Mapping[str, Any], report: Mapping[str, Any]) -> dict[str, Any] | None:
    """Formula, the same with its values, and what each sign means; None for a check that is no computation."""
    if not check["formula"]:
        return None
    kind = check["kind"]
    return {
        "label": told(check["label"]),
        "expression": str(_EXPRESSIONS.get(check.get("measure") or kind) or _("removed / all")),
        "substituted": check["formula"],
        "terms": _variety_terms(check) if check.get("measure") else _terms(kind, report),
        "source": f"GB/T 37964-2019 {CLAUSES.get(kind, '')}",
    }


def _variety_terms(check: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """What stands in the formulas of l and t; a class is always one of all quasi-identifiers of the result."""
    measure, bound = check["measure"], f"{check['target']:.4g}"
    if measure == "distinct":
        return [
            ("s", _("values of the sensitive attribute in one class"), ""),
            ("l", _("least number needed"), bound),
        ]
    share = ("p", _("share of a value in one class"), "")
    if measure == "entropy":
        return [share, ("l", _("least variety needed"), bound)]
    if measure == "recursive":
        return [
            ("r", _("how often each value occurs in one class, the most frequent first"), ""),
            ("c", _("how far the most frequent value may stand out"), bound),
        ]
    found = [share, ("q", _("share of the value in the whole table"), "")]
    if measure == "ordered":
        found.append(("m", _("number of different values"), ""))
    if measure == "hierarchical":
        found.append(("H", _("levels of the hierarchy"), ""))
    return [*found, ("t", _("greatest distance allowed"), bound)]


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
