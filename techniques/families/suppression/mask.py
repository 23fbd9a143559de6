"""Masks of some characters of a value (GB/T 37964 A.3.2)."""

from __future__ import annotations

from techniques.catalogue.suppression import MaskSettings
from techniques.core.operations import Outcome, StringArray, ValueOperation
from techniques.families.suppression.hiding import hide


class Mask(ValueOperation):
    """A.3.2: some characters stay."""

    settings: MaskSettings

    def apply(self, values: StringArray) -> Outcome:
        s = self.settings
        return Outcome(hide(values, s.keep_left, s.keep_right, s.character, s.keep_length))
