"""How the register is narrowed."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _


class RegisterForm(forms.Form):
    """Addresses hold what is chosen, so that a view can be kept and sent."""

    q = forms.CharField(label=_("Project, release, recipient or mark"), required=False, max_length=80)
    over = forms.BooleanField(label=_("Also those that have ended"), required=False)
