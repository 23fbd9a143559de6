"""Charts as tags: drawing, one sentence that says what it shows, and the numbers as a table."""

from collections.abc import Callable, Iterable
from typing import Any

from django.template import Library
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from deid_portal.ui import charts, curves, scatter

register = Library()

DRAWINGS: dict[str, Callable[..., charts.Chart]] = {
    "bar_chart": charts.bar_chart,
    "target_bars": charts.target_bars,
    "cumulative_curve": curves.cumulative_curve,
    "risk_gauge": curves.risk_gauge,
    "before_after": curves.before_after,
    "risk_utility": scatter.risk_utility,
}


def figure(chart: charts.Chart, caption: str, wide: bool = False) -> SafeString:
    """The figure around a drawing; also for a ``Chart`` that a view has made itself (``{% chart c caption %}``)."""
    context = {"chart": chart, "caption": caption, "wide": wide}
    return SafeString(render_to_string("components/chart.html", context))


@register.simple_tag
def chart(drawing: charts.Chart, caption: str = "", wide: bool = False) -> SafeString:
    """``{% chart drawing caption=… %}`` for a drawing made in Python."""
    return figure(drawing, caption, wide)


@register.simple_tag
def drawing(kind: str, *data: Any, **options: Any) -> charts.Chart:
    """``{% drawing "risk_gauge" measured threshold title=… as d %}``: a drawing by the name of its function.

    For what stands in a page (``{% chart d caption %}``) and in a PDF (``d.svg``) alike.
    """
    return DRAWINGS[kind](*data, **options)


@register.simple_tag
def bar_chart(
    data: Iterable[Any], title: str, caption: str = "", wide: bool = False, **options: Any
) -> SafeString:
    """``{% bar_chart data title= caption= x_label= y_label= alarm= alarm_label= wide= %}``: upright bars."""
    return figure(charts.bar_chart(data, title, wide=wide, **options), caption, wide)


@register.simple_tag
def target_bars(data: Iterable[Any], title: str, caption: str = "", **options: Any) -> SafeString:
    """``{% target_bars data title= caption= target= target_label= share= lower_is_better= %}``: lying bars."""
    return figure(charts.target_bars(data, title, **options), caption)


@register.simple_tag
def cumulative_curve(points: Iterable[Any], title: str, caption: str = "", **options: Any) -> SafeString:
    """``{% cumulative_curve points title= caption= threshold= threshold_label= x_label= %}``."""
    return figure(curves.cumulative_curve(points, title, **options), caption)


@register.simple_tag
def risk_gauge(
    measured: object, threshold: object, title: str, caption: str = "", **options: Any
) -> SafeString:
    """``{% risk_gauge measured threshold title= caption= %}``: shares between 0 and 1."""
    return figure(curves.risk_gauge(measured, threshold, title, **options), caption)


@register.simple_tag
def before_after(data: Iterable[Any], title: str, caption: str = "", **options: Any) -> SafeString:
    """``{% before_after data title= caption= before_label= after_label= %}``: one column's distribution."""
    return figure(curves.before_after(data, title, **options), caption)
