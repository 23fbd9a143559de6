"""Vocabulary of the team for personal information."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class TeamDuty(models.TextChoices):
    """What somebody has to see to in the team, in the order in which the page shows it."""

    HEAD = "head", _("Head of the team")
    RULES = "rules", _("Rules and policies")
    TECHNIQUE = "technique", _("Techniques")
    REVIEW = "review", _("Review and audit")
    TRAINING = "training", _("Training of staff")
    LIAISON = "liaison", _("Contact with authorities and partners")


MEANING = {
    TeamDuty.HEAD: _(
        "Leads the team for senior management, names its other members, and answers for what the organisation demands of anonymisation."
    ),
    TeamDuty.RULES: _(
        "Sees that policies, the tables of identifiers and rules, and the checklists are in force and up to date."
    ),
    TeamDuty.TECHNIQUE: _(
        "Advises projects on techniques and recipes, and passes on what was learnt from results."
    ),
    TeamDuty.REVIEW: _(
        "Sees that stages are reviewed, records are checked, and findings are put right in time."
    ),
    TeamDuty.TRAINING: _("Plans trainings, and sees that they are repeated before records end."),
    TeamDuty.LIAISON: _(
        "Speaks with authorities, technical units outside and partners, and sees to what follows."
    ),
}
"""What a duty asks of who has it (12.1 b)."""

SUCCEEDED = "succeeded"
"""The reason of a seat as head that ended because somebody else took the lead."""
