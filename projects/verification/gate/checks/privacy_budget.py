"""What differentially private rows spent of the budget that the targets allow (B.2)."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from projects.core.numbers import number
from techniques.core.messages import gettext_noop
from techniques.disclosure_risk.sizes import keeps

from ...reports.gate import CheckResult
from ...reports.stored import text
from ..check import TableCheck, TableSubject, Tick, WholeCheck, WholeSubject
from ..rows import made_up_steps


class PrivacyBudget(TableCheck):
    """Checked where the targets ask for it; rows that were made up without a budget cannot keep one."""

    kind = "privacy_budget"
    label = _("Privacy budget (ε)")
    clause = "B.2"
    meaning = _(
        "How much the probability of any result may change when one row is replaced by another, or "
        "all rows of one person where it is known whose they are: by the factor exp(ε). Budgets of "
        "several steps add up."
    )
    expression = "ε = Σ ε_i"
    unit = "number"

    def measure(self, of: TableSubject, tick: Tick) -> list[CheckResult]:
        bound, steps = of.case.risk.epsilon, made_up_steps(of.case.steps)
        if bound is None or not steps:
            return []
        spent = [step["result"].get("epsilon") for step in steps]
        if None in spent:
            why = gettext_noop(
                "Rows were made up without a privacy budget, so no ε is kept; the targets ask for one."
            )
            return [self.row(target=bound, passed=False, plain=text(why))]
        by_person = all("rows_of_person" in step["result"] for step in steps)
        if of.case.person_key and not by_person:
            why = gettext_noop(
                "ε was kept for the exchange of one row, but persons have several rows, by the key of the source. Run the recipe again."
            )
            return [self.row(target=bound, passed=False, plain=text(why))]
        whole = sum(spent)
        message = gettext_noop(
            "%(steps)d steps spent ε = %(spent)s together, for the exchange of one row; %(bound)s is allowed."
        )
        if by_person:
            message = gettext_noop(
                "%(steps)d steps spent ε = %(spent)s together, for the exchange of all rows of one person; %(bound)s is allowed."
            )
        said = text(message, steps=len(spent), spent=number(whole), bound=number(bound))
        formula = " + ".join(number(one) for one in spent) + f" = {number(whole)}"
        return [
            self.row(target=bound, measured=whole, passed=keeps(whole, bound), plain=said, formula=formula)
        ]


class PrivacyBudgetOfTables(WholeCheck):
    """The same over all tables that spent a budget: a person may be in each of them, and then has the sum (sequential
    composition). Nothing to say where one table alone spent some; what a table has kept or not stands in its own row."""

    kind = "privacy_budget_of_tables"
    label = _("Privacy budget of all tables together (ε)")
    clause = "B.2"
    meaning = _(
        "A person in several tables is in what was made from each of them. So the budgets of the "
        "tables add up like those of several steps, linked or not: nothing shows that nobody is in "
        "two of them."
    )
    expression = "ε = Σ ε_i"
    unit = "number"
    of_links = False

    def measure(self, of: WholeSubject, tick: Tick) -> list[CheckResult]:
        bound = next(iter(of.cases.values())).risk.epsilon
        found = {
            name: [
                one["result"]["epsilon"] for one in made_up_steps(case.steps) if "epsilon" in one["result"]
            ]
            for name, case in of.cases.items()
        }
        spent = {name: sum(steps) for name, steps in found.items() if steps}
        if bound is None or len(spent) < 2:
            return []
        whole = sum(spent.values())
        message = gettext_noop(
            "A person who is in all of these tables has spent ε = %(spent)s: %(columns)s. %(bound)s is allowed, and whether "
            "nobody is in two of them is not known."
        )
        if not all(
            "rows_of_person" in one["result"]
            for case in of.cases.values()
            for one in made_up_steps(case.steps)
            if one["result"].get("epsilon") is not None
        ):
            message = gettext_noop(
                "Somebody with one row in each of these tables has spent ε = %(spent)s: %(columns)s. %(bound)s is allowed, and "
                "whether nobody is in two of them is not known."
            )
        each = ", ".join(f"{name} {number(one)}" for name, one in spent.items())
        return [
            self.row(
                target=bound,
                measured=whole,
                passed=keeps(whole, bound),
                plain=text(message, spent=number(whole), bound=number(bound), columns=each),
                formula=" + ".join(map(number, spent.values())) + f" = {number(whole)}",
            )
        ]
