"""The table of people: a CSV file or the first sheet of a workbook, as rows of cells under known headings."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from django.utils.translation import gettext as _

from deid_portal.organisation.exchange import LIMIT_BYTES, BadTable, Problem, rows_read
from techniques.core.messages import EngineError, filled

LIMIT_ROWS = 200
COLUMNS = ("username", "full_name", "department", "email", "post", "access_until", "appointed_to")
REQUIRED = ("username", "full_name")
ALIASES = {
    "user name": "username", "用户名": "username", "账号": "username", "name": "full_name", "姓名": "full_name",
    "部门": "department", "部门或单位": "department", "e-mail": "email", "邮箱": "email", "电子邮箱": "email", "电子邮件": "email", "岗位": "post",
    "账户类型": "post", "access until": "access_until", "访问期限": "access_until", "访问截止日期": "access_until", "有效期至": "access_until",
    "appointed to": "appointed_to", "任命": "appointed_to", "拟任岗位": "appointed_to",
}  # fmt: skip
_ARCHIVE = b"PK\x03\x04"
_OLD_WORKBOOK = b"\xd0\xcf\x11\xe0"


@dataclass(frozen=True)
class Cells:
    """One row: its place in the file, counted from 1 with the heading, and its cells by column; a column that the file lacks is
    not among them."""

    place: int
    of: dict[str, str]


def cells_read(content: bytes) -> list[Cells]:
    """The rows below the heading; raises :class:`BadTable` with every problem of the file itself."""
    if len(content) > LIMIT_BYTES:
        raise BadTable([Problem(1, "", _("The file is larger than 1 MB."))])
    if content.startswith(_OLD_WORKBOOK):
        text = _("This workbook is protected by a password or in the old format XLS. Save it as XLSX or CSV.")
        raise BadTable([Problem(1, "", text)])
    is_workbook = content.startswith(_ARCHIVE)
    rows = list(_sheet_rows(content)) if is_workbook else rows_read(content)
    if not rows:
        raise BadTable([Problem(1, "", _("The file is empty."))])
    (first, heading), *body = rows
    names = [_column(cell) for cell in heading]
    while names and not names[-1]:
        names.pop()
    problems = [
        Problem(first, name, _("This column is missing. Add it to the heading."))
        for name in REQUIRED
        if name not in names
    ]
    for place, name in enumerate(names):
        if name not in COLUMNS or name in names[:place]:
            text = _(
                "This column is unknown or appears twice. Remove it, or name it as one of these: %(columns)s."
            )
            problems.append(Problem(first, name, text % {"columns": _(", ").join(COLUMNS)}))
    if not body:
        problems.append(Problem(first + 1, "", _("The table has no rows.")))
    if len(body) > LIMIT_ROWS:
        text = _("More than %(limit)s people. Divide the table into several files.")
        problems.append(Problem(body[LIMIT_ROWS][0], "", text % {"limit": LIMIT_ROWS}))
    if problems:
        raise BadTable(problems)
    found = []
    for place, row in body:
        cells = [cell.strip() for cell in row]
        if any(cells[len(names) :]) or len(cells) < len(names):
            text = _(
                "This row has %(found)s cells instead of %(wanted)s. Put texts with commas into quotation marks."
            )
            problems.append(Problem(place, "", text % {"found": len(cells), "wanted": len(names)}))
            continue
        found.append(Cells(place, dict(zip(names, cells, strict=False))))
    if problems:
        raise BadTable(problems)
    return found


def _column(heading: str) -> str:
    name = heading.strip().lower()
    return ALIASES.get(name, name)


def _sheet_rows(content: bytes) -> Iterator[tuple[int, list[str]]]:
    """The rows of the first sheet that are not blank, read by the engine, which knows hostile workbooks."""
    from techniques.tables.formats import FileFormat
    from techniques.tables.readers.reading import open_table

    try:
        with open_table(io.BytesIO(content), FileFormat(kind="xlsx", header=False)) as reader:
            place = 0
            for batch in islice(reader.batches(LIMIT_ROWS + 2), 1):
                for row in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                    place += 1
                    cells = [str(cell or "") for cell in row]
                    if any(cell.strip() for cell in cells):
                        yield place, cells
    except EngineError as error:
        text = filled(_(error.message), error.params) if error.params else _(error.message)
        raise BadTable([Problem(1, "", text)]) from None
