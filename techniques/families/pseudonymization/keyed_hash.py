"""Pseudonymisation (GB/T 37964 A.4): pseudonyms derived from a value by a keyed hash."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import pyarrow as pa
from cryptography.hazmat.primitives import hashes, hmac

from techniques.catalogue.pseudonymization import ALPHABETS, DIGEST_BITS, KeyedHashSettings
from techniques.core.messages import EngineError, _
from techniques.core.operations import Context, Outcome, StringArray, ValueOperation
from techniques.core.secrets import Secrets

_HASHES: dict[str, type[hashes.HashAlgorithm]] = {"hmac-sm3": hashes.SM3, "hmac-sha256": hashes.SHA256}


def keyed_hashes(algorithm: str, key: bytes, prefix: bytes, messages: Iterable[bytes]) -> list[bytes]:
    """HMAC of ``prefix + message`` for each message, 32 bytes each.

    The key schedule and the prefix are absorbed once; per message one copy of that state is finished.
    """
    start = hmac.HMAC(key, _HASHES[algorithm]())
    start.update(prefix)
    digests = []
    for message in messages:
        state = start.copy()
        state.update(message)
        digests.append(state.finalize())
    return digests


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
    derived, salt = keyed_hashes(settings.algorithm, key, b"deid: ", [b"key" + of, b"salt" + of])
    return derived, salt


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
        digests = keyed_hashes(
            self.settings.algorithm, self.key, self.prefix, map(str.encode, values.to_pylist())
        )
        write: Any = _WRITERS[self.settings.alphabet]
        names = write(digests, self.settings.length)
        return Outcome(pa.array([self.settings.prefix + name for name in names], pa.string()))


def _hex(digests: Sequence[bytes], length: int) -> list[str]:
    # At once: a call for each takes as long as a tenth of its hash.
    whole, digits = b"".join(digests).hex(), DIGEST_BITS // 4
    return [whole[at : at + length] for at in range(0, len(whole), digits)]


def _radix(alphabet: str) -> Any:
    base = len(alphabet)

    def written(digest: bytes, length: int) -> str:
        number = int.from_bytes(digest, "big") % base**length
        letters = []
        for _place in range(length):
            number, letter = divmod(number, base)
            letters.append(alphabet[letter])
        return "".join(reversed(letters))

    return lambda digests, length: [written(digest, length) for digest in digests]


def _digits(digests: Sequence[bytes], length: int) -> list[str]:
    return [str(int.from_bytes(digest, "big") % 10**length).zfill(length) for digest in digests]


_WRITERS = {"hex": _hex, "base32": _radix(ALPHABETS["base32"]), "digits": _digits}
