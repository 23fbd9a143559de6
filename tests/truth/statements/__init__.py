"""Sentences by what they are about, each with tables on which it is true and tables on which it would be false."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tests.truth.sentences import the_one
from tests.truth.tables import Judged

Params = Mapping[str, Any]
Tables = Mapping[str, Callable[[], Judged]]


@dataclass(frozen=True)
class Statement:
    """A sentence (its beginning, or words that only it has), and what is ``true`` of a table: the parameters with which it
    may be said of it, worked out from the rows alone; none where it would be false."""

    begins: str
    tables: Sequence[str]
    true: Callable[[Judged], Iterable[Params]]

    @property
    def message(self) -> str:
        return the_one(self.begins)


def says(begins: str, tables: str, true: Callable[[Judged], Any]) -> Statement:
    """``tables`` are names between bars; ``true`` gives parameters, a list of them, or whether a sentence without any is true."""

    def every(judged: Judged) -> Iterable[Params]:
        found = true(judged)
        if isinstance(found, bool):
            return [{}] if found else []
        return [found] if isinstance(found, Mapping) else found

    return Statement(begins, [one.strip() for one in tables.split("|")], every)
