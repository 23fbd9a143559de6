"""The recipe editor in a real browser: what is typed waits by itself, and nothing on the page is wrong by day, night or on a phone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.functional.person import PHONE, Person, resize
from tests.projects.core.drafts.test_browser import HALF, SAID, at
from tests.projects.processing.conftest import at_processing

START = at_processing
pytestmark = [pytest.mark.usefixtures("one_thread"), pytest.mark.browser, pytest.mark.django_db]
__all__ = ["at"]


def test_the_recipe_keeps_itself(at: Callable[[str], Person], processing: Any) -> None:
    executor = at("executor")
    address = f"/projects/{processing.pk}/processing/recipe/"
    executor.goto(address)
    executor.page.fill("[name=g-note]", HALF)
    executor.page.wait_for_selector(SAID)
    executor.goto(address)
    assert executor.page.input_value("[name=g-note]") == HALF
    assert "尚未保存为版本" in executor.page.inner_text("main")
    executor.examine()
    resize(executor.page, **PHONE)
    executor.examine()
