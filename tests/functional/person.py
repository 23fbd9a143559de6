"""One person in front of a browser: what they click, and what a page must never do meanwhile."""

from __future__ import annotations

import io
import os
import re
from pathlib import Path
from typing import Any

import pytest

from deid_portal.demo.hospital import generate, write_csv

DESKTOP = {"width": 1366, "height": 768}
# Chromium applies the stylesheet's rules for a new size when it draws the next frame; the size itself it tells at once.
FRAME = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
# What every page of a project may spend on its name, stages, holder and sections, in pixels.
PROJECT_BAR = 120
PHONE = {"width": 390, "height": 844}
WIDE = {"width": 1920, "height": 1080}
# The other windows of which there is a picture: a phone by day, a large screen by night.
OTHERS: dict[str, dict[str, Any]] = {
    "phone": {"viewport": PHONE, "locale": "zh-CN", "color_scheme": "light"},
    "wide": {"viewport": WIDE, "locale": "zh-CN", "color_scheme": "dark"},
}
IMAGES = Path(__file__).resolve().parents[2] / "docs" / "images"
# A job starts when the worker has done those before it, the documents among them.
JOB_MS = 90_000
# What leads somewhere or acts, and so says nothing on paper; the stages of a project say where it is.
NOT_ON_PAPER = "nav:not(.stages, .project-bar__name), .masthead, .footer, .skip-link, .sections, .tabs, .pagination, .filter-bar, .button, .action"
PRINTED = """all => all.filter(e => e.checkVisibility({visibilityProperty: true}) && e.getClientRects().length)
    .map(e => e.outerHTML.slice(0, 160))"""


# A key, a number, an identifier's kind in the metadata table.
NAMED = re.compile(
    r"[0-9a-f]{8}-[0-9a-f-]{27}|(?<=/)[0-9]+(?=/)|(?<=metadata/)(?!(?:add|import|versions)/)\w+(?=/)"
)


def hospital_file(folder: Path, rows: int) -> Path:
    """A hospital's file as it comes: GB18030, one line for each visit."""
    buffer = io.BytesIO()
    write_csv(generate(rows), buffer, encoding="gb18030")
    path = folder / "门诊就诊记录.csv"
    path.write_bytes(buffer.getvalue())
    return path


def resize(page: Any, width: int, height: int) -> None:
    """Give the window another size, and wait until the page is drawn by the rules for it."""
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate(FRAME)


def kind_of(path: str) -> str:
    """The address without what names one object and without its question."""
    return NAMED.sub("*", path.partition("?")[0].partition("#")[0])


def wrong_answers(answers: list[Any]) -> list[tuple[int, str]]:
    """Status and path of what was answered wrongly: to a browser that went there, and to the script that renews a page where it
    stands (``static/js/renewal.js``), which a 204 sends to the address of its ``X-Location``."""
    found = []
    for answer in answers:
        is_act = "x-stays" in answer.request.headers
        is_good = answer.status < 400 and (
            answer.status != 204 or (is_act and "x-location" in answer.headers)
        )
        if (is_act or answer.request.is_navigation_request()) and not is_good:
            found.append((answer.status, kind_of(answer.url)))
    return found


class Findings:
    """What was wrong with the pages that were visited, all of it, to be shown at the end."""

    def __init__(self) -> None:
        self.axe: dict[tuple[str, str], str] = {}
        self.console: list[str] = []
        self.wide: list[str] = []
        self.printed: dict[str, list[str]] = {}
        self.looked_at: set[str] = set()

    def kinds(self) -> set[str]:
        return {kind_of(path) for path in self.looked_at}

    def lines(self) -> list[str]:
        rules = [f"axe {rule} at {path}: {node}" for (path, rule), node in self.axe.items()]
        printed = [f"{kind} prints {found[0]}" for kind, found in self.printed.items() if found]
        return rules + self.console + self.wide + printed


class Person:
    """A signed-in person with a browser context of their own; every page they see is examined."""

    def __init__(self, browser: Any, address: str, findings: Findings) -> None:
        axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
        self.axe = axe.Axe()
        self.address, self.findings = address, findings
        # The content security policy is in force: what it refuses is an error of the console, and so a finding.
        # Without motion, as the CSS has it for who asks for that: drawing what turns while a job runs costs a fifth of a processor.
        self.context = browser.new_context(
            viewport=DESKTOP, locale="zh-CN", timezone_id="Asia/Shanghai", reduced_motion="reduce"
        )
        self.page = self.context.new_page()
        self.page.set_default_timeout(20_000)
        self.page.on("pageerror", lambda error: findings.console.append(f"{self.path}: {error}"))
        self.page.on("console", self._heard)
        self.page.on("dialog", lambda dialog: dialog.accept())

    def _heard(self, line: Any) -> None:
        if line.type == "error":
            self.findings.console.append(f"{self.path}: {line.text}")

    @property
    def path(self) -> str:
        return str(self.page.url).removeprefix(self.address)

    def sign_in(self, name: str, password: str) -> None:
        self.goto("/account/sign-in/")
        self.page.fill("[name=username]", name)
        self.page.fill("[name=password]", password)
        self.password = password
        self.send("username")
        assert "sign-in" not in self.path

    def goto(self, path: str) -> None:
        answer = self.page.goto(self.address + path)
        assert answer is not None
        assert answer.status == 200, (path, answer.status)
        self.examine()

    def examine(self) -> None:
        """No barrier that axe knows, nothing wider than the window."""
        self._no_overflow()
        self.findings.looked_at.add(self.path)
        for rule in self.axe.run(self.page).response["violations"]:
            for node in rule["nodes"][:2]:
                self.findings.axe.setdefault((self.path, rule["id"]), node["html"][:240])
        self._nothing_to_press_on_paper()

    def _nothing_to_press_on_paper(self) -> None:
        """Of each type of page one is looked at as it is printed."""
        if (kind := kind_of(self.path)) in self.findings.printed:
            return
        self.page.emulate_media(media="print")
        self.findings.printed[kind] = self.page.eval_on_selector_all(NOT_ON_PAPER, PRINTED)
        self.page.emulate_media(media="null")

    def _no_overflow(self) -> None:
        wide, window = self.page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
        if wide > window:
            self.findings.wide.append(f"{self.path} is {wide} wide in a window of {window}")
        bars = self.page.eval_on_selector_all(
            ".project-bar", "bars => bars.map(bar => bar.getBoundingClientRect().height)"
        )
        if any(height > PROJECT_BAR for height in bars):
            self.findings.wide.append(f"{self.path} has a project bar of {bars} in a window of {window}")

    def links(self) -> list[str]:
        """Addresses of this portal's pages that the page links to; files are left out."""
        found: list[str] = self.page.eval_on_selector_all(
            "a[href^='/']:not([download])", "all => all.map(a => a.getAttribute('href'))"
        )
        return [path for path in found if path.partition("?")[0].endswith("/")]

    def visit(self, path: str) -> bool:
        """Look at what a link leads to, in both sizes; whether it is a page and not a file."""
        self.findings.looked_at.add(path)
        answer = self.context.request.get(self.address + path)
        if answer.status != 200:
            self.findings.console.append(f"{self.path} links to {path}: {answer.status}")
        if answer.status != 200 or "text/html" not in answer.headers.get("content-type", ""):
            return False
        self.goto(path)
        self.on_a_phone(path)
        return True

    def on_a_phone(self, *paths: str) -> None:
        resize(self.page, **PHONE)
        for path in paths:
            self.page.goto(self.address + path)
            self._no_overflow()
        resize(self.page, **DESKTOP)

    def fill(self, **values: Any) -> None:
        """Fill a form by its fields' names: text, a choice's value, True for a tick, a list for several."""
        for name, value in values.items():
            self.put(name, value)

    def put(self, name: str, value: Any) -> None:
        field = self.page.locator(f'[name="{name}"]:not([type=hidden])').first
        kind = field.evaluate("e => e.tagName === 'SELECT' ? 'select' : e.type")
        if kind == "select":
            field.select_option(value)
        elif kind in ("radio", "checkbox") and not isinstance(value, bool):
            for one in [value] if isinstance(value, str) else value:
                self.page.check(f'[name="{name}"][value="{one}"]')
        elif kind == "checkbox":
            field.set_checked(value)
        elif kind == "file":
            field.set_input_files(value)
        else:
            field.fill(str(value))

    def send(self, field: str) -> None:
        """Press the first visible button of the form that has ``field``."""
        self.press(f'form:has([name="{field}"]) button[type=submit]:not([aria-hidden]) >> nth=0')

    def choose(self, name: str, value: str) -> None:
        """Press the button that makes a decision and sends its form."""
        self.press(f'button[name="{name}"][value="{value}"]')

    def post(self, ending: str) -> None:
        """Press the button of the form whose address ends so."""
        self.press(f'form[action$="{ending}"] button[type=submit] >> nth=0')

    def press(self, selector: str) -> None:
        """Press, and look at the page that answers; a form that comes back with errors is a failure."""
        unfilled = self.page.locator(selector).evaluate(
            "e => e.form && !e.form.noValidate"
            " ? [...e.form.querySelectorAll(':invalid')].map(field => field.name) : []"
        )
        assert unfilled == [], (self.path, "the browser will not send", unfilled)
        answers: list[Any] = []

        def heard(answer: Any) -> None:
            answers.append(answer)

        # The page that answers has a main part of its own, whether it is loaded or renewed where it stands.
        self.page.on("response", heard)
        self.page.evaluate("document.querySelector('main').dataset.before = ''")
        self.page.click(selector)
        self.page.wait_for_selector("main:not([data-before])", state="attached")
        self.page.wait_for_load_state()
        self.page.remove_listener("response", heard)
        problems = self.page.locator(".error-summary, .field__error").all_inner_texts()
        wrong = wrong_answers(answers)
        assert (wrong, problems) == ([], []), (self.path, selector, wrong, problems)
        self.examine()

    def wait(self, selector: str) -> None:
        """Until the page shows it by itself, as it does when the job that it follows has ended."""
        self.page.wait_for_selector(selector, timeout=JOB_MS)
        self.examine()

    def picture(self, name: str) -> None:
        """Pictures for the documentation, only when asked for: the page as it is, and as others see its address."""
        if os.environ.get("DEID_SCREENSHOTS") != "1":
            return
        IMAGES.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=str(IMAGES / f"{name}.png"), animations="disabled")
        for kind, window in OTHERS.items():
            context = self.context.browser.new_context(storage_state=self.context.storage_state(), **window)
            page = context.new_page()
            page.goto(self.page.url)
            page.wait_for_load_state("networkidle")
            path = str(IMAGES / f"{name}-{kind}.jpg")
            page.screenshot(path=path, type="jpeg", quality=70, animations="disabled")
            context.close()
