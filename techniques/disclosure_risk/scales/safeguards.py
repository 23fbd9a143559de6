"""The recipient's safeguards by the items of T/ISC 0078 annex C.5, and the grade of capability that follows from the answers.

The annex names the items and asks for a qualitative assessment; it gives neither grades nor a table of coefficients. Both are ours,
said in words by :data:`RULE`; what coefficient a grade has is the organisation's to say.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from techniques.core.messages import _
from techniques.core.settings import Frozen
from techniques.disclosure_risk.scales.degree import Capability
from techniques.disclosure_risk.scales.environment import Item, points

TECHNICAL: tuple[Item, ...] = (
    Item("privacy_controls", _("Security and privacy controls: permissions are managed, access follows a policy")),
    Item("circulation", _("Technique of circulation: isolation, sandbox, closed domain, dedicated zone or privacy computing")),
    Item("against_reidentification", _("Technical means against re-identification, for the motives and abilities there are")),
)  # fmt: skip
"""C.5 a, 1 to 3."""

MANAGEMENT: tuple[Item, ...] = (
    Item("organisation", _("Organisation: someone is responsible for protecting the data")),
    Item("procedures", _("Rules and procedures are written down and applied")),
    Item("staff", _("Ability of the staff who work with the data")),
    Item("contract", _("Agreements and contracts bind everyone concerned")),
    Item("audit", _("Use of the data is audited")),
    Item("incidents", _("Incidents and emergencies are handled by a plan that was rehearsed")),
    Item("risk_control", _("Risks are found, assessed and brought down")),
)  # fmt: skip
"""C.5 b, in its order."""


class Marks(NamedTuple):
    """Points from which a part is of medium and of high grade; an answer gives 0, 0.5 or 1."""

    medium: float
    high: float


TECHNICAL_MARKS = Marks(1.5, 2.5)
MANAGEMENT_MARKS = Marks(3.5, 6)
RULE = _(
    "Yes gives one point, in part half a point. Technical capability is high from 2.5 of 3 points and medium from 1.5; "
    "capability of management is high from 6 of 7 and medium from 3.5. The lower of the two is the grade, because neither "
    "makes up for the other."
)
_ORDER = (Capability.LOW, Capability.MEDIUM, Capability.HIGH)


class Safeguards(Frozen):
    """Points and grade of both parts, and the lower grade as ``capability``."""

    technical_points: float
    technical: Capability
    management_points: float
    management: Capability
    capability: Capability


def safeguards(answers: Mapping[str, float]) -> Safeguards:
    """The grade from an answer to each item of :data:`TECHNICAL` and :data:`MANAGEMENT`.

    Raises :class:`EngineError` ``checklist_incomplete`` for an item that is not answered by 0, 0.5 or 1.
    """
    points((*TECHNICAL, *MANAGEMENT), answers)
    technical = sum(answers[item.code] for item in TECHNICAL)
    management = sum(answers[item.code] for item in MANAGEMENT)
    grades = _grade(technical, TECHNICAL_MARKS), _grade(management, MANAGEMENT_MARKS)
    return Safeguards(
        technical_points=technical,
        technical=grades[0],
        management_points=management,
        management=grades[1],
        capability=min(grades, key=_ORDER.index),
    )


def _grade(reached: float, marks: Marks) -> Capability:
    if reached >= marks.high:
        return Capability.HIGH
    return Capability.MEDIUM if reached >= marks.medium else Capability.LOW
