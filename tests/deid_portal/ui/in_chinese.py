"""Templates with their texts in Chinese and their variables as they are, which no page has to be rendered for."""

from __future__ import annotations

import re

import polib

from scripts.check_translations import CATALOGUE

_VARIABLE = re.compile(r"{{ *([\w.]+)[^}]*}}")
# What stands within a line whether it is shown or not; other tags may begin a block.
_INLINE_TAGS = r"if|endif|for|endfor|empty|with|endwith"
_STEPS = (
    (re.compile(r"{% comment %}.*?{% endcomment %}|{#.*?#}|{% passage %}.*?{% endpassage %}", re.S), ""),
    (re.compile(r"{% (?:translate|url)\b[^%]* as \w+ %}"), ""),
    (re.compile(r"{% (?:url|static)\b[^%]*%}"), "/"),
    (re.compile(r"{% (?:content_hash|status_badge|clause_chip|term)\b[^%]*%}"), "{{ shown }}"),
    (re.compile(rf"{{% (?:{_INLINE_TAGS})\b[^%]*%}}"), "<b>"),
    (re.compile(r"{%[^%]*%}"), "<br>"),
)


def translations() -> dict[str, str]:
    """English → Chinese."""
    return {one.msgid: one.msgstr or one.msgstr_plural.get(0, "") for one in polib.pofile(str(CATALOGUE))}


def in_chinese(source: str, known: dict[str, str]) -> str:
    """``source`` of a template as a reader of Chinese gets it, every branch shown."""

    def block(found: re.Match[str]) -> str:
        if "asvar" in found[1]:
            return ""
        text = found[2].partition("{% plural %}")[0]
        if "trimmed" in found[1]:
            text = " ".join(line.strip() for line in text.strip().splitlines())
        text = _VARIABLE.sub(lambda name: f"%({name[1]})s", text)
        return known.get(text, text)

    text = re.sub(
        r"{% blocktranslate\b([^%]*)%}(.*?){% endblocktranslate %}",
        block,
        _STEPS[0][0].sub("", source),
        flags=re.S,
    )
    text = re.sub(r'{% translate "([^"]*)" %}', lambda found: known.get(found[1], found[1]), text)
    for pattern, instead in _STEPS[1:]:
        text = pattern.sub(instead, text)
    return text
