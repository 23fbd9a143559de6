"""Faults of a table or a request that several parts of the engine find."""

from __future__ import annotations

from collections.abc import Iterable

from techniques.core.messages import EngineError, _


def unknown_column(column: str) -> EngineError:
    """The table has no column of this name."""
    return EngineError("unknown_column", _("The table has no column “%(column)s”."), column=column)


def column_missing(column: str) -> EngineError:
    """Source and result do not both have the column."""
    text = _("Column “%(column)s” is not in both the source and the result.")
    return EngineError("column_missing", text, column=column)


def tables_differ(tables: Iterable[str]) -> EngineError:
    """A recipe over several tables meets others than its own."""
    text = _("The recipe and the files do not have the same tables: %(tables)s.")
    return EngineError("tables_differ", text, tables=", ".join(tables))


def k_too_large(k: int, rows: int) -> EngineError:
    """Fewer rows are left than one class needs."""
    text = _("k is %(k)d, but only %(rows)d rows are left to form a class.")
    return EngineError("k_too_large", text, k=k, rows=rows)


def k_above_persons(k: int, persons: int) -> EngineError:
    """Fewer persons are left than one class needs."""
    text = _("k is %(k)d, but the rows are those of only %(persons)d persons.")
    return EngineError("k_too_large", text, k=k, persons=persons)


def nothing_to_count() -> EngineError:
    """A table without rows."""
    return EngineError("no_rows", _("The table has no rows, so there is nothing to count."))


def no_quasi_identifier() -> EngineError:
    """No column is named by which rows could look alike."""
    return EngineError("no_quasi_identifier", _("At least one quasi-identifier is needed to form classes."))


def quasi_and_sensitive(column: str) -> EngineError:
    """A column is named as both."""
    text = _("Column %(column)s is either a quasi-identifier or sensitive, not both.")
    return EngineError("quasi_and_sensitive", text, column=column)


def hierarchy_no_tree(column: str) -> EngineError:
    """Values that are one at a level are two at a higher one."""
    text = _("Column %(column)s: the hierarchy gives one value two parents, so it is no tree.")
    return EngineError("hierarchy_no_tree", text, column=column)
