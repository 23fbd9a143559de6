"""A sentence of the portal's own that is kept: as its message and what is filled in, so that each reader has it in their language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext as _


def message_of(label: str | Promise) -> str:
    """The message id of a label that may be translated lazily."""
    with translation.override(None):
        return str(label)


@dataclass(frozen=True)
class Sentence:
    """``message`` is a message id with ``%(name)s`` placeholders, marked by ``gettext_noop``; ``names`` fill it in as they are,
    ``words`` are labels of the portal, which are translated. Several of one placeholder are joined by a comma.
    """

    message: str
    names: Mapping[str, Any] = field(default_factory=dict)
    words: Mapping[str, Sequence[str | Promise]] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """To be kept: small JSON, in no language."""
        words = {key: [message_of(one) for one in labels] for key, labels in self.words.items()}
        return {"message": self.message, "names": dict(self.names), "words": words}

    def __str__(self) -> str:
        filled_in: dict[str, object] = {
            key: name if isinstance(name, str | int) else _(", ").join(name)
            for key, name in self.names.items()
        }
        filled_in |= {key: _(", ").join(map(_, labels)) for key, labels in self.words.items()}  # type: ignore[arg-type]
        return _(self.message) % filled_in
