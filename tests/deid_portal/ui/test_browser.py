"""The gallery in a real browser: axe finds nothing, nothing overflows, and the scripts keep their promises."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from threading import Thread
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, make_server

import pytest
from django.conf import settings
from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.core.handlers.wsgi import WSGIHandler
from django.core.servers.basehttp import ThreadedWSGIServer
from django.test import override_settings

from tests.functional.person import resize

pytestmark = pytest.mark.browser

SIZES = {"desktop": {"width": 1366, "height": 768}, "phone": {"width": 390, "height": 844}}


class Quiet(WSGIRequestHandler):
    """No line for every request."""

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The gallery served by itself under the portal's own content security policy; it needs no database."""
    templates = copy.deepcopy(settings.TEMPLATES)
    templates[0]["OPTIONS"]["context_processors"] = [
        f"django.template.context_processors.{name}" for name in ("request", "i18n")
    ] + ["django.contrib.messages.context_processors.messages"]
    only = ("Security", "CSP", "Session", "Locale", "Common", "Csrf", "Message", "Htmx")
    changed = override_settings(
        ROOT_URLCONF="tests.deid_portal.ui.gallery_urls",
        SESSION_ENGINE="django.contrib.sessions.backends.signed_cookies",
        TEMPLATES=templates,
        MIDDLEWARE=[
            name
            for name in settings.MIDDLEWARE
            if name.startswith(("django.", "csp.", "django_htmx"))
            and name.rpartition(".")[2].startswith(only)
        ],
    )
    changed.enable()
    handler = StaticFilesHandler(WSGIHandler())
    server = make_server("127.0.0.1", 0, handler, server_class=ThreadedWSGIServer, handler_class=Quiet)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    changed.disable()


@pytest.fixture
def open_page(browser: Any, address: str) -> Iterator[Any]:
    """A function that opens a path; any script error or blocked resource fails the test."""
    contexts: list[Any] = []
    complaints: list[str] = []

    def opener(path: str, size: str = "desktop", language: str = "zh-hans") -> Any:
        context = browser.new_context(viewport=SIZES[size])
        contexts.append(context)
        context.add_cookies([{"name": "django_language", "value": language, "url": address}])
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda line: complaints.append(line.text) if line.type == "error" else None)
        page.goto(address + path)
        return page

    yield opener
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.mark.parametrize(
    ("language", "size"), [("zh-hans", "desktop"), ("zh-hans", "phone"), ("en", "phone")]
)
@pytest.mark.parametrize("path", ["/gallery/", "/gallery/form/"])
def test_accessible_and_without_overflow(open_page: Any, path: str, size: str, language: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = open_page(path, size, language)
    found = axe.run(page).response["violations"]
    assert [(rule["id"], [node["html"][:200] for node in rule["nodes"]]) for rule in found] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size]["width"]


def test_language_switch_keeps_entries(open_page: Any) -> None:
    page = open_page("/gallery/form/")
    page.fill("#id_name", "门诊 & <数据>")
    page.check("#id_sharing_2")
    page.check("#id_factors_1")
    page.fill("#id_purpose", "第一行\n第二行")
    page.on("dialog", lambda dialog: dialog.dismiss())
    page.click(".language__button")
    page.wait_for_selector("html[lang=en]")
    assert page.input_value("#id_name") == "门诊 & <数据>"
    assert page.is_checked("#id_sharing_2")
    assert page.is_checked("#id_factors_1")
    assert page.input_value("#id_purpose") == "第一行\n第二行"
    stored = page.evaluate("Object.keys(sessionStorage).filter((key) => key.startsWith('deid-portal'))")
    assert stored == [], "the entries must not stay in the browser"


def test_one_submission_for_two_clicks(open_page: Any) -> None:
    page = open_page("/gallery/form/")
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    page.evaluate("document.querySelector('main form').noValidate = true")
    page.evaluate("const b = document.querySelector('.form__actions button'); b.click(); b.click();")
    page.wait_for_selector(".error-summary")
    assert len(sent) == 1
    assert page.evaluate("document.activeElement.className") == "error-summary"


def test_leaving_with_unsaved_entries_asks(open_page: Any) -> None:
    page = open_page("/gallery/form/")
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.type), dialog.dismiss()))
    page.fill("#id_name", "x")
    page.evaluate("setTimeout(() => location.assign('/gallery/'), 0)")
    page.wait_for_timeout(500)
    assert dialogs == ["beforeunload"]
    assert page.url.endswith("/gallery/form/")


def test_dialog_reveal_filter_and_job(open_page: Any) -> None:
    page = open_page("/gallery/", language="en")
    page.click("[data-dialog-open=withdraw]")
    assert page.evaluate("document.getElementById('withdraw').open")
    page.keyboard.press("Escape")
    assert not page.evaluate("document.getElementById('withdraw').open")
    chip = page.locator("button.chip--clause").first
    chip.click()
    assert chip.get_attribute("aria-expanded") == "true"
    # It goes with its button while the page scrolls, and closes when the button has left the window.
    page.evaluate("window.scrollBy(0, 40)")
    page.wait_for_timeout(100)
    assert chip.get_attribute("aria-expanded") == "true"
    panel = page.locator("#" + chip.get_attribute("aria-controls"))
    assert abs(panel.bounding_box()["y"] - chip.bounding_box()["y"]) < 500
    page.evaluate("window.scrollTo(0, document.body.scrollHeight)")
    page.wait_for_function("() => !document.querySelector('[data-reveal][aria-expanded=true]')")
    chip.click()
    assert chip.get_attribute("aria-expanded") == "true"
    page.keyboard.press("Escape")
    assert chip.get_attribute("aria-expanded") == "false"
    page.locator("[data-table-filter]").first.fill("身份证")
    assert page.locator("[data-filter-count]").first.inner_text()
    page.wait_for_selector("#job [data-job-state=done]", timeout=15_000)


def test_a_job_that_ends_takes_nothing_from_who_writes(open_page: Any) -> None:
    page = open_page("/gallery/", language="en")
    done = '<div class="job job--done" data-job-state="done"><p class="job__label">Whole</p></div>'
    page.evaluate(
        "document.querySelector('main').insertAdjacentHTML('beforeend', "
        "'<form method=post><textarea id=reason name=reason></textarea></form>')"
    )
    page.fill("#reason", "all targets are met")
    page.route("**/gallery/job/", lambda route: route.fulfill(body=done, headers={"HX-Refresh": "true"}))
    page.wait_for_selector("#job [data-job-state=done]", timeout=15_000)
    assert "once you have submitted" in page.inner_text("#job")
    assert page.input_value("#reason") == "all targets are met"


def test_a_job_that_ends_renews_its_page_where_it_stands(open_page: Any) -> None:
    page = open_page("/gallery/", language="en")
    done = '<div class="job job--done" data-job-state="done"><p class="job__label">Whole</p></div>'
    page.evaluate(
        "window.stays = true; document.querySelector('main').dataset.before = ''; window.scrollTo(0, 900)"
    )
    page.route(
        "**/gallery/job/", lambda route: route.fulfill(body=done, headers={"HX-Refresh": "true"}), times=1
    )
    page.wait_for_selector("main:not([data-before])", state="attached", timeout=15_000)
    assert page.evaluate("window.stays"), "nothing was loaded anew"
    assert page.evaluate("window.scrollY") == 900
    assert page.locator("main").count() == 1
    assert page.inner_text("h1"), "what was put in its place is the page"


def test_an_act_that_leads_back_renews_the_page_where_it_stands(open_page: Any) -> None:
    page = open_page("/gallery/form/", language="en")
    page.evaluate("window.stays = true; document.querySelector('main form').setAttribute('data-stays', '')")
    page.evaluate("document.querySelector('main').dataset.before = ''")
    page.click(".form__actions button")
    page.wait_for_selector("main:not([data-before]) .error-summary")
    assert page.evaluate("window.stays")
    assert page.evaluate("document.activeElement.className") == "error-summary"


def test_upload_with_progress_follows_the_answer(open_page: Any) -> None:
    page = open_page("/gallery/form/")
    page.evaluate("document.querySelector('main form').setAttribute('data-upload', '')")
    page.fill("#id_name", "n")
    page.check("#id_sharing_0")
    page.check("#id_factors_0")
    page.select_option("#id_owner", "1")
    page.check("#id_promise")
    page.set_input_files("#id_source", {"name": "a.csv", "mimeType": "text/csv", "buffer": b"x" * 3_000_000})
    page.click(".form__actions button")
    page.wait_for_selector("#messages .notice--ok")


def test_on_paper_nothing_is_cut_and_no_sheet_is_left_for_want_of_width(open_page: Any) -> None:
    """What a row of the gate means takes the sheet's width, cards go on over the end of a sheet, tables are whole."""
    page = open_page("/gallery/", "desktop")
    page.emulate_media(media="print")
    resize(page, width=670, height=980)
    page.evaluate(
        """() => document.querySelector('main').insertAdjacentHTML('beforeend', `<table class="gate__table">
          <tbody class="gate__row"><tr><th scope="row">k<details class="disclosure" open><summary>?</summary><p>k = 5</p></details></th>
          <td class="num">5</td><td class="num">6</td><td>ok</td></tr></tbody></table>`)"""
    )
    found = page.evaluate(
        """() => ({
          folded: [...document.querySelectorAll('th .disclosure:not([open]), .chart .disclosure:not([open])')].filter(
            one => one.getClientRects().length).length,
          parts: [...document.querySelectorAll('main > .disclosure, .card > .disclosure, section > .disclosure')].filter(
            one => !one.getClientRects().length).length,
          shares: [...document.querySelectorAll('.gate__table th .disclosure[open]')].map(
            one => one.getBoundingClientRect().width / one.closest('table').getBoundingClientRect().width),
          whole: [...document.querySelectorAll('.card')].filter(
            one => getComputedStyle(one).breakInside === 'avoid').length,
          cut: [...document.querySelectorAll('.chart .disclosure__body')].filter(
            one => getComputedStyle(one).overflowY !== 'visible').length,
        })"""
    )
    assert found["shares"]
    assert min(found["shares"]) > 0.8
    assert (found["whole"], found["cut"], found["folded"], found["parts"]) == (0, 0, 0, 0)


def test_on_paper_a_box_shows_its_tick_and_a_list_of_many_choices_is_whole(open_page: Any) -> None:
    page = open_page("/gallery/form/", "desktop")
    page.check("#id_factors_0")
    page.evaluate(
        """() => {
          const list = document.querySelector('#id_factors_0').closest('.options'), one = list.querySelector('.option');
          list.querySelectorAll('.option__description').forEach(each => each.remove());
          for (let number = 0; number < 60; number++) list.append(one.cloneNode(true));
        }"""
    )
    state = """() => {
      const box = document.querySelector('#id_factors_0'), list = box.closest('.options');
      return [getComputedStyle(box).printColorAdjust, list.scrollHeight <= list.clientHeight + 1];
    }"""
    assert page.evaluate(state)[1] is False, "on a screen the rest is a turn of the wheel away"
    page.emulate_media(media="print")
    assert page.evaluate(state) == ["exact", True]


def test_a_term_explains_itself_while_pointer_or_focus_is_on_it(open_page: Any) -> None:
    """WCAG 1.4.13: it can be taken away without moving, gone over with the pointer, and stays as long as it is wanted."""
    page = open_page("/gallery/", language="en")
    term = page.locator("[data-reveal-near]").first
    panel = page.locator("#" + str(term.get_attribute("aria-controls")))
    assert term.get_attribute("aria-describedby") == term.get_attribute("aria-controls")
    term.scroll_into_view_if_needed()
    term.hover()
    assert panel.is_visible()
    panel.hover()
    page.wait_for_timeout(600)
    assert panel.is_visible(), "the pointer is on it"
    page.keyboard.press("Escape")
    assert not panel.is_visible()
    term.hover()
    page.mouse.move(1, 1)
    panel.wait_for(state="hidden", timeout=2_000)
    # A click keeps what the pointer brought, and a second one closes it.
    term.hover()
    term.click()
    page.mouse.move(1, 1)
    page.wait_for_timeout(600)
    assert panel.is_visible()
    term.click()
    assert not panel.is_visible()
    page.mouse.move(1, 1)
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    assert panel.is_visible(), "reached with the keyboard"
    page.keyboard.press("Escape")
    assert not panel.is_visible()


@pytest.mark.parametrize("size", SIZES)
def test_without_script_an_explanation_covers_nothing(browser: Any, address: str, size: str) -> None:
    """It stands in the line of its button, with no box of its own over the lines above and below."""
    context = browser.new_context(viewport=SIZES[size], java_script_enabled=False)
    page = context.new_page()
    page.goto(address + "/gallery/")
    panels = page.locator(".reveal__panel")
    styles = panels.evaluate_all(
        "all => all.map(one => getComputedStyle(one)).map(s => [s.position, s.display, s.padding, s.borderTopWidth, s.boxShadow])"
    )
    context.close()
    assert {*map(tuple, styles)} == {("static", "inline", "0px", "0px", "none")}
