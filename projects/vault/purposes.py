"""What keys of the vault are for: as it is stored, which is part of what a key is wrapped with, and in words."""

from __future__ import annotations

import re

from django.utils.translation import gettext_lazy

PROJECT_KEY = "pseudonyms"
"""One key per project: pseudonyms of its runs can be told apart by the seed, which is the run's own."""
SEED = "seed of run %s"
ONCE = "pseudonyms of run %s alone"
"""A key that is destroyed when its run ends."""
SHARED = "pseudonyms of all projects: %s"
"""A key that every project has whose recipe names the purpose."""
MAPPINGS = "mapping tables of run %s"
"""One key for all mapping tables of a run."""

_WORDS = {
    PROJECT_KEY: gettext_lazy("pseudonyms and encryption"),
    SEED: gettext_lazy("seed of run %(which)s"),
    ONCE: gettext_lazy("pseudonyms of run %(which)s alone"),
    SHARED: gettext_lazy("pseudonyms of all projects: %(which)s"),
    MAPPINGS: gettext_lazy("mapping tables of run %(which)s"),
}


def is_shared(purpose: str) -> bool:
    """Whether the projects that name it have the same key."""
    return purpose.startswith(SHARED % "")


def purpose_text(purpose: str) -> str:
    """The purpose in the reader's language; one that is not known as it is stored."""
    for stored, text in _WORDS.items():
        if match := re.fullmatch(re.escape(stored).replace("%s", "(.+)"), purpose):
            return str(text) % {"which": match[1]} if match.groups() else str(text)
    return purpose
