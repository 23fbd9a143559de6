"""A.2.2: deterministic encryption of the values of a column, and the way back."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from techniques.catalogue.encryption import DeterministicEncryptionSettings
from techniques.core.operations import Context, Outcome, StringArray, ValueOperation
from techniques.families.encryption.ciphers.blocks import BLOCK, Bytes
from techniques.families.encryption.ciphers.siv import SyntheticIv
from techniques.families.encryption.keys import cipher_and_key
from techniques.families.encryption.texts import Collector, by_length, read, strings, written
from techniques.values.unfit import NOT_DECRYPTABLE


class Deterministic(ValueOperation):
    """AES-SIV (RFC 5297) or the same mode over SM4, under a key of the column's domain.

    With ``hide_length`` a text is padded to whole blocks before (0x80, zeros), so that the length of the
    ciphertext tells only how many blocks there are.
    """

    unfit_text = NOT_DECRYPTABLE

    def __init__(self, settings: DeterministicEncryptionSettings, context: Context) -> None:
        self.settings: DeterministicEncryptionSettings = settings
        use = f"deterministic encryption: {settings.algorithm}"
        cipher, key = cipher_and_key(settings, context, settings.algorithm, use, keys=2)
        self._siv = SyntheticIv(cipher, key, [(settings.domain or context.columns[0]).encode()])

    def apply(self, values: StringArray) -> Outcome:
        """One ciphertext per distinct value."""
        result = Collector(len(values))
        for positions, texts in by_length(values):
            plain = _padded(texts) if self.settings.hide_length else texts
            result.add(positions, strings(written(self._siv.encrypt(plain), self.settings.encoding)))
        return Outcome(result.collected())

    def reverse(self, values: StringArray) -> Outcome:
        """The values that ciphertexts stand for; a text that this key did not encrypt is unfit."""
        result, unfit = Collector(len(values)), np.zeros(len(values), dtype=bool)
        for positions, letters in by_length(values):
            sealed, sound = read(letters, self.settings.encoding)
            if sealed.shape[1] < BLOCK:
                unfit[positions] = True
                continue
            texts, genuine = self._siv.decrypt(sealed)
            genuine = genuine & sound
            unfit[positions[~genuine]] = True
            self._opened(result, positions[genuine], texts[genuine])
        return Outcome(result.collected(), unfit)

    def _opened(self, result: Collector, positions: NDArray[np.int64], texts: Bytes) -> None:
        if not self.settings.hide_length:
            result.add(positions, strings(texts))
            return
        # The last byte that is not zero is the mark; what stands before it is the text.
        ends = texts.shape[1] - 1 - np.argmax(texts[:, ::-1] != 0, axis=1)
        for end in np.unique(ends):
            here = ends == end
            result.add(positions[here], strings(texts[here, : int(end)]))


def _padded(texts: Bytes) -> Bytes:
    rows, length = texts.shape
    padded = np.zeros((rows, (length // BLOCK + 1) * BLOCK), dtype=np.uint8)
    padded[:, :length] = texts
    padded[:, length] = 0x80
    return padded
