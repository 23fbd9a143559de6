"""FF1 as NIST SP 800-38G, algorithm 7 writes it down: slow, plain, and owing nothing to the engine."""

from __future__ import annotations

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes


def ff1_encrypt(key: bytes, tweak: bytes, digits: str) -> str:
    """``digits`` (radix 10) encrypted under an AES ``key``."""
    block = Cipher(algorithms.AES(key), modes.ECB()).encryptor().update
    n, t = len(digits), len(tweak)
    u = n // 2
    v = n - u
    left, right = digits[:u], digits[u:]
    b = (((10**v - 1).bit_length()) + 7) // 8
    d = 4 * ((b + 3) // 4) + 4
    first = bytes([1, 2, 1, 0, 0, 10, 10, u % 256]) + n.to_bytes(4, "big") + t.to_bytes(4, "big")
    for i in range(10):
        second = tweak + bytes((-t - b - 1) % 16) + bytes([i]) + int(right).to_bytes(b, "big")
        state = bytes(16)
        message = first + second
        for start in range(0, len(message), 16):
            state = block(bytes(x ^ y for x, y in zip(state, message[start : start + 16], strict=True)))
        stream = state
        for j in range(1, -(-d // 16)):
            counter = j.to_bytes(16, "big")
            stream += block(bytes(x ^ y for x, y in zip(state, counter, strict=True)))
        m = u if i % 2 == 0 else v
        number = (int(left) + int.from_bytes(stream[:d], "big")) % 10**m
        left, right = right, str(number).zfill(m)
    return left + right
