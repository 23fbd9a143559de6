"""Every page at every checkpoint in a real browser, as it is for somebody who may read it: nothing that keeps people out.

Nightly, by ``make barriers``. Looked at are axe's rules by day and by night, on a wide screen and on a phone, whether anything is wider than
its window, and what the browser complains of. A page that looks the same at several checkpoints, but for its words, is looked at
once. ``BARRIERS_AT`` (checkpoints, separated by commas) and ``BARRIERS_OF`` (the beginning of names of addresses) look at less.
"""

from __future__ import annotations

import hashlib
import mimetypes
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.urls import reverse

from tests.functional.person import DESKTOP, PHONE, WIDE, resize

from .answers import body_of
from .checkpoints import CHECKPOINTS
from .undoing import hurry, undone
from .visits import Knock
from .walk import Walk

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("one_thread", "browser")]
SITE = "https://testserver"
# Each page in a language of its own by its place: window and scheme.
WINDOWS = ((DESKTOP, "light"), (PHONE, "dark"), (WIDE, "dark"), (PHONE, "light"))
LANGUAGES = ("zh-hans", "en")
# What the browser and htmx say of a request that nobody answers.
UNANSWERED = ("Failed to load resource", "htmx:")
# What differs between two pages that look the same: words between tags, and what attributes say.
WORDS = re.compile(r">[^<]+<|\"[^\"]*\"")
KEPT = re.compile(r'(?:class|type|role|data-[a-z-]+|aria-[a-z]+)="[^"]*"')


def form_of(body: str) -> str:
    """What a page is made of, without its words: elements with their classes, kinds and roles."""
    elements = re.findall(r"<[a-z][^>]*>", body)
    made = sorted({re.match(r"<\w+", one)[0] + " ".join(KEPT.findall(one)) for one in elements})  # type: ignore[index]
    return hashlib.sha256("\n".join(made).encode()).hexdigest()


def readers(walk: Walk) -> Iterator[Knock]:
    """Each page once for each form that its address may have, by the first role that may read it."""
    seen = set()
    for knock in walk.knocks():
        of = (knock.address.name, str(sorted(map(str, knock.arguments.items()))), knock.rule.query)
        if knock.method != "GET" or knock.expected != "permitted" or knock.address.is_api or of in seen:
            continue
        if knock.address.name.startswith(os.environ.get("BARRIERS_OF", "")):
            seen.add(of)
            yield knock


class Browser:
    """Shows answers of the portal without a server: they are handed to the browser as they are, headers and all."""

    def __init__(self, chromium: Any) -> None:
        axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
        self.axe = axe.Axe()
        self.context = chromium.new_context(viewport=DESKTOP, reduced_motion="reduce")
        self.context.route("**/*", self._hand_over)
        self.answer: dict[str, Any] = {}
        self.url = ""
        self.heard: list[str] = []

    def _hand_over(self, route: Any) -> None:
        asked = route.request.url
        if asked == self.url:
            route.fulfill(**self.answer)
        elif asked.startswith(f"{SITE}/static/"):
            path = asked.removeprefix(f"{SITE}/static/").partition("?")[0]
            found = finders.find(path)
            kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
            if found:
                route.fulfill(body=Path(found).read_bytes(), content_type=kind)
            else:
                route.fulfill(status=404)
        else:
            route.abort()  # what a script asks for meanwhile: it waits, as where the network is away

    def _hear(self, line: Any) -> None:
        if line.type == "error" and not line.text.startswith(UNANSWERED):
            self.heard.append(line.text)

    def barriers(self, url: str, response: Any, body: str) -> list[str]:
        """What keeps people out of the page, one line each."""
        self.heard, self.url = [], SITE + url
        headers = {name: value for name, value in response.headers.items() if name != "Set-Cookie"}
        self.answer = {"status": response.status_code, "headers": headers, "body": body}
        page = self.context.new_page()
        page.on("dialog", lambda dialog: dialog.accept())
        page.on("pageerror", lambda error: self.heard.append(f"script: {error}"))
        page.on("console", self._hear)
        page.goto(self.url)
        found = []
        for window, scheme in WINDOWS:
            page.emulate_media(color_scheme=scheme)
            resize(page, window["width"], window["height"])
            wide, inner = page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
            if wide > inner:
                found.append(f"{wide} wide in a window of {inner}")
            for rule in self.axe.run(page).response["violations"]:
                found += [
                    f"{rule['id']} ({scheme}, {inner}): {node['html'][:200]}" for node in rule["nodes"][:2]
                ]
        page.close()
        return [*dict.fromkeys([*found, *self.heard])]


FORMS: set[str] = set()
"""Of the pages that were looked at so far, at whatever checkpoint."""


@pytest.fixture(scope="module", params=os.environ.get("BARRIERS_AT", ",".join(CHECKPOINTS)).split(","))
def there(request, browser, lifecycle, log_ears):
    with log_ears.listening():
        return Walk(lifecycle.at(request.param), request.param, lifecycle.personal)


def test_no_page_keeps_anybody_out(there, browser, say, log_ears):
    world, looked_at, lines = there.world, 0, []
    window = Browser(browser)
    with log_ears.listening(), hurry(world.accounts, world.session_keys):
        for number, knock in enumerate(readers(there)):
            query = f"?{knock.rule.query}" if knock.rule.query else ""
            url = reverse(knock.address.name, kwargs=knock.arguments) + query
            language = LANGUAGES[number % 2]
            with undone():
                response = world.client(knock.role, knock.way).get(url, headers={"Accept-Language": language})
                body = body_of(response)
            if response.status_code != 200 or "<html" not in body:
                continue  # a file, or a part of a page that a script puts into it
            if (form := form_of(body)) in FORMS:
                continue
            FORMS.add(form)
            looked_at += 1
            lines += [
                f"{knock.role} {url} ({language}): {one}" for one in window.barriers(url, response, body)
            ]
    say(f"{there.checkpoint:20} {looked_at:4} pages looked at, {len(lines)} barriers")
    assert not lines, "\n".join(lines)
