"""The phases of T/ISC 0078-2025 as a table; which states each has stands in the rows of the states."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from .states import STATES
from .vocabulary import Phase, Stage


@dataclass(frozen=True)
class PhaseRow:
    """One row of the table: the clause, and what it asks for. What has no states runs beside all of the others."""

    phase: Phase
    clause: str
    asks: Any

    @property
    def stages(self) -> list[Stage]:
        """The steps of GB/T 37964 that its states belong to, in order."""
        return list(dict.fromkeys(row.stage for row in STATES.values() if row.phase == self.phase))


PHASES: dict[Phase, PhaseRow] = {
    row.phase: row
    for row in (
        PhaseRow(Phase.NEEDS, "7", _("How far the data travel, for which use, why it is necessary and whether it can be done.")),
        PhaseRow(Phase.SCHEME, "8", _("Who is responsible, which data are concerned, and which measures are planned.")),
        PhaseRow(Phase.PROCESSING, "9", _("Identifiers are found, and each attribute is treated by a measure with its parameters.")),
        PhaseRow(Phase.EVALUATION, "10", _("The risk of the result is measured against what the scheme asks for.")),
        PhaseRow(Phase.REVIEW, "11", _("The result is reviewed and decided on before it travels, and assessed anew after a change.")),
        PhaseRow(Phase.MANAGEMENT, "12", _("A team under senior management, rules, and records of each step run beside all of them.")),
    )
}  # fmt: skip
