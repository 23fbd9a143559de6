"""The trends in words and figures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.utils.translation import gettext as _

from projects.core.numbers import count, number, percent

from .selectors import Quarter, Trends


def _risk(quarter: Quarter) -> str:
    shown = "–" if quarter.risk is None else percent(quarter.risk)
    if not quarter.unmeasured:
        return shown
    return _("%(risk)s; not known of %(count)s") % {"risk": shown, "count": count(quarter.unmeasured)}


def measures() -> list[tuple[str, Any]]:
    """What each row of the table is called, and how a quarter is said in it."""
    return [
        (_("Releases"), lambda one: count(one.releases)),
        (_("Greatest risk of any person in a release"), _risk),
        (_("Findings raised"), lambda one: count(one.findings)),
        (_("Findings closed"), lambda one: count(one.closed)),
        (_("Incidents reported"), lambda one: count(one.incidents)),
        (_("Re-assessments concluded"), lambda one: count(one.reassessed)),
        (_("… of which did not meet the targets"), lambda one: count(one.not_met)),
        (_("Decisions of senior management"), lambda one: count(len(one.waits))),
        (
            _("Days from submission to decision (median)"),
            lambda one: "–" if one.wait is None else number(round(one.wait, 1)),
        ),
    ]


def rows_of(trends: Trends) -> list[dict[str, Any]]:
    """A row for each measure: the four quarters and the year."""
    quarters = [*trends.quarters, trends.whole]
    return [
        {"label": label, "cells": list(zip(headings(), map(said, quarters), strict=True))}
        for label, said in measures()
    ]


def headings() -> list[str]:
    return [_("Quarter %(number)s") % {"number": number} for number in (1, 2, 3, 4)] + [_("Whole year")]


def pictures_of(trends: Trends) -> list[dict[str, Any]]:
    """What is drawn: a bar for each quarter that has the figure; nothing of a measure that was nought all year."""
    drawn: list[tuple[str, Callable[[Quarter], float | None]]] = [
        (_("Releases"), lambda one: one.releases),
        (
            _("Greatest risk of any person in a release, in percent"),
            lambda one: None if one.risk is None else round(100 * one.risk, 2),
        ),
        (_("Findings raised"), lambda one: one.findings),
        (_("Incidents reported"), lambda one: one.incidents),
        (_("Re-assessments concluded"), lambda one: one.reassessed),
        (
            _("Days from submission to decision (median)"),
            lambda one: None if one.wait is None else round(one.wait, 1),
        ),
    ]
    pictures = []
    for title, value in drawn:
        found = zip(headings(), map(value, trends.quarters), strict=False)
        bars = [(heading, figure) for heading, figure in found if figure is not None]
        if any(figure for _heading, figure in bars):
            pictures.append({"title": title, "data": bars})
    return pictures
