"""The organisation's grading of data: its only writer, and how it is read."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import Exists, QuerySet
from django.utils.translation import gettext as _

from approvals.governance.person import Person
from approvals.governance.verdict import deny
from approvals.request_cache import cached_read
from projects.core.enums import SharingType
from projects.objective.enums import Classification

from .. import events
from ..models import SIGNERS_BOUNDS, GradingPolicy
from ..proposals.models import ProposalStatus
from ..proposals.services import proposal_decide, proposal_lay
from ..rules import OrganisationReason

GRADED = (Classification.GENERAL, Classification.SENSITIVE, Classification.IMPORTANT)
"""The grades that have a rule; core data never leave, by no rule."""
K_BOUNDS = (2, 1000)
_PASSED = (ProposalStatus.IN_FORCE, ProposalStatus.REPLACED)


@dataclass(frozen=True)
class GradeRule:
    """What a grade asks for: the sharing types that are allowed, the smallest k, whether an impact assessment comes first, and how
    many members of senior management sign at least."""

    sharing: tuple[str, ...]
    minimum_k: int
    impact: bool
    signers: int = SIGNERS_BOUNDS[0]

    @classmethod
    def of_json(cls, rule: Mapping[str, Any]) -> GradeRule:
        """As a version has it; in one from before numbers of signatures went by grade, one person signs."""
        signers = rule.get("signers", SIGNERS_BOUNDS[0])
        return cls(tuple(rule["sharing"]), rule["minimum_k"], rule["impact"], signers)

    def as_json(self) -> dict[str, Any]:
        return {
            "sharing": list(self.sharing),
            "minimum_k": self.minimum_k,
            "impact": self.impact,
            "signers": self.signers,
        }


@dataclass(frozen=True)
class Policy:
    """A version with its rules. Version 0: the organisation has decided nothing, and nothing is refused but core data."""

    version: int
    rules: Mapping[str, GradeRule]


NONE_YET = Policy(
    0, {grade.value: GradeRule(tuple(SharingType.values), K_BOUNDS[0], False) for grade in GRADED}
)


def versions() -> QuerySet[GradingPolicy]:
    """Every version, the newest first."""
    return GradingPolicy.objects.select_related("made_by", "decided_by")


def version_get(version_id: uuid.UUID) -> GradingPolicy:
    """Raises ``GradingPolicy.DoesNotExist``."""
    return versions().get(pk=version_id)


def any_version() -> Exists:
    """Whether a version is, or was, in force: for a statement about something else."""
    return Exists(GradingPolicy.objects.filter(status__in=_PASSED))


@cached_read
def policy_at(moment: datetime | None) -> Policy:
    """What was in force at ``moment``; None: now."""
    found = GradingPolicy.objects.filter(status__in=_PASSED).order_by("-decided_at")
    if moment is not None:
        found = found.filter(decided_at__lte=moment)
    version = found.first()
    return NONE_YET if version is None else policy_of(version)


def policy_of(version: GradingPolicy) -> Policy:
    return Policy(version.number, {grade: GradeRule.of_json(rule) for grade, rule in version.rules.items()})


def grading_propose(rules: Mapping[str, GradeRule], *, reason: str, by: Person) -> GradingPolicy:
    """Lay down the next version; it waits for a second person.

    Raises ``ValidationError`` where a grade has no rule, or one that cannot be; ``Refused`` where the person may not, no reason is
    given, nothing would change, or a version is waiting already.
    """
    wrong = {}
    for grade in GRADED:
        rule = rules.get(grade.value)
        if rule is None or set(rule.sharing) - set(SharingType.values):
            wrong[f"{grade.value}_sharing"] = [_("State by which sharing types these data may be shared.")]
        elif not K_BOUNDS[0] <= rule.minimum_k <= K_BOUNDS[1]:
            wrong[f"{grade.value}_minimum_k"] = [_between(K_BOUNDS)]
        elif not SIGNERS_BOUNDS[0] <= rule.signers <= SIGNERS_BOUNDS[1]:
            wrong[f"{grade.value}_signers"] = [_between(SIGNERS_BOUNDS)]
    if set(rules) - {grade.value for grade in GRADED}:
        wrong["__all__"] = [
            _("Only general, sensitive and important data have rules: core data never leave.")
        ]
    if wrong:
        raise ValidationError(wrong)
    now = policy_at(None)
    if now.version and dict(now.rules) == dict(rules):
        deny(OrganisationReason.NOTHING_CHANGED).require()
    content = {grade.value: rules[grade.value].as_json() for grade in GRADED}
    return proposal_lay(
        GradingPolicy(rules=content, reason=reason),
        versions=GradingPolicy.objects.all(),
        sentences=events.GRADING,
        facts={},
        by=by,
    )


def _between(bounds: tuple[int, int]) -> str:
    return _("Between %(least)d and %(most)d.") % {"least": bounds[0], "most": bounds[1]}


def grading_decide(version: GradingPolicy, *, accept: bool, reason: str, by: Person) -> GradingPolicy:
    """Put a proposed version in force, for every plan that is submitted from then on, or turn it down."""
    return proposal_decide(
        version,
        versions=GradingPolicy.objects.all(),
        sentences=events.GRADING,
        accept=accept,
        reason=reason,
        by=by,
    )
