"""Attacks that are tried on the written result: an insider's, predicates, joined halves, inferred secrets (5.5.2 d, e)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from projects.core.numbers import percent
from techniques.core.attributes import AttributeRole
from techniques.core.messages import gettext_noop
from techniques.disclosure_risk.sizes import keeps

from ...reports.gate import CheckResult
from ...reports.stored import text
from ..check import TableCheck, TableSubject, Tick

if TYPE_CHECKING:
    from techniques.disclosure_risk.attacks.attempt import AttackRequest
    from techniques.disclosure_risk.attacks.attempt import Attacks as Attempted
    from techniques.disclosure_risk.attacks.explain import Said
    from techniques.disclosure_risk.attacks.targets import Tables

_ERROR = 0.05
"""Of who knows with errors: how far off a number is at most, as a share of the column's spread, and how many other values are wrong."""
_LABELS = {
    "linkage": gettext_noop("An insider finds somebody's record"),
    "singling_out": gettext_noop("A predicate singles somebody out"),
    "linkability": gettext_noop("What is known of somebody in two places is joined"),
    "inference": gettext_noop("A secret of somebody is inferred: %(column)s"),
}


class Attacks(TableCheck):
    """A row for each attack, where the targets ask for the test. Persons and predicates are drawn by the hash of the result, so
    that nobody chooses them and a measurement that is made again finds the same."""

    kind = "attacks"
    label = _("What attacks on the result do better than without the persons' records")
    clause = "5.5.2 d), e)"
    meaning = _(
        "Somebody who tries is the test of what the figures say. How often an attack succeeds counts for little by itself: what "
        "chance guesses too, or what is guessed of persons who are not in the result, is taken off."
    )
    expression = "(a − c) / (1 − c)"
    signs = (
        ("a", _("share of the attempts that succeed"), None),
        ("c", _("the same by chance, or without the person's own records"), None),
    )
    shows_details = True
    effort = 0.6

    def measure(self, of: TableSubject, tick: Tick) -> list[CheckResult]:
        from techniques.disclosure_risk.attacks.attempt import attack
        from techniques.disclosure_risk.attacks.explain import said_of_each

        bound = of.case.risk.attacks
        if bound is None:
            return []
        if of.case.cells is not None:
            said = gettext_noop(
                "Each record stands for a group, so there is no record of a person to look for."
            )
            return [self.row(target=bound, passed=True, plain=text(said))]
        if of.case.made_up():
            said = gettext_noop(
                "The records were made up. Without persons of the same kind who were not learned from, it cannot be told what an attack "
                "learns of those who were."
            )
            return [self.not_run(text(said), target=bound)]
        tables = _tables(of)
        known = [name for name in of.case.quasi() if name in tables.comparable]
        if not known:
            said = gettext_noop(
                "No quasi-identifier is left that says anything to somebody who knows a person, so there is nothing to attack by."
            )
            return [self.row(target=bound, measured=0.0, passed=True, plain=text(said))]
        found = attack(tables, _request(of, tables, known), tick=tick)
        return [self._row(one, bound, known) for one in _worst_of_predicates(found, said_of_each(found))]

    def _row(self, one: Said, bound: float, known: Sequence[str]) -> CheckResult:
        measured = one.risk.value if one.risk is not None else 0.0
        passed = keeps(measured, bound)
        first, *others = [text(said.message, **said.params) for said in one.statements]
        remedy = gettext_noop("Generalise or remove one of the columns that the attack goes by: %(columns)s")
        label = text(_LABELS[one.attack], column=one.secret) if one.secret else text(_LABELS[one.attack])
        return self.row(
            label=label,
            target=bound,
            measured=measured,
            passed=passed,
            plain=first,
            formula=_formula(one),
            remedies=[] if passed else [text(remedy, columns=", ".join(known))],
            details=others,
            measure=one.attack,
        )


def _formula(one: Said) -> str:
    if one.risk is None:
        return ""
    rate, other = percent(one.rate.value), percent(one.other.value)
    return f"({rate} − {other}) / (1 − {other}) = {percent(one.risk.value)}"


def _worst_of_predicates(found: Attempted, said: Sequence[Said]) -> Iterator[Said]:
    """Of predicates about one and about several columns the ones that single out more; each other attack."""
    predicates = [one for one in said if one.attack == "singling_out"]
    worst = max(predicates, key=lambda one: one.risk.value if one.risk is not None else 0.0)
    for one in said:
        if one.attack != "singling_out" or one is worst:
            yield one


def _tables(of: TableSubject) -> Tables:
    """Source and result, with whose the records are as far as the run wrote it down."""
    import numpy as np

    from techniques.data_utility.covering import labels_above
    from techniques.disclosure_risk.attacks.targets import Tables, alongside

    case, both, persons = of.case, of.both, of.persons
    who = whose = None
    if persons.result is not None and persons.source is not None:
        who, whose = alongside(persons.source, persons.result)
    rows = len(next(iter(both.source.values()))) if both.source else 0
    if who is None:
        who = np.arange(rows, dtype=np.int64)
        if case.recipe.order == "kept" and case.result.rows == rows:
            whose = who
    made = both.made | both.made_up
    return Tables.of_columns(
        {name: cells for name, cells in both.source.items() if name not in made},
        both.result,
        who,
        whose,
        hierarchies=labels_above(case.recipe.hierarchies),
    )


def _request(of: TableSubject, tables: Tables, known: Sequence[str]) -> AttackRequest:
    from techniques.disclosure_risk.attacks.attempt import AttackRequest

    case = of.case
    secrets = [
        name
        for name in case.result.columns()
        if case.roles.get(name) == AttributeRole.SENSITIVE_ATTRIBUTE and name in tables.comparable
    ]
    is_noisy = case.risk.attacks_known == "noisy"
    noise = {name: _ERROR * tables.columns[name].width for name in known if tables.columns[name].is_numeric}
    return AttackRequest(
        known=tuple(known),
        secrets=tuple(secrets),
        about=tuple(known),
        noise=noise if is_noisy else {},
        wrong=_ERROR if is_noisy else 0.0,
        seed=int(hashlib.sha256(case.result_sha256.encode()).hexdigest()[:8], 16),
    )
