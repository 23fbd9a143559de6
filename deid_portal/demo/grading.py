"""The demo's grading of data."""

from __future__ import annotations

from typing import Any

from deid_portal.organisation.grading.policy import GradeRule, grading_decide, grading_propose
from projects.core.enums import SharingType

RULES = {
    "general": GradeRule(tuple(SharingType.values), 5, False),
    "sensitive": GradeRule((SharingType.CONTROLLED.value, SharingType.ENCLAVE.value), 5, True),
    "important": GradeRule((SharingType.ENCLAVE.value,), 10, True, 2),
}


def agree(people: dict[str, Any]) -> None:
    """A version in force; the demo's projects were planned before it and keep what was approved."""
    waiting = grading_propose(RULES, reason="按数据分类分级制度的规定。", by=people["planner"])
    grading_decide(waiting, accept=True, reason="与制度一致。", by=people["admin"])
