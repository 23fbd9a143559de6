"""FF1 of NIST SP 800-38G (update 1), with AES or SM4 as the block cipher, over many values at once.

Values of one length share every constant of the algorithm; the Feistel rounds run over whole columns, one
call of the cipher per round and chunk. Halves too large for machine words take the algorithm as printed.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from techniques.families.encryption.ciphers import ff1_kernels as kernels
from techniques.families.encryption.ciphers.blocks import BLOCK, BlockCipher, Bytes

ROUNDS = 10
MINIMUM_DOMAIN = 1_000_000
"""radix^length below this can be searched: the standard forbids it."""
_CHUNK = 1 << 12
_LIMIT = 1 << 56
Numbers = NDArray[np.uint64]


class FF1:
    """One key and radix (2 … 65536). ``tweaks`` everywhere: (1, t) bytes for all values or (n, t), one each."""

    def __init__(self, cipher: str, key: bytes, radix: int) -> None:
        self._cipher = BlockCipher(cipher, key)
        self.radix = radix

    def allows(self, length: int) -> bool:
        """Whether texts of ``length`` characters are long enough to be encrypted safely."""
        return length >= 2 and self.radix**length >= MINIMUM_DOMAIN

    def is_fast(self, length: int) -> bool:
        """Whether the halves fit into machine words, so that :meth:`run` may be used."""
        return bool(self.radix ** (length - length // 2) < _LIMIT)

    def _sizes(self, length: int) -> tuple[int, int]:
        """b and d of the standard: bytes of a half, and bytes taken from each round's output."""
        half = length - length // 2
        size = -(-(self.radix**half - 1).bit_length() // 8)
        return size, 4 * -(-size // 4) + 4

    def _head(self, length: int, tweak_length: int) -> bytes:
        """P of the standard."""
        return (
            bytes([1, 2, 1])
            + self.radix.to_bytes(3, "big")
            + bytes([10, (length // 2) % 256])
            + length.to_bytes(4, "big")
            + tweak_length.to_bytes(4, "big")
        )

    def _base(self, length: int, tweaks: Bytes) -> Bytes:
        """All that does not change from round to round: the chained block into which number and half go."""
        rows, tweak_length = tweaks.shape
        size, _ = self._sizes(length)
        whole = -(-(tweak_length + size + 1) // BLOCK) * BLOCK
        padded = np.zeros((rows, whole), dtype=np.uint8)
        padded[:, :tweak_length] = tweaks
        chain = np.tile(
            np.frombuffer(self._cipher.one(self._head(length, tweak_length)), np.uint8), (rows, 1)
        )
        for start in range(0, whole - BLOCK, BLOCK):
            chain = self._cipher.encrypt(chain ^ padded[:, start : start + BLOCK])
        return np.ascontiguousarray(chain ^ padded[:, -BLOCK:])

    def run(
        self, left: Numbers, right: Numbers, length: int, tweaks: Bytes, *, decrypt: bool = False
    ) -> None:
        """All rounds on n values in place; ``left`` is NUM of the first length//2 numerals, ``right`` of the rest."""
        base = self._base(length, tweaks).view(np.uint64)
        for start in range(0, len(left), _CHUNK):
            here = slice(start, start + _CHUNK)
            self._chunk(left[here], right[here], length, base if len(base) == 1 else base[here], decrypt)

    def _chunk(
        self, left: Numbers, right: Numbers, length: int, base: NDArray[np.uint64], back: bool
    ) -> None:
        size, taken = self._sizes(length)
        shift = np.uint64(8 * size)
        moduli = [np.uint64(self.radix ** (length // 2)), np.uint64(self.radix ** (length - length // 2))]
        blocks = np.empty((len(left), 2), dtype=np.uint64)
        sealed = np.empty(blocks.nbytes + BLOCK - 1, dtype=np.uint8)
        words = sealed[: blocks.nbytes].view(np.uint64).reshape(-1, 2)
        raw = blocks.view(np.uint8)
        # An even number of rounds: the halves change places and end where they began.
        halves = [left, right]
        for number in reversed(range(ROUNDS)) if back else range(ROUNDS):
            changed, kept = halves[number % 2], halves[1 - number % 2]
            kernels.fill(blocks, base, kept, np.uint64(number), shift)
            self._cipher.encrypt_into(raw, sealed)
            (kernels.subtract if back else kernels.add)(words, changed, moduli[number % 2], taken)

    def texts(
        self,
        letters: NDArray[Any],
        table: NDArray[np.int32],
        alphabet: NDArray[Any],
        tweaks: Bytes,
        *,
        decrypt: bool = False,
    ) -> tuple[NDArray[Any], NDArray[np.bool_]]:
        """Characters (n, length) → characters, and which rows lie in the alphabet whole.

        ``table`` gives the numeral of a character, -1 for none, ``alphabet`` the character of a numeral.
        """
        rows, length = letters.shape
        result = np.empty_like(letters)
        if not self.is_fast(length):
            numerals = table[letters]
            sound = (numerals >= 0).all(axis=1)
            self._slowly(numerals, sound, alphabet, tweaks, result, decrypt)
            return result, sound
        sound = np.empty(rows, dtype=np.bool_)
        half, radix = length // 2, np.uint64(self.radix)
        left, right = np.empty(rows, np.uint64), np.empty(rows, np.uint64)
        base = self._base(length, tweaks).view(np.uint64)
        for start in range(0, rows, _CHUNK):
            here = slice(start, start + _CHUNK)
            sound[here] = kernels.join(letters[here], table, radix, 0, half, left[here])
            sound[here] &= kernels.join(letters[here], table, radix, half, length, right[here])
            self._chunk(left[here], right[here], length, base if len(base) == 1 else base[here], decrypt)
            kernels.spread(left[here], alphabet, radix, 0, half, result[here])
            kernels.spread(right[here], alphabet, radix, half, length, result[here])
        return result, sound

    def _slowly(
        self,
        numerals: NDArray[np.int32],
        sound: NDArray[np.bool_],
        alphabet: NDArray[Any],
        tweaks: Bytes,
        result: NDArray[Any],
        decrypt: bool,
    ) -> None:
        for row in np.flatnonzero(sound):
            tweak = tweaks[0 if len(tweaks) == 1 else row].tobytes()
            made = self.one([int(x) for x in numerals[row]], tweak, decrypt=decrypt)
            result[row] = alphabet[made]

    def one(self, numerals: list[int], tweak: bytes, *, decrypt: bool = False) -> list[int]:
        """A single value of any length, by algorithms 7 and 8 as they are printed."""
        length, radix = len(numerals), self.radix
        half = length // 2
        size, taken = self._sizes(length)
        head = self._head(length, len(tweak))
        padding = bytes((-len(tweak) - size - 1) % BLOCK)
        halves = [_number(numerals[:half], radix), _number(numerals[half:], radix)]
        for number in reversed(range(ROUNDS)) if decrypt else range(ROUNDS):
            message = head + tweak + padding + bytes([number]) + halves[1 - number % 2].to_bytes(size, "big")
            stream = chained = self._chained(message)
            for count in range(1, -(-taken // BLOCK)):
                mixed = int.from_bytes(chained, "big") ^ count
                stream += self._cipher.one(mixed.to_bytes(BLOCK, "big"))
            change = int.from_bytes(stream[:taken], "big")
            width = half if number % 2 == 0 else length - half
            halves[number % 2] = (halves[number % 2] + (-change if decrypt else change)) % radix**width
        return _numerals(halves[0], radix, half) + _numerals(halves[1], radix, length - half)

    def _chained(self, message: bytes) -> bytes:
        state = bytes(BLOCK)
        for start in range(0, len(message), BLOCK):
            block = message[start : start + BLOCK]
            state = self._cipher.one(bytes(a ^ b for a, b in zip(state, block, strict=True)))
        return state


def _number(numerals: list[int], radix: int) -> int:
    number = 0
    for numeral in numerals:
        number = number * radix + numeral
    return number


def _numerals(number: int, radix: int, length: int) -> list[int]:
    numerals = []
    for _ in range(length):
        number, numeral = divmod(number, radix)
        numerals.append(numeral)
    return numerals[::-1]


class Permutation:
    """A keyed permutation of 0 … size-1: FF1 over the bits, walked until the result is inside again."""

    def __init__(self, cipher: str, key: bytes, size: int) -> None:
        if not MINIMUM_DOMAIN <= size <= 1 << 62:
            raise ValueError("size of the domain")
        self.size = size
        self._bits = (size - 1).bit_length()
        self._ff1 = FF1(cipher, key, 2)

    def apply(self, numbers: Numbers, tweaks: Bytes, *, decrypt: bool = False) -> Numbers:
        """The image of each of n numbers, or with ``decrypt`` its preimage."""
        result = numbers.copy()
        low = np.uint64(self._bits - self._bits // 2)
        open_rows = np.arange(len(result))
        while len(open_rows):
            current = result[open_rows]
            left, right = current >> low, current & ((np.uint64(1) << low) - np.uint64(1))
            here = tweaks if len(tweaks) == 1 else tweaks[open_rows]
            self._ff1.run(left, right, self._bits, here, decrypt=decrypt)
            result[open_rows] = (left << low) | right
            open_rows = open_rows[result[open_rows] >= self.size]
        return result
