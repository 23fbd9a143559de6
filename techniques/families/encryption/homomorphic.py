"""Homomorphic encryption (GB/T 37964 A.2.5): ciphertexts that can be added without the key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from techniques.catalogue.encryption import HomomorphicEncryptionSettings
from techniques.core.operations import Cells, Context, Outcome, RowOperation, StringArray
from techniques.families.encryption.ciphers.paillier import PublicKey, key_from_seed, randomness
from techniques.families.encryption.decimals import decimal_text, in_units
from techniques.values.unfit import OUT_OF_RANGE

_NO_SUM = 1 << 128
"""Above the sum of 2^64 cells of 64 bits."""


class Homomorphic(RowOperation):
    """Paillier: every cell anew, so that equal values do not show."""

    unfit_text = OUT_OF_RANGE

    def __init__(self, settings: HomomorphicEncryptionSettings, context: Context) -> None:
        self.settings: HomomorphicEncryptionSettings = settings
        domain = settings.domain or context.columns[0]
        self._bits = int(settings.bits)
        purpose = f"homomorphic encryption: {settings.bits}: {domain}"
        joinable = settings.joinable == "project"
        self._key = key_from_seed(context.secrets.derive(purpose, 32, joinable=joinable), self._bits)
        # Columns of one domain share the key and nothing else: equal numbers of a row must not show.
        column = "" if domain == context.columns[0] else f": {context.columns[0]}"
        self._random = context.secrets.derive(f"{purpose}: randomness{column}", 32, joinable=False)

    def facts(self) -> dict[str, Any]:
        """What those who compute with the ciphertexts need."""
        return {"public_key": f"{self._key.public.n:x}", "decimals": self.settings.decimals}

    def unfit(self, values: StringArray) -> NDArray[np.bool_]:
        """What is no number with so many places."""
        return ~in_units(values, self.settings.decimals)[1]

    def treat(self, cells: Cells) -> StringArray:
        """A ciphertext per cell, in hexadecimal and of equal length."""
        numbers, fits = in_units(cells.values, self.settings.decimals)
        width = self._bits // 2
        size = self._key.random_bytes
        results: list[str | None] = []
        for row, code in enumerate(cells.codes.tolist()):
            if code < 0 or not fits[code]:
                results.append(None)
                continue
            number = int(numbers[code])
            noise = randomness(self._random, str(cells.first + row).encode(), number, size)
            results.append(f"{self._key.encrypt(number, noise):0{width}x}")
        return pa.array(results, pa.string())

    def reverse(self, values: StringArray) -> Outcome:
        """The numbers behind ciphertexts, sums of such ciphertexts among them."""
        results: list[str | None] = []
        for text in values.to_pylist():
            try:
                sealed = int(text, 16)
            except ValueError:
                sealed = 0
            known = 0 < sealed < self._key.public.square
            number = self._key.decrypt(sealed) if known else _NO_SUM
            # Under another key a number as long as the key comes out, which no sum of a table reaches.
            results.append(decimal_text(number, self.settings.decimals) if abs(number) < _NO_SUM else None)
        unfit = np.array([result is None for result in results], dtype=bool)
        return Outcome(pa.array(results, pa.string()), unfit)


def add_ciphertexts(public_key: str, ciphertexts: Sequence[str]) -> str:
    """The ciphertext of a sum, from the public key of the report alone; for the mean divide what it decrypts to."""
    public = PublicKey(int(public_key, 16))
    width = 2 * len(public_key)
    return f"{public.add(int(text, 16) for text in ciphertexts):0{width}x}"
