"""Whether persons are beyond recovery for who gets the data, by the three grounds of T/ISC 0078 5.1 c 1.

The clause takes data as not recoverable where its users, or others who may get hold of it, lack the extra information, or lack lawful
means, or would need unreasonable time, effort or resources. One ground is enough; how it is shown is left to the organisation. Ours
counts a ground only where its answer is a plain yes.
"""

from __future__ import annotations

from collections.abc import Mapping

from techniques.core.messages import _
from techniques.core.settings import Frozen
from techniques.disclosure_risk.scales.environment import Item, points

INFORMATION = Item("information", _("Extra information that leads back to persons is out of reach: recipients, and others who may get the data, neither hold it nor can get it"))  # fmt: skip
MEANS = Item("means", _("No lawful means lead back to persons: law, rights of access and agreements leave them none"))  # fmt: skip
COSTS: tuple[Item, ...] = (
    Item("time", _("Finding a person again would take an unreasonable time")),
    Item("effort", _("Finding a person again would take unreasonable effort: people, knowledge, preparation")),
    Item("resources", _("Finding a person again would take unreasonable resources: money, computers, data that are sold")),
)  # fmt: skip
RECOVERY: tuple[Item, ...] = (INFORMATION, MEANS, *COSTS)
"""The questions in the clause's order."""
RULE = _(
    "One plain yes is enough to take recovery as beyond reasonable effort; “in part” is not enough. Without one the result is not called "
    "anonymised, whatever was measured."
)


class Recovery(Frozen):
    """``grounds``: codes of :data:`RECOVERY` that were answered by a plain yes, in its order; ``beyond``: there is one."""

    grounds: tuple[str, ...]
    beyond: bool


def recovery(answers: Mapping[str, float]) -> Recovery:
    """The grounds that hold, from an answer to each item of :data:`RECOVERY`.

    Raises :class:`EngineError` ``checklist_incomplete`` for an item that is not answered by 0, 0.5 or 1.
    """
    points(RECOVERY, answers)
    grounds = tuple(item.code for item in RECOVERY if answers[item.code] == 1)
    return Recovery(grounds=grounds, beyond=bool(grounds))
