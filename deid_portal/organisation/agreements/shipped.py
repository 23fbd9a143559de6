"""Clauses that a first version may begin with: what data use agreements settle beside what the portal carries out. None of them stands
in an agreement until the organisation puts it in force."""

from __future__ import annotations

from typing import NamedTuple

from django.utils import translation
from django.utils.translation import gettext as _

from projects.releases.agreements.clauses import Clause
from techniques.core.messages import gettext_noop


class Draft(NamedTuple):
    """Both untranslated."""

    matter: str
    text: str


DRAFTS = (
    Draft(gettext_noop("Staff of the recipient"), gettext_noop("The recipient gives access only to named members of staff who need the data for the stated purpose, have committed themselves to confidentiality in writing, and are trained.")),
    Draft(gettext_noop("Commissioned processing"), gettext_noop("The recipient has the data processed by others only with the provider's prior written consent, and answers for them as for its own acts.")),
    Draft(gettext_noop("Results and publication"), gettext_noop("What the recipient publishes on the basis of the data lets nobody be re-identified: it holds aggregated figures alone, and is shown to the provider before it is published.")),
    Draft(gettext_noop("Inspection"), gettext_noop("The provider may inspect with reasonable notice whether this agreement is kept, by itself or through a third party bound to confidentiality.")),
    Draft(gettext_noop("Liability"), gettext_noop("Who breaks this agreement bears the damage that arises from it to persons and to the other side, by the applicable law.")),
    Draft(gettext_noop("Disputes"), gettext_noop("The two sides first seek to settle a dispute by negotiation; otherwise the court that is competent at the provider's seat decides.")),
)  # fmt: skip


def shipped() -> tuple[Clause, ...]:
    """The clauses in both languages."""
    return tuple(
        Clause(
            matter_zh=_in("zh-hans", one.matter),
            matter_en=_in("en", one.matter),
            zh=_in("zh-hans", one.text),
            en=_in("en", one.text),
        )
        for one in DRAFTS
    )


def _in(language: str, text: str) -> str:
    with translation.override(language):
        return _(text)
