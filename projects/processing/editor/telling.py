"""What gives a value away: whether that which a step left of it says nearly all of it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import pairwise
from statistics import median

TELLING = 0.75
"""Share of an identifier's signs that gives it away; usual masks leave seven of the eleven digits of a telephone number."""
IDENTIFIER_SIGNS = range(5, 41)
"""How many signs identifiers have; shorter texts are names, amounts, ages and codes, longer ones remarks that a step redacts."""
CLOSE = 0.01
"""Share of the spread of a column: a number that is no further from what it was says the same."""
CLOSE_DAYS = 1.0
"""As many days leave a date what it was."""

_NUMBER = re.compile(r"([+-]?)[¥$€£]?(\d{1,3}(?:,\d{3})+|\d+)(\.\d*)?(e[+-]?\d{1,3})?([^\d.,+*-]{0,3})", re.I)
_DATE = re.compile(
    r"([12]\d{3})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?:t?(\d{1,2}):(\d{2})(?::\d{2}(?:\.\d*)?)?z?)?"
)
_DIGITS_DATE = re.compile(r"([12]\d{3})(\d{2})(\d{2})()()")
_INTERVAL = re.compile(r"[\[(]?([+-]?\d+(?:\.\d+)?)[,~–—-]([+-]?\d+(?:\.\d+)?)[\])]?")


def tells(old: str | None, new: str | None) -> bool:
    """Whether ``new`` gives ``old`` away where nothing is known of the other values of the column."""
    return Column([old], [new]).tells(old, new)


@dataclass
class _Scale:
    """How far the numbers of a column, or its days, lie apart, and what a step changed of them."""

    spread: float = 0.0
    """Between the twentieth of the values that is smallest and that which is largest."""
    gap: float = 0.0
    """The smallest difference of two values."""
    changed: float | None = None
    """The median change of the values that changed; None where none did."""
    is_coarse: bool = False
    """Whether no more than half as many values are left: a coarse value is one for all that became it, near as some of them are."""

    @classmethod
    def of(cls, pairs: Sequence[tuple[float, float]], before: Sequence[float]) -> _Scale:
        values = sorted(before)
        several = sorted(set(values))
        cut = len(values) // 20
        changes = [abs(new - old) for old, new in pairs if new != old]
        return cls(
            spread=(values[-1 - cut] - values[cut] or values[-1] - values[0]) if values else 0.0,
            gap=min((high - low for low, high in pairwise(several)), default=0.0),
            changed=median(changes) if changes else None,
            is_coarse=2 * len({new for _old, new in pairs}) <= len({old for old, _new in pairs}),
        )

    def is_close(self, change: float, limit: float) -> bool:
        """Whether a value that changed so much is still what it was, or those of its column are."""
        if self.changed is not None and self.changed <= limit:
            return True
        return change <= limit and (change == 0 or not self.is_coarse)


@dataclass
class Column:
    """The n cells of a column before and after a step or a recipe (None: missing, or no longer there), as texts."""

    before: Sequence[str | None]
    after: Sequence[str | None]
    _numbers: _Scale = field(init=False)
    _days: _Scale = field(init=False)

    def __post_init__(self) -> None:
        pairs = [(old, new) for old, new in zip(self.before, self.after, strict=True) if old and new]
        there = [old for old in self.before if old]
        self._numbers = _scale(_number, pairs, there)
        self._days = _scale(_day, pairs, there)

    def tells(self, old: str | None, new: str | None) -> bool:
        """Whether ``new`` gives ``old`` away: it is the same otherwise written, so near to it that it makes no difference, or
        nearly all of its signs stand in it, in their order."""
        if not old or not new or old == new:
            return old == new
        first, second = _signs(old), _signs(new)
        if first == second and (first or _plain(old) == _plain(new)):
            return True
        return self._is_near(old, new) or _is_within(first, second)

    def _is_near(self, old: str, new: str) -> bool:
        days = _day(old), _day(new)
        if days[0] is not None and days[1] is not None:
            return self._days.is_close(abs(days[1] - days[0]), CLOSE_DAYS)
        number = _number(old)
        if number is None:
            return False
        scale = self._numbers
        close = CLOSE * (scale.spread or abs(number))
        other, interval = _number(new), _INTERVAL.fullmatch(_plain(new))
        if interval is not None:
            low, high = float(interval[1]), float(interval[2])
            # One that is no wider than neighbouring values lie apart holds one of them.
            return low <= number <= high and high - low <= max(close, scale.gap)
        if other is None:
            return False
        # Less than half the gap is undone by rounding; the same digits are the same number in another unit.
        is_near = scale.is_close(abs(other - number), max(close, 0.499 * scale.gap))
        return is_near or (len(_digits(old)) > 1 and _digits(old) == _digits(new))


def _scale(
    read: Callable[[str], float | None], pairs: Sequence[tuple[str, str]], before: Sequence[str]
) -> _Scale:
    found = [(read(old), read(new)) for old, new in pairs]
    values = [read(old) for old in before]
    return _Scale.of(
        [(old, new) for old, new in found if old is not None and new is not None],
        [value for value in values if value is not None],
    )


def _is_within(old: str, new: str) -> bool:
    """Whether the letters and digits ``old`` stand in ``new``, nearly all of them and in their order."""
    if len(old) < IDENTIFIER_SIGNS.start:
        # Digits in a row are in many a number and code.
        return len(old) > 1 and not old.isdigit() and old in new
    same = sum(block.size for block in SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks())
    if len(old) in IDENTIFIER_SIGNS:
        return same > TELLING * len(old)
    # Of a remark less was taken out than any identifier has.
    return len(old) - same < IDENTIFIER_SIGNS.start


def _plain(text: str) -> str:
    """In one width and case, without blanks."""
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())


@lru_cache(maxsize=4096)
def _signs(text: str) -> str:
    """The letters and digits of a text in one width and case."""
    return "".join(sign for sign in _plain(text) if sign.isalnum())


def _number(text: str) -> float | None:
    """The number that a text is, whatever its unit; None where it is none."""
    found = _NUMBER.fullmatch(_plain(text))
    if found is None:
        return None
    return float(found[1] + found[2].replace(",", "") + (found[3] or "") + (found[4] or ""))


def _digits(text: str) -> str:
    """The digits of a number without the zeros at its ends."""
    found = _NUMBER.fullmatch(_plain(text))
    return (found[2].replace(",", "") + (found[3] or "").replace(".", "")).strip("0") if found else ""


def _day(text: str) -> float | None:
    """The day that a text is, with its time as a share of it, counted from the beginning; None where it is no whole date."""
    plain = _plain(text)
    found = _DATE.fullmatch(plain) or _DIGITS_DATE.fullmatch(plain)
    if found is None:
        return None
    try:
        day = date(int(found[1]), int(found[2]), int(found[3])).toordinal()
    except ValueError:
        return None
    return day + int(found[4] or 0) / 24 + int(found[5] or 0) / 1440
