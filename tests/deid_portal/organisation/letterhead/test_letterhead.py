"""Whose name and logo stand on documents: who sets them, what of a logo is kept, and that it reaches the paper."""

from __future__ import annotations

import time
from io import BytesIO

import pytest
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import translation
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from approvals.audit.models import AuditEvent
from approvals.documents.letterhead import letterhead_now
from approvals.governance.verdict import Refused
from deid_portal.organisation.letterhead.logo import LIMIT_BYTES, LIMIT_ELEMENTS, logo_read
from deid_portal.organisation.letterhead.versions import letterhead_set, versions

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8">%s</svg>'
SHAPE = '<path d="M0 0h8v8z" fill="#b3121b"/>'


def drawing(inside: str) -> bytes:
    return (SVG % inside).encode()


def picture(kind: str = "PNG", size: tuple[int, int] = (8, 8), **more: object) -> bytes:
    out = BytesIO()
    Image.new("RGB", size, "red").save(out, kind, **more)
    return out.getvalue()


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert(1)</script>",
        '<image href="http://example.invalid/x.png"/>',
        '<use href="file:///etc/passwd"/>',
        "<style>@import url(http://example.invalid)</style>",
        '<foreignObject><p xmlns="http://www.w3.org/1999/xhtml">x</p></foreignObject>',
        '<path onload="alert(1)" d="M0 0"/>',
        '<path style="fill:url(http://example.invalid)" d="M0 0"/>',
        '<path fill="url(http://example.invalid)" d="M0 0"/>',
        '<path fill="u\\72l(http://example.invalid)" d="M0 0"/>',
        '<a href="javascript:alert(1)"><path d="M0 0"/></a>',
    ],
)
def test_of_a_drawing_only_shapes_are_kept(hostile):
    kept = logo_read(drawing(SHAPE + hostile)).content
    assert b"M0 0h8v8z" in kept
    for bad in (b"script", b"href", b"url", b"onload", b"style", b"invalid", b"passwd", b"foreign", b"alert"):
        assert bad not in kept


def test_a_gradient_of_the_drawing_s_own_is_kept():
    own = '<defs><linearGradient id="g"><stop offset="0" stop-color="#fff"/></linearGradient></defs>'
    kept = logo_read(drawing(own + '<rect width="8" height="8" fill="url(#g)"/>'))
    assert b'fill="url(#g)"' in kept.content
    assert kept.media_type == "image/svg+xml"


def nested_clips(levels: int) -> str:
    clips = ""
    for level in range(levels):
        inner = f'clip-path="url(#c{level + 1})"'
        shapes = f'<path d="M0 0h8v8z" {inner}/><path d="M0 0h8" {inner}/>'
        clips += f'<clipPath id="c{level}" {inner}>{shapes}</clipPath>'
    return f'<defs>{clips}</defs><g clip-path="url(#c0)">{SHAPE}</g>'


@pytest.mark.parametrize(
    "multiplied",
    [
        nested_clips(40),
        '<mask id="m"><path d="M0 0h8" mask="url(#m)"/></mask><path d="M0 0h8" mask="url(#m)"/>',
        '<pattern id="p" width="1" height="1"><path d="M0 0h8"/></pattern><path d="M0 0h8" fill="url(#p)"/>',
        '<g id="u"><path d="M0 0h8"/></g><use href="#u"/>',
        '<linearGradient id="g" x2="0.000000001" spreadMethod="repeat"><stop offset="0" stop-color="#fff"/>'
        '<stop offset="1"/></linearGradient><path d="M0 0h8v8z" fill="url(#g)"/>',
        '<linearGradient id="g" href="#h"/><linearGradient id="h" href="#g"/><path d="M0 0h8v8z" fill="url(#g)"/>',
    ],
    ids=["clips", "masks", "patterns", "uses", "repeats", "gradients"],
)
def test_a_drawing_draws_each_of_its_parts_once(multiplied):
    kept = logo_read(drawing(SHAPE + multiplied))
    for bad in (b"clip", b"mask", b"pattern", b"<use", b"spreadMethod", b"href"):
        assert bad not in kept.content
    from approvals.documents.engine import pdf_of
    from approvals.documents.letterhead import LOGO_URL

    page = f'<html lang="en"><title>x</title><img alt="x" width="80" src="{LOGO_URL}"></html>'
    before = time.process_time()
    assert pdf_of(page, identifier=bytes(16), logo=kept).startswith(b"%PDF")
    assert time.process_time() - before < 20


@pytest.mark.parametrize(
    ("inside", "fits"),
    [
        ("<g>" * 20_000 + "</g>" * 20_000, False),
        ("<g>" * 19 + "</g>" * 19, True),
        ("<g>" * 20 + "</g>" * 20, False),
        (SHAPE * (LIMIT_ELEMENTS - 1), True),
        (SHAPE * LIMIT_ELEMENTS, False),
    ],
    ids=["far too deep", "deep", "too deep", "many", "too many"],
)
def test_a_drawing_has_only_so_many_parts_and_levels(inside, fits):
    if fits:
        assert logo_read(drawing(inside)).content
        return
    with pytest.raises(ValidationError) as refused, translation.override("en"):
        logo_read(drawing(inside))
    with translation.override("en"):
        assert refused.value.messages == [
            "The drawing has more than 2,000 parts or nests them in more than 20 levels."
        ]


def test_a_picture_of_a_telephone_is_a_jpeg():
    content = picture("MPO", save_all=True, append_images=[Image.new("RGB", (8, 8), "blue")])
    assert Image.open(BytesIO(content)).format == "MPO"
    kept = logo_read(content)
    assert kept.media_type == "image/jpeg"
    assert Image.open(BytesIO(kept.content)).format == "JPEG"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"GIF89a",
        b"\x89PNG not a picture",
        picture()[:20],
        b"<svg",
        b"<html/>",
        b'<!DOCTYPE svg [<!ENTITY a "aaaa">]>' + drawing("&a;"),
        drawing(SHAPE).decode().encode("utf-16"),
        b'<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>',
        b"x" * (LIMIT_BYTES + 1),
        picture(size=(2001, 2000)),
    ],
    ids=range(11),
)
def test_what_is_no_logo_is_refused(content):
    with pytest.raises(ValidationError):
        logo_read(content)


def test_of_a_picture_the_pixels_are_kept_and_nothing_that_is_written_beside_them():
    note = PngInfo()
    note.add_text("Comment", "ward 7")
    for kind, content in (("PNG", picture(pnginfo=note)), ("JPEG", picture("JPEG", comment=b"ward 7"))):
        assert b"ward 7" in content
        kept = logo_read(content)
        assert b"ward 7" not in kept.content
        assert kept.media_type == f"image/{kind.lower()}"
        assert Image.open(BytesIO(kept.content)).size == (8, 8)


@pytest.mark.django_db
def test_an_administrator_sets_it_and_the_log_says_so(client, people):
    url = reverse("organisation:letterhead")
    client.force_login(people.administrator)
    logo = SimpleUploadedFile("logo.svg", drawing(SHAPE))
    given = {"name": "示例医院", "name_en": "Sample Hospital", "mark": "internal", "logo": logo}
    assert client.post(url, given).status_code == 302
    event = AuditEvent.objects.latest("seq")
    assert (event.action, event.facts["name"], event.actor) == (
        "letterhead.set",
        "示例医院",
        str(people.administrator),
    )
    page = client.get(url).content.decode()
    assert "data:image/svg+xml;base64," in page
    for language, name, mark in (("zh-hans", "示例医院", "内部资料"), ("en", "Sample Hospital", "Internal")):
        with translation.override(language):
            said = letterhead_now()
        assert (said.name, said.mark) == (name, mark)
        assert said.logo is not None
    # The logo stays until it is taken off; the same again is no version.
    again = {"name": "示例医院", "name_en": "Sample Hospital", "mark": "internal"}
    assert client.post(url, again).status_code == 422
    assert client.post(url, again | {"without_logo": "on"}).status_code == 302
    assert [version.number for version in versions()] == [2, 1]
    assert letterhead_now().logo is None
    (newest, _first) = client.get(reverse("api:organisation-letterhead")).json()
    assert (newest["name"], newest["logo_type"]) == ("示例医院", "")


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["planner", "supervisor", "auditor"])
def test_others_read_it_and_do_not_set_it(client, people, name):
    with pytest.raises(Refused):
        letterhead_set(name="示例医院", by=getattr(people, name))
    client.force_login(getattr(people, name))
    assert client.get(reverse("organisation:letterhead")).status_code == 200
    assert client.post(reverse("organisation:letterhead"), {"name": "x"}).status_code == 403
    assert not versions().exists()


@pytest.mark.django_db
def test_without_one_documents_have_no_name_on_top():
    assert letterhead_now().name == ""
