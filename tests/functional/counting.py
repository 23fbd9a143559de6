"""What a whole project costs those who carry it: clicks, pages and texts of each stage, counted at the browser.

A *page* is a document that the window loads. A page that is *renewed* stays where it is and shows what has changed on it, because a job
has ended or an act led back to it; it is counted beside the pages. A *click* is an action of the
pointer: a link, a button, a tick, an option; a drop-down and a file take two, opening and choosing. An *answer* is one key
that answers one requirement of a review, or says that an agreement holds one prohibition, which has the focus. A *text* is a field
that somebody writes words into; a field whose content is taken as it stands is none. Dates, numbers and passwords are
counted beside them, as *entries*. A field is reached with the Tab key. Signing in is counted apart.

How long it takes a person is reckoned by the keystroke-level model (Card, Moran and Newell 1980). With ``DEID_PACE=1`` the walk goes
at that pace and is timed: then pages that load and jobs that run take their real time.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from typing import Any

from .person import JOB_MS, Findings, Person

# Seconds of the model's operators: a key of an average typist, pointing, pressing a button, a hand between mouse and keyboard,
# making up one's mind.
KEY, POINT, PRESS, HOME, MIND = 0.28, 1.1, 0.2, 0.4, 1.35
# Keys of a Chinese character by its sounds, with choosing it; and what is taken for reading a page that has come up.
KEYS_OF_A_CHARACTER, READ = 3, 5.0
PACED = os.environ.get("DEID_PACE") == "1"


@dataclass
class Cost:
    """What was done in one stage."""

    pages: int = 0
    renewed: int = 0
    clicks: int = 0
    answers: int = 0
    texts: int = 0
    entries: int = 0
    keys: int = 0

    def __add__(self, other: Cost) -> Cost:
        return Cost(*(getattr(self, one.name) + getattr(other, one.name) for one in fields(self)))

    @property
    def seconds(self) -> float:
        pointed = self.clicks * (MIND + POINT + PRESS)
        answered = self.answers * (MIND + KEY)
        written = (self.texts + self.entries) * (MIND + 2 * HOME) + self.keys * KEY
        return pointed + answered + written + (self.pages + self.renewed) * READ


class Steps:
    """The stages in the order in which they were gone through, each with its cost, and the seconds that all of them took."""

    def __init__(self) -> None:
        self.stages: dict[str, Cost] = {}
        self.here = Cost()
        self.taken = 0.0
        self._waited = 0.0

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        self.here, before = self.stages.setdefault(name, Cost()), self.here
        started = time.monotonic()
        yield
        self.taken += time.monotonic() - started
        self.here = before

    def due(self) -> float:
        """The seconds by the model for what was counted since this was last asked."""
        due, self._waited = self.total.seconds - self._waited, self.total.seconds
        return due

    @property
    def total(self) -> Cost:
        return sum(self.stages.values(), Cost())

    def table(self) -> str:
        rows = [*self.stages.items(), ("in all", self.total)]
        lines = [
            f"{'stage':<34}{'pages':>7}{'renewed':>9}{'clicks':>8}{'answers':>9}{'texts':>7}{'entries':>9}{'keys':>7}{'min':>7}"
        ]
        lines += [
            f"{name:<34}{one.pages:>7}{one.renewed:>9}{one.clicks:>8}{one.answers:>9}{one.texts:>7}{one.entries:>9}{one.keys:>7}{one.seconds / 60:>7.1f}"
            for name, one in rows
        ]
        return "\n".join(lines)


class Walker(Person):
    """A person who goes on only by what the page shows, and whose every act is counted."""

    def __init__(self, browser: Any, address: str, findings: Findings, steps: Steps) -> None:
        super().__init__(browser, address, findings)
        self.steps = steps
        self.page.set_default_timeout(JOB_MS)
        self.page.on("domcontentloaded", lambda page: self._loaded())
        self.page.expose_function("renewedHere", self._renewed)
        self.page.add_init_script("document.addEventListener('ui:renewed', () => window.renewedHere())")

    def _loaded(self) -> None:
        self.steps.here.pages += 1

    def _renewed(self) -> None:
        self.steps.here.renewed += 1

    def examine(self) -> None:
        """The tour examines the pages; here only what is too wide is seen."""
        self._no_overflow()

    def put(self, name: str, value: Any) -> None:
        for option in [value] if not isinstance(value, list) else value:
            self._put(name, option)

    def _put(self, name: str, value: Any) -> None:
        field = self.page.locator(f'[name="{name}"]:not([type=hidden])').first
        kind = field.evaluate("e => e.tagName === 'SELECT' ? 'select' : e.type")
        cost = self.steps.here
        if kind == "select":
            if field.input_value() == value:
                return
            cost.clicks += 2
        elif kind == "file":
            cost.clicks += 2
        elif kind in ("radio", "checkbox"):
            chosen = (
                field if isinstance(value, bool) else self.page.locator(f'[name="{name}"][value="{value}"]')
            )
            if chosen.is_checked() == (value is not False):
                return
            cost.clicks += 1
        else:
            if field.input_value() == str(value):
                return
            self._typed(kind, str(value))
        self._keep_pace()
        super().put(name, value)

    def _typed(self, kind: str, text: str) -> None:
        cost = self.steps.here
        if kind in ("text", "textarea"):
            cost.texts += 1
        else:
            cost.entries += 1
        cost.keys += sum(1 if letter.isascii() else KEYS_OF_A_CHARACTER for letter in text)

    def _keep_pace(self) -> None:
        """Wait as long as a person would take, where the walk is timed."""
        if PACED:
            self.page.wait_for_timeout(1000 * self.steps.due())

    def press(self, selector: str) -> None:
        self.steps.here.clicks += 1
        self._keep_pace()
        super().press(selector)

    def answer(self, name: str, key: str) -> None:
        """A key on the tick that has the focus; the first is reached with the Tab key, and each answer leads to the next."""
        tick = self.page.locator(f'[name="{name}"]')
        if not self.page.locator("[data-requirements] :focus").count():
            tick.focus()
        assert tick.evaluate("tick => tick === document.activeElement"), name
        self.steps.here.answers += 1
        self._keep_pace()
        self.page.keyboard.press(key)
        assert tick.is_checked()

    def open(self, selector: str) -> None:
        """A click that opens something on the page."""
        self.steps.here.clicks += 1
        self._keep_pace()
        self.page.click(selector)

    def follow(self, ending: str) -> None:
        """Press the first visible link whose address ends so."""
        self.press(f'a[href$="{ending}"]:visible >> nth=0')

    def come_back(self) -> None:
        """Bring the window to the front; where it does not show one's own tasks, go there."""
        if not self.page.locator("#my-tasks").count():
            self.press("header a[href='/']:visible >> nth=0")
        self.page.evaluate("window.dispatchEvent(new Event('focus'))")

    def wait_for(self, selector: str) -> None:
        self.page.wait_for_selector(selector, timeout=2 * JOB_MS)
