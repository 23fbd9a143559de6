"""Column names: the first record of a text file, and the rules every name must keep."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import NoReturn

from techniques.tables.limits import MAX_COLUMNS, MAX_NAME_CHARACTERS, MAX_RECORD_BYTES
from techniques.tables.problems import problem


def validate_names(names: Sequence[str], line: int = 1) -> list[str]:
    """Return ``names`` unchanged, or raise ``EngineError`` for the first that is not allowed.

    Names stay as they are, spaces included; but two names that differ only in surrounding spaces
    count as duplicates, because nobody can tell them apart on a page.
    """
    if not names:
        raise problem("table.columns.none")
    if len(names) > MAX_COLUMNS:
        raise problem("table.columns.many", found=len(names), limit=MAX_COLUMNS)
    seen: dict[str, int] = {}
    for column, name in enumerate(names, start=1):
        stripped = name.strip()
        if not stripped:
            raise problem("table.name.empty", line=line, column=column)
        if any(unicodedata.category(character) in ("Cc", "Zl", "Zp") for character in name):
            raise problem("table.name.control", line=line, column=column)
        if len(name) > MAX_NAME_CHARACTERS:
            raise problem("table.name.long", line=line, column=column, limit=MAX_NAME_CHARACTERS)
        if stripped in seen:
            raise problem("table.name.duplicate", line=line, column=column, first=seen[stripped])
        seen[stripped] = column
    return list(names)


def numbered_names(count: int) -> list[str]:
    """Return the names of a table without a header row."""
    if count > MAX_COLUMNS:
        raise problem("table.columns.many", found=count, limit=MAX_COLUMNS)
    return [f"column_{number}" for number in range(1, count + 1)]


def line_ends(text: str) -> int:
    """Count physical line ends: LF, CRLF and CR."""
    return text.count("\n") + text.count("\r") - text.count("\r\n")


def refuse_endless(text: str, line: int) -> NoReturn:
    """Raise the fault of ``text`` from ``line`` on, in which no record ends within the length of the longest."""
    if not text.strip("\r\n"):
        raise problem("table.lines.blank", line=line, found=line_ends(text))
    raise problem("table.row.long", line=line, limit=MAX_RECORD_BYTES)


def first_record(text: str, delimiter: str, quote: str, complete: bool) -> tuple[list[str], int, int] | None:
    """Parse the first record that is not a blank line.

    Returns its fields, the number of characters up to and including its line end, and the number of
    physical lines before it; None when ``text`` ends before the record does and is not
    ``complete``. The grammar is the scanner's: a quote opens only at the head of a field. Faults
    inside the record are left for the caller, which scans it.
    """
    position = len(text) - len(text.lstrip("\r\n"))
    blank = line_ends(text[:position])
    fields: list[str] = []
    parts: list[str] = []
    quoted = False
    at_head = True
    while position < len(text):
        character = text[position]
        if quoted:
            if character == quote:
                if text.startswith(quote, position + 1):
                    parts.append(quote)
                    position += 1
                else:
                    quoted = False
            else:
                parts.append(character)
        elif at_head and quote and character == quote:
            quoted, at_head = True, False
        elif character == delimiter:
            fields.append("".join(parts))
            parts, at_head = [], True
        elif character in "\r\n":
            if character == "\r" and position + 1 == len(text) and not complete:
                return None  # the line feed of this line end may be in the next piece
            end = position + (2 if text.startswith("\r\n", position) else 1)
            return [*fields, "".join(parts)], end, blank
        else:
            parts.append(character)
            at_head = False
        position += 1
    if not complete:
        return None
    if not fields and not parts and at_head:
        return [], len(text), blank
    return [*fields, "".join(parts)], len(text), blank
