"""The register of releases: what stands in it, by whom it is seen, and what of other people's projects is not told."""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from deid_portal.accounts.services import user_create
from projects.core.services import member_add, project_create
from projects.monitoring.register.selectors import lines_of, releases_seen
from projects.releases.models import Release
from projects.releases.services import release_end
from projects.workflow import Role
from projects.workflow.posts import Post
from tests.conftest import CHROMIUM
from tests.fixtures import PASSWORD
from tests.projects.processing.conftest import SmallStory
from tests.projects.releases.relatives.test_relatives import OtherUnmeasured, measured, released
from tests.projects.verification.test_sign_off import PORTAL, showing

pytestmark = pytest.mark.django_db
BACKEND = "deid_portal.accounts.backends.AccountBackend"
PAGE, API = reverse("board:register"), reverse("api:register")


def START(people):
    """Two projects of one file: one gives the birth date, the other the sex."""
    first = released(people, "First study")
    return first, released(people, "Second study", kind=OtherUnmeasured)


@pytest.fixture
def stories(own_start):
    return own_start.story


def seen(user, **query):
    return lines_of(user, list(releases_seen(user, **query)))


def shown(client, user, address=PAGE, **query):
    client.force_login(user, backend=BACKEND)
    return client.get(address, query, headers={"accept-language": "en"})


def test_each_release_says_what_it_holds_about_whom_and_who_has_it(people, stories):
    newest, oldest = seen(people.auditor)
    assert [line.release.project for line in (newest, oldest)] == [stories[1].project, stories[0].project]
    (file,) = newest.files
    release = newest.release
    assert (file.table, file.sha256, file.rows) == ("", release.files[0]["sha256"], release.files[0]["rows"])
    assert "性别" in file.columns
    assert "出生日期" not in file.columns
    assert "出生日期" in oldest.files[0].columns
    (holder,) = newest.holders
    assert holder.agreement.recipient == people.recipient
    assert (holder.fetched, holder.last) == (0, None)


def test_an_overlap_is_named_with_what_was_found_and_in_whose_hands_it_is(people, stories):
    newest, oldest = seen(people.management)
    (overlap,) = newest.overlaps
    assert overlap.release == oldest.release
    assert overlap.relative.same_source == {"": ""}
    assert overlap.by_one == [str(people.recipient)]
    assert newest.is_risky is None
    measured(stories[1])
    newest, oldest = seen(people.management)
    assert newest.is_risky is True
    assert oldest.is_risky is None, "its own result was not measured"


def test_what_one_may_not_see_is_counted_and_not_named(client, people, stories):
    """Who plans the second project alone learns that there is another release, and nothing of it."""
    second = stories[1].project
    other = user_create(username="other", password=PASSWORD, full_name="Other", post=Post.PLANNER, by=None)
    assert not seen(other)
    assert "No release through the portal that you may see" in shown(client, other).content.decode()
    mine = project_create(title="Mine", by=other)
    assert mine.title not in shown(client, other).content.decode()
    staff = user_create(username="staff", password=PASSWORD, full_name="Staff", by=None)
    member_add(second, user=staff, role=Role.EXECUTOR, by=people.planner)
    page = shown(client, staff).content.decode()
    assert second.number in page
    assert "Release 1 of a project that you may not see" in page
    assert stories[0].project.number not in page
    (row,) = shown(client, staff, API).json()["results"]
    (overlap,) = row["overlaps"]
    assert overlap["id"] is None
    assert "First study" not in str(row)


def test_what_has_ended_stands_there_for_who_wants_it(client, people, stories):
    first = Release.objects.get(project=stories[0].project)
    release_end(first, why="no longer needed", by=people.supervisor)
    assert [line.release.project for line in seen(people.planner)] == [stories[1].project]
    newest, ended = seen(people.planner, over=True)
    assert ended.release == first
    assert [one.release for one in newest.overlaps] == [first], "what was fetched stays"
    page = shown(client, people.planner, over="on").content.decode()
    assert "Ended" in page
    assert timezone.localdate().isoformat() in page


@pytest.mark.parametrize(("q", "found"), [("Second", 1), ("nobody", 0), ("recipient person", 2)])
def test_it_is_searched_by_project_and_by_recipient(client, people, stories, q, found):
    assert len(seen(people.auditor, q=q)) == found
    answer = shown(client, people.auditor, q=q)
    assert len(answer.context["rows"]) == found


def test_the_api_says_the_same(client, people, stories):
    first = shown(client, people.auditor, API).json()["results"][1]
    assert first["title"] == "First study"
    assert first["holders"][0]["recipient"] == str(people.recipient)
    assert first["files"][0]["subject"] == seen(people.auditor)[1].files[0].subject
    assert [one["name"] for one in first["overlaps"]] == [
        str(Release.objects.get(project=stories[1].project)) + " · " + stories[1].project.number
    ]
    assert shown(client, people.recipient, API).json()["results"] == []


def test_more_releases_cost_no_more_statements(client, people, stories):
    def statements() -> int:
        with CaptureQueriesContext(connection) as found:
            shown(client, people.auditor)
        return len(found)

    shown(client, people.auditor)
    before = statements()
    released(people, "Third study", kind=SmallStory)
    assert statements() == before


@pytest.mark.browser
def test_axe_finds_nothing_and_nothing_is_too_wide(client, people, stories):
    measured(stories[1])
    client.force_login(people.auditor, backend=BACKEND)
    pages = {
        language: client.get(PAGE, headers={"Accept-Language": language}).content.decode()
        for language in ("zh-CN", "en")
    }
    # The driver keeps a loop of its own in its thread, where no connection to the database is at home.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(_look_at, pages).result()


def _look_at(pages: dict[str, str]) -> None:
    playwright = pytest.importorskip("playwright.sync_api", reason="the browser driver is not installed")
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=CHROMIUM)
        for language, html in pages.items():
            for width in (1366, 390):
                context = browser.new_context(viewport={"width": width, "height": 800}, locale=language)
                page = context.new_page()
                page.route("**/*", showing(html))
                page.goto(PORTAL + PAGE)
                assert page.evaluate("document.documentElement.scrollWidth") <= width, (language, width)
                found: Any = axe.run(page).response["violations"]
                assert [(rule["id"], [node["html"][:200] for node in rule["nodes"]]) for rule in found] == []
                context.close()
        browser.close()
