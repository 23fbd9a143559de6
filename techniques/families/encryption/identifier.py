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
from techniques.identification.check_blocks import id_check_bytes, id_number_block, luhn_block, luhn_digits
from techniques.identification.checks import PROVINCE_CODES
from techniques.values.unfit import NOT_AN_IDENTIFIER

_ZERO = ord("0")


class IdentifierNumber(ValueOperation):
    """ID numbers and bank cards to numbers of the same kind, check digit worked out anew.

    An ID number is a region, a day and a serial number; each becomes another that exists. A number without a valid
    check digit does not fit: it could not be got back.
    """

    unfit_text = NOT_AN_IDENTIFIER

    def __init__(self, settings: IdentifierEncryptionSettings, context: Context) -> None:
        self.settings: IdentifierEncryptionSettings = settings
        self._numbers: IdNumbers | Cards
        use = f"identifier: {settings.kind}: {settings.algorithm}"
        kind = IdNumbers if settings.kind == "id_number" else Cards
        self._numbers = kind(
            *cipher_and_key(settings, context, settings.algorithm, use), settings.keep_leading
        )

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


class IdNumbers:
    """GB 11643: six digits of region, eight of birth date, three of serial number, check character."""

    shape = r"^\d{17}[\dXx]$"
    first, last = np.datetime64("1880-01-01"), np.datetime64("2049-12-31")
    """Every number in use has its date in between, and so has every result."""

    def __init__(self, cipher: str, key: bytes, keep_leading: bool) -> None:
        self._keep = keep_leading
        self._provinces = np.array(sorted(map(int, PROVINCE_CODES)), dtype=np.int64)
        self._serials = (int((self.last - self.first).astype(int)) + 1) * 1000
        regions = 1 if keep_leading else len(self._provinces) * 9999
        self._permutation = Permutation(cipher, key, regions * self._serials)

    def valid(self, letters: Bytes) -> NDArray[np.bool_]:
        """Which have region, date and check character right, and a date in the range."""
        _, right = id_number_block(strings(letters))
        valid: NDArray[np.bool_] = np.asarray(right).copy()
        if valid.any():
            days = _days(letters[valid])
            valid[valid] = (days >= self.first) & (days <= self.last)
        return valid

    def run(self, letters: Bytes, *, decrypt: bool) -> Bytes:
        """Other numbers for n valid ones."""
        day = (_days(letters) - self.first).astype(np.int64)
        number = day * 1000 + _decimal(letters[:, 14:17])
        tweaks: Bytes = np.zeros((1, 0), dtype=np.uint8)
        if self._keep:
            tweaks = np.ascontiguousarray(letters[:, :6])
        else:
            province = np.searchsorted(self._provinces, _decimal(letters[:, :2]))
            number += (province * 9999 + _decimal(letters[:, 2:6]) - 1) * self._serials
        moved: Numbers = self._permutation.apply(number.astype(np.uint64), tweaks, decrypt=decrypt)
        return self._written(moved, letters[:, :6] if self._keep else None)

    def drawn(self, count: int) -> Bytes:
        """``count`` different numbers, taken from the beginning of the permutation of all of them."""
        moved: Numbers = self._permutation.apply(
            np.arange(count, dtype=np.uint64), np.zeros((1, 0), np.uint8)
        )
        return self._written(moved, None)

    def _written(self, moved: Numbers, leading: Bytes | None) -> Bytes:
        """The numbers of n places in the permutation, with ``leading`` (n, 6) as their regions where given."""
        region, rest = np.divmod(moved.astype(np.int64), self._serials)
        result = np.empty((len(moved), 18), dtype=np.uint8)
        if leading is not None:
            result[:, :6] = leading
        else:
            result[:, :2] = _digits(self._provinces[region // 9999], 2)
            result[:, 2:6] = _digits(region % 9999 + 1, 4)
        born = self.first + (rest // 1000).astype("timedelta64[D]")
        month = born.astype("datetime64[M]")
        result[:, 6:10] = _digits(born.astype("datetime64[Y]").astype(np.int64) + 1970, 4)
        result[:, 10:12] = _digits(month.astype(np.int64) % 12 + 1, 2)
        result[:, 12:14] = _digits((born - month.astype("datetime64[D]")).astype(np.int64) + 1, 2)
        result[:, 14:17] = _digits(rest % 1000, 3)
        result[:, 17] = id_check_bytes(result[:, :17])
        return result


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


def _digits(numbers: NDArray[np.int64], length: int) -> Bytes:
    powers = 10 ** np.arange(length - 1, -1, -1, dtype=np.int64)
    return (numbers[:, None] // powers % 10 + _ZERO).astype(np.uint8)


def _days(letters: Bytes) -> NDArray[np.datetime64]:
    years = (_decimal(letters[:, 6:10]) - 1970).astype("datetime64[Y]")
    months = years.astype("datetime64[M]") + (_decimal(letters[:, 10:12]) - 1).astype("timedelta64[M]")
    days: NDArray[np.datetime64] = months.astype("datetime64[D]") + (_decimal(letters[:, 12:14]) - 1).astype(
        "timedelta64[D]"
    )
    return days
