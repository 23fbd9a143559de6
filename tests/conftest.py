"""Fixtures that every kind of test may use."""

from __future__ import annotations

import gc
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.utils import translation
from hypothesis import settings

from tests.compiling import compile_once

pytest_plugins = ["tests.fixtures", "tests.migrated", "tests.order", "tests.spark"]
# How long an example takes says nothing about its property, and on a machine that is busy anything takes long.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
compile_once()
# What the libraries have made by now stays for good: looking through it for garbage at every turn costs a few percent of all
# processor time of the tests.
gc.collect()
gc.freeze()
gc.set_threshold(50_000, 20, 50)
# What tests write need not outlive a power cut, so they never wait for the disk; a file that is not open is refused as before.
os.fsync = os.fstat  # type: ignore[assignment]

CHROMIUM = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
ROOT = Path(__file__).resolve().parent.parent


def pytest_configure(config: pytest.Config) -> None:
    """What tests start finds no pandas; whoever starts other processes of tests stays as it is."""
    if hasattr(config, "workerinput") or not config.getoption("numprocesses", None):
        places = [str(ROOT / "tests" / "without_pandas"), os.environ.get("PYTHONPATH", "")]
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, places))


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish() -> None:
    """Nothing is left to be found, and pytest would look five times through all that the tests have left."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def language_of_the_settings() -> Iterator[None]:
    """A request leaves its reader's language active in its thread; the next test is not answered in it."""
    yield
    translation.deactivate()


@pytest.fixture(scope="session")
def real_data_dir() -> Path:
    """The real data sets that stand beside a checkout; tests skip where they are absent."""
    folder = ROOT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the real data directory is not beside this checkout")
    return folder


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A real headless Chromium; closed with the module, since a process drives only one at a time."""
    playwright = pytest.importorskip("playwright.sync_api", reason="the browser driver is not installed")
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    with playwright.sync_playwright() as driver:
        try:
            chromium = driver.chromium.launch(executable_path=program, args=CHROMIUM)
        except playwright.Error:
            pytest.skip("no Chromium on this machine")
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def one_thread() -> Iterator[None]:
    """For who drives a browser beside a database: its driver keeps an event loop in this thread, which Django would take for an
    asynchronous caller."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        yield
