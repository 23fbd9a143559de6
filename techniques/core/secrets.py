"""The secret inputs of a run, and the random numbers drawn from them, which nobody else can foresee.

A run with the same secrets gives the same bytes. Draws come from AES-256 (SM4 where that is asked for) in
counter mode under a key derived from the seed and a label, so that each step and each part of a file has a stream of its own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.hashes import SHA256, SM3
from cryptography.hazmat.primitives.hmac import HMAC
from numpy.typing import NDArray

from techniques.core.messages import EngineError, _

MINIMUM_KEY_BYTES = 16


def _hmac(key: bytes, message: bytes, digest: str) -> bytes:
    state = HMAC(key, SM3() if digest == "sm3" else SHA256())
    state.update(message)
    return state.finalize()


def _long_enough(key: bytes) -> bytes:
    if not key:
        raise EngineError("key_missing", _("This recipe needs a secret key."))
    if len(key) < MINIMUM_KEY_BYTES:
        text = _("The secret key must have at least %(bytes)d bytes.")
        raise EngineError("key_too_short", text, bytes=MINIMUM_KEY_BYTES)
    return key


@dataclass(frozen=True)
class Secrets:
    """``key`` for pseudonyms, ``seed`` for draws, ``salt`` the further random input of A.4.3.

    An empty salt is derived from the seed: two runs with one key and different seeds then give pseudonyms that cannot
    be joined. ``key`` may be empty where no step needs it.
    """

    key: bytes = field(repr=False)
    seed: bytes | int = field(repr=False)
    salt: bytes = field(default=b"", repr=False)
    purposes: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    """Name of a purpose → the key that all projects of it share."""
    once: bytes = field(default=b"", repr=False)
    """A key for this run alone, which nobody keeps."""
    national: bool = False
    """Draw and derive by SM3 and SM4 alone, where a policy allows national commercial cryptography only."""

    @property
    def seed_bytes(self) -> bytes:
        """The seed as bytes; an integer is written in decimal."""
        return self.seed if isinstance(self.seed, bytes) else str(self.seed).encode()

    def require_key(self) -> bytes:
        """The key; EngineError ``key_missing`` or ``key_too_short``."""
        return _long_enough(self.key)

    def require_purpose(self, purpose: str) -> bytes:
        """The key of a purpose; EngineError ``purpose_key_missing`` or ``key_too_short``."""
        if purpose not in self.purposes:
            text = _("The pseudonyms of the purpose “%(purpose)s” need the key that its projects share.")
            raise EngineError("purpose_key_missing", text, purpose=purpose)
        return _long_enough(self.purposes[purpose])

    def require_once(self) -> bytes:
        """The key of this run alone; EngineError ``key_missing`` where it is gone."""
        return _long_enough(self.once)

    def require_salt(self) -> bytes:
        """The salt, own or derived; EngineError ``salt_missing`` where there is neither salt nor seed."""
        if self.salt:
            return self.salt
        if not self.seed_bytes:
            raise EngineError("salt_missing", _("A keyed hash is never made without a salt."))
        return _hmac(self.seed_bytes, b"deid: salt of pseudonyms", self._digest)

    def report_fingerprints(self) -> dict[str, str]:
        """What names key and salt without telling them, for the report of a run: 16 hexadecimal digits of each.

        The salt's is under the key too, for a seed may be short enough to be guessed.
        """
        key = self.require_key()
        salt = self.salt or self.seed_bytes
        named = {"key": b"deid: fingerprint of the key", "salt": b"deid: fingerprint of the salt" + salt}
        return {name: _hmac(key, text, self._digest).hex()[:16] for name, text in named.items()}

    def purpose_fingerprints(self) -> dict[str, str]:
        """The same of the key of each purpose."""
        return {
            name: _hmac(key, b"deid: fingerprint of the key", self._digest).hex()[:16]
            for name, key in self.purposes.items()
        }

    def derive(self, purpose: str, length: int, *, national: bool = False, joinable: bool = True) -> bytes:
        """A key of ``length`` bytes for one ``purpose`` alone (NIST SP 800-108, counter mode).

        ``national`` derives it by HMAC-SM3. If not ``joinable``, the salt goes into it: runs with other
        seeds then give results that cannot be joined with those of this one.
        """
        digest = "sm3" if national or self.national else "sha256"
        context = b"deid: key: " + purpose.encode() + b"\0" + (b"" if joinable else self.require_salt())
        key = self.require_key()
        blocks = -(-length // 32)
        parts = [_hmac(key, i.to_bytes(4, "big") + context, digest) for i in range(1, blocks + 1)]
        return b"".join(parts)[:length]

    def seeded_key(self, label: str) -> bytes:
        """A key of 32 bytes that only the seed foretells, another one for every label."""
        return _hmac(self.seed_bytes, b"deid: seeded key: " + label.encode(), self._digest)

    def shared_key(self, label: str) -> bytes:
        """A key of 32 bytes that all runs with this salt share, another one for every label."""
        return _hmac(self.require_salt(), b"deid: shared key: " + label.encode(), self._digest)

    @property
    def _digest(self) -> str:
        return "sm3" if self.national else "sha256"

    def words(self, label: str, count: int) -> NDArray[np.uint64]:
        """``count`` random words of 64 bits; the same label gives the same words."""
        message = b"deid: draws: " + label.encode()
        cipher: algorithms.SM4 | algorithms.AES
        if self.national:
            cipher = algorithms.SM4(_hmac(self.seed_bytes, message, "sm3")[:16])
        else:
            cipher = algorithms.AES(_hmac(self.seed_bytes, message, "sha256"))
        stream = Cipher(cipher, modes.CTR(bytes(16))).encryptor()
        return np.frombuffer(stream.update(bytes(8 * count)), dtype="<u8")

    def uniform(self, label: str, count: int) -> NDArray[np.float64]:
        """``count`` draws from [0, 1) with 53 bits each; the same label gives the same draws."""
        draws: NDArray[np.float64] = (self.words(label, count) >> np.uint64(11)).astype(np.float64) * 2.0**-53
        return draws

    def fingerprint(self) -> str:
        """16 hex digits that tell two sets of secrets apart and give neither away."""
        others = [part for name, key in sorted(self.purposes.items()) for part in (name.encode(), key)]
        others += [b"once", self.once] if self.once else []
        parts = (
            self.key, self.seed_bytes, self.salt, *others, *((b"national",) if self.national else ())
        )  # fmt: skip
        inner = b"".join(len(part).to_bytes(8, "big") + part for part in parts)
        return hashlib.sha256(b"deid: fingerprint" + hashlib.sha256(inner).digest()).hexdigest()[:16]
