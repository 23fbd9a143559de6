"""Documents: embedded faces, nothing from outside, sealed at rest, seen by whom the project lets see it."""

from __future__ import annotations

import re
import shutil
import subprocess
import uuid
from dataclasses import replace
from datetime import UTC, datetime
from io import BytesIO

import pytest
from django.db import models
from django.template import Context, Template
from django.urls import reverse
from fontTools.ttLib import TTFont

from approvals.audit.models import AuditEvent
from approvals.documents.engine import OnlyItsOwn, ResourceRefused
from approvals.documents.fonts import FACES, font_bytes
from approvals.documents.letterhead import LOGO_URL, Letterhead, Logo
from approvals.documents.models import Document
from approvals.documents.registry import may_see
from approvals.documents.render import DocumentHead, Reference, render_html, render_pdf
from approvals.documents.sealing import SealBroken, seal, unseal
from approvals.documents.selectors import number_for
from approvals.documents.services import NumberTaken, document_create, document_open
from approvals.documents.templatetags.document_tags import as_pairs
from approvals.governance.draft import Subject
from approvals.governance.governed import GovernanceBypassed

HEAD = DocumentHead(
    number="2026-0001-P1",
    title="个人信息去标识化实施计划书",
    subtitle="门诊就诊记录",
    content_hash="ab" * 32,
    made_at=datetime(2026, 1, 2, 3, 4, tzinfo=UTC),
)
BASE = "documents/base_document.html"
needs_poppler = pytest.mark.skipif(
    shutil.which("pdftotext") is None, reason="the poppler tools are not installed"
)


def tool(name: str, pdf: bytes, tmp_path, *after: str) -> str:
    path = tmp_path / "document.pdf"
    path.write_bytes(pdf)
    command = [name, *([] if "-" in after else after), str(path), *(after if "-" in after else [])]
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout


@needs_poppler
def test_text_and_font_of_a_pdf(tmp_path):
    pdf = render_pdf(BASE, {}, "zh-hans", head=HEAD)
    text = tool("pdftotext", pdf, tmp_path, "-layout", "-")
    for wanted in (HEAD.title, HEAD.subtitle, HEAD.number, HEAD.content_hash):
        assert wanted in text
    embedded = tool("pdffonts", pdf, tmp_path).splitlines()[2:]
    assert {line.split()[0].partition("+")[2] for line in embedded} <= {
        "Portal-Serif-CJK", "Portal-Serif-CJK-Bold", "Portal-Plain-CJK", "Portal-Sans-CJK-Bold",
    }  # fmt: skip
    assert "Portal-Serif-CJK-Bold" in str(embedded)
    # embedded, subset, with a mapping back to Unicode
    assert all(line.split()[-5:-2] == ["yes", "yes", "yes"] for line in embedded)
    info = tool("pdfinfo", pdf, tmp_path)
    assert "Tagged:          yes" in info
    assert "A4" in info
    assert 'pdfuaid:part="1"' in tool("pdfinfo", pdf, tmp_path, "-meta")
    assert "JavaScript:      no" in info


@pytest.mark.parametrize("url", FACES)
def test_each_face_is_itself_and_not_the_collection(url):
    font = TTFont(BytesIO(font_bytes(url)))
    assert font["name"].getDebugName(6) == FACES[url].name
    assert (ord("门") in font.getBestCmap()) != FACES[url].latin


@needs_poppler
def test_the_cover_has_the_letterhead_and_the_contents_their_pages(tmp_path, settings):
    (tmp_path / "long.html").write_text(
        '{% extends "'
        + BASE
        + '" %}{% block body %}<h2 class="numbered">甲</h2>'
        + "<p>文</p>" * 80
        + '<h2 class="numbered">乙</h2><p>末段</p>{% endblock %}'
        + '{% block signatures %}{% include "documents/_signatures.html" %}{% endblock %}'
    )
    settings.TEMPLATES = [{**settings.TEMPLATES[0], "DIRS": [tmp_path, *settings.TEMPLATES[0]["DIRS"]]}]
    drawing = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8z"/></svg>'
    own = Reference(HEAD.number, "实施计划书", HEAD.content_hash, HEAD.made_at)
    earlier = replace(own, number="2026-0001-P0")
    head = replace(
        HEAD,
        letterhead=Letterhead("示例医院", Logo(drawing, "image/svg+xml"), "内部资料"),
        versions=[earlier, own],
        attachments=[replace(own, number="2026-0001-I1", title="识别标识报告")],
    )
    signers = [{"role": "高级管理层", "name": "孙院长"}]
    pdf = render_pdf("long.html", {"signers": signers}, "zh-hans", head=head)
    cover, front, *body = tool("pdftotext", pdf, tmp_path, "-layout", "-").split("\f")[:-1]
    for said in ("示例医院", "内部资料", HEAD.number, HEAD.title, "2026年1月2日"):
        assert said in cover
    assert re.search(r"一、甲[ .]+3\b", front)
    last = 2 + len(body)
    assert last > 3
    assert re.search(rf"二、乙[ .]+{last}\b", front)
    assert "2026-0001-P0" in front
    assert "2026-0001-I1" in front
    # What is signed stands on the page of the signatures, and every page has the hash of the content.
    assert "末段" in body[-1]
    assert "孙院长" in body[-1]
    assert all(HEAD.content_hash in page for page in (cover, front, *body))


def test_a_second_rendering_is_the_same_bytes():
    first = render_pdf(BASE, {}, "en", head=HEAD)
    assert first == render_pdf(BASE, {}, "en", head=HEAD)
    assert first != render_pdf(BASE, {}, "zh-hans", head=HEAD)


@pytest.mark.parametrize(
    "url",
    [
        "http://example.invalid/x.png",
        "file:///etc/passwd",
        "data:text/plain,x",
        "portal-font:other",
        LOGO_URL,
        "//x/y",
    ],
)
def test_nothing_is_fetched(url):
    with pytest.raises(ResourceRefused):
        OnlyItsOwn().fetch(url)


@pytest.mark.parametrize(
    "markup",
    [
        '<img src="file:///etc/passwd" alt="x">',
        '<link rel="stylesheet" href="http://example.invalid/x.css">',
        '<div style="background: url(file:///etc/hostname)">x</div>',
        '<object data="file:///etc/passwd"></object>',
        '<a rel="attachment" href="file:///etc/passwd">x</a>',
    ],
)
def test_a_template_that_asks_for_a_resource_makes_no_document(markup, settings, tmp_path):
    (tmp_path / "hostile.html").write_text(
        '{% extends "' + BASE + '" %}{% block body %}' + markup + "{% endblock %}"
    )
    settings.TEMPLATES = [{**settings.TEMPLATES[0], "DIRS": [tmp_path, *settings.TEMPLATES[0]["DIRS"]]}]
    try:
        pdf = render_pdf("hostile.html", {}, "en", head=HEAD)
    except ResourceRefused:
        return
    assert b"root:" not in pdf
    assert b"EmbeddedFile" not in pdf


def test_markup_in_a_value_stays_text():
    head = DocumentHead(
        number="<script>1</script>",
        title="</title><style>*{display:none}</style>",
        subtitle='"><img src=file:///etc/passwd>',
        content_hash="</p><h1>x",
        made_at=HEAD.made_at,
    )
    html = render_html(BASE, {}, "zh-hans", head=head)
    for bad in ("<script>", "<style>*{", "<img", "</p><h1>"):
        assert bad not in html
    assert render_pdf(BASE, {}, "zh-hans", head=head).startswith(b"%PDF-")


@pytest.mark.parametrize(("language", "said"), [("zh-hans", "zh-CN"), ("en", "en")])
def test_a_document_says_its_language_as_the_web_writes_it(language, said):
    """BCP 47: a reader's voice and the choice of glyphs hang on it."""
    assert f'<html lang="{said}"' in render_html(BASE, {}, language, head=HEAD)


def test_an_unknown_language_is_refused():
    with pytest.raises(ValueError, match="not written"):
        render_pdf(BASE, {}, "fr", head=HEAD)


def test_the_components_for_reports():
    rows = [
        {"label": "k", "target": "≥ 5", "measured": "7", "passed": True, "clause": "B.1"},
        {"label": "scan", "target": "0", "measured": None, "passed": None, "remedies": ["look again"]},
        {
            "label": "risk",
            "target": "≤ 0.2",
            "measured": "0.5",
            "passed": False,
            "remedies": [{"text": "t", "cost": "c"}],
        },
        {"label": "odd", "target": "1", "measured": "1", "passed": "yes"},
    ]
    html = Template('{% include "documents/_gate_table.html" with rows=rows %}').render(
        Context({"rows": rows})
    )
    assert html.count("mark--ok") == 1
    assert html.count("mark--fail") == 1
    assert html.count("mark--unknown") == 2
    assert "look again" in html
    assert "t（c）" in html
    keys = Template('{% include "documents/_key_values.html" with rows=rows %}').render(
        Context({"rows": [("a", "1\n2"), {"key": "<b>", "value": "x", "hint": "h"}]})
    )
    assert "1<br>2" in keys
    assert "&lt;b&gt;" in keys
    chart = Template('{% include "documents/_chart.html" with svg=svg %}').render(
        Context({"svg": "<svg onload=x>"})
    )
    assert "<svg" not in chart


def test_pairs_and_mappings_read_the_same():
    assert as_pairs([("a", "1"), {"key": "b", "value": "2", "hint": "h"}]) == [
        {"key": "a", "value": "1", "hint": ""},
        {"key": "b", "value": "2", "hint": "h"},
    ]


def test_sealing_is_bound_to_the_document():
    sealed = seal(b"content", bound_to="one")
    assert b"content" not in sealed
    assert unseal(sealed, bound_to="one") == b"content"
    assert seal(b"content", bound_to="one") != sealed
    for broken, bound in (
        (sealed, "two"),
        (sealed[:-1] + bytes([sealed[-1] ^ 1]), "one"),
        (b"\x09" + sealed, "one"),
        (b"", "one"),
    ):
        with pytest.raises(SealBroken):
            unseal(broken, bound_to=bound)


def make(project, people, **changes) -> Document:
    given = {
        "kind": "plan",
        "subject": Subject("plan", "7", "计划", "cd" * 32),
        "project_id": project.pk,
        "number": "2026-0001-P1",
        "title": "计划书",
        "language": "zh-hans",
        "content": b"%PDF-1.7 x",
        "by": people.planner,
    }
    return document_create(**{**given, **changes})


@pytest.mark.django_db
def test_a_document_is_kept_once_and_opens_as_it_was(project, people):
    document = make(project, people)
    assert make(project, people, content=b"%PDF-1.7 other").pk == document.pk
    assert Document.objects.count() == 1
    assert b"PDF" not in bytes(Document.objects.get().sealed)
    assert document_open(Document.objects.get()) == b"%PDF-1.7 x"
    assert make(project, people, language="en").pk != document.pk
    with pytest.raises(ValueError, match="not a PDF"):
        make(project, people, content=b"<html>")
    with pytest.raises(GovernanceBypassed):
        document.save()


@pytest.mark.django_db
def test_no_two_contents_of_a_project_have_one_number(project, people):
    first, other = Subject("plan", "7", "计划", "cd" * 32), Subject("plan", "7", "计划", "ef" * 32)
    series = {"series": "2026-0001-P", "wanted": 1}
    assert number_for(project.pk, kind="plan", subject=first, **series) == "2026-0001-P1"
    make(project, people)
    assert number_for(project.pk, kind="plan", subject=first, **series) == "2026-0001-P1"
    assert number_for(project.pk, kind="plan", subject=other, **series) == "2026-0001-P2"
    assert number_for(project.pk, kind="plan_approval", subject=first, **series) == "2026-0001-P2"
    with pytest.raises(NumberTaken):
        make(project, people, subject=other)
    assert make(project, people, language="en").filename == "2026-0001-implementation-plan-v1.pdf"
    assert (
        make(project, people, subject=other, number="2026-0001-P2").filename == "2026-0001-实施计划书-v2.pdf"
    )


@pytest.mark.django_db
def test_bytes_of_another_document_do_not_open(project, people):
    one, two = make(project, people), make(project, people, language="en")
    one.sealed = two.sealed
    models.Model.save(one)
    with pytest.raises(SealBroken):
        document_open(one)
    event = AuditEvent.objects.latest("seq")
    assert (event.action, event.subject_id) == ("document.seal_broken", one.subject.id)
    assert document_open(two) == b"%PDF-1.7 x"
    assert AuditEvent.objects.latest("seq") == event


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("planner", 200),
        ("executor", 200),
        ("supervisor", 200),
        ("management", 200),
        ("auditor", 200),
        ("assessor", 200),
        ("recipient", 404),
        ("outsider", 404),
        ("administrator", 404),
        ("superuser", 404),
        ("", 302),
    ],
)
def test_who_opens_a_document(client, project, people, name, status):
    document = make(project, people)
    if name:
        client.force_login(getattr(people, name))
        assert may_see(getattr(people, name), document) == (status == 200)
    url = reverse("documents:open", kwargs={"document_id": document.pk})
    response = client.get(url)
    assert response.status_code == status
    if status != 200:
        return
    assert response.content == b"%PDF-1.7 x"
    assert response["Content-Type"] == "application/pdf"
    assert (
        response["Content-Disposition"]
        == "inline; filename*=utf-8''2026-0001-%E5%AE%9E%E6%96%BD%E8%AE%A1%E5%88%92%E4%B9%A6-v1.pdf"
    )
    assert response["X-Content-Type-Options"] == "nosniff"
    assert "no-store" in response["Cache-Control"]
    assert "default-src 'none'" in response["Content-Security-Policy"]
    assert client.get(url + "?download")["Content-Disposition"].startswith("attachment")
    assert client.post(url).status_code == 405


@pytest.mark.django_db
def test_documents_through_the_api(client, project, people):
    document = make(project, people)
    detail = reverse("api:document-detail", kwargs={"document_id": document.pk})
    content = reverse("api:document-content", kwargs={"document_id": document.pk})
    assert client.get(detail).status_code in (401, 403)
    client.force_login(people.outsider)
    assert client.get(detail).status_code == 404
    assert client.get(content).status_code == 404
    client.force_login(people.auditor)
    assert client.get(detail).json()["sha256"] == document.sha256
    assert "sealed" not in client.get(detail).json()
    assert client.get(content).content == b"%PDF-1.7 x"
    missing = reverse("api:document-detail", kwargs={"document_id": uuid.uuid4()})
    assert client.get(missing).status_code == 404
