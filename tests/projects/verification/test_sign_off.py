"""The screen on which senior management signs: what it answers without scrolling, and that it asks who signs."""

from __future__ import annotations

import copy
import re
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from typing import Any

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.urls import reverse
from django.utils import translation

from approvals.audit.recording import recording
from approvals.decisions.models import SignOff
from deid_portal.accounts import two_step
from deid_portal.accounts.models import User
from projects.core.comments.services import comment_write
from projects.core.enums import Thread
from projects.datasets.tables.selectors import first_table
from projects.identification.models import ColumnVerdict, IdentificationRound, PersonKey
from projects.identification.selectors import round_now, verdicts_of
from projects.objective.selectors import plan_latest
from projects.verification import events
from projects.verification.documents import REPORT_KIND, report_document_context
from projects.verification.selectors import current_verification
from projects.verification.sign_off.columns import tables_out
from projects.workflow import State
from tests.conftest import CHROMIUM
from tests.fixtures import PASSWORD

pytestmark = pytest.mark.django_db
PORTAL = "http://portal.test"
SHEETS = 8
WINDOW = {"width": 1366, "height": 768}
# What the page of one result and one recipient answers before anything is scrolled.
QUESTIONS = (
    "recipient",
    "columns",
    "people",
    "law",
    "agreement",
    "worst",
    "overrides",
    "returned",
    "reviewers",
    "deadline",
)


def address(project: Any, name: str = "verification:decide") -> str:
    return reverse(name, kwargs={"project_id": project.pk})


def said(project: Any, **more: str) -> dict[str, str]:
    current = current_verification(project)
    assert current is not None
    given = {"decision": "approved", "reason": "All is in order.", "content_hash": current.content_hash}
    return given | {"secret": PASSWORD} | more


def test_who_signs_sees_how_many_comments_the_step_has(client, waiting, people):
    """Of the step that is signed, and of no other."""
    project = waiting.fresh()
    client.force_login(people.management)

    def on(name: str) -> str:
        return client.get(address(project, name), headers={"accept-language": "en"}).content.decode()

    assert "No comments on this step" in on("verification:decide")
    comment_write(project, thread=Thread.VERIFICATION, text="Why so much suppressed?", by=people.supervisor)
    assert "1 comment on this step" in on("verification:decide")
    assert "No comments on this step" in on("objective:decide")
    for text in ("Because of one village.", "Agreed."):
        comment_write(project, thread=Thread.VERIFICATION, text=text, by=people.executor)
    comment_write(project, thread=Thread.OBJECTIVE, text="Agreed.", by=people.executor)
    assert "3 comments on this step" in on("verification:decide")
    assert "1 comment on this step" in on("objective:decide")


def test_nothing_is_signed_with_a_wrong_secret(client, waiting, people):
    project = waiting.fresh()
    client.force_login(people.management)
    for secret in ("", "wrong-horse-battery", "123456"):
        answer = client.post(address(project), said(project, secret=secret))
        assert answer.status_code == 422
        api = client.post(
            address(project, "api:verification-decision"),
            said(project, secret=secret),
            content_type="application/json",
        )
        assert (api.status_code, "secret" in str(api.json())) == (400, True), api.json()
    assert not SignOff.objects.filter(
        project_id=project.pk, subject_kind="release", decision="approved"
    ).exists()
    assert "correct-horse" not in answer.content.decode()
    assert client.post(address(project), said(project)).status_code == 302
    assert waiting.fresh().state == State.APPROVED


def test_a_code_of_the_second_step_signs_and_no_code_does_twice(client, waiting, people, monkeypatch):
    project = waiting.fresh()
    device = two_step.setup_start(User.objects.get(pk=people.management.pk))
    device.confirmed = True
    device.save()
    client.force_login(people.management)
    session = client.session
    session["otp_device_id"] = device.persistent_id
    session.save()
    from django_otp.oath import totp

    code = f"{totp(device.bin_key):06}"
    assert client.post(address(project), said(project, secret="000000")).status_code == 422
    device.refresh_from_db()
    device.throttle_reset()
    answer = client.post(address(project), said(project, secret=code))
    assert answer.status_code == 302, answer.content.decode()
    assert waiting.fresh().state == State.APPROVED


def test_wrong_secrets_lock_as_at_sign_in(client, waiting, people, settings):
    project = waiting.fresh()
    client.force_login(people.management)
    tried = [
        client.post(address(project), said(project, secret="wrong-horse-battery")).status_code
        for _try in range(settings.AXES_FAILURE_LIMIT + 1)
    ]
    assert tried[0] == 422
    assert tried[-1] == 429
    assert waiting.fresh().state == State.RELEASE_APPROVAL


def test_what_few_share_is_masked(waiting):
    verification = current_verification(waiting.fresh())
    report = verification.measurement.report
    (table,) = tables_out(verification.run, report)
    shared = report.risk.columns if report.risk.k >= 5 else []
    assert table.columns
    for column in table.columns:
        assert column.form
        if column.name not in shared:
            assert not column.sample or column.sample == "***", column
    assert not {value for value in waiting.secret if any(value == column.sample for column in table.columns)}
    assert {"姓名"} <= set(table.removed) | {column.name for column in table.columns}


def screen(client: Any, project: Any) -> str:
    page = client.get(address(project), headers={"accept-language": "en"}).content.decode()
    return unescape(page[page.index('id="answer"') : page.index('class="sign__decision"')])


def test_the_days_of_the_plan_are_named(client, waiting, people):
    client.force_login(people.management)
    shown = screen(client, waiting.fresh())
    shown = shown[shown.index('data-answers="deadline"') :]
    days = plan_latest(waiting.project).content["plan"]["deadlines"]
    assert set(days) == {"objective", "identification", "processing", "verification", "release"}
    for day in days.values():
        assert day in shown, day


def test_recipient_and_agreement_are_named(client, waiting, people):
    client.force_login(people.management)
    before = screen(client, waiting.fresh())
    assert str(people.recipient) in before
    assert "No agreement yet; recorded after the approval" in before
    assert client.post(address(waiting.fresh()), said(waiting.fresh())).status_code == 302
    waiting.fresh()
    waiting.sign_agreement()
    after = screen(client, waiting.fresh())
    assert f"Agreement signed by {people.recipient.full_name}, in force until" in after
    assert "None yet" not in after


UNIQUE = "25 % of the persons can be told apart by someone who knows all their rows"
UNMEASURED = "Not measured: the risk for someone who is only looked for in the data"


def test_each_caveat_is_said_where_it_is_true(client, waiting, people):
    """The report is altered figure by figure: what it says then, it did not say before."""
    project = waiting.fresh()
    verification = current_verification(project)
    client.force_login(people.management)
    report = copy.deepcopy(verification.report)
    rows = verification.run.tables.get().result_rows
    plain = screen(client, project)
    assert report["risk"].get("persons") is None
    assert f"{rows} rows; persons were not distinguished" in plain
    assert UNMEASURED in plain
    assert "verdict against what the scan found" not in plain
    said_now = (
        f"300 persons in {rows} rows",
        UNIQUE,
        "费用 tells records apart and was allowed to stay",
        "诊断: Personal name",
        "Level by GB/T 42460 says no: level 2 of 4",
    )
    assert not [text for text in said_now if text in plain]
    report["risk"] |= {"persons": 300, "unique_persons": 0.25}
    report["exempt"] = [{"column": "费用", "reason": "needed", "said": {}}]
    found = {"column": "诊断", "kind": "person_name", "where": "values", "rows": 3, "blocks": False}
    report["residual"]["findings"] = [found]
    report["level"] = (report.get("level") or {}) | {"level": 2}
    report["population"] = {
        "sha256": "0" * 64,
        "rows": 900,
        "columns": report["risk"]["columns"],
        "max_risk": 0.1,
    }
    keep(verification, report)
    text = screen(client, project)
    assert not [one for one in said_now if one not in text]
    assert UNMEASURED not in text
    assert "not told apart" not in text
    report["level"] |= {"level": None}
    keep(verification, report)
    assert "Level by GB/T 42460 says nothing" in screen(client, project)


def test_verdicts_against_a_finding_are_counted(client, waiting, people):
    project = waiting.fresh()
    client.force_login(people.management)
    verdicts = verdicts_of(first_table(project))
    named = []
    for number, column in enumerate(("姓名", "病历号"), start=1):
        with recording(events.VERIFICATION_PASSED, by=None):
            ColumnVerdict.objects.filter(pk=verdicts[column].pk).update(
                role="other", overrules=[{"kind": "person_name", "rows": 600}]
            )
        named.append(column)
        noun = "verdict" if number == 1 else "verdicts"
        assert f"{number} {noun} against what the scan found: {', '.join(named)}" in screen(client, project)


def test_a_person_key_that_was_set_aside_is_weighed(client, waiting, people):
    """The scan found several rows of a person, and it was decided that each row is one."""
    project = waiting.fresh()
    client.force_login(people.management)
    round_ = round_now(first_table(project))
    assert "but the finding was not accepted" not in screen(client, project)
    counted = {"columns": ["病历号"], "kind": "record_number", "known": 600, "unknown": 0, "identified": 400, "most": 3, "histogram": []}  # fmt: skip
    with recording(events.VERIFICATION_PASSED, by=None):
        PersonKey.objects.filter(round=round_, superseded_at=None).delete()
        PersonKey.objects.create(
            project=project, dataset=round_.dataset, round=round_, columns=[], reason="Each visit is counted.", decided_by=people.executor,
        )  # fmt: skip
        IdentificationRound.objects.filter(pk=round_.pk).update(report=round_.report | {"persons": [counted]})
    said = "Several rows of one person were found by 病历号, but the finding was not accepted"
    assert said in screen(client, project)
    assert client.get(address(project, "verification:page")).status_code == 200
    with translation.override("en"):
        brief = report_document_context(current_verification(project), kind=REPORT_KIND)
    assert said in brief["weigh"], "the paper says it, too"


def keep(verification: Any, report: dict[str, Any]) -> None:
    with recording(events.VERIFICATION_PASSED, by=None):
        verification.report = report
        verification.save()


def showing(html: str) -> Any:
    """The page as it was answered, with the portal's own styles and scripts."""

    def answer(route: Any) -> None:
        path = route.request.url.removeprefix(PORTAL)
        found = (
            finders.find(path.removeprefix(settings.STATIC_URL))
            if path.startswith(settings.STATIC_URL)
            else None
        )
        if found:
            route.fulfill(path=found)
        elif route.request.is_navigation_request():
            route.fulfill(body=html, content_type="text/html; charset=utf-8")
        else:
            route.abort()

    return answer


@pytest.mark.browser
def test_the_first_screen_answers_ten_questions(client, waiting, people):
    """Each answer lies in the window as it opens, and so does the button that signs; in both languages, by day and by night."""
    client.force_login(people.management)
    path = address(waiting.fresh())
    pages = {
        language: client.get(path, headers={"accept-language": language}).content.decode()
        for language in ("zh-CN", "en")
    }
    # The driver keeps a loop of its own in its thread, where no connection to the database is at home.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(look_at, path, pages).result()


def look_at(path: str, pages: dict[str, str]) -> None:
    def judge(page: Any) -> None:
        in_view(page)
        assert 1 < sheets(page) <= SHEETS

    on_screens(path, pages, judge)


def on_screens(path: str, pages: dict[str, str], judge: Callable[[Any], None]) -> None:
    """Have ``judge`` look at a page in each of its languages, by day and by night; axe finds nothing, and a phone shows nothing
    that is wider than itself."""
    playwright = pytest.importorskip("playwright.sync_api", reason="the browser driver is not installed")
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=CHROMIUM)
        for language, html in pages.items():
            for scheme in ("light", "dark"):
                context = browser.new_context(viewport=WINDOW, color_scheme=scheme, locale=language)
                page = context.new_page()
                page.route("**/*", showing(html))
                page.goto(PORTAL + path)
                judge(page)
                found = axe.run(page).response["violations"]
                assert [(rule["id"], [node["html"][:200] for node in rule["nodes"]]) for rule in found] == []
                context.close()
            phone = browser.new_page(viewport={"width": 390, "height": 844})
            phone.route("**/*", showing(html))
            phone.goto(PORTAL + path)
            assert phone.evaluate("document.documentElement.scrollWidth") <= 390
        browser.close()


def sheets(page: Any) -> int:
    """How many sheets of paper the page takes."""
    return len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True)))


def in_view(page: Any) -> None:
    boxes = {name: page.locator(f'[data-answers="{name}"]').bounding_box() for name in QUESTIONS}
    decisions = page.locator("#decide form button[name=decision]")
    assert decisions.count() == 3
    boxes |= {f"button {place}": decisions.nth(place).bounding_box() for place in range(3)}
    for name, box in boxes.items():
        assert box is not None, name
        assert box["height"] > 10, name
        assert box["x"] >= 0, name
        assert box["x"] + box["width"] <= WINDOW["width"], (name, box)
        assert box["y"] + box["height"] <= WINDOW["height"], (name, box)
    answer, caveats = (page.locator(one).bounding_box() for one in ("#answer", ".answer__caveats"))
    assert caveats["y"] + caveats["height"] <= answer["y"] + answer["height"], "beside the answer, not below"
    days = page.locator('[data-answers="deadline"] dd')
    assert days.evaluate("e => e.scrollHeight <= e.clientHeight + 1"), "the days are read in full"
    assert page.locator(".project-bar").bounding_box()["height"] <= 120
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    decision = page.locator("#decide").bounding_box()
    assert 0 <= decision["y"] < WINDOW["height"], "the decision stays in view"
    page.evaluate("scrollTo(0, 0)")
