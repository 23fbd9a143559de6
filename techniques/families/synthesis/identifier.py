"""C.2.1 to C.2.5: made-up identifiers of the right form, which have nothing to do with those they stand for."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from techniques.catalogue.synthesis import SyntheticIdentifierSettings
from techniques.core.messages import EngineError, _
from techniques.core.operations import Learned, StringArray
from techniques.families.encryption.ciphers.blocks import KEY_BYTES
from techniques.families.encryption.ciphers.ff1 import Permutation
from techniques.families.encryption.identifier import digits, known_numbers
from techniques.families.encryption.texts import strings
from techniques.families.pseudonymization.assigned import Assigned, drawn_anew
from techniques.families.synthesis import places
from techniques.identification.check_blocks import luhn_digits
from techniques.identification.vocabulary import SURNAMES

Numbers = NDArray[np.uint64]
_NO_TWEAK = np.zeros((1, 0), dtype=np.uint8)
_CARD_DIGITS = 16
_NUMBERS_OF_A_PREFIX = 10**8


class SyntheticIdentifier(Assigned):
    """Each distinct value gets an identifier that was drawn for it and for no other."""

    needs_counts = True

    settings: SyntheticIdentifierSettings

    def fit(self, values: StringArray, counts: NDArray[np.int64]) -> Learned:
        """Draw without replacement, never the value of another row; EngineError ``identifiers_too_few``."""
        size = _SIZES.get(self.settings.kind, 1 << 62)
        if len(values) * 2 > size:
            text = _(
                "Column %(column)s has %(values)d values, too many for made-up identifiers of this kind."
            )
            raise EngineError("identifiers_too_few", text, column=self.context.columns[0], values=len(values))
        made, passed_over = drawn_anew(values, self._drawn)
        report = {"identifiers": len(values), "passed_over": passed_over}
        return Learned({"values": values, "results": made}, {"report": report})

    def _drawn(self, count: int) -> StringArray:
        """The first ``count`` identifiers of a sequence that the seed determines."""
        secrets = self.context.secrets
        key = secrets.seeded_key(f"identifiers: {self.context.step}: {self.context.columns[0]}")
        if self.settings.kind == "id_number":
            return strings(known_numbers("sm4", key[: KEY_BYTES["sm4"]]).drawn(count))
        permutation = Permutation("sm4", key[: KEY_BYTES["sm4"]], _SIZES[self.settings.kind])
        numbers = permutation.apply(np.arange(count, dtype=np.uint64), _NO_TWEAK)
        write = {"bank_card": _cards, "phone": _phones, "name": _names, "address": _addresses}
        return write[self.settings.kind](numbers)


def _cards(numbers: Numbers) -> StringArray:
    """62, the number of the national scheme, and a right check digit."""
    letters = np.empty((len(numbers), _CARD_DIGITS), dtype=np.uint8)
    letters[:, 0], letters[:, 1] = ord("6"), ord("2")
    letters[:, 2:-1] = digits(numbers.astype(np.int64), _CARD_DIGITS - 3)
    letters[:, -1] = luhn_digits(letters[:, :-1])
    return strings(letters)


def _phones(numbers: Numbers) -> StringArray:
    prefix, rest = np.divmod(numbers, np.uint64(_NUMBERS_OF_A_PREFIX))
    prefixes = np.array(places.MOBILE_PREFIXES, dtype=np.uint64)
    return strings(digits((prefixes[prefix] * np.uint64(_NUMBERS_OF_A_PREFIX) + rest).astype(np.int64), 11))


def _names(numbers: Numbers) -> StringArray:
    """A family name and one or two characters of given names."""
    rest, family = np.divmod(numbers, np.uint64(len(SURNAMES)))
    first, second = np.divmod(rest, np.uint64(len(places.GIVEN) + 1))
    given = pa.array([*places.GIVEN, ""])
    parts = (pa.array(list(SURNAMES)).take(pa.array(family)), given.take(pa.array(first)))
    return pc.binary_join_element_wise(*parts, given.take(pa.array(second)), "")


def _addresses(numbers: Numbers) -> StringArray:
    """A division that exists, a road that many towns have, and a number."""
    divisions, roads = pa.array(places.DIVISIONS), pa.array(places.ROADS)
    rest, house = np.divmod(numbers, np.uint64(places.HOUSES))
    division, road = np.divmod(rest, np.uint64(len(roads)))
    return pc.binary_join_element_wise(
        divisions.take(pa.array(division)),
        roads.take(pa.array(road)),
        pa.array(house + np.uint64(1)).cast(pa.string()),
        pa.scalar("号"),
        "",
    )


_SIZES = {
    "bank_card": 10 ** (_CARD_DIGITS - 3),
    "phone": len(places.MOBILE_PREFIXES) * _NUMBERS_OF_A_PREFIX,
    "name": len(SURNAMES) * len(places.GIVEN) * (len(places.GIVEN) + 1),
    "address": len(places.DIVISIONS) * len(places.ROADS) * places.HOUSES,
}
