"""What a recipe does that the approved plan does not speak of (GB/T 37964 5.2.3 d, e); plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from projects.objective.enums import Candidate, RiskModel
from techniques.catalogue.family import Family
from techniques.catalogue.technique import Technique
from techniques.core.messages import gettext_noop

from ..reports.stored import Text, text

if TYPE_CHECKING:
    from .case import Case

PRIVATE = "synthesis.private"
_OF_FAMILY = {
    Family.STATISTICAL: Candidate.STATISTICAL,
    Family.ENCRYPTION: Candidate.CRYPTOGRAPHIC,
    Family.SUPPRESSION: Candidate.SUPPRESSION,
    Family.PSEUDONYMISATION: Candidate.PSEUDONYMISATION,
    Family.GENERALISATION: Candidate.GENERALISATION,
    Family.RANDOMISATION: Candidate.RANDOMISATION,
    Family.SYNTHESIS: Candidate.SYNTHESIS,
}


def candidates_of(spec: Technique) -> set[str]:
    """The candidates of a plan any of which covers a technique; none for what treats nothing."""
    if spec.family is Family.MODEL:
        return {Candidate.K_ANONYMITY if spec.key == "model.k_anonymity" else Candidate.L_DIVERSITY}
    found = {_OF_FAMILY[spec.family]} if spec.family in _OF_FAMILY else set()
    return found | ({Candidate.DIFFERENTIAL_PRIVACY} if spec.key == PRIVATE else set())


def beside_plan(case: Case) -> list[Text]:
    """A sentence for each technique that the plan names under no candidate, and for a risk model that the recipe does not
    have; empty where the plan has not been written."""
    if not case.factors:
        return []
    named = set(case.factors["candidates"])
    used = list(dict.fromkeys(step.spec for step in case.recipe.steps))
    beside = gettext_noop(
        "“%(technique)s” is used, and the approved plan names nothing of its kind among the candidates: its reasons do not "
        "speak of it."
    )
    covered = [(one, candidates_of(one)) for one in used]
    said = [text(beside, technique=one.name) for one, any_of in covered if any_of and not any_of & named]
    private = any(one.key == PRIVATE for one in used)
    if case.factors["risk_model"] == RiskModel.DIFFERENTIAL_PRIVACY and not private:
        said.append(
            text(
                gettext_noop(
                    "The approved plan assesses the risk by differential privacy, and no step of the recipe gives it: what is "
                    "measured are the sizes of equivalence classes."
                )
            )
        )
    if case.factors["risk_model"] == RiskModel.CLASS_SIZES and private and not case.quasi():
        said.append(
            text(
                gettext_noop(
                    "The approved plan assesses the risk by the sizes of equivalence classes, and the rows are made up: what "
                    "protects them is differential privacy."
                )
            )
        )
    return said
