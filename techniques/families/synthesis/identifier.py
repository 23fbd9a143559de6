"""C.2.1 to C.2.5: made-up identifiers of the right form, which have nothing to do with those they stand for."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from techniques.catalogue.synthesis import SyntheticIdentifierSettings
from techniques.core.messages import EngineError, _
from techniques.core.operations import Learned, StringArray
from techniques.families.encryption import alphabets
from techniques.families.encryption.ciphers.blocks import KEY_BYTES
from techniques.families.encryption.ciphers.ff1 import Permutation
from techniques.families.encryption.identifier import IdNumbers
from techniques.families.encryption.texts import characters, strings
from techniques.families.pseudonymization.assigned import Assigned, drawn_anew
from techniques.families.synthesis import places
from techniques.identification.check_blocks import luhn_digits

Numbers = NDArray[np.uint64]
_NO_TWEAK = np.zeros((1, 0), dtype=np.uint8)
_CARD_DIGITS = 16
_FIRST_MOBILE, _MOBILES = 13 * 10**9, 7 * 10**9
"""Eleven digits from 130 to 199."""
_NAME_CHARACTERS = 3


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
            return strings(IdNumbers("sm4", key[: KEY_BYTES["sm4"]], keep_leading=False).drawn(count))
        permutation = Permutation("sm4", key[: KEY_BYTES["sm4"]], _SIZES[self.settings.kind])
        numbers = permutation.apply(np.arange(count, dtype=np.uint64), _NO_TWEAK)
        write = {"bank_card": _cards, "phone": _phones, "name": _names, "address": _addresses}
        return write[self.settings.kind](numbers)


def _digits(numbers: Numbers, length: int) -> NDArray[np.uint8]:
    powers = 10 ** np.arange(length - 1, -1, -1, dtype=np.uint64)
    return (numbers[:, None] // powers % np.uint64(10)).astype(np.uint8) + np.uint8(48)


def _cards(numbers: Numbers) -> StringArray:
    """62, the number of the national scheme, and a right check digit."""
    letters = np.empty((len(numbers), _CARD_DIGITS), dtype=np.uint8)
    letters[:, 0], letters[:, 1] = ord("6"), ord("2")
    letters[:, 2:-1] = _digits(numbers, _CARD_DIGITS - 3)
    letters[:, -1] = luhn_digits(letters[:, :-1])
    return strings(letters)


def _phones(numbers: Numbers) -> StringArray:
    return strings(_digits(numbers + np.uint64(_FIRST_MOBILE), 11))


def _names(numbers: Numbers) -> StringArray:
    """Any characters of GB 2312, as the standard's example has it: no one is called so."""
    points = alphabets.code_points("han_common")
    radix = np.uint64(len(points))
    letters = np.empty((len(numbers), _NAME_CHARACTERS), dtype=np.uint32)
    rest = numbers
    for place in range(_NAME_CHARACTERS):
        rest, numeral = np.divmod(rest, radix)
        letters[:, place] = points[numeral]
    return characters(letters)


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
    "phone": _MOBILES,
    "name": len(alphabets.letters("han_common")) ** _NAME_CHARACTERS,
    "address": len(places.DIVISIONS) * len(places.ROADS) * places.HOUSES,
}
