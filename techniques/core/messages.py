"""Texts of the engine that a person may read.

The engine knows no web framework, so it does not translate: it marks its texts with
:func:`gettext_noop` for the message catalogue and raises :class:`EngineError` with the
untranslated text and its parameters. Whoever shows the error translates the text first and
fills in the parameters afterwards.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any

_FIGURE = re.compile(r"%\((\w+)\)\.(\d+)f( ?%%)?")
"""A figure that a text gives a fixed number of decimals, in per cent or plain."""


def gettext_noop(message: str) -> str:
    """Return ``message`` unchanged; the name marks it for extraction into the catalogue."""
    return message


_ = gettext_noop
"""The short name by which most modules mark their texts."""


def _figure(value: float, decimals: int, is_share: bool) -> str:
    """At least two digits of the distance from 0, of a share also from 100 %."""
    distance = min(abs(value), abs(100 - value)) if is_share else abs(value)
    if 1e-9 < distance < math.inf:
        decimals = max(decimals, 1 - math.floor(math.log10(distance)))
    return f"{value:.{decimals}f}{' %' * is_share}"


def filled(
    message: str, params: Mapping[str, Any], figure: Callable[[float, int, bool], str] = _figure
) -> str:
    """``message`` with its parameters; ``figure`` writes a number of so many decimals, a share with its sign of per cent."""

    def written(found: re.Match[str]) -> str:
        return figure(float(params[found[1]]), int(found[2]), bool(found[3])).replace("%", "%%")

    return _FIGURE.sub(written, message) % params


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
