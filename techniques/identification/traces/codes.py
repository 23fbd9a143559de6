"""Codes that were computed from an identifier without a key: whoever knows how makes them again from the identifier.

How somebody computes a code of their own nobody can list. Where the source has the code beside the identifier, what holds for
many rows at once is looked for instead: the rest of a division by any number, of the digits, of a weighted or rolling sum or of a
public checksum, and any checksum by exclusive or (every CRC). Where the result alone has it, public ones are tried.
"""

from __future__ import annotations

import binascii
import hashlib
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm

import numpy as np
import pyarrow as pa

from techniques.identification.traces.values import Counts, texts_of
from techniques.tables.dictionary import MISSING, EncodedColumn

LEAST = 10
"""Different codes below which a column is no code of single persons."""
_COMPARED = 240
_SURE = 24
"""Rows that have to agree beyond those from which a rule was worked out: chance is below one in sixteen million."""
_LONGEST = 24
"""Characters of an identifier of which sums are worked out."""
_TRIED = 400
"""Different identifiers of which public checksums are tried before all are computed."""
_FIRST = 20
"""Of these the ones whose codes have to be held before those of the others are made."""
_HELD = 0.95
_BY_CHANCE = 0.6
_TOO_LIKE = 0.93
_ALL = 100_000
"""Different identifiers up to which all are computed, so that how often each code occurs can be compared."""
_MODULI = (97, 100, 101, 251, 256, 257, 997, 1000, 1009, 1024, 4096, 8191, 8192, 9973, 9999, 10_000, 10_007, 16_384, 32_768, 65_521,
           65_536, 65_537, 99_991, 99_999, 100_000, 100_003, 131_072, 262_144, 524_288, 999_983, 999_999, 1_000_000, 1_000_003, 1_048_576,
           9_999_991, 10_000_000, 10_000_019, 16_777_216, 99_999_989, 100_000_000, 100_000_007, 999_999_937, 1_000_000_000,
           1_000_000_007, 1_000_000_009, 2_147_483_647, 2_147_483_648, 4_294_967_296)  # fmt: skip
"""What numbers are divided by: round ones, powers of two and the primes beside them."""


@dataclass(frozen=True)
class Code:
    """A rule without a key by which a column follows from an identifier. ``values``: how many codes the rule gives at most."""

    values: int


def numbers_of(texts: Sequence[str | None]) -> list[int | None] | None:
    """Codes as whole numbers: digits behind the same letters, or hexadecimal ones; None where they are neither."""
    there = [text for text in texts if text]
    if not there:
        return None
    ahead = there[0].rstrip("0123456789")
    if all(text.startswith(ahead) and text[len(ahead) :].isdecimal() and len(text) < 40 for text in there):
        return [int(text[len(ahead) :]) if text else None for text in texts]
    try:
        return [int(text, 16) if text and len(text) <= 32 else None for text in texts]
    except ValueError:
        return None


def beside(identifiers: Sequence[str | None], codes: Sequence[str | None]) -> Code | None:
    """The rule by which ``codes`` (n,) follow from ``identifiers`` (n,) of the same rows; None where none is found."""
    rows = [(one, code) for one, code in zip(identifiers, codes, strict=True) if one and code]
    if len(rows) < 2 * _SURE or len({code for _one, code in rows}) < LEAST:
        return None
    numbers = numbers_of([code for _one, code in rows])
    if numbers is None:
        return None
    pairs = [(one, number) for (one, _code), number in zip(rows, numbers, strict=True) if number is not None]
    most = max(number for _one, number in pairs)
    names = tuple(one for one, _number in pairs)
    held = [number for _one, number in pairs]
    for function in _FUNCTIONS:
        rest = gcd(*(function(one) - number for one, number in pairs))
        if rest == 0 or rest > most:
            return Code(rest or most + 1)
    for relation in _sums(names):
        rest = gcd(*(sum(by * held[row] for row, by in one) for one in relation))
        if rest == 0 or rest > most:
            return Code(rest or most + 1)
    for rows_of in _parities(names):
        if not any(_together(held, one) for one in rows_of):
            return Code(1 << most.bit_length())
    return None


def held(codes: EncodedColumn) -> dict[int, int]:
    """How often each code of a column stands in it; nothing where its values are no codes."""
    texts = texts_of(codes)
    # Where the first ones are none, no other one is read.
    if len(texts) < LEAST or numbers_of(texts.slice(0, LEAST).to_pylist()) is None:
        return {}
    if (numbers := numbers_of(texts.to_pylist())) is None:
        return {}
    counts = codes.counts().tolist()
    return {one: count for one, count in zip(numbers, counts, strict=True) if one is not None}


def among(identifiers: pa.Array, weights: Counts, held: dict[int, int]) -> Code | None:
    """The rule by which codes of rows that are not known (how often each is ``held``) are made of ``identifiers`` (d,), which
    stand in ``weights`` rows each; None where no public one is it."""
    if len(held) < LEAST or len(identifiers) < LEAST:
        return None
    most = max(held)
    step = max(1, len(identifiers) // _TRIED)
    some = tuple(identifiers.take(pa.array(range(0, len(identifiers), step))).to_pylist())
    every: list[str] = []
    for place, function in enumerate(_FUNCTIONS):
        # Those that the first ones leave are few.
        first, made = _made(some[:_FIRST])[place], list[int]()
        for modulus in (0, most + 1, *_MODULI):
            if (modulus and modulus <= most) or not _fits(first, modulus, held):
                continue
            made = made or [function(one) for one in some]
            if not _fits(made, modulus, held):
                continue
            if _beyond_chance({one % modulus if modulus else one for one in made}, held):
                return Code(modulus or most + 1)
            if len(identifiers) > _ALL:
                continue
            every = every or identifiers.to_pylist()
            if _as_often([function(one) % (modulus or most + 1) for one in every], weights, held):
                return Code(modulus or most + 1)
    return None


def _fits(made: list[int], modulus: int, held: dict[int, int]) -> bool:
    return sum((one % modulus if modulus else one) in held for one in made) >= _HELD * len(made)


def _beyond_chance(tried: set[int], held: dict[int, int]) -> bool:
    """Whether codes that are all held lie among so many that are not that chance does not meet them."""
    low, high = min(tried), max(tried)
    between = sum(low <= one <= high for one in held)
    return len(tried) >= LEAST and between < _BY_CHANCE * (high - low + 1)


@lru_cache(maxsize=64)
def _made(names: tuple[str, ...]) -> list[list[int]]:
    """What each public function makes of ``names``."""
    return [[function(one) for one in names] for function in _FUNCTIONS]


def _as_often(made: list[int], weights: Counts, held: dict[int, int]) -> bool:
    """Whether each code occurs as often as it is made, more often than codes that were dealt out otherwise would."""
    size = max(max(made), max(held)) + 1
    if size > 10_000_000:
        return False
    wanted = np.bincount(np.array(made), weights=weights, minlength=size)
    there = np.zeros(size)
    there[list(held)] = list(held.values())
    total = max(float(there.sum()), 1.0)
    by_chance = max(float(np.minimum(np.roll(wanted, shift), there).sum()) for shift in (1, 7, 31)) / total
    apart = 1 - float(np.minimum(wanted, there).sum()) / total
    return by_chance < _TOO_LIKE and apart <= (1 - by_chance) / 4


def compared_rows(identifier: EncodedColumn) -> Counts:
    """Rows of the source, evenly over those with a value, that are compared."""
    present = np.flatnonzero(identifier.codes != MISSING)
    chosen: Counts = present[np.linspace(0, len(present) - 1, min(_COMPARED, len(present))).astype(np.int64)]
    return np.unique(chosen)


# Sums of what stands in each place, with any weights and modulo any number.


@lru_cache(maxsize=64)
def _sums(names: tuple[str, ...]) -> list[list[list[tuple[int, int]]]]:
    """Sets of rows, each with a factor, over which every weighted sum of the characters of ``names`` is nothing."""
    found = []
    lengths = [len(one) for one in names]
    common = max(set(lengths), key=lengths.count)
    for reading in (ord, _digit):
        rows = [row for row, one in enumerate(names) if len(one) == common <= _LONGEST]
        if len(rows) < common + 1 + _SURE:
            continue
        relations = _relations(
            [(row, [1, *map(reading, names[row])]) for row in rows[: common + 1 + 2 * _SURE]]
        )
        if len(relations) >= _SURE:
            found.append(relations)
    return found


def _digit(sign: str) -> int:
    """The value of a digit; X counts ten, as a check digit does."""
    return int(sign) if sign.isdecimal() else 10 if sign in "xX" else 0


def _relations(rows: list[tuple[int, list[int]]]) -> list[list[tuple[int, int]]]:
    """Whole factors of rows by which their features add up to nothing, worked out exactly."""
    basis: list[tuple[int, list[Fraction], dict[int, Fraction]]] = []
    found = []
    for row, features in rows:
        left = [Fraction(one) for one in features]
        made = {row: Fraction(1)}
        for place, vector, parts in basis:
            if by := left[place]:
                left = [one - by * other for one, other in zip(left, vector, strict=True)]
                for other_row, share in parts.items():
                    made[other_row] = made.get(other_row, Fraction(0)) - by * share
        pivot = next((place for place, one in enumerate(left) if one), None)
        if pivot is not None:
            scale = left[pivot]
            basis.append(
                (pivot, [one / scale for one in left], {one: share / scale for one, share in made.items()})
            )
            continue
        whole = lcm(*(share.denominator for share in made.values()))
        factors = {one: int(share * whole) for one, share in made.items() if share}
        common = gcd(*factors.values())
        found.append([(one, by // common) for one, by in factors.items()])
    return found


# Checksums by exclusive or: each bit of one is a parity of bits of what it is made of.


@lru_cache(maxsize=64)
def _parities(names: tuple[str, ...]) -> list[list[list[int]]]:
    """Sets of rows over which the bits of ``names``, of one length, cancel each other."""
    coded = [one.encode() for one in names]
    lengths = [len(one) for one in coded]
    common = max(set(lengths), key=lengths.count)
    if common > 2 * _LONGEST:
        return []
    basis: dict[int, tuple[int, set[int]]] = {}
    found = []
    for row, one in enumerate(coded):
        if len(one) != common:
            continue
        bits, made = (int.from_bytes(one) << 1) | 1, {row}
        while bits and (top := bits.bit_length()) in basis:
            bits, made = bits ^ basis[top][0], made ^ basis[top][1]
        if bits:
            basis[bits.bit_length()] = bits, made
        else:
            found.append(sorted(made))
    return [found] if len(found) >= _SURE else []


def _together(numbers: Sequence[int], rows: Sequence[int]) -> int:
    found = 0
    for row in rows:
        found ^= numbers[row]
    return found


# Public functions.


def _rolling(
    start: int, factor: int, bits: int, multiply_first: bool = True, xor: bool = False
) -> Callable[[str], int]:
    def function(text: str) -> int:
        value, mask = start, (1 << bits) - 1
        for byte in text.encode():
            if multiply_first:
                value = value * factor & mask
            value = value ^ byte if xor else value + byte & mask
            if not multiply_first:
                value = value * factor & mask
        return value

    return function


def _digest(algorithm: str, part: slice) -> Callable[[str], int]:
    def function(text: str) -> int:
        return int(hashlib.new(algorithm, text.encode(), usedforsecurity=False).hexdigest()[part], 16)

    return function


def _functions() -> Iterator[Callable[[str], int]]:
    yield lambda text: int("".join(sign for sign in text if sign.isdecimal()) or "0")
    yield lambda text: sum(map(_digit, text))
    yield lambda text: sum(map(ord, text))
    yield lambda text: zlib.crc32(text.encode())
    yield lambda text: zlib.adler32(text.encode())
    yield lambda text: binascii.crc_hqx(text.encode(), 0)
    yield lambda text: binascii.crc_hqx(text.encode(), 0xFFFF)
    yield _rolling(0, 31, 32)
    yield _rolling(5381, 33, 32)
    yield _rolling(5381, 33, 32, xor=True)
    yield _rolling(0, 65_599, 32)
    yield _rolling(0, 131, 64)
    yield _rolling(0x811C9DC5, 0x01000193, 32, xor=True)
    yield _rolling(0x811C9DC5, 0x01000193, 32, multiply_first=False, xor=True)
    yield _rolling(0xCBF29CE484222325, 0x100000001B3, 64, xor=True)
    yield _rolling(0xCBF29CE484222325, 0x100000001B3, 64, multiply_first=False, xor=True)
    for algorithm in ("md5", "sha1", "sha256", "sm3"):
        if algorithm in hashlib.algorithms_available:
            for part in (slice(None), slice(8), slice(16), slice(-8, None)):
                yield _digest(algorithm, part)


_FUNCTIONS = tuple(_functions())
