"""Treatments by kind of identifier (GB/T 37964 C.2): a technique with settings to start from, per kind and purpose.

Each preset is one of the ways that the standard lists for the kind. Where a step names other columns (of the
subject, or of the two degrees) the preset has default names, to be changed in the recipe.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from techniques import catalogue
from techniques.core.kinds import Identifier
from techniques.core.messages import _
from techniques.core.settings import ClosedModel


@dataclass(frozen=True)
class Preset:
    """One way to treat one kind of identifier. ``name`` and ``keeps`` are untranslated texts."""

    kind: Identifier
    key: str
    name: str
    technique: str
    settings: Mapping[str, Any]
    keeps: str
    """What of the value stays."""

    @property
    def clause(self) -> str:
        return self.kind.clause

    @property
    def limit(self) -> str:
        """What it cannot do for a quasi-identifier, untranslated; empty for a way that can stand alone."""
        return FORMS_NO_CLASSES if catalogue.get(self.technique).forms_no_classes else ""

    @property
    def masks_live(self) -> bool:
        """Whether it may treat a single value for display (T/ISC 0078 B.3)."""
        return catalogue.get(self.technique).masks_live

    def parameters(self) -> ClosedModel:
        """The settings as the technique reads them."""
        return catalogue.get(self.technique).settings.model_validate(dict(self.settings), strict=True)

    def as_dict(self) -> dict[str, Any]:
        """JSON-ready; ``parameters`` may stand in a recipe as they are."""
        return {
            "kind": self.kind.value,
            "key": self.key,
            "name": self.name,
            "clause": self.clause,
            "technique": self.technique,
            "parameters": dict(self.settings),
            "keeps": self.keeps,
            "limit": self.limit,
        }


FORMS_NO_CLASSES = _(
    "By itself it makes no records alike: a quasi-identifier treated so does not pass the check of k; generalise it too, or leave "
    "it to a model."
)
_NOTHING = _("Nothing.")
_SUPPRESS = _("Suppress")
_REVERSIBLE = _("Encrypt reversibly")
_PARTIAL = _("Show in part")
_RANDOM = _("Replace at random")
_SYNTHETIC = _("Make up")
_K = Identifier


def _preset(kind: Identifier, key: str, name: str, technique: str, keeps: str, /, **settings: Any) -> Preset:
    return Preset(kind, key, name, technique, MappingProxyType(settings), keeps)


_SURNAME = _("The family name and the number of characters.")
_COUNT = _("Who occurs how often.")
_REMOVE = "suppression.remove_column"

PRESETS: tuple[Preset, ...] = (
    _preset(_K.NAME, "generalise", _("Family name only"), "suppression.mask_identifier", _SURNAME,
            kind="name", character="某"),
    _preset(_K.NAME, "suppress", _SUPPRESS, _REMOVE, _NOTHING),
    _preset(_K.NAME, "stars", _("The same stars for all"), "suppression.mask", _NOTHING, keep_length=False),
    _preset(_K.NAME, "random", _RANDOM, "synthesis.identifier", _COUNT, kind="name"),
    _preset(_K.NAME, "dictionary", _("Names from a dictionary"), "pseudonymization.name_dictionary",
            _("That it is a name; equal names stay equal."), size=200),
    _preset(_K.NAME, "reversible", _REVERSIBLE, "encryption.deterministic", _COUNT),
    _preset(_K.ID_NUMBER, "suppress", _SUPPRESS, _REMOVE, _NOTHING),
    _preset(_K.ID_NUMBER, "partial", _PARTIAL, "suppression.mask_identifier",
            _("Region and last four characters."), kind="id_number"),
    _preset(_K.ID_NUMBER, "reversible", _REVERSIBLE, "encryption.identifier",
            _("A valid check digit; the number comes back with the key."), kind="id_number", existing=True),
    _preset(_K.ID_NUMBER, "synthetic", _SYNTHETIC, "synthesis.identifier",
            _("A valid check digit; who occurs how often."), kind="id_number"),
    _preset(_K.ID_NUMBER, "sequence", _("Number without a meaning"), "pseudonymization.random", _COUNT,
            length=18, alphabet="digits"),
    _preset(_K.BANK_CARD, "suppress", _SUPPRESS, _REMOVE, _NOTHING),
    _preset(_K.BANK_CARD, "partial", _PARTIAL, "suppression.mask_identifier",
            _("Issuer and last four digits."), kind="bank_card"),
    _preset(_K.BANK_CARD, "reversible", _REVERSIBLE, "encryption.identifier",
            _("A valid check digit and the issuer; the number comes back with the key."),
            kind="bank_card", keep_leading=True),
    _preset(_K.BANK_CARD, "synthetic", _SYNTHETIC, "synthesis.identifier",
            _("A valid check digit; who occurs how often."), kind="bank_card"),
    _preset(_K.ADDRESS, "generalise", _("Province only"), "generalization.region",
            _("The province."), unit="province"),
    _preset(_K.ADDRESS, "partial", _PARTIAL, "suppression.mask_identifier",
            _("The province, and of what kind its divisions are."), kind="address"),
    _preset(_K.ADDRESS, "divisions", _("Without road and house"), "generalization.region",
            _("Province, city and county."), unit="county"),
    _preset(_K.ADDRESS, "suppress", _SUPPRESS, _REMOVE, _NOTHING),
    _preset(_K.ADDRESS, "synthetic", _SYNTHETIC, "synthesis.identifier",
            _("That it is an address; who occurs how often."), kind="address"),
    _preset(_K.PHONE, "suppress", _SUPPRESS, _REMOVE, _NOTHING),
    _preset(_K.PHONE, "partial", _PARTIAL, "suppression.mask_identifier",
            _("Network and last four digits."), kind="phone"),
    _preset(_K.PHONE, "random", _RANDOM, "pseudonymization.random",
            _("Eleven digits; who occurs how often."), length=11, alphabet="digits"),
    _preset(_K.PHONE, "reversible", _REVERSIBLE, "encryption.format_preserving",
            _("The network and the length; the number comes back with the key."), keep_left=3),
    _preset(_K.NUMBER, "generalise", _("Intervals"), "generalization.intervals",
            _("The interval."), width=10.0),
    _preset(_K.NUMBER, "suppress", _SUPPRESS, _REMOVE, _NOTHING),
    _preset(_K.NUMBER, "top_coding", _("Top coding: 20,000 people or more beyond"),
            "generalization.top_bottom_coding", _("Every value below the threshold."), top_rows=20_000),
    _preset(_K.NUMBER, "partial", _("Leading digits"), "generalization.rounding",
            _("Thousands and above."), base=1000.0, method="down"),
    _preset(_K.NUMBER, "swap", _("Swap among the rows"), "randomization.permutation",
            _("Every figure about the column alone.")),
    _preset(_K.NUMBER, "noise", _("Add noise"), "randomization.noise",
            _("Mean and variance, in expectation."), spread=0.2, unit="deviation", keep_variance=True),
    _preset(_K.NUMBER, "synthetic", _SYNTHETIC, "synthesis.sequential",
            _("The spread of the column, roughly.")),
    _preset(_K.DATE, "generalise", _("Year only"), "generalization.date",
            _("The year."), unit="year"),
    _preset(_K.DATE, "partial", _PARTIAL, "suppression.mask_identifier",
            _("Year and day of the month."), kind="date"),
    _preset(_K.DATE, "month", _("Period"), "generalization.date",
            _("Year and month."), unit="month"),
    _preset(_K.DATE, "suppress", _SUPPRESS, _REMOVE, _NOTHING),
    _preset(_K.DATE, "swap", _("Swap among the rows"), "randomization.permutation",
            _("Every figure about the column alone.")),
    _preset(_K.DATE, "noise", _("Add noise"), "randomization.date_noise",
            _("The mean, in expectation."), maximum=32),
    _preset(_K.DATE, "shift", _("Shift by subject"), "randomization.date_shift",
            _("Distances between the dates of one subject."), subject="subject"),
    _preset(_K.DATE, "synthetic", _SYNTHETIC, "synthesis.sequential",
            _("The spread of the column, roughly.")),
    _preset(_K.POSITION, "noise_town", _("Noise of up to 100 m, in town"), "randomization.position_noise",
            _("The neighbourhood."), latitude="latitude", longitude="longitude", surroundings="town"),
    _preset(_K.POSITION, "noise_country", _("Noise of up to 5 km, elsewhere"),
            "randomization.position_noise", _("The surroundings."), latitude="latitude",
            longitude="longitude", surroundings="country"),
    _preset(_K.POSITION, "areas", _("Areas of more than 20,000 people"), "generalization.position",
            _("The area."), latitude="latitude", longitude="longitude", minimum_people=20_001),
    _preset(_K.POSITION, "divisions", _("City or province"), "generalization.region",
            _("The city."), unit="city"),
    _preset(_K.POSITION, "suppress", _SUPPRESS, _REMOVE, _NOTHING),
)  # fmt: skip


def presets(kind: Identifier | None = None) -> tuple[Preset, ...]:
    """All presets, or those for one kind, in the standard's order."""
    return tuple(preset for preset in PRESETS if kind in (None, preset.kind))
