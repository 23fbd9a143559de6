"""Random pseudonyms with a mapping table (GB/T 37964 A.4.2)."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from techniques.catalogue.pseudonymization import ALPHABETS, RandomPseudonymSettings
from techniques.core.messages import EngineError, _
from techniques.core.operations import Context, Learned, StringArray
from techniques.families.encryption.ciphers.blocks import KEY_BYTES
from techniques.families.encryption.ciphers.ff1 import Permutation
from techniques.families.encryption.texts import strings
from techniques.families.pseudonymization.assigned import Assigned, drawn_anew

_NO_TWEAK = np.zeros((1, 0), dtype=np.uint8)


class RandomPseudonym(Assigned):
    """Each distinct value gets a pseudonym that was drawn for it and for no other."""

    needs_counts = True

    def __init__(self, settings: RandomPseudonymSettings, context: Context) -> None:
        self.settings: RandomPseudonymSettings = settings
        self.context = context
        if context.rows > settings.domain_size // 1000:
            text = _(
                "Column %(column)s: there must be a thousand times as many pseudonyms as rows; make them longer."
            )
            raise EngineError("pseudonyms_too_few", text, column=context.columns[0])

    def fit(self, values: StringArray, counts: NDArray[np.int64]) -> Learned:
        """Draw without replacement: a secret permutation of all pseudonyms, taken from its beginning."""
        made, _passed_over = drawn_anew(values, self._drawn)
        return Learned({"values": values, "results": made}, {"report": {"pseudonyms": len(values)}})

    def _drawn(self, count: int) -> StringArray:
        seed = self.context.secrets.seeded_key(f"pseudonyms: {self.context.step}: {self.context.columns[0]}")
        cipher = "sm4" if self.context.secrets.national else "aes"
        permutation = Permutation(cipher, seed[: KEY_BYTES[cipher]], self.settings.domain_size)
        numbers = permutation.apply(np.arange(count, dtype=np.uint64), _NO_TWEAK)
        letters = np.frombuffer(ALPHABETS[self.settings.alphabet].encode(), dtype=np.uint8)
        radix = np.uint64(len(letters))
        written = np.empty((count, self.settings.length), dtype=np.uint8)
        for place in range(self.settings.length - 1, -1, -1):
            numbers, digit = np.divmod(numbers, radix)
            written[:, place] = letters[digit]
        return pc.binary_join_element_wise(pa.scalar(self.settings.prefix), strings(written), "")
