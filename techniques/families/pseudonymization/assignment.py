"""Pseudonyms that are assigned and not computed (GB/T 37964 A.4.2, A.4.5): mapping tables and name dictionaries."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from techniques.catalogue.pseudonymization import ALPHABETS, NameDictionarySettings, RandomPseudonymSettings
from techniques.core.messages import EngineError, gettext_noop
from techniques.core.operations import Context, Learned, Outcome, StringArray, ValueOperation
from techniques.families.encryption.ciphers.blocks import KEY_BYTES
from techniques.families.encryption.ciphers.ff1 import Permutation
from techniques.families.encryption.texts import strings
from techniques.families.pseudonymization import made_up_names as names
from techniques.families.pseudonymization.keyed_hash import keyed_hashes

_NO_TWEAK = np.zeros((1, 0), dtype=np.uint8)


class Assigned(ValueOperation):
    """Holds a table of values and what each became."""

    values: StringArray
    results: StringArray

    def restore(self, state: Learned) -> None:
        """Take up the mapping table."""
        self.values, self.results = state.arrays["values"], state.arrays["results"]

    def apply(self, values: StringArray) -> Outcome:
        """What the table says; a value of a row removed earlier is in no table and becomes missing."""
        return Outcome(self.results.take(pc.index_in(values, self.values)))


class RandomPseudonym(Assigned):
    """Each distinct value gets a pseudonym that was drawn for it and for no other."""

    needs_counts = True

    def __init__(self, settings: RandomPseudonymSettings, context: Context) -> None:
        self.settings = settings
        self.context = context
        if context.rows > settings.domain_size // 1000:
            raise EngineError(
                "pseudonyms_too_few",
                gettext_noop(
                    "Column %(column)s: there must be a thousand times as many pseudonyms as rows; make them longer."
                ),
                column=context.columns[0],
            )

    def fit(self, values: StringArray, counts: NDArray[np.int64]) -> Learned:
        """Draw without replacement: a secret permutation of all pseudonyms, taken from its beginning."""
        seed = self.context.secrets.seeded_key(f"pseudonyms: {self.context.step}: {self.context.columns[0]}")
        cipher = "sm4" if self.context.secrets.national else "aes"
        permutation = Permutation(cipher, seed[: KEY_BYTES[cipher]], self.settings.domain_size)
        numbers = permutation.apply(np.arange(len(values), dtype=np.uint64), _NO_TWEAK)
        letters = np.frombuffer(ALPHABETS[self.settings.alphabet].encode(), dtype=np.uint8)
        radix = np.uint64(len(letters))
        written = np.empty((len(values), self.settings.length), dtype=np.uint8)
        for place in range(self.settings.length - 1, -1, -1):
            numbers, digit = np.divmod(numbers, radix)
            written[:, place] = letters[digit]
        made = pc.binary_join_element_wise(pa.scalar(self.settings.prefix), strings(written), "")
        return Learned({"values": values, "results": made}, {"report": {"pseudonyms": len(values)}})


class NameDictionary(Assigned):
    """Many to one by a keyed hash; one to one by drawing without replacement."""

    needs_counts = True

    def __init__(self, settings: NameDictionarySettings, context: Context) -> None:
        self.settings = settings
        self.context = context
        self.key = context.secrets.require_key()

    def fit(self, values: StringArray, counts: NDArray[np.int64]) -> Learned:
        """Assign the names; EngineError ``names_too_few``."""
        size = len(self.settings.names) or self.settings.size
        if self.settings.mode == "one_to_one":
            chosen = self._different(len(values), size)
        else:
            chosen = self._shared(values, size)
        picked = [self.settings.names[i] if self.settings.names else names.name(i) for i in chosen]
        report = {
            "values": len(values),
            "names": len(set(chosen)),
            "values_sharing_a_name": len(values) - len(set(chosen)),
        }
        return Learned({"values": values, "results": pa.array(picked, pa.string())}, {"report": report})

    def _shared(self, values: StringArray, size: int) -> list[int]:
        domain = (self.settings.domain or self.context.columns[0]).encode()
        salt = self.context.secrets.require_salt()
        prefix = b"".join(len(part).to_bytes(4, "big") + part for part in (b"names", salt, domain))
        digests = keyed_hashes("hmac-sm3", self.key, prefix, map(str.encode, values.to_pylist()))
        return [int.from_bytes(digest, "big") % size for digest in digests]

    def _different(self, count: int, size: int) -> list[int]:
        if count > size:
            raise EngineError(
                "names_too_few",
                gettext_noop(
                    "Column %(column)s has %(values)d values, but the dictionary has only %(names)d names."
                ),
                column=self.context.columns[0],
                values=count,
                names=size,
            )
        draws = self.context.secrets.uniform(f"step {self.context.step} names", size)
        chosen: list[int] = np.argsort(draws, kind="stable")[:count].tolist()
        return chosen
