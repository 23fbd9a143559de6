"""The rows of a table file, read anew as often as they are needed, and of each time only the columns that are."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pyarrow as pa

from techniques.tables.dictionary import CountedValues, count_values
from techniques.tables.formats import FileFormat
from techniques.tables.readers.reading import open_table

_KEPT_VALUES = 1 << 20


class FileRows:
    """The rows of the file at ``path``, of the form ``form``; each call opens them from the first on."""

    def __init__(self, path: Path, form: FileFormat) -> None:
        self._path = path
        self._form = form
        self._is_sound = False
        self._counted: dict[str, CountedValues] = {}

    def __call__(self) -> Iterator[pa.RecordBatch]:
        """Batches of all columns as text (:meth:`techniques.tables.TableReader.batches`)."""
        with self._path.open("rb") as stream:
            yield from open_table(stream, self._form).batches()
        self._is_sound = True

    def coded(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """The same rows, of these columns, as dictionaries of text (:meth:`techniques.tables.TableReader.coded_batches`). The file's
        faults are found in the columns that are left out too, the first time that it is read."""
        with self._path.open("rb") as stream:
            reader = open_table(stream, self._form)
            for batch in ahead(reader.coded_batches(columns if self._is_sound else None)):
                yield batch.select(columns)
        self._is_sound = True

    def counted(self, columns: Sequence[str]) -> dict[str, CountedValues]:
        """The different values of these columns and their counts, which are read once and kept where they are few."""
        left = [name for name in columns if name not in self._counted]
        read = count_values(self.coded(left), left) if left else {}
        self._counted |= {name: cells for name, cells in read.items() if len(cells.values) <= _KEPT_VALUES}
        return {name: read[name] if name in read else self._counted[name] for name in columns}


def columns_of(
    batches: Callable[[], Iterable[pa.RecordBatch]], columns: Sequence[str]
) -> Iterator[pa.RecordBatch]:
    """These columns of a table that ``batches`` opens: of a file as dictionaries of text, of others as they give them."""
    if isinstance(batches, FileRows):
        return batches.coded(columns)
    return (batch.select(list(columns)) for batch in batches())


def counts_of(
    batches: Callable[[], Iterable[pa.RecordBatch]], columns: Sequence[str]
) -> dict[str, CountedValues]:
    """The different values of these columns of a table that ``batches`` opens, and how many rows have each."""
    if isinstance(batches, FileRows):
        return batches.counted(columns)
    return count_values(batches(), columns)


def ahead(batches: Iterator[pa.RecordBatch]) -> Generator[pa.RecordBatch]:
    """The batches, each read while the one before it is worked on."""
    with ThreadPoolExecutor(1) as pool:
        coming = pool.submit(next, batches, None)
        while (batch := coming.result()) is not None:
            coming = pool.submit(next, batches, None)
            yield batch
