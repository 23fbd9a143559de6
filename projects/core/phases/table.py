"""The phases of T/ISC 0078-2025 as a table over the states of the process."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from projects.workflow import STATES, Stage, State

S = State


class Phase(models.TextChoices):
    """The phases that the frame of the association's standard names (clause 6)."""

    NEEDS = "needs", pgettext_lazy("phase", "Analysis of needs")
    SCHEME = "scheme", pgettext_lazy("phase", "Scheme")
    PROCESSING = "processing", pgettext_lazy("phase", "Processing")
    EVALUATION = "evaluation", pgettext_lazy("phase", "Evaluation of the effect")
    REVIEW = "review", pgettext_lazy("phase", "Assessment and review")
    MANAGEMENT = "management", pgettext_lazy("phase", "Management")


@dataclass(frozen=True)
class PhaseRow:
    """One row of the table: the clause, what it asks for, and the states that a project is in meanwhile; none of what runs beside
    all of them."""

    phase: Phase
    clause: str
    asks: Any
    states: tuple[State, ...] = ()

    @property
    def stages(self) -> list[Stage]:
        """The steps of GB/T 37964 that its states belong to, in order."""
        return list(dict.fromkeys(STATES[state].stage for state in self.states))


PHASES: dict[Phase, PhaseRow] = {
    row.phase: row
    for row in (
        PhaseRow(Phase.NEEDS, "7", _("How far the data travel, for which use, why it is necessary and whether it can be done."),
            (S.OBJECTIVE_DRAFT,)),
        PhaseRow(Phase.SCHEME, "8", _("Who is responsible, which data are concerned, and which measures are planned."),
            (S.OBJECTIVE_REVIEW, S.PLAN_APPROVAL)),
        PhaseRow(Phase.PROCESSING, "9", _("Identifiers are found, and each attribute is treated by a measure with its parameters."),
            (S.IDENTIFICATION, S.IDENTIFICATION_REVIEW, S.PROCESSING, S.PROCESSING_REVIEW)),
        PhaseRow(Phase.EVALUATION, "10", _("The risk of the result is measured against what the scheme asks for."),
            (S.VERIFICATION,)),
        PhaseRow(Phase.REVIEW, "11", _("The result is reviewed and decided on before it travels, and assessed anew after a change."),
            (S.VERIFICATION_REVIEW, S.RELEASE_APPROVAL, S.APPROVED, S.MONITORING)),
        PhaseRow(Phase.MANAGEMENT, "12", _("A team under senior management, rules, and records of each step run beside all of them.")),
    )
}  # fmt: skip


def phase_of(state: State) -> Phase | None:
    """The phase of a project in ``state``; None where it is over or rests."""
    return next((row.phase for row in PHASES.values() if state in row.states), None)
