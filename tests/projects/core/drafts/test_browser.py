"""A form that keeps itself, in a real browser: what is typed is there again, for who typed it alone; and a dialog answers as a form does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.utils import timezone
from pytest_django.live_server_helper import LiveServer

from projects.findings.enums import FindingSeverity, FindingSource
from projects.findings.services import finding_raise
from projects.workflow import Stage
from tests.fixtures import PASSWORD
from tests.functional.person import PHONE, Findings, Person, resize

pytestmark = [pytest.mark.usefixtures("one_thread"), pytest.mark.browser, pytest.mark.django_db]
HALF = "半句话，还没有写完"
SAID = "[data-draft-said]:not(:empty)"


@pytest.fixture
def at(db: None, browser: Any, project: Any) -> Iterator[Callable[[str], Person]]:
    """Who signs in with a browser of their own; what is wrong with a page fails the test."""
    server, findings, people = LiveServer("127.0.0.1"), Findings(), []

    def sign_in(name: str) -> Person:
        person = Person(browser, server.url, findings)
        person.sign_in(name, PASSWORD)
        people.append(person)
        return person

    yield sign_in
    for one in people:
        one.context.close()
    server.stop()
    assert findings.lines() == []


def test_what_is_typed_is_there_again_and_nobody_else_sees_it(
    at: Callable[[str], Person], project: Any
) -> None:
    address = f"/projects/{project.pk}/incidents/"
    executor, planner = at("executor"), at("planner")
    executor.goto(address)
    executor.page.fill("#id_description", HALF)
    executor.page.check("[name=kind] >> nth=0")
    executor.page.wait_for_selector(SAID)
    assert "已存为草稿" in executor.page.inner_text("[data-draft-said]")
    executor.goto(address)
    assert executor.page.input_value("#id_description") == HALF
    assert executor.page.is_checked("[name=kind] >> nth=0")
    assert "暂存，尚未填完" in executor.page.inner_text("main")
    executor.examine()
    resize(executor.page, **PHONE)
    executor.examine()
    planner.goto(address)
    assert planner.page.input_value("#id_description") == ""
    assert HALF not in planner.page.content()
    executor.page.click("text=丢弃草稿")
    executor.page.wait_for_load_state()
    assert executor.page.input_value("#id_description") == ""


def test_a_form_that_is_sent_to_an_address_of_its_own_keeps_itself_there(
    at: Callable[[str], Person], project: Any, people: Any
) -> None:
    finding = finding_raise(
        project,
        source=FindingSource.OTHER,
        stage=Stage.OBJECTIVE,
        severity=FindingSeverity.MINOR,
        title="x",
        description="y",
        owner=people.executor,
        due_on=timezone.localdate(),
        by=people.supervisor,
    )
    executor = at("executor")
    address = f"/projects/{project.pk}/findings/{finding.pk}/"
    executor.goto(address)
    executor.page.fill("#id_action", HALF)
    executor.page.wait_for_selector(SAID)
    executor.goto(address)
    assert executor.page.input_value("#id_action") == HALF


@pytest.mark.parametrize("window", [None, PHONE])
def test_a_dialog_without_its_reason_is_answered_in_the_list_of_errors(
    at: Callable[[str], Person], project: Any, window: dict[str, int] | None
) -> None:
    planner = at("planner")
    planner.goto(f"/projects/{project.pk}/objective/")
    if window:
        resize(planner.page, **window)
    planner.page.click("[data-dialog-open=move-withdraw]")
    with planner.page.expect_navigation():
        planner.page.click("#move-withdraw button[type=submit]")
    summary = planner.page.inner_text(".error-summary")
    assert "必须填写理由。" in summary
    assert [line for line in planner.findings.console if "422" not in line] == []
    planner.findings.console.clear()
    planner.examine()
    planner.page.fill("#id_reason", "不再需要")
    with planner.page.expect_navigation():
        planner.page.click("main .button--primary")
    assert planner.page.locator(".error-summary").count() == 0
