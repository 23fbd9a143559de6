"""Choosing a model as a conversation: a few plain questions, and k, l, t and the measure of risk that follow (B.1).

The standard says what each model guards against and how risk is computed, and leaves the numbers to the project. Where
a number is a rule of ours and not the standard's, its reason says so. Without an answer the stricter reading holds.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Self

from pydantic import Field

from techniques.advice.questions import Option
from techniques.core.canonical import canonical_hash
from techniques.core.messages import _
from techniques.core.settings import ClosedModel, Frozen
from techniques.core.validation import validated
from techniques.disclosure_risk.scales.environment import Level, SharingType
from techniques.disclosure_risk.scales.inverse import needed
from techniques.disclosure_risk.sizes import THRESHOLD_OF, smallest_class_for

Attacker = Literal["prosecutor", "journalist", "marketer"]
DIVERSITY_OF = {Level.HIGH: 4, Level.MEDIUM: 3, Level.LOW: 2}
CLOSENESS_OF = {Level.HIGH: 0.2, Level.MEDIUM: 0.3, Level.LOW: 0.4}


@dataclass(frozen=True)
class ModelQuestion:
    """One question in plain words, about the whole or about each sensitive column. ``kind``: boolean or choice."""

    name: str
    scope: Literal["dataset", "column"]
    kind: Literal["boolean", "choice"]
    text: str
    help: str
    options: tuple[Option, ...] = ()


MODEL_QUESTIONS: tuple[ModelQuestion, ...] = (
    ModelQuestion("knows", "dataset", "boolean",
        _("Could someone who gets the data know that a particular person is in it?"),
        _("For example because everyone in a hospital, a company or a school is in it, or because the person told them.")),
    ModelQuestion("sample", "dataset", "boolean",
        _("Is the data a sample of a larger group?"),
        _("Then a person who looks unique here may have doubles outside.")),
    ModelQuestion("many", "dataset", "boolean",
        _("Would an attacker prefer to match as many people as possible rather than find a particular one?"),
        _("For example to add to a list of addresses or customers, where a share of wrong matches does not matter.")),
    ModelQuestion("harm", "dataset", "choice",
        _("How deeply would it affect someone's life to be recognised in this data?"),
        _("Health, faith, finances and whereabouts have a deep impact; membership in a sports club hardly does."),
        (Option("high", _("Deep: it can do lasting harm")),
         Option("medium", _("Noticeably: it is unpleasant or costs money")),
         Option("low", _("Little: most would not mind")))),
    ModelQuestion("reveals", "column", "boolean",
        _("Would it do harm to learn a person's value, even without knowing which record is theirs?"),
        _("If all who look alike have the same value, everybody knows it of each of them.")),
    ModelQuestion("skewed", "column", "boolean",
        _("Are some values much rarer or much worse than others?"),
        _("Then a class with several values can still show that someone probably has one of the bad ones.")),
    ModelQuestion("ordered", "column", "boolean",
        _("Do the values have an order, such as amounts or grades?"),
        _("Then values that are close together reveal nearly as much as equal ones.")),
)  # fmt: skip


class ModelColumnAnswers(ClosedModel):
    """The answers about one sensitive column."""

    reveals: bool | None = None
    skewed: bool | None = None
    ordered: bool | None = None


class ModelAnswers(ClosedModel):
    """The answers; None where nothing was said."""

    knows: bool | None = None
    sample: bool | None = None
    many: bool | None = None
    harm: Literal["high", "medium", "low"] | None = None
    columns: dict[str, ModelColumnAnswers] = Field(default_factory=dict)

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """Read; raises EngineError that names the place of a wrong answer."""
        return validated(cls, dict(data))


class ModelFacts(Frozen):
    """What the project has settled already. ``distinct``: number of different values of each sensitive column."""

    sharing_type: SharingType
    context: float = 1.0
    threshold: float
    k: int = 2
    max_risk: float = 1.0
    average_risk: float | None = None
    cap: float = 0.33
    suppression_limit: float = 0.05
    distinct: dict[str, int] = Field(default_factory=dict)


@dataclass(frozen=True)
class Part:
    """One thing suggested: what it is about, its value, why (untranslated, with parameters), and the clause."""

    topic: str
    value: Any
    message: str
    params: dict[str, Any]
    clause: str
    column: str = ""


@dataclass(frozen=True)
class ModelAdvice:
    """Attacker, measure, technique and settings for the step of the recipe, with a reason for each."""

    answers: ModelAnswers
    facts: ModelFacts
    attacker: Attacker
    measure: Literal["maximum", "strict_average"]
    technique: str
    settings: dict[str, Any]
    parts: list[Part]

    def as_dict(self) -> dict[str, Any]:
        """JSON-ready, with the hash of answers, facts and advice as ``sha256``."""
        found = {
            "answers": self.answers.model_dump(mode="json"),
            "facts": self.facts.model_dump(mode="json"),
            "advice": {
                "attacker": self.attacker,
                "measure": self.measure,
                "technique": self.technique,
                "settings": self.settings,
                "parts": [vars(part) for part in self.parts],
            },
        }
        return {**found, "sha256": canonical_hash(found)}


def advise_model(answers: ModelAnswers, facts: ModelFacts) -> ModelAdvice:
    """What follows from the answers. Raises EngineError ``threshold_out_of_range``."""
    attacker, first = _attacker(answers, facts)
    harm = Level(answers.harm or "high")
    threshold, second = _threshold(answers, facts)
    k, average, numbers = _sizes(facts, threshold)
    sensitive: dict[str, dict[str, Any]] = {}
    columns = []
    for name, said in answers.columns.items():
        conditions, part = _column(name, said, harm, facts)
        columns.append(part)
        if conditions:
            sensitive[name] = conditions
    technique, last = _technique(sensitive)
    settings = {
        "k": k,
        "average_risk": average,
        "suppression_limit": facts.suppression_limit,
        "sensitive": sensitive,
    }
    measure: Literal["maximum", "strict_average"] = "maximum" if average is None else "strict_average"
    return ModelAdvice(
        answers, facts, attacker, measure, technique, settings, [first, second, *numbers, *columns, last]
    )


def _attacker(answers: ModelAnswers, facts: ModelFacts) -> tuple[Attacker, Part]:
    found: Attacker = "prosecutor"
    clause = "B.1.4.1 a)"
    if facts.sharing_type == "public":
        message = _(
            "Everybody can try with public data, also with somebody of whom they know that the person is in it. Only the risk of the easiest person to find counts."
        )
    elif answers.knows is not False:
        message = (
            _("Somebody may know that a person is in the data, and looks for exactly this person.")
            if answers.knows
            else _(
                "It was not ruled out that somebody knows of a person in the data; the strictest attacker is taken."
            )
        )
    elif answers.many:
        found = "marketer"
        message = _(
            "Nobody knows who is in the data, and what pays is matching many people: the share of right matches counts."
        )
    elif answers.sample:
        found = "journalist"
        message = _(
            "Nobody knows who is in the data, and it is a sample: the classes of the larger group count. Without its table the classes of the sample are used, which is stricter."
        )
    elif answers.sample is None:
        message = _(
            "Nobody knows who is in the data, and nobody said whether it is a sample of a larger group: then the classes of the data count, which is stricter."
        )
    else:
        message = _(
            "Nobody knows who is in the data, but it is no sample of a larger group either: then the classes of the data are those of the group."
        )
    return found, Part("attacker", found, message, {}, clause)


def _threshold(answers: ModelAnswers, facts: ModelFacts) -> tuple[float, Part]:
    if answers.harm is None:
        message = _(
            "The overall threshold by which the gate judges: that of the project's target, or what the harm of a sensitive attribute asks for, if that is less."
        )
        return facts.threshold, Part("threshold", facts.threshold, message, {}, "B.1.4.3")
    own = THRESHOLD_OF[Level(answers.harm)]
    params = {"own": own, "project": facts.threshold}
    if own < facts.threshold:
        message = _(
            "So deep a cut asks for a threshold of %(own)g, which is stricter than %(project)g, by which the gate judges; the stricter one is taken."
        )
        return own, Part("threshold", own, message, params, "B.1.4.1")
    message = _(
        "The threshold for this depth is %(own)g; %(project)g, by which the gate judges, is at least as strict and is taken."
    )
    return facts.threshold, Part("threshold", facts.threshold, message, params, "B.1.4.1")


def _sizes(facts: ModelFacts, threshold: float) -> tuple[int, float | None, list[Part]]:
    """k, the bound for the average (None where the maximum is the measure), and why."""
    found = needed(threshold, facts.sharing_type, facts.context, facts.cap)
    params: dict[str, Any] = {
        "threshold": threshold,
        "context": found.context,
        "k": found.k,
        "target": facts.k,
    }
    if facts.sharing_type == "public" or facts.average_risk is None:
        k = max(found.k, facts.k, smallest_class_for(facts.max_risk))
        message = _(
            "The maximum risk 1/k times the probability %(context)g that somebody tries must stay within %(threshold)g: k is at least %(context)g / %(threshold)g, rounded up, %(k)d. The project's target asks for %(target)d."
        )
        return k, None, [Part("k", k, message, params, "B.1.4.3")]
    least = smallest_class_for(facts.cap)
    k = max(facts.k, least, smallest_class_for(facts.max_risk))
    average = min(facts.average_risk, 1.0 if found.context <= threshold else threshold / found.context)
    average = math.floor(average * 1e6) / 1e6
    params |= {
        "least": least,
        "k": k,
        "average": average,
        "mean": round(1 / average, 2),
        "own": facts.average_risk,
    }
    return k, average, [
        Part("average", average, _(
            "Under controls the mean over all persons counts: it must stay within %(threshold)g / %(context)g and within the project's %(own)g. That is %(average)g: %(mean)g persons to a class on average."
        ), params, "B.1.4.1 b)"),
        Part("k", k, _(
            "No single class may be smaller than the cap allows (%(least)d) nor than the project's target (%(target)d)."
        ), params, "B.1.4.1 b)"),
    ]  # fmt: skip


def _column(
    name: str, said: ModelColumnAnswers, harm: Level, facts: ModelFacts
) -> tuple[dict[str, Any], Part]:
    values = facts.distinct.get(name)
    if said.reveals is False:
        message = _("Learning the value does no harm, so classes need no variety here.")
        return {}, Part("none", None, message, {}, "B.1.2", name)
    if values is not None and values < 2:
        message = _(
            "The column has no two different values, so no class can vary. Leave it out of the result if its value does harm by itself."
        )
        return {}, Part("none", None, message, {}, "B.1.2", name)
    # Without an answer the stricter reading holds.
    if said.skewed is not False:
        t, distance = CLOSENESS_OF[harm], "ordered" if said.ordered else "equal"
        message = (
            _(
                "Nobody has ruled out that some values are much rarer or worse than others; those would stand out even in varied classes. So the shares in each class may differ from those of the whole table by at most %(t)g. The number is a rule of this portal by the depth of harm."
            )
            if said.skewed is None
            else _(
                "Rare or bad values stand out even in varied classes. So the shares in each class may differ from those of the whole table by at most %(t)g, measured by the order of the values. The number is a rule of this portal by the depth of harm."
            )
            if said.ordered
            else _(
                "Rare or bad values stand out even in varied classes. So the shares in each class may differ from those of the whole table by at most %(t)g. The number is a rule of this portal by the depth of harm."
            )
        )
        return {"t": t, "distance": distance}, Part("t", t, message, {"t": t}, "B.1.3", name)
    wanted = DIVERSITY_OF[harm]
    l = wanted if values is None else min(wanted, values)  # noqa: E741  the standard's letter
    message = _(
        "If all who look alike had the same value, everybody would know it. So every class holds at least %(l)d different values: who guesses is right one time in %(l)d if they are equally frequent. The number is a rule of this portal by the depth of harm."
    )
    if l < wanted:
        message = _(
            "If all who look alike had the same value, everybody would know it. The column has only %(l)d different values, so every class must hold all of them; the depth of harm would ask for %(wanted)d."
        )
    return {"distinct": l}, Part("l", l, message, {"l": l, "wanted": wanted}, "B.1.2", name)


def _technique(sensitive: Mapping[str, Mapping[str, Any]]) -> tuple[str, Part]:
    if any("t" in one for one in sensitive.values()):
        key, message, clause = "model.t_closeness", _(
            "k-anonymity alone does not keep values from showing through; t-closeness holds on top of it."
        ), "B.1.3"  # fmt: skip
    elif sensitive:
        key, message, clause = "model.l_diversity", _(
            "k-anonymity alone does not keep values from showing through; l-diversity holds on top of it."
        ), "B.1.2"  # fmt: skip
    else:
        key, message, clause = "model.k_anonymity", _(
            "In no column classes need to vary, or can, so the model is k-anonymity."
        ), "B.1.1"  # fmt: skip
    return key, Part("technique", key, message, {}, clause)
