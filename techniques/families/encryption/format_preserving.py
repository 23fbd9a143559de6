"""Format-preserving encryption of texts (GB/T 37964 A.2.4)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from techniques.catalogue.encryption import FormatPreservingEncryptionSettings
from techniques.core.operations import Context, Outcome, StringArray, ValueOperation
from techniques.families.encryption import alphabets
from techniques.families.encryption.ciphers.blocks import Bytes
from techniques.families.encryption.ciphers.ff1 import FF1
from techniques.families.encryption.keys import cipher_and_key
from techniques.families.encryption.texts import Collector, by_characters, characters
from techniques.values.unfit import NOT_IN_ALPHABET


class FormatPreserving(ValueOperation):
    """FF1 over an alphabet; characters kept at either end become the tweak of those between."""

    unfit_text = NOT_IN_ALPHABET

    def __init__(self, settings: FormatPreservingEncryptionSettings, context: Context) -> None:
        self.settings: FormatPreservingEncryptionSettings = settings
        self._points = alphabets.code_points(settings.alphabet)
        self._table = alphabets.numerals(settings.alphabet)
        use = f"format-preserving encryption: {settings.algorithm}"
        self._ff1 = FF1(*cipher_and_key(settings, context, settings.algorithm, use), len(self._points))

    def apply(self, values: StringArray) -> Outcome:
        """One text of the same length and alphabet per distinct value."""
        return self._run(values, decrypt=False)

    def reverse(self, values: StringArray) -> Outcome:
        """The values that these texts stand for; under another key just other texts."""
        return self._run(values, decrypt=True)

    def _run(self, values: StringArray, *, decrypt: bool) -> Outcome:
        left, right = self.settings.keep_left, self.settings.keep_right
        result, unfit = Collector(len(values)), np.ones(len(values), dtype=bool)
        for positions, letters in by_characters(values):
            length = letters.shape[1] - left - right
            if length < 0 or not self._ff1.allows(length):
                continue
            middle = np.ascontiguousarray(letters[:, left : left + length])
            alphabet = self._points.astype(letters.dtype) if len(self._points) < 256 else self._points
            if letters.dtype == np.uint8 and len(self._points) >= 256:
                continue  # no ASCII character is Chinese
            changed, sound = self._ff1.texts(
                middle, self._table, alphabet, _tweaks(letters, left, right), decrypt=decrypt
            )
            unfit[positions] = ~sound
            whole = letters[sound].copy()
            whole[:, left : left + length] = changed[sound]
            result.add(positions[sound], characters(whole))
        return Outcome(result.collected(), unfit)


def _tweaks(letters: NDArray[Any], left: int, right: int) -> Bytes:
    """The kept characters of each value as bytes, (n, 4 per character); (1, 0) where none is kept."""
    if not left + right:
        return np.zeros((1, 0), dtype=np.uint8)
    kept = np.concatenate([letters[:, :left], letters[:, letters.shape[1] - right :]], axis=1)
    return np.ascontiguousarray(kept.astype(">u4")).view(np.uint8)
