"""The bytes of an audit package, written as they are read: no more than one file of it is in memory."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Iterable, Iterator
from typing import Any

from django.utils import timezone

from approvals.audit.readers.export import csv_lines, row_lines

from ..selectors import history_of
from .contents import Package
from .layout import ABOUT, CONTENTS, DECISIONS, READABLE_ROWS, README, ROWS, SUMS
from .readme import readme_of
from .registry import texts_of

_PIECE = 1 << 16


def pieces_of(package: Package) -> Iterator[bytes]:
    """The ZIP file, in order."""
    sink = _Sink()
    sums: list[tuple[str, str]] = []
    stamp = timezone.localtime(package.at).timetuple()[:6]
    with zipfile.ZipFile(sink, "w") as archive:
        for name, parts in _members(package):
            member = zipfile.ZipInfo(name, stamp)
            # A PDF is compressed already.
            plain = name.endswith(".pdf")
            member.compress_type = zipfile.ZIP_STORED if plain else zipfile.ZIP_DEFLATED
            digest = hashlib.sha256()
            with archive.open(member, "w") as target:
                for part in parts:
                    digest.update(part)
                    target.write(part)
                    if sink.held >= _PIECE:
                        yield sink.taken()
            sums.append((name, digest.hexdigest()))
        lines = "".join(f"{digest}  {name}\n" for name, digest in sums)
        archive.writestr(zipfile.ZipInfo(SUMS, stamp), lines)
    yield sink.taken()


def _members(package: Package) -> Iterator[tuple[str, Iterable[bytes]]]:
    yield README, [readme_of(package).encode()]
    yield ABOUT, [_json(package.about())]
    for name, one in package.files.items():
        yield name, one.read()
    end = package.end.seq if package.end else 0
    rows = history_of(package.project).filter(seq__lte=end).order_by("seq")
    yield ROWS, map(str.encode, row_lines(rows))
    yield READABLE_ROWS, map(str.encode, csv_lines(rows.iterator(2000)))
    yield DECISIONS, [_json(package.decisions)]
    judged = {one["subject"]["hash"] for kind in package.decisions.values() for one in kind}
    for name, text in texts_of(package.project):
        digest = hashlib.sha256(text.encode()).hexdigest()
        if digest in judged:
            judged.discard(digest)
            yield f"{CONTENTS}{name}-{digest[:16]}.json", [text.encode()]


def _json(content: Any) -> bytes:
    return json.dumps(content, ensure_ascii=False, indent=2).encode() + b"\n"


class _Sink(io.RawIOBase):
    """Holds what was written until it is taken away; nothing can be gone back to."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self.held = 0

    def writable(self) -> bool:
        return True

    def write(self, part: Any) -> int:
        self._parts.append(bytes(part))
        self.held += len(part)
        return len(part)

    def taken(self) -> bytes:
        parts, self._parts, self.held = self._parts, [], 0
        return b"".join(parts)
