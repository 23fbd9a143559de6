"""What every page that leaves the portal has and has not."""

from __future__ import annotations

import re
from functools import lru_cache
from html import unescape
from typing import Any

from approvals.passages import gaps
from scripts.check_translations import latin_marks

# What a fault cannot be without, which is quick to look for, and the fault itself, in a page in small letters.
_FAULTS = (
    (re.compile("<script"), re.compile(r"<script(?![^>]*\bsrc=)[^>]*>"), "an inline script"),
    (re.compile("<style"), re.compile(r"<style\b"), "a style element"),
    (re.compile(r"style\s*="), re.compile(r"<[a-z][^>]*\sstyle\s*="), "a style attribute"),
    (
        re.compile(r"\son[a-z]+\s*=\s*[\"']"),
        re.compile(r"<[a-z][^>]*\son[a-z]+\s*=\s*[\"']"),
        "an event handler",
    ),
    (
        re.compile("javascript:"),
        re.compile(r"(?:href|src|action)\s*=\s*[\"']\s*javascript:"),
        "a javascript: address",
    ),
)
_LANG = re.compile(r"<html[^>]*\blang=\"[a-z-]+\"", re.I)
# A text with Chinese in it, and the tag before it; in the others stands what people or machines wrote.
_CHINESE = re.compile(r"<(?!code|pre|textarea|option|title)/?\w[^>]*>([^<]*[\u3400-\u9fff][^<]*)")
# What keeps its white space, or holds what people wrote.
_KEPT = re.compile(r"<(pre|textarea|option|title)\b.*?</\1>", re.S)
# The framework's own sentence about a choice that does not exist has a gap.
DJANGO_SAYS = "有效的选项。 "
_H1 = re.compile(r"<h1[\s>]", re.I)


@lru_cache(maxsize=20_000)
def _latin(text: str) -> tuple[str, ...]:
    return tuple(latin_marks(" ".join(unescape(text).split())))


def latin_in(page: str) -> list[str]:
    """Marks of Latin script beside Chinese characters in the texts of a page."""
    return [part for text in dict.fromkeys(_CHINESE.findall(page)) for part in _latin(text)]


def gaps_in(page: str) -> list[str]:
    """White space behind full-width marks, within the lines of a page in Chinese."""
    if 'lang="zh' not in page:
        return []
    return [" ".join(gap.split()) for gap in gaps(_KEPT.sub("<br>", page)) if DJANGO_SAYS not in gap]


def faults_of(response: Any, page: str) -> list[str]:
    """What is wrong with an HTML answer; fragments need no frame."""
    small = page.lower()
    found = [words for hint, fault, words in _FAULTS if hint.search(small) and fault.search(small)]
    policy = response.headers.get("Content-Security-Policy", "")
    if "default-src 'none'" not in policy or "unsafe" in policy:
        found.append("no strict content security policy")
    if "no-store" not in response.headers.get("Cache-Control", ""):
        found.append("may be cached")
    found += [f"Latin punctuation in Chinese: {part}" for part in latin_in(page)]
    found += [f"white space behind a full-width mark: {part}" for part in gaps_in(page)]
    if "<html" in page:
        if not _LANG.search(page):
            found.append("no language")
        if (count := len(_H1.findall(page))) != 1:
            found.append(f"{count} h1")
    return found
