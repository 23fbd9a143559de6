"""An intruder test in rows: for its page, its paper and the API."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from projects.core.numbers import count, percent

from .models import IntruderClaim, IntruderTest
from .selectors import is_waiting, rate_of


def outcome(test: IntruderTest, claims: Iterable[IntruderClaim]) -> str:
    """What came of it, with the interval of the rate; what is still to be done."""
    claims = list(claims)
    rate = rate_of(test, claims)
    if rate is None:
        if is_waiting(claims):
            return _("Claims wait to be checked")
        return _("Under way")
    return _(
        "%(right)s of %(attempts)s persons recognised: %(rate)s (95 %% interval: %(low)s to %(high)s)"
    ) % {
        "right": count(int(rate.successes)),
        "attempts": count(rate.attempts),
        "rate": percent(rate.value),
        "low": percent(rate.low),
        "high": percent(rate.high),
    }


def claims_said(claims: Iterable[IntruderClaim]) -> str:
    """How many claims there are."""
    number = len(list(claims))
    return ngettext("%(n)s claim", "%(n)s claims", number) % {"n": count(number)}


def intruder_test_row(
    test: IntruderTest, claims: Iterable[IntruderClaim], bound: float | None
) -> dict[str, Any]:
    """The test with tone and words of its state; ``bound`` is what the target allows."""
    claims = list(claims)
    rate = rate_of(test, claims)
    tone, word = "info", _("Under way")
    if rate is not None:
        tone, word = "neutral", _("Concluded")
        if bound is not None:
            kept = rate.value <= bound
            tone, word = ("ok", _("Within the target")) if kept else ("fail", _("Above the target"))
    return {
        "test": test,
        "claims": claims,
        "said": claims_said(claims),
        "outcome": outcome(test, claims),
        "tone": tone,
        "word": word,
    }


def wanted(bound: float) -> str:
    """What the target asks of a test, in words."""
    return _("Testers may recognise at most %(share)s of the persons whom they try to find.") % {
        "share": percent(bound)
    }
