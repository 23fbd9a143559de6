"""The gallery shows every component, and its pages are whole documents under the content security policy."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.contrib.auth.models import AnonymousUser
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.sessions.backends.signed_cookies import SessionStore
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.test import RequestFactory, override_settings
from django.utils import translation

from deid_portal.ui import views
from tests.conftest import ROOT
from tests.deid_portal.ui.test_components import CASES, IN_FORMS
from tests.deid_portal.ui.wellformed import read


def request_for(path: str, method: str = "get", data: dict[str, object] | None = None) -> HttpRequest:
    request = getattr(RequestFactory(), method)(path, data or {})
    request.user = AnonymousUser()
    request.session = SessionStore()
    request._messages = FallbackStorage(request)
    return request


@pytest.mark.parametrize("language", ["zh-hans", "en"])
@pytest.mark.parametrize("path", ["/gallery/", "/gallery/?invalid=1"])
def test_gallery_is_well_formed(path: str, language: str) -> None:
    with translation.override(language):
        html = views.gallery(request_for(path)).content.decode()
    reader = read(html, fragment=False)
    assert [tag for tag, _v in reader.elements].count("h1") == 1
    assert f'lang="{"zh-CN" if language == "zh-hans" else "en"}"' in html


def test_every_component_is_in_the_gallery() -> None:
    sources = "".join(path.read_text("utf-8") for path in (ROOT / "templates" / "gallery").glob("*.html"))
    silent = {
        "logo",
        "attrs",
        "deny_reason",
        "chart",
        "drawing",
        "data_table",
    }  # in base.html, or inside another tag
    missing = {name for name in set(CASES) | IN_FORMS if "{% " + name + " " not in sources}
    assert missing - silent == set()


def test_example_form() -> None:
    refused = views.gallery_form(request_for("/gallery/form/", "post", {"name": ""}))
    assert refused.status_code == 200
    assert 'id="id_name_error"' in refused.content.decode()
    good = {
        "name": "n",
        "sharing": "public",
        "threshold": "0.05",
        "factors": "law",
        "owner": "1",
        "promise": "on",
    }
    assert views.gallery_form(request_for("/gallery/form/", "post", good)).status_code == 302


def test_job_ends_and_stops_polling() -> None:
    request = request_for("/gallery/job/")
    answers = [views.gallery_job(request).content.decode() for _step in range(5)]
    assert "hx-get" in answers[0]
    assert "hx-get" not in answers[-1]


@pytest.mark.parametrize("name", ["400", "403", "404", "500", "csrf", "refused", "bad_input"])
def test_error_pages_need_no_request(name: str) -> None:
    read(
        render_to_string(f"errors/{name}.html", {"verdict": None, "text": "<b>", "code": "c"}), fragment=False
    )


@override_settings(LANGUAGE_CODE="en")
def test_stylesheets_and_scripts_are_small_and_ours() -> None:
    for path in [*(ROOT / "static").rglob("*.css"), *(ROOT / "static").rglob("*.js")]:
        text = path.read_text("utf-8")
        assert len(text.splitlines()) <= 400, path
        assert "http://" not in text.replace("http://www.w3.org", ""), path
        assert "https://" not in text, path


def test_every_stylesheet_and_script_is_linked() -> None:
    assets = (ROOT / "templates" / "components" / "assets.html").read_text("utf-8")
    for folder in ("css", "js"):
        for path in Path(ROOT / "static" / folder).iterdir():
            assert f"{folder}/{path.name}" in assets
