"""What of a verification stands on a person's home page."""

from __future__ import annotations

from django.db.models import Exists, F, OuterRef, Subquery
from django.utils.translation import gettext as _

from projects.core.models import Membership
from projects.core.selectors import reads_along
from projects.core.tasks_registry import work_said
from projects.workflow import State

from .models import Verification

_LAST = Verification.objects.filter(project=OuterRef("project")).order_by("-number")
# What was measured before the project came to this state says nothing of its result.
_FAILED = Verification.objects.filter(
    pk=Subquery(_LAST.values("pk")[:1]), passed=False, requested_at__gte=F("project__state_since")
)
reads_along("last_failed", Exists(_FAILED))


@work_said(State.VERIFICATION)
def last_failed(membership: Membership) -> str:
    """That the result was measured and does not pass, so that measuring it is not what there is to do."""
    failed: bool = membership.last_failed  # type: ignore[attr-defined]
    return _("Verify the result (the last measurement did not pass)") if failed else ""
