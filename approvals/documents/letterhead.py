"""Whose documents they are: name, logo and mark of secrecy. This package does not know the organisation, so who does registers it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.db import models
from django.utils.translation import gettext_lazy as _

LOGO_URL = "portal-logo:letterhead"


class Mark(models.TextChoices):
    """What is written on top of every document. Marks of state secrets are not among them: what bears one must not lie here."""

    NONE = "", _("None")
    INTERNAL = "internal", _("Internal")
    WORK = "work", _("Work secret")
    TRADE = "trade", _("Trade secret")


@dataclass(frozen=True)
class Logo:
    """A picture that was checked when it was taken in; ``media_type`` as ``image/png``."""

    content: bytes
    media_type: str


@dataclass(frozen=True)
class Letterhead:
    """What stands on top of a document in one language; ``mark`` (密级) is empty where none was chosen."""

    name: str = ""
    logo: Logo | None = None
    mark: str = ""


_source: list[Callable[[], Letterhead]] = []


def set_letterhead_source(source: Callable[[], Letterhead]) -> None:
    """Register who knows the letterhead, in the active language."""
    _source[:] = [source]


def letterhead_now() -> Letterhead:
    """The letterhead in the active language; an empty one where nobody has set any."""
    return _source[0]() if _source else Letterhead()
