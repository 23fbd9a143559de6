"""A.2.5 and A.2.6: numbers that can be added without being known, as ciphertexts or as shares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from techniques.catalogue.encryption import HomomorphicEncryptionSettings, SecretSharingSettings
from techniques.core.operations import Cells, Context, Outcome, RowOperation, StringArray
from techniques.families.encryption.ciphers import shamir
from techniques.families.encryption.ciphers.blocks import KEY_BYTES, BlockCipher
from techniques.families.encryption.ciphers.paillier import PublicKey, key_from_seed, randomness
from techniques.values.numbers import parse_numbers
from techniques.values.unfit import OUT_OF_RANGE


def _whole(values: StringArray, decimals: int) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Numbers in units of 10^-decimals, and which are numbers with no more places than that."""
    numbers = parse_numbers(values)
    units, rest = np.divmod(numbers.unscaled, 10 ** (numbers.scale - decimals))
    return units, numbers.valid & (rest == 0)


class Homomorphic(RowOperation):
    """Paillier: every cell anew, so that equal values do not show."""

    unfit_text = OUT_OF_RANGE

    def __init__(self, settings: HomomorphicEncryptionSettings, context: Context) -> None:
        self.settings = settings
        domain = settings.domain or context.columns[0]
        self._bits = int(settings.bits)
        purpose = f"homomorphic encryption: {settings.bits}: {domain}"
        joinable = settings.joinable == "project"
        self._key = key_from_seed(context.secrets.derive(purpose, 32, joinable=joinable), self._bits)
        self._random = context.secrets.derive(f"{purpose}: randomness", 32, joinable=False)

    def facts(self) -> dict[str, Any]:
        """What those who compute with the ciphertexts need."""
        return {"public_key": f"{self._key.public.n:x}", "decimals": self.settings.decimals}

    def unfit(self, values: StringArray) -> NDArray[np.bool_]:
        """What is no number with so many places."""
        return ~_whole(values, self.settings.decimals)[1]

    def treat(self, cells: Cells) -> StringArray:
        """A ciphertext per cell, in hexadecimal and of equal length."""
        numbers, fits = _whole(cells.values, self.settings.decimals)
        width = self._bits // 2
        size = self._key.random_bytes
        results: list[str | None] = []
        for row, code in enumerate(cells.codes.tolist()):
            if code < 0 or not fits[code]:
                results.append(None)
                continue
            number = int(numbers[code])
            noise = randomness(self._random, str(cells.first + row).encode(), number, size)
            results.append(f"{self._key.encrypt(number, noise):0{width}x}")
        return pa.array(results, pa.string())

    def reverse(self, values: StringArray) -> Outcome:
        """The numbers behind ciphertexts, sums of such ciphertexts among them."""
        results: list[str | None] = []
        for text in values.to_pylist():
            try:
                sealed = int(text, 16)
            except ValueError:
                sealed = 0
            known = 0 < sealed < self._key.public.square
            results.append(decimal_text(self._key.decrypt(sealed), self.settings.decimals) if known else None)
        unfit = np.array([result is None for result in results], dtype=bool)
        return Outcome(pa.array(results, pa.string()), unfit)


def add_ciphertexts(public_key: str, ciphertexts: Sequence[str]) -> str:
    """The ciphertext of a sum, from the public key of the report alone; for the mean divide what it decrypts to."""
    public = PublicKey(int(public_key, 16))
    width = 2 * len(public_key)
    return f"{public.add(int(text, 16) for text in ciphertexts):0{width}x}"


class SecretSharing(RowOperation):
    """Shamir: each run writes the share of one holder; key, rows and other parameters must be the same for all.

    The coefficients depend on key, row and value, so that runs for several holders fit together, and a
    changed value never meets the old coefficients.
    """

    unfit_text = OUT_OF_RANGE

    def __init__(self, settings: SecretSharingSettings, context: Context) -> None:
        self.settings = settings
        self._limit = shamir.LIMIT // max(context.rows, 1)
        domain = settings.domain or context.columns[0]
        self._ciphers = [
            BlockCipher(
                settings.algorithm,
                context.secrets.derive(
                    f"secret sharing: {settings.threshold}: {place}: {domain}",
                    KEY_BYTES[settings.algorithm],
                    national=settings.algorithm == "sm4",
                ),
            )
            for place in range(1, settings.threshold)
        ]

    def facts(self) -> dict[str, Any]:
        """What is needed to put shares together."""
        s = self.settings
        return {"holder": s.holder, "threshold": s.threshold, "holders": s.holders, "decimals": s.decimals}

    def unfit(self, values: StringArray) -> NDArray[np.bool_]:
        """What is no number with so many places, or so large that a sum could wrap around."""
        return ~self._read(values)[1]

    def _read(self, values: StringArray) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        numbers, fits = _whole(values, self.settings.decimals)
        return numbers, fits & (np.abs(numbers) < self._limit)

    def treat(self, cells: Cells) -> StringArray:
        """The holder's share of each cell."""
        numbers, fits = self._read(cells.values)
        known = np.append(fits, False)[cells.codes]
        secrets = np.where(known, np.append(numbers, 0)[cells.codes], 0)
        rows = np.arange(cells.first, cells.first + len(secrets), dtype=np.int64)
        names = np.stack([rows, secrets], axis=1).astype(">i8").view(np.uint8)
        coefficients = [cipher.encrypt(names).view(">u8")[:, 0].astype(np.uint64) for cipher in self._ciphers]
        shares = shamir.share(secrets, coefficients, self.settings.holder)
        return pa.array(shares, mask=~known).cast(pa.string())


def combine_shares(shares: Mapping[int, Sequence[str]], decimals: int) -> list[str]:
    """The numbers from the texts of at least t holders' shares (or of their sums), holder → n texts."""
    numbers = {holder: [int(text) for text in texts] for holder, texts in shares.items()}
    return [decimal_text(number, decimals) for number in shamir.combine(numbers)]


def decimal_text(number: int, decimals: int) -> str:
    """``number / 10**decimals`` in its shortest plain notation."""
    whole, fraction = divmod(abs(number), 10**decimals)
    text = f"{'-' if number < 0 else ''}{whole}"
    digits = f"{fraction:0{decimals}d}".rstrip("0") if decimals else ""
    return f"{text}.{digits}" if digits else text
