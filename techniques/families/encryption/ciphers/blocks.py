"""AES and SM4 (GB/T 32907) over many blocks at once.

A batch is a (n, 16) array of bytes; one call of the library treats it whole, so that a million blocks
cost one call and not a million.
"""

from __future__ import annotations

import numpy as np
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
BLOCK = 16
KEY_BYTES = {"aes": 32, "sm4": 16}
"""Length of the keys that the techniques derive: AES-256, and SM4's only length."""


class BlockCipher:
    """The forward direction of one block cipher under one key; enough for every mode in this package."""

    def __init__(self, name: str, key: bytes) -> None:
        algorithm = algorithms.AES(key) if name == "aes" else algorithms.SM4(key)
        self._encryptor = Cipher(algorithm, modes.ECB()).encryptor()  # noqa: S305 - a building block of modes

    def encrypt(self, blocks: Bytes) -> Bytes:
        """Each of the (n, 16) blocks by itself."""
        source = np.ascontiguousarray(blocks)
        target = np.empty(source.size + BLOCK - 1, dtype=np.uint8)
        if source.size:
            self._encryptor.update_into(source.reshape(-1).data, target.data)
        return target[: source.size].reshape(-1, BLOCK)

    def encrypt_into(self, blocks: Bytes, target: Bytes) -> None:
        """The same into a flat array with 15 bytes more than ``blocks``; for loops that reuse their memory."""
        self._encryptor.update_into(blocks.reshape(-1).data, target.data)

    def one(self, block: bytes) -> bytes:
        return self._encryptor.update(block)
