"""What a recipient may compute with homomorphic ciphertexts of a release (GB/T 37964 A.2.5): the public key, and how."""

from __future__ import annotations

import shlex
from dataclasses import dataclass

from projects.processing.models import RunTable
from techniques import catalogue
from techniques.core.messages import EngineError

from ..models import Release


@dataclass(frozen=True)
class Summable:
    """A column whose cells anybody adds up who has ``public_key`` (hexadecimal); the sums are ciphertexts themselves."""

    table: str
    file_name: str
    column: str
    public_key: str
    decimals: int

    @property
    def command(self) -> str:
        """What adds the column up, with the engine alone."""
        # Names are other people's: a quote in one must not become a command of its own where this is pasted.
        words = ("deid", "add", self.file_name, self.column, "sums.csv", "--public-key", self.public_key)
        return shlex.join(words)


def summable_columns(release: Release) -> list[Summable]:
    """In the order of the files; the database is asked only where a notice names such a technique."""
    files = {
        file["table"]: file
        for file in release.files
        if any(_computable(step["technique"]) for step in file["notice"].get("steps", ()))
    }
    if not files:
        return []
    written_by_name = {one.name: one for one in RunTable.objects.filter(run=release.run_id)}
    return [
        Summable(name, file["file_name"], column, facts["public_key"], facts["decimals"])
        for name, file in files.items()
        if (written := written_by_name.get(name)) is not None
        for step in written.report.get("steps", ())
        if _computable(step["technique"])
        for column, facts in step.get("result", {}).items()
        if column in written.report["columns_out"] and "public_key" in facts
    ]


def _computable(technique: str) -> bool:
    """A technique that a later version dropped still stands in an old release."""
    try:
        return catalogue.get(technique).computable
    except (EngineError, LookupError):
        return False
