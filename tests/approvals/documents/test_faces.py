"""Documents have the faces of the product wherever they are made, and no character is an empty box."""

from __future__ import annotations

import re
import zlib
from pathlib import Path

import polib
import pytest

from approvals.documents import engine, fonts
from approvals.documents.checks import faces_installed
from approvals.documents.fonts import (
    CUT,
    FACES,
    MARGINS,
    PLACE,
    WHOLE,
    covered,
    faces_for,
    font_bytes,
    wanted,
)
from approvals.documents.render import render_pdf

from .test_documents import BASE, HEAD, needs_poppler, tool

ROOT = Path(__file__).resolve().parents[3]
OWN = {
    "Portal-Serif-CJK", "Portal-Serif-CJK-Bold", "Portal-Sans-CJK-Bold", "Portal-Plain-CJK", "Portal-Plain-CJK-Bold", "Portal-Serif-Latin", "Portal-Serif-Latin-Bold",
    "Portal-Sans-Latin", "Portal-Sans-Latin-Bold",
}  # fmt: skip
RARE = "㛃𬭊䶮"


@pytest.fixture
def without_system(monkeypatch):
    """A machine on which no collection is installed; what was loaded before counts no more."""
    monkeypatch.setattr(fonts, "FOLDERS", [])
    engine._fonts.cache_clear()
    yield
    engine._fonts.cache_clear()


@pytest.fixture
def body(tmp_path, settings):
    def written(text: str) -> str:
        markup = f"<h2>{text}</h2><p>{text}<strong>{text}</strong></p>"
        (tmp_path / "body.html").write_text(
            f'{{% extends "{BASE}" %}}{{% block body %}}{markup}{{% endblock %}}'
        )
        settings.TEMPLATES = [{**settings.TEMPLATES[0], "DIRS": [tmp_path, *settings.TEMPLATES[0]["DIRS"]]}]
        return "body.html"

    return written


def embedded(pdf: bytes, folder: Path) -> set[str]:
    lines = tool("pdffonts", pdf, folder).splitlines()[2:]
    return {line.split()[0].partition("+")[2] for line in lines}


def glyphs(pdf: bytes) -> list[str]:
    """The number of each glyph that is drawn, in four hexadecimal digits."""
    found: list[str] = []
    for packed in re.findall(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL):
        try:
            content = zlib.decompress(packed)
        except zlib.error:
            continue
        if b"BT" in content and b"Tf" in content:
            for shown in re.findall(rb"<([0-9a-fA-F]+)>", content):
                text = shown.decode()
                found += [text[at : at + 4] for at in range(0, len(text), 4)]
    return found


@needs_poppler
@pytest.mark.parametrize("language", ["zh-hans", "en"])
def test_without_the_system_s_collections_every_character_is_drawn_in_faces_of_the_product(
    without_system, body, tmp_path, language
):
    pdf = render_pdf(body(f"姓名{RARE}与“门诊”, it’s"), {}, language, head=HEAD)
    names = embedded(pdf, tmp_path)
    assert {"Portal-Serif-CJK", "Portal-Serif-CJK-Bold", "Portal-Sans-CJK-Bold"} <= names
    assert names <= OWN
    assert "Portal-Plain-CJK" in names
    drawn = glyphs(pdf)
    assert len(drawn) > 100
    assert "0000" not in drawn
    text = tool("pdftotext", pdf, tmp_path, "-")
    assert text.count(RARE) == 3


@needs_poppler
@pytest.mark.skipif(not any(folder.is_dir() for folder in fonts.FOLDERS), reason="no collection is installed")
def test_a_rare_character_has_the_whole_face_of_the_system(body, tmp_path):
    pdf = render_pdf(body(f"姓名{RARE}"), {}, "zh-hans", head=HEAD)
    names = embedded(pdf, tmp_path)
    assert {"Portal-Serif-CJK-Whole", "Portal-Serif-CJK-Whole-Bold", "Portal-Sans-CJK-Whole-Bold"} <= names
    assert "0000" not in glyphs(pdf)


@needs_poppler
def test_a_document_is_the_same_with_and_without_the_system_s_collections(monkeypatch, body, tmp_path):
    template = body("姓名、年龄与“门诊”：① → ≥ 5 % — €")
    before = render_pdf(template, {}, "zh-hans", head=HEAD)
    monkeypatch.setattr(fonts, "FOLDERS", [])
    engine._fonts.cache_clear()
    assert render_pdf(template, {}, "zh-hans", head=HEAD) == before
    assert embedded(before, tmp_path) <= OWN
    assert "0000" not in glyphs(before)


@needs_poppler
def test_the_signs_of_verdicts_and_formulas_are_drawn_in_the_faces_of_the_product(body, tmp_path):
    pdf = render_pdf(body("✓ × max x₁/X, d₀ ≥ ε · λ"), {}, "zh-hans", head=HEAD)
    assert embedded(pdf, tmp_path) <= OWN
    assert "max x_1/X, d_0" in tool("pdftotext", pdf, tmp_path, "-")
    assert "0000" not in glyphs(pdf)


def test_whole_faces_are_loaded_where_a_text_goes_beyond_the_others():
    assert faces_for("<p>门诊\n</p>") == (*CUT, *MARGINS)
    assert set(faces_for("门诊㛃")) > {*CUT, *MARGINS}


def test_the_faces_hold_gb_2312_and_what_the_catalogue_is_written_with():
    def is_han(code: int) -> bool:
        return 0x4E00 <= code < 0xA000

    assert sum(map(is_han, covered())) == 6763
    assert {code for code in wanted(latin=False) if is_han(code)} <= covered()
    catalogue = polib.pofile(str(ROOT / "locale/zh_Hans/LC_MESSAGES/django.po"))
    texts = "".join(entry.msgid + entry.msgstr for entry in catalogue if not entry.msgid_plural)
    assert sorted({sign for sign in texts if ord(sign) not in covered()}) == []


def test_the_faces_are_small_and_lie_beside_their_licence():
    files = {path.name: path.stat().st_size for path in PLACE.iterdir()}
    assert {face.path.name for face in CUT} == {name for name in files if name.endswith(".woff2")}
    assert sum(files.values()) < 9_000_000
    assert "SIL OPEN FONT LICENSE" in (PLACE / "OFL.txt").read_text()


def test_the_check_names_a_face_that_is_gone_and_where_rare_characters_look_plain(monkeypatch, tmp_path):
    assert [found.id for found in faces_installed()] in ([], ["documents.I001"])
    monkeypatch.setattr(fonts, "FOLDERS", [])
    assert [found.id for found in faces_installed()] == ["documents.I001"]
    monkeypatch.setattr(fonts, "PLACE", tmp_path)
    found = faces_installed()
    assert [one.id for one in found] == ["documents.E001", "documents.I001"]
    assert "NotoSerifCJKsc-Bold.woff2" in found[0].msg


def test_a_face_that_no_collection_has_is_looked_up_in_vain(monkeypatch):
    monkeypatch.setattr(fonts, "FOLDERS", [])
    font_bytes.cache_clear()
    with pytest.raises(LookupError):
        font_bytes(WHOLE[0].url)
    assert all(font_bytes(face.url) for face in (*CUT, *MARGINS))
    assert set(FACES.values()) == {*CUT, *MARGINS, *WHOLE}
