"""Synthesis (GB/T 37964 A.7): settings and rows."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal

from pydantic import field_validator
from pydantic_core import PydanticCustomError

from techniques.catalogue.family import Family
from techniques.catalogue.shared_settings import result_decimals
from techniques.catalogue.table_c1 import PARTLY, TABLE_C1, YES
from techniques.catalogue.technique import (
    ANY_TYPE,
    IDENTIFYING,
    NOT_DIRECT,
    Claims,
    Missing,
    Scope,
    Technique,
)
from techniques.core.attributes import DataType
from techniques.core.messages import _
from techniques.core.settings import TechniqueSettings, setting

_row = partial(Technique, family=Family.SYNTHESIS, random=True)


class SynthesisSettings(TechniqueSettings):
    """What all synthesis of rows shares: how its closeness to the real rows is tested."""

    held_out: float = setting(
        _("Share of the rows held out"),
        _(
            "They are not learned from. Made-up rows should be no closer to the rows learned from than these are."
        ),
        0.1,
        gt=0,
        le=0.5,
    )
    too_close: Literal["warn", "error"] = setting(
        _("If made-up rows are too close to real ones"),
        _("A fit that is too close may give away what it was learned from."),
        "warn",
        labels={"warn": _("Say so in the report"), "error": _("Stop the run")},
    )


class SyntheticIdentifierSettings(TechniqueSettings):
    """C.2.1 to C.2.5: a made-up identifier of the right form stands for each distinct one."""

    kind: Literal["id_number", "bank_card", "phone", "name", "address"] = setting(
        _("Kind of identifier"),
        _(
            "ID numbers by GB 11643 of counties that exist and bank cards, both with a right check digit, mobile "
            "numbers, names of common characters, addresses in divisions that exist."
        ),
        labels={
            "id_number": _("ID number"),
            "bank_card": _("Bank card number"),
            "phone": _("Phone number"),
            "name": _("Name"),
            "address": _("Address"),
        },
    )


IDENTIFIER = _row(
    key="synthesis.identifier",
    name=_("Made-up identifiers"),
    summary=_(
        "Each identifier becomes a made-up one of the right form, with a valid check digit where it has one."
    ),
    clauses=("A.7", "C.2.1", "C.2.2", "C.2.3", "C.2.4", "C.2.5"),
    scope=Scope.COLUMN,
    settings=SyntheticIdentifierSettings,
    implementation="techniques.families.synthesis.identifier:SyntheticIdentifier",
    roles=IDENTIFYING,
    data_types=frozenset({DataType.TEXT, DataType.REGION}),
    # One identifier takes the place of another, row by row: who occurs how often, and what else the row says, stays.
    properties=TABLE_C1["pseudonymisation"],
    claims=Claims(format=PARTLY, type=YES, distinctness=YES, statistics=PARTLY),
    replaces_by_made_up=True,
    keeps=_(
        "The kind and its check digit; which rows belong together and how often each value occurs. Length and "
        "characters are those of the kind, not of the value."
    ),
    not_for=_(
        "Not as the only measure: the rows stay those of the persons, one identifier for another, so linking and singling "
        "out are not prevented. Not where a made-up number might be dialled, charged or looked up: it may be somebody's "
        "outside the table."
    ),
)


class SequentialSynthesisSettings(SynthesisSettings):
    """A.7: columns are made up one after the other, each by a decision tree of those before it."""

    leaf_rows: int = setting(
        _("Fewest rows behind a value"),
        _(
            "Each value is drawn from similar rows, at least so many of them, or those of so many persons where it is known whose "
            "rows they are: more of them are further from the real rows."
        ),
        50,
        between=(5, 100_000),
    )
    minimum_count: int = setting(
        _("Fewest rows of a category"),
        _("A category that fewer rows, or persons where they are known, have is not made up."),
        5,
        between=(1, 1_000_000),
    )
    categories: list[str] = setting(
        _("Columns whose numbers or dates are categories"),
        _("Codes that look like numbers, such as postcodes: nothing lies between two of them."),
        default_factory=list,
        max_length=1000,
        columns=True,
    )


SEQUENTIAL = _row(
    key="synthesis.sequential",
    name=_("Made-up rows by decision trees"),
    summary=_(
        "All values of the columns are made up, one column after the other, as alike to the real ones as the "
        "columns before it say; a test tells whether the fit is too close."
    ),
    clauses=("A.7", "C.2.6", "C.2.7"),
    scope=Scope.TABLE,
    settings=SequentialSynthesisSettings,
    implementation="techniques.families.synthesis.sequential:SequentialSynthesis",
    whole_table=True,
    roles=NOT_DIRECT,
    data_types=ANY_TYPE,
    properties=TABLE_C1["synthesis"],
    missing=Missing.DRAWN,
    claims=Claims(type=YES, statistics=PARTLY),
    keeps=_(
        "The spread of each column and the relations among the columns of the step, roughly; the report "
        "says how roughly. Relations with all other columns are lost."
    ),
    not_for=_(
        "Not for results about single people or rare cases, and not with columns left real beside them: a row "
        "then says something true and something made up. It is no proof against an attacker."
    ),
    previewable=False,
)


class PrivateSynthesisSettings(SynthesisSettings):
    """A.7 c, B.2: rows made up from noisy counts alone, differentially private."""

    epsilon: float = setting(
        _("Privacy budget (epsilon)"),
        _(
            "Of the whole step: exchanging one row for another changes the chance of any result by at most the "
            "factor exp(epsilon). Where it is known whose rows they are, so does exchanging all rows of one person. "
            "The number of rows, or of rows of each person, is no secret."
        ),
        1.0,
        between=(0.01, 50),
    )
    delta: float = setting(
        _("Chance of an exception (delta)"),
        _(
            "Half of it for columns whose values are taken from the data, half for Gaussian noise where that is the "
            "smaller one. What was spent stands in the report."
        ),
        1e-9,
        gt=0,
        le=1e-3,
    )
    domains: dict[str, str] = setting(
        _("Column and its possible values"),
        _(
            "Known without the data: 0..120 for numbers, 1900-01-01..2024-12-31 for dates, A|B|C for categories. "
            "Values of other columns are taken from the data where noise leaves enough rows, and the rest becomes "
            "missing."
        ),
        default_factory=dict,
        max_length=1000,
        columns=True,
    )
    intervals: int = setting(
        _("Intervals of a number or date"),
        _("Counts are taken per interval; inside it values are spread evenly."),
        20,
        between=(2, 200),
    )
    maximum_categories: int = setting(
        _("Most values of a category"),
        _("The most frequent by the noisy counts; the rest becomes missing."),
        40,
        between=(2, 500),
    )
    decimals: int = result_decimals(_("Of columns with a range of numbers."), 0)

    @field_validator("domains")
    @classmethod
    def _readable(cls, given: dict[str, str]) -> dict[str, str]:
        for column, text in given.items():
            try:
                domain_of(text)
            except ValueError:
                raise PydanticCustomError(
                    "domain_unreadable",
                    _("{column}: write a range such as 0..120, or values such as A|B|C"),
                    {"column": column},
                ) from None
        return given


PRIVATE = _row(
    key="synthesis.private",
    name=_("Made-up rows, differentially private"),
    summary=_(
        "All values of the columns are made up from noisy counts of columns and pairs of columns; epsilon bounds "
        "what anybody can learn of one row, or of one person where it is known whose rows they are."
    ),
    clauses=("A.7", "B.2", "T/ISC 0078 10.4"),
    scope=Scope.TABLE,
    settings=PrivateSynthesisSettings,
    implementation="techniques.families.synthesis.private:PrivateSynthesis",
    whole_table=True,
    roles=NOT_DIRECT,
    data_types=ANY_TYPE,
    properties=TABLE_C1["differential_privacy"],
    missing=Missing.DRAWN,
    claims=Claims(type=YES, statistics=PARTLY),
    keeps=_(
        "The spread of each column and the relations along a tree of pairs, up to noise; all other relations "
        "come through it or are lost."
    ),
    not_for=_(
        "Not for small tables or a small epsilon with many values: noise drowns the counts. The seed gives the "
        "noise away: destroy it, or guard it like the data. The noise grows with the most rows that one person has: "
        "make it one row per person first. Where nobody said whose rows they are, epsilon is of one row, not of one person."
    ),
    previewable=False,
    bounds_risk=True,
)


def domain_of(text: str) -> tuple[str, Any]:
    """``("numbers", (low, high))``, ``("dates", (first, last))`` or ``("values", [...])``; ValueError."""
    import datetime

    if ".." in text:
        low, _, high = (part.strip() for part in text.partition(".."))
        try:
            bounds: Any = (float(low), float(high))
            kind = "numbers"
        except ValueError:
            bounds = tuple(datetime.date.fromisoformat(part) for part in (low, high))
            kind = "dates"
        if not bounds[0] < bounds[1] or (kind == "numbers" and max(map(abs, bounds)) > 1e12):
            raise ValueError(kind)
        return kind, bounds
    values = [value.strip() for value in text.split("|")]
    if len(set(values)) != len(values) or "" in values or len(values) < 2:
        raise ValueError(text)
    return "values", values


TECHNIQUES = (IDENTIFIER, SEQUENTIAL, PRIVATE)
