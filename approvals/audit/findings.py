"""What can be wrong with the log, or with a row that the log should explain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.db import models
from django.utils.translation import gettext_lazy as _


class Finding(models.TextChoices):
    """What is wrong with the log at a row, or with a row of the portal beside it."""

    ALTERED = "altered", _("Row %(seq)s was altered: its content no longer gives its hash.")
    REMOVED = "removed", _("Rows %(first)s to %(last)s were removed.")
    REORDERED = (
        "reordered",
        _("Row %(seq)s does not follow the row before it: rows were swapped or inserted."),
    )
    CUT = "cut", _("The end of the log was cut off: rows %(first)s to %(last)s are missing.")
    HEAD = "head", _("The sealed end of the log does not match its last row (%(seq)s).")
    SEAL = "seal", _("The seal of the log's end was not made with this portal's key.")
    UNREADABLE = "unreadable", _("Line %(line)s of the file is not a row of the log.")
    EMPTIED = (
        "emptied",
        _("The log is empty, or its sealed end is gone, although there are accounts or projects."),
    )
    KEY = (
        "key",
        _(
            "This portal runs with a different master key (DEID_MASTER_KEY) from the one the log was started under."
        ),
    )
    KEY_VALUE = (
        "key_value",
        _(
            "The check value of the master key at the log's end was altered. The key is the right one: the seals fit it."
        ),
    )
    FORGED = (
        "forged",
        _("Row %(seq)s has no seal of this portal: it was written or altered by someone without its key."),
    )
    UNEXPLAINED = (
        "unexplained",
        _("No event explains this row: %(kind)s %(id)s. It was written bypassing the portal."),
    )
    CHANGED = (
        "changed",
        _("%(kind)s %(id)s is no longer as event %(seq)s left it: it was changed bypassing the portal."),
    )
    GONE = (
        "gone",
        _(
            "%(kind)s %(id)s, which event %(seq)s left, no longer exists: it was removed bypassing the portal."
        ),
    )
    UNSEALED = (
        "unsealed",
        _(
            "What is stored under the kind “%(kind)s” does not match what the end of the log seals: "
            "rows or events were removed, or earlier ones were put back."
        ),
    )
    DIGESTS = "digests", _("The digests of all rows at the log's end were not sealed with this portal's key.")
    CHECK = (
        "check",
        _(
            "The result of this check is not sealed by the portal: it dates from before checks were sealed, or it was altered. Check again."
        ),
    )
    SHORTER = (
        "shorter",
        _(
            "The log ends at row %(last)s, but row %(seq)s was once written down: the database was "
            "replaced by an older copy, or the log's end was cut off."
        ),
    )
    ANOTHER = (
        "another",
        _("Row %(seq)s has a different hash from the one written down: the log was replaced by another."),
    )
    NO_END = (
        "no_end",
        _("The file has no sealed end: it cannot be known whether rows are missing after row %(seq)s."),
    )


@dataclass(frozen=True)
class Fault:
    kind: Finding
    params: dict[str, Any]

    def __str__(self) -> str:
        words = dict(self.params)
        if "kind" in words:
            words["kind"] = apps.get_model(words["kind"])._meta.verbose_name
        return str(self.kind.label) % words
