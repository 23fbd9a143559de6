"""Whether the result shows who of a population is in it (δ-presence, 4.3.2 d)."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from projects.core.numbers import percent
from techniques.core.messages import gettext_noop
from techniques.disclosure_risk.sizes import keeps

from ...reports.gate import CheckResult
from ...reports.stored import text
from ..check import BY_PERSONS, OfPersons, TableCheck, TableSubject, Tick
from .k import PERSON_SIGNS


class Presence(TableCheck):
    """Checked where the targets ask for it; without a population table that fits it could not run, which is no pass."""

    kind = "presence"
    label = _("Probability that someone is known to be in the data")
    clause = "4.3.2 d)"
    meaning = _(
        "Being in the data can itself be something nobody should know, as with patients of one "
        "clinic. If nearly everyone in a register who matches a class is in the result, anyone who "
        "matches it is known to be in it."
    )
    expression = "δ = max f / F"
    signs = (
        ("f", _("records of one equivalence class"), None),
        ("F", _("persons in the population who look like the class"), None),
    )
    of_persons = OfPersons(label, meaning, expression, (PERSON_SIGNS[0], signs[1]))

    def measure(self, of: TableSubject, tick: Tick) -> list[CheckResult]:
        bound = of.case.risk.presence
        if of.risk is None or bound is None:
            return []
        found = of.report.population
        if found is None:
            message = gettext_noop(
                "No population table was named with the data set, so this cannot be measured."
            )
            return [self.not_run(text(message), target=bound)]
        if found.problem is not None:
            return [self.not_run(found.problem, target=bound)]
        message = gettext_noop(
            "That somebody of the population table is in the data is known with a probability of up to %(most)s; %(bound)s "
            "are allowed."
        )
        return [
            self.row(
                target=bound,
                measured=found.delta_max,
                passed=keeps(found.delta_max, bound),
                plain=text(message, most=percent(found.delta_max), bound=percent(bound)),
                formula=f"δ = {percent(found.delta_max)}",
                measure=BY_PERSONS if of.persons.result is not None else "",
            )
        ]
