"""Forms of verification: they translate, and decide nothing."""

from __future__ import annotations

import uuid
from collections.abc import Iterable

from django.utils.translation import gettext_lazy as _

from approvals.decisions.models import Decision
from projects.core.forms import DecisionForm


class ReleaseDecisionForm(DecisionForm):
    """The decision about the verified result."""

    hints = {
        Decision.APPROVED: _("Exactly this result may be released; your signature pins its hash."),
        Decision.RETURNED: _("The executor goes back to processing; everything measured is kept."),
        Decision.REJECTED: _("The project ends here and nothing is released."),
    }


def ids_read(texts: Iterable[str]) -> list[uuid.UUID]:
    """The ids among what a form posted; what is none is dropped."""
    found = []
    for text in texts:
        try:
            found.append(uuid.UUID(text))
        except ValueError:
            continue
    return found
