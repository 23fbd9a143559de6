"""Every component renders well-formed HTML, and hostile text stays text in each of them."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from django.core.paginator import Paginator
from django.template import Context, Template
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.urls import NoReverseMatch

from approvals.governance.verdict import Reason, deny
from deid_portal.ui.icons import ICONS
from deid_portal.ui.templatetags.ui import register
from tests.deid_portal.ui.wellformed import read

HOSTILE = """<script>alert("x")</script>'"><img src=x onerror=alert(1)>&amp;{{ 7 }}"""

CASES = {
    "icon": '{% icon "check" label=x %}',
    "logo": "{% logo %}",
    "page_header": "{% page_header title=x lead=x kicker=x %}{{ x }}{% endpage_header %}",
    "breadcrumbs": "{% breadcrumbs crumbs %}",
    "card": "{% card title=x lead=x tone='fail' icon='key' id='a' url=x level=3 %}{{ x }}{% endcard %}",
    "notice": "{% notice 'warn' title=x live=True %}<p>{{ x }}</p>{% endnotice %}",
    "verdict": "{% verdict 'ok' title=x lead=x %}{{ x }}{% endverdict %}",
    "disclosure": "{% disclosure summary=x note=x open=True %}{{ x }}{% enddisclosure %}",
    "empty_state": "{% empty_state title=x lead=x %}{{ x }}{% endempty_state %}",
    "status_badge": "{% status_badge None x %}",
    "tabs": "{% tabs items label=x %}",
    "key_number": "{% key_number x label=x plain=x unit=x target=x tone='fail' url=x %}",
    "person": "{% person x role=x post=x %}",
    "attrs": "<a{% attrs hx_get=x %}>x</a>",
    "button": "{% button x name=x value=x icon='key' size='s' %}",
    "link_button": "{% link_button x x icon='key' %}",
    "action_button": "{% action_button x url=x decision=x %}{% action_button x url=x hidden=hidden %}"
    "{% action_button x url=x method='get' %}{% action_button x dialog=x %}",
    "deny_reason": "{% deny_reason x %}",
    "confirm_dialog": "{% confirm_dialog id='d' title=x url=x confirm=x cancel=x %}<p>{{ x }}</p>{% endconfirm_dialog %}",
    "job_progress": "{% job_progress job poll_url=x cancel_url=x done_url=x %}",
    "filter_bar": "{% filter_bar label=x reset_url=x apply=x %}{{ x }}{% endfilter_bar %}",
    "pagination": "{% pagination page label=x %}",
    "stage_bar": "{% stage_bar items viewed=x label=x %}",
    "checklist": "{% checklist items title=x %}",
    "task_list": "{% task_list items %}",
    "gate_table": "{% gate_table items caption=x %}",
    "clause_chip": "{% clause_chip x x title=x url=x %}{% clause_chip x %}",
    "term": "{% term x definition=x other=x %}",
    "timeline": "{% timeline items label=x %}",
    "data_table": "{% data_table caption=x filter=True stack=True %}<tbody><tr><td>{{ x }}</td></tr></tbody>{% enddata_table %}",
    "passage": "<p>{% passage %}{{ x }}。 <b>{{ x }}</b>{% endpassage %}</p>",
    "simple_table": "{% simple_table columns rows caption=x total=row filter=True %}",
    "summary_list": "{% summary_list items columns=2 %}",
    "content_hash": "{% content_hash x label=x %}{% content_hash '' %}",
    "masked_value": "{% masked_value x reveal_url=x label=x %}",
    "file_chip": "{% file_chip x url=x size=2048 kind=x note=x %}{% file_chip x size=x %}",
    "code_block": "{% code_block x label=x %}",
    "formula": "{% formula expression=x substituted=x result=x terms=triples source=x summary=x %}",
    "diff_table": "{% diff_table triples before=x after=x caption=x %}",
    "text_diff": "{% text_diff x y label=x %}",
    "chart": "{% chart drawing caption=x %}",
    "drawing": "{% drawing 'bar_chart' pairs title=x x_label=x y_label=x as d %}{% chart d x %}",
    "bar_chart": "{% bar_chart pairs title=x caption=x x_label=x y_label=x alarm=alarm alarm_label=x %}",
    "target_bars": "{% target_bars pairs title=x caption=x target=2 target_label=x value_label=x %}",
    "cumulative_curve": "{% cumulative_curve points title=x caption=x threshold=0.05 threshold_label=x x_label=x y_label=x %}",
    "risk_gauge": "{% risk_gauge 0.2 0.05 title=x caption=x measured_label=x threshold_label=x %}",
    "before_after": "{% before_after counts title=x caption=x before_label=x after_label=x %}",
}
IN_FORMS = {
    "field",
    "form_fields",
    "error_summary",
    "choice_buttons",
    "kept_form",
    "draft_actions",
}  # see test_forms.py


def context(x: str) -> Context:
    """Every name that the cases use, each text in it being ``x``."""
    from deid_portal.ui.charts import bar_chart

    names = [
        "label",
        "url",
        "project",
        "due",
        "word",
        "hint",
        "icon",
        "who",
        "role",
        "action",
        "clause",
        "note",
        "target",
        "measured",
        "plain",
        "sentence",
        "when",
        "detail",
        "hash",
        "key",
        "value",
        "estimate",
        "message",
        "text",
        "cost",
    ]
    item = dict.fromkeys(names, x) | {
        "icon": "key", "tone": "fail", "state": "todo", "current": True, "count": 3, "passed": False,
        "remedies": [{"text": x, "cost": x, "url": x}, x],
    }  # fmt: skip
    request = RequestFactory().get("/list/", {"q": x, "page": "2"})
    return Context({
        "x": x, "y": x + "y", "csrf_token": "token", "request": request,
        "crumbs": [(x, x), (x, "")], "items": [item, item | {"passed": None, "state": "done"}],
        "job": {"label": x, "state": "running", "percent": 46, "estimate": x, "detail": x, "message": x},
        "page": Paginator(range(300), 10).page(2), "hidden": {x: x}, "columns": [x, {"label": x, "num": True}],
        "rows": [[x, x], [x, 3]], "row": [x, x], "triples": [(x, x, x + "z"), (x, "", x)],
        "pairs": [(x, 3), (x + "b", 1)], "alarm": [x], "points": [(0.01, 0.5), (0.2, 1)],
        "counts": [(x, 3, 4), (x, 1, 0)], "drawing": bar_chart([(x, 1)], title=x),
    })  # fmt: skip


def render(source: str, x: str) -> str:
    return Template("{% load ui %}" + source).render(context(x))


def test_every_tag_has_a_case() -> None:
    tags = {name for name in register.tags if not name.startswith("end")}
    assert tags == set(CASES) | IN_FORMS


@pytest.mark.parametrize("name", CASES)
def test_well_formed(name: str) -> None:
    read(render(CASES[name], "区县"))


@pytest.mark.parametrize("name", CASES)
def test_hostile_text_stays_text(name: str) -> None:
    calm = read(render(CASES[name], "x"))
    html = render(CASES[name], HOSTILE)
    hostile = read(html)
    # No element and no attribute can come out of a text.
    assert [tag for tag, _a in hostile.elements if tag in {"script", "img"}] == []
    assert {tag for tag, _a in hostile.elements} <= {tag for tag, _a in calm.elements} | {"del", "ins", "p"}
    for tag, values in hostile.elements:
        assert not any(key in {"onerror", "src"} for key in values), (tag, values)
    assert "{{ 7 }}" in html or HOSTILE not in html


def test_literal_barred_attributes_are_refused() -> None:
    for extra in ("style='x'", "onclick='x'"):
        with pytest.raises(ValueError, match="content security policy"):
            render("{% button 'x' " + extra + " %}", "x")


def test_unknown_icon_is_an_error_and_all_icons_draw() -> None:
    with pytest.raises(KeyError):
        render("{% icon 'no-such' %}", "x")
    for name in ICONS:
        read(render("{% icon '" + name + "' %}", "x"))


class ReasonWithColumn(Reason):
    NOT_READ = "not_read", "%(column)s is not read."


@pytest.mark.parametrize(
    ("tone", "drawn"), [(None, "unknown"), ("gren", "unknown"), (True, "ok"), (False, "fail")]
)
def test_tone_fails_closed(tone: object, drawn: str) -> None:
    html = Template("{% load ui %}{% status_badge tone %}").render(Context({"tone": tone}))
    assert f"badge--{drawn}" in html


def test_gate_never_passes_what_was_not_checked() -> None:
    rows = [{"label": "a", "passed": None}, {"label": "b", "passed": "yes"}, {"label": "c"}]
    html = Template("{% load ui %}{% gate_table rows %}").render(Context({"rows": rows}))
    assert html.count("gate__row--unknown") == 3
    assert "gate__row--ok" not in html


def test_closed_action_explains_itself() -> None:
    reason = SimpleNamespace(label="Who executes %(name)s may not approve it.", value="separation")
    verdict = SimpleNamespace(allowed=False, reason=reason, params={"name": "P1"})
    html = Template("{% load ui %}{% action_button 'Approve' url='/a/' decision=v %}").render(
        Context({"v": verdict})
    )
    reader = read(html, fragment=False)
    (button,) = [values for tag, values in reader.elements if tag == "button"]
    assert button["aria-disabled"] == "true"
    assert button["type"] == "button"
    assert "Who executes P1 may not approve it." in html
    assert "<form" not in html
    filled = deny(ReasonWithColumn.NOT_READ, column="占比%")
    html = Template("{% load ui %}{% action_button 'Approve' url='/a/' decision=v %}").render(
        Context({"v": filled})
    )
    assert "占比% is not read." in html
    open_html = Template("{% load ui %}{% action_button 'Approve' url='/a/' decision=v %}").render(
        Context({"v": SimpleNamespace(allowed=True), "csrf_token": "t"})
    )
    assert 'action="/a/"' in open_html
    assert "csrfmiddlewaretoken" in open_html


def test_without_messages_their_place_is_empty_so_that_it_takes_no_room() -> None:
    assert read(render_to_string("components/messages.html"), fragment=False).elements == [
        ("div", {"class": "messages", "id": "messages", "role": "status", "aria-live": "polite"})
    ]
    assert "></div>" in render_to_string("components/messages.html")


@pytest.mark.parametrize(
    ("call", "attribute"),
    [
        ("{% link_button 'a' ADDRESS icon='key' %}", "href"),
        ("{% action_button 'a' ADDRESS icon='key' %}", "action"),
        ("{% action_button 'a' ADDRESS method='get' %}", "href"),
        ("{% card 'a' ADDRESS icon='key' %}b{% endcard %}", "href"),
        ("{% file_chip 'a' ADDRESS size=2048 %}", "href"),
        ("{% confirm_dialog 'a' ADDRESS id='d' confirm='c' %}b{% endconfirm_dialog %}", "action"),
    ],
)
@pytest.mark.parametrize(
    ("written", "leads_to"),
    [
        ("'accounts:account' 7", "/account/people/7/"),
        ("'ui:gallery'", "/gallery/"),
        ("'/somewhere/?a=b'", "/somewhere/?a=b"),
        ("'#moves'", "#moves"),
        ("resolved", "/resolved/"),
    ],
)
def test_a_tag_leads_to_the_address_that_is_named(call, attribute, written, leads_to) -> None:
    text = "{% load ui %}" + call.replace("ADDRESS", written)
    reader = read(Template(text).render(Context({"resolved": "/resolved/"})), fragment=False)
    assert leads_to in [values.get(attribute) for _, values in reader.elements]


@pytest.mark.parametrize("written", ["'core:nowhere'", "'core:project'", "'ui:gallery' 7"])
def test_an_address_that_does_not_exist_is_an_error(written) -> None:
    with pytest.raises(NoReverseMatch):
        Template("{% load ui %}{% link_button 'a' ADDRESS %}".replace("ADDRESS", written)).render(Context())


def test_a_resolved_address_takes_no_arguments() -> None:
    with pytest.raises(ValueError, match="takes no arguments"):
        Template("{% load ui %}{% link_button 'a' '/somewhere/' 7 %}").render(Context())


@pytest.mark.parametrize(
    ("state", "polls"), [("queued", True), ("running", True), ("done", False), ("failed", False)]
)
def test_job_polls_only_while_alive(state: str, polls: bool) -> None:
    html = Template("{% load ui %}{% job_progress job poll_url='/p/' %}").render(
        Context({"job": {"state": state}})
    )
    assert ("hx-get" in html) is polls


def test_pagination_keeps_the_filters() -> None:
    html = render("{% pagination page %}", "a&b")
    assert "?q=a%26b&amp;page=3" in html


def test_text_diff_by_character_in_chinese() -> None:
    html = Template("{% load ui %}{% text_diff a b %}").render(Context({"a": "保留区县", "b": "保留城市"}))
    assert "保留<del>区县</del><ins>城市</ins>" in html


def test_stage_bar_shows_where_we_are() -> None:
    stages = [
        {"key": "a", "label": "甲", "state": "done", "url": "/a/"},
        {"key": "b", "label": "乙", "state": "current"},
    ]
    html = Template("{% load ui %}{% stage_bar s viewed='a' %}").render(Context({"s": stages}))
    assert html.count('aria-current="step"') == 1
    assert "stage--done stage--viewed" in html
