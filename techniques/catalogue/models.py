"""Models that transform a table (GB/T 37964 Annex B): settings and rows."""

from __future__ import annotations

import math
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from techniques.catalogue.family import Family
from techniques.catalogue.table_c1 import NO, PARTLY, TABLE_C1
from techniques.catalogue.technique import ANY_TYPE, Claims, Missing, Scope, Technique
from techniques.core.attributes import AttributeRole
from techniques.core.messages import gettext_noop
from techniques.core.settings import FitSettings, ClosedModel, labels
from techniques.hierarchies.definitions import Free, HierarchyDefinition, ModelHierarchy, Star


class Conditions(ClosedModel):
    """B.1.2, B.1.3: what every equivalence class must hold for one sensitive attribute; any of them together."""

    distinct: int | None = Field(
        default=None,
        ge=2,
        title=gettext_noop("l by distinct values"),
        description=gettext_noop("Every class has at least this many different values."),
    )
    entropy: float | None = Field(
        default=None,
        gt=1,
        title=gettext_noop("l by entropy"),
        description=gettext_noop(
            "Every class is as varied as if this many values were equally frequent in it."
        ),
    )
    recursive_l: int | None = Field(
        default=None,
        ge=2,
        title=gettext_noop("l by frequency (recursive)"),
        description=gettext_noop(
            "The most frequent value occurs less often than c times the values from the l-th on together."
        ),
    )
    recursive_c: float | None = Field(
        default=None,
        gt=0,
        title=gettext_noop("c of the recursive condition"),
        description=gettext_noop("The smaller it is, the less a value may stand out."),
    )
    t: float | None = Field(
        default=None,
        ge=0,
        le=1,
        title=gettext_noop("t: greatest distance from the whole table"),
        description=gettext_noop(
            "How far the shares of the values in a class may be from those in the table before suppression, 0 to 1."
        ),
    )
    distance: Literal["equal", "ordered", "hierarchical"] = Field(
        default="equal",
        title=gettext_noop("How the distance is measured"),
        description=gettext_noop(
            "Numbers and dates are ordered by size, other values as text; the third way needs a tree of values."
        ),
        json_schema_extra=labels(
            equal=gettext_noop("All values are equally far apart"),
            ordered=gettext_noop("By their order"),
            hierarchical=gettext_noop("By their hierarchy"),
        ),
    )
    hierarchy: HierarchyDefinition = Field(
        default=Star(),
        title=gettext_noop("Hierarchy of the values"),
        description=gettext_noop("Used by the distance by hierarchy only; the values themselves stay."),
        json_schema_extra={"kind": "hierarchy"},
    )

    @model_validator(mode="after")
    def _something(self) -> Self:
        if (self.recursive_l is None) != (self.recursive_c is None):
            raise PydanticCustomError("recursive_incomplete", gettext_noop("needs both l and c"))
        if not self.diversity and self.t is None:
            raise PydanticCustomError("no_condition", gettext_noop("needs at least one condition"))
        return self

    @property
    def diversity(self) -> bool:
        """Whether there is a condition of l-diversity."""
        return not (self.distinct is None and self.entropy is None and self.recursive_l is None)


_MODEL_KEEPS = gettext_noop(
    "As far as the hierarchies keep them; counts of combinations at the levels found are exact. In local recoding "
    "the classes are exact, but one value may stand in finer and coarser ones."
)


class KAnonymitySettings(FitSettings):
    """B.1.1 with A.3.5: generalisation, of columns as a whole or class by class, and suppression up to a limit."""

    k: int = Field(
        default=5,
        ge=2,
        le=1_000_000,
        title=gettext_noop("k: fewest rows that look alike"),
        description=gettext_noop(
            "Every row of the result shares its quasi-identifiers with at least k-1 others, so a stranger "
            "who knows them is right at most once in k."
        ),
    )
    recoding: Literal["full_domain", "local"] = Field(
        default="full_domain",
        title=gettext_noop("How values are generalised"),
        description=gettext_noop(
            "A column as a whole has one level, so that it can be counted by; class by class much more detail "
            "is kept, but the same value may be written more or less coarsely."
        ),
        json_schema_extra=labels(
            full_domain=gettext_noop("Each column as a whole"),
            local=gettext_noop("Class by class (local recoding)"),
        ),
    )
    sensitive: dict[str, Conditions] = Field(
        default_factory=dict,
        title=gettext_noop("Sensitive attributes"),
        description=gettext_noop(
            "Columns whose values must stay varied within each class; they are read, not changed."
        ),
        json_schema_extra={"kind": "conditions"},
    )
    maximum_risk: float | None = Field(
        default=None,
        gt=0,
        le=1,
        title=gettext_noop("Highest risk of a row"),
        description=gettext_noop(
            "1 divided by the rows of its class; where it asks for larger classes than k, it counts. Empty: no bound."
        ),
    )
    average_risk: float | None = Field(
        default=None,
        gt=0,
        le=1,
        title=gettext_noop("Highest average risk"),
        description=gettext_noop(
            "Classes divided by rows; the smallest classes are suppressed, or in local recoding put together, until "
            "it is reached. Empty: no bound."
        ),
    )
    suppression_limit: float = Field(
        default=0.05,
        ge=0,
        le=1,
        title=gettext_noop("Upper limit of suppressed rows"),
        description=gettext_noop("Share of the rows, 0 to 1, that may be suppressed instead of generalised."),
    )
    hierarchies: dict[str, ModelHierarchy] = Field(
        title=gettext_noop("Hierarchy of each column"),
        description=gettext_noop("One for every quasi-identifier of this step."),
        json_schema_extra={"kind": "hierarchies"},
    )
    minimum_levels: dict[str, int] = Field(
        default_factory=dict,
        title=gettext_noop("Lowest level per column"),
        description=gettext_noop("The column is generalised at least this far."),
    )
    maximum_levels: dict[str, int] = Field(
        default_factory=dict,
        title=gettext_noop("Highest level per column"),
        description=gettext_noop("The column is generalised at most this far."),
    )
    weights: dict[str, Annotated[float, Field(gt=0, le=1000)]] = Field(
        default_factory=dict,
        title=gettext_noop("Importance per column"),
        description=gettext_noop(
            "Detail of a column with 2 is worth twice that of a column with 1, the default."
        ),
    )
    loss: Literal["geometric", "arithmetic", "precision", "entropy", "discernibility", "class_size"] = Field(
        default="geometric",
        title=gettext_noop("What is lost least"),
        description=gettext_noop(
            "What the search makes as small as it can. Local recoding always loses the least share of values "
            "per cell."
        ),
        json_schema_extra=labels(
            geometric=gettext_noop("Detail, as even over the columns as possible (geometric mean)"),
            arithmetic=gettext_noop("Detail, added up over the columns (arithmetic mean)"),
            precision=gettext_noop("Levels climbed (precision)"),
            entropy=gettext_noop("Information of the values (non-uniform entropy)"),
            discernibility=gettext_noop("Rows that can be told apart (discernibility)"),
            class_size=gettext_noop("Number of classes (average class size)"),
        ),
    )
    suppressed_rows: Literal["remove", "star"] = Field(
        default="remove",
        title=gettext_noop("Suppressed rows"),
        description=gettext_noop(
            "Removed rows are no part of the result. Rows that stay form a class of their own, "
            "which may be smaller than k but tells nothing about its quasi-identifiers."
        ),
        json_schema_extra=labels(
            remove=gettext_noop("Are removed"), star=gettext_noop("Stay, their quasi-identifiers become *")
        ),
    )
    effort: int = Field(
        default=100_000,
        ge=10,
        le=100_000_000,
        title=gettext_noop("Most solutions to check"),
        description=gettext_noop(
            "If the search ends here, the best solution so far is used and how far it may be from the "
            "optimum is stated."
        ),
    )

    @model_validator(mode="after")
    def _local(self) -> Self:
        if self.recoding == "full_domain":
            return self
        if self.loss != "geometric":
            raise PydanticCustomError(
                "loss_full_domain",
                gettext_noop("local recoding does not know this loss; leave the first one"),
            )
        for column in (*self.minimum_levels, *self.maximum_levels):
            if isinstance(self.hierarchies.get(column), Free):
                raise PydanticCustomError(
                    "levels_without_hierarchy",
                    gettext_noop("a column without a hierarchy has no levels in local recoding: {column}"),
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
    def read_columns(self) -> list[str]:
        """The sensitive attributes."""
        return list(self.sensitive)


K_ANONYMITY = Technique(
    key="model.k_anonymity",
    family=Family.MODEL,
    name=gettext_noop("k-anonymity"),
    summary=gettext_noop(
        "Finds how far each quasi-identifier must be generalised so that every row looks like k-1 "
        "others, with the least loss of information."
    ),
    clauses=("B.1.1", "A.3.5"),
    scope=Scope.TABLE,
    settings=KAnonymitySettings,
    implementation="techniques.models.operation:operation",
    roles=frozenset({AttributeRole.QUASI_IDENTIFIER}),
    data_types=ANY_TYPE,
    properties=TABLE_C1["k_anonymity"],
    missing=Missing.VALUE,
    claims=Claims(
        order=PARTLY,
        format=NO,
        type=PARTLY,
        distinctness=NO,
        statistics=PARTLY,
        reversible=NO,
        notes=_MODEL_KEEPS,
        not_for=gettext_noop(
            "Not as protection of a sensitive attribute: all rows of a class may share its value."
        ),
    ),
    previewable=False,
    bounds_risk=True,
    notice=gettext_noop(
        "Values are coarser and some are suppressed so that rows look alike: do not compute exact values, rare "
        "combinations or rankings of small groups from these columns."
    ),
)


class LDiversitySettings(KAnonymitySettings):
    """B.1.2 on top of k-anonymity."""

    @model_validator(mode="after")
    def _diverse(self) -> Self:
        if not any(one.diversity for one in self.sensitive.values()):
            raise PydanticCustomError(
                "no_diversity", gettext_noop("needs a sensitive attribute with a condition of l-diversity")
            )
        return self


L_DIVERSITY = Technique(
    key="model.l_diversity",
    family=Family.MODEL,
    name=gettext_noop("l-diversity"),
    summary=gettext_noop(
        "k-anonymity whose classes also hold enough different values of each sensitive attribute, so that "
        "knowing the class does not tell the value."
    ),
    clauses=("B.1.2", "A.3.5", "B.1.1"),
    scope=Scope.TABLE,
    settings=LDiversitySettings,
    implementation="techniques.models.operation:operation",
    roles=frozenset({AttributeRole.QUASI_IDENTIFIER}),
    data_types=ANY_TYPE,
    missing=Missing.VALUE,
    claims=Claims(
        order=PARTLY,
        format=NO,
        type=PARTLY,
        distinctness=NO,
        statistics=PARTLY,
        reversible=NO,
        notes=_MODEL_KEEPS,
        not_for=gettext_noop(
            "Not where values that differ mean the same: several cancers are different values, and one diagnosis."
        ),
    ),
    previewable=False,
    bounds_risk=True,
)


class TClosenessSettings(KAnonymitySettings):
    """B.1.3 on top of k-anonymity."""

    @model_validator(mode="after")
    def _close(self) -> Self:
        if all(one.t is None for one in self.sensitive.values()):
            raise PydanticCustomError("no_closeness", gettext_noop("needs a sensitive attribute with t"))
        return self


T_CLOSENESS = Technique(
    key="model.t_closeness",
    family=Family.MODEL,
    name=gettext_noop("t-closeness"),
    summary=gettext_noop(
        "k-anonymity in whose classes the values of each sensitive attribute are spread almost as in the "
        "whole table, so that knowing the class tells little more than knowing the table."
    ),
    clauses=("B.1.3", "A.3.5", "B.1.1"),
    scope=Scope.TABLE,
    settings=TClosenessSettings,
    implementation="techniques.models.operation:operation",
    roles=frozenset({AttributeRole.QUASI_IDENTIFIER}),
    data_types=ANY_TYPE,
    missing=Missing.VALUE,
    claims=Claims(
        order=PARTLY,
        format=NO,
        type=PARTLY,
        distinctness=NO,
        statistics=PARTLY,
        reversible=NO,
        notes=_MODEL_KEEPS,
        not_for=gettext_noop(
            "Not where the study asks how the sensitive attribute depends on the quasi-identifiers: that is what goes."
        ),
    ),
    previewable=False,
    bounds_risk=True,
)


TECHNIQUES = (
    K_ANONYMITY,
    L_DIVERSITY,
    T_CLOSENESS,
)
