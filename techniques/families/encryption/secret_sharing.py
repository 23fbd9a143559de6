"""Homomorphic secret sharing (GB/T 37964 A.2.6): a share of each number for each holder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from techniques.catalogue.encryption import SecretSharingSettings
from techniques.core.operations import Cells, Context, RowOperation, StringArray
from techniques.families.encryption.ciphers import shamir
from techniques.families.encryption.ciphers.blocks import KEY_BYTES, BlockCipher
from techniques.families.encryption.decimals import decimal_text, in_units
from techniques.families.encryption.keys import domain_of_column
from techniques.values.unfit import OUT_OF_RANGE


class SecretSharing(RowOperation):
    """Shamir: each run writes the share of one holder; key, rows and other parameters must be the same for all.

    The coefficients depend on key, row and value, so that runs for several holders fit together, and a
    changed value never meets the old coefficients.
    """

    unfit_text = OUT_OF_RANGE

    def __init__(self, settings: SecretSharingSettings, context: Context) -> None:
        self.settings: SecretSharingSettings = settings
        self._limit = shamir.LIMIT // max(context.rows, 1)
        # Equal numbers of a row must not have equal shares in two columns.
        domain = domain_of_column(settings.domain, context.columns[0])
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
        numbers, fits = in_units(values, self.settings.decimals)
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
