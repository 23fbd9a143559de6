"""Identifiers replaced inside free text (GB/T 37964 C.2)."""

from __future__ import annotations

import pyarrow as pa

from techniques.catalogue.suppression import RedactTextSettings
from techniques.core.operations import Outcome, StringArray, ValueOperation


class RedactText(ValueOperation):
    """C.2 inside free text: what the identification rules find is replaced."""

    settings: RedactTextSettings

    def apply(self, values: StringArray) -> Outcome:
        """Each text without the identifiers that were found in it."""
        from techniques.identification.rules import redact

        kinds = list(self.settings.kinds) or None
        return Outcome(pa.array(redact(values.to_pylist(), kinds, self.settings.mask), pa.string()))
