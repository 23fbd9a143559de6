"""The two encrypted files of a request: what is asked, and the answer."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import BinaryIO

from projects.datasets.models import StoredFile
from projects.datasets.store.store import store_open, store_write
from techniques.core.messages import EngineError, gettext_noop

MOST_VALUES = 1000
LONGEST_VALUE = 4096
UPLOAD_LIMIT = 1 << 20


@dataclass(frozen=True)
class Answer:
    """One value of the result, whether it stands there at all, and what it stands for (None: not found)."""

    value: str
    in_result: bool
    original: str | None


def lines_of(text: str) -> list[str]:
    """What was typed, line by line. Lines end as on a keyboard, with LF or CR LF: every other sign, such as U+2028 or
    a vertical tab, may be part of a value."""
    return text.replace("\r\n", "\n").split("\n")


def values_cleaned(values: Iterable[str]) -> list[str]:
    """The values in their order, each once and exactly as given, without those that are nothing but spaces.

    EngineError ``reversal.no_values``, ``reversal.too_many``, ``reversal.too_long``.
    """
    found = list(dict.fromkeys(value for value in values if value.strip()))
    if not found:
        raise EngineError("reversal.no_values", gettext_noop("Give at least one value."))
    if len(found) > MOST_VALUES:
        text = gettext_noop("A request may hold %(most)d values, not %(count)d. Ask for what is needed.")
        raise EngineError("reversal.too_many", text, most=MOST_VALUES, count=len(found))
    long = [number for number, value in enumerate(found, 1) if len(value) > LONGEST_VALUE]
    if long:
        text = gettext_noop("Value number %(number)d is longer than %(most)d characters.")
        raise EngineError("reversal.too_long", text, number=long[0], most=LONGEST_VALUE)
    return found


def _salted(content: object) -> bytes:
    """Random bytes first: the SHA-256 of the file then tells nothing of the few values in it."""
    return json.dumps([secrets.token_hex(32), content], ensure_ascii=False).encode()


def settled(wanted: Sequence[str], occurs: Callable[[list[str]], Sequence[bool]]) -> list[tuple[str, bool]]:
    """Each of ``wanted`` once, in the form that is in the result, and whether it is there. A value is looked for as
    it was given, then without the spaces around it, which are easily copied along. ``occurs`` says which of many values
    are in the result.
    """
    forms = list(dict.fromkeys([*wanted, *(value.strip() for value in wanted)]))
    there = {form for form, is_there in zip(forms, occurs(forms), strict=True) if is_there}
    found = [
        next(((form, True) for form in (value, value.strip()) if form in there), (value, False))
        for value in wanted
    ]
    return list(dict.fromkeys(found))


def values_write(values: Sequence[str]) -> StoredFile:
    """What is asked, encrypted."""
    with store_write("reversal") as writer:
        writer.write(_salted(list(values)))
    return writer.stored


def values_read(stored: StoredFile) -> list[str]:
    with store_open(stored) as stream:
        values: list[str] = json.loads(stream.read())[1]
    return values


def answer_write(stream: BinaryIO, answers: Sequence[Answer]) -> None:
    """The answer, for a stream that encrypts."""
    stream.write(_salted([[one.value, one.in_result, one.original] for one in answers]))


def answer_read(stored: StoredFile) -> list[Answer]:
    with store_open(stored) as stream:
        return [Answer(*row) for row in json.loads(stream.read())[1]]
