"""In which form a result is written."""

from __future__ import annotations

from techniques.recipe.recipe import Output
from techniques.tables.formats import FileFormat, Kind

_ENCODINGS = {
    "utf-8": ("utf-8", False),
    "utf-8-sig": ("utf-8", True),
    "gb18030": ("gb18030", False),
    "utf-16": ("utf-16-le", True),
}


def output_format(output: Output, source: FileFormat, kind: Kind | None = None) -> FileFormat:
    """The form that the recipe asks for; what it leaves open is taken from ``kind`` and the source.

    A result always has a header and standard quotes, whatever the source has.
    """
    kind = (kind or source.kind) if output.format == "same" else output.format
    if kind != "csv":
        return FileFormat(kind=kind)
    own = source if source.kind == "csv" else FileFormat(kind="csv")
    encoding, bom = (own.encoding, own.bom) if output.encoding == "same" else _ENCODINGS[output.encoding]
    delimiter = own.delimiter if output.delimiter == "same" else output.delimiter
    return FileFormat.model_validate(
        {"kind": "csv", "encoding": encoding, "bom": bom, "delimiter": delimiter}
    )
