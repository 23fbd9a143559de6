"""Names from a dictionary (GB/T 37964 A.4.4, A.4.5)."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from techniques.catalogue.pseudonymization import NameDictionarySettings
from techniques.core.messages import EngineError, _
from techniques.core.operations import Context, Learned, StringArray
from techniques.families.pseudonymization import made_up_names as names
from techniques.families.pseudonymization.assigned import Assigned
from techniques.families.pseudonymization.keyed_hash import keyed_hashes


class NameDictionary(Assigned):
    """Many to one by a keyed hash; one to one by drawing without replacement."""

    needs_counts = True

    def __init__(self, settings: NameDictionarySettings, context: Context) -> None:
        self.settings: NameDictionarySettings = settings
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
            text = _("Column %(column)s has %(values)d values, but the dictionary has only %(names)d names.")
            raise EngineError("names_too_few", text, column=self.context.columns[0], values=count, names=size)
        draws = self.context.secrets.uniform(f"step {self.context.step} names", size)
        chosen: list[int] = np.argsort(draws, kind="stable")[:count].tolist()
        return chosen
