"""Every equivalence class is close to the whole table in its sensitive attributes: t-closeness (B.1.3)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _

from techniques.core.messages import gettext_noop

from ...reports.stored import Text, text
from ..conditions import Condition
from ..sensitive import Measure, SensitiveCheck, SensitiveColumnRead, Worst, figure

if TYPE_CHECKING:
    from techniques.disclosure_risk.diversity import ByClass

    from ..case import Case
    from ..classes import Attribute


def _hierarchical(condition: Condition, classes: ByClass, attribute: Attribute) -> float:
    from techniques.disclosure_risk.diversity import hierarchical

    from ..classes import levels_of

    return hierarchical(classes, levels_of(condition.hierarchy, attribute))


_SHARES = (("p", _("share of a value in one class")), ("q", _("share of the value in the whole table")))


def _distance(key: str, label: str, expression: str, worst: Worst, *signs: tuple[str, Any]) -> Measure:
    """A distance t; ``signs`` are those of its expression beside the shares and the bound."""
    plain = gettext_noop(
        "In the class that differs most from the whole table, the shares of the values of %(column)s are %(found)s away "
        "from it, on a scale from 0 to 1; %(bound)s is allowed."
    )
    signs = (*_SHARES, *signs, ("t", _("greatest distance allowed")))
    return Measure(key, label, plain, expression, "at_most", worst, signs, sign="t")


class Closeness(SensitiveCheck):
    """t by equal, ordered or hierarchical distance from the source, and the gain β of a value over it, suppressed records
    included."""

    kind = "closeness"
    is_for_everybody = True
    label = _("Every equivalence class is close to the whole table in its sensitive attributes")
    clause = "B.1.3"
    meaning = _(
        "A class whose values differ from those of everyone else reveals something about its members,"
        " however varied it is. The distance shows how much, from 0 (nothing) to 1."
    )
    remedy = gettext_noop(
        "Let the model keep this distance for %(column)s over all quasi-identifiers of the result: %(columns)s. It then "
        "generalises further or suppresses the classes that differ most."
    )
    measures = (
        _distance(
            "equal",
            gettext_noop("Distance of every class from the whole table (t)"),
            "t = max ½ Σ |p − q|",
            figure("t"),
        ),
        _distance(
            "ordered",
            gettext_noop("Distance of every class from the whole table, by order (t)"),
            "t = max 1/(m−1) Σ |Σ (p − q)|",
            figure("t_ordered"),
            ("m", _("number of different values")),
        ),
        _distance(
            "hierarchical",
            gettext_noop("Distance of every class from the whole table, by hierarchy (t)"),
            "t = max 1/H Σ_h ½ Σ |p_h − q_h|",
            _hierarchical,
            ("H", _("levels of the hierarchy")),
        ),
        Measure(
            key="likeness",
            label=gettext_noop("Gain of every value over the whole table (β)"),
            plain=gettext_noop(
                "Where a value of %(column)s stands out most in a class, its share exceeds that in the whole table by "
                "%(found)s times the latter; %(bound)s is allowed."
            ),
            expression="β = max (p − q) / q",
            sense="at_most",
            worst=figure("beta"),
            signs=(*_SHARES, ("β", _("greatest gain allowed"))),
            sign="β",
        ),
    )

    def judged(
        self, case: Case, condition: Condition, found: SensitiveColumnRead, measured: float
    ) -> tuple[float, bool | None]:
        """Judged against the source where that has the distribution.

        Else the distance from the result's own distribution bounds that from all rows. With a share s of the rows
        gone, whatever they held, that is at most (1-s) times the distance from the result plus s, and at least it
        less s. By order this holds only if nothing is gone: the number of values that the scale rests on is not known
        otherwise. A share p in a class and q in the result is at least (1-s)·q of all rows, so a gain of
        p/q - 1 is at most p/q / (1-s) - 1; how little it may be does not follow.
        """
        if not found.changed:
            return super().judged(case, condition, found, measured)
        measure = self.measure_of(condition.measure)
        assert measure is not None
        if found.attribute.whose is not None and case.rows_suppressed:
            # What a missing row of a person who is still there would weigh is bounded by nothing that the result tells.
            return measured, None
        rows = case.rows_drawn
        gone = max(0.0, 1 - case.result.rows / rows) if rows else 0.0
        least, most = measured - gone, (1 - gone) * measured + gone
        if condition.measure == "likeness" and gone:
            least, most = 0.0, (1 + measured) / (1 - gone) - 1 if gone < 1 else math.inf
        if gone == 0 or condition.measure != "ordered":
            if measure.holds(condition, most):
                return most, True
            if not measure.holds(condition, least):
                return least, False
        return most, None

    def undecided(self, condition: Condition) -> tuple[Text, Text]:
        why = gettext_noop(
            "%(column)s was changed, so the source does not tell how its values were distributed, and too many "
            "records are missing to tell from the result whether the distance is kept."
        )
        helps = gettext_noop("Suppress fewer records, or leave %(column)s as it is.")
        return text(why, column=condition.column), text(helps, column=condition.column)

    def notes(self, condition: Condition, found: SensitiveColumnRead) -> list[Text]:
        message = (
            gettext_noop(
                "%(column)s was changed, so it is held against what is written in the result; the records that are "
                "missing count against it as far as they can."
            )
            if found.changed
            else gettext_noop(
                "Held against the shares of the values in the source, suppressed records included."
            )
        )
        return [text(message, column=condition.column)]
