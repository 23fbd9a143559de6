"""What a table file is written as: the facts a reader needs and a person confirms."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import BaseModel, Field

from techniques.core.messages import filled

Kind = Literal["csv", "xlsx", "parquet"]
Encoding = Literal["utf-8", "gb18030", "utf-16-le", "utf-16-be"]

BOMS: dict[str, bytes] = {
    "utf-8": b"\xef\xbb\xbf",
    "utf-16-le": b"\xff\xfe",
    "utf-16-be": b"\xfe\xff",
    "gb18030": b"\x84\x31\x95\x33",
}


class Evidence(BaseModel, frozen=True):
    """One reason for a detected fact: an untranslated text with ``%(name)s`` placeholders."""

    code: str
    message: str
    params: dict[str, str | int | float] = Field(default_factory=dict)

    @classmethod
    def of(cls, code: str, message: str, **params: str | int | float) -> Self:
        """The reason ``code`` with its text and what stands in it."""
        return cls(code=code, message=message, params=params)

    def __str__(self) -> str:
        return filled(self.message, self.params) if self.params else self.message


class FileFormat(BaseModel, frozen=True, extra="forbid"):
    """The written form of one table file; frozen, and serialisable as JSON.

    ``encoding``, ``bom``, ``delimiter``, ``quote`` concern CSV alone, ``sheet`` XLSX alone. ``missing`` are
    texts that stand for a missing value beside the empty cell, compared as a whole cell.
    ``quote`` may be empty: then no character has a quoting meaning. Without ``header`` the columns
    are named ``column_1`` … . ``confidence`` (0 … 1) and ``evidence`` come from detection and are
    for the person who confirms it.
    """

    kind: Kind = "csv"
    encoding: Encoding = "utf-8"
    bom: bool = False
    delimiter: str = Field(default=",", pattern=r"^[,;\t|]$")
    quote: str = Field(default='"', pattern=r"^[\"']?$")
    header: bool = True
    sheet: str | None = None
    missing: tuple[str, ...] = Field(default=(), exclude_if=lambda texts: not texts)
    confidence: float = Field(default=1.0, ge=0.0, le=1.0)
    evidence: tuple[Evidence, ...] = ()

    @property
    def codec(self) -> str:
        """Python's name of the character encoding, without byte order mark handling."""
        return self.encoding

    @property
    def bom_bytes(self) -> bytes:
        """The byte order mark that belongs at the head of a file of this format."""
        return BOMS[self.encoding] if self.kind == "csv" and self.bom else b""

    @property
    def suffix(self) -> str:
        """The usual file name ending, with its dot."""
        return "." + self.kind
