"""What the approved plan says and the data or the recipe do not bear out (GB/T 37964 5.2.2 b, c, 5.2.3 c to e); plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from projects.objective.enums import Candidate, Classification, Promise, RiskModel
from projects.objective.targets.conflicts import conflicts
from techniques.catalogue.family import Family
from techniques.catalogue.technique import Technique
from techniques.core.attributes import AttributeRole
from techniques.core.messages import gettext_noop
from techniques.recipe.reversibility import way_back

from ..reports.stored import Text, text

if TYPE_CHECKING:
    from .case import Case

PRIVATE = "synthesis.private"


def candidates_of(spec: Technique) -> set[str]:
    """The candidates of a plan any of which covers a technique; none for what treats nothing."""
    if spec.family is Family.MODEL:
        return {Candidate.K_ANONYMITY if spec.key == "model.k_anonymity" else Candidate.L_DIVERSITY}
    cryptographic = spec.family is Family.ENCRYPTION
    found = {Candidate.CRYPTOGRAPHIC} if cryptographic else {str(spec.family)} & set(Candidate.values)
    return found | ({Candidate.DIFFERENTIAL_PRIVACY} if spec.key == PRIVATE else set())


def against_plan(case: Case) -> list[Text]:
    """A sentence for each answer of the plan that another answer, a verdict or the recipe contradicts."""
    scope = case.scope or {}
    said = [text(one) for one in conflicts(scope, case.factors or {}, case.sharing_type)]
    left = case.result.columns()
    sensitive = [name for name in left if case.roles.get(name) is AttributeRole.SENSITIVE_ATTRIBUTE]
    if scope.get("classification") == Classification.GENERAL and sensitive:
        graded = gettext_noop(
            "The plan grades the data as general data, and by the verdicts the result has sensitive attributes: %(columns)s."
        )
        said.append(text(graded, columns=", ".join(sensitive)))
    leading = [name for name in left if way_back(case.recipe, name) is not None]
    if scope.get("promise") == Promise.PROMISED and leading:
        promised = gettext_noop(
            "De-identification was promised when the data were collected, and by the recipe a key or a mapping table leads back "
            "from %(columns)s to the values."
        )
        said.append(text(promised, columns=", ".join(leading)))
    return said


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
        said.append(_protected(case))
    return said + _of_groups(case)


def _of_groups(case: Case) -> list[Text]:
    """Where the plan assesses figures of groups and the result has none, or the other way round."""
    planned = case.factors is not None and case.factors["risk_model"] == RiskModel.LINEAR_SENSITIVITY
    if planned and case.cells is None:
        none = gettext_noop(
            "The approved plan assesses the risk by linear sensitivity, and the rows of the result are not the figures of groups, "
            "so no contributor's share of a figure can be measured."
        )
        return [text(none)]
    if not planned and case.cells is not None:
        groups = gettext_noop(
            "The approved plan does not assess the risk by linear sensitivity, and every row of the result has the figures of one "
            "group: how much of a figure its largest contributors make up counts as well."
        )
        return [text(groups)]
    return []


def _protected(case: Case) -> Text:
    """What differential privacy protects of made-up rows: all of them, or the columns that were made up so."""
    private = {column for step in case.recipe.steps if step.spec.key == PRIVATE for column in step.columns}
    left = case.result.columns()
    if private.issuperset(left):
        whole = gettext_noop(
            "The approved plan assesses the risk by the sizes of equivalence classes, and the rows are made up: what "
            "protects them is differential privacy."
        )
        return text(whole)
    partly = gettext_noop(
        "The approved plan assesses the risk by the sizes of equivalence classes, and the rows are made up: differential privacy "
        "protects %(columns)s, and does not protect %(others)s."
    )
    return text(
        partly,
        columns=", ".join(column for column in left if column in private),
        others=", ".join(column for column in left if column not in private),
    )
