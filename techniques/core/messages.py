"""Texts of the engine that a person may read.

The engine knows no web framework, so it does not translate: it marks its texts with
:func:`gettext_noop` for the message catalogue and raises :class:`EngineError` with the
untranslated text and its parameters. Whoever shows the error translates the text first and
fills in the parameters afterwards.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any

_FIGURE = re.compile(r"%\((\w+)\)\.(\d+)f( ?%%)?")
"""A figure that a text gives a fixed number of decimals, in per cent or plain."""
_IRREGULAR = {"people": "person", "classes": "class", "entries": "entry"}
_VERBS = {
    "are": "is", "have": "has", "were": "was", "do": "does", "contain": "contains", "count": "counts", "differ": "differs", "fall": "falls", "hold": "holds",
    "lack": "lacks", "lie": "lies", "make": "makes", "name": "names", "need": "needs", "read": "reads", "remain": "remains",
    "find": "finds", "say": "says", "share": "shares", "stand": "stands", "tell": "tells", "win": "wins",
}  # fmt: skip
_OTHERS = (
    r"(?!(?:of|and|or|to|at|in|by|with|than|that|among|is|was|has|does|this|as|its|less|says|holds|needs)\b)"
)
_NOUN = rf"(?: (?:{_OTHERS}[a-z-]+ ){{0,2}}?{_OTHERS}(?:[a-z-]+s|people)\b)?"
_PART = r"(?: (?:of|with|in)(?: (?:the|these|a|its|their|%\(\w+\)[ds]))?(?: (?:(?!that|who|which|where|and|or|but|no|if)[a-z-]+|“?%\(\w+\)[ds]”?)){0,5}?(?: that the sample drew)?)?"
_COUNTED = (
    r"(?P<before>\b(?:[Oo]f|[Ii]n|[Ww]ith|[Bb]y|[Tt]o|[Ff]rom|[Ff]or|[Oo]ver|[Tt]hese|[Tt]hose|[Tt]h(?:ere|ese) (?:are|were)) )?"
    r"(?P<count>%\({name}\)[ds])(?P<noun>" + _NOUN + r")(?P<owner>')?"
    r"(?P<does>" + _PART + r" (?P<verb>" + "|".join(_VERBS) + r")\b)?"
)
"""What stands before a count in an English text, the count, what is counted, and of what and what it does."""
_BEFORE = {
    "these are ": "this is ",
    "there are ": "there is ",
    "there were ": "there was ",
    "these ": "this ",
    "those ": "that ",
}


_AFTER = re.compile("; for them|: their classes have")
"""What is said of several records that were counted before it."""


def gettext_noop(message: str) -> str:
    """Return ``message`` unchanged; the name marks it for extraction into the catalogue."""
    return message


_ = gettext_noop
"""The short name by which most modules mark their texts."""


def _figure(value: float, decimals: int, is_share: bool) -> str:
    """At least two digits of the distance from 0, of a share also from 100 %."""
    distance = min(abs(value), abs(100 - value)) if is_share else abs(value)
    if 1e-9 < distance < math.inf:
        decimals = max(decimals, 1 - math.floor(math.log10(distance)))
    return f"{value:.{decimals}f}{' %' * is_share}"


def of_one(message: str, params: Mapping[str, Any]) -> str:
    """An English ``message`` as it is said where ``params`` count one: “1 row is”, “1 of the rows is”, “in 1 row”.

    Texts are kept and signed with their parameters, so that the form is chosen where they are read. Those of other languages
    pass as they are: none of these words stands in them.
    """
    for name, value in params.items():
        if str(value) == "1" and f"%({name})" in message:
            counted = re.compile(_COUNTED.replace("{name}", name))
            if (found := counted.search(message)) and found["noun"].endswith("records"):
                message = message[: found.end()] + _AFTER.sub(_of_it, message[found.end() :])
            message = counted.sub(_written_of_one, message)
    return message


def _of_it(found: re.Match[str]) -> str:
    return {"; for them": "; for it", ": their classes have": ": its class has"}[found[0]]


def _written_of_one(found: re.Match[str]) -> str:
    before, adjectives = found["before"] or "", str(found["noun"]).split(" ")
    noun = adjectives.pop()
    said = _BEFORE.get(before.lower(), before)
    said = before[:1] + said[1:] if said else ""
    said += found["count"] + " ".join([*adjectives, _IRREGULAR.get(noun, noun.removesuffix("s"))])
    said += "'s" if found["owner"] else ""
    does = found["does"] or ""
    # In “of 1 row are” something else is.
    is_subject = does and said.startswith(found["count"])
    return said + (does.removesuffix(found["verb"]) + _VERBS[found["verb"]] if is_subject else does)


def filled(
    message: str, params: Mapping[str, Any], figure: Callable[[float, int, bool], str] = _figure
) -> str:
    """``message`` with its parameters; ``figure`` writes a number of so many decimals, a share with its sign of per cent."""

    def written(found: re.Match[str]) -> str:
        return figure(float(params[found[1]]), int(found[2]), bool(found[3])).replace("%", "%%")

    return _FIGURE.sub(written, of_one(message, params)) % params


class EngineError(Exception):
    """Something the user can understand and correct: what, where and how.

    ``code`` is stable and machine-readable, ``message`` the English text with ``%(name)s``
    placeholders, ``params`` their values. ``params`` never holds raw data values.
    """

    def __init__(self, code: str, message: str, **params: object) -> None:
        self.code = code
        self.message = message
        self.params = params
        super().__init__(code, message, params)

    def __str__(self) -> str:
        return filled(self.message, self.params) if self.params else self.message
