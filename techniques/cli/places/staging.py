"""Tables that a command names beside plain files: its standard input and output, packed files, further forms, parts.

What the engine reads has to be a file that it can read twice. So each such input becomes a file in a folder of its own, which
only its owner may read and which is gone when the command ends; it lies where ``TMPDIR`` says. Results are written there
first and delivered when the command has done its work: whole, or not at all.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Self, cast

from techniques.core.messages import EngineError, _
from techniques.tables.sources import catalogs, databases, files, forms, objects
from techniques.tables.sources.connecting import connected
from techniques.tables.writers.outputs import Outputs

if TYPE_CHECKING:
    from techniques.tables import FileFormat
    from techniques.tables.sources.parts import Part

PIPE = "-"
_PIECE = 1 << 20


class TableIn(str):
    """The name of a table that a command reads, as an argument's type."""


class TableOut(str):
    """The name of a table that a command writes, as an argument's type."""


@dataclass
class _Taken:
    """An input as it lies in the folder: as what it was named, the hash of what was given, and its form where that is no longer
    to be asked about."""

    named: str
    sha256: str
    form: FileFormat | None = None


@dataclass
class _Target:
    """A result that is delivered at the end: under what name, in which form, packed how."""

    named: str
    form: forms.Form
    packing: forms.Packing | None
    address: databases.Address | None = None
    store: objects.Objects | None = None
    delivered: bool = False


class Staging:
    """The tables of one command. ``with Staging(options):`` puts files in place of the names in ``options``."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._stack = contextlib.ExitStack()
        self._folder: Path | None = None
        self._taken: dict[Path, _Taken] = {}
        self._targets: dict[Path, _Target] = {}
        self._read: list[Path] = []
        self._outputs = Outputs([])
        self._first: forms.Form | None = None
        self._last: list[Path] = []
        self._bases: list[databases.Database] = []
        self._read_tables: list[databases.Address] = []
        self._read_objects: set[tuple[str, str]] = set()
        self._sent: list[tuple[objects.Objects, Path]] = []
        options.staging = self

    def __enter__(self) -> Self:
        with contextlib.ExitStack() as stack:
            stack.callback(self._stack.close)
            options = vars(self._options)
            for wanted, settle in ((TableIn, self._named_source), (TableOut, self._named_target)):
                for name, given in list(options.items()):
                    if isinstance(given, wanted):
                        options[name] = settle(name, given)
                    elif isinstance(given, list) and given and isinstance(given[0], wanted):
                        options[name] = [settle(name, one) for one in given]
            stack.pop_all()
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        with self._stack:
            try:
                with self._outputs:
                    if kind is not None:
                        raise _Stopped
                    for path, target in self._targets.items():
                        if path.exists() and not target.delivered:
                            with path.open("rb") as stream:
                                self.deliver(path, stream)
                    for store, whole in self._sent:
                        store.send(whole)
                    for base in self._bases:
                        base.commit()
            except _Stopped:
                return
            finally:
                for base in self._bases:
                    base.close()
            for whole in self._last:
                with whole.open("rb") as stream:
                    shutil.copyfileobj(stream, sys.stdout.buffer, _PIECE)
                sys.stdout.buffer.flush()

    @property
    def to_stdout(self) -> bool:
        """Whether a result goes to the standard output, so that nothing else may."""
        return any(target.named == PIPE for target in self._targets.values())

    # -- what is read -----------------------------------------------------------------------

    def _named_source(self, name: str, text: str) -> Path:
        return self.source(text, described=name == getattr(self._options, "described", None))

    def source(self, text: str, *, described: bool) -> Path:
        """The file in which a table lies that was named ``text``; with ``described`` the options say how it is written."""
        from techniques.tables.sources import parts

        given = getattr(self._options, "format", None) if described else None
        if databases.is_address(text):
            return self._queried(databases.Address.parse(text))
        if catalogs.is_catalogued(text):
            return self._catalogued(catalogs.Catalogued.parse(text))
        text = objects.local(text)
        if objects.is_object(text):
            return self._fetched(text, given, described)
        if text != PIPE and parts.is_pattern(text):
            return self._together(text, parts.parts_of(text), given, described)
        path = Path(text)
        digest = None
        if text == PIPE or (path.exists() and not path.is_file()):
            path, digest = self._copied(text)
        elif not path.is_file():
            return path
        else:
            self._read.append(path)
            self._outputs.reads(path)
        return self._settled(path, text, digest, given)

    def _settled(self, path: Path, text: str, digest: str | None, given: forms.Form | None) -> Path:
        content, form = files.readable(path, self._place, named=text, given=given)
        self._first = self._first or form
        if content != Path(text):
            self._taken[content] = _Taken(text, digest or _digest(path))
        return content

    def _queried(self, address: databases.Address) -> Path:
        from techniques.tables.sources import typed

        self._first = self._first or "parquet"
        self._read_tables.append(address)
        made = self._place(f"{address.table[-1].replace('/', '_')}.parquet")
        with connected(address).rows() as (schema, batches):
            typed.write_parquet(schema, batches, made)
        self._taken[made] = _Taken(str(address), _digest(made))
        return made

    def _catalogued(self, address: catalogs.Catalogued) -> Path:
        from techniques.tables.sources import iceberg, typed

        catalogs.require_readable_here(address)
        table = iceberg.Iceberg(address)
        self._first = self._first or "parquet"
        made = self._place(f"{address.name.replace('/', '_')}.parquet")
        typed.write_parquet(table.schema, table.batches(), made)
        self._taken[made] = _Taken(str(address), _digest(made))
        return made

    def _fetched(self, text: str, given: forms.Form | None, described: bool) -> Path:
        from techniques.tables.sources import parts

        store = objects.Objects(text)
        names = store.names()
        self._read_objects |= {(store.scheme, name) for name in names}
        if names == [store.name]:
            path = self._place(Path(store.name).name)
            store.fetch(store.name, path)
            return self._settled(path, text, None, given)
        found = []
        for part in parts.parts_among(map(Path, names), store.root, text):
            here = self._place(part.path.name)
            store.fetch(str(part.path), here)
            found.append(replace(part, path=here))
        return self._together(text, found, given, described)

    def _copied(self, text: str) -> tuple[Path, str]:
        """(a file with what a pipe gives, its hash). EngineError ``stdin_twice``."""
        if text == PIPE and any(one.named == PIPE for one in self._taken.values()):
            raise EngineError(
                "stdin_twice", _("Only one table can come from the standard input: give the other as a file.")
            )
        path = self._place("stdin" if text == PIPE else Path(text).name)
        digest = hashlib.sha256()
        with contextlib.ExitStack() as stack:
            source = sys.stdin.buffer if text == PIPE else stack.enter_context(Path(text).open("rb"))
            target = stack.enter_context(path.open("xb"))
            while piece := source.read(_PIECE):
                digest.update(piece)
                target.write(piece)
        return path, digest.hexdigest()

    def _together(self, text: str, found: list[Part], given: forms.Form | None, described: bool) -> Path:
        """All parts as one file: those with types as Parquet, those of texts as CSV."""
        from techniques.tables.sources import json_lines, parts, typed

        content = {}
        for part in found:
            self._read.append(part.path)
            self._outputs.reads(part.path)
            content[part] = files.unpacked(part.path, self._place)
        seen = {part: files.form_of(content[part], part.name, given) for part in found}
        self._first = self._first or seen[found[0]]
        lines: Any = None
        if set(seen.values()) == {"jsonl"}:
            lines = json_lines.infer(_streams([content[part] for part in found]))

        @contextlib.contextmanager
        def opened(part: Part) -> Iterator[parts.Rows]:
            if seen[part] in ("csv", "xlsx"):
                with self._texts(content[part], described) as rows:
                    yield rows
            else:
                with typed.opened(content[part], seen[part], lines) as rows:
                    yield rows

        with parts.together(found, seen.__getitem__, opened) as (schema, batches):
            form = None
            if seen[found[0]] in ("csv", "xlsx"):
                form, made = self._as_csv(schema, batches)
            else:
                made = self._place("parts.parquet")
                typed.write_parquet(schema, batches, made)
        digest = files.digest_of_parts((_digest(part.path), part.name) for part in found)
        self._taken[made] = _Taken(text, digest, form)
        return made

    @contextlib.contextmanager
    def _texts(self, path: Path, described: bool) -> Iterator[Any]:
        import pyarrow as pa

        from techniques.cli.tables import form_of
        from techniques.tables import open_table

        form = form_of(path, self._options, described)
        with path.open("rb") as stream, open_table(stream, form) as reader:
            yield pa.schema([(name, pa.string()) for name in reader.columns]), reader.batches()

    def _as_csv(self, schema: Any, batches: Iterator[Any]) -> tuple[FileFormat, Path]:
        import pyarrow as pa

        from techniques.tables import FileFormat, TableWriter

        form, made = FileFormat(kind="csv"), self._place("parts.csv")
        texts = pa.schema([(name, pa.string()) for name in schema.names])
        with (
            made.open("xb") as target,
            TableWriter(target, form, schema.names, neutralise_formulas=False) as writer,
        ):
            for batch in batches:
                writer.write(
                    pa.RecordBatch.from_arrays([c.cast(pa.string()) for c in batch.columns], schema=texts)
                )
        return form, made

    def form(self, path: Path) -> FileFormat | None:
        """The form of an input that nobody has to be asked about any more."""
        return self._taken[path].form if path in self._taken else None

    def sha256(self, path: Path, known: str = "") -> str:
        """The hash of an input as it was given, ``known`` of a plain file; of parts that of the list of their hashes and names, as
        ``sha256sum`` prints it."""
        return self._taken[path].sha256 if path in self._taken else known or _digest(path)

    # -- what is written --------------------------------------------------------------------

    def _named_target(self, _name: str, text: str) -> Path:
        return self.target(text)

    def target(self, text: str) -> Path:
        """The file to which a result goes that was named ``text``."""
        given = getattr(self._options, "output_format", None)
        if databases.is_address(text):
            return self._table_target(databases.Address.parse(text))
        if catalogs.is_catalogued(text):
            raise catalogs.read_only(catalogs.Catalogued.parse(text))
        text = objects.local(text)
        store = self._store_target(text) if objects.is_object(text) else None
        named = forms.by_name(text)
        if given and named.form and given != named.form:
            reason = _("The name %(path)s stands for %(named)s, but --output-format says %(given)s.")
            raise EngineError("output_format_differs", reason, path=text, named=named.form, given=given)
        form = given or named.form
        plain = text != PIPE and not named.packing and not store
        if plain and (form == named.form or not form) and form in (None, "csv", "xlsx", "parquet"):
            Outputs([Path(text)], self._read)  # refuses what would overwrite a part
            return Path(text)
        form = form or self._first or "csv"
        if text == PIPE and self.to_stdout:
            raise EngineError("stdout_twice", _("Only one result can go to the standard output."))
        if text != PIPE and not store:
            self._outputs.writes(Path(text))
        staged = self._place(f"{'stdout' if text == PIPE else named.stem}.{forms.kind_of(form)}")
        self._targets[staged] = _Target(text, form, named.packing, store=store)
        return staged

    def _store_target(self, text: str) -> objects.Objects:
        store = objects.Objects(text)
        if text.endswith("/") or "/" not in store.name.strip("/"):
            reason = _("%(path)s is a folder: give the name of a file.")
            raise EngineError("output_is_folder", reason, path=text)
        if (store.scheme, store.name) in self._read_objects:
            reason = _("%(path)s would overwrite a file that is read: give another name.")
            raise EngineError("output_is_input", reason, path=text)
        return store

    def _table_target(self, address: databases.Address) -> Path:
        if any(address.same == one.same for one in self._read_tables):
            reason = _("%(path)s would overwrite a table that is read: give another name.")
            raise EngineError("output_is_input", reason, path=str(address))
        connected(address).require_writable()
        staged = self._place(f"{address.table[-1].replace('/', '_')}.parquet")
        self._targets[staged] = _Target(str(address), "parquet", None, address)
        return staged

    def is_staged(self, path: Path) -> bool:
        """Whether a result is delivered by this object."""
        return path in self._targets

    def deliver(self, path: Path, content: BinaryIO) -> str:
        """Prepare a result for its place: it is there once the command ends. Returns the hash of what is delivered."""
        target = self._targets[path]
        target.delivered = True
        if target.address is not None:
            return self._stored(target.address, path, content)
        if target.named == PIPE:
            self._last.append(self._place("whole"))
            written = cast(BinaryIO, self._last[-1].open("xb"))
        elif target.store is not None:
            whole = self._place("whole")
            self._sent.append((target.store, whole))
            written = cast(BinaryIO, whole.open("xb"))
        else:
            written = self._outputs.open(Path(target.named))
        from techniques.cli.places.delivering import write

        with written:
            return write(content, path.name, target.form, target.packing, written, self._place)

    def _stored(self, address: databases.Address, path: Path, content: BinaryIO) -> str:
        """Write a result into a table, in a transaction that is open until all others are prepared."""
        from techniques.cli.places.delivering import write
        from techniques.tables.sources import typed

        whole = self._place("whole.parquet")
        with whole.open("xb") as written:
            digest = write(content, path.name, "parquet", None, written, self._place)
        base = connected(address)
        self._bases.append(base)
        with typed.opened(whole, "parquet") as (schema, batches):
            base.write(schema, batches)
        return digest

    def shown(self, path: Path) -> str:
        """What a table was called by whoever named it."""
        known: dict[Path, Any] = {**self._taken, **self._targets}
        return known[path].named if path in known else str(path)

    def _place(self, name: str) -> Path:
        """A new place in the folder, under a name that messages may show."""
        if self._folder is None:
            self._folder = Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="deid-")))
        return Path(tempfile.mkdtemp(dir=self._folder)) / name


class _Stopped(Exception):
    """The command broke off: nothing is put into place."""


def _streams(paths: list[Path]) -> Iterator[BinaryIO]:
    for path in paths:
        with path.open("rb") as stream:
            yield stream


def _digest(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
