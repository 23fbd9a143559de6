"""Made-up rows give the rows they were learned from no more away than rows that were held out (A.7)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from projects.core.numbers import number, percent
from projects.processing.runs.findings import OUTLIERS, figures_of, outliers_named
from techniques.core.messages import gettext_noop
from techniques.disclosure_risk.sizes import keeps
from techniques.recipe.guarantees import private

from ....reports.gate import CheckResult
from ....reports.stored import Text, text
from ...check import TableCheck, TableSubject, Tick, source_text
from ...rows import made_up_steps


class MadeUpRows(TableCheck):
    """One row for every step that made up rows: how close they come to real ones, and whether they tell who was learned from.

    The run's test is what counts: it alone knows which rows were held out.
    """

    kind = "made_up_rows"
    label = _("Made-up rows are no closer to real ones than rows that were held out")
    clause = "A.7 a)"
    meaning = _(
        "Rows that were not learned from are the measure: persons who were learned from should be no "
        "closer to the made-up rows. Above one half an attacker gains something; rows copied from the"
        " source would give 1."
    )
    expression = "max(P(d < d₀), P(m < m₀))"
    unit = "number"
    shows_details = True
    signs = (
        ("d", _("distance of a made-up row to the closest row learned from"), None),
        ("d₀", _("the same of a row that was held out"), None),
        ("m", _("distance of a row learned from to the closest made-up one"), None),
        ("m₀", _("the same of a row that was held out"), None),
    )

    def measure(self, of: TableSubject, tick: Tick) -> list[CheckResult]:
        real = [column for column in of.case.result.columns() if column not in of.case.made_up_columns]
        bound = of.case.risk.membership
        return [self._row(step, real, bound) for step in made_up_steps(of.case.steps)]

    def _row(self, step: Mapping[str, Any], real: list[str], bound: float | None) -> CheckResult:
        found = step["result"].get("closeness", {})
        nearer, member = found.get("nearer_than_held_out"), found.get("membership")
        about: dict[str, Any] = {
            "label": Text(message=source_text(self.label), params={}, columns=", ".join(step["columns"]))
        }
        if nearer is None or member is None:
            why = gettext_noop("The run measured no membership test. Run the recipe again.")
            return self.not_run(text(why), **about)
        message = gettext_noop(
            "A made-up row is closer to one learned from than a held-out row is with a chance of %(nearer)s; who was learned "
            "from is guessed with a chance of %(member)s (one half is chance). %(exact)s of the made-up rows equal a row learned "
            "from, and %(expected)s of the rows held out do."
        )
        said = text(
            message,
            nearer=percent(nearer),
            member=percent(member),
            exact=percent(found["exact_match_share"]),
            expected=percent(found["exact_match_share_held_out"]),
        )
        judged, limit = found.get("judged", max(nearer, member)), found.get("limit")
        # What a target asks for counts where the chance to guess who was learned from exceeds that more.
        if bound is not None and (limit is None or member - bound >= judged - limit):
            judged, limit = member, bound
        by_copies = found["too_close"] and limit is not None and keeps(judged, limit)
        more = gettext_noop("More of the made-up rows equal a row learned from than held-out rows explain.")
        passed = not found["too_close"] and (bound is None or keeps(member, bound))
        alone = outliers_named(step)
        cap = gettext_noop("Cap the values that stand alone before rows are made up (top and bottom coding)")
        remedy = gettext_noop(
            "Draw each value from more rows, generalise first, or make the rows up from noisy counts (differential privacy)"
        )
        return self.row(
            **about,
            target=limit,
            measured=judged,
            passed=passed,
            plain=said,
            formula=f"max({number(nearer)}, {number(member)})",
            details=[
                *([text(more)] if by_copies else []),
                *_guarantee(step),
                *(text(OUTLIERS, **one) for one in alone),
                *_beside(real),
            ],
            remedies=[*([] if passed else [text(remedy)]), *([text(cap)] if alone else [])],
        )


def _guarantee(step: Mapping[str, Any]) -> list[Text]:
    """What is guaranteed beyond the test: ε and δ where the rows are made of noisy counts, else nothing."""
    if "epsilon" not in step["result"]:
        message = gettext_noop(
            "No guarantee stands behind them: the test is what was found, no proof against an attacker."
        )
        return [text(message)]
    itself = gettext_noop("The test itself looks at real rows and is not covered by ε.")
    return [*(text(said.message, **figures_of(said)) for said in private(step)), text(itself)]


def _beside(real: list[str]) -> list[Text]:
    """That other columns of the same rows are real."""
    if not real:
        return []
    message = gettext_noop(
        "%(columns)s beside them are those of real records: a row says something true and something made up."
    )
    return [text(message, columns=", ".join(real))]
