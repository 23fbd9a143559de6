"""The probability of an attack from plain answers (B.1.4.2 b), the k that it asks for, and what each control would buy."""

from __future__ import annotations

from typing import Any, Self

from pydantic import Field

from techniques.core.canonical import canonical_hash
from techniques.core.messages import EngineError, _
from techniques.core.settings import ClosedModel, Frozen
from techniques.core.validation import validated
from techniques.disclosure_risk.scales.environment import (
    CONTROLS,
    ESSENTIAL,
    TABLE_B_1,
    Level,
    SharingType,
    acquaintance,
    control_level,
    deliberate,
    environment,
    motive_level,
)
from techniques.disclosure_risk.scales.inverse import needed
from techniques.disclosure_risk.scales.recovery import Recovery, recovery
from techniques.disclosure_risk.scales.safeguards import Safeguards, safeguards

_ORDER = (Level.LOW, Level.MEDIUM, Level.HIGH)


class ContextAnswers(ClosedModel):
    """Answers to the 11 controls and the 4 factors (0 no, 0.5 in part, 1 yes), how common the trait is that the data are
    about, how many people one knows, and the yearly breach rate of the recipient's sector; both shares with where they were read.

    ``safeguards`` answers the items of T/ISC 0078 C.5, on the grounds that ``safeguards_source`` names, and ``recovery`` those of
    its 5.1 c 1, on the grounds of ``recovery_source``."""

    controls: dict[str, float]
    motives: dict[str, float]
    safeguards: dict[str, float]
    safeguards_source: str = Field(max_length=500)
    recovery: dict[str, float]
    recovery_source: str = Field(max_length=500)
    prevalence: float
    prevalence_source: str = Field(max_length=500)
    acquaintances: int = 150
    breach: float = Field(ge=0, le=1)
    breach_source: str = Field(max_length=500)

    @classmethod
    def from_data(cls, data: Any) -> Self:
        """Read; raises EngineError that names the place of a wrong answer."""
        return validated(cls, data)


class ControlGain(Frozen):
    """What one control would buy if it were met in full: grade of all controls, context risk, and k needed then."""

    code: str
    answer: float
    grade: Level
    context: float
    k: int


class Path(Frozen):
    """The fewest controls that together reach a better grade, and what it buys."""

    codes: list[str]
    grade: Level
    context: float
    k: int


class ContextFinding(Frozen):
    """``value`` is the largest of the three probabilities; ``decisive`` says which of them. ``k`` is the smallest class
    for which 1/k × value keeps the threshold. ``gains`` stand what buys most first, ``paths`` lead to each better grade;
    ``grades`` are all of Table B.1 for these motives. ``safeguards`` has no part in the probability: its grade has a coefficient
    in the degree of anonymisation. Nor has ``recovery``: it decides on the word by which a result may go."""

    controls: Level
    motive: Level
    deliberate: float
    acquaintance: float
    breach: float
    value: float
    decisive: str
    threshold: float
    k: int
    gains: list[ControlGain]
    paths: list[Path]
    grades: list[ControlGain]
    safeguards: Safeguards
    recovery: Recovery

    def as_dict(self, answers: ContextAnswers) -> dict[str, Any]:
        """JSON-ready, with the hash of answers and finding as ``sha256``."""
        found = {"answers": answers.model_dump(mode="json"), "finding": self.model_dump(mode="json")}
        return {**found, "sha256": canonical_hash(found)}


def assess_context(
    answers: ContextAnswers, threshold: float, sharing_type: SharingType = "controlled"
) -> ContextFinding:
    """The context risk and what would lower it. Raises EngineError ``public_context``, ``prevalence_source_missing``,
    ``breach_source_missing``, ``safeguards_source_missing``, ``recovery_source_missing`` and what the formulas raise for answers that are missing or out of range."""
    if sharing_type == "public":
        raise EngineError(
            "public_context",
            _("With completely public data somebody will try: the probability of an attempt is 1."),
        )
    if not answers.prevalence_source.strip():
        raise EngineError(
            "prevalence_source_missing", _("Say where the share of people who have the trait was read.")
        )
    if not answers.breach_source.strip():
        raise EngineError("breach_source_missing", _("Say where the breach rate was published."))
    if not answers.safeguards_source.strip():
        raise EngineError("safeguards_source_missing", _("Say what the answers about safeguards rest on."))
    if not answers.recovery_source.strip():
        raise EngineError("recovery_source_missing", _("Say what the answers about recovery rest on."))
    controls, motive = control_level(answers.controls), motive_level(answers.motives)
    parts = {
        "deliberate": deliberate(controls, motive),
        "acquaintance": acquaintance(answers.prevalence, answers.acquaintances),
        "breach": answers.breach,
    }
    value = environment(sharing_type, **parts).value

    def gain(code: str, answer: float, grade: Level) -> ControlGain:
        context = max(TABLE_B_1[grade, motive], parts["acquaintance"], parts["breach"])
        k = needed(threshold, sharing_type, context).k
        return ControlGain(code=code, answer=answer, grade=grade, context=context, k=k)

    gains = [
        gain(item.code, answers.controls[item.code], control_level({**answers.controls, item.code: 1}))
        for item in CONTROLS
        if answers.controls[item.code] < 1
    ]
    return ContextFinding(
        controls=controls,
        motive=motive,
        **parts,
        value=value,
        decisive=next(name for name, part in parts.items() if part == value),
        threshold=threshold,
        k=needed(threshold, sharing_type, value).k,
        gains=sorted(gains, key=lambda one: (one.context, one.k)),
        paths=[
            Path(codes=codes, grade=grade, context=bought.context, k=bought.k)
            for grade in _ORDER[_ORDER.index(controls) + 1 :]
            for codes in [_fewest(answers.controls, grade)]
            for bought in [gain(grade.value, 1.0, grade)]
        ],
        grades=[gain(grade.value, 1.0, grade) for grade in _ORDER],
        safeguards=safeguards(answers.safeguards),
        recovery=recovery(answers.recovery),
    )


def _fewest(answers: dict[str, float], grade: Level) -> list[str]:
    """Controls to meet in full until ``grade`` is reached: those without which it cannot be first, then what is missing
    most, in the order of the list."""
    met, added = dict(answers), []
    order = [item.code for item in CONTROLS if answers[item.code] < 1]
    needs = [code for code in order if grade is Level.HIGH and code in ESSENTIAL]
    rest = sorted((code for code in order if code not in needs), key=lambda code: answers[code])
    for code in [*needs, *rest]:
        if _ORDER.index(control_level(met)) >= _ORDER.index(grade):
            break
        met[code] = 1
        added.append(code)
    return added
