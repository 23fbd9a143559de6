"""How findings and spot checks are drawn."""

from __future__ import annotations

from typing import Any

from projects.core.deadlines import deadline_on

from .enums import CheckResult, FindingSeverity, FindingStatus, StepKind
from .models import CheckedStep, Finding, FindingStep

STATUS_TONES = {FindingStatus.OPEN: "warn", FindingStatus.ACTED: "info", FindingStatus.CLOSED: "ok"}
SEVERITY_TONES = {
    FindingSeverity.MINOR: "neutral",
    FindingSeverity.MAJOR: "warn",
    FindingSeverity.CRITICAL: "fail",
}
RESULT_TONES = {CheckResult.OPEN: "info", CheckResult.SOUND: "ok", CheckResult.DEVIATING: "warn"}
STEP_TONES = {
    StepKind.ASSIGNED: "neutral",
    StepKind.ACTION: "info",
    StepKind.EFFECTIVE: "ok",
    StepKind.INEFFECTIVE: "warn",
}


def finding_row(finding: Finding) -> dict[str, Any]:
    """The finding with tone and words of its state; a day that has passed is said."""
    late = finding.is_overdue
    return {
        "finding": finding,
        "tone": "fail" if late else STATUS_TONES[FindingStatus(finding.status)],
        "word": deadline_on(finding.due_on).text if late else finding.get_status_display(),
        "severity_tone": SEVERITY_TONES[FindingSeverity(finding.severity)],
    }


def step_row(step: FindingStep) -> dict[str, Any]:
    return {"step": step, "tone": STEP_TONES[StepKind(step.kind)]}


def checked_row(step: CheckedStep) -> dict[str, Any]:
    return {"step": step, "tone": RESULT_TONES[CheckResult(step.result)]}
