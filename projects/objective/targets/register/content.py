"""What the register is asked, and what it answers: typed, and kept with each look-up."""

from __future__ import annotations

import re
from typing import Annotated

from django.db import models
from django.utils.translation import gettext_lazy as _
from pydantic import Field, StringConstraints

from ..content import LONG, Content, Kinship, RelatedRelease

MOST_COLUMNS = 200
_BETWEEN = re.compile(r"[,，;；、\n\r\t]+")
Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]


class Ground(models.TextChoices):
    """Why an earlier release may be about the same persons."""

    FILE = "file", _("made from the same file")
    COPY = "copy", _("the same file, by its hash")
    SOURCE = "source", _("the same data source")
    NOTICE = "notice", _("the same privacy notice on file")
    SUBJECT = "subject", _("persons told apart by the same column")
    COLUMNS = "columns", _("columns of the same names")


class Question(Content):
    """By what releases are looked for. Of data that are in the portal already their own columns and files are asked beside it."""

    source: Annotated[str, StringConstraints(strip_whitespace=True, max_length=LONG)] = ""
    subject: list[Name] = Field(default_factory=list, max_length=20)
    columns: list[Name] = Field(default_factory=list, max_length=MOST_COLUMNS)


class FoundRelease(Content):
    """One project with releases that were found; ``number`` is its number, or a mark where the reader may not see it. Or one release
    that was made outside the portal, ``is_outside``, of which ``number`` is the mark."""

    number: str
    title: str = ""
    is_hidden: bool
    is_outside: bool = Field(default=False, exclude_if=lambda outside: not outside)
    by: list[Kinship]
    columns: list[str] = []
    releases: int
    is_live: bool
    sharing_type: str = ""
    state: str = ""

    @property
    def related(self) -> RelatedRelease:
        """As the target names it."""
        return RelatedRelease(
            number=self.number,
            title=self.title,
            sharing_type=self.sharing_type,
            state=self.state,
            by=self.by,
            is_outside=self.is_outside,
        )


def names_in(text: str) -> list[str]:
    """Names of columns as somebody types them, each once."""
    return list(dict.fromkeys(name for one in _BETWEEN.split(text) if (name := one.strip())))
