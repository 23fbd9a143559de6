"""Draws for the cells of a column: a stream of its own for each run, or the same draws for the same record in every run.

A data set that grows is released again and again (GB/T 37964 D.5). Where noise is drawn anew each time, the mean of a few releases
gives the value back; where a record keeps its draws, an unchanged record reads as it did. What is drawn for a record then follows
from the record's name and the value, under a key that outlasts the run, and from nothing else.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.hashes import SHA256, SM3
from cryptography.hazmat.primitives.hmac import HMAC
from numpy.typing import NDArray

from techniques.core.secrets import Secrets
from techniques.core.tuples import Codes

Reals = NDArray[np.float64]
Blocks = NDArray[np.uint8]
"""(n, 16): a block of the cipher for each of n things."""
BLOCK = 16


class CellDraws(ABC):
    """Random numbers, one for each of some cells."""

    @abstractmethod
    def uniform(self) -> Reals:
        """(n,): numbers from [0, 1) with 53 bits each; asked twice, they are the same."""

    @abstractmethod
    def normal(self) -> Reals:
        """(n,): standard normal numbers (Box and Muller)."""

    def symmetric(self) -> Reals:
        """(n,): uniform with mean 0 and variance 1."""
        drawn: Reals = (2 * self.uniform() - 1) * np.sqrt(3)
        return drawn


@dataclass(frozen=True)
class RunDraws(CellDraws):
    """``count`` numbers of the stream ``label``, which the seed of the run alone foretells."""

    secrets: Secrets
    label: str
    count: int

    def uniform(self) -> Reals:
        return self.secrets.uniform(self.label, self.count)

    def normal(self) -> Reals:
        pairs = -(-self.count // 2)
        draws = self.secrets.uniform(self.label, 2 * pairs)
        radius = np.sqrt(-2 * np.log1p(-draws[:pairs]))
        angle = 2 * np.pi * draws[pairs:]
        return np.concatenate([radius * np.cos(angle), radius * np.sin(angle)])[: self.count]


@dataclass(frozen=True)
class LastingKey:
    """The key under which draws last from run to run, at least 16 bytes; ``national`` takes SM3 and SM4."""

    key: bytes = field(repr=False)
    national: bool = False

    @classmethod
    def of_run(cls, secrets: Secrets, purpose: str = "") -> LastingKey:
        """Of all runs that share the key of ``secrets``, or that of a purpose; EngineError where it is missing."""
        key = secrets.require_purpose(purpose) if purpose else secrets.require_key()
        return cls(key, secrets.national)

    def of(self, label: str) -> bytes:
        """A key of 32 bytes for ``label`` alone."""
        state = HMAC(self.key, SM3() if self.national else SHA256())
        state.update(b"deid: lasting draws: " + label.encode())
        return state.finalize()

    def enciphered(self, label: str, blocks: Blocks) -> Blocks:
        """Each of n blocks under the key of ``label``; equal blocks give equal ones."""
        key = self.of(label)
        cipher = algorithms.SM4(key[:16]) if self.national else algorithms.AES(key)
        # Every block by itself is what is asked for here: a random function of the block, not a message to be kept secret.
        done = Cipher(cipher, modes.ECB()).encryptor().update(np.ascontiguousarray(blocks).tobytes())  # noqa: S305
        return np.frombuffer(done, np.uint8).reshape(-1, BLOCK)

    def named(self, label: str, texts: Any) -> Blocks:
        """(d + 1, 16): a block for each of d texts, and zeros for what is missing, which the code -1 finds.

        CBC-MAC over the bytes in UTF-8 behind their number, so that none of the messages begins another; all texts go through
        the cipher at once, a block further each time.
        """
        bytes_ = texts.cast(pa.large_binary())
        data = np.frombuffer(bytes_.buffers()[2] or b"", np.uint8)
        ends = np.frombuffer(bytes_.buffers()[1] or bytes(8), np.int64)[
            bytes_.offset : bytes_.offset + len(texts) + 1
        ]
        first, length = ends[:-1], np.diff(ends)
        blocks = np.zeros((len(texts) + 1, BLOCK), np.uint8)
        if not len(texts):
            return blocks
        head = np.zeros((len(texts), BLOCK), np.uint8)
        head[:, 8:] = length.astype(">u8").view(np.uint8).reshape(-1, 8)
        state = self.enciphered(label, head).copy()
        places = np.arange(BLOCK)
        for start in range(0, int(length.max()), BLOCK):
            left = np.flatnonzero(length > start)
            inside = start + places < length[left, None]
            at = np.where(inside, first[left, None] + start + places, 0)
            state[left] = self.enciphered(label, state[left] ^ np.where(inside, data[at], 0).astype(np.uint8))
        blocks[:-1] = state
        return blocks

    def numbered(self, label: str, first: NDArray[np.int64], second: NDArray[np.int64]) -> Blocks:
        """(n, 16): a block for each of n pairs of whole numbers."""
        pairs = np.stack([first, second], axis=1).astype("<i8")
        return self.enciphered(label, np.ascontiguousarray(pairs).view(np.uint8))

    def joined(self, label: str, parts: list[Blocks]) -> Blocks:
        """(n, 16): a block for each of n rows of as many blocks as there are ``parts``, in their order."""
        state = np.zeros_like(parts[0])
        for part in parts:
            state = self.enciphered(label, state ^ part)
        return state

    def draws(self, label: str, parts: list[Blocks]) -> RecordDraws:
        """Those of n rows, which the blocks of each row determine; another ``label`` gives others."""
        return RecordDraws(self.joined("numbers of " + label, parts))


@dataclass(frozen=True)
class RecordDraws(CellDraws):
    """The draws of n rows, each out of a block of its own."""

    blocks: Blocks

    def _halves(self) -> Reals:
        """(n, 2): two numbers from [0, 1) a block."""
        words = np.ascontiguousarray(self.blocks).view("<u8")
        halves: Reals = (words >> np.uint64(11)).astype(np.float64) * 2.0**-53
        return halves

    def uniform(self) -> Reals:
        return self._halves()[:, 0]

    def second(self) -> Reals:
        """(n,): as many again, independent of the first."""
        return self._halves()[:, 1]

    def normal(self) -> Reals:
        halves = self._halves()
        drawn: Reals = np.sqrt(-2 * np.log1p(-halves[:, 0])) * np.cos(2 * np.pi * halves[:, 1])
        return drawn


@dataclass(frozen=True)
class Records:
    """Which record each of n rows is, as blocks under the lasting key."""

    key: LastingKey
    blocks: Blocks

    @classmethod
    def of(cls, key: LastingKey, columns: list[tuple[Any, Codes]]) -> Records:
        """By the columns that name a record, each a dictionary of texts and codes (-1 where missing)."""
        return cls(key, key.joined("record", [key.named("record", texts)[codes] for texts, codes in columns]))

    def cells(self, label: str, texts: Any, codes: Codes) -> RecordDraws:
        """The draws of the cells of a column: equal where record and value are."""
        return self.key.draws(label, [self.blocks, self.key.named("value", texts)[codes]])

    def rows(self, label: str) -> RecordDraws:
        """A draw for each row as a whole."""
        return self.key.draws(label, [self.blocks])

    def of_rows(self, rows: NDArray[Any]) -> Records:
        """Of some of the rows, by their places or marks."""
        return Records(self.key, self.blocks[rows])
