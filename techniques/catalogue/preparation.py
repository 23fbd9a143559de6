"""Bringing values into one form before they are treated (GB/T 37964 5.4.2 a): settings and row. It protects nobody."""

from __future__ import annotations

from typing import Literal

from techniques.catalogue.family import Family
from techniques.catalogue.table_c1 import PARTLY
from techniques.catalogue.technique import ANY_ROLE, ANY_TYPE, Claims, Scope, Technique
from techniques.core.messages import _
from techniques.core.settings import TechniqueSettings, setting

Unit = Literal["keep", "number", "centimetre", "kilogram", "yuan"]


class NormaliseSettings(TechniqueSettings):
    """5.4.2 a: what is unified. What cannot be read so stays as it is."""

    width: bool = setting(
        _("One width of characters"),
        _(
            "Full-width letters, digits and signs become half-width ones, and signs of one meaning the same (Unicode NFKC)."
        ),
        True,
    )
    blanks: Literal["keep", "outer", "single", "none"] = setting(
        _("Blanks"),
        _("Blanks before and after a value go; those within it become one, or go as well."),
        "outer",
        labels={
            "keep": _("Keep them as they are"),
            "outer": _("Only before and after the value"),
            "single": _("Also several within it, to one"),
            "none": _("All of them"),
        },
    )
    case: Literal["keep", "lower", "upper"] = setting(
        _("Letter case"),
        _("Latin and other letters that have a case."),
        "keep",
        labels={
            "keep": _("Keep it as it is"),
            "lower": _("Small letters"),
            "upper": _("Capital letters"),
        },
    )
    dates: bool = setting(
        _("One form of dates"),
        _("2024/3/1, 2024年3月1日 and 20240301 become 2024-03-01. A date with a time of day stays as it is."),
        False,
    )
    unit: Unit = setting(
        _("One unit of numbers"),
        _(
            "1.75 m and 175 cm both become 175. A number without a unit is taken to be in the chosen one; thousands "
            "separators go. What has another unit stays as it is."
        ),
        "keep",
        labels={
            "keep": _("Keep numbers as they are"),
            "number": _("Numbers without unit"),
            "centimetre": _("Lengths in centimetres"),
            "kilogram": _("Weights in kilograms"),
            "yuan": _("Amounts in yuan"),
        },
    )


NORMALISE = Technique(
    key="preparation.normalise",
    family=Family.PREPARATION,
    name=_("Normalisation"),
    summary=_("Values that are written differently and mean the same are brought into one form; nobody is protected by it."),
    clauses=("5.4.2 a",),
    scope=Scope.COLUMN,
    settings=NormaliseSettings,
    implementation="techniques.families.preparation.normalise:Normalise",
    roles=ANY_ROLE,
    data_types=ANY_TYPE,
    claims=Claims(type=PARTLY, statistics=PARTLY),
    keeps=_("What a value means; how many cells were changed, and how many spellings became one, stands in the report."),
    not_for=_(
        "Not where case, width, blanks or leading zeros of a number tell values apart: two that differ in nothing else become one. "
        "Persons are counted by their key as it stands in the source."
    ),
)  # fmt: skip

TECHNIQUES = (NORMALISE,)
