"""What a result may be called, in the reader's words: one wording for pages, papers and the API."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from rest_framework import serializers

from ...models import Run
from .rule import MEANING, REASONS, Designation, Found
from .selectors import designation_of

TONES = {
    Designation.NONE: "neutral",
    Designation.DEIDENTIFIED: "info",
    Designation.ANONYMISED: "ok",
    Designation.AGGREGATED: "ok",
}


@dataclass(frozen=True)
class Shown:
    """``name`` is the word, ``meaning`` what it says and does not say, ``reasons`` are sentences."""

    code: str
    name: str
    meaning: str
    reasons: list[str]
    tone: str

    @property
    def line(self) -> str:
        """All of it, for the row of a paper: with its day, for what is known may change after the printing."""
        said = _("%(name)s, as known on %(day)s")
        day = date_format(timezone.localdate(), "Y-m-d")
        return "\n".join([said % {"name": self.name, "day": day}, *self.reasons])


class DesignationSerializer(serializers.Serializer[Any]):
    """What a result may be called now, and why."""

    code = serializers.ChoiceField(choices=Designation.choices)
    name = serializers.CharField()
    meaning = serializers.CharField()
    reasons = serializers.ListField(child=serializers.CharField())


def shown_of(run: Run) -> Shown | None:
    """What the result of ``run`` may be called now; None while there is none."""
    found = designation_of(run)
    return shown(found) if found is not None else None


def designation_rows(run: Run) -> list[tuple[str, str]]:
    """The row that the cover of a paper about the result has; none while there is no result."""
    return named_rows(shown_of(run))


def named_rows(found: Shown | None) -> list[tuple[str, str]]:
    """The same of what is shown already."""
    return [(_("What it may be called"), found.line)] if found is not None else []


def designation_data(run: Run) -> dict[str, Any] | None:
    """The same for a program."""
    found = shown_of(run)
    return DesignationSerializer(found).data if found is not None else None


def shown(found: Found) -> Shown:
    return Shown(
        found.designation.value,
        str(found.designation.label),
        _(MEANING[found.designation]),
        [_sentence(one.code, one.params) for one in found.reasons],
        TONES[found.designation],
    )


def _sentence(code: str, params: dict[str, Any]) -> str:
    said = {
        name: _(", ").join(value) if isinstance(value, tuple) else value for name, value in params.items()
    }
    text = _(REASONS[code])
    return text % said if said else text
