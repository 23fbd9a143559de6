"""No text of a page stands outside the translation: a check of the templates' source."""

from __future__ import annotations

import re

import pytest

from tests.conftest import ROOT

TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))

TRANSLATED = re.compile(
    r"{%\s*comment\b.*?{%\s*endcomment\s*%}|{#.*?#}"
    r"|{%\s*block (?:body_class|main_class)\s*%}.*?{%\s*endblock\s*%}"
    r"|{%\s*blocktrans(?:late)?\b.*?{%\s*endblocktrans(?:late)?\s*%}",
    re.S,
)
TAGS = re.compile(r"{%.*?%}|{{.*?}}", re.S)
MARKUP = re.compile(
    r"<!--.*?-->|<!doctype[^>]*>|<(?:code|pre|style|script)\b.*?</(?:code|pre|style|script)>", re.S | re.I
)
# What is read aloud or shown although it is an attribute.
SHOWN = re.compile(r'\b(?:aria-label|title|placeholder|alt|data-label)="([^"]*)"')
ELEMENTS = re.compile(r"<[^>]*>", re.S)
WORD = re.compile(r"[A-Za-z]{2,}|[\u4e00-\u9fff]")
# Names that are the same in every language; a language is named in itself.
OWN_NAMES = re.compile(r"(?<![\u4e00-\u9fff])中文(?![\u4e00-\u9fff])")
NAMES = {"GB", "SHA", "API", "CSV", "SQL", "XLSX", "JSON", "PDF", "ID", "TOTP", "RFC", "English"}


def untranslated(source: str) -> list[str]:
    """Words that a reader would see and that no translation tag holds."""
    text = TRANSLATED.sub(" ", source)
    text = TAGS.sub(" ", text)
    text = MARKUP.sub(" ", text)
    shown = " ".join(SHOWN.findall(text))
    text = ELEMENTS.sub(" ", text)
    text = OWN_NAMES.sub(" ", re.sub(r"&\w+;", " ", text))
    return [word for word in WORD.findall(text + " " + shown) if word not in NAMES]


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_word_of_a_template_is_translatable(path):
    source = path.read_text(encoding="utf-8")
    if re.search(r"{%\s*(?:blocktrans|trans)", source):
        assert re.search(r"{%\s*load\b[^%]*\bi18n\b", source), "translates without loading i18n"
    # The gallery shows components with examples that are not texts of the product.
    if path.parent.name == "gallery":
        pytest.skip("examples")
    assert not untranslated(source)


def test_the_check_sees_what_it_should():
    assert untranslated("<p>Hello</p>") == ["Hello"]
    assert untranslated('<p>{% translate "Hello" %}</p>') == []
    assert untranslated("{% blocktranslate %}Hello <b>you</b>{% endblocktranslate %}") == []
    assert untranslated('<a aria-label="Close">x</a>') == ["Close"]
    assert untranslated('<a aria-label="{% translate "Close" %}">{{ value }}</a>') == []
    assert untranslated("<p>项目</p>") == ["项", "目"]
