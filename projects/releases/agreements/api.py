"""What programs read about checks of samples that were agreed."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from ..enums import CheckInterval


class CheckSerializer(serializers.Serializer[Any]):
    """Of who holds the release in force, by their agreement in force: the day of the first fetch (in an enclave: on which they first
    opened it), that of the last check that they reported, and by when the next one is due – the one on receipt 14 days after the
    first; null: none was reported, or the one on receipt was and no other was agreed."""

    fetched_on = serializers.DateField()
    last_on = serializers.DateField(allow_null=True)
    due_on = serializers.DateField(allow_null=True)


class ApprovalField(serializers.BooleanField):
    """Whether each fetch needs an approval of its own; null: nothing was agreed about it."""

    def __init__(self, **given: Any) -> None:
        said = (
            "Whether each fetch of the file needs an approval of its own; null: nothing was agreed about it."
        )
        super().__init__(help_text=said, **given)


class CheckMonthsField(serializers.ChoiceField):
    """On receipt and every so many months; 0: on receipt only; null: nothing was agreed about it."""

    def __init__(self, **given: Any) -> None:
        said = "On receipt and every so many months; 0: on receipt only; null: nothing was agreed about it."
        super().__init__(choices=CheckInterval.choices, help_text=said, **given)
