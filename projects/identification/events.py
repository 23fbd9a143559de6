"""Sentences of the audit log about identification."""

from django.utils.translation import gettext_lazy as _

from approvals.audit.registry import audit_action, audit_words
from projects.objective.enums import Classification
from techniques.core.kinds import KINDS

from .enums import ColumnRole

_KIND_NAMES = {code: _(kind.name) for code, kind in KINDS.items()}
audit_words("role", ColumnRole)
audit_words("old_role", ColumnRole)
audit_words("column_grade", Classification)
for _fact in ("kind", "kinds", "overruled"):
    audit_words(_fact, _KIND_NAMES)

SCAN_STARTED = audit_action("identification.scan_started", _("%(actor)s started the scan “%(subject)s”"))
SCAN_FINISHED = audit_action(
    "identification.scan_finished",
    _(
        "The scan “%(subject)s” has read %(rows)s rows of %(columns)s columns and found "
        "identifiers in %(columns_with_findings)s of them"
    ),
)
SCAN_FAILED = audit_action(
    "identification.scan_failed", _("The scan “%(subject)s” ended without a result (%(why)s)")
)
VERDICT_GIVEN = audit_action(
    "identification.verdict_given",
    _("%(actor)s gave the verdict “%(role)s” about the column “%(column)s” (%(reason)s)"),
)
VERDICT_CHANGED = audit_action(
    "identification.verdict_changed",
    _(
        "%(actor)s changed the verdict about the column “%(column)s” from “%(old_role)s” to “%(role)s” (%(reason)s)"
    ),
)
FINDING_OVERRULED = audit_action(
    "identification.finding_overruled",
    _(
        "%(actor)s gave the verdict “%(role)s” about the column “%(column)s” against the finding "
        "%(overruled)s (%(reason)s)"
    ),
)
ROWS_OF_PERSONS = audit_action(
    "identification.rows_of_persons",
    _(
        "%(actor)s decided that the %(rows)s rows of “%(subject)s” belong to %(persons)s persons, by the "
        "key %(columns)s (%(reason)s)"
    ),
)
ROWS_ARE_PERSONS = audit_action(
    "identification.rows_are_persons",
    _("%(actor)s decided that each of the %(rows)s rows of “%(subject)s” is one person (%(reason)s)"),
)
