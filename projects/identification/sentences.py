"""The sentences that the portal writes into verdicts and into whose rows they are, in the reader's language
(:mod:`projects.core.sentences`)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.utils import translation
from django.utils.translation import gettext_lazy as _

from projects.core.sentences import Sentence, fixed, other_languages, written_by_portal

from . import wording
from .models import ColumnVerdict

ADDED = _("%(reason)s (%(why)s)")
CONFIRMED = _("Confirmed after the new scan: %(reason)s")


@written_by_portal
def _sentences() -> Iterable[Sentence]:
    from .persons.forms import PersonKeyForm

    return [fixed(one) for several in PersonKeyForm.offers.values() for one in several]


def reason_read(verdict: ColumnVerdict) -> str:
    """Why a verdict was given, as its reader has it: what spoke for the suggestion is said anew, a person's own words stay."""
    why = (verdict.provenance.get("suggestion") or {}).get("why", ())
    for language in other_languages():
        if (said := _Written(why, language).anew(verdict.reason)) is not None:
            return said
    return verdict.reason


class _Written:
    """How a reason looks that was written in ``language``, where ``why`` spoke for the suggestion."""

    def __init__(self, why: Any, language: str) -> None:
        self.why = why
        with translation.override(language):
            self.known = wording.written(why)
            self.confirmed = str(CONFIRMED) % {"reason": ""}
            self.opening, self.closing = (str(ADDED) % {"reason": "", "why": "\0"}).split("\0")

    def anew(self, text: str) -> str | None:
        """In the active language; None where nothing of it is the portal's."""
        if text in self.known:
            return wording.written(self.why)[0]
        if text.startswith(self.confirmed):
            rest = text.removeprefix(self.confirmed)
            return str(CONFIRMED) % {"reason": self.anew(rest) or rest}
        if text.endswith(self.closing):
            return self._added(text.removesuffix(self.closing))
        return None

    def _added(self, text: str) -> str | None:
        for start in (*self.known, self.confirmed):
            own, opening, _rest = text.partition(self.opening + start)
            said = self.anew(text[len(own) + len(self.opening) :]) if own and opening else None
            if said is not None:
                return str(ADDED) % {"reason": own, "why": said}
        return None
