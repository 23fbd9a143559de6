"""The families of techniques: Annex A and B of GB/T 37964, with what is said of all members of one."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from techniques.core.attributes import Scene
from techniques.core.messages import _


class Family(StrEnum):
    """The families of Annex A and B, in the standard's order, after what comes before them."""

    PREPARATION = "preparation"
    STATISTICAL = "statistical"
    ENCRYPTION = "encryption"
    SUPPRESSION = "suppression"
    PSEUDONYMISATION = "pseudonymisation"
    GENERALISATION = "generalisation"
    RANDOMISATION = "randomisation"
    SYNTHESIS = "synthesis"
    MODEL = "model"
    NONE = "none"


@dataclass(frozen=True)
class AnnexA:
    """What T/ISC 0078 Annex A says of a technique or family by name, from 1 to 5; None: it follows from the rest of the row."""

    availability: float | None = None
    timeliness: float | None = None
    security: float | None = None
    compliance: float | None = None


@dataclass(frozen=True)
class FamilyRow:
    """What is said of all techniques of a family. ``name`` and ``notice`` are untranslated texts."""

    name: str
    clause: str
    """Where the standard describes the family; empty for no technique at all."""
    notice: str
    """What a recipient must not compute from results (4.4), unless a technique says it better."""
    scenes: frozenset[Scene] = frozenset()
    """T/ISC 0078 Annex B: scenes of use that the whole family suits."""
    annex_a: AnnexA = AnnexA()
    measurable: bool = False
    """5.4.3 a: the risk of its results can be measured by class sizes."""
    makes_values: bool = False
    """5.5.2 a: its results are made by a key or by drawing, so that one equal to somebody's own is judged by chance."""


_DEVELOPMENT = frozenset({Scene.DEVELOPMENT})
_LOSSY = AnnexA(availability=2.0)
"""A.1 b: aggregation, suppression, statistics, random techniques, generalisation (of which the models are made): low."""

FAMILIES: dict[Family, FamilyRow] = {
    Family.PREPARATION: FamilyRow(
        _("Preparation"),
        "5.4.2",
        _("Values were brought into one form; how they were written in the source is not to be seen."),
    ),
    Family.STATISTICAL: FamilyRow(
        _("Statistical techniques"),
        "A.1",
        _("The rows are a part of the source, or figures of groups of its rows; do not look for single people in them."),
        annex_a=_LOSSY,
    ),
    Family.ENCRYPTION: FamilyRow(
        _("Cryptographic techniques"),
        "A.2",
        _("Values are encrypted; compare them as equal or different only, unless the technique says more."),
        makes_values=True,
    ),
    Family.SUPPRESSION: FamilyRow(
        _("Suppression"),
        "A.3",
        _("Parts of the values are missing; do not count, match or sort by what is hidden."),
        annex_a=AnnexA(availability=2.0, security=2.0), measurable=True,
    ),
    Family.PSEUDONYMISATION: FamilyRow(
        _("Pseudonymisation"),
        "A.4",
        _(
            "A pseudonym only tells which values of its column, or of columns linked with it, were "
            "equal; do not join it with anything beside this release."
        ),
        _DEVELOPMENT,
        annex_a=AnnexA(security=2.0), makes_values=True,
    ),
    Family.GENERALISATION: FamilyRow(
        _("Generalisation"),
        "A.5",
        _("Values are coarser than in the source; do not compute finer figures from them."),
        _DEVELOPMENT | {Scene.STATISTICS},
        annex_a=_LOSSY, measurable=True,
    ),
    Family.RANDOMISATION: FamilyRow(
        _("Randomisation"),
        "A.6",
        _("Single values are not true; only figures about many rows can be relied on."),
        _DEVELOPMENT,
        annex_a=_LOSSY,
    ),
    Family.SYNTHESIS: FamilyRow(
        _("Synthesis"),
        "A.7",
        _("Values are made up and true of nobody; only figures about many rows can be relied on, and only roughly."),
        _DEVELOPMENT,
        makes_values=True,
    ),
    Family.MODEL: FamilyRow(
        _("Privacy models"),
        "B.1",
        _("Values are coarser and some may be suppressed; small groups are not reliable."),
        frozenset({Scene.STATISTICS}),
        annex_a=_LOSSY, measurable=True,
    ),
    Family.NONE: FamilyRow(_("No technique"), "", _("Unchanged.")),
}  # fmt: skip
