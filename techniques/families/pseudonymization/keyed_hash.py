"""Pseudonymisation (GB/T 37964 A.4): pseudonyms derived from a value by a keyed hash."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from techniques.catalogue.pseudonymization import ALPHABETS, DIGEST_BITS, KeyedHashSettings
from techniques.core.messages import EngineError, _
from techniques.core.operations import Context, Outcome, StringArray, ValueOperation
from techniques.core.secrets import Secrets
from techniques.families.pseudonymization.digests import keyed_hashes

Digests = NDArray[np.uint8]
"""(n, 32)."""
Writer = Callable[[Digests, int, str], StringArray]
"""(digests, characters, what goes before them) → the pseudonyms."""
_HEXADECIMAL = np.frombuffer(bytes(range(256)).hex().encode(), np.uint16)
"""The two characters of each byte, as they lie in memory."""


def collision_probability(values: int, bits: float) -> float:
    """Chance that at least two of ``values`` distinct inputs share a pseudonym of ``bits`` bits."""
    pairs = values * (values - 1) / 2
    return -math.expm1(-pairs * 2.0**-bits)


def _key_and_salt(settings: KeyedHashSettings, secrets: Secrets) -> tuple[bytes, bytes]:
    """The further secret inputs of A.4.3, as far apart as equal values are to stay different.

    Inside a run the salt is the run's own. Otherwise both come from the one key of all that is to be joined, by HMAC under names
    that nothing else uses, and with no seed of a run.
    """
    match settings.joinable:
        case "run":
            return secrets.require_key(), secrets.require_salt()
        case "project":
            key = secrets.require_key()
        case "purpose":
            key = secrets.require_purpose(settings.purpose)
        case "never":
            key = secrets.require_once()
    of = f" of pseudonyms: {settings.joinable}: {settings.purpose}".encode()
    derived, salt = keyed_hashes(settings.algorithm, key, b"deid: ", pa.array([b"key" + of, b"salt" + of]))
    return derived.tobytes(), salt.tobytes()


class KeyedHash(ValueOperation):
    """A.4.3: HMAC under a secret key, salted, separated by domain, and cut to length.

    The message is ``len(salt) salt len(domain) domain value`` (lengths as 4 bytes), so that no two inputs
    of different domains can coincide.
    """

    def __init__(self, settings: KeyedHashSettings, context: Context) -> None:
        self.settings: KeyedHashSettings = settings
        domain = (settings.domain or context.columns[0]).encode()
        self.key, salt = _key_and_salt(settings, context.secrets)
        self.prefix = b"".join(len(part).to_bytes(4, "big") + part for part in (salt, domain))
        chance = collision_probability(context.rows, settings.bits)
        if chance > settings.maximum_collision_probability:
            raise EngineError(
                "pseudonym_too_short",
                _(
                    "Column %(column)s: with %(length)d characters, two of %(rows)d values share a pseudonym "
                    "with probability %(chance)s; at least %(needed)d characters are needed."
                ),
                column=context.columns[0],
                length=settings.length,
                rows=context.rows,
                chance=f"{chance:.2g}",
                needed=self._needed_length(context.rows),
            )

    def _needed_length(self, rows: int) -> int:
        per_character = math.log2(len(ALPHABETS[self.settings.alphabet]))
        pairs = max(rows * (rows - 1) / 2, 1)
        bits = math.log2(pairs / -math.log1p(-min(self.settings.maximum_collision_probability, 0.5)))
        return math.ceil(min(bits, DIGEST_BITS) / per_character)

    def facts(self) -> dict[str, Any]:
        """How far equal values get equal pseudonyms where that is not as ever, and for which purpose where there is one."""
        if self.settings.joinable == "run":
            return {}
        purpose = {"purpose": self.settings.purpose} if self.settings.purpose else {}
        return {"joinable": self.settings.joinable, **purpose}

    def apply(self, values: StringArray) -> Outcome:
        """One pseudonym per distinct value."""
        digests = keyed_hashes(self.settings.algorithm, self.key, self.prefix, values)
        return Outcome(_WRITERS[self.settings.alphabet](digests, self.settings.length, self.settings.prefix))


def _hex(digests: Digests, length: int, prefix: str) -> StringArray:
    """The first characters of the digest."""
    return _texts(prefix, _HEXADECIMAL[digests[:, : -(-length // 2)]].view(np.uint8)[:, :length])


def _base32(digests: Digests, length: int, prefix: str) -> StringArray:
    """The last characters of the digest as a number of base 32, so five bits each."""
    bits = np.unpackbits(digests[:, -5 * length // 8 :], axis=1)[:, -5 * length :]
    letters = bits.reshape(len(digests), length, 5) @ (1 << np.arange(4, -1, -1, dtype=np.uint8))
    return _texts(prefix, np.frombuffer(ALPHABETS["base32"].encode(), np.uint8)[letters])


def _texts(prefix: str, letters: NDArray[np.uint8]) -> StringArray:
    """The rows of (n, length) as texts, each behind ``prefix``."""
    head = np.frombuffer(prefix.encode(), np.uint8)
    whole = np.empty((len(letters), len(head) + letters.shape[1]), np.uint8)
    whole[:, : len(head)] = head
    whole[:, len(head) :] = letters
    kind = pa.binary(whole.shape[1])
    cells = pa.FixedSizeBinaryArray.from_buffers(kind, len(whole), [None, pa.py_buffer(whole)])
    return cells.cast(pa.string())


def _digits(digests: Digests, length: int, prefix: str) -> StringArray:
    """The last digits of the digest as a number."""
    numbers = (int.from_bytes(digest.tobytes(), "big") % 10**length for digest in digests)
    return pa.array([prefix + str(number).zfill(length) for number in numbers], pa.string())


_WRITERS: dict[str, Writer] = {"hex": _hex, "base32": _base32, "digits": _digits}
