"""What the gate measured when the release was approved, to stand beside what is measured again."""

from __future__ import annotations

from collections.abc import Sequence

from projects.releases.models import Release
from projects.verification.models import Verification
from projects.verification.reports.gate import CheckResult
from projects.verification.reports.stored import Number

from .report import RemeasuredCheck


def approved_checks(release: Release) -> list[CheckResult]:
    """The checks of the verification that is sealed into the release; none where it is no longer the one sealed."""
    found = Verification.objects.filter(
        project_id=release.project_id, run_id=release.run_id, content_hash=release.verification_hash
    ).first()
    return found.results if found else []


def with_approved(checks: Sequence[CheckResult], approved: Sequence[CheckResult]) -> list[RemeasuredCheck]:
    """Each check with whether it is met, and with the figure that it had at approval."""
    return [
        RemeasuredCheck.model_validate(
            check.as_json() | {"met": check.passed is True, "approved": _figure(check, approved)}
        )
        for check in checks
    ]


def _figure(check: CheckResult, approved: Sequence[CheckResult]) -> Number | None:
    """The number as it was kept, a count staying whole; None where nothing alike was measured."""
    alike = [one for one in approved if _about(one) == _about(check) and one.measured is not None]
    # Several targets may be about the same columns, and recipe and targets may each promise something of one: the
    # figure under the same name comes first, then that of the same target.
    alike = [one for one in alike if one.label.message == check.label.message] or alike
    alike = [one for one in alike if one.target == check.target] or alike
    return alike[0].measured if alike else None


def _about(check: CheckResult) -> tuple[str, ...]:
    """What a check measures: of which table and columns, and by which formula."""
    return check.kind, check.table, check.measure, check.label.columns
