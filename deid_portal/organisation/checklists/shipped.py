"""The checklists that come with the portal: points to look at, by the clauses of the standards; nothing of them is asked until the
organisation puts them in force."""

from __future__ import annotations

from typing import NamedTuple

from django.utils import translation
from django.utils.translation import gettext as _

from projects.monitoring.checklists.items import Item
from projects.workflow import Stage
from techniques.core.messages import gettext_noop


class Point(NamedTuple):
    """Something to look at where a stage is reviewed; ``text`` is untranslated."""

    stage: Stage
    clause: str
    obligatory: bool
    text: str


POINTS = (
    Point(Stage.OBJECTIVE, "5.2.2 a", True, gettext_noop("Every law and standard named is one that applies to these data, and none that applies is missing.")),
    Point(Stage.OBJECTIVE, "5.2.2 c", True, gettext_noop("The use asked for is covered by what the persons were told or consented to.")),
    Point(Stage.OBJECTIVE, "5.2.2 f", True, gettext_noop("Earlier releases of the same persons were looked for and are named.")),
    Point(Stage.OBJECTIVE, "5.2.3", True, gettext_noop("The risk targets fit the sharing type and the recipient, and the reasons for them are given.")),
    Point(Stage.OBJECTIVE, "5.2.3", False, gettext_noop("The utility targets say what the recipient needs, no more.")),
    Point(Stage.OBJECTIVE, "5.2.4", True, gettext_noop("The plan names who does what by when, and what happens in an emergency.")),
    Point(Stage.IDENTIFICATION, "5.3.1", True, gettext_noop("The table, the rules and a person's judgement were all three used.")),
    Point(Stage.IDENTIFICATION, "5.3.3 a", True, gettext_noop("Columns were judged by what they contain, not by their names alone.")),
    Point(Stage.IDENTIFICATION, "5.3.4", True, gettext_noop("Free text, remarks and codes were looked at for hidden identifiers.")),
    Point(Stage.IDENTIFICATION, "5.3.4", True, gettext_noop("Wherever a person decided against the proposal, the reason convinces.")),
    Point(Stage.IDENTIFICATION, "5.3.4", False, gettext_noop("Attributes that identify only together are marked as quasi-identifiers.")),
    Point(Stage.PROCESSING, "5.4.2 a", True, gettext_noop("Direct identifiers are removed or replaced so that the result alone does not lead back.")),
    Point(Stage.PROCESSING, "5.4.3", True, gettext_noop("The choice of each technique is justified by the target and not by habit.")),
    Point(Stage.PROCESSING, "5.4.4 a", True, gettext_noop("The run used the recipe that was reviewed, on the whole data set.")),
    Point(Stage.PROCESSING, "5.1 b 1", True, gettext_noop("Keys, mapping tables and seeds are kept apart from the result.")),
    Point(Stage.PROCESSING, "5.4.4 c", False, gettext_noop("A comparison of alternatives shows that less loss was not to be had at this risk.")),
    Point(Stage.VERIFICATION, "5.5.2 a", True, gettext_noop("The risk was measured on the very file that is to be released.")),
    Point(Stage.VERIFICATION, "5.5.2 b", True, gettext_noop("Every risk target is met, or what is not met is named with its reason.")),
    Point(Stage.VERIFICATION, "5.5.3", True, gettext_noop("Samples were looked at by a person for what no measurement finds.")),
    Point(Stage.VERIFICATION, "5.5.3", True, gettext_noop("The result serves the stated use.")),
    Point(Stage.VERIFICATION, "10.3", False, gettext_noop("What an attacker of this recipient's surroundings could know was considered.")),
    Point(Stage.VERIFICATION, "5.5.4", True, gettext_noop("The notice to the recipient says what was done and what remains.")),
)  # fmt: skip


def shipped(stage: Stage) -> tuple[Item, ...]:
    """The items of a stage in both languages."""
    points = [point for point in POINTS if point.stage == stage]
    return tuple(
        Item(zh=_in("zh-hans", point), en=_in("en", point), clause=point.clause, obligatory=point.obligatory)
        for point in points
    )


def _in(language: str, point: Point) -> str:
    with translation.override(language):
        return _(point.text)
