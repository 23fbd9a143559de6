"""Every equivalence class is varied in its sensitive attributes: l-diversity (B.1.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from techniques.core.messages import gettext_noop

from ...reports.stored import Text, text
from ..conditions import Condition
from ..sensitive import Measure, SensitiveCheck, SensitiveColumnRead, figure

if TYPE_CHECKING:
    from techniques.disclosure_risk.diversity import ByClass

    from ..classes import Attribute


def _recursive(condition: Condition, classes: ByClass, attribute: Attribute) -> float:
    from techniques.disclosure_risk.diversity import recursive_bounds

    return recursive_bounds(classes, condition.place).get(condition.place, float("inf"))


def _level_share(condition: Condition, classes: ByClass, attribute: Attribute) -> float:
    from ..classes import level_share

    return level_share(condition.levels, classes, attribute)


class Diversity(SensitiveCheck):
    """l by distinct values, by entropy, or by frequency (recursive)."""

    kind = "diversity"
    is_for_everybody = True
    label = _("Every equivalence class is varied in its sensitive attributes")
    clause = "B.1.2"
    meaning = _(
        "Someone who knows which class a person belongs to also knows the sensitive value if everyone"
        " in the class shares it. So the values of every class have to differ."
    )
    effort = 0.05
    remedy = gettext_noop(
        "Let the model keep this condition for %(column)s over all quasi-identifiers of the result: %(columns)s. It "
        "then generalises further or suppresses the classes that are too uniform."
    )
    measures = (
        Measure(
            key="share",
            label=gettext_noop("Greatest share of a value in any class (α)"),
            plain=gettext_noop(
                "The most frequent value of %(column)s has the share %(found)s of its class; %(bound)s is allowed."
            ),
            expression="α = max p",
            sense="at_most",
            worst=figure("alpha"),
            signs=(
                ("p", _("share of a value in one class")),
                ("α", _("greatest share allowed")),
            ),
            sign="α",
        ),
        Measure(
            key="level_share",
            label=gettext_noop("Greatest share of a sensitivity level in any class (α)"),
            plain=gettext_noop(
                "The most frequent sensitivity level of %(column)s has the share %(found)s of its class; %(bound)s is "
                "allowed. A value that has no level, such as one that is missing or was generalised, counts as of this one."
            ),
            expression="α = max p",
            sense="at_most",
            worst=_level_share,
            signs=(
                ("p", _("share of a sensitivity level in one class")),
                ("α", _("greatest share allowed")),
            ),
            sign="α",
        ),
        Measure(
            key="distinct",
            label=gettext_noop("Different values in every class (l)"),
            plain=gettext_noop(
                "In the class with the least variety there are %(found)s different values of %(column)s; %(bound)s are needed."
            ),
            expression="l = min |{s}|",
            sense="at_least",
            worst=figure("distinct"),
            signs=(
                ("s", _("values of the sensitive attribute in one class")),
                ("l", _("least number needed")),
            ),
            sign="l",
            unit="count",
        ),
        Measure(
            key="entropy",
            label=gettext_noop("Variety of every class by entropy (l)"),
            plain=gettext_noop(
                "The class with the least variety is as varied in %(column)s as if %(found)s values were equally frequent; "
                "%(bound)s are needed."
            ),
            expression="l = min exp(−Σ p ln p)",
            sense="at_least",
            worst=figure("entropy"),
            signs=(("p", _("share of a value in one class")), ("l", _("least variety needed"))),
            sign="l",
        ),
        Measure(
            key="recursive",
            label=gettext_noop("No value stands out in any class (recursive)"),
            plain=gettext_noop(
                "In the class where one value of %(column)s stands out most, it occurs %(found)s times as often as the values "
                "from number %(place)d on together; it has to be less than %(bound)s times."
            ),
            expression="r₁ < c · (r_l + … + r_m)",
            sense="below",
            worst=_recursive,
            signs=(
                ("r", _("how often each value occurs in one class, the most frequent first")),
                ("c", _("how far the most frequent value may stand out")),
            ),
            sign="r₁ / (r_{place} + … + r_m)",
        ),
    )

    def notes(self, condition: Condition, found: SensitiveColumnRead) -> list[Text]:
        if not found.attribute.unknown:
            return []
        message = gettext_noop(
            "In %(rows)d rows %(column)s is missing or *; that adds no variety to their class."
        )
        return [text(message, rows=found.attribute.unknown, column=condition.column)]
