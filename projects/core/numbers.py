"""Numbers and moments as a reader sees them: one wording for pages, papers, the API and charts.

Two rules hold everywhere. What is not nothing never reads as 0, and what is not all never reads as 100 %
or as certain: such a number gets as many decimals as it needs. And a number is written with the same
digits wherever it stands, so that 0.0004 is “0.04 %” on every page. What is not known or without end has a sign.
"""

from __future__ import annotations

import math
from datetime import datetime
from decimal import ROUND_FLOOR, ROUND_HALF_UP, Decimal

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from approvals.numbers import separated

# Nearer than this to nothing or all a share is named by its bound: no reader counts such zeros. In per cent.
_FINEST = Decimal("0.0000001")
_ROUNDING = 1e-12


def count(value: float) -> str:
    """A count with its thousands separated."""
    if not math.isfinite(value):
        return _sign(value)
    return separated(round(value))


def number(value: float) -> str:
    """A number that is no share: whole ones in full, others with four significant digits, never as a power of ten."""
    if not math.isfinite(value):
        return _sign(value)
    if value == round(value) or abs(value) >= 1000:
        return count(value)
    exact = Decimal(repr(float(value)))
    rounded = _rounded(exact, 3 - exact.adjusted())
    return _plain(_rounded(exact, _decimals(1 - exact)) if rounded == 1 > exact else rounded)


def whole_number(text: str) -> int:
    """The number from 0 that ``text`` writes in at most nine digits; -1 where it writes none, or a longer one.

    What a request sends has any length, and Python refuses to read some thousands of digits.
    """
    return int(text) if text.isdecimal() and len(text) < 10 else -1


def percent(share: float) -> str:
    """A share between 0 and 1 as per cent with up to two decimals, or as many as tell it from 0 % and 100 %.

    With those it keeps two significant digits of its distance from 0 % or 100 %. What lies below 0 or above 1,
    such as a change, reads the same way.
    """
    if not math.isfinite(share):
        return f"{_sign(share)} %"
    # A sum of shares may end a rounding above 1.
    value = Decimal(1 if 1 < share < 1 + _ROUNDING else repr(float(share))) * 100
    for whole in (Decimal(0), Decimal(100)):
        if 0 < (distance := abs(value - whole)) < _FINEST:
            bound = _FINEST if value > whole else -_FINEST
            return f"{'<' if value < whole + bound else '>'} {_plain(whole + bound)} %"
        if 0 < distance < 1:
            return f"{_plain(_rounded(value, _decimals(distance)))} %"
    return f"{_plain(_rounded(value, 2))} %"


def amount(value: float | None, unit: str) -> str:
    """A target or a measured number by its unit, “share”, “number” or “count”; empty where there is none."""
    if value is None:
        return ""
    if unit == "number":
        return number(value)
    return percent(value) if unit == "share" else count(value)


def bound(value: float | None, unit: str, sense: str) -> str:
    """A target with its sign: the same in the plan, where it is set, and at the gate, which holds results against it."""
    if value is None:
        return ""
    sign = {"at_most": "≤ ", "at_least": "≥ ", "below": "< "}.get(sense, "")
    return sign + amount(value, unit)


def points(difference: float) -> str:
    """The difference of two shares in percentage points with its sign; “0” for shares equal but for rounding."""
    if not math.isfinite(difference):
        return ("+" if difference == math.inf else "") + _sign(difference)
    value = Decimal(repr(float(difference))) * 100
    if abs(value) < _FINEST:
        return "0"
    sign = "+" if value > 0 else "−"
    return sign + _plain(_rounded(abs(value), _decimals(abs(value))))


def times(risk: float) -> str:
    """The n of “1 in n” for a probability above 0; rounded down, so that it never sounds safer, and 1 only where certain."""
    n = 1 / risk
    if n >= 10:
        return count(math.floor(n + 1e-9))
    decimals = 1 if n >= 1.1 or n - 1 < 1e-9 else math.ceil(-math.log10(n - 1) - 1e-9)
    if decimals < 4:
        scale = 10**decimals
        return number(math.floor(n * scale + 1e-9) / scale)
    exact = Decimal(repr(n))
    down = exact.quantize(Decimal(1).scaleb(-decimals), ROUND_FLOOR)
    # What is a hair below the last decimal needs one more, or it would read as certain.
    return _plain(down if down > 1 else exact.quantize(Decimal(1).scaleb(-decimals - 1), ROUND_FLOOR))


def one_in(risk: float | None) -> str:
    """A probability as people say it: “one time in 12”, and in Chinese “8.33 %”; empty for none and for one that is not known."""
    if not risk or math.isnan(risk):
        return ""
    if (get_language() or "").startswith("zh"):
        return percent(risk)
    if risk >= 1:
        return _("every time")
    return _("one time in %(n)s") % {"n": times(risk)}


def beside(text: str, more: str) -> str:
    """What is said, and in brackets what it means: “5 % (one in 20)”."""
    return _("%(text)s (%(more)s)") % {"text": text, "more": more}


def probability(value: float) -> str:
    """A probability as a share, with what it means: “5 % (one time in 20)”."""
    said, words = percent(value), one_in(value)
    return beside(said, words) if words not in ("", said) else said


def moment(time: datetime | None) -> str:
    """A moment to the minute, in the reader's time zone."""
    return "–" if time is None else date_format(localtime(time), "Y-m-d H:i")


def _sign(value: float) -> str:
    """What stands for a number that is not finite."""
    return "–" if math.isnan(value) else "∞" if value > 0 else "−∞"


def _decimals(distance: Decimal) -> int:
    """Two, or as many as keep two significant digits of ``distance``."""
    return max(2, 1 - distance.adjusted())


def _rounded(value: Decimal, decimals: int) -> Decimal:
    # Decimals of a number this large mean nothing.
    return value.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP) if value.adjusted() < 15 else value


def _plain(value: Decimal) -> str:
    """Without an exponent and without zeros at the end."""
    text = f"{value:,f}".replace("-", "−")
    return text.rstrip("0").rstrip(".") if "." in text else text
