"""What a text that somebody typed may hold."""

from __future__ import annotations

import unicodedata

from django.core.validators import RegexValidator
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

SHA256_PATTERN = "^[0-9a-f]{64}$"
is_sha256 = RegexValidator(SHA256_PATTERN, _("64 hexadecimal digits in lower case."))
_CONTROLS = frozenset({"Cc", "Zl", "Zp"})


def has_controls(text: str, *, lines: bool = False) -> bool:
    """Whether ``text`` holds control characters; ``lines``: it may have several lines."""
    return any(unicodedata.category(one) in _CONTROLS and not (lines and one in "\r\n\t") for one in text)


def unreadable(*, lines: bool = False, **texts: str) -> dict[str, str]:
    """An error by name for each of ``texts`` with signs that nobody can read: it stays on record, and may stand in the log and in mails."""
    return {
        name: gettext("It holds control characters, which nobody can read.")
        for name, text in texts.items()
        if has_controls(text.strip(), lines=lines)
    }
