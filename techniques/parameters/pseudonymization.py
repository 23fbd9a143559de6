"""Parameters of pseudonymisation (GB/T 37964 A.4)."""

from __future__ import annotations

import math
from typing import Literal, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from techniques.messages import gettext_noop
from techniques.parameters.base import Parameters, labels

ALPHABETS = {
    "hex": "0123456789abcdef",
    "base32": "0123456789ABCDEFGHJKMNPQRSTVWXYZ",  # without I, L, O, U: read aloud without mistakes
    "digits": "0123456789",
}
DIGEST_BITS = 256


class KeyedHash(Parameters):
    """A.4.3: a pseudonym derived by a keyed hash with a further secret input; it cannot be reversed."""

    algorithm: Literal["hmac-sm3", "hmac-sha256"] = Field(
        default="hmac-sm3",
        title=gettext_noop("Algorithm"),
        description=gettext_noop("Both give 256 bits; SM3 is the national commercial hash."),
        json_schema_extra=labels(**{"hmac-sm3": "HMAC-SM3", "hmac-sha256": "HMAC-SHA-256"}),
    )
    length: int = Field(
        default=32,
        ge=6,
        le=64,
        title=gettext_noop("Length of the pseudonym"),
        description=gettext_noop("In characters, without the prefix."),
    )
    alphabet: Literal["hex", "base32", "digits"] = Field(
        default="hex",
        title=gettext_noop("Characters"),
        description=gettext_noop("What a pseudonym is written with."),
        json_schema_extra=labels(
            hex=gettext_noop("Hexadecimal"),
            base32=gettext_noop("Letters and digits"),
            digits=gettext_noop("Digits only"),
        ),
    )
    prefix: str = Field(
        default="",
        max_length=10,
        title=gettext_noop("Prefix"),
        description=gettext_noop("Put before each pseudonym so that it cannot be taken for a real value."),
    )
    domain: str = Field(
        default="",
        max_length=100,
        title=gettext_noop("Pseudonym domain"),
        description=gettext_noop(
            "Columns and tables with the same domain and key get the same pseudonym for the same value and "
            "can be joined. Empty: the column's own name."
        ),
    )
    maximum_collision_probability: float = Field(
        default=1e-6,
        gt=0,
        le=1,
        title=gettext_noop("Highest chance that two values share a pseudonym"),
        description=gettext_noop("The run stops when the length is too short for the number of values."),
    )

    @property
    def bits(self) -> float:
        """Bits that a pseudonym of this length carries."""
        return min(float(DIGEST_BITS), self.length * math.log2(len(ALPHABETS[self.alphabet])))

    @model_validator(mode="after")
    def _within_digest(self) -> Self:
        if self.length * math.log2(len(ALPHABETS[self.alphabet])) > DIGEST_BITS:
            raise PydanticCustomError(
                "pseudonym_too_long", gettext_noop("is longer than the 256 bits of the hash allow")
            )
        return self
