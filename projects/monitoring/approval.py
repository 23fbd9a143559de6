"""What the gate measured when the release was approved, to stand beside what is measured again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from projects.releases.models import Release
from projects.verification.enums import CheckKind
from projects.verification.models import Verification

Check = Mapping[str, Any]


def approved_checks(release: Release) -> list[dict[str, Any]]:
    """The checks of the verification that is sealed into the release; none where it is no longer the one sealed."""
    found = Verification.objects.filter(
        project_id=release.project_id, run_id=release.run_id, content_hash=release.verification_hash
    ).first()
    return list(found.checks) if found else []


def with_approved(checks: Sequence[dict[str, Any]], approved: Sequence[Check]) -> list[dict[str, Any]]:
    """Each check with the figure that it had at approval, None where it had none."""
    return [{**check, "approved": _figure(check, approved)} for check in checks]


def _figure(check: Check, approved: Sequence[Check]) -> Any:
    """The number as it was kept, a count staying whole; None where nothing alike was measured."""
    alike = [one for one in approved if _about(one) == _about(check) and one["measured"] is not None]
    # Recipe and targets may each promise something of one column: the figure of the same promise comes first.
    same = [one for one in alike if one["target"] == check["target"]] or alike
    figures = [one["measured"] for one in same]
    if not figures:
        return None
    # The joined view is one check here, that of its smallest class; any other stands by itself.
    return min(figures) if check["kind"] == CheckKind.JOINED else figures[0]


def _about(check: Check) -> tuple[Any, ...]:
    """What a check measures: of l and t also by which formula and of which column."""
    measure = check.get("measure", "")
    return check["kind"], check.get("table", ""), measure, check["label"]["columns"] if measure else ""
