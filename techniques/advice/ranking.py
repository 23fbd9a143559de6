"""From answers to ranked techniques for each column, with the reason for each that is not advised.

Nobody has seen the table: a reason says what holds of every table, or what can happen to one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from techniques import catalogue
from techniques.advice.questions import Answers, ColumnAnswers, DatasetAnswers
from techniques.advice.scores import Scores, scores
from techniques.catalogue.family import FAMILIES, Family
from techniques.catalogue.table_c1 import Cost, Effect
from techniques.catalogue.technique import Claims, Scope, Technique
from techniques.core.attributes import AttributeRole, Scene
from techniques.core.messages import _

_COSTS = {Cost.LOW: 1, Cost.LOW_TO_MEDIUM: 1, Cost.MEDIUM: 2, Cost.MEDIUM_TO_HIGH: 3, Cost.HIGH: 3}
_ALLOWED = {"low": 1, "medium": 2, "high": 3}
_MATCH = 0.4
"""What each answer that a technique meets adds to its score of 1 to 5."""
_GONE = "suppression.remove_column"
_LOSS = 2.0
"""What a technique costs that leaves no values, or no records, as long as nobody has said that this is enough."""
_FIGURES = "statistical.aggregation"
_EQUAL_MAKERS = frozenset({Family.GENERALISATION, Family.MODEL})


@dataclass(frozen=True)
class Reason:
    """Why or why not: the factor of 5.4.3 (or ``role``, ``type``, ``scene``) and an untranslated sentence."""

    factor: str
    text: str


@dataclass(frozen=True)
class Recommendation:
    """One technique for one column; advised if nothing speaks against it."""

    technique: str
    score: float
    scores: Scores
    reasons_for: tuple[Reason, ...]
    reasons_against: tuple[Reason, ...]

    @property
    def advised(self) -> bool:
        """Whether it may be used as the answers stand."""
        return not self.reasons_against

    def as_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "technique": self.technique,
            "score": round(self.score, 3),
            "scores": asdict(self.scores),
            "advised": self.advised,
            "for": [dict(vars(reason)) for reason in self.reasons_for],
            "against": [dict(vars(reason)) for reason in self.reasons_against],
        }


@dataclass(frozen=True)
class Advice:
    """All techniques for each column: those advised from best to worst, then the others."""

    answers: Answers
    columns: dict[str, list[Recommendation]]

    def as_dict(self) -> dict[str, Any]:
        """JSON-ready, answers included: evidence with a content hash."""
        content = {
            "advice": 1,
            "answers": self.answers.model_dump(mode="json"),
            "columns": {name: [one.as_dict() for one in found] for name, found in self.columns.items()},
        }
        text = json.dumps(content, sort_keys=True, ensure_ascii=False)
        return content | {"sha256": hashlib.sha256(text.encode()).hexdigest()}


def advise(answers: Answers) -> Advice:
    """Rank every technique of the catalogue for every column, but for preparation, which protects nobody."""
    ranked = [spec for spec in catalogue.techniques() if spec.family is not Family.PREPARATION]
    columns = {}
    for name, given in answers.columns.items():
        found = [_judge(spec, given, answers.dataset) for spec in ranked]
        # Equal scores stay in the order of the catalogue, which is the standard's.
        columns[name] = sorted(found, key=lambda one: (not one.advised, -one.score))
    return Advice(answers, columns)


def _judge(spec: Technique, column: ColumnAnswers, dataset: DatasetAnswers) -> Recommendation:
    against = [*_unsuited(spec, column), *_against(spec, column, dataset)]
    speaks = list(_for(spec, column, dataset))
    found = scores(spec)
    weights: dict[str, float] = {str(name): weight for name, weight in dataset.weights.items()}
    total = found.mean(weights) + _MATCH * len(speaks)
    if (spec.key == _GONE and not column.deletable) or (
        spec.key == _FIGURES and not dataset.aggregate_enough
    ):
        total -= _LOSS
    return Recommendation(spec.key, round(total, 9), found, tuple(speaks), tuple(against))


def _unsuited(spec: Technique, column: ColumnAnswers) -> Iterator[Reason]:
    if column.role not in spec.roles:
        yield Reason("role", _("It is not meant for attributes of this role."))
    if column.role is AttributeRole.DIRECT_IDENTIFIER and not spec.treats:
        yield Reason("role", _("A direct identifier may not stay as it is."))
    if column.data_type not in spec.data_types:
        yield Reason("type", _("It is not meant for data of this type."))


def _kept(claims: Claims | None, name: str) -> Effect:
    return Effect.YES if claims is None else getattr(claims, name)


_KEEPS = (
    ("unique", "d", "distinctness", _("Whether two values were equal or different can be lost.")),
    ("order", "f", "order", _("The order of the values can be lost.")),
    ("format", "g", "format", _("The format of the values can be lost.")),
    ("statistics", "h", "statistics", _("Statistical characteristics can be lost.")),
)
_HELD = {
    "unique": _("Of the values that stay, different ones stay different and equal ones equal."),
    "order": _("The values that stay keep their order."),
    "format": _("The values that stay keep their format."),
    "statistics": _("Statistical characteristics stay, as its description says."),
}
_GONE_FOR_GOOD = _("Nothing leads back from the result to what was changed or left out.")
_NOT_BY_KEY = _("The result and its key alone do not lead back to the values.")


def _gone(spec: Technique) -> bool:
    return spec.key == _GONE


def _against(spec: Technique, column: ColumnAnswers, dataset: DatasetAnswers) -> Iterator[Reason]:
    claims = spec.claims
    if _gone(spec):
        if column.deletable is False:
            yield Reason("c", _("The data of this column are needed."))
        if any(getattr(column, name) for name, *_rest in _KEEPS) or column.reversible:
            yield Reason("c", _("Nothing of the values is left."))
        return
    if spec.key == _FIGURES and dataset.aggregate_enough is False:
        yield Reason("b", _("Single records are needed."))
    for name, letter, claim, text in _KEEPS:
        strict = name != "statistics"
        kept = _kept(claims, claim)
        if getattr(column, name) and (kept is Effect.NO or (strict and kept is Effect.PARTLY)):
            yield Reason(letter, text)
    if column.reversible and spec.family is Family.NONE:
        yield Reason("e", _("The values stay open to everybody, and not to an authorised person alone."))
    elif column.reversible and not spec.reversible and _kept(claims, "reversible") is Effect.NO:
        yield Reason("e", _GONE_FOR_GOOD if spec.way_back is None else _NOT_BY_KEY)
    if column.integrity in ("entity", "referential") and _kept(claims, "distinctness") is not Effect.YES:
        yield Reason("i", _("Whether two values were equal or different can be lost, and integrity with it."))
    elif column.integrity == "referential" and (spec.random or spec.scope is Scope.TABLE):
        yield Reason("i", _("What becomes of a value can differ from table to table."))
    if column.integrity == "user_defined" and _kept(claims, "format") is Effect.NO:
        yield Reason("i", _("Rules about the form of the values can break."))
    if column.type_may_change is False and _kept(claims, "type") is Effect.NO:
        yield Reason("j", _("The data type can change."))
    if column.equal_values and not _makes_equal(spec):
        yield Reason("k", _("It does not see to it that several records share a value."))
    if column.noise_allowed is False and _untrue(spec):
        yield Reason("l", _("Single records can be untrue."))
    if (
        dataset.quantify_risk
        and spec.family in (Family.ENCRYPTION, Family.PSEUDONYMISATION)
        and column.role is AttributeRole.QUASI_IDENTIFIER
    ):
        yield Reason("a", _("How far it lowers the risk cannot be put in numbers."))
    if dataset.scene in ("display", "operations") and spec.reversible:
        yield Reason("scene", _("What is displayed must not be recoverable."))
    if dataset.cost and spec.properties is not None and _COSTS[spec.properties.cost] > _ALLOWED[dataset.cost]:
        yield Reason("m", _("It costs more than is allowed."))


def _for(spec: Technique, column: ColumnAnswers, dataset: DatasetAnswers) -> Iterator[Reason]:
    claims = spec.claims
    if dataset.quantify_risk and spec.bounds_risk:
        yield Reason("a", _("The risk that remains is bounded by a number."))
    measurable = FAMILIES[spec.family].measurable and column.role is AttributeRole.QUASI_IDENTIFIER
    if dataset.quantify_risk and measurable:
        yield Reason("a", _("The risk of its result can be measured by class sizes."))
    if dataset.aggregate_enough and spec.key == _FIGURES:
        yield Reason("b", _("Figures of groups are enough."))
    if column.deletable and _gone(spec):
        yield Reason("c", _("The data of this column are not needed."))
    for name, letter, claim, _lost in _KEEPS:
        if getattr(column, name) and not _gone(spec) and _kept(claims, claim) is Effect.YES:
            yield Reason(letter, _HELD[name])
    if dataset.scene is not None and spec.suits(Scene(dataset.scene)):
        yield Reason("scene", _("It suits the scene of use."))
    if column.reversible and spec.reversible:
        yield Reason("e", _("The values can be recovered with the key."))
    if column.reversible is False and spec.way_back is None and spec.family is not Family.NONE:
        yield Reason("e", _GONE_FOR_GOOD)
    if column.equal_values and (spec.family is Family.MODEL or spec.makes_equal):
        yield Reason("k", _("Several records can come to share a value."))
    if column.integrity == "referential" and spec.joins_tables:
        yield Reason("i", _("Equal values become equal in all tables that share its key and domain."))


def _makes_equal(spec: Technique) -> bool:
    return spec.family in _EQUAL_MAKERS or spec.makes_equal or _gone(spec)


def _untrue(spec: Technique) -> bool:
    """Whether single records are not true afterwards: by Table C.1, or where it has no row by the family."""
    if spec.properties is not None:
        return not spec.properties.truthful
    return spec.family in (Family.RANDOMISATION, Family.SYNTHESIS)
