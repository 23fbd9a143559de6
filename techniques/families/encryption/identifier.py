"""Format-preserving encryption of numbers that end in a check digit (GB/T 37964 A.2.4)."""

from __future__ import annotations

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from techniques.catalogue.encryption import IdentifierEncryptionSettings
from techniques.core.operations import Context, Outcome, StringArray, ValueOperation
from techniques.families.encryption.ciphers.blocks import Bytes
from techniques.families.encryption.ciphers.ff1 import FF1, Numbers, Permutation
from techniques.families.encryption.keys import cipher_and_key
from techniques.families.encryption.texts import Collector, by_length, strings
from techniques.identification.check_blocks import (
    id_check_bytes,
    id_number_block,
    id_regions,
    luhn_block,
    luhn_digits,
)
from techniques.identification.checks import PERMIT_REGIONS, PROVINCE_CODES
from techniques.values.divisions import county_codes
from techniques.values.unfit import NOT_AN_IDENTIFIER

_ZERO = ord("0")
_FIRST, _LAST = "1880-01-01", "2049-12-31"
"""Every number in use has its date in between, and so has every result."""
_BORN_BY = "2024-12-31"
"""The last date of a number that counts as that of somebody born already: fixed, since what was encrypted must come back."""
_NO_TWEAK: Bytes = np.zeros((1, 0), dtype=np.uint8)
Regions = NDArray[np.int64]


class IdentifierNumber(ValueOperation):
    """ID numbers and bank cards to numbers of the same kind, check digit worked out anew.

    An ID number is a region, a day and a serial number; each becomes another that exists. A number without a valid
    check digit does not fit: it could not be got back.
    """

    unfit_text = NOT_AN_IDENTIFIER

    def __init__(self, settings: IdentifierEncryptionSettings, context: Context) -> None:
        self.settings: IdentifierEncryptionSettings = settings
        use = f"identifier: {settings.kind}: {settings.algorithm}"
        cipher, key = cipher_and_key(settings, context, settings.algorithm, use)
        self._numbers: IdNumbers | Cards
        if settings.kind == "id_number":
            self._numbers = IdNumbers(cipher, key, settings.keep_leading, settings.existing)
        else:
            self._numbers = Cards(cipher, key, settings.keep_leading)

    def apply(self, values: StringArray) -> Outcome:
        """One identifier of the same kind per distinct value."""
        return self._run(values, decrypt=False)

    def reverse(self, values: StringArray) -> Outcome:
        """The identifiers that these stand for."""
        return self._run(values, decrypt=True)

    def _run(self, values: StringArray, *, decrypt: bool) -> Outcome:
        result, unfit = Collector(len(values)), np.ones(len(values), dtype=bool)
        shaped = np.flatnonzero(np.asarray(pc.match_substring_regex(values, self._numbers.shape)))
        for places, letters in by_length(values.take(shaped)):
            fits = self._numbers.valid(letters)
            positions = shaped[places[fits]]
            unfit[positions] = False
            result.add(positions, strings(self._numbers.run(letters[fits], decrypt=decrypt)))
        return Outcome(result.collected(), unfit)


class NumberSpace:
    """All identity numbers with a region of a list, or one given beside them, and a date of a range, in order."""

    def __init__(self, regions: Regions | None, first: str, last: str, cipher: str, key: bytes) -> None:
        self._regions = regions
        self._first, self._last = np.datetime64(first), np.datetime64(last)
        self._serials = (int((self._last - self._first).astype(int)) + 1) * 1000
        self._permutation = Permutation(cipher, key, (1 if regions is None else len(regions)) * self._serials)

    def holds(self, letters: Bytes) -> NDArray[np.bool_]:
        """Which of n numbers, whose dates exist, are among them."""
        days = _days(letters)
        held: NDArray[np.bool_] = (days >= self._first) & (days <= self._last)
        return held if self._regions is None else held & np.isin(_decimal(letters[:, :6]), self._regions)

    def moved(self, letters: Bytes, *, decrypt: bool) -> Bytes:
        """Another of them for each of n of them; the region stays where no list of regions is given."""
        number = (_days(letters) - self._first).astype(np.int64) * 1000 + _decimal(letters[:, 14:17])
        if self._regions is None:
            tweaks = np.ascontiguousarray(letters[:, :6])
            return self._written(self._permuted(number, tweaks, decrypt), letters[:, :6])
        number += np.searchsorted(self._regions, _decimal(letters[:, :6])) * self._serials
        return self._written(self._permuted(number, _NO_TWEAK, decrypt), None)

    def drawn(self, count: int) -> Bytes:
        """``count`` different ones, taken from the beginning of the permutation of all of them."""
        return self._written(self._permuted(np.arange(count), _NO_TWEAK, False), None)

    def _permuted(self, number: NDArray[np.int64], tweaks: Bytes, decrypt: bool) -> NDArray[np.int64]:
        moved: Numbers = self._permutation.apply(number.astype(np.uint64), tweaks, decrypt=decrypt)
        return moved.astype(np.int64)

    def _written(self, moved: NDArray[np.int64], leading: Bytes | None) -> Bytes:
        """The numbers of n places in the permutation, with ``leading`` (n, 6) as their regions where given."""
        region, rest = np.divmod(moved, self._serials)
        result = np.empty((len(moved), 18), dtype=np.uint8)
        if self._regions is not None:
            result[:, :6] = digits(self._regions[region], 6)
        elif leading is not None:
            result[:, :6] = leading
        born = self._first + (rest // 1000).astype("timedelta64[D]")
        month = born.astype("datetime64[M]")
        result[:, 6:10] = digits(born.astype("datetime64[Y]").astype(np.int64) + 1970, 4)
        result[:, 10:12] = digits(month.astype(np.int64) % 12 + 1, 2)
        result[:, 12:14] = digits((born - month.astype("datetime64[D]")).astype(np.int64) + 1, 2)
        result[:, 14:17] = digits(rest % 1000, 3)
        result[:, 17] = id_check_bytes(result[:, :17])
        return result


class IdNumbers:
    """GB 11643: six digits of region, eight of birth date, three of serial number, check character.

    With ``existing`` a number whose county exists and whose date has passed becomes another such number, without it one of
    a division becomes another of a division; any other one, such as a residence permit's, becomes another of the others.
    """

    shape = r"^\d{17}[\dXx]$"

    def __init__(self, cipher: str, key: bytes, keep_leading: bool, existing: bool = False) -> None:
        provinces = np.array(sorted(map(int, PROVINCE_CODES)), dtype=np.int64)
        divisions = (provinces[:, None] * 10_000 + np.arange(1, 10_000)).ravel()
        self._others: NumberSpace | None = None
        if existing:
            self._numbers = known_numbers(cipher, key, keep_region=keep_leading)
        else:
            self._numbers = NumberSpace(None if keep_leading else divisions, _FIRST, _LAST, cipher, key)
        if not keep_leading:
            self._others = NumberSpace(np.flatnonzero(id_regions()), _FIRST, _LAST, cipher, key)
        elif existing:
            born_later = str(np.datetime64(_BORN_BY) + 1)
            self._others = NumberSpace(None, born_later, _LAST, cipher, key)

    def valid(self, letters: Bytes) -> NDArray[np.bool_]:
        """Which have region, date and check character right, and a date in the range."""
        _, right = id_number_block(strings(letters))
        valid: NDArray[np.bool_] = np.asarray(right).copy()
        held = self._numbers.holds(letters[valid])
        valid[valid] = held if self._others is None else held | self._others.holds(letters[valid])
        return valid

    def run(self, letters: Bytes, *, decrypt: bool) -> Bytes:
        """Other numbers for n valid ones."""
        if self._others is None:
            return self._numbers.moved(letters, decrypt=decrypt)
        known = self._numbers.holds(letters)
        result = letters.copy()
        result[known] = self._numbers.moved(letters[known], decrypt=decrypt)
        walking = np.flatnonzero(~known)
        while len(walking):
            # A number of the others that lands among the known ones goes on until it is out again: so the way back is sure.
            result[walking] = self._others.moved(result[walking], decrypt=decrypt)
            walking = walking[self._numbers.holds(result[walking])]
        return result


def known_numbers(cipher: str, key: bytes, *, keep_region: bool = False) -> NumberSpace:
    """The numbers of counties that exist and of residence permits, born by :data:`_BORN_BY`."""
    regions = np.sort(np.append(county_codes(), list(map(int, PERMIT_REGIONS))))
    return NumberSpace(None if keep_region else regions, _FIRST, _BORN_BY, cipher, key)


class Cards:
    """ISO/IEC 7812: issuer, account, Luhn digit."""

    shape = r"^\d{13,19}$"

    def __init__(self, cipher: str, key: bytes, keep_leading: bool) -> None:
        self._kept = 6 if keep_leading else 0
        self._ff1 = FF1(cipher, key, 10)
        self._alphabet = np.arange(_ZERO, _ZERO + 10, dtype=np.uint8)
        self._table = np.full(256, -1, dtype=np.int32)
        self._table[self._alphabet] = np.arange(10, dtype=np.int32)

    def valid(self, letters: Bytes) -> NDArray[np.bool_]:
        """Which have a right check digit."""
        return luhn_block(strings(letters), letters.shape[1])

    def run(self, letters: Bytes, *, decrypt: bool) -> Bytes:
        """Other numbers for n valid ones."""
        kept, result = self._kept, letters.copy()
        tweaks = (
            np.ascontiguousarray(letters[:, :kept])
            if kept and len(letters)
            else np.zeros((1, kept), np.uint8)
        )
        account = np.ascontiguousarray(letters[:, kept:-1])
        result[:, kept:-1], _ = self._ff1.texts(account, self._table, self._alphabet, tweaks, decrypt=decrypt)
        result[:, -1] = luhn_digits(result[:, :-1])
        return result


def _decimal(letters: Bytes) -> NDArray[np.int64]:
    number = np.zeros(len(letters), dtype=np.int64)
    for place in range(letters.shape[1]):
        number = number * 10 + (letters[:, place].astype(np.int64) - _ZERO)
    return number


def digits(numbers: NDArray[np.int64], length: int) -> Bytes:
    """n numbers in ASCII digits, with zeros in front: (n, length)."""
    powers = 10 ** np.arange(length - 1, -1, -1, dtype=np.int64)
    return (numbers[:, None] // powers % 10 + _ZERO).astype(np.uint8)


def _days(letters: Bytes) -> NDArray[np.datetime64]:
    years = (_decimal(letters[:, 6:10]) - 1970).astype("datetime64[Y]")
    months = years.astype("datetime64[M]") + (_decimal(letters[:, 10:12]) - 1).astype("timedelta64[M]")
    days: NDArray[np.datetime64] = months.astype("datetime64[D]") + (_decimal(letters[:, 12:14]) - 1).astype(
        "timedelta64[D]"
    )
    return days
