"""Texts of the engine that a person may read.

The engine knows no web framework, so it does not translate: it marks its texts with
:func:`gettext_noop` for the message catalogue and raises :class:`EngineError` with the
untranslated text and its parameters. Whoever shows the error translates the text first and
fills in the parameters afterwards.
"""

from __future__ import annotations


def gettext_noop(message: str) -> str:
    """Return ``message`` unchanged; the name marks it for extraction into the catalogue."""
    return message


_ = gettext_noop
"""The short name by which most modules mark their texts."""


class EngineError(Exception):
    """Something the user can understand and correct: what, where and how.

    ``code`` is stable and machine-readable, ``message`` the English text with ``%(name)s``
    placeholders, ``params`` their values. ``params`` never holds raw data values.
    """

    def __init__(self, code: str, message: str, **params: object) -> None:
        self.code = code
        self.message = message
        self.params = params
        super().__init__(code, message, params)

    def __str__(self) -> str:
        return self.message % self.params if self.params else self.message
