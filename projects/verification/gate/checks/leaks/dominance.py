"""No published figure of a group tells what a single person contributed (A.1.3; T/ISC 0078 10.5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from projects.core.numbers import number, percent
from techniques.core.messages import gettext_noop

from ....reports.gate import CheckResult
from ....reports.stored import Text, text
from ...check import TableCheck, TableSubject, Tick, source_text
from ...rows import aggregations


class Dominance(TableCheck):
    """One row for every column of figures; none where no step aggregates."""

    kind = "dominance"
    label = _("No figure of a group reveals a single contributor")
    clause = "A.1.3"
    meaning = _(
        "Someone who knows a group and its largest contributors can tell from its sum what one of "
        "them has. A figure is safe if the others' contributions hide that."
    )
    expression = "X − x₁ − x₂ ≥ p · x₁,  x₁ + x₂ ≤ k · X"
    unit = "count"
    signs = (
        ("X", _("sum over one group"), None),
        ("x₁, x₂", _("its two largest contributions"), None),
        (
            "p",
            _("least error with which the second contributor may estimate the first, as a share of it"),
            lambda _risk, _targets: "10 %",
        ),
        ("k", _("most that the two may make up"), lambda _risk, _targets: "85 %"),
    )

    def measure(self, of: TableSubject, tick: Tick) -> list[CheckResult]:
        left = set(of.case.result.columns())
        return [
            self._row(column, figures, by_persons="persons" in step["result"])
            for step in aggregations(of.case.steps)
            for column, figures in step["result"].get("figures", {}).items()
            if column in left
        ]

    def _row(self, column: str, figures: Mapping[str, Any], *, by_persons: bool) -> CheckResult:
        cells, bad = (
            figures["cells"],
            figures.get("dominated", figures.get("held_by_few", figures.get("one_sided", 0))),
        )
        message = gettext_noop(
            "The %(cells)d figures of %(column)s are counts: no value of a record stands in them."
        )
        if figures["statistic"] == "median":
            message = gettext_noop(
                "The %(cells)d figures of %(column)s are medians: which record has the value in the middle is not told."
            )
        if figures.get("one_sided"):
            message = gettext_noop(
                "Of %(cells)d figures of %(column)s %(bad)d are medians with fewer than three records on one side: whose value it is "
                "can nearly be told."
            )
            if by_persons:
                message = gettext_noop(
                    "Of %(cells)d figures of %(column)s %(bad)d are medians with fewer than three persons on one side: whose value it "
                    "is can nearly be told."
                )
        elif "dominated" in figures:
            message = gettext_noop(
                "Of %(cells)d figures of %(column)s %(bad)d are dominated by one or two records; the largest single share in one "
                "of them is %(share)s."
            )
        elif "held_by_few" in figures:
            message = gettext_noop(
                "Of %(cells)d figures of %(column)s %(bad)d are the exact value of a few records only, for they are the least or "
                "the greatest of a group."
            )
        if by_persons and "dominated" in figures:
            message = gettext_noop(
                "Of %(cells)d figures of %(column)s %(bad)d are dominated by one or two persons; the largest single share in one "
                "of them is %(share)s."
            )
        elif by_persons and "held_by_few" in figures:
            message = gettext_noop(
                "Of %(cells)d figures of %(column)s %(bad)d are the exact value of a few persons only, for they are the least or "
                "the greatest of a group."
            )
        share = figures.get("largest_share", 0)
        said = text(message, cells=cells, column=column, bad=bad, share=percent(share))
        remedy = gettext_noop(
            "Form larger groups, cap %(column)s at a threshold first, or publish its mean or median instead of an extreme"
        )
        if figures.get("one_sided"):
            remedy = gettext_noop(
                "Form larger groups, or publish the mean of %(column)s instead of its median"
            )
        return self.row(
            label=Text(message=source_text(self.label), params={}, columns=column),
            target=0,
            measured=bad,
            passed=bad == 0,
            plain=said,
            formula=f"max x₁/X = {number(share)}" if "dominated" in figures else "",
            remedies=[text(remedy, column=column)] if bad else [],
        )
