"""The errors of table files: what is wrong, in which line and column, and how to correct it.

``line`` is the physical line in a text file and the row in a sheet, ``column`` the field number;
both count from 1. No text ever holds a cell's value.
"""

from __future__ import annotations

from techniques.core.messages import EngineError, _

_TEXTS: dict[str, str] = {
    "table.empty": _("The file is empty. Choose a file with a header row and at least one data row."),
    "table.rows.none": _("The file has column names but no data rows. Choose a file with at least one row."),
    "table.columns.none": _("The file has no columns. Its first row must hold the column names."),
    "table.columns.many": _(
        "The file has %(found)s columns; at most %(limit)s are possible. Check the delimiter."
    ),
    "table.name.empty": _(
        "Line %(line)s, column %(column)s: the column name is empty. Give every column a name."
    ),
    "table.name.duplicate": _(
        "Line %(line)s, column %(column)s: the column name repeats that of column %(first)s. "
        "Rename one of them."
    ),
    "table.name.control": _(
        "Line %(line)s, column %(column)s: the column name holds a line break or another control "
        "character. Remove it."
    ),
    "table.name.long": _(
        "Line %(line)s, column %(column)s: the column name has more than %(limit)s characters. Shorten it."
    ),
    "table.bytes.undecodable": _(
        "Line %(line)s, column %(column)s: the bytes are not valid %(encoding)s. Save the whole file in one "
        "encoding, or choose the right one."
    ),
    "table.encoding.mixed": _(
        "Line %(line)s, column %(column)s: this line is written in %(other)s while the file is read as "
        "%(encoding)s. Save the whole file in one encoding."
    ),
    "table.encoding.unknown": _(
        "The character encoding is none of UTF-8, GB18030 or UTF-16; line %(line)s cannot be read. "
        "Save the file as UTF-8."
    ),
    "table.nul": _(
        "Line %(line)s, column %(column)s: there is a NUL byte. The file is damaged or not a text file; "
        "export it again."
    ),
    "table.row.ragged": _(
        "Line %(line)s: %(expected)s fields are expected but %(found)s were found, from column %(column)s on. "
        "Put quotation marks around cells that hold the delimiter, and give every row all its fields."
    ),
    "table.quote.unclosed": _(
        "Line %(line)s, column %(column)s: the quotation mark that opens this cell is never closed. "
        "Close it, or double it when it belongs to the text."
    ),
    "table.quote.stray": _(
        "Line %(line)s, column %(column)s: text follows the closing quotation mark of the cell that begins "
        "here. Double the quotation marks that belong to the text."
    ),
    "table.field.long": _(
        "Line %(line)s, column %(column)s: the cell is longer than %(limit)s bytes. Shorten it; often a "
        "quotation mark is not closed here."
    ),
    "table.row.long": _(
        "Line %(line)s: the row is longer than %(limit)s bytes. Shorten it; often a quotation mark is not "
        "closed here."
    ),
    "table.lines.blank": _(
        "From line %(line)s on there are only blank lines, at least %(found)s of them. Remove them, or export the "
        "table again."
    ),
    "table.unreadable": _("The file cannot be read as %(kind)s. Export it again or choose the right format."),
    "table.kind.refused": _(
        "The content is %(found)s, not a table file. Choose a CSV, XLSX or Parquet file."
    ),
    "table.xlsx.encrypted": _(
        "The workbook is protected by a password or is in the old XLS format. Save it as XLSX without a "
        "password."
    ),
    "table.xlsx.bomb": _(
        "The workbook unpacks to far more than its size allows. Save the sheet alone in a new workbook, or "
        "as CSV."
    ),
    "table.xlsx.text": _(
        "From row %(line)s on, the cells of the sheet name the same long texts so often that they unpack to more than "
        "%(limit)s bytes. Shorten these texts, or save the sheet as CSV."
    ),
    "table.xlsx.strings": _(
        "The workbook holds more different texts than can be kept together (at most %(limit)s bytes, and %(many)s texts). "
        "Save the sheet as CSV."
    ),
    "table.xlsx.large": _(
        "The workbook is larger than %(limit)s bytes. Choose CSV or Parquet for larger tables."
    ),
    "table.xlsx.sheet": _("The workbook has no such sheet. Choose one of its sheets."),
    "table.xlsx.rows": _(
        "A sheet holds at most %(limit)s data rows. Choose CSV or Parquet for larger tables."
    ),
    "table.xlsx.cell": _(
        "Row %(line)s, column %(column)s: a sheet's cell holds at most %(limit)s characters. Choose CSV or "
        "Parquet."
    ),
    "table.parquet.bomb": _(
        "The Parquet file unpacks to far more than is allowed. Write it with smaller row groups or as CSV."
    ),
    "table.parquet.type": _(
        "Column %(column)s has the type %(type)s, which is not a single text, number, date or truth value. "
        "Flatten it before uploading."
    ),
    "table.packed.broken": _(
        "The %(kind)s file is damaged or ends before its end: it was not transferred whole. Pack or transfer it again."
    ),
    "table.packed.bomb": _(
        "The %(kind)s file unpacks to more than %(limit)s bytes, far more than its size allows. Unpack it yourself and give "
        "the file."
    ),
    "table.json.line": _(
        "Line %(line)s is not one whole JSON object. Write each row as one object on a line of its own."
    ),
    "table.json.twice": _("Line %(line)s: the name “%(column)s” stands there twice. Name each value once."),
    "table.json.mixed": _(
        "Line %(line)s: column “%(column)s” holds a %(found)s here and a %(expected)s before. Give the column one kind of value."
    ),
    "table.json.digits": _(
        "Lines %(line)s to %(last)s: column “%(column)s” holds whole numbers with more digits than a number keeps. Write them "
        "as texts, in quotation marks."
    ),
    "table.arrow.cut": _(
        "The Arrow IPC stream has no end mark: it was not transferred whole. Write or transfer it again."
    ),
    "table.typed.type": _(
        "Column “%(column)s” has the type %(type)s, which cannot be carried over. Change its type or leave it out."
    ),
    "table.parts.none": _("There is no table file under %(path)s."),
    "table.parts.columns": _(
        "The part %(part)s has other columns than the first part, %(first)s: “%(column)s” is in one of them only. Give "
        "parts of one table."
    ),
    "table.parts.type": _(
        "The part %(part)s has column “%(column)s” as %(found)s, the first part, %(first)s, as %(expected)s. Give parts of "
        "one table."
    ),
    "table.parts.form": _(
        "The part %(part)s is of the form %(found)s, the first part, %(first)s, of the form %(expected)s. Give parts of one "
        "form."
    ),
    "table.parts.keys": _(
        "The folders of the part %(part)s name other partition columns than those of the first part, %(first)s. Give parts "
        "of one table."
    ),
    "table.parts.key_twice": _(
        "“%(column)s” is a partition column by the names of the folders and a column of the part %(part)s. Rename one of them."
    ),
    "table.write.columns": _("The batch's columns are not those that the file was opened with."),
    "table.write.encoding": _("The text holds characters that %(encoding)s cannot represent."),
    "table.code.many": _(
        "A column has more than %(limit)s distinct values, which is more than can be encoded."
    ),
}

ENCODING_NAMES = {"utf-8": "UTF-8", "gb18030": "GB18030", "utf-16-le": "UTF-16 LE", "utf-16-be": "UTF-16 BE"}


def problem(code: str, **params: object) -> EngineError:
    """Return the error of ``code``, one of the codes above, to be raised by the caller."""
    return EngineError(code, _TEXTS[code], **params)
