"""What an assessment contains (article 56), typed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from pydantic import BaseModel, ConfigDict

from approvals.countries import HERE, is_country

from .enums import LawfulBasis, Level, Transfer

LONG = 4000
MOST = {
    "lawful": LONG, "impact": LONG, "measures": LONG, "separate_consent": LONG, "country": 1000, "reference": 200,
}  # fmt: skip
"""The most signs of each text."""
BETWEEN = ", "


class Content(BaseModel):
    """The answers; texts are the assessor's own words."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    lawful: str
    impact: str
    level: Level
    measures: str
    automated: bool
    basis: LawfulBasis
    separate_consent: str
    transfer: Transfer
    country: str
    """Codes of ISO 3166-1, :data:`BETWEEN` them; words in assessments from before codes were asked for."""
    reference: str

    @property
    def countries(self) -> list[str]:
        """The codes of where the data go; none where they stay, or where words say it."""
        found = _codes(self.country)
        return found if self.transfer != Transfer.INSIDE and all(map(is_country, found)) else []


_REQUIRED = ("lawful", "impact", "measures")


def _codes(text: str) -> list[str]:
    return [one.strip() for one in text.split(",") if one.strip()]


def content_read(data: Mapping[str, Any]) -> Content:
    """The answers; raises ``ValidationError`` by field where one that the law asks for is missing, or is longer than :data:`MOST`."""
    texts = {name: str(data.get(name, "")).strip() for name in MOST}
    wrong = {name: [_("The law requires this.")] for name in _REQUIRED if not texts[name]}
    for name, text in texts.items():
        if len(text) > MOST[name]:
            wrong[name] = [_("Too long: at most %(limit)s.") % {"limit": MOST[name]}]
    for name, choices in (("basis", LawfulBasis), ("transfer", Transfer), ("level", Level)):
        if data.get(name) not in choices.values:
            wrong[name] = [_("Choose one of the answers.")]
    if data.get("basis") == LawfulBasis.CONSENT and not texts["separate_consent"]:
        wrong["separate_consent"] = [
            _("Where the processing is based on consent, state when and how the separate consent was given.")
        ]
    is_abroad = data.get("transfer") in Transfer.values and data["transfer"] != Transfer.INSIDE
    texts["country"] = BETWEEN.join(dict.fromkeys(_codes(texts["country"]))) if is_abroad else ""
    if is_abroad and any(not is_country(one) or one == HERE for one in _codes(texts["country"])):
        wrong["country"] = [
            _(
                "State each country or region outside the mainland by its code in ISO 3166-1, such as SG or HK."
            )
        ]
    if is_abroad:
        wrong |= {
            name: [
                _(
                    "For recipients abroad, name the country and give the number of the document that permits the transfer."
                )
            ]
            for name in ("country", "reference")
            if not texts[name]
        }
    if wrong:
        raise ValidationError(wrong)
    return Content(
        **texts,
        level=data["level"],
        automated=bool(data.get("automated")),
        basis=data["basis"],
        transfer=data["transfer"],
    )
