"""Numbers and stored texts in the reader's words; never a bare number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext as _


def told(text: Mapping[str, Any] | None) -> str:
    """A stored text in the reader's language. ``columns`` beside it names what it is about."""
    if not text or not text.get("message"):
        return ""
    params = dict(text.get("params") or {})
    if params.get("columns") == "":
        params["columns"] = _("all columns")
    if params.get("technique"):
        params["technique"] = _(str(params["technique"]))
    message = _(text["message"])
    if params:
        message = message % params
    columns = text.get("columns")
    return f"{message}: {columns}" if columns else message


def count(value: float) -> str:
    """A count with its thousands separated."""
    return number_format(round(value), use_l10n=True, force_grouping=True)


def percent(share: float) -> str:
    """A share with enough digits that a small risk is never shown as nothing, nor nearly all as all."""
    value = share * 100
    if value == 0 or abs(value) >= 10:
        text = f"{value:.1f}".rstrip("0").rstrip(".")
        return f"{text} %" if value in (0, 100) or text not in ("0", "100") else f"{value:.3f} %"
    if abs(value) < 0.01:
        return _("under 0.01 %")
    return f"{float(f'{value:.3g}'):g} %"


def one_in(risk: float | None) -> str:
    """A probability as people say it: “one time in 12”; rounded down, so that it never sounds safer."""
    if not risk:
        return ""
    if risk >= 1:
        return _("every time")
    times = 1 / risk
    shown = int(times + 1e-9) if times >= 10 else float(f"{int(times * 10 + 1e-9) / 10:g}")
    return _("one time in %(n)s") % {"n": count(shown) if times >= 10 else f"{shown:g}"}


def amount(value: float | None, unit: str) -> str:
    """A target or a measured number by its unit; empty where there is none."""
    if value is None:
        return ""
    return percent(value) if unit == "share" else count(value)


def bound(value: float | None, unit: str, sense: str) -> str:
    """A target with its sign."""
    if value is None:
        return ""
    sign = {"at_most": "≤ ", "at_least": "≥ "}.get(sense, "")
    return sign + amount(value, unit)


def signed(value: float) -> str:
    """A relative change with its sign."""
    text = percent(abs(value))
    return text if value == 0 else f"+{text}" if value > 0 else f"−{text}"
