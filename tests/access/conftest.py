"""The lifecycle is made once for each file of tests, in one transaction that is rolled back at its end."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import transaction

from .lifecycle import Lifecycle
from .personal import Personal
from .visits import Visit
from .walk import Walk

_tables: list[str] = []


class LogEars(logging.Handler):
    """Hears every line that is logged and keeps those with a personal value in them."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.personal: Personal | None = None
        self.heard: list[str] = []
        self.lines = 0

    def emit(self, record: logging.LogRecord) -> None:
        self.lines += 1
        text = self.format(record)
        if self.personal is not None and self.personal.found_in(text):
            self.heard.append(f"{record.name} {record.levelname} {record.module}:{record.lineno}")

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Alone: thousands of refusals are not written to the console."""
        loggers = [logging.getLogger(), logging.getLogger("django")]
        before = [logger.handlers for logger in loggers]
        for logger in loggers:
            logger.handlers = [self]
        try:
            yield
        finally:
            for logger, handlers in zip(loggers, before, strict=True):
                logger.handlers = handlers


class Rolled(Exception):
    """Ends the transaction."""


@pytest.fixture(scope="module")
def log_ears() -> LogEars:
    return LogEars()


@pytest.fixture(scope="module")
def lifecycle(django_db_setup: Any, django_db_blocker: Any, log_ears: LogEars) -> Iterator[Lifecycle]:
    with django_db_blocker.unblock():
        try:
            with transaction.atomic():
                with log_ears.listening():
                    whole = Lifecycle()
                log_ears.personal = whole.personal
                yield whole
                whole.end()
                raise Rolled
        except Rolled:
            pass


@pytest.fixture(scope="module")
def walk(lifecycle: Lifecycle, log_ears: LogEars) -> Any:
    """``walk(checkpoint)``: every visit there; walked once."""

    def go(checkpoint: str) -> list[Visit]:
        if checkpoint not in lifecycle.walked:
            with log_ears.listening():
                here = Walk(lifecycle.at(checkpoint), checkpoint, lifecycle.personal)
                lifecycle.walked[checkpoint] = here.visits()
        return lifecycle.walked[checkpoint]

    return go


@pytest.fixture(scope="session")
def say() -> Any:
    """Print a line below the results."""
    return _tables.append


def pytest_terminal_summary(terminalreporter: Any) -> None:
    if _tables:
        terminalreporter.section("pages with many queries")
        for line in _tables:
            terminalreporter.write_line(line)
