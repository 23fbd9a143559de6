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
from techniques.families.pseudonymization.digests import keyed_hashes


class NameDictionary(Assigned):
    """Many to one by a keyed hash; one to one by drawing without replacement."""

    needs_counts = True

    def __init__(self, settings: NameDictionarySettings, context: Context) -> None:
        self.settings: NameDictionarySettings = settings
        self.context = context
        self.key = context.secrets.require_key()

    def fit(self, values: StringArray, counts: NDArray[np.int64]) -> Learned:
        """Assign the names; EngineError ``names_too_few``."""
        dictionary = dictionary_of(self.settings)
        size = len(dictionary)
        if self.settings.mode == "one_to_one":
            chosen = self._different(len(values), size)
        else:
            chosen = self._shared(values, size)
        own = dict(zip(dictionary, range(size), strict=True))
        chosen = _nobody_keeps(
            chosen, [own.get(value, -1) for value in values.to_pylist()], size, self.settings.one_to_one
        )
        picked = [dictionary[i] for i in chosen]
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
        digests = keyed_hashes("hmac-sm3", self.key, prefix, values)
        return [int.from_bytes(digest.tobytes(), "big") % size for digest in digests]

    def _different(self, count: int, size: int) -> list[int]:
        if count > size:
            text = _("Column %(column)s has %(values)d values, but the dictionary has only %(names)d names.")
            raise EngineError("names_too_few", text, column=self.context.columns[0], values=count, names=size)
        draws = self.context.secrets.uniform(f"step {self.context.step} names", size)
        chosen: list[int] = np.argsort(draws, kind="stable")[:count].tolist()
        return chosen


def dictionary_of(settings: NameDictionarySettings) -> list[str]:
    """All names that a value may become."""
    return settings.names or [names.name(number) for number in range(settings.size)]


def _nobody_keeps(chosen: list[int], own: list[int], size: int, one_to_one: bool) -> list[int]:
    """The same, but for values that would have become what they are (``own`` is their place in the dictionary, -1 for none).

    Where names are shared such a value takes the next name, whatever the other values are; where each has a name of its own
    it changes with its neighbour.
    """
    made = list(chosen)
    for place, index in enumerate(own):
        if made[place] != index:
            continue
        if one_to_one and len(made) > 1:
            other = (place + 1) % len(made)
            made[place], made[other] = made[other], made[place]
        else:
            made[place] = (index + 1) % size
    return made
