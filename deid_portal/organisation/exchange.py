"""The metadata table as a CSV file: out for a spreadsheet, and whole back in."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from projects.identification.enums import ColumnRole
from techniques.core.kinds import KINDS
from techniques.identification.metadata.forms import LONGEST

from .models import MetadataEntry, value_form_validate
from .services import own_kind, plain_name

COLUMNS = ("kind", "name", "meaning", "format", "data_types", "field_names", "role", "value_form")
# A spreadsheet that was translated by hand still imports.
ALIASES = {
    "种类": "kind", "标识符名称": "name", "含义": "meaning", "格式": "format", "常用数据类型": "data_types",
    "常用字段名": "field_names", "角色": "role", "identifier name": "name", "common data types": "data_types",
    "common field names": "field_names", "suggested role": "role",
    "取值规则": "value_form", "form of the values": "value_form",
}  # fmt: skip
REQUIRED = ("name", "meaning", "format", "field_names", "role")
LIMITS = {"name": 80, "meaning": 300, "format": 300, "value_form": LONGEST}
LIMIT_BYTES = 1024 * 1024
LIMIT_ROWS = 5000
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True)
class Problem:
    """What is wrong with one cell; ``row`` counts lines of the table from 1, the heading being 1."""

    row: int
    column: str
    text: str


class BadTable(Exception):
    """The file cannot become the table; nothing was imported."""

    def __init__(self, problems: list[Problem]) -> None:
        self.problems = problems
        super().__init__(f"{len(problems)} problems")


def _neutral(text: str) -> str:
    """A cell that a spreadsheet will not take for a formula."""
    return "'" + text if text.startswith(_FORMULA) else text


def _plain(text: str) -> str:
    """Undo :func:`_neutral`."""
    return text[1:] if text.startswith("'") and text[1:].startswith(_FORMULA) else text


def table_write(entries: Iterable[MetadataEntry]) -> str:
    """The entries as CSV text with the heading of COLUMNS; lists are joined by semicolons."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for entry in entries:
        cells = (
            entry.kind, entry.name, entry.meaning, entry.format, "; ".join(entry.data_types),
            "; ".join(entry.field_names), str(entry.role), entry.value_form,
        )  # fmt: skip
        writer.writerow([_neutral(cell) for cell in cells])
    return out.getvalue()


def text_decode(content: bytes) -> str:
    """UTF-8 with or without mark, UTF-16 with mark, else GB18030; raises :class:`BadTable`."""
    if len(content) > LIMIT_BYTES:
        raise BadTable([Problem(1, "", _("The file is larger than 1 MB."))])
    encodings = ("utf-16",) if content[:2] in (b"\xff\xfe", b"\xfe\xff") else ("utf-8-sig", "gb18030")
    for encoding in encodings:
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise BadTable([Problem(1, "", _("The encoding is not UTF-8, UTF-16 or GB18030."))])


def rows_read(content: bytes) -> list[tuple[int, list[str]]]:
    """The rows of a CSV file that are not blank, each with its place counted from 1; raises :class:`BadTable`."""
    text = text_decode(content)
    if "\x00" in text:
        raise BadTable([Problem(1, "", _("This is not a text file."))])
    heading = text.lstrip().partition("\n")[0]
    delimiter = max(",;\t", key=heading.count) if heading else ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        rows = [(place, row) for place, row in enumerate(reader, 1) if any(cell.strip() for cell in row)]
    except csv.Error:
        raise BadTable(
            [Problem(reader.line_num, "", _("A quotation mark is not closed, or is in the wrong place."))]
        ) from None
    if not rows:
        raise BadTable([Problem(1, "", _("The file is empty."))])
    return rows


def table_read(content: bytes) -> list[MetadataEntry]:
    """The entries of a CSV file as unsaved rows; raises :class:`BadTable` with every problem found."""
    rows = [row for _place, row in rows_read(content)]
    if len(rows) > LIMIT_ROWS:
        raise BadTable([Problem(LIMIT_ROWS, "", _("More than 5,000 rows."))])
    names = [ALIASES.get(cell.strip().lower(), cell.strip().lower()) for cell in rows[0]]
    problems = [Problem(1, name, _("This column is missing.")) for name in REQUIRED if name not in names] + [
        Problem(1, name, _("This column is unknown or appears twice."))
        for place, name in enumerate(names)
        if name not in COLUMNS or name in names[:place]
    ]
    if problems:
        raise BadTable(problems)
    entries: list[MetadataEntry] = []
    for number, row in enumerate(rows[1:], start=2):
        if len(row) != len(names):
            text = _("This row has %(found)s cells instead of %(wanted)s.")
            problems.append(Problem(number, "", text % {"found": len(row), "wanted": len(names)}))
            continue
        cells = dict(zip(names, (_plain(cell.strip()) for cell in row), strict=True))
        entries.append(_entry(cells, number, problems))
    _cross_check(entries, problems)
    if not entries and not problems:
        problems.append(Problem(2, "", _("The table has no rows.")))
    if problems:
        raise BadTable(sorted(problems, key=lambda problem: problem.row))
    return entries


def list_read(text: str) -> list[str]:
    """The parts of a cell or field, separated by semicolons, ideographic commas, bars or lines."""
    for separator in ("；", "、", "|", "\n"):
        text = text.replace(separator, ";")
    return list(dict.fromkeys(part.strip() for part in text.split(";") if part.strip()))


def _role(text: str) -> ColumnRole | None:
    wanted = text.strip().casefold()
    for role in ColumnRole:
        if wanted in (role.value, str(role.label).casefold()):
            return role
    return None


def _entry(cells: dict[str, str], number: int, problems: list[Problem]) -> MetadataEntry:
    for name in REQUIRED:
        if not cells[name]:
            problems.append(Problem(number, name, _("This cell is empty.")))
    for name, limit in LIMITS.items():
        if len(cells.get(name, "")) > limit:
            text = _("Longer than %(limit)s characters.")
            problems.append(Problem(number, name, text % {"limit": limit}))
    role = _role(cells["role"])
    if cells["role"] and role is None:
        text = _("Not a role; possible are: %(roles)s.")
        problems.append(Problem(number, "role", text % {"roles": _(", ").join(ColumnRole.values)}))
    if form := cells.get("value_form", ""):
        try:
            value_form_validate(form)
        except ValidationError as error:
            problems.append(Problem(number, "value_form", error.messages[0]))
    kind = cells.get("kind", "") or own_kind(cells["name"])
    if kind not in KINDS and not (kind.startswith("own_") and kind.replace("_", "").isalnum()):
        problems.append(
            Problem(number, "kind", _("Not a known kind; leave it empty for your own identifier."))
        )
    entry = MetadataEntry(
        kind=kind[:40], position=number, name=cells["name"], meaning=cells["meaning"],
        format=cells["format"], data_types=list_read(cells.get("data_types", "")),
        field_names=list_read(cells["field_names"]), role=role or ColumnRole.OTHER,
        value_form=cells.get("value_form", ""),
    )  # fmt: skip
    if cells["field_names"] and not all(plain_name(field_name) for field_name in entry.field_names):
        problems.append(Problem(number, "field_names", _("A field name has no letters or digits.")))
    return entry


def _cross_check(entries: list[MetadataEntry], problems: list[Problem]) -> None:
    kinds: dict[str, int] = {}
    claimed: dict[str, int] = {}
    for entry in entries:
        first = kinds.setdefault(entry.kind, entry.position)
        if first != entry.position:
            text = _("The same kind is in row %(row)s already.")
            problems.append(Problem(entry.position, "kind", text % {"row": first}))
        for field_name in entry.field_names:
            first = claimed.setdefault(plain_name(field_name), entry.position)
            if first != entry.position:
                text = _("The field name “%(field)s” is in row %(row)s already.")
                problems.append(
                    Problem(entry.position, "field_names", text % {"field": field_name, "row": first})
                )
