"""A result that is a sample of its source (A.1.2): what that means for the risk, and for what counts as suppressed.

The gate judges as if the attacker knew who is in the sample. What an attacker could do who does not know is
estimated beside it and opens nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from projects.core.numbers import number, percent, probability
from projects.processing.recipes.suggestion import SAMPLING
from techniques.core.messages import gettext_noop
from techniques.core.settings import Statement

if TYPE_CHECKING:
    from techniques.disclosure_risk.report import RiskReport


def rows_left_out(run_report: Mapping[str, Any]) -> int:
    """Rows that are not in the result because the recipe draws a sample, not because of what they hold."""
    return sum(
        max(0, counts.get("rows_removed", 0) - counts.get("rows_suppressed", 0))
        for step in run_report.get("steps", ())
        if step["technique"] == SAMPLING
        for counts in [step.get("counts", {})]
    )


def persons_left_out(run_report: Mapping[str, Any]) -> int:
    """Persons none of whose rows the recipe's samples have drawn; 0 where rows were drawn, not persons."""
    drawn = [
        (step["result"]["persons"], step["result"]["sampling_fraction"])
        for step in run_report.get("steps", ())
        if step["technique"] == SAMPLING and "persons" in step.get("result", {})
    ]
    return sum(round(number / share) - number for number, share in drawn if share)


def sample_figures(
    found: RiskReport, fraction: float | None, chances: Sequence[tuple[float, int]] = ()
) -> dict[str, Any] | None:
    """Journalist, marketer and population figures by the sampling ``fraction``, or by the ``chances`` of being drawn where
    they differ; None where nothing was sampled."""
    from techniques.disclosure_risk.details import with_sampling_fraction

    if fraction is None or not 0 < fraction < 1:
        return None
    return {"fraction": fraction, **with_sampling_fraction(found, fraction, chances=chances)}


def sample_statements(figures: Mapping[str, Any] | None, found: RiskReport) -> list[Statement]:
    """The same in words, of the measured result."""
    from techniques.disclosure_risk.explain import population_statements

    if figures is None:
        return []
    by_person = found.figures.persons is not None
    message = gettext_noop(
        "Somebody who does not know who is in the sample finds the easiest person with a probability of %(found)s, "
        "and on average %(average)s of the records (estimated from the sample; the gate does not count on it)."
    )
    if by_person:
        message = gettext_noop(
            "Somebody who does not know who is in the sample finds the easiest person with a probability of %(found)s, "
            "and on average %(average)s of the persons (estimated from the sample; the gate does not count on it)."
        )
    return [
        _drawn(figures, by_person),
        Statement.of(
            "journalist",
            message,
            f"1 / max(f / π) = {number(figures['journalist']['max_risk'])}",
            found=probability(figures["journalist"]["max_risk"]),
            average=percent(figures["marketer"]),
        ),
        _uniques(figures["population_uniqueness"], by_person),
        *population_statements(figures, found.rows),
    ]


def _drawn(figures: Mapping[str, Any], by_person: bool) -> Statement:
    """What share of the source the result is, and whether somebody is in it for certain."""

    share, chances = percent(figures["fraction"]), figures.get("chances", ())
    certain = sum(had for chance, had in chances if chance >= 1)
    if certain:
        message = gettext_noop(
            "The result is a sample of %(share)s of the source. %(certain)d records were certain to be drawn; for them the sample "
            "protects nothing."
        )
        if by_person:
            message = gettext_noop(
                "The result is a sample of %(share)s of the persons of the source. %(certain)d of them were certain to be drawn; for "
                "them the sample protects nothing."
            )
        return Statement.of("sample", message, share=share, certain=certain)
    if chances:
        message = gettext_noop(
            "The result is a random sample of %(share)s of the source, into which nobody came with a chance above %(chance)s; "
            "nobody can be sure that a person is in it."
        )
        return Statement.of("sample", message, share=share, chance=percent(chances[0][0]))
    message = gettext_noop(
        "The result is a random sample of %(share)s of the source; nobody can be sure that a person is in it."
    )
    if by_person:
        message = gettext_noop(
            "The result is a random sample of %(share)s of the persons of the source; nobody can be sure that a person is in it."
        )
    return Statement.of("sample", message, share=share)


def _uniques(unique: Mapping[str, Any], by_person: bool) -> Statement:
    """How many are alone in the sample, and in the source where that can be estimated."""

    if by_person:
        message = gettext_noop(
            "%(uniques)d classes of the sample hold a single person each; how many do in the source is not estimated of persons."
        )
        return Statement.of("population_uniques", message, uniques=unique["sample_uniques"])
    if not unique["sample_uniques"]:
        message = gettext_noop(
            "No record is unique in the sample, so none is known to be unique in the source."
        )
        return Statement.of("population_uniques", message)
    if "share" not in unique:
        message = gettext_noop(
            "%(uniques)d records are unique in the sample; how many are in the source is not estimated, because not all were "
            "drawn with the same chance."
        )
        return Statement.of("population_uniques", message, uniques=unique["sample_uniques"])
    message = gettext_noop(
        "%(uniques)d records are unique in the sample; about %(share)s of all records are unique in the "
        "source too (estimated by the model %(model)s)."
    )
    return Statement.of(
        "population_uniques", message,
        uniques=unique["sample_uniques"], share=percent(unique["share"]), model=unique["chosen"],
    )  # fmt: skip
