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
from techniques.core.messages import gettext_noop
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
        }


_NOTHING = gettext_noop("Nothing.")
_SUPPRESS = gettext_noop("Suppress")
_REVERSIBLE = gettext_noop("Encrypt reversibly")
_PARTIAL = gettext_noop("Show in part")
_RANDOM = gettext_noop("Replace at random")
_SYNTHETIC = gettext_noop("Make up")
_K = Identifier


def _preset(kind: Identifier, key: str, name: str, technique: str, keeps: str, /, **settings: Any) -> Preset:
    return Preset(kind, key, name, technique, MappingProxyType(settings), keeps)


_SURNAME = gettext_noop("The family name and the number of characters.")
_COUNT = gettext_noop("Who occurs how often.")
_REMOVE = "suppression.remove_column"

PRESETS: tuple[Preset, ...] = (
    _preset(_K.NAME, "generalise", gettext_noop("Family name only"), "suppression.mask_identifier", _SURNAME,
            kind="name", character="某"),
    _preset(_K.NAME, "suppress", _SUPPRESS, _REMOVE, _NOTHING),
    _preset(_K.NAME, "stars", gettext_noop("The same stars for all"), "suppression.mask", _NOTHING, keep_length=False),
    _preset(_K.NAME, "random", _RANDOM, "synthesis.identifier", _COUNT, kind="name"),
    _preset(_K.NAME, "dictionary", gettext_noop("Names from a dictionary"), "pseudonymization.name_dictionary",
            gettext_noop("That it is a name; equal names stay equal."), size=200),
    _preset(_K.NAME, "reversible", _REVERSIBLE, "encryption.deterministic", _COUNT),
    _preset(_K.ID_NUMBER, "suppress", _SUPPRESS, _REMOVE, _NOTHING),
    _preset(_K.ID_NUMBER, "partial", _PARTIAL, "suppression.mask_identifier",
            gettext_noop("Region and last four characters."), kind="id_number"),
    _preset(_K.ID_NUMBER, "reversible", _REVERSIBLE, "encryption.identifier",
            gettext_noop("A valid check digit; the number comes back with the key."), kind="id_number"),
    _preset(_K.ID_NUMBER, "synthetic", _SYNTHETIC, "synthesis.identifier",
            gettext_noop("A valid check digit; who occurs how often."), kind="id_number"),
    _preset(_K.ID_NUMBER, "sequence", gettext_noop("Number without a meaning"), "pseudonymization.random", _COUNT,
            length=18, alphabet="digits"),
    _preset(_K.BANK_CARD, "suppress", _SUPPRESS, _REMOVE, _NOTHING),
    _preset(_K.BANK_CARD, "partial", _PARTIAL, "suppression.mask_identifier",
            gettext_noop("Issuer and last four digits."), kind="bank_card"),
    _preset(_K.BANK_CARD, "reversible", _REVERSIBLE, "encryption.identifier",
            gettext_noop("A valid check digit and the issuer; the number comes back with the key."),
            kind="bank_card", keep_leading=True),
    _preset(_K.BANK_CARD, "synthetic", _SYNTHETIC, "synthesis.identifier",
            gettext_noop("A valid check digit; who occurs how often."), kind="bank_card"),
    _preset(_K.ADDRESS, "generalise", gettext_noop("Province only"), "generalization.region",
            gettext_noop("The province."), unit="province"),
    _preset(_K.ADDRESS, "partial", _PARTIAL, "suppression.mask_identifier",
            gettext_noop("The province, and of what kind its divisions are."), kind="address"),
    _preset(_K.ADDRESS, "divisions", gettext_noop("Without road and house"), "generalization.region",
            gettext_noop("Province, city and county."), unit="county"),
    _preset(_K.ADDRESS, "suppress", _SUPPRESS, _REMOVE, _NOTHING),
    _preset(_K.ADDRESS, "synthetic", _SYNTHETIC, "synthesis.identifier",
            gettext_noop("That it is an address; who occurs how often."), kind="address"),
    _preset(_K.PHONE, "suppress", _SUPPRESS, _REMOVE, _NOTHING),
    _preset(_K.PHONE, "partial", _PARTIAL, "suppression.mask_identifier",
            gettext_noop("Network and last four digits."), kind="phone"),
    _preset(_K.PHONE, "random", _RANDOM, "pseudonymization.random",
            gettext_noop("Eleven digits; who occurs how often."), length=11, alphabet="digits"),
    _preset(_K.PHONE, "reversible", _REVERSIBLE, "encryption.format_preserving",
            gettext_noop("The network and the length; the number comes back with the key."), keep_left=3),
    _preset(_K.NUMBER, "generalise", gettext_noop("Intervals"), "generalization.intervals",
            gettext_noop("The interval."), width=10.0),
    _preset(_K.NUMBER, "suppress", _SUPPRESS, _REMOVE, _NOTHING),
    _preset(_K.NUMBER, "top_coding", gettext_noop("Top coding: 20,000 people or more beyond"),
            "generalization.top_bottom_coding", gettext_noop("Every value below the threshold."), top_rows=20_000),
    _preset(_K.NUMBER, "partial", gettext_noop("Leading digits"), "generalization.rounding",
            gettext_noop("Thousands and above."), base=1000.0, method="down"),
    _preset(_K.NUMBER, "swap", gettext_noop("Swap among the rows"), "randomization.permutation",
            gettext_noop("Every figure about the column alone.")),
    _preset(_K.NUMBER, "noise", gettext_noop("Add noise"), "randomization.noise",
            gettext_noop("Mean and variance, in expectation."), spread=0.2, unit="deviation", keep_variance=True),
    _preset(_K.NUMBER, "synthetic", _SYNTHETIC, "synthesis.sequential",
            gettext_noop("The spread of the column, roughly.")),
    _preset(_K.DATE, "generalise", gettext_noop("Year only"), "generalization.date",
            gettext_noop("The year."), unit="year"),
    _preset(_K.DATE, "partial", _PARTIAL, "suppression.mask_identifier",
            gettext_noop("Year and day of the month."), kind="date"),
    _preset(_K.DATE, "month", gettext_noop("Period"), "generalization.date",
            gettext_noop("Year and month."), unit="month"),
    _preset(_K.DATE, "suppress", _SUPPRESS, _REMOVE, _NOTHING),
    _preset(_K.DATE, "swap", gettext_noop("Swap among the rows"), "randomization.permutation",
            gettext_noop("Every figure about the column alone.")),
    _preset(_K.DATE, "noise", gettext_noop("Add noise"), "randomization.date_noise",
            gettext_noop("The mean, in expectation."), maximum=32),
    _preset(_K.DATE, "shift", gettext_noop("Shift by subject"), "randomization.date_shift",
            gettext_noop("Distances between the dates of one subject."), subject="subject"),
    _preset(_K.DATE, "synthetic", _SYNTHETIC, "synthesis.sequential",
            gettext_noop("The spread of the column, roughly.")),
    _preset(_K.POSITION, "noise_town", gettext_noop("Noise of up to 100 m, in town"), "randomization.position_noise",
            gettext_noop("The neighbourhood."), latitude="latitude", longitude="longitude", surroundings="town"),
    _preset(_K.POSITION, "noise_country", gettext_noop("Noise of up to 5 km, elsewhere"),
            "randomization.position_noise", gettext_noop("The surroundings."), latitude="latitude",
            longitude="longitude", surroundings="country"),
    _preset(_K.POSITION, "areas", gettext_noop("Areas of more than 20,000 people"), "generalization.position",
            gettext_noop("The area."), latitude="latitude", longitude="longitude", minimum_people=20_001),
    _preset(_K.POSITION, "divisions", gettext_noop("City or province"), "generalization.region",
            gettext_noop("The city."), unit="city"),
    _preset(_K.POSITION, "suppress", _SUPPRESS, _REMOVE, _NOTHING),
)  # fmt: skip


def presets(kind: Identifier | None = None) -> tuple[Preset, ...]:
    """All presets, or those for one kind, in the standard's order."""
    return tuple(preset for preset in PRESETS if kind in (None, preset.kind))
