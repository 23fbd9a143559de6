"""What a target of risk means for a person, with its figure; the row of the target in :mod:`..wording` says it."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

CLASS_SIZE = _("Everyone is hidden in a group of at least %(k)s people who look the same to others.")
STRANGER = _("A stranger who knows these columns about someone is right with a probability of at most %(p)s.")
GUESS = _("Over all persons, a guess is right with a probability of at most %(p)s.")
OVERALL = _("Risk of the data multiplied by the probability of an attempt: at most %(p)s.")
