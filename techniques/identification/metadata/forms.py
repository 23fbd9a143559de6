"""Rules on values that an organisation adds to its metadata table (GB/T 37964 5.3.3, T/ISC 0078 12.2 a)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from techniques.core.attributes import AttributeRole
from techniques.core.messages import EngineError, _
from techniques.identification.metadata.row import MetadataRow

LONGEST = 200
"""Characters of an expression."""
_UNLIKE = ("a", "0", "王", "- -")
"""What fits all of these fits anything."""


@dataclass(frozen=True)
class ValueForm:
    """How whole values of an identifier are written: an RE2 ``expression``, which takes time in proportion to a value's length."""

    kind: str
    role: AttributeRole
    expression: str


def value_forms(table: Iterable[MetadataRow]) -> tuple[ValueForm, ...]:
    """The forms that rows of a metadata table have."""
    return tuple(ValueForm(row.kind, row.role, row.value_form) for row in table if row.value_form)


def value_form_check(expression: str) -> None:
    """Raises :class:`EngineError` ``value_form`` for an expression that cannot be read, fits nothing at all, or fits anything."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if len(expression) > LONGEST:
        raise EngineError("value_form", _("The form has more than %(most)d characters."), most=LONGEST)
    try:
        fits = pc.match_substring_regex(pa.array(["", *_UNLIKE]), f"^(?:{expression})$").to_pylist()
    except pa.ArrowInvalid:
        text = _("The form is no expression that can be read: look-around and references back are not known.")
        raise EngineError("value_form", text) from None
    if fits[0]:
        raise EngineError("value_form", _("The form fits an empty cell; write what a value has to contain."))
    if all(fits[1:]):
        raise EngineError(
            "value_form", _("The form fits anything; write what tells these values from others.")
        )
