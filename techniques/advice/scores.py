"""T/ISC 0078 Annex A: availability, timeliness, security and compliance of each technique, from 1 to 5.

The rows of the technique and its family have what the annex names as high or low; the rest follows from Table C.1.
The figures are a starting point for judgement, not a measurement.
"""

from __future__ import annotations

from dataclasses import dataclass

from techniques.catalogue.family import Family
from techniques.catalogue.table_c1 import TABLE_C1, Cost, Effect, Properties
from techniques.catalogue.technique import Technique

DIMENSIONS = ("availability", "timeliness", "security", "compliance")
_SPEED = {Cost.LOW: 5, Cost.LOW_TO_MEDIUM: 4, Cost.MEDIUM: 3, Cost.MEDIUM_TO_HIGH: 2, Cost.HIGH: 2}
_EFFECT = {Effect.YES: 1.0, Effect.PARTLY: 0.5, Effect.NO: 0.0}


@dataclass(frozen=True)
class Scores:
    """From 1 (little) to 5 (much) in each dimension."""

    availability: float
    timeliness: float
    security: float
    compliance: float

    def mean(self, weights: dict[str, float]) -> float:
        """Weighted mean; 0 where all weights are 0."""
        given = weights_of(weights)
        total = sum(given.values())
        return sum(getattr(self, name) * weight for name, weight in given.items()) / total if total else 0.0


def weights_of(weights: dict[str, float]) -> dict[str, float]:
    """What each dimension weighs; one of which nothing is said has 1."""
    return {name: weights.get(name, 1.0) for name in DIMENSIONS}


def scores(spec: Technique) -> Scores:
    """What the annex says by name, else what follows."""
    following = (_availability(spec), _timeliness(spec), _security(spec), _compliance(spec))
    by_name = (spec.named(dimension) for dimension in DIMENSIONS)
    return Scores(*(rest if said is None else said for said, rest in zip(by_name, following, strict=True)))


def _row(spec: Technique) -> Properties | None:
    """Its row of Table C.1; all models that build classes are as K-anonymity is."""
    return TABLE_C1["k_anonymity"] if spec.family is Family.MODEL else spec.properties


def _availability(spec: Technique) -> float:
    return 3.0 if spec.properties is None or not spec.properties.truthful else 3.5


def _timeliness(spec: Technique) -> float:
    row = _row(spec)
    return 4.0 if row is None else float(_SPEED[row.cost])


def _security(spec: Technique) -> float:
    row = _row(spec)
    if row is None:
        return 2.5
    return 1 + 4 * sum(_EFFECT[effect] for effect in (row.singling_out, row.linking, row.inference)) / 3


def _compliance(spec: Technique) -> float:
    """T/ISC 0078 A.4, 5.1 a: what can be recovered is de-identified, not anonymised."""
    if spec.reversible:
        return 2.0
    if spec.properties is TABLE_C1["pseudonymisation"] or spec.only_masks:
        return 3.0
    return 4.0 if spec.properties is None else 4.5
