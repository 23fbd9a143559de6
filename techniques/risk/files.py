"""The files beside the table that ``deid risk`` reads and writes."""

from __future__ import annotations

import errno
import json
import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from techniques.messages import EngineError
from techniques.messages import gettext_noop as _


def refuse_overwriting(output: Path, inputs: Iterable[Path]) -> None:
    """Refuse an output that is a file which is read, by whatever name or link, or in a folder that is not there.

    Raises EngineError ``output_is_input``, OSError.
    """
    if output.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(output))
    if not output.resolve().parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(output))
    if output.exists() and any(output.samefile(path) for path in inputs if path.exists()):
        raise EngineError("output_is_input", _("The result may not overwrite the input."))


@contextmanager
def written_whole(output: Path) -> Iterator[TextIO]:
    """A text file that appears under its name once it is whole; what is there stays until then.

    What is no file, such as a terminal, is written to as it is.
    """
    target = output.resolve()
    if target.exists() and not target.is_file():
        with target.open("w", encoding="utf-8", newline="") as stream:
            yield stream
        return
    with tempfile.TemporaryDirectory(prefix=".deid-", dir=target.parent) as scratch:
        partial = Path(scratch) / "whole"
        with partial.open("w", encoding="utf-8", newline="") as stream:
            yield stream
        partial.replace(target)


def sampled_share(report: Path) -> float:
    """The share of the source that the samples of a run have left, by its report.

    Raises EngineError ``run_report_invalid`` where it is no report of a run, ``nothing_sampled`` where none was drawn.
    """
    from techniques.engines.reporting import sampling_fraction

    try:
        drawn = sampling_fraction(json.loads(report.read_bytes()))
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        raise EngineError(
            "run_report_invalid", _("%(path)s is not the report of a run."), path=report.name
        ) from None
    if drawn is None:
        raise EngineError("nothing_sampled", _("The report tells of no step that drew a sample."))
    return drawn


def hierarchy_files(folder: Path, columns: Sequence[str]) -> dict[str, Path]:
    """``<column>.csv`` or ``…_hierarchy_<column>.csv`` of each column that has one in ``folder``.

    Raises EngineError ``hierarchy_file_missing`` where no column has one or a column has several.
    """
    found = {}
    for column in columns:
        own = folder / f"{column}.csv"
        files = [own] if own.is_file() else sorted(folder.glob(f"*_hierarchy_{_literal(column)}.csv"))
        if len(files) == 1:
            found[column] = files[0]
        elif files:
            raise _unreadable(folder, column)
    if columns and not found:
        raise _unreadable(folder, columns[0])
    return found


def hierarchy_rows(path: Path) -> list[list[str]]:
    """The rows of a hierarchy file, value first. Raises EngineError ``hierarchy_file_invalid`` and those of reading."""
    from techniques.hierarchies.definitions import Table, parse_table

    rows = parse_table(path.read_bytes(), path.name)
    try:
        return Table.model_validate({"kind": "table", "rows": rows}).rows
    except ValueError:
        raise EngineError(
            "hierarchy_file_invalid",
            _("%(path)s: no hierarchy: every row needs as many columns, and no value may come twice"),
            path=path.name,
        ) from None


def _literal(name: str) -> str:
    return "".join(f"[{letter}]" if letter in "*?[" else letter for letter in name)


def _unreadable(folder: Path, column: str) -> EngineError:
    return EngineError(
        "hierarchy_file_missing",
        _("%(path)s: the file %(file)s cannot be read"),
        path=str(folder),
        file=f"{column}.csv",
    )
