"""Vocabulary of queries."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class GrantStatus(models.TextChoices):
    """What became of a proposal to grant a budget."""

    WAITING = "waiting", _("Waiting for a second person")
    GRANTED = "granted", _("Granted")
    REFUSED = "refused", _("Refused")


class Exhaustion(models.TextChoices):
    """What happens when a budget is spent (B.2.2)."""

    STOP = "stop", _("Stop: nothing more is ever granted")
    ASK = "ask", _("More may be asked for, and is granted by a second person")


class QueryStatus(models.TextChoices):
    """What became of a question."""

    RUNNING = "running", _("Being answered")
    ANSWERED = "answered", _("Answered")
    REPEATED = "repeated", _("Asked before: the stored answer, at no cost")
    REFUSED = "refused", _("Refused: the budget does not allow it")
    FAILED = "failed", _("Failed, nothing was charged")


CHARGED = (QueryStatus.RUNNING, QueryStatus.ANSWERED)
"""What counts as spent: a question that is being answered too."""


KINDS = {
    "count": _("Count"),
    "sum": _("Sum"),
    "mean": _("Mean"),
    "quantile": _("Quantile"),
    "mode": _("Most frequent value"),
    "histogram": _("Histogram"),
    "contingency": _("Contingency table"),
}
"""The engine's kinds of questions, in words."""


COMPOSITION = {
    "sequential": _("One after another: ε is added up"),
    "zcdp": _("Zero-concentrated: many small answers cost less, with a δ"),
}
"""How the engine counts several answers, in words."""


NEIGHBOURS = {
    "add_remove": _("Tables with and without one person"),
    "change": _("Tables in which one person is replaced by another"),
}
"""What the engine compares, in words."""
