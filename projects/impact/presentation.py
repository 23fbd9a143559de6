"""An assessment as rows: its page, its paper and its API share them."""

from __future__ import annotations

from django.utils.translation import gettext as _

from approvals.countries import country_name

from .content import Content
from .enums import LawfulBasis, Level, Occasion, Transfer
from .models import ImpactAssessment


def occasion_texts(codes: list[str]) -> list[str]:
    return [str(Occasion(one).label) for one in codes if one in Occasion.values]


def answer_rows(content: Content) -> list[tuple[str, str]]:
    """(question, answer) in the order of the law."""
    rows = [
        (_("Lawful, legitimate and necessary: purpose and manner"), content.lawful),
        (_("Impact on the people concerned, and the risk to their security"), content.impact),
        (_("How seriously they are affected"), str(Level(content.level).label)),
        (_("Measures: lawful, effective and proportionate to the risk"), content.measures),
        (_("Automated decisions"), _("Yes") if content.automated else _("No")),
        (_("What the processing is based on"), str(LawfulBasis(content.basis).label)),
        (_("Separate consent"), content.separate_consent or "–"),
        (_("Where the recipients are located"), str(Transfer(content.transfer).label)),
    ]
    if content.transfer != Transfer.INSIDE:
        where = _("; ").join(map(country_name, content.countries)) or content.country
        rows += [(_("Countries and regions"), where), (_("Number or file of it"), content.reference)]
    return rows


def assessment_rows(assessment: ImpactAssessment) -> list[tuple[str, str]]:
    """Why it was made, and its answers."""
    why = "\n".join(occasion_texts(assessment.occasions)) or "–"
    return [(_("Why it comes first"), why), *answer_rows(assessment.answers)]
