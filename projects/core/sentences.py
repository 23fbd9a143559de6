"""What the portal wrote into a text that is kept, said in the reader's language.

What is saved is text, judged and signed as it stands. A line of it that is the portal's own, word by word in one of its languages, is
said anew to whoever reads another one; every other line is a person's and stays as it was typed. A package names the sentences that
it writes with :func:`written_by_portal`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.utils import translation
from django.utils.translation import get_language

_MARKS = {"：": "(?:：|: )", "（": r"(?:（| \()", "）": r"(?:）|\))"}
"""In Chinese drafts of before there were the marks of English."""

Said = Callable[[str, str], str | None]


@dataclass(frozen=True)
class Gap:
    """What may stand in a sentence, and how that is said anew: of a text and its language; None where it is not the portal's own."""

    said: Said
    pattern: str = ".*?"


@dataclass(frozen=True)
class Sentence:
    """``template`` in the active language, with a place for each of ``gaps``; others are figures and names, which stay."""

    template: Callable[[], str]
    gaps: Mapping[str, Gap] = field(default_factory=dict)

    @property
    def pattern(self) -> re.Pattern[str]:
        """What it looks like in the active language."""
        template = self.template()
        names = dict.fromkeys(re.findall(r"%\((\w+)\)s", template))
        text = re.escape(template % {name: f"\0{name}\0" for name in names}).replace("\\\0", "\0")
        for mark, either in _MARKS.items():
            text = text.replace(mark, either)
        for name in names:
            gap = self.gaps.get(name)
            text = text.replace(f"\0{name}\0", f"(?P<{name}>{gap.pattern if gap else '.+?'})")
        return re.compile(text)


_written: list[Callable[[], Iterable[Sentence]]] = []


def written_by_portal(function: Callable[[], Iterable[Sentence]]) -> Callable[[], Iterable[Sentence]]:
    """Have the sentences of ``function``, read in the reader's language wherever they are kept."""
    _written.append(function)
    _patterns.cache_clear()
    return function


def whole(text: Any) -> str:
    """``text`` as a template without a gap."""
    return str(text).replace("%", "%%")


def fixed(sentence: Any) -> Sentence:
    return Sentence(lambda: whole(sentence))


def kept(pattern: str) -> Gap:
    """A figure or a name of this ``pattern``, which stays."""
    return Gap(lambda text, _language: text, pattern)


def one_of(*texts: Any) -> Gap:
    """One of the portal's own texts."""

    def said(text: str, language: str) -> str | None:
        with translation.override(language):
            known = {str(one): one for one in texts}
        return str(known[text]) if text in known else None

    return Gap(said)


def other_languages() -> list[str]:
    return [language for language, _name in settings.LANGUAGES if language != get_language()]


@lru_cache(maxsize=8)
def _patterns(language: str) -> list[tuple[re.Pattern[str], Sentence]]:
    with translation.override(language):
        return [(one.pattern, one) for function in _written for one in function()]


def as_read(text: str) -> str:
    """``text`` as it was saved, with the portal's own lines in the reader's language."""
    others = other_languages()
    return "\n".join(_line(line, others) for line in text.split("\n"))


def _line(line: str, languages: Iterable[str]) -> str:
    for language in languages:
        if (said := anew(line, _patterns(language), language)) is not None:
            return said
    return line


def own_line(text: str, language: str) -> str | None:
    """``text``, which is one of the portal's own lines in ``language``, in the reader's; None where it is none of them."""
    return anew(text, _patterns(language), language)


def anew(text: str, sentences: Iterable[tuple[re.Pattern[str], Sentence]], language: str) -> str | None:
    """``text``, which is one of ``sentences`` by its pattern in ``language``, in the reader's language; None where it is none of them."""
    for pattern, sentence in sentences:
        if (found := pattern.fullmatch(text)) and (said := _filled(found, sentence, language)) is not None:
            return said
    return None


def _filled(found: re.Match[str], sentence: Sentence, language: str) -> str | None:
    filled = {
        name: gap.said(text, language) if (gap := sentence.gaps.get(name)) else text
        for name, text in found.groupdict().items()
    }
    return None if None in filled.values() else sentence.template() % filled
