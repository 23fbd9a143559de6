"""The checklists that come with the portal: points to look at, by the clauses of the standards; nothing of them is asked until the
organisation puts them in force."""

from __future__ import annotations

from django.utils import translation
from django.utils.translation import gettext as _

from projects.monitoring.checklists.items import Item
from projects.workflow import Stage
from techniques.core.messages import gettext_noop

SHIPPED: dict[Stage, tuple[tuple[str, bool, str], ...]] = {
    Stage.OBJECTIVE: (
        ("5.2.2 a", True, gettext_noop("Every law and standard named is one that applies to these data, and none that applies is missing.")),
        ("5.2.2 c", True, gettext_noop("The use asked for is covered by what the persons were told or consented to.")),
        ("5.2.2 f", True, gettext_noop("Earlier releases of the same persons were looked for and are named.")),
        ("5.2.3", True, gettext_noop("The risk targets fit the sharing type and the recipient, and the reasons for them are given.")),
        ("5.2.3", False, gettext_noop("The utility targets say what the recipient needs, no more.")),
        ("5.2.4", True, gettext_noop("The plan names who does what by when, and what happens in an emergency.")),
    ),
    Stage.IDENTIFICATION: (
        ("5.3.1", True, gettext_noop("The table, the rules and a person's judgement were all three used.")),
        ("5.3.3 a", True, gettext_noop("Columns were judged by what they contain, not by their names alone.")),
        ("5.3.4", True, gettext_noop("Free text, remarks and codes were looked at for hidden identifiers.")),
        ("5.3.4", True, gettext_noop("Wherever a person decided against the proposal, the reason convinces.")),
        ("5.3.4", False, gettext_noop("Attributes that identify only together are marked as quasi-identifiers.")),
    ),
    Stage.PROCESSING: (
        ("5.4.2 a", True, gettext_noop("Direct identifiers are removed or replaced so that the result alone does not lead back.")),
        ("5.4.3", True, gettext_noop("The choice of each technique is justified by the target and not by habit.")),
        ("5.4.4 a", True, gettext_noop("The run used the recipe that was reviewed, on the whole data set.")),
        ("5.1 b 1", True, gettext_noop("Keys, mapping tables and seeds are kept apart from the result.")),
        ("5.4.4 c", False, gettext_noop("A comparison of alternatives shows that less loss was not to be had at this risk.")),
    ),
    Stage.VERIFICATION: (
        ("5.5.2 a", True, gettext_noop("The risk was measured on the very file that is to be released.")),
        ("5.5.2 b", True, gettext_noop("Every risk target is met, or what is not met is named with its reason.")),
        ("5.5.3", True, gettext_noop("Samples were looked at by a person for what no measurement finds.")),
        ("5.5.3", True, gettext_noop("The result serves the stated use.")),
        ("10.3", False, gettext_noop("What an attacker of this recipient's surroundings could know was considered.")),
        ("5.5.4", True, gettext_noop("The notice to the recipient says what was done and what remains.")),
    ),
}  # fmt: skip


def shipped(stage: Stage) -> tuple[Item, ...]:
    """The items of a stage in both languages."""
    said = {}
    for language in ("zh-hans", "en"):
        with translation.override(language):
            said[language] = [_(text) for __, __, text in SHIPPED[stage]]
    return tuple(
        Item(zh=zh, en=en, clause=clause, obligatory=obligatory)
        for (clause, obligatory, __), zh, en in zip(SHIPPED[stage], said["zh-hans"], said["en"], strict=True)
    )
