"""Deterministic authenticated encryption in synthetic-IV mode (RFC 5297), batched.

The mode is defined for AES; with SM4 in the cipher's place everything else stays: S2V over CMAC gives the
synthetic IV, counter mode under a second key the ciphertext. Texts of one length go through together.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from techniques.families.encryption.ciphers.blocks import BLOCK, BlockCipher, Bytes

_CHUNK = 1 << 14


def _double(block: bytes) -> bytes:
    """Multiplication by x in GF(2^128) as CMAC has it."""
    number = int.from_bytes(block, "big") << 1
    if number >> 128:
        number = (number & ((1 << 128) - 1)) ^ 0x87
    return number.to_bytes(BLOCK, "big")


def _xor(left: bytes, right: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(left, right, strict=True))


def _as_block(block: bytes) -> Bytes:
    return np.frombuffer(block, dtype=np.uint8)


class SyntheticIv:
    """RFC 5297 with ``cipher`` ``aes`` or ``sm4``; ``key`` is both keys, one after the other.

    ``associated`` are the texts that the ciphertext is bound to, the same for the whole batch.
    """

    def __init__(self, cipher: str, key: bytes, associated: Sequence[bytes] = ()) -> None:
        half = len(key) // 2
        self._mac, self._counter = BlockCipher(cipher, key[:half]), BlockCipher(cipher, key[half:])
        self._key1 = _double(self._mac.one(bytes(BLOCK)))
        self._key2 = _double(self._key1)
        state = self._cmac_one(bytes(BLOCK))
        for text in associated:
            state = _xor(_double(state), self._cmac_one(text))
        self._state = state

    def _cmac_one(self, message: bytes) -> bytes:
        matrix = np.frombuffer(message, dtype=np.uint8).reshape(1, -1)
        return self._cmac(matrix).tobytes()

    def _cmac(self, messages: Bytes) -> Bytes:
        """CMAC (NIST SP 800-38B) of n messages of equal length: (n, 16)."""
        rows, length = messages.shape
        blocks = max(1, -(-length // BLOCK))
        padded = np.zeros((rows, blocks * BLOCK), dtype=np.uint8)
        padded[:, :length] = messages
        if length == blocks * BLOCK:
            last = self._key1
        else:
            padded[:, length] = 0x80
            last = self._key2
        padded[:, -BLOCK:] ^= _as_block(last)
        chain = np.zeros((rows, BLOCK), dtype=np.uint8)
        for start in range(0, blocks * BLOCK, BLOCK):
            chain = self._mac.encrypt(chain ^ padded[:, start : start + BLOCK])
        return chain

    def _vectors(self, texts: Bytes) -> Bytes:
        """S2V of n plaintexts of equal length."""
        length = texts.shape[1]
        if length >= BLOCK:
            bound = texts.copy()
            bound[:, -BLOCK:] ^= _as_block(self._state)
        else:
            bound = np.zeros((len(texts), BLOCK), dtype=np.uint8)
            bound[:, :length] = texts
            bound[:, length] = 0x80
            bound ^= _as_block(_double(self._state))
        return self._cmac(bound)

    def _stream(self, vectors: Bytes, length: int) -> Bytes:
        """Key stream of ``length`` bytes under each synthetic IV, two of whose bits are cleared for it."""
        start = vectors.copy()
        start[:, 8] &= 0x7F
        start[:, 12] &= 0x7F
        blocks = -(-length // BLOCK)
        words = np.ascontiguousarray(start).view(">u8")
        counters = np.repeat(words[:, None, :], blocks, axis=1).astype(np.uint64)
        # Bit 63 is clear, so that a text of less than 2^35 bytes never carries into the upper word.
        counters[:, :, 1] += np.arange(blocks, dtype=np.uint64)
        stream = self._counter.encrypt(counters.astype(">u8").view(np.uint8).reshape(-1, BLOCK))
        return stream.reshape(len(vectors), blocks * BLOCK)[:, :length]

    def encrypt(self, texts: Bytes) -> Bytes:
        """n plaintexts of equal length → (n, 16 + length): synthetic IV and ciphertext."""
        rows, length = texts.shape
        result = np.empty((rows, BLOCK + length), dtype=np.uint8)
        for start in range(0, rows, _CHUNK):
            part = texts[start : start + _CHUNK]
            vectors = self._vectors(part)
            result[start : start + _CHUNK, :BLOCK] = vectors
            if length:
                result[start : start + _CHUNK, BLOCK:] = part ^ self._stream(vectors, length)
        return result

    def decrypt(self, sealed: Bytes) -> tuple[Bytes, np.ndarray[tuple[int], np.dtype[np.bool_]]]:
        """The plaintexts of what :meth:`encrypt` gave, and which of them are genuine; only those may be used."""
        rows, length = sealed.shape[0], sealed.shape[1] - BLOCK
        vectors = np.ascontiguousarray(sealed[:, :BLOCK])
        texts = sealed[:, BLOCK:] ^ self._stream(vectors, length) if length else sealed[:, BLOCK:].copy()
        genuine = (self._vectors(texts) == vectors).all(axis=1) if rows else np.zeros(0, dtype=np.bool_)
        return texts, genuine
