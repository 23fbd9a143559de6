"""What a password may not be: short, common, a pattern, or the person's own name. In the reader's language."""

from __future__ import annotations

import re

from django.contrib.auth.password_validation import CommonPasswordValidator
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from approvals.governance.person import Person

SHORTEST = 12
# So much must be left of it once names, repetitions and sequences are taken out.
LEFT = 6
_SEQUENCES = ("01234567890" * 2, "abcdefghijklmnopqrstuvwxyz", "qwertyuiop", "asdfghjkl", "zxcvbnm")


class GuessableValidator:
    """Refuses what is guessed first; for ``AUTH_PASSWORD_VALIDATORS``."""

    def validate(self, password: str, user: Person | None = None) -> None:
        if len(password) < SHORTEST:
            message = _("This password is too short: it needs at least %(length)s characters.")
            raise ValidationError(message % {"length": SHORTEST}, code="password_too_short")
        lowered = password.casefold()
        for name in _names(user):
            rest = lowered.replace(name, "")
            if rest != lowered and len(rest) < LEFT:
                raise ValidationError(
                    _("This password is little more than your own name."), code="password_too_similar"
                )
        core = _core(lowered)
        if len(core) < LEFT or core in CommonPasswordValidator().passwords:
            raise ValidationError(
                _("This password is easy to guess: it is common, repeats itself or follows a sequence."),
                code="password_too_common",
            )

    def get_help_text(self) -> str:
        return _("At least 12 characters; not similar to your name and not a common password.")


def _names(user: Person | None) -> list[str]:
    """Names of the person, the longest first; of one character they say nothing."""
    said = (str(getattr(user, field, "") or "") for field in ("username", "full_name", "email"))
    parts = {part for name in said for part in (name.casefold(), *re.split(r"[\s.@_-]+", name.casefold()))}
    return sorted((part for part in parts if len(part) > 1), key=len, reverse=True)


def _core(password: str) -> str:
    """What is left of a password: one turn of what repeats, without sequences and the digits and marks at its ends."""
    repeated = re.fullmatch(r"(.+?)\1+", password)
    core = repeated[1] if repeated else password
    for row in _SEQUENCES:
        for run in (row, row[::-1]):
            for length in range(len(run), 3, -1):
                for start in range(len(run) - length + 1):
                    core = core.replace(run[start : start + length], "")
    return re.sub(r"^[\d\W_]+|[\d\W_]+$", "", core) if re.search(r"[^\W\d_]", core) else core
