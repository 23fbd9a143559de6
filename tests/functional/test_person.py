"""What a person in front of a browser sees of the answer to an act, whether the page is loaded or renewed where it stands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from .person import Findings, Person

pytestmark = pytest.mark.browser

ADDRESS = "http://127.0.0.1:9"
RENEWAL = Path(__file__).resolve().parents[2] / "static" / "js" / "renewal.js"


def page(title: str, stays: str) -> str:
    return f"""<!doctype html><html lang="en"><head><title>{title}</title><script type="module" src="/renewal.js"></script></head>
<body><main id="main"><h1>{title}</h1><form method="post" action="/act/" {stays}><button type="submit" name="go" value="1">Go</button>
</form></main></body></html>"""


def person(browser: Any, answer: dict[str, Any], stays: str = "data-stays") -> Person:
    """Somebody on a page whose act is answered so; every address is answered here."""
    found = Person(browser, ADDRESS, Findings())

    def answered(route: Any) -> None:
        path = route.request.url.removeprefix(ADDRESS)
        if path == "/renewal.js":
            route.fulfill(content_type="text/javascript", body=RENEWAL.read_text(encoding="utf-8"))
        elif path == "/act/":
            route.fulfill(**{"content_type": "text/html", **answer})
        else:
            route.fulfill(content_type="text/html", body=page("A page", stays))

    found.page.route("**/*", answered)
    found.goto("/start/")
    return found


@pytest.mark.parametrize("stays", ["data-stays", ""])
@pytest.mark.parametrize("status", [403, 422, 500])
def test_an_act_that_was_refused_is_seen_although_its_page_shows_no_fault(
    browser: Any, status: int, stays: str
) -> None:
    someone = person(browser, {"status": status, "body": page("Refused", stays)}, stays)
    with pytest.raises(AssertionError, match=str(status)):
        someone.choose("go", "1")
    assert someone.page.inner_text("h1") == "Refused"


@pytest.mark.parametrize("stays", ["data-stays", ""])
def test_an_act_that_was_done_is_no_fault(browser: Any, stays: str) -> None:
    someone = person(browser, {"status": 200, "body": page("Done", stays)}, stays)
    someone.choose("go", "1")
    assert someone.page.inner_text("h1") == "Done"


def test_an_act_that_leads_elsewhere_is_followed_there(browser: Any) -> None:
    someone = person(browser, {"status": 204, "headers": {"X-Location": "/elsewhere/"}})
    someone.choose("go", "1")
    assert someone.path == "/elsewhere/"


def test_an_act_that_is_answered_by_nothing_is_a_fault(browser: Any) -> None:
    someone = person(browser, {"status": 204})
    with pytest.raises(AssertionError, match="204"):
        someone.choose("go", "1")
