"""Charts as tags: drawing, one sentence that says what it shows, and the numbers as a table."""

from collections.abc import Callable
from typing import Any

from django.template import Library
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from deid_portal.ui import balances, charts, course, curves, likelihood, scatter, sides
from deid_portal.ui.drawing import Chart

register = Library()

DRAWINGS: dict[str, Callable[..., Chart]] = {
    "bar_chart": charts.bar_chart,
    "target_bars": charts.target_bars,
    "cumulative_curve": curves.cumulative_curve,
    "risk_gauge": curves.risk_gauge,
    "before_after": curves.before_after,
    "risk_utility": scatter.risk_utility,
    "likelihood_impact": likelihood.likelihood_impact,
    "course": course.course,
    "side_by_side": sides.side_by_side,
    "growth": likelihood.growth,
    "balances": balances.balances,
}


def figure(chart: Chart, caption: str, wide: bool = False) -> SafeString:
    """The figure around a drawing; also for a ``Chart`` that a view has made itself (``{% chart c caption %}``)."""
    context = {"chart": chart, "caption": caption, "wide": wide}
    return SafeString(render_to_string("components/chart.html", context))


@register.simple_tag
def chart(drawing: Chart, caption: str = "", wide: bool = False) -> SafeString:
    """``{% chart drawing caption=… %}`` for a drawing made in Python."""
    return figure(drawing, caption, wide)


@register.simple_tag
def drawing(kind: str, *data: Any, **options: Any) -> Chart:
    """``{% drawing "risk_gauge" measured threshold title=… as d %}``: a drawing by the name of its function.

    For what stands in a page (``{% chart d caption %}``) and in a PDF (``d.svg``) alike.
    """
    return DRAWINGS[kind](*data, **options)


def _shown(draw: Callable[..., Chart]) -> Callable[..., SafeString]:
    """A tag for ``draw`` in its figure: ``{% target_bars data title= caption= target= … %}``."""

    def tag(*data: Any, caption: str = "", wide: bool = False, **options: Any) -> SafeString:
        return figure(draw(*data, **options | ({"wide": True} if wide else {})), caption, wide)

    return tag


for _name in ("bar_chart", "target_bars", "cumulative_curve", "risk_gauge", "before_after"):
    register.simple_tag(_shown(DRAWINGS[_name]), name=_name)
