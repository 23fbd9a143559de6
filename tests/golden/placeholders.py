"""What is random or a moment, in stable words: ``<id 3 in runs>`` is the third identifier that the runs bring up."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from typing import Any

HASH = re.compile(r"\b[0-9a-f]{64}\b")
_ID = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b")
_TIME = re.compile(r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?")


class Placeholders:
    """Replaces identifiers, times, and hashes that are not among the ``literal`` ones.

    A hash that covers nothing random is the same each time and stays as it is.
    """

    def __init__(self, literal: Collection[str] = ()) -> None:
        self.literal = literal
        self._words: dict[str, str] = {}
        self._counts: Counter[tuple[str, str]] = Counter()
        self._place = ""

    def __call__(self, value: Any, place: str) -> Any:
        """``value`` in stable words; what comes up in it for the first time is numbered within ``place``."""
        self._place = place
        return self._replaced(value)

    def _replaced(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {self._text(key): self._replaced(one) for key, one in value.items()}
        if isinstance(value, list | tuple):
            return [self._replaced(one) for one in value]
        return self._text(value) if isinstance(value, str) else value

    def _text(self, text: str) -> str:
        text = _ID.sub(lambda found: self._word("id", found[0]), text)
        text = HASH.sub(self._hash, text)
        return _TIME.sub("<time>", text)

    def _word(self, kind: str, found: str) -> str:
        if found not in self._words:
            self._counts[kind, self._place] += 1
            self._words[found] = f"<{kind} {self._counts[kind, self._place]} in {self._place}>"
        return self._words[found]

    def _hash(self, found: re.Match[str]) -> str:
        return found[0] if found[0] in self.literal else self._word("hash", found[0])
