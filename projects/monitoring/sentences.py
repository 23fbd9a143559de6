"""The sentences that the portal writes into reviews and conclusions; :mod:`projects.core.sentences` says them in the reader's language."""

from __future__ import annotations

import re

from projects.core.help.clauses import BETWEEN_TITLES, CLAUSE_TEXTS
from projects.core.sentences import Gap, Sentence, fixed, kept, one_of, own_line, written_by_portal

from .forms import FOLLOWS, MET, NOT_MET, OBJECT, REQUIREMENT, ConclusionForm, ReviewForm
from .oversight.forms import RecordsReviewForm

_title = one_of(*(one.title for one in CLAUSE_TEXTS.values()))


def _titles(text: str, language: str) -> str | None:
    """What a clause asks; of one that is read together, what each part asks."""
    said = [_title.said(one, language) for one in text.split(BETWEEN_TITLES)]
    return None if None in said else BETWEEN_TITLES.join(map(str, said))


def _followed() -> str:
    return f"{REQUIREMENT}{FOLLOWS}%(comment)s"


@written_by_portal
def _sentences() -> tuple[Sentence, ...]:
    offered = [
        one for form in (ReviewForm, RecordsReviewForm) for several in form.offers.values() for one in several
    ]
    # The longest first: a letter belongs to the number, not to the title.
    known = sorted((one.clause for one in CLAUSE_TEXTS.values()), key=len, reverse=True)
    numbers = "|".join(map(re.escape, known))
    gaps = {"clause": kept(numbers), "title": Gap(_titles), "said": one_of(MET, NOT_MET)}
    return (
        *map(fixed, (*offered, ReviewForm.ALL_MET, ReviewForm.ONE_BY_ONE, ConclusionForm.STILL_MET)),
        Sentence(lambda: str(OBJECT), {"title": Gap(own_line), "hash": kept("[0-9a-f]+")}),
        Sentence(lambda: str(REQUIREMENT), gaps),
        Sentence(_followed, gaps),
    )
