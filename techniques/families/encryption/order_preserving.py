"""A.2.3: order-preserving encryption of numbers, without a state: key and range decide everything.

The range of values is halved again and again; at each halving the key draws where the interval of
ciphertexts is cut, so that every cut is unknown to those without the key and the order is never broken.
Ciphertexts lie in 0 … 2^53-1, which spreadsheets and JSON hold exactly.

It gives away by design the order, equality, and roughly a value's place in the range.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from techniques.catalogue.encryption import OrderPreservingEncryptionSettings
from techniques.core.operations import Context, Outcome, StringArray, ValueOperation
from techniques.families.encryption.ciphers.blocks import BlockCipher
from techniques.families.encryption.keys import cipher_and_key
from techniques.values.numbers import DEFAULT_SCALE, format_numbers, parse_numbers, scaled
from techniques.values.unfit import OUT_OF_RANGE

RANGE = 1 << 53
Words = NDArray[np.int64]


class OrderMap:
    """A strictly rising map from 0 … size-1 into 0 … 2^53-1 that a key has drawn."""

    def __init__(self, cipher: str, key: bytes, size: int) -> None:
        self._cipher, self.size = BlockCipher(cipher, key), size

    def _draws(self, first: Words, size: Words) -> NDArray[np.uint64]:
        """64 bits for each node (its first value and size name it) of the tree of halvings."""
        names = np.stack([first, size], axis=1).astype(">u8")
        return self._cipher.encrypt(names.view(np.uint8)).view(">u8")[:, 0].astype(np.uint64)

    def _cut(self, first: Words, size: Words, width: Words) -> tuple[Words, Words]:
        """Values and ciphertexts that go into the lower half of each node."""
        lower = (size + 1) // 2
        draw = self._draws(first, size) % (width // 2 + 1).astype(np.uint64)
        cut = width // 4 + draw.astype(np.int64)
        # Each half must have room for its values.
        return lower, np.clip(cut, lower, width - (size - lower))

    def _halved(
        self, count: int, upper: Callable[[Words, Words], NDArray[np.bool_]]
    ) -> tuple[Words, Words, Words]:
        """Where n halvings end: the number, the least of its ciphertexts, and how many there are.

        ``upper`` tells which of n go on in the upper half, from the least number and the least ciphertext of it.
        """
        first, low = np.zeros((2, count), dtype=np.int64)
        size, width = np.full(count, self.size), np.full(count, RANGE)
        while (size > 1).any():
            lower, cut = self._cut(first, size, width)
            up, open_ = upper(first + lower, low + cut), size > 1
            first = np.where(open_ & up, first + lower, first)
            low = np.where(open_ & up, low + cut, low)
            size = np.where(open_, np.where(up, size - lower, lower), size)
            width = np.where(open_, np.where(up, width - cut, cut), width)
        return first, low, width

    def encrypt(self, numbers: Words) -> Words:
        first, low, width = self._halved(len(numbers), lambda number, _sealed: numbers >= number)
        leaf = self._draws(first, np.zeros_like(first)) % width.astype(np.uint64)
        return low + leaf.astype(np.int64)

    def decrypt(self, sealed: Words) -> tuple[Words, NDArray[np.bool_]]:
        """The numbers, and which ciphertexts are genuine."""
        first, _low, _width = self._halved(len(sealed), lambda _number, least: sealed >= least)
        return first, self.encrypt(first) == sealed


class OrderPreserving(ValueOperation):
    """Numbers to numbers in the same order."""

    unfit_text = OUT_OF_RANGE

    def __init__(self, settings: OrderPreservingEncryptionSettings, context: Context) -> None:
        self.settings: OrderPreservingEncryptionSettings = settings
        span = f"{settings.minimum!r} {settings.maximum!r} {settings.decimals}"
        use = f"order-preserving encryption: {settings.algorithm}: {span}"
        self._map = OrderMap(*cipher_and_key(settings, context, settings.algorithm, use), settings.size)

    def apply(self, values: StringArray) -> Outcome:
        """One ciphertext per distinct value."""
        numbers = parse_numbers(values)
        unit = 10 ** (numbers.scale - self.settings.decimals)
        steps = numbers.unscaled - scaled(self.settings.minimum, numbers.scale)
        fits = numbers.valid & (steps % unit == 0) & (steps >= 0) & (steps // unit < self.settings.size)
        sealed = self._map.encrypt(np.where(fits, steps // unit, 0))
        return Outcome(pa.array(sealed).cast(pa.string()), ~fits)

    def reverse(self, values: StringArray) -> Outcome:
        """The numbers, in their shortest notation."""
        fits = np.asarray(pc.match_substring_regex(values, r"^\d{1,16}$")).astype(bool)
        sealed = np.array(pc.if_else(pa.array(fits), values, pa.scalar("0")).cast(pa.int64()))
        fits &= sealed < RANGE
        steps, genuine = self._map.decrypt(np.where(fits, sealed, 0))
        found = steps * 10 ** (DEFAULT_SCALE - self.settings.decimals)
        found += scaled(self.settings.minimum, DEFAULT_SCALE)
        return Outcome(format_numbers(found, DEFAULT_SCALE), ~(fits & genuine))
