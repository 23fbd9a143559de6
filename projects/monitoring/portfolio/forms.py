"""How the portfolio is narrowed and ordered."""

from __future__ import annotations

from django import forms
from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

from projects.workflow import Stage


class Due(TextChoices):
    OVERDUE = "overdue", _("Overdue")
    NEAR = "near", _("Due within a week")
    NONE = "none", _("Without a deadline")


class Order(TextChoices):
    DUE = "due", _("Earliest due first")
    RISK = "risk", _("Highest risk first")
    AGE = "age", _("Oldest first")
    WAITING = "waiting", _("Longest in its state first")
    NUMBER = "number", _("By number")


class PortfolioForm(forms.Form):
    """Addresses hold what is chosen, so that a view can be kept and sent."""

    q = forms.CharField(label=_("Number or title"), required=False, max_length=80)
    stage = forms.ChoiceField(label=_("Stage"), required=False, choices=[("", _("All")), *Stage.choices])
    due = forms.ChoiceField(label=_("Deadline"), required=False, choices=[("", _("All")), *Due.choices])
    order = forms.ChoiceField(label=_("Order"), required=False, choices=Order.choices)
    over = forms.BooleanField(label=_("Include projects that have ended"), required=False)
