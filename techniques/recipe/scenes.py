"""Treatments by scene of use (T/ISC 0078 Annex B), by a column's role and kind. Each is a place to start from. The
rule of every scene can be read here: what is left out, what replaces the values, and what stays. A kind that a scene
does not name gets the stricter treatment.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from techniques import catalogue
from techniques.core.attributes import AttributeRole, DataType, Scene
from techniques.core.kinds import Identifier, Kind, kind_of
from techniques.core.messages import _
from techniques.core.settings import ClosedModel


@dataclass(frozen=True)
class SceneText:
    """A scene in words; all texts are untranslated."""

    name: str
    clause: str
    aim: str
    way: str
    limit: str = ""
    """What its result cannot be used for; empty where the gate passes it as it is."""


SCENES: dict[Scene, SceneText] = {
    Scene.STATISTICS: SceneText(
        _("Statistical analysis"),
        "B.1",
        _(
            "Relations between the attributes stay, between classes and averages instead of exact values, whose format is lost; "
            "at least k persons share each combination of quasi-identifiers."
        ),
        _("Generalisation into classes of at least k persons, averages of neighbouring amounts."),
    ),
    Scene.DEVELOPMENT: SceneText(
        _("System development and test"),
        "B.2",
        _(
            "Made-up, moved and scrambled values have the form of real ones; identifiers and sensitive attributes are replaced, "
            "moved, scrambled or left out."
        ),
        _("Replacement by values of the same meaning, scrambling, random times and amounts."),
        _(
            "Dates, amounts and categories are moved or scrambled and make no records alike. While quasi-identifiers are left in "
            "the result, the check of k stops it: for a release generalise them, leave them to a model, or make the rows up."
        ),
    ),
    Scene.DISPLAY: SceneText(
        _("Display to users of a running system"),
        "B.3",
        _("Whoever does the work recognises the case; what is hidden cannot be recovered from what is shown."),
        _("Irreversible masks by kind of identifier, coarser values instead of exact ones."),
    ),
    Scene.OPERATIONS: SceneText(
        _("Access by operations staff"),
        "B.3",
        _("Faults can be traced from record to record; the content stays closed."),
        _("Keys become pseudonyms, identifiers are hidden whole, sensitive attributes are left out."),
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Treatment:
    """What a scene does with a column. ``keeps`` is what stays of the value, untranslated.

    ``group`` says which columns share a step: ``settings`` those with the same settings, ``alone`` none,
    ``all`` every column of the technique (a model looks at all of them at once).
    """

    technique: str
    keeps: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    group: str = "settings"

    def parameters(self) -> ClosedModel:
        """The settings as the technique reads them; not for models, whose hierarchies are still to come."""
        return catalogue.get(self.technique).settings.model_validate(dict(self.settings), strict=True)


_NOTHING = _("Nothing.")
_COUNT = _("Who occurs how often.")
_TEXT = _("The text without the identifiers that the rules find in it.")
_EVERYTHING = _("Everything.")
_COLUMN = _("Every figure about the column alone.")
_LENGTH = _("The number of characters.")

_REMOVED = Treatment("suppression.remove_column", _NOTHING)
_REDACTED = Treatment("suppression.redact_text", _TEXT)
_SCRAMBLED = Treatment("randomization.permutation", _COLUMN, group="alone")
_HIDDEN = Treatment("suppression.mask", _LENGTH)

_REASONS = {
    Scene.STATISTICS: _("Neither a direct identifier nor a quasi-identifier by the verdict; needed for the statistics."),
    Scene.DEVELOPMENT: _("No identifier by the verdict; the system under test needs its real range of values."),
    Scene.DISPLAY: _("Not an identifier by the verdict; the work of the system's users needs it."),
    Scene.OPERATIONS: _("Not an identifier by the verdict; needed to trace faults."),
}  # fmt: skip


def reason(scene: Scene) -> str:
    """Why a column stays as it is in this scene, untranslated."""
    return _REASONS[scene]


def treatment(scene: Scene, role: AttributeRole, kind: str) -> Treatment:
    """What ``scene`` does with a column of this role and kind; every role and kind has an answer."""
    row = kind_of(kind)
    if row.left_out:
        return _REMOVED
    if role is AttributeRole.OTHER:
        return (
            _REDACTED if kind == "free_text" else Treatment("as_is", _EVERYTHING, {"reason": reason(scene)})
        )
    return _BY_SCENE[scene](role, row)


def _statistics(role: AttributeRole, kind: Kind) -> Treatment:
    if role is AttributeRole.DIRECT_IDENTIFIER:
        return _pseudonym("P-", 24) if kind.is_key else _REMOVED
    if role is AttributeRole.QUASI_IDENTIFIER:
        keeps = _("The class that the value falls in, as fine as the target allows.")
        return Treatment("model.k_anonymity", keeps, group="all")
    if kind.amount:
        keeps = _("Mean and sum of the column; each value is the average of at least k neighbours.")
        return Treatment("randomization.microaggregation", keeps, group="alone")
    return Treatment("as_is", _EVERYTHING, {"reason": reason(Scene.STATISTICS)})


def _development(role: AttributeRole, kind: Kind) -> Treatment:
    if kind.made_up and role in (AttributeRole.DIRECT_IDENTIFIER, AttributeRole.QUASI_IDENTIFIER):
        keeps = _("That it is a valid value of its kind; who occurs how often.")
        return Treatment("synthesis.identifier", keeps, {"kind": kind.made_up})
    if role is AttributeRole.DIRECT_IDENTIFIER:
        if kind.treated_as is Identifier.PHONE:
            keeps = _("Eleven digits; who occurs how often.")
            return Treatment(
                "pseudonymization.random", keeps, {"length": 10, "alphabet": "digits", "prefix": "1"}
            )
        return _REMOVED if kind.code == "free_text" else _pseudonym("T-", 16)
    if kind.data_type is DataType.DATE:
        keeps = _("That it is a date, within 30 days of the true one.")
        return Treatment("randomization.date_noise", keeps, {"maximum": 30})
    if kind.amount:
        keeps = _("Mean and variance, in expectation.")
        settings = {"spread": 0.3, "unit": "deviation", "keep_variance": True}
        return Treatment("randomization.noise", keeps, settings)
    return _SCRAMBLED


def _display(role: AttributeRole, kind: Kind) -> Treatment:
    if role is AttributeRole.DIRECT_IDENTIFIER:
        if kind.mask:
            keeps = _("What tells one case from the next, by kind of identifier.")
            return Treatment("suppression.mask_identifier", keeps, {"kind": kind.mask})
        if kind.code == "free_text":
            return _REDACTED
        keeps = _("The last two characters and the length.")
        return Treatment("suppression.mask", keeps, {"keep_right": 2})
    if role is AttributeRole.QUASI_IDENTIFIER:
        return _coarse(kind, date="month", place="city")
    return Treatment("as_is", _EVERYTHING, {"reason": reason(Scene.DISPLAY)})


def _operations(role: AttributeRole, kind: Kind) -> Treatment:
    if role is AttributeRole.DIRECT_IDENTIFIER:
        if kind.code == "free_text":
            return _REDACTED
        return _pseudonym("O-", 16) if kind.is_key else _HIDDEN
    if role is AttributeRole.QUASI_IDENTIFIER:
        return _coarse(kind, date="year", place="province")
    return _REMOVED


_BY_SCENE = {
    Scene.STATISTICS: _statistics,
    Scene.DEVELOPMENT: _development,
    Scene.DISPLAY: _display,
    Scene.OPERATIONS: _operations,
}


def _pseudonym(prefix: str, length: int) -> Treatment:
    keeps = _("Which rows belong together; equal values stay equal.")
    return Treatment("pseudonymization.keyed_hash", keeps, {"prefix": prefix, "length": length})


_PERIODS = {"month": _("Year and month."), "year": _("The year.")}
_DIVISIONS = {"city": _("The city."), "province": _("The province.")}


def _coarse(kind: Kind, *, date: str, place: str) -> Treatment:
    if kind.data_type is DataType.DATE:
        return Treatment("generalization.date", _PERIODS[date], {"unit": date})
    if kind.treated_as is Identifier.ADDRESS:
        return Treatment("generalization.region", _DIVISIONS[place], {"unit": place})
    if kind.interval is not None:
        keeps = _("The interval.")
        return Treatment("generalization.intervals", keeps, {"width": kind.interval})
    return _HIDDEN
