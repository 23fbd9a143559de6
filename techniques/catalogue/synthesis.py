"""Parameters of synthesis (GB/T 37964 A.7)."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, field_validator
from pydantic_core import PydanticCustomError

from techniques.core.messages import gettext_noop
from techniques.core.settings import Parameters, labels


class SyntheticIdentifier(Parameters):
    """C.2.1 to C.2.5: a made-up identifier of the right form stands for each distinct one."""

    kind: Literal["id_number", "bank_card", "phone", "name", "address"] = Field(
        title=gettext_noop("Kind of identifier"),
        description=gettext_noop(
            "ID numbers by GB 11643 and bank cards with a right check digit, mobile numbers, names of any three "
            "characters, addresses in divisions that exist."
        ),
        json_schema_extra=labels(
            id_number=gettext_noop("ID number"),
            bank_card=gettext_noop("Bank card number"),
            phone=gettext_noop("Phone number"),
            name=gettext_noop("Name"),
            address=gettext_noop("Address"),
        ),
    )


class Synthesis(Parameters):
    """What all synthesis of rows shares: how its closeness to the real rows is tested."""

    held_out: float = Field(
        default=0.1,
        gt=0,
        le=0.5,
        title=gettext_noop("Share of the rows held out"),
        description=gettext_noop(
            "They are not learned from. Made-up rows should be no closer to the rows learned from than these are."
        ),
    )
    too_close: Literal["warn", "error"] = Field(
        default="warn",
        title=gettext_noop("If made-up rows are too close to real ones"),
        description=gettext_noop("A fit that is too close may give away what it was learned from."),
        json_schema_extra=labels(
            warn=gettext_noop("Say so in the report"), error=gettext_noop("Stop the run")
        ),
    )


class SequentialSynthesis(Synthesis):
    """A.7: columns are made up one after the other, each by a decision tree of those before it."""

    leaf_rows: int = Field(
        default=50,
        ge=5,
        le=100_000,
        title=gettext_noop("Fewest rows behind a value"),
        description=gettext_noop(
            "Each value is drawn from at least so many similar rows: more of them are further from the real rows."
        ),
    )
    minimum_count: int = Field(
        default=5,
        ge=1,
        le=1_000_000,
        title=gettext_noop("Fewest rows of a category"),
        description=gettext_noop("A category that fewer rows have is not made up."),
    )
    categories: list[str] = Field(
        default_factory=list,
        max_length=1000,
        title=gettext_noop("Columns whose numbers or dates are categories"),
        description=gettext_noop(
            "Codes that look like numbers, such as postcodes: nothing lies between two of them."
        ),
    )


class PrivateSynthesis(Synthesis):
    """A.7 c, B.2: rows made up from noisy counts alone, differentially private."""

    epsilon: float = Field(
        default=1.0,
        ge=0.01,
        le=50,
        title=gettext_noop("Privacy budget (epsilon)"),
        description=gettext_noop(
            "Of the whole step: exchanging one row for another changes the chance of any result by at most the "
            "factor exp(epsilon). The number of rows is no secret."
        ),
    )
    delta: float = Field(
        default=1e-9,
        gt=0,
        le=1e-3,
        title=gettext_noop("Chance of an exception (delta)"),
        description=gettext_noop(
            "Half of it for columns whose values are taken from the data, half for Gaussian noise where that is the "
            "smaller one. What was spent stands in the report."
        ),
    )
    domains: dict[str, str] = Field(
        default_factory=dict,
        max_length=1000,
        title=gettext_noop("Column and its possible values"),
        description=gettext_noop(
            "Known without the data: 0..120 for numbers, 1900-01-01..2024-12-31 for dates, A|B|C for categories. "
            "Values of other columns are taken from the data where noise leaves enough rows, and the rest becomes "
            "missing."
        ),
    )
    intervals: int = Field(
        default=20,
        ge=2,
        le=200,
        title=gettext_noop("Intervals of a number or date"),
        description=gettext_noop("Counts are taken per interval; inside it values are spread evenly."),
    )
    maximum_categories: int = Field(
        default=40,
        ge=2,
        le=500,
        title=gettext_noop("Most values of a category"),
        description=gettext_noop("The most frequent by the noisy counts; the rest becomes missing."),
    )
    decimals: int = Field(
        default=0,
        ge=0,
        le=6,
        title=gettext_noop("Decimal places of the result"),
        description=gettext_noop("Of columns with a range of numbers."),
    )

    @field_validator("domains")
    @classmethod
    def _readable(cls, given: dict[str, str]) -> dict[str, str]:
        for column, text in given.items():
            try:
                domain_of(text)
            except ValueError:
                raise PydanticCustomError(
                    "domain_unreadable",
                    gettext_noop("{column}: write a range such as 0..120, or values such as A|B|C"),
                    {"column": column},
                ) from None
        return given


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
