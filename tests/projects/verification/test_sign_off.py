"""The screen on which senior management signs: what it answers without scrolling, and that it asks who signs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.urls import reverse

from approvals.decisions.models import SignOff
from deid_portal.accounts import two_step
from deid_portal.accounts.models import User
from projects.verification.selectors import current_verification
from projects.verification.sign_off.columns import tables_out
from projects.workflow import State
from tests.fixtures import PASSWORD

pytestmark = pytest.mark.django_db
PORTAL = "http://portal.test"
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


@pytest.fixture(scope="module", autouse=True)
def beside_a_browser() -> Iterator[None]:
    """The browser's driver keeps a loop of its own in this thread; nothing here is asynchronous."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        yield


def address(project: Any, name: str = "verification:decide") -> str:
    return reverse(name, kwargs={"project_id": project.pk})


def said(project: Any, **more: str) -> dict[str, str]:
    current = current_verification(project)
    assert current is not None
    given = {"decision": "approved", "reason": "All is in order.", "content_hash": current.content_hash}
    return given | {"secret": PASSWORD} | more


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
    shared = report.risk.columns if report.risk.k >= 2 else []
    assert table.columns
    for column in table.columns:
        assert column.form
        if column.name not in shared:
            assert not column.sample or column.sample.endswith("***"), column
    assert not {value for value in waiting.secret if any(value == column.sample for column in table.columns)}
    assert {"姓名"} <= set(table.removed) | {column.name for column in table.columns}


def test_the_recipient_and_the_agreement_are_named(client, waiting, people):
    project = waiting.fresh()
    client.force_login(people.management)
    page = client.get(address(project), headers={"accept-language": "en"}).content.decode()
    assert str(people.recipient) in page
    assert "No agreement yet" in page
    assert "not every recipient has one" in page


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
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("language", ["zh-CN", "en"])
def test_the_first_screen_answers_ten_questions(browser, client, waiting, people, language, scheme):
    """Each answer lies in the window as it opens, and so does the button that signs."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    client.force_login(people.management)
    path = address(waiting.fresh())
    html = client.get(path, headers={"accept-language": language}).content.decode()
    context = browser.new_context(viewport=WINDOW, color_scheme=scheme, locale=language)
    page = context.new_page()
    page.route("**/*", showing(html))
    page.goto(PORTAL + path)
    boxes = {name: page.locator(f'[data-answers="{name}"]').bounding_box() for name in QUESTIONS}
    boxes["button"] = page.locator("#decide form button").bounding_box()
    for name, box in boxes.items():
        assert box is not None, name
        assert box["height"] > 10, name
        assert box["x"] >= 0, name
        assert box["x"] + box["width"] <= WINDOW["width"], (name, box)
        assert box["y"] + box["height"] <= WINDOW["height"], (name, box)
    answer, caveats = (page.locator(one).bounding_box() for one in ("#answer", ".answer__caveats"))
    assert caveats["y"] + caveats["height"] <= answer["y"] + answer["height"], "beside the answer, not below"
    assert page.locator(".project-bar").bounding_box()["height"] <= 120
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    decision = page.locator("#decide").bounding_box()
    assert 0 <= decision["y"] < WINDOW["height"], "the decision stays in view"
    found = axe.run(page).response["violations"]
    assert [(rule["id"], [node["html"][:200] for node in rule["nodes"]]) for rule in found] == []
    context.close()
