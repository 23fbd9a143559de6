"""Environment risk: how probable an attack is (GB/T 37964 B.1.4.2), and the overall risk (B.1.4.3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Literal

from techniques.core.messages import EngineError, _
from techniques.core.settings import Frozen
from techniques.disclosure_risk.scales.degree import Scenario
from techniques.disclosure_risk.sizes import keeps, smallest_class_for

if TYPE_CHECKING:
    from techniques.disclosure_risk.report import RiskReport

SharingType = Literal["public", "controlled", "enclave"]
SCENARIO_OF: dict[SharingType, Scenario] = {
    "public": Scenario.PUBLIC,
    "controlled": Scenario.EXTERNAL,
    "enclave": Scenario.INTERNAL,
}
"""Data in an enclave stay inside, so they are judged as within the organisation: GB/T 42460 D.1.5 sets 1/20, 1/5 and 1/3
for public, controlled and enclave sharing, which are just the coefficients of T/ISC 0078 table C.1. Who lets outsiders
work there may name the scenario.
"""


class Level(StrEnum):
    """The three grades in which controls, motives and capacity are judged."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


@dataclass(frozen=True)
class Item:
    """A question of a checklist: stable code and what it asks (msgid)."""

    code: str
    title: str


CONTROLS: tuple[Item, ...] = (
    Item("need_to_know", _("Only authorised staff use the data, with the least privilege")),
    Item("confidentiality", _("Everyone who works with the data, partners included, has signed a confidentiality agreement")),
    Item("disposal", _("Data beyond the retention period are disposed of")),
    Item("no_third_party", _("No disclosure to third parties without controls or prior approval")),
    Item("policies", _("Privacy and security policies exist and their application is supervised")),
    Item("training", _("Mandatory and continuing privacy and security training for everyone involved")),
    Item("breach_response", _("Breaches of the agreement have consequences; the data holder is notified at once")),
    Item("malware_protection", _("Protection against viruses and malware is installed")),
    Item("audit_system", _("An audit system records who accessed what and when")),
    Item("encrypted_transfer", _("Data are encrypted in transfer")),
    Item("physical_protection", _("Computers and paper files are kept under lock")),
)  # fmt: skip
"""The eleven privacy and security controls of B.1.4.2 b) 1)."""

ESSENTIAL = frozenset({"need_to_know", "confidentiality", "no_third_party"})
"""Controls without which the grade is never high (a rule of ours)."""

MOTIVES: tuple[Item, ...] = (
    Item("past_incidents", _("The recipient has had security incidents in working with the organisation")),
    Item("motive", _("The recipient has a financial or other reason to re-identify")),
    Item("capacity", _("The recipient has the expertise or the money to re-identify")),
    Item("other_databases", _("The recipient has access to other data that can be linked")),
)  # fmt: skip
"""The four factors of motive and capacity of B.1.4.2 b) 1)."""

TABLE_B_1: dict[tuple[Level, Level], float] = {
    (Level.HIGH, Level.LOW): 0.05,
    (Level.HIGH, Level.MEDIUM): 0.1,
    (Level.HIGH, Level.HIGH): 0.2,
    (Level.MEDIUM, Level.LOW): 0.2,
    (Level.MEDIUM, Level.MEDIUM): 0.3,
    (Level.MEDIUM, Level.HIGH): 0.4,
    (Level.LOW, Level.LOW): 0.4,
    (Level.LOW, Level.MEDIUM): 0.5,
    (Level.LOW, Level.HIGH): 0.6,
}
"""Probability of a deliberate attempt by (controls, motive and capacity)."""


def points(items: tuple[Item, ...], answers: Mapping[str, float]) -> float:
    """Sum of the answers 0 (no), 0.5 (in part), 1 (yes); an unanswered item is refused, not guessed."""
    missing = [item.code for item in items if item.code not in answers]
    wrong = [code for code, value in answers.items() if value not in (0, 0.5, 1)]
    if missing or wrong or len(answers) != len(items):
        raise EngineError(
            "checklist_incomplete", _("Every item of the checklist needs an answer: yes, in part or no.")
        )
    return float(sum(answers.values()))


def control_level(answers: Mapping[str, float]) -> Level:
    """Grade of the recipient's controls from an answer to each of :data:`CONTROLS`.

    The standard leaves the grading to the organisation. Ours: high from 9 of 11, medium from 6; and
    never high without confidentiality agreements, access limits and no disclosure to third parties,
    which no other control can make up for.
    """
    total = points(CONTROLS, answers)
    essential = all(answers[code] == 1 for code in ESSENTIAL)
    if total >= 9 and essential:
        return Level.HIGH
    return Level.MEDIUM if total >= 6 else Level.LOW


def motive_level(answers: Mapping[str, float]) -> Level:
    """Grade of motive and capacity from an answer to each of :data:`MOTIVES`: high from 2.5 of 4,
    medium from 1."""
    total = points(MOTIVES, answers)
    return Level.HIGH if total >= 2.5 else Level.MEDIUM if total >= 1 else Level.LOW


def deliberate(
    controls: Level, motive: Level, table: Mapping[tuple[Level, Level], float] = TABLE_B_1
) -> float:
    """Probability of a deliberate insider attempt by table B.1."""
    return table[controls, motive]


def acquaintance(prevalence: float, acquaintances: int = 150) -> float:
    """Probability that a recipient knows somebody in the data: 1 - (1-p)^m (B.1.4.2 b) 2).

    ``prevalence`` is the share of people with the trait that the data are about. Check: p = 0.001 and
    m = 150 give 0.13936. Raises :class:`EngineError` outside p in 0 … 1 or m in 150 … 190.
    """
    if not 0 <= prevalence <= 1:
        raise EngineError("prevalence_out_of_range", _("The prevalence lies between 0 and 1."))
    if not 150 <= acquaintances <= 190:
        raise EngineError(
            "acquaintances_out_of_range", _("The mean number of acquaintances lies between 150 and 190.")
        )
    return float(1 - (1 - prevalence) ** acquaintances)


class EnvironmentRisk(Frozen):
    """Probability of an attack, with the three it is the largest of (None where not applicable)."""

    sharing_type: SharingType
    deliberate: float | None
    acquaintance: float | None
    breach: float | None
    value: float


def environment(
    sharing_type: SharingType,
    *,
    deliberate: float | None = None,
    acquaintance: float | None = None,
    breach: float | None = None,
) -> EnvironmentRisk:
    """1 for public sharing; otherwise the largest of the three, all of which must be known.

    Raises :class:`EngineError` while one of them is missing: an unknown probability is not zero.
    """
    if sharing_type == "public":
        return EnvironmentRisk(
            sharing_type=sharing_type, deliberate=None, acquaintance=None, breach=None, value=1.0
        )
    known = [value for value in (deliberate, acquaintance, breach) if value is not None]
    if len(known) < 3 or not all(0 <= value <= 1 for value in known):
        text = _(
            "The probabilities of a deliberate attempt, of recognition by an acquaintance and of a breach are all needed."
        )
        raise EngineError("environment_incomplete", text)
    return EnvironmentRisk(
        sharing_type=sharing_type,
        deliberate=deliberate,
        acquaintance=acquaintance,
        breach=breach,
        value=max(known),
    )


class DataRisk(Frozen):
    """The data risk that counts for a sharing type; ``cap_kept`` is None where no cap applies."""

    measure: Literal["maximum", "strict_average"]
    value: float
    cap: float | None = None
    smallest_class: int | None = None
    cap_kept: bool | None = None


def data_risk(report: RiskReport, sharing_type: SharingType, cap: float = 0.33) -> DataRisk:
    """Maximum risk for public sharing, strict average for the others (B.1.4.1 b).

    The strict average is J/n, and besides no class may be smaller than the cap allows (0.33: 3
    records; 0.5: 2).
    """
    if sharing_type == "public":
        return DataRisk(measure="maximum", value=report.max_risk)
    least = smallest_class_for(cap)
    return DataRisk(
        measure="strict_average",
        value=report.average_risk,
        cap=cap,
        smallest_class=least,
        cap_kept=report.k >= least,
    )


class OverallRisk(Frozen):
    """Data risk × environment risk against the project's threshold (B.1.4.3)."""

    data: DataRisk
    environment: EnvironmentRisk
    value: float
    threshold: float
    passed: bool


def overall(data: DataRisk, environment: EnvironmentRisk, threshold: float) -> OverallRisk:
    """The overall risk; it passes at or below ``threshold`` while the cap, if any, is kept."""
    value = data.value * environment.value
    return OverallRisk(
        data=data,
        environment=environment,
        value=value,
        threshold=threshold,
        passed=keeps(value, threshold) and data.cap_kept is not False,
    )
