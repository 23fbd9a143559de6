"""File names as strangers send them, made fit to show. They are never part of a path."""

from __future__ import annotations

import re
import unicodedata

from django.utils.translation import gettext as _

MAX_NAME = 160


def display_name(name: str) -> str:
    """The last part of ``name`` without control, direction and other invisible characters, shortened."""
    name = unicodedata.normalize("NFC", re.split(r"[/\\]", name)[-1])
    shown = "".join(c for c in name if unicodedata.category(c)[0] != "C" and c not in "\u2028\u2029")
    shown = re.sub(r"\s+", " ", shown).strip(" .")
    if len(shown) > MAX_NAME:
        stem, dot, ending = shown.rpartition(".")
        ending = dot + ending if dot and len(ending) <= 8 else ""
        shown = (stem or shown)[: MAX_NAME - len(ending) - 1] + "…" + ending
    return shown or str(_("unnamed file"))
