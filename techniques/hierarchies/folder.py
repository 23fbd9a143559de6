"""Hierarchies of columns from the files of a folder, as commands are given them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pydantic import ValidationError

from techniques.core.messages import EngineError, _
from techniques.core.validation import first_problem
from techniques.hierarchies.definitions import Table, parse_table


def hierarchy_files(folder: Path, columns: Iterable[str]) -> dict[str, Path]:
    """The file of each column that has one: ``<column>.csv``, or else ``…_hierarchy_<column>.csv``.

    Raises EngineError ``hierarchy_folder_missing``, ``hierarchy_files_many``.
    """
    if not folder.is_dir():
        text = _("%(path)s is no folder: give the folder that holds the hierarchy files.")
        raise EngineError("hierarchy_folder_missing", text, path=str(folder))
    there = sorted(folder.glob("*.csv"))
    files = {}
    for column in columns:
        found = [f for f in there if f.name == f"{column}.csv"]
        found = found or [f for f in there if f.name.endswith(f"_hierarchy_{column}.csv")]
        if len(found) > 1:
            text = _("Column %(column)s has more than one hierarchy file, %(files)s: keep one.")
            raise EngineError(
                "hierarchy_files_many", text, column=column, files=", ".join(str(file) for file in found)
            )
        if found:
            files[column] = found[0]
    return files


def required_files(folder: Path, columns: Iterable[str]) -> dict[str, Path]:
    """:func:`hierarchy_files` where every column needs one; EngineError ``hierarchy_file_missing``."""
    wanted = list(columns)
    files = hierarchy_files(folder, wanted)
    for column in wanted:
        if column not in files:
            text = _("Column %(column)s has no hierarchy in %(path)s: put a file %(file)s there.")
            raise EngineError(
                "hierarchy_file_missing", text, column=column, path=str(folder), file=f"{column}.csv"
            )
    return files


def read_hierarchy(file: Path) -> Table:
    """The table of a hierarchy file. Raises EngineError ``hierarchy_file_invalid``, ``hierarchy_file_encoding``."""
    try:
        rows = parse_table(file.read_bytes(), file.name)
        return Table.model_validate({"kind": "table", "rows": rows})
    except ValidationError as error:
        found = first_problem(error, file.name)
        raise EngineError("hierarchy_file_invalid", found.message, **found.params) from None


def read_hierarchies(files: dict[str, Path]) -> dict[str, Table]:
    return {column: read_hierarchy(file) for column, file in files.items()}
