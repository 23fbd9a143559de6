"""What ``deid advise`` says for and against a technique, held against what the technique does to tables that were drawn.

Advice sees no table: what "can" happen has to happen to one of these, and what "stays" has to stay in all of them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from techniques import catalogue
from techniques.advice import Answers, advise
from techniques.core.attributes import AttributeRole, DataType
from tests.techniques.catalogue.test_claims import (
    CASES,
    Columns,
    in_order,
    in_shape,
    of_type,
    one_to_one,
    pairs,
    treated,
)
from tests.truth.statements import Statement, says

Pairs = Sequence[tuple[str, str]]
_SEEDS = range(6)
_ALL_ANSWERED: Mapping[str, Any] = {
    "unique": True, "order": True, "format": True, "statistics": True, "reversible": True, "integrity": "referential",
    "type_may_change": False, "equal_values": True, "noise_allowed": False,
}  # fmt: skip
_BY_KEY = {
    "encryption.deterministic",
    "encryption.format_preserving",
    "encryption.identifier",
    "encryption.order_preserving",
    "encryption.homomorphic",
}
"""GB/T 37964 A.2: decrypted with the key alone."""
_BY_MORE = {
    "pseudonymization.keyed_hash",
    "pseudonymization.random",
    "pseudonymization.name_dictionary",
    "encryption.secret_sharing",
}
"""A.4.2, A.4.3, A.2.6: with a mapping table, by hashing the source's values anew, or with the shares of enough holders."""


@dataclass(frozen=True)
class Advised:
    """A technique, what was answered, and all that is said for and against the technique in some role and of some type."""

    technique: str
    column: Mapping[str, Any]
    dataset: Mapping[str, Any]

    def says(self, message: str) -> set[str]:
        return (
            {message}
            if message in _said(self.technique, _hashable(self.column), _hashable(self.dataset))
            else set()
        )

    def holds(self, check: Callable[[Pairs], bool]) -> bool:
        """Whether it holds of all drawn tables."""
        return _holds(self.technique, check)


def _hashable(given: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    return tuple(sorted(given.items()))


def _cells(technique: str) -> Iterator[Pairs]:
    """(before, after) of the cells of each column of each drawn table that are still there."""
    for seed in _SEEDS:
        for make, width, parameters in CASES[technique]:
            yield from pairs(technique, make, width, parameters, seed)


@cache
def _holds(technique: str, check: Callable[[Pairs], bool]) -> bool:
    return all(map(check, _cells(technique)))


@cache
def _said(technique: str, column: Any, dataset: Any) -> frozenset[str]:
    """Of the roles and types for which the catalogue has the technique, the first."""
    fixed = "role" in dict(column)
    columns = {
        f"{role}, {kind}": {"role": role.value, "data_type": kind.value, **dict(column)}
        for role in AttributeRole
        for kind in DataType
    }
    found = advise(Answers.from_data({"dataset": dict(dataset), "columns": columns}))
    of_all = [
        {
            reason.text
            for reason in (*one.reasons_for, *one.reasons_against)
            if fixed or reason.factor not in ("role", "type")
        }
        for ranked in found.columns.values()
        for one in ranked
        if one.technique == technique
    ]
    return frozenset().union(*of_all)


@cache
def judge(name: str) -> Advised:
    technique, _bar, answers = name.partition(" / ")
    column, dataset = ANSWERS[answers or "asked"]
    return Advised(technique, column, dataset)


ANSWERS: Mapping[str, tuple[Mapping[str, Any], Mapping[str, Any]]] = {
    "asked": (_ALL_ANSWERED, {}),
    "nothing asked": ({}, {}),
    "not to be recovered": ({"reversible": False}, {}),
    "user's rules": ({"integrity": "user_defined"}, {}),
    "keys of one table": ({"integrity": "entity"}, {}),
    "needed": ({"deletable": False}, {}),
    "not needed": ({"deletable": True}, {}),
    "groups are enough": ({}, {"aggregate_enough": True}),
    "records are needed": ({}, {"aggregate_enough": False}),
    "in numbers": ({}, {"quantify_risk": True}),
    "statistics": ({}, {"scene": "statistics"}),
    "display": ({}, {"scene": "display"}),
    "cheap": ({}, {"cost": "low"}),
    "dear": ({}, {"cost": "high"}),
    "a name": ({"role": "direct_identifier", "data_type": "text"}, {}),
    "an age": ({"role": "quasi_identifier", "data_type": "number"}, {}),
    "an age in numbers": ({"role": "quasi_identifier", "data_type": "number"}, {"quantify_risk": True}),
    "a yield in numbers": ({"role": "sensitive_attribute", "data_type": "number"}, {"quantify_risk": True}),
}


def _asks(a: Advised, name: str, value: Any = True) -> bool:
    return {**a.column, **a.dataset}.get(name) == value


def _made_alike(technique: str) -> bool:
    """Whether cells that differed are alike afterwards, suppressed ones among themselves, in one of the drawn tables."""
    for make, width, parameters in CASES[technique]:
        draw = random.Random(1)
        columns: Columns = [[make(draw) for _ in range(60)] for _ in range(width)]
        after, left = treated(technique, columns, parameters)
        for old, new in zip(columns, after, strict=False):
            stays = {(b, a) for b, a, there in zip(old, new, left, strict=False) if there}
            if len({a for _before, a in stays}) < len({b for b, _after in stays}):
                return True
    return False


def _as_often(cells: Pairs) -> bool:
    """Whether the values of a column occur as often as before, whatever they are now."""
    before, after = (sorted(Counter(one).values()) for one in zip(*cells, strict=True))
    return before == after


_MANY = (
    "encryption.deterministic | encryption.format_preserving | encryption.order_preserving | pseudonymization.keyed_hash | "
    "pseudonymization.random | generalization.intervals | randomization.permutation | suppression.mask | "
    "suppression.rare_values | synthesis.sequential | generalization.intervals / nothing asked"
)
_OF_RECOVERY = (
    "encryption.deterministic | pseudonymization.keyed_hash | pseudonymization.random | pseudonymization.name_dictionary | "
    "encryption.secret_sharing | generalization.rounding | statistical.sampling | as_is | "
    + " | ".join(
        f"{name} / not to be recovered"
        for name in ("encryption.deterministic", "pseudonymization.keyed_hash", "pseudonymization.random",
                     "encryption.secret_sharing", "generalization.rounding", "statistical.sampling", "as_is")
    )
)  # fmt: skip
_TABLES = (
    "encryption.deterministic | pseudonymization.keyed_hash | pseudonymization.random | generalization.rounding | "
    "suppression.rare_combinations | statistical.sampling | encryption.deterministic / keys of one table"
)


def _differs(a: Advised) -> bool:
    """Whether the same table comes out otherwise by another draw, or by what else the table has."""
    spec = catalogue.get(a.technique)
    return spec.random or spec.scope == "table"


def _gone_for_good(a: Advised) -> bool:
    asked = a.column.get("reversible")
    return asked is not None and a.technique not in (_BY_KEY | _BY_MORE | {"as_is"})


STATEMENTS: list[Statement] = [
    says("Whether two values were equal or different can be lost.", f"{_MANY} | encryption.homomorphic",
         lambda a: _asks(a, "unique") and not a.holds(one_to_one)),
    says("Of the values that stay, different ones", f"{_MANY} | encryption.homomorphic",
         lambda a: _asks(a, "unique") and a.holds(one_to_one)),
    says("The order of the values can be lost.", f"{_MANY}", lambda a: _asks(a, "order") and not a.holds(in_order)),
    says("The values that stay keep their order.", f"{_MANY}", lambda a: _asks(a, "order") and a.holds(in_order)),
    says("The format of the values can be lost.", f"{_MANY}", lambda a: _asks(a, "format") and not a.holds(in_shape)),
    says("The values that stay keep their format.", f"{_MANY}", lambda a: _asks(a, "format") and a.holds(in_shape)),
    says("The data type can change.", f"{_MANY}",
         lambda a: _asks(a, "type_may_change", False) and not a.holds(of_type)),
    says("The values can be recovered with the key.", _OF_RECOVERY, lambda a: _asks(a, "reversible") and a.technique in _BY_KEY),
    says("The result and its key alone do not", _OF_RECOVERY, lambda a: _asks(a, "reversible") and a.technique in _BY_MORE - {
        "pseudonymization.random", "encryption.secret_sharing"}),
    says("Nothing leads back from the result", _OF_RECOVERY, _gone_for_good),
    says("The values stay open to everybody", _OF_RECOVERY, lambda a: _asks(a, "reversible") and a.technique == "as_is"),
    says("The data of this column are needed.", "suppression.remove_column / needed | suppression.remove_column / not needed",
         lambda a: _asks(a, "deletable", False)),
    says("The data of this column are not needed.", "suppression.remove_column / needed | suppression.remove_column / not needed",
         lambda a: _asks(a, "deletable")),
    says("Nothing of the values is left.", "suppression.remove_column | suppression.remove_column / nothing asked",
         lambda a: _asks(a, "unique")),
    says("Single records are needed.", "statistical.aggregation / groups are enough | statistical.aggregation / records are needed",
         lambda a: _asks(a, "aggregate_enough", False)),
    says("Figures of groups are enough.", "statistical.aggregation / groups are enough | statistical.aggregation / records are needed",
         lambda a: _asks(a, "aggregate_enough")),
    says("Rules about the form of the values can", "encryption.format_preserving / user's rules | generalization.intervals / user's rules",
         lambda a: not a.holds(in_shape)),
    says("Whether two values were equal or different can be lost, and", _TABLES + " | generalization.rounding / keys of one table",
         lambda a: not a.holds(one_to_one)),
    says("What becomes of a value can differ", _TABLES, lambda a: _asks(a, "integrity", "referential") and a.holds(one_to_one) and _differs(a)),
    says("Equal values become equal in all tables", _TABLES, lambda a: _asks(a, "integrity", "referential") and a.technique in (
        "encryption.deterministic", "pseudonymization.keyed_hash")),
    says("It does not see to it that several", f"{_MANY}", lambda a: (_asks(a, "equal_values") and a.technique.partition(".")[0] in (
        "encryption", "pseudonymization", "randomization", "synthesis")) or a.technique == "suppression.mask"),
    says("Several records can come to share", "suppression.rare_values | randomization.microaggregation | model.k_anonymity | encryption.deterministic | "
         "suppression.rare_values / nothing asked", lambda a: _asks(a, "equal_values") and _made_alike(a.technique)),
    says("Single records can be untrue.", f"{_MANY}", lambda a: _asks(a, "noise_allowed", False) and a.technique.partition(".")[0] in (
        "randomization", "synthesis")),
    says("Statistical characteristics can be lost.", "suppression.mask | pseudonymization.keyed_hash | randomization.permutation | "
         "suppression.mask / nothing asked", lambda a: _asks(a, "statistics") and not a.holds(_as_often)),
    says("A direct identifier may not stay", "as_is / a name | as_is / an age | pseudonymization.random / a name",
         lambda a: a.technique == "as_is" and a.column["role"] == "direct_identifier"),
    says("It is not meant for attributes of this role.", "generalization.intervals / a name | generalization.intervals / an age",
         lambda a: a.column["role"] == "direct_identifier"),
    says("It is not meant for data of this type.", "generalization.intervals / a name | generalization.intervals / an age",
         lambda a: a.column["data_type"] == "text"),
    says("It costs more than is allowed.", "model.k_anonymity / cheap | model.k_anonymity / dear | suppression.mask / cheap",
         lambda a: _asks(a, "cost", "low") and a.technique == "model.k_anonymity"),  # Table C.1: its cost is medium to high
    says("It suits the scene of use.", "generalization.intervals / statistics | suppression.mask / display | suppression.mask / statistics",
         lambda a: (a.technique, a.dataset["scene"]) != ("suppression.mask", "statistics")),  # T/ISC 0078 B.1, B.3
    says("The risk that remains is bounded by", "model.k_anonymity / in numbers | model.k_anonymity | suppression.mask / in numbers",
         lambda a: _asks(a, "quantify_risk") and a.technique == "model.k_anonymity"),
    says("The risk of its result can be measured", "generalization.intervals / an age in numbers | generalization.intervals / an age | "
         "generalization.intervals / a yield in numbers",
         lambda a: _asks(a, "quantify_risk") and a.column["role"] == "quasi_identifier"),
    says("How far it lowers the risk", "encryption.order_preserving / an age in numbers | encryption.order_preserving / an age | "
         "encryption.order_preserving / a yield in numbers",
         lambda a: _asks(a, "quantify_risk") and a.column["role"] == "quasi_identifier"),
    says("What is displayed must not be", "encryption.deterministic / display | suppression.mask / display | encryption.deterministic / statistics",
         lambda a: _asks(a, "scene", "display") and a.technique in _BY_KEY),
]  # fmt: skip
