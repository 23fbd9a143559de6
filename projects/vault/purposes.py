"""Words for what a key of the vault is for; its stored purpose is part of what it is wrapped with and stays as it is."""

from __future__ import annotations

import re
from typing import Any

from django.utils.translation import gettext_lazy

_PURPOSES: dict[str, Any] = {
    "pseudonyms": gettext_lazy("pseudonyms and encryption"),
    r"pseudonyms of run (\d+) alone": gettext_lazy("pseudonyms of run %(which)s alone"),
    r"pseudonyms of all projects: (.+)": gettext_lazy("pseudonyms of all projects: %(which)s"),
    r"seed of run (\d+)": gettext_lazy("seed of run %(which)s"),
    r"mapping tables of run (\d+)": gettext_lazy("mapping tables of run %(which)s"),
}


def purpose_text(purpose: str) -> str:
    """The purpose in the reader's language; one that is not known as it is stored."""
    for expression, text in _PURPOSES.items():
        if match := re.fullmatch(expression, purpose):
            return str(text) % {"which": match[1]} if match.groups() else str(text)
    return purpose
