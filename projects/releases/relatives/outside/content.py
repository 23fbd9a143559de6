"""What is told of a release that was made outside the portal, and what of it can be taken down."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import date
from typing import Any

from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _

from projects.core.enums import SharingType
from projects.core.texts import SHA256_PATTERN, has_controls

MOST_COLUMNS, MOST_SUBJECT, LONGEST_NAME = 500, 20, 200


@dataclass(frozen=True)
class OutsideFacts:
    """The fields are those of the entry; ``valid_until`` None: the recipients may keep it without end."""

    name: str
    source: str
    released_on: date
    sharing_type: SharingType
    recipients: str
    columns: Sequence[str]
    evidence: str
    why_outside: str
    subject_columns: Sequence[str] = ()
    treatment: str = ""
    valid_until: date | None = None
    sha256: str = ""

    def as_columns(self) -> dict[str, Any]:
        """As the entry keeps them, each text and name without the blanks around it."""
        found: dict[str, Any] = {}
        for one in fields(self):
            value = getattr(self, one.name)
            if isinstance(value, str) and not isinstance(value, SharingType):
                value = value.strip()
            elif isinstance(value, list | tuple):
                value = [name.strip() for name in value]
            found[one.name] = value
        return found | {"sha256": self.sha256.strip().lower()}

    def require(self) -> None:
        """``ValidationError`` for each field that cannot be taken down."""
        wrong: dict[str, list[str]] = {}
        kept = self.as_columns()
        for name in ("name", "source", "recipients", "treatment", "evidence", "why_outside"):
            if has_controls(kept[name], lines=name in ("recipients", "treatment", "why_outside")):
                wrong[name] = [_("It holds control characters, which nobody can read.")]
        for name, most in (("columns", MOST_COLUMNS), ("subject_columns", MOST_SUBJECT)):
            if found := names_wrong(kept[name], most):
                wrong[name] = found
        if not kept["columns"]:
            wrong["columns"] = [_("Name one column at least.")]
        if self.released_on > timezone.localdate():
            wrong["released_on"] = [_("This day is in the future.")]
        if self.valid_until is not None and self.valid_until < self.released_on:
            wrong["valid_until"] = [_("The last day is before the day of the release.")]
        if kept["sha256"] and not re.fullmatch(SHA256_PATTERN, kept["sha256"]):
            wrong["sha256"] = [_("A SHA-256 has 64 hexadecimal digits.")]
        if wrong:
            raise ValidationError(wrong)


def names_of(text: str) -> list[str]:
    """Names of columns, one a line; empty lines are none."""
    return [name for line in re.split(r"\r\n|\r|\n", text) if (name := line.strip())]


def names_wrong(names: Sequence[str], most: int) -> list[str]:
    """What is the matter with names of columns."""
    said = []
    if len(names) > most:
        said.append(_("At most %(most)s columns can be named.") % {"most": most})
    if any(not name for name in names):
        said.append(_("The name of a column is empty."))
    if any(len(name) > LONGEST_NAME for name in names):
        said.append(_("The name of a column has at most 200 characters."))
    if any(has_controls(name) for name in names):
        said.append(_("The name of a column holds control characters, which nobody can read."))
    times = Counter(one.casefold() for one in names)
    twice = [last for key, last in {one.casefold(): one for one in names}.items() if times[key] > 1]
    if twice and not said:
        said.append(_("Named more than once: %(columns)s.") % {"columns": _(", ").join(twice[:8])})
    return said
