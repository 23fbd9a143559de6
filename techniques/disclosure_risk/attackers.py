"""The three attackers (GB/T 37964 B.1.4.1), each with a risk of their own.

The prosecutor knows that the person is in the table; the journalist knows a population table in
which the person is; the marketer wants as many persons as possible, whoever they are. Below f are
the sizes of the table's classes, F those of the matching classes of the population.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from techniques.core.messages import EngineError, _
from techniques.core.settings import Frozen
from techniques.disclosure_risk.sizes import THRESHOLDS
from techniques.disclosure_risk.sizes import smallest_class_for as smallest_class_for
from techniques.disclosure_risk.sizes import smallest_safe_size as smallest_safe_size

Sizes = npt.NDArray[np.int64]


class Journalist(Frozen):
    """Shares of records at risk by threshold, maximum and average risk."""

    at_risk: dict[str, float]
    max_risk: float
    average_risk: float


def threshold_key(threshold: float) -> str:
    """How a threshold is written as a key of a report, such as ``"0.075"``."""
    return f"{threshold:g}"


def at_risk(records: Sizes, sizes: Sizes, thresholds: Sequence[float]) -> dict[str, float]:
    """For each threshold the share of ``records`` (per class) whose class ``sizes`` are too small."""
    total = int(records.sum())
    return {
        threshold_key(t): float(records[sizes < smallest_safe_size(t)].sum() / total) if total else 0.0
        for t in thresholds
    }


def check_population(f: Sizes, F: Sizes) -> None:
    """Refuse a population that is smaller than its own sample."""
    lacking = (F == 0) & (f > 0) if len(f) == len(F) else np.zeros(0, dtype=np.bool_)
    if lacking.any():
        text = _(
            "%(classes)d classes of the table with %(records)d records are not in the population. It has to hold the table's records too, with its quasi-identifiers generalised in the same way."
        )
        raise EngineError(
            "population_lacks_classes", text, classes=int(lacking.sum()), records=int(f[lacking].sum())
        )
    if len(f) != len(F) or (f > F).any():
        raise EngineError(
            "population_smaller_than_sample",
            _("Each class of the population must hold at least the records of the table's class."),
        )


def journalist(f: Sizes, F: Sizes, thresholds: Sequence[float] = THRESHOLDS) -> Journalist:
    """Risk for an attacker with the population table: 1/F for each record of a class; none where no record is left.

    The average is the larger of J/ΣF and (1/n)·Σ f/F, whichever side the attacker starts from.
    """
    check_population(f, F)
    return Journalist(
        at_risk=at_risk(f, F, thresholds),
        max_risk=float(1 / F.min()) if len(F) else 0.0,
        average_risk=max(float(len(f) / F.sum()), marketer(f, F)) if len(F) else 0.0,
    )


def journalist_of_persons(
    least: Sizes, F: Sizes, thresholds: Sequence[float] = THRESHOLDS
) -> tuple[Journalist, float]:
    """The journalist's and the marketer's risk of persons, each by the least F of its classes (``least``, by person)."""
    if not len(least):
        return Journalist(at_risk=at_risk(least, least, thresholds), max_risk=0.0, average_risk=0.0), 0.0
    mean = float((1 / least).mean())
    return Journalist(
        at_risk=at_risk(np.ones_like(least), least, thresholds),
        max_risk=float(1 / least.min()),
        average_risk=max(float(len(F) / F.sum()), mean),
    ), mean


def marketer(f: Sizes, F: Sizes) -> float:
    """Expected share of records that an attacker identifies correctly: (1/n)·Σ f/F; 0 where no record is left."""
    check_population(f, F)
    return float((f / F).sum() / f.sum()) if len(f) else 0.0


def estimated_population(f: Sizes, sampling_fraction: float | npt.NDArray[np.float64]) -> Sizes:
    """F estimated as f divided by the share of the population that the table, or each of its classes, holds.

    Unbiased only when the table is a random sample; a report must say that it is an estimate.
    """
    shares = np.atleast_1d(sampling_fraction)
    if not ((shares > 0) & (shares <= 1)).all():
        raise EngineError(
            "sampling_fraction_out_of_range", _("The sampling fraction lies above 0 and at most at 1.")
        )
    estimated: Sizes = np.maximum(f, np.rint(f / sampling_fraction)).astype(np.int64)
    return estimated
