"""Models that transform a table (GB/T 37964 Annex B): settings and rows."""

from __future__ import annotations

import math
from functools import partial
from typing import Annotated, Any, Literal, NamedTuple, Self

from pydantic import BeforeValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from techniques.catalogue.bases import LIKENESS_PAPER, PERSONALIZED_PAPER
from techniques.catalogue.family import Family
from techniques.catalogue.shared_settings import suppressed_rows
from techniques.catalogue.table_c1 import PARTLY, TABLE_C1
from techniques.catalogue.technique import ANY_TYPE, Claims, Missing, Scope, Technique
from techniques.core.attributes import AttributeRole
from techniques.core.messages import _
from techniques.core.settings import ClosedModel, FitSettings, setting, whole_number
from techniques.hierarchies.definitions import Free, HierarchyDefinition, ModelHierarchy, Star


class Bound(NamedTuple):
    """One condition on a class: what the ``limit`` bounds follows from the ``kind``; ``factor`` is c of the recursive
    one, whose limit is l."""

    kind: str
    limit: float
    factor: float = 0.0


class Conditions(ClosedModel):
    """B.1.2, B.1.3: what every equivalence class must hold for one sensitive attribute; any of them together."""

    distinct: int | None = setting(
        _("l by distinct values"), _("Every class has at least this many different values."), None, ge=2
    )
    entropy: float | None = setting(
        _("l by entropy"),
        _("Every class is as varied as if this many values were equally frequent in it."),
        None,
        gt=1,
    )
    recursive_l: int | None = setting(
        _("l by frequency (recursive)"),
        _("The most frequent value occurs less often than c times the values from the l-th on together."),
        None,
        ge=2,
    )
    recursive_c: float | None = setting(
        _("c of the recursive condition"), _("The smaller it is, the less a value may stand out."), None, gt=0
    )
    t: float | None = setting(
        _("t: greatest distance from the whole table"),
        _(
            "How far the shares of the values in a class may be from those in the table before suppression, 0 to 1."
        ),
        None,
        between=(0, 1),
    )
    distance: Literal["equal", "ordered", "hierarchical"] = setting(
        _("How the distance is measured"),
        _(
            "Numbers and dates are ordered by size, other values as text; the third way needs a tree of values."
        ),
        "equal",
        labels={
            "equal": _("All values are equally far apart"),
            "ordered": _("By their order"),
            "hierarchical": _("By their hierarchy"),
        },
    )
    hierarchy: HierarchyDefinition = setting(
        _("Hierarchy of the values"),
        _("Used by the distance by hierarchy only; the values themselves stay."),
        Star(),
        kind="hierarchy",
    )
    alpha: float | None = setting(
        _("α: greatest share of a value or level"),
        _(
            "No value, or where sensitivity levels are given no level, has more than this share of the rows of a class."
        ),
        None,
        gt=0,
        le=1,
        exclude_if=lambda alpha: alpha is None,
    )
    levels: dict[str, Annotated[int, BeforeValidator(whole_number), Field(ge=1, le=100)]] = setting(
        _("Sensitivity level of each value"),
        _("One value and its level per row, 1 the least sensitive; empty: each value is a level of its own."),
        default_factory=dict,
        exclude_if=lambda levels: not levels,
    )
    unlisted: Literal["error", "unknown"] = setting(
        _("Values without a sensitivity level"),
        _(
            "Values that an earlier step generalised as their persons asked have none. What is unknown adds no different value to "
            "its class and counts as of its most frequent level, which is the stricter reading."
        ),
        "error",
        labels={
            "error": _("Stop the run and say in which rows"),
            "unknown": _("Count as unknown"),
        },
        exclude_if=lambda unlisted: unlisted == "error",
    )
    beta: float | None = setting(
        _("β: greatest gain of a value over the whole table"),
        _(
            "A value's share in a class exceeds that in the table before suppression by at most this many times the "
            "latter: 1 allows twice the share, so that rare values may not stand out."
        ),
        None,
        between=(0, 1000),
        # Recipes from before it hash as they did.
        exclude_if=lambda beta: beta is None,
    )

    @model_validator(mode="after")
    def _something(self) -> Self:
        if (self.recursive_l is None) != (self.recursive_c is None):
            raise PydanticCustomError("recursive_incomplete", _("needs both l and c"))
        if self.levels and self.alpha is None:
            raise PydanticCustomError("levels_without_alpha", _("sensitivity levels need α"))
        if not self.bounds:
            raise PydanticCustomError("no_condition", _("needs at least one condition"))
        return self

    @property
    def bounds(self) -> list[Bound]:
        """The conditions that are set."""
        bounds = (
            ("distinct", self.distinct, 0.0),
            ("entropy", self.entropy, 0.0),
            ("recursive", self.recursive_l, self.recursive_c or 0.0),
            (self.distance, self.t, 0.0),
            ("likeness", self.beta, 0.0),
            ("share", self.alpha, 0.0),
        )
        return [Bound(kind, limit, factor) for kind, limit, factor in bounds if limit is not None]

    @property
    def clauses(self) -> list[str]:
        """What the conditions that are set rest on."""
        close = {"equal", "ordered", "hierarchical", "likeness"}
        return sorted({"B.1.3" if bound.kind in close else "B.1.2" for bound in self.bounds})

    @property
    def papers(self) -> list[str]:
        """Those that say what α and β ask for."""
        asked = ((self.alpha, PERSONALIZED_PAPER), (self.beta, LIKENESS_PAPER))
        return [paper for bound, paper in asked if bound is not None]

    @property
    def diversity(self) -> bool:
        """Whether there is a condition of l-diversity."""
        return any(bound.kind in ("distinct", "entropy", "recursive") for bound in self.bounds)


_MODEL_KEEPS = _(
    "As far as the hierarchies keep them; counts of combinations at the levels found are exact. In local recoding "
    "the classes are exact, but one value may stand in finer and coarser ones."
)


_row = partial(
    Technique,
    family=Family.MODEL,
    scope=Scope.TABLE,
    implementation="techniques.models.operation:operation",
    roles=frozenset({AttributeRole.QUASI_IDENTIFIER}),
    data_types=ANY_TYPE,
    missing=Missing.VALUE,
    claims=Claims(order=PARTLY, type=PARTLY, statistics=PARTLY),
    keeps=_MODEL_KEEPS,
    previewable=False,
    bounds_risk=True,
)


class KAnonymitySettings(FitSettings):
    """B.1.1 with A.3.5: generalisation, of columns as a whole or class by class, and suppression up to a limit."""

    k: int = setting(
        _("k: fewest rows that look alike"),
        _(
            "Every row of the result shares its quasi-identifiers with at least k-1 others, so a stranger "
            "who knows them is right at most once in k."
        ),
        5,
        between=(2, 1_000_000),
    )
    recoding: Literal["full_domain", "local", "top_down"] = setting(
        _("How values are generalised"),
        _(
            "A column as a whole has one level, so that it can be counted by; class by class much more detail "
            "is kept, but the same value may be written more or less coarsely."
        ),
        "full_domain",
        labels={
            "full_domain": _("Each column as a whole"),
            "local": _("Class by class (local recoding)"),
            "top_down": _("Class by class by splitting (Algorithm 1 of Cao et al. 2018): slower, loses more"),
        },
    )
    sensitive: dict[str, Conditions] = setting(
        _("Sensitive attributes"),
        _("Columns whose values must stay varied within each class; they are read, not changed."),
        default_factory=dict,
        kind="conditions",
    )
    maximum_risk: float | None = setting(
        _("Highest risk of a row"),
        _(
            "1 divided by the rows of its class; where it asks for larger classes than k, it counts. Empty: no bound."
        ),
        None,
        gt=0,
        le=1,
    )
    average_risk: float | None = setting(
        _("Highest average risk"),
        _(
            "Classes divided by rows; the smallest classes are suppressed, or in local recoding put together, until "
            "it is reached. Empty: no bound."
        ),
        None,
        gt=0,
        le=1,
    )
    suppression_limit: float = suppressed_rows(
        _(
            "Share of the rows, 0 to 1, that may be suppressed instead of generalised; where persons are counted, of the persons "
            "too who may be left without a row."
        )
    )
    hierarchies: dict[str, ModelHierarchy] = setting(
        _("Hierarchy of each column"), _("One for every quasi-identifier of this step."), kind="hierarchies"
    )
    minimum_levels: dict[str, int] = setting(
        _("Lowest level per column"),
        _("The column is generalised at least this far."),
        default_factory=dict,
        columns=True,
    )
    maximum_levels: dict[str, int] = setting(
        _("Highest level per column"),
        _("The column is generalised at most this far."),
        default_factory=dict,
        columns=True,
    )
    weights: dict[str, Annotated[float, Field(gt=0, le=1000)]] = setting(
        _("Importance per column"),
        _("Detail of a column with 2 is worth twice that of a column with 1, the default."),
        default_factory=dict,
        columns=True,
    )
    loss: Literal["geometric", "arithmetic", "precision", "entropy", "discernibility", "class_size"] = (
        setting(
            _("What is lost least"),
            _(
                "What the search makes as small as it can. Local recoding always loses the least share of values "
                "per cell."
            ),
            "geometric",
            labels={
                "geometric": _("Detail, as even over the columns as possible (geometric mean)"),
                "arithmetic": _("Detail, added up over the columns (arithmetic mean)"),
                "precision": _("Levels climbed (precision)"),
                "entropy": _("Information of the values (non-uniform entropy)"),
                "discernibility": _("Rows that can be told apart (discernibility)"),
                "class_size": _("Number of classes (average class size)"),
            },
        )
    )
    suppressed_rows: Literal["remove", "star"] = setting(
        _("Suppressed rows"),
        _(
            "Removed rows are no part of the result. Rows that stay form a class of their own, "
            "which may be smaller than k but tells nothing about its quasi-identifiers."
        ),
        "remove",
        labels={"remove": _("Are removed"), "star": _("Stay, their quasi-identifiers become *")},
    )
    effort: int = setting(
        _("Most solutions to check"),
        _(
            "If the search ends here, the best solution so far is used and how far it may be from the "
            "optimum is stated."
        ),
        100_000,
        between=(10, 100_000_000),
    )

    @model_validator(mode="after")
    def _local(self) -> Self:
        if self.recoding == "full_domain":
            return self
        if self.recoding == "top_down" and self.average_risk is not None:
            raise PydanticCustomError(
                "top_down_average", _("Algorithm 1 knows no bound of the average risk; leave it empty")
            )
        if self.loss != "geometric":
            raise PydanticCustomError(
                "loss_full_domain", _("local recoding does not know this loss; leave the first one")
            )
        for column in (*self.minimum_levels, *self.maximum_levels):
            if isinstance(self.hierarchies.get(column), Free):
                raise PydanticCustomError(
                    "levels_without_hierarchy",
                    _("a column without a hierarchy has no levels in local recoding: {column}"),
                    {"column": column},
                )
        return self

    @property
    def least(self) -> int:
        """Rows that a class needs: k, or more where the bound of a row's risk asks for it."""
        if self.maximum_risk is None:
            return self.k
        return max(self.k, math.ceil(1 / self.maximum_risk - 1e-9))

    @property
    def needs_whole_table(self) -> bool:
        """Top down every class is cut anew out of its rows."""
        return self.recoding == "top_down"

    @property
    def read_columns(self) -> list[str]:
        """The sensitive attributes."""
        return list(self.sensitive)

    @property
    def conditions(self) -> dict[str, Any]:
        """k and the bounds of risk, and by sensitive attribute the bounds of its values, none of which is named."""
        bounds = {"maximum_risk": self.maximum_risk, "average_risk": self.average_risk}
        asked = {name: bound for name, bound in bounds.items() if bound is not None}
        sensitive = {
            column: one.model_dump(mode="json", exclude={"hierarchy", "levels"}, exclude_defaults=True)
            for column, one in self.sensitive.items()
        }
        return {"k": self.k, **asked, **({"sensitive": sensitive} if sensitive else {})}

    @property
    def more_clauses(self) -> list[str]:
        """Those of the conditions that are asked for."""
        return sorted({clause for one in self.sensitive.values() for clause in one.clauses})

    @property
    def papers(self) -> list[str]:
        """Those of the conditions that are asked for, and of Algorithm 1."""
        found = {paper for one in self.sensitive.values() for paper in one.papers}
        return sorted(found | ({PERSONALIZED_PAPER} if self.recoding == "top_down" else set()))


K_ANONYMITY = _row(
    key="model.k_anonymity",
    name=_("k-anonymity"),
    summary=_(
        "Finds how far each quasi-identifier must be generalised so that every row looks like k-1 "
        "others, with the least loss of information."
    ),
    clauses=("B.1.1", "A.3.5"),
    settings=KAnonymitySettings,
    properties=TABLE_C1["k_anonymity"],
    not_for=_("Not as protection of a sensitive attribute: all rows of a class may share its value."),
    notice=_(
        "Values are coarser and some may be suppressed so that rows look alike: do not compute exact values, rare "
        "combinations or rankings of small groups from these columns."
    ),
)


class LDiversitySettings(KAnonymitySettings):
    """B.1.2 on top of k-anonymity."""

    @model_validator(mode="after")
    def _diverse(self) -> Self:
        if not any(one.diversity for one in self.sensitive.values()):
            raise PydanticCustomError(
                "no_diversity", _("needs a sensitive attribute with a condition of l-diversity")
            )
        return self


L_DIVERSITY = _row(
    key="model.l_diversity",
    name=_("l-diversity"),
    summary=_(
        "k-anonymity whose classes also hold enough different values of each sensitive attribute, so that "
        "knowing the class does not tell the value."
    ),
    clauses=("B.1.2", "A.3.5", "B.1.1"),
    settings=LDiversitySettings,
    not_for=_(
        "Not where values that differ mean the same: several cancers are different values, and one diagnosis."
    ),
)


class TClosenessSettings(KAnonymitySettings):
    """B.1.3 on top of k-anonymity."""

    @model_validator(mode="after")
    def _close(self) -> Self:
        if all(one.t is None for one in self.sensitive.values()):
            raise PydanticCustomError("no_closeness", _("needs a sensitive attribute with t"))
        return self


T_CLOSENESS = _row(
    key="model.t_closeness",
    name=_("t-closeness"),
    summary=_(
        "k-anonymity in whose classes the values of each sensitive attribute are spread almost as in the "
        "whole table, so that knowing the class tells little more than knowing the table."
    ),
    clauses=("B.1.3", "A.3.5", "B.1.1"),
    settings=TClosenessSettings,
    not_for=_(
        "Not where the study asks how the sensitive attribute depends on the quasi-identifiers: that is what goes."
    ),
)


TECHNIQUES = (K_ANONYMITY, L_DIVERSITY, T_CLOSENESS)
