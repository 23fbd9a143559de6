"""Folders of parts and patterns of names: parts of one table, one after another, with what their folders say.

A folder ``year=2024`` of a part is the column ``year`` of its rows, behind the columns of the files. Names that begin with a
dot or an underscore are no parts.
"""

from __future__ import annotations

import glob
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

import pyarrow as pa

from techniques.tables.problems import problem
from techniques.tables.sources.forms import NAMES, Form

_KEY = re.compile(r"([^=]+)=(.*)", re.DOTALL)
_NULL = "__HIVE_DEFAULT_PARTITION__"
_WHOLE = re.compile(r"-?(?:0|[1-9][0-9]{0,17})")
Rows = tuple[pa.Schema, Iterator[pa.RecordBatch]]


@dataclass(frozen=True, eq=False)
class Part:
    """One file; ``name`` is what messages call it, ``keys`` what its folders say."""

    path: Path
    name: str
    keys: dict[str, str | None] = field(default_factory=dict)


def is_pattern(text: str) -> bool:
    """Whether a name stands for several files: a folder, or a pattern that is no file of its own."""
    path = Path(text)
    return path.is_dir() or (not path.exists() and any(sign in text for sign in "*?["))


def parts_of(text: str) -> list[Part]:
    """The parts under a folder, or of a pattern, in the order of their names. EngineError ``table.parts.none``."""
    folder = Path(text)
    if folder.is_dir():
        return parts_among([path for path in folder.rglob("*") if path.is_file()], folder, text)
    found = [Path(name) for name in glob.glob(text, recursive=True) if Path(name).is_file()]
    return parts_among(found, root_of(text), text)


def root_of(pattern: str) -> Path:
    """The folder in which all files of a pattern lie."""
    fixed = re.split(r"[*?\[]", pattern, maxsplit=1)[0]
    return Path(fixed) if fixed.endswith("/") else Path(fixed).parent


def parts_among(found: Iterable[Path], root: Path, text: str) -> list[Part]:
    """The parts among files under ``root`` that were named ``text``. EngineError ``table.parts.none``."""
    parts = []
    for path in sorted(found):
        inside = path.relative_to(root) if path.is_relative_to(root) else Path(path.name)
        if not any(one.startswith((".", "_")) for one in inside.parts):
            # The root's own name may be that of a partition too.
            parts.append(Part(path, str(inside), _keys([*root.parts, *inside.parts[:-1]])))
    if not parts:
        raise problem("table.parts.none", path=text)
    return parts


def _keys(folders: list[str]) -> dict[str, str | None]:
    pairs = (_KEY.fullmatch(folder) for folder in folders)
    found = {unquote(pair[1]): unquote(pair[2]) for pair in pairs if pair}
    return {name: None if text == _NULL else text for name, text in found.items()}


@contextmanager
def together(
    parts: list[Part], form: Callable[[Part], Form], opened: Callable[[Part], AbstractContextManager[Rows]]
) -> Iterator[Rows]:
    """Schema and rows of all parts. ``opened`` gives those of one, whose columns have to be the first one's in any order.

    EngineError ``table.parts.…``, naming the part.
    """
    first = parts[0]
    expected = form(first)
    for part in parts:
        if list(part.keys) != list(first.keys):
            raise problem("table.parts.keys", part=part.name, first=first.name)
        if (found := form(part)) != expected:
            raise problem(
                "table.parts.form",
                part=part.name,
                first=first.name,
                found=NAMES[found],
                expected=NAMES[expected],
            )
    with opened(first) as (own, _rows):
        pass
    keys = _key_schema(parts)
    for name in keys.names:
        if name in own.names:
            raise problem("table.parts.key_twice", column=name, part=first.name)

    def batches() -> Iterator[pa.RecordBatch]:
        schema = pa.schema([*own, *keys])
        for part in parts:
            with opened(part) as (there, rows):
                _require_same(first, own, part, there)
                for batch in rows:
                    said = [_repeated(part.keys[one.name], one.type, batch.num_rows) for one in keys]
                    columns = [batch.column(batch.schema.get_field_index(name)) for name in own.names]
                    yield pa.RecordBatch.from_arrays([*columns, *said], schema=schema)

    yield pa.schema([*own, *keys]), batches()


def _key_schema(parts: list[Part]) -> pa.Schema:
    """Whole numbers where all folders have them, else texts."""
    fields = []
    for name in parts[0].keys:
        texts = {part.keys[name] for part in parts} - {None}
        whole = texts and all(_WHOLE.fullmatch(str(text)) for text in texts)
        fields.append((name, pa.int64() if whole else pa.string()))
    return pa.schema(fields)


def _repeated(text: str | None, kind: pa.DataType, rows: int) -> pa.Array:
    if text is None:
        return pa.nulls(rows, kind)
    return pa.repeat(pa.scalar(int(text) if pa.types.is_integer(kind) else text, kind), rows)


def _require_same(first: Part, own: pa.Schema, part: Part, there: pa.Schema) -> None:
    for name in [*own.names, *there.names]:
        if name not in there.names or name not in own.names:
            raise problem("table.parts.columns", part=part.name, first=first.name, column=name)
    for one in own:
        kind = there.field(one.name).type
        if kind != one.type:
            raise problem(
                "table.parts.type",
                part=part.name,
                first=first.name,
                column=one.name,
                found=str(kind).split("<", 1)[0],
                expected=str(one.type).split("<", 1)[0],
            )
