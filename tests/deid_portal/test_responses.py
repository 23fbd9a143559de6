"""What every response carries, and what no template may hold."""

from __future__ import annotations

import gzip
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.urls import reverse

from tests.conftest import ROOT

TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
PAGES = [path for path in TEMPLATES if "pdf" not in path.parts and not path.name.startswith("pdf")]


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


def is_document(path: Path) -> bool:
    """Templates of PDF documents are rendered by WeasyPrint, not by a browser: their style is their own."""
    text = path.read_text(encoding="utf-8")
    return "@page" in text or '{% extends "documents/' in text or path.parent.name == "documents"


@pytest.mark.parametrize("path", TEMPLATES, ids=relative)
def test_no_template_holds_inline_script_or_style(path):
    if is_document(path):
        pytest.skip("a document for WeasyPrint")
    text = re.sub(
        r"{%\s*comment\s*%}.*?{%\s*endcomment\s*%}|{#.*?#}", "", path.read_text(encoding="utf-8"), flags=re.S
    )
    assert not re.search(r"<script(?![^>]*\bsrc=)[^>]*>", text, re.I), "inline script"
    assert not re.search(r"<style\b", text, re.I), "style element"
    assert not re.search(r"<[^>]+\sstyle\s*=", text, re.I), "style attribute"
    assert not re.search(r"<[^>]+\son[a-z]+\s*=", text, re.I), "event handler"
    assert "javascript:" not in text
    assert not re.search(r"(?:src|href)\s*=\s*[\"']https?://", text), "somebody else's server"
    assert "|safe" not in text, "escaping is never switched off in a template"


@pytest.mark.django_db
class TestHeaders:
    @pytest.fixture
    def page(self, client, people):
        client.force_login(people.planner, backend="deid_portal.accounts.backends.AccountBackend")
        return client.get("/")

    def test_content_security_policy(self, page):
        policy = page.headers["Content-Security-Policy"]
        for part in ("default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"):
            assert part in policy
        assert "base-uri 'none'" in policy
        assert "form-action 'self'" in policy
        assert "unsafe" not in policy

    def test_other_headers(self, page):
        assert page.headers["Cache-Control"] == "no-store, private"
        assert page.headers["X-Frame-Options"] == "DENY"
        assert page.headers["X-Content-Type-Options"] == "nosniff"
        assert page.headers["Referrer-Policy"] == "same-origin"
        assert page.headers["Cross-Origin-Opener-Policy"] == "same-origin"
        assert page.headers["Cross-Origin-Resource-Policy"] == "same-origin"
        assert "camera=()" in page.headers["Permissions-Policy"]

    def test_the_api_and_downloads_are_not_cached_either(self, client, people):
        client.force_login(people.auditor, backend="deid_portal.accounts.backends.AccountBackend")
        assert client.get("/api/tasks/").headers["Cache-Control"] == "no-store, private"
        assert client.post(reverse("audit:export_chain")).headers["Cache-Control"] == "no-store, private"

    def test_rendered_pages_hold_no_inline_code(self, client, people, project):
        client.force_login(people.planner, backend="deid_portal.accounts.backends.AccountBackend")
        where = {"project_id": project.pk}
        for name in ("core:project", "core:members", "core:history"):
            check_markup(client.get(reverse(name, kwargs=where)).content.decode())
        for name in ("core:home", "core:projects", "core:help_process", "accounts:profile", "api:docs"):
            check_markup(client.get(reverse(name)).content.decode())

    def test_what_a_person_wrote_is_escaped(self, client, people):
        from projects.core.services import project_create

        project = project_create(title="<script>alert(1)</script>", summary="<img src=x>", by=people.planner)
        client.force_login(people.planner, backend="deid_portal.accounts.backends.AccountBackend")
        for address in ("/", "/projects/", reverse("core:project", kwargs={"project_id": project.pk})):
            page = client.get(address).content.decode()
            assert "<script>alert" not in page
            assert "<img src=x" not in page

    def test_an_unknown_host_is_refused(self, client):
        assert client.get("/account/sign-in/", headers={"Host": "evil.example"}).status_code == 400

    def test_errors_are_pages_of_our_own(self, client, people, settings):
        client.force_login(people.outsider, backend="deid_portal.accounts.backends.AccountBackend")
        missing = client.get("/no/such/page/")
        assert missing.status_code == 404
        assert "<h1>" in missing.content.decode()
        refused = client.get("/audit/")
        assert refused.status_code == 403
        assert "<h1>" in refused.content.decode()


@pytest.mark.django_db
class TestCompression:
    @pytest.fixture
    def reader(self, client, people):
        client.force_login(people.auditor, backend="deid_portal.accounts.backends.AccountBackend")
        return client

    def asked(self, reader, path, **headers):
        return reader.get(path, headers={"Accept-Encoding": "gzip, deflate, br", **headers})

    @pytest.mark.parametrize("path", ["/", "/api/schema/?format=json"])
    @pytest.mark.parametrize("origin", [{}, {"Sec-Fetch-Site": "none"}, {"Sec-Fetch-Site": "same-origin"}])
    def test_texts_travel_compressed(self, reader, path, origin):
        answer = self.asked(reader, path, **origin)
        assert answer.headers["Content-Encoding"] == "gzip"
        assert {"Accept-Encoding", "Sec-Fetch-Site"} <= set(answer.headers["Vary"].split(", "))
        whole = gzip.decompress(answer.content)
        assert whole.lstrip()[:1] in (b"<", b"{")
        assert len(answer.content) == int(answer.headers["Content-Length"]) < len(whole) / 2

    @pytest.mark.parametrize("site", ["cross-site", "same-site"])
    def test_what_another_site_had_asked_for_is_as_long_as_its_text(self, reader, site):
        """Else its size would tell how well a guess in the address fits a secret in the page."""
        answer = self.asked(reader, "/?next=guess", **{"Sec-Fetch-Site": site})
        assert "Content-Encoding" not in answer.headers
        assert "Sec-Fetch-Site" in answer.headers["Vary"]
        assert b"</html>" in answer.content

    def test_the_length_of_one_page_differs_from_time_to_time(self, reader):
        assert len({len(self.asked(reader, "/").content) for _time in range(8)}) > 1

    def test_files_travel_as_they_are(self, reader):
        answer = reader.post(reverse("audit:export_chain"), headers={"Accept-Encoding": "gzip"})
        assert answer.status_code == 200
        assert "Content-Encoding" not in answer.headers

    def test_who_cannot_read_it_gets_the_text(self, reader):
        assert b"</html>" in reader.get("/").content


def check_markup(page: str) -> None:
    assert not re.search(r"<script(?![^>]*\bsrc=)[^>]*>", page)
    assert not re.search(r"<[^>]+\sstyle=", page)
    assert "<style" not in page


@pytest.mark.django_db
class TestUploadsStayInside:
    def test_stored_files_are_not_below_the_web_root(self, settings):
        store, static = Path(settings.DEID_STORE_DIR).resolve(), Path(settings.STATIC_ROOT).resolve()
        assert static not in [store, *store.parents]
        assert store not in [static, *static.parents]
        assert not settings.MEDIA_URL.strip("/")
        for folder in settings.STATICFILES_DIRS:
            assert Path(folder).resolve() not in [store, *store.parents]

    def test_no_address_reaches_a_stored_file(self, client, people, settings):
        store = Path(settings.DEID_STORE_DIR)
        store.mkdir(parents=True, exist_ok=True)
        (store / "canary.bin").write_bytes(b"canary")
        client.force_login(people.planner, backend="deid_portal.accounts.backends.AccountBackend")
        name = store.name
        for address in (
            f"/{name}/canary.bin",
            f"/static/../{name}/canary.bin",
            f"/static/%2e%2e/{name}/canary.bin",
            f"/media/{name}/canary.bin",
            "/canary.bin",
        ):
            assert client.get(address).status_code in (400, 404), address
        (store / "canary.bin").unlink()

    def test_uploads_touch_no_disk_before_they_are_encrypted(self, settings):
        assert "TemporaryFileUploadHandler" not in str(settings.FILE_UPLOAD_HANDLERS)


@pytest.mark.django_db
class TestApi:
    def test_the_api_is_closed_without_credentials(self, client):
        for endpoint in ("/api/tasks/", "/api/projects/", "/api/schema/", "/api/account/me/"):
            assert client.get(endpoint).status_code == 401, endpoint
        bad = client.get("/api/tasks/", headers={"Authorization": "Token deid_wrong"})
        assert bad.status_code == 401

    def test_by_session_it_needs_csrf(self, people):
        from django.test import Client

        strict = Client(enforce_csrf_checks=True)
        strict.force_login(people.planner, backend="deid_portal.accounts.backends.AccountBackend")
        assert strict.post("/api/projects/", {"title": "x"}).status_code == 403

    def test_it_is_throttled(self, client, people, monkeypatch):
        from django.core.cache import cache
        from rest_framework.throttling import UserRateThrottle

        cache.clear()
        monkeypatch.setattr(UserRateThrottle, "rate", "2/min", raising=False)
        client.force_login(people.planner, backend="deid_portal.accounts.backends.AccountBackend")
        assert [client.get("/api/tasks/").status_code for _ in range(3)] == [200, 200, 429]
        cache.clear()

    def test_refusals_are_the_same_as_on_pages(self, client, people, project):
        client.force_login(people.executor, backend="deid_portal.accounts.backends.AccountBackend")
        answer = client.post(f"/api/projects/{project.pk}/moves/withdraw/", {"reason": "x"})
        assert answer.status_code == 403
        assert answer.json()["code"] == "not_your_role"
        client.force_login(people.planner, backend="deid_portal.accounts.backends.AccountBackend")
        answer = client.post(f"/api/projects/{project.pk}/moves/submit_objective/")
        assert answer.json()["code"] == "evidence_missing"
        assert answer.json()["missing"]
        judged = client.post(f"/api/projects/{project.pk}/moves/approve_plan/", {"reason": "x"})
        assert judged.json()["code"] == "judged_elsewhere"
        client.force_login(people.outsider, backend="deid_portal.accounts.backends.AccountBackend")
        assert client.get(f"/api/projects/{project.pk}/").status_code == 404

    def test_what_a_page_can_do_the_api_can(self, client, people):
        client.force_login(people.planner, backend="deid_portal.accounts.backends.AccountBackend")
        made = client.post("/api/projects/", {"title": "By program", "summary": "s"}).json()
        where = f"/api/projects/{made['id']}/"
        member = client.post(where + "members/", {"username": "executor", "role": "executor"})
        assert member.status_code == 201
        assert (
            client.patch(where, {"title": "Renamed"}, content_type="application/json").json()["title"]
            == "Renamed"
        )
        assert [task["project"] for task in client.get("/api/tasks/").json()]
        detail = client.get(where).json()
        assert detail["my_role"] == "planner"
        assert any(not line["met"] for line in detail["checklist"])
        assert client.delete(f"{where}members/{member.json()['id']}/").json()["ended_at"]
        moved = client.post(where + "moves/withdraw/", {"reason": "not needed"}).json()
        assert moved["state"] == "withdrawn"
        assert client.get(where + "history/").json()["count"] >= 5


@pytest.mark.slow
def test_check_deploy_is_clean_with_real_keys(tmp_path):
    """Behind TLS with keys of its own, Django's deployment check finds nothing."""
    env = {
        **{k: v for k, v in os.environ.items() if not k.startswith(("DEID_", "DJANGO_"))},
        "DEID_SECURE": "1",
        "DEID_SECRET_KEY": os.urandom(48).hex(),
        "DEID_MASTER_KEY": "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVowMTIzNDU=",
        "DEID_VAR_DIR": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "deid_portal.settings",
    }
    command = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]


def test_without_its_database_the_portal_says_so(tmp_path):
    """The sign-in page asks nobody to sign in, and the API names the cause, in a portal of its own whose database is away."""
    code = (
        "import django; django.setup()\n"
        "from django.test import Client\n"
        "client = Client(raise_request_exception=False)\n"
        "for path in ('/account/sign-in/', '/', '/api/account/me/'):\n"
        "    answer = client.get(path, headers={'Authorization': 'Token x', 'Accept-Language': 'en'})\n"
        "    print(path, answer.status_code, b'database' in answer.content)\n"
    )
    away = {"DATABASE_URL": f"sqlite:///{tmp_path}/nowhere/portal.sqlite3", "DEID_VAR_DIR": str(tmp_path)}
    settings = {"DJANGO_SETTINGS_MODULE": "deid_portal.settings_test", "DEID_ALLOWED_HOSTS": "testserver"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | away | settings,
        capture_output=True,
        text=True,
        timeout=60,
    )
    lines = dict(line.split(" ", 1) for line in done.stdout.splitlines())
    assert lines["/account/sign-in/"] == "503 True", done.stderr[-2000:]
    assert lines["/api/account/me/"] == "503 True"


@pytest.mark.django_db
def test_an_act_from_a_page_that_stays_is_led_on_only_where_it_leads_elsewhere(client, people):
    """What is led to is named, so that its messages are shown where the browser goes; what leads back is answered as ever."""
    client.force_login(people.planner, backend="deid_portal.accounts.backends.AccountBackend")
    read = reverse("core:notifications_read")
    elsewhere = client.post(read, headers={"X-Stays": "/projects/"})
    assert (elsewhere.status_code, elsewhere.headers["X-Location"]) == (204, reverse("core:notifications"))
    assert "Location" not in elsewhere.headers
    back = client.post(read, headers={"X-Stays": reverse("core:notifications")})
    assert (back.status_code, back.headers["Location"]) == (302, reverse("core:notifications"))
    plain = client.post(read)
    assert (plain.status_code, "X-Location" in plain.headers) == (302, False)
