"""T/ISC 0078 Annex A: availability, timeliness, security and compliance of each technique, from 1 to 5.

What the annex names as high or low is set so; the rest follows from Table C.1 and from the claims of the
catalogue. The figures are a starting point for judgement, not a measurement.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

from techniques.catalogue.table_c1 import TABLE_C1, Cost, Effect, Properties
from techniques.catalogue.technique import Family, TechniqueSpec

DIMENSIONS = ("availability", "timeliness", "security", "compliance")
_AVAILABLE = frozenset({
    "encryption.secret_sharing", "encryption.deterministic", "encryption.order_preserving", "encryption.homomorphic",
})  # fmt: skip
"""A.1 a: high availability."""
_LOSSY = frozenset(
    {Family.STATISTICAL, Family.SUPPRESSION, Family.GENERALISATION, Family.RANDOMISATION, Family.MODEL}
)
"""A.1 b: aggregation, suppression, statistics, random techniques, generalisation (of which the models are made): low."""
_SLOW = frozenset({"encryption.homomorphic", "encryption.secret_sharing"})
"""A.2: low computing performance."""
_STRONG = frozenset({"statistical.aggregation", "encryption.homomorphic", "encryption.secret_sharing"})
"""A.3: resist re-identification."""
_WEAK = frozenset({"encryption.deterministic", "encryption.order_preserving"})
"""A.3: easy to attack; so is suppression, and pseudonyms by their table."""
_SPEED = {Cost.LOW: 5, Cost.LOW_TO_MEDIUM: 4, Cost.MEDIUM: 3, Cost.MEDIUM_TO_HIGH: 2, Cost.HIGH: 2}
_EFFECT = {Effect.YES: 1.0, Effect.PARTLY: 0.5, Effect.NO: 0.0}


@dataclass(frozen=True)
class Scores:
    """From 1 (little) to 5 (much) in each dimension."""

    availability: float
    timeliness: float
    security: float
    compliance: float

    def as_dict(self) -> dict[str, float]:
        """JSON-ready."""
        return asdict(self)

    def mean(self, weights: dict[str, float]) -> float:
        """Weighted mean; a dimension without a weight has 1. 0 where all weights are 0."""
        given = {name: weights.get(name, 1.0) for name in DIMENSIONS}
        total = sum(given.values())
        return sum(getattr(self, name) * weight for name, weight in given.items()) / total if total else 0.0


def scores(spec: TechniqueSpec) -> Scores:
    """The scores of one technique."""
    return Scores(_availability(spec), _timeliness(spec), _security(spec), _compliance(spec))


def _row(spec: TechniqueSpec) -> Properties | None:
    """Its row of Table C.1; all models that build classes are as K-anonymity is."""
    return TABLE_C1["k_anonymity"] if spec.family is Family.MODEL else spec.properties


def _availability(spec: TechniqueSpec) -> float:
    if spec.key in _AVAILABLE:
        return 5.0
    if spec.key == "suppression.remove_column":
        return 1.0
    if spec.key == "as_is":
        return 5.0
    if spec.family in _LOSSY:
        return 2.0
    return 3.0 if spec.properties is None or not spec.properties.truthful else 3.5


def _timeliness(spec: TechniqueSpec) -> float:
    if spec.key in _SLOW:
        return 1.0
    row = _row(spec)
    return 4.0 if row is None else float(_SPEED[row.cost])


def _security(spec: TechniqueSpec) -> float:
    if spec.key in _STRONG or spec.key == "suppression.remove_column":
        return 5.0
    if spec.key == "as_is":
        return 1.0
    if spec.key in _WEAK or spec.family in (Family.SUPPRESSION, Family.PSEUDONYMISATION):
        return 2.0
    row = _row(spec)
    if row is None:
        return 2.5
    return 1 + 4 * sum(_EFFECT[effect] for effect in (row.singling_out, row.linking, row.inference)) / 3


def _compliance(spec: TechniqueSpec) -> float:
    """A.4, T-003: what can be recovered is de-identified, not anonymised."""
    if spec.key == "as_is":
        return 1.0
    if spec.reversible:
        return 2.0
    if spec.family is Family.PSEUDONYMISATION or spec.only_masks:
        return 3.0
    return 4.0 if spec.properties is None else 4.5
