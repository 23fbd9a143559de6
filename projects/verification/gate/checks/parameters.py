"""Software and parameters, looked through for what protects little (5.5.2 c)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _

from projects.core.numbers import percent
from techniques.catalogue.table_c1 import Effect
from techniques.core.messages import gettext_noop

from ...reports.gate import CheckResult
from ...reports.stored import Text, text
from ..beside_plan import against_plan, beside_plan
from ..check import TableCheck, TableSubject, Tick

if TYPE_CHECKING:
    from ..case import Case

FEW_VALUES, FREQUENT = 1000, 0.05
"""Different ciphertexts up to which, with the share from which on one of them stands out, frequencies are read as values."""
_HASH = re.compile(
    r"(?:[0-9a-fA-F]{32}|[0-9a-fA-F]{40}|[0-9a-fA-F]{56}|[0-9a-fA-F]{64}|[0-9a-fA-F]{96}|[0-9a-fA-F]{128})"
)


class Parameters(TableCheck):
    """One row where something is to be weighed, none where nothing is; it never keeps the gate shut by itself."""

    kind = "parameters"
    label = _("Settings of the techniques to weigh before signing")
    clause = "5.5.2 c)"
    meaning = _(
        "A setting may be allowed and protect little: a generous privacy budget, one key for many "
        "purposes, equal ciphertexts for equal values, a technique that the plan does not mention. "
        "The checks do not measure all of this, so it is listed here."
    )
    unit = "count"
    sense = "none"
    shows_details = True

    def measure(self, of: TableSubject, tick: Tick) -> list[CheckResult]:
        from techniques.recipe.review import review

        case = of.case
        said = [text(one.message, **one.params) for one in review(case.recipe, case.risk.k)]
        said += [*_repeated_seed(case), *_readable_frequencies(case), *_hashes_as_they_came(case)]
        said += [*beside_plan(case), *against_plan(case)]
        if not said:
            return []
        message = gettext_noop("Points to be weighed: %(points)d.")
        return [
            self.row(measured=len(said), passed=True, plain=text(message, points=len(said)), details=said)
        ]


def _repeated_seed(case: Case) -> list[Text]:
    """That another run had the draws and the salt of this one: nothing but the data is left in the difference of both results."""
    drawn = any(
        step.needs_key or (step.spec.random and not step.parameters.without_chance)
        for step in case.recipe.steps
    )
    message = gettext_noop(
        "The run drew with the seed of run %(runs)s: whoever has both results takes equal draws out of them, and pseudonyms "
        "of one join those of the other. Run the recipe again, which gives it a seed of its own."
    )
    return [text(message, runs=", ".join(map(str, case.same_seed)))] if drawn and case.same_seed else []


def _readable_frequencies(case: Case) -> list[Text]:
    """Columns of which equal values stay equal and a few occur so often that their frequency tells them."""
    columns = [
        column
        for step in case.recipe.steps
        if step.spec.needs_key and step.spec.claims and step.spec.claims.distinctness is Effect.YES
        for column in step.columns
        if column in case.result.columns()
    ]
    message = gettext_noop(
        "“%(column)s” has %(values)d different ciphertexts or pseudonyms and the most frequent stands in %(share)s of the rows: where the "
        "values differ in how frequent they are, who knows that reads them without the key."
    )
    return [
        text(message, column=column, values=len(cells.values), share=percent(most / case.result.rows))
        for column, cells in case.result.encoded([*dict.fromkeys(columns)]).items()
        if len(cells.values) <= FEW_VALUES
        and (most := int(cells.counts().max(initial=0))) >= FREQUENT * case.result.rows > 0
    ]


def _hashes_as_they_came(case: Case) -> list[Text]:
    """Columns of the source that look like hashes and are in the result as they came: nobody here knows of a key."""
    left = case.result.encoded(sorted(case.untouched()))
    hashed = [column for column, cells in left.items() if len(cells.values) and _are_hashes(cells.values)]
    message = gettext_noop(
        "“%(column)s” holds values of the form of hashes, which came with the data. Those that were made without a key and a salt "
        "anybody recomputes from a list of the values: treat the column, or have its maker confirm the key."
    )
    return [text(message, column=column) for column in hashed]


def _are_hashes(texts: Any) -> bool:
    """Whether all are written like hashes; most columns show by the first that they are not."""
    import pyarrow.compute as pc

    return all(
        pc.all(pc.match_substring_regex(some, rf"^{_HASH.pattern}$")).as_py() for some in (texts[:100], texts)
    )
