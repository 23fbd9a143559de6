"""A result that is a sample of its source (A.1.2): what that means for the risk, and for what counts as suppressed.

The gate judges as if the attacker knew who is in the sample. What an attacker could do who does not know is
estimated beside it and opens nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from projects.core.numbers import number, percent, times
from projects.processing.recipes.suggestion import SAMPLING
from techniques.core.messages import gettext_noop

if TYPE_CHECKING:
    from techniques.disclosure_risk.explain import Statement
    from techniques.disclosure_risk.report import RiskReport


def rows_left_out(run_report: Mapping[str, Any]) -> int:
    """Rows that are not in the result because the recipe draws a sample, not because of what they hold."""
    return sum(
        max(0, counts.get("rows_removed", 0) - counts.get("rows_suppressed", 0))
        for step in run_report.get("steps", ())
        if step["technique"] == SAMPLING
        for counts in [step.get("counts", {})]
    )


def sample_figures(found: RiskReport, fraction: float | None) -> dict[str, Any] | None:
    """Journalist, marketer and population figures by the sampling ``fraction``; None where nothing was sampled."""
    from techniques.disclosure_risk.details import with_sampling_fraction

    if fraction is None or not 0 < fraction < 1:
        return None
    return {"fraction": fraction, **with_sampling_fraction(found, fraction)}


def sample_statements(figures: Mapping[str, Any] | None, rows: int) -> list[Statement]:
    """The same in words, of a result of ``rows``."""
    from techniques.disclosure_risk.explain import Statement, population_statements

    if figures is None:
        return []
    unique = figures["population_uniqueness"]
    uniques = Statement.of(
        "population_uniques",
        gettext_noop("No record is unique in the sample, so none is known to be unique in the source."),
    )
    if unique["sample_uniques"]:
        uniques = Statement.of(
            "population_uniques",
            gettext_noop(
                "%(uniques)d records are unique in the sample; about %(share)s of all records are unique in the "
                "source too (estimated by the model %(model)s)."
            ),
            uniques=unique["sample_uniques"],
            share=percent(unique["share"]),
            model=unique["chosen"],
        )
    return [
        Statement.of(
            "sample",
            gettext_noop(
                "The result is a random sample of %(share)s of the source; nobody can be sure that a person is in it."
            ),
            share=percent(figures["fraction"]),
        ),
        Statement.of(
            "journalist",
            gettext_noop(
                "Somebody who does not know who is in the sample finds the easiest person one time in %(times)s, "
                "and on average %(average)s of the records (estimated from the sample; the gate does not count on it)."
            ),
            f"1 / max(f / π) = {number(figures['journalist']['max_risk'])}",
            times=times(figures["journalist"]["max_risk"]),
            average=percent(figures["marketer"]),
        ),
        uniques,
        *population_statements(figures, rows),
    ]
