"""The pages of intruder tests in a browser: nothing that axe finds, and nothing wider than the window, on a desk and on a phone."""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.urls import reverse

from projects.intrusion import services
from projects.intrusion.invitations.services import invited_claim
from tests.conftest import CHROMIUM
from tests.projects.verification import stories
from tests.projects.verification.test_sign_off import PORTAL, showing

from .invitations.test_invitations import SAID, invited
from .test_intrusion import concluded, opened

START = stories.measurable
pytestmark = pytest.mark.browser
WINDOWS = ({"width": 1366, "height": 768}, {"width": 390, "height": 844})


def test_pages_on_a_desk_and_on_a_phone(story_at, people, client):
    story = story_at("verification", stories.measurable)
    done = concluded(story, people, right=2, wrong=1, attempts=20)
    going_on = opened(story, people)
    services.claims_record(going_on, records=[4, 7], reference="envelope 2", by=people.supervisor)
    invitation = invited(going_on, people, gets_file=True)
    invited_claim(invitation, **SAID, by=people.tester)
    of_tester = [reverse(f"tester:{name}", args=[invitation.pk]) for name in ("case", "look")]
    supervised = [
        reverse("intrusion:invite", args=[story.project.pk, going_on.pk]),
        reverse("intrusion:invitation_end", args=[story.project.pk, going_on.pk, invitation.pk]),
    ]
    visits = [
        *((people.tester, path) for path in (reverse("tester:list"), *of_tester)),
        *((people.supervisor, path) for path in supervised),
        (people.supervisor, reverse("intrusion:page", args=[story.project.pk])),
        (people.supervisor, reverse("intrusion:test", args=[story.project.pk, done.pk])),
        (people.supervisor, reverse("intrusion:test", args=[story.project.pk, going_on.pk])),
        (people.executor, reverse("intrusion:test", args=[story.project.pk, going_on.pk])),
    ]
    pages = []
    for who, path in visits:
        client.force_login(who)
        for language in ("zh-CN", "en"):
            answer = client.get(path, headers={"accept-language": language})
            pages.append((path, language, answer.content.decode()))
    # The driver keeps a loop of its own in its thread, where no connection to the database is at home.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(look_at, pages).result()


def look_at(pages: list[tuple[str, str, str]]) -> None:
    playwright = pytest.importorskip("playwright.sync_api", reason="the browser driver is not installed")
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=CHROMIUM)
        for path, language, html in pages:
            for window in WINDOWS:
                context = browser.new_context(viewport=window, locale=language)
                page = context.new_page()
                page.route("**/*", showing(html))
                page.goto(PORTAL + path)
                found = axe.run(page).response["violations"]
                assert [(rule["id"], [node["html"][:200] for node in rule["nodes"]]) for rule in found] == []
                assert page.evaluate("document.documentElement.scrollWidth") <= window["width"]
                context.close()
        browser.close()
