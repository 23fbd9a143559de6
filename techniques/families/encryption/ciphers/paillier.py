"""A.2.5: Paillier's cryptosystem. Whoever has the public key can add; only the private key decrypts.

The variant of Damgård, Jurik and Nielsen (2010): randomness is a power of one fixed element, so that a table
of its powers saves most of the work. The key pair grows out of a secret seed and need not be kept itself.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

_WINDOW = 8
_ROUNDS = 24
_SMALL = math.prod(p for p in range(3, 2000, 2) if all(p % q for q in range(3, math.isqrt(p) + 1, 2)))


@dataclass(frozen=True)
class PublicKey:
    """The modulus: enough to add ciphertexts and to multiply them by open numbers."""

    n: int

    @cached_property
    def square(self) -> int:
        """The modulus of ciphertexts."""
        return self.n * self.n

    def add(self, ciphertexts: Iterable[int]) -> int:
        """A ciphertext of the sum."""
        product = 1
        for ciphertext in ciphertexts:
            product = product * ciphertext % self.square
        return product

    def multiply(self, ciphertext: int, factor: int) -> int:
        """A ciphertext of the product with an open whole number."""
        return pow(ciphertext, factor, self.square)


class PrivateKey:
    """Primes p and q, both 3 modulo 4."""

    def __init__(self, p: int, q: int, base: int) -> None:
        self.public = PublicKey(p * q)
        n, square = self.public.n, self.public.square
        self._p, self._q = p, q
        self._exponent = math.lcm(p - 1, q - 1)
        self._inverse = pow(self._exponent, -1, n)
        self._element = pow(-base * base % n, n, square)
        self._bits = -(-n.bit_length() // 2)

    @cached_property
    def _halves(self) -> list[tuple[int, list[list[int]]]]:
        """Per prime: its square and the powers of the fixed element, a row per window of the exponent."""
        return [
            (prime * prime, _powers(self._element, prime * prime, self._bits)) for prime in (self._p, self._q)
        ]

    @cached_property
    def _joint(self) -> int:
        """Joins residues modulo p² and q²."""
        p2, q2 = self._p**2, self._q**2
        return q2 * pow(q2, -1, p2)

    @property
    def random_bytes(self) -> int:
        """How much randomness an encryption needs."""
        return -(-self._bits // 8)

    def encrypt(self, number: int, randomness: bytes) -> int:
        """A ciphertext of a whole number of absolute value below n/2."""
        parts = []
        for modulus, table in self._halves:
            product = 1
            for row, window in zip(table, randomness, strict=False):
                product = product * row[window] % modulus
            parts.append(product)
        square = self.public.square
        mask = (parts[1] + (parts[0] - parts[1]) * self._joint) % square
        return (1 + number * self.public.n) * mask % square

    def decrypt(self, ciphertext: int) -> int:
        """The number, between -n/2 and n/2."""
        n = self.public.n
        lifted = pow(ciphertext, self._exponent, self.public.square)
        number = (lifted - 1) // n * self._inverse % n
        return number - n if number > n // 2 else number


def _powers(element: int, modulus: int, bits: int) -> list[list[int]]:
    table = []
    step = element % modulus
    for _ in range(-(-bits // _WINDOW)):
        row = [1]
        for _ in range((1 << _WINDOW) - 1):
            row.append(row[-1] * step % modulus)
        table.append(row)
        step = row[-1] * step % modulus
    return table


@lru_cache(maxsize=4)
def key_from_seed(seed: bytes, bits: int) -> PrivateKey:
    """The key pair of ``bits`` that grows out of 32 secret bytes, always the same."""
    stream = Cipher(algorithms.AES(seed), modes.CTR(bytes(16))).encryptor()

    def draw(size: int) -> int:
        return int.from_bytes(stream.update(bytes(size // 8)), "big")

    def prime() -> int:
        half = bits // 2
        while True:
            # The two top bits make n exactly ``bits`` long; the two lowest make p 3 modulo 4.
            candidate = draw(half) | (3 << (half - 2)) | 3
            if math.gcd(candidate, _SMALL) == 1 and _is_prime(
                candidate, [draw(half) for _ in range(_ROUNDS)]
            ):
                return candidate

    p = prime()
    q = prime()
    while q == p or math.gcd(p - 1, q - 1) != 2:
        q = prime()
    return PrivateKey(p, q, draw(bits) % (p * q))


def _is_prime(number: int, bases: list[int]) -> bool:
    """Miller and Rabin for a number that is 3 modulo 4: one squaring less than none."""
    half = (number - 1) // 2
    return all(pow(base % (number - 3) + 2, half, number) in (1, number - 1) for base in bases)


def randomness(key: bytes, label: bytes, number: int, size: int) -> bytes:
    """Bytes that depend on place and number, so that two different numbers never share them."""
    parts = (key, label, str(number).encode())
    return hashlib.shake_256(b"".join(len(p).to_bytes(4, "big") + p for p in parts)).digest(size)
