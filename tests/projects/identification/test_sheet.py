"""The columns as a sheet, in a real browser: how high it is, how few clicks it takes, its keys, and what works without script."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from pytest_django.live_server_helper import LiveServer

from projects.datasets.tables.selectors import first_table
from projects.identification.enums import ColumnRole
from projects.identification.selectors import verdicts_of
from tests.functional.person import DESKTOP, PHONE, Findings, Person, resize

from .wide import laboratory

pytestmark = [pytest.mark.usefixtures("one_thread"), pytest.mark.browser, pytest.mark.django_db]

START = None
SCREEN = DESKTOP["height"]
WHY = "实验室的测量值，随时间变化且外人无从得知，仅凭该值认不出本人。"


@pytest.fixture
def server(db: None, settings: Any, tmp_path: Path) -> Iterator[LiveServer]:
    """The portal over this test's own database; its jobs are run by the test."""
    settings.DEID_STORE_DIR = tmp_path / "store"
    made = LiveServer("127.0.0.1")
    yield made
    made.stop()


@pytest.fixture
def sheet(
    server: LiveServer, browser: Any, ready_project: Any, people: SimpleNamespace, upload: Any, scan: Any
) -> Iterator[Callable[[int], Person]]:
    """A function that scans a table with so many measured values and opens its sheet before the executor."""
    findings, persons = Findings(), []

    def opened(values: int) -> Person:
        upload(laboratory(values))
        scan()
        persons.append(person := Person(browser, server.url, findings))
        person.sign_in("executor", "correct-horse-battery")
        person.goto(f"/projects/{ready_project.pk}/identification/")
        return person

    yield opened
    for person in persons:
        person.context.close()
    assert findings.lines() == []


class Hand:
    """Counts what a hand does: a choice from a list is two clicks, what is written begins with one."""

    def __init__(self, person: Person) -> None:
        self.person, self.clicks = person, 0

    def click(self, selector: str) -> None:
        self.clicks += 1
        self.person.page.click(selector)

    def send(self, selector: str) -> None:
        self.clicks += 1
        self.person.press(selector)

    def choose(self, name: str, value: str) -> None:
        self.clicks += 2
        self.person.put(name, value)

    def write(self, name: str, text: str) -> None:
        self.clicks += 1
        self.person.put(name, text)


def height(person: Person) -> float:
    """Of the whole page, in screens."""
    return person.page.evaluate("document.documentElement.scrollHeight") / SCREEN


def roles(project: Any) -> dict[str, str]:
    return {column: one.role for column, one in verdicts_of(first_table(project)).items()}


def test_sixty_columns_are_four_screens_and_fifteen_clicks(sheet: Any, ready_project: Any) -> None:
    person = sheet(55)
    assert person.page.locator("[data-line]").count() == 60
    assert height(person) <= 4
    hand = Hand(person)
    hand.write("all-reason", "与数据字典一致")
    hand.send("button[name=what][value=suggestions]")
    assert {"姓名", "身份证号", "手机号"} <= set(roles(ready_project))
    hand.click("[data-pick-open]")
    hand.choose("all-role", "sensitive")
    hand.choose("all-kind", "lab_result")
    hand.write("all-reason", WHY)
    hand.click("[name=all-against]")
    hand.send("button[name=what][value=picked]")
    given = verdicts_of(first_table(ready_project))
    assert len(given) == 60
    assert {given[column].kind for column in laboratory(55).columns[5:]} == {"lab_result"}
    assert hand.clicks <= 15
    assert height(person) <= 4


def test_fifteen_columns_are_two_screens(sheet: Any) -> None:
    person = sheet(10)
    assert person.page.locator("[data-line]").count() == 15
    assert height(person) <= 2


def test_the_keys_go_through_the_lines(sheet: Any, ready_project: Any) -> None:
    """They work in a line that has the focus, and nowhere else."""
    page = (person := sheet(3)).page
    page.keyboard.press("j")
    assert page.evaluate("document.activeElement.tagName") == "BODY"
    page.locator("[data-row]").first.focus()
    for key, column in (("j", "身份证号"), ("j", "手机号"), ("k", "身份证号"), ("ArrowDown", "手机号")):
        page.keyboard.press(key)
        assert column in page.evaluate("document.activeElement.innerText")
    third = page.locator("[data-line]").nth(2)
    page.keyboard.press("Enter")
    assert third.locator(".drawer").is_visible()
    page.keyboard.press("Enter")
    assert not third.locator(".drawer").is_visible()
    for number, role in enumerate(ColumnRole.values, start=1):
        page.keyboard.press(str(number))
        assert third.locator("[data-role]").input_value() == role
    # The last is against what was found: the drawer asks why, and writes nothing there itself.
    assert third.locator(".drawer__against").is_visible()
    assert third.locator("textarea").input_value() == ""
    person.examine()
    page.keyboard.press("1")
    assert not third.locator(".drawer").is_visible()
    # A key is about every line that is ticked, where it is pressed in one of them.
    for _line in range(3):
        page.keyboard.press("j")
        page.keyboard.press("x")
    page.keyboard.press("4")
    chosen = page.locator("[data-role]").evaluate_all("all => all.map(one => one.value)")
    assert chosen == ["", "", "direct", "other", "other", "other", "", ""]
    # In a field a letter is a letter.
    page.fill("[name=all-reason]", "")
    page.locator("[name=all-reason]").press_sequentially("jk14")
    assert page.input_value("[name=all-reason]") == "jk14"
    third.locator("summary").click()
    third.locator("textarea").press("Escape")
    assert "手机号" in page.evaluate("document.activeElement.innerText")
    page.fill("[name=all-reason]", WHY)
    page.check("[name=all-against]")
    person.press("#several button:not([name])")
    assert roles(ready_project)["手机号"] == "direct"


def test_without_script_a_line_and_several_lines_are_decided(
    sheet: Any, browser: Any, ready_project: Any
) -> None:
    person = sheet(3)
    context = browser.new_context(viewport=DESKTOP, java_script_enabled=False)
    context.add_cookies(person.context.cookies())
    page = context.new_page()
    page.goto(person.page.url)
    page.check("[name=pick][value='5']")
    page.check("[name=pick][value='6']")
    page.select_option("[name=all-role]", "other")
    page.select_option("[name=all-kind]", "lab_result")
    page.fill("[name=all-reason]", WHY)
    page.check("[name=all-against]")
    page.select_option("[name=c3-role]", "quasi")
    page.click("button[name=what][value=picked]")
    # The evidence opens by itself where a verdict is against it, and by its mark everywhere.
    page.select_option("[name=c1-role]", "other")
    assert page.locator("#column-1 .drawer__against").is_visible()
    page.locator("#column-0 summary").click()
    assert page.locator("#column-0 .drawer").is_visible()
    page.click("#several button:not([name])")
    assert page.locator(".error-summary a[href='#id_c1-reason']").count() == 1
    assert page.locator("#id_c1-reason").is_visible()
    context.close()
    assert {c: r for c, r in roles(ready_project).items() if r != "sensitive"} == {
        "性别": "quasi",
        "白细胞计数": "other",
        "红细胞计数": "other",
    }


@pytest.mark.parametrize("language", ["zh-hans", "en"])
def test_it_is_read_on_a_phone_and_in_both_languages(sheet: Any, language: str) -> None:
    person = sheet(10)
    person.context.add_cookies([{"name": "django_language", "value": language, "url": person.address}])
    person.goto(person.path)
    person.page.locator("[data-line] summary").first.click()
    person.examine()
    resize(person.page, **PHONE)
    person.examine()
    assert person.page.locator("[data-line] .drawer").first.is_visible()
    assert height(person) <= 8
