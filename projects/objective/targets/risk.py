"""Risk targets: typed, checkable, with defaults by sharing type (GB/T 37964 4.5, 5.2.3, B.1.4; GB/T 42460 D.1.5)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal
from typing import Annotated, Any, Literal, Self, cast

from pydantic import Field, StringConstraints, model_validator

from projects.core.enums import SharingType
from projects.core.numbers import number
from techniques.core.messages import gettext_noop
from techniques.disclosure_risk.scales.degree import Scenario
from techniques.disclosure_risk.scales.environment import SCENARIO_OF
from techniques.disclosure_risk.sizes import THRESHOLD_OF

from ..enums import Circulation, Level
from .conditions import ConditionTargets
from .content import problem

Probability = Annotated[float, Field(gt=0, le=1, allow_inf_nan=False)]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Why = Annotated[str, StringConstraints(strip_whitespace=True, max_length=2000)]
# The standard writes the cap of the strict average as 0.33 and means classes of three (B.1.4.1 b).
STRICT_CAP = 1 / 3
_ROUNDING = 1e-9


def as_third(value: float) -> float:
    """A third, when somebody wrote it as 0.33 or 0.333; else the value itself."""
    return STRICT_CAP if 0.33 <= value < STRICT_CAP else value


class RiskTargets(ConditionTargets):
    """What re-identification risk is acceptable. Probabilities and shares are fractions of one.

    All of persons, which are records where one record is one person. ``k`` smallest class; ``max_risk`` for the class of
    every person; ``average_risk`` for the mean over persons under the strict average, whose worst stays within
    ``strict_cap``; ``context_risk`` the probability of an attempt; ``overall_threshold`` for data risk x context risk;
    ``suppression_limit`` the share that may be removed to get there. ``circulation`` says how far the data travel where that is
    not as the sharing type has it (T/ISC 0078 7.1).
    """

    k: int = Field(ge=2, le=100_000)
    measure: Literal["max", "strict_average"]
    max_risk: Probability
    average_risk: Probability | None = None
    strict_cap: Probability = STRICT_CAP
    context_risk: Probability = 1.0
    context_reason: Why = ""
    overall_threshold: Probability
    suppression_limit: Share = 0.05
    reassess_months: int = Field(default=12, ge=1, le=60)
    why: Why = ""
    circulation: Circulation | None = Field(default=None, exclude_if=lambda said: said is None)

    def at_severity(self, severities: Iterable[str]) -> Self:
        """The same with the overall threshold that the most harmful of the sensitive attributes asks for, where these allow
        more; ``severities`` are ``high``, ``medium`` and ``low``, or empty where nobody said."""
        asked = [THRESHOLD_OF[one] for one in severities if one]
        return self.model_copy(update={"overall_threshold": min([self.overall_threshold, *asked])})

    @model_validator(mode="after")
    def _agrees(self) -> Self:
        # Assigned through __dict__, because the model validates whole and must not validate again here.
        self.__dict__["max_risk"] = as_third(self.max_risk)
        self.__dict__["strict_cap"] = as_third(self.strict_cap)
        if self.max_risk + _ROUNDING < 1 / self.k:
            raise problem(
                "max_risk",
                gettext_noop(
                    "A class of k = %(k)s gives every person in it a risk of %(floor)s, which is above the maximum "
                    "risk %(max_risk)s. Raise k to at least %(needed)s, or the maximum risk to %(floor)s."
                ),
                k=self.k,
                floor=_round_up(1 / self.k),
                max_risk=number(self.max_risk),
                needed=_least_k(self.max_risk),
            )
        if self.measure == "strict_average":
            if self.average_risk is None:
                text = gettext_noop("The strict average needs a limit for the average.")
                raise problem("average_risk", text)
            if self.average_risk > self.max_risk + _ROUNDING:
                text = gettext_noop(
                    "The average is never above the maximum; a higher limit would check nothing."
                )
                raise problem("average_risk", text)
            if self.strict_cap + _ROUNDING < 1 / self.k:
                text = gettext_noop(
                    "The cap is below the risk %(floor)s of the smallest class that k allows."
                )
                raise problem("strict_cap", text, floor=_round_up(1 / self.k))
        elif self.average_risk is not None:
            text = gettext_noop(
                "The maximum is the measure; a limit for the average belongs to the strict average."
            )
            raise problem("average_risk", text)
        if self.l is not None and self.l_kind == "distinct" and self.l != int(self.l):
            raise problem("l", gettext_noop("A number of different values is a whole number."))
        if self.context_risk < 1 and not self.context_reason:
            text = gettext_noop("Say how the probability of an attempt below 1 was assessed, and by whom.")
            raise problem("context_reason", text)
        return self


def _least_k(risk: float) -> int:
    k = max(2, int(1 / risk))
    return k if 1 / k <= risk + _ROUNDING else k + 1


def _round_up(value: float) -> str:
    """Four digits, never below the value, so that a reader who types it in passes the check."""
    exact = Decimal(repr(value))
    return number(float(exact.quantize(Decimal(1).scaleb(exact.adjusted() - 3), ROUND_CEILING)))


def for_sharing(targets: RiskTargets, sharing_type: SharingType | str) -> RiskTargets:
    """Check ``targets`` against what the sharing type allows (B.1.4.1 b, B.1.4.2 a); raises a custom error."""
    if SharingType(sharing_type) is SharingType.PUBLIC:
        if targets.measure != "max":
            text = gettext_noop(
                "Public data meets the demonstration attack: only the maximum risk is a measure."
            )
            raise problem("measure", text)
        if targets.context_risk < 1:
            text = gettext_noop(
                "With completely public data somebody will try: the probability of an attempt is 1."
            )
            raise problem("context_risk", text)
        if targets.circulation is not None:
            text = gettext_noop("Completely public data travel everywhere; there is no smaller circulation.")
            raise problem("circulation", text)
    if targets.circulation is not None and Scenario(targets.circulation) is scenario_shared(sharing_type):
        text = gettext_noop("The sharing type has it so already: leave it out.")
        raise problem("circulation", text)
    return targets


def scenario_of(targets: RiskTargets, sharing_type: SharingType | str) -> Scenario:
    """The scenario by which the degree of anonymisation is judged: as the target says how far the data travel, else as the sharing
    type has it."""
    if targets.circulation is not None:
        return Scenario(targets.circulation)
    return scenario_shared(sharing_type)


def scenario_shared(sharing_type: SharingType | str) -> Scenario:
    """The scenario that the sharing type has by itself."""
    return SCENARIO_OF[cast(Any, str(sharing_type))]


_DEFAULTS = {
    SharingType.PUBLIC: RiskTargets(
        k=20, measure="max", max_risk=0.05, overall_threshold=0.05, reassess_months=6
    ),
    SharingType.CONTROLLED: RiskTargets(
        k=5, measure="strict_average", max_risk=0.2, average_risk=0.05, overall_threshold=0.05
    ),
    SharingType.ENCLAVE: RiskTargets(
        k=3, measure="strict_average", max_risk=STRICT_CAP, average_risk=0.1, overall_threshold=0.1
    ),
}


def risk_defaults(sharing_type: SharingType | str) -> RiskTargets:
    """The targets that the sharing type suggests; the planning manager may tighten or justify others."""
    return _DEFAULTS[SharingType(sharing_type)].model_copy()


@dataclass(frozen=True)
class TableOneRow:
    """One row of table 1 of the standard."""

    sharing_type: SharingType
    risk: Level
    requirement: Level


TABLE_ONE = (
    TableOneRow(SharingType.PUBLIC, Level.HIGH, Level.HIGH),
    TableOneRow(SharingType.CONTROLLED, Level.MEDIUM, Level.MEDIUM),
    TableOneRow(SharingType.ENCLAVE, Level.LOW, Level.LOW),
)
