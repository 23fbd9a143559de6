"""The search in a real browser: the keys that open it, where the focus goes, what a page with results is like."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from pytest_django.live_server_helper import LiveServer

from tests.fixtures import PASSWORD
from tests.functional.person import PHONE, Findings, Person, resize

pytestmark = [pytest.mark.usefixtures("one_thread"), pytest.mark.browser, pytest.mark.django_db]
FOCUSED = "document.activeElement.id"


@pytest.fixture
def planner(db: None, browser: Any, project: Any) -> Iterator[Person]:
    """The planning manager on the page of their project; what is wrong with a page fails the test."""
    server, findings = LiveServer("127.0.0.1"), Findings()
    person = Person(browser, server.url, findings)
    person.sign_in("planner", PASSWORD)
    person.goto(f"/projects/{project.pk}/edit/")
    yield person
    person.context.close()
    server.stop()
    assert findings.lines() == []


@pytest.mark.parametrize("keys", ["Control+k", "Meta+K"])
def test_keys_open_it_and_escape_gives_the_focus_back(planner: Person, keys: str) -> None:
    page = planner.page
    page.focus("#id_title")
    page.keyboard.press(keys)
    assert page.is_visible("#search-dialog")
    assert page.evaluate(FOCUSED) == "search-dialog-query"
    planner.examine()
    page.keyboard.press("Escape")
    assert not page.is_visible("#search-dialog")
    assert page.evaluate(FOCUSED) == "id_title"


def test_it_leads_to_what_it_finds_and_the_address_does_not_say_what_was_sought(
    planner: Person, project: Any
) -> None:
    page = planner.page
    page.click("[data-search-open]")
    page.fill("#search-dialog-query", "visits")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    planner.examine()
    assert planner.path == "/search/"
    assert page.input_value("#id_query") == "visits"
    resize(page, **PHONE)
    planner.examine()
    page.click(f'main a[href="/projects/{project.pk}/"]')
    page.wait_for_url(f"**/projects/{project.pk}/**")


def test_who_searches_while_they_write_is_warned_first(planner: Person) -> None:
    page, prompts = planner.page, []
    page.on("dialog", lambda dialog: prompts.append(dialog.type))
    page.fill("#id_title", "Another title")
    page.keyboard.press("Control+k")
    page.fill("#search-dialog-query", "visits")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert prompts == ["beforeunload"]


def test_without_script_the_link_leads_to_its_page(planner: Person, browser: Any) -> None:
    plain = browser.new_context(java_script_enabled=False, storage_state=planner.context.storage_state())
    page = plain.new_page()
    page.goto(planner.page.url)
    page.click("[data-search-open]")
    assert page.url.endswith("/search/")
    page.fill("#id_query", "visits")
    page.click("main form button[type=submit]")
    assert page.locator("main .card a").count() > 0
    plain.close()
