"""Parameters of pseudonymisation (GB/T 37964 A.4)."""

from __future__ import annotations

import math
from typing import Literal, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from techniques.core.messages import gettext_noop
from techniques.core.settings import Parameters, labels

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


class RandomPseudonym(Parameters):
    """A.4.2: a pseudonym that has nothing to do with the value, kept in a mapping table."""

    length: int = Field(
        default=10,
        ge=4,
        le=18,
        title=gettext_noop("Length of the pseudonym"),
        description=gettext_noop("In characters, without the prefix."),
    )
    alphabet: Literal["hex", "base32", "digits"] = Field(
        default="digits",
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

    @property
    def domain_size(self) -> int:
        """How many pseudonyms there are."""
        return int(len(ALPHABETS[self.alphabet]) ** self.length)

    @model_validator(mode="after")
    def _room(self) -> Self:
        if not 1_000_000 <= self.domain_size <= 1 << 62:
            raise PydanticCustomError(
                "pseudonym_length",
                gettext_noop("must leave a million pseudonyms or more, and fit into 62 bits"),
            )
        return self


class NameDictionary(Parameters):
    """A.4.5: each value becomes a name from a dictionary."""

    mode: Literal["many_to_one", "one_to_one"] = Field(
        default="many_to_one",
        title=gettext_noop("Assignment"),
        description=gettext_noop(
            "Many to one hides better and distorts counts of people; one to one keeps them."
        ),
        json_schema_extra=labels(
            many_to_one=gettext_noop("Many to one: different values may share a name"),
            one_to_one=gettext_noop("One to one: every value has a name of its own"),
        ),
    )
    size: int = Field(
        default=200,
        ge=2,
        le=100_000,
        title=gettext_noop("Number of names in the dictionary"),
        description=gettext_noop("So many made-up names are used if you give none of your own."),
    )
    names: list[str] = Field(
        default_factory=list,
        max_length=100_000,
        title=gettext_noop("Names of your own"),
        description=gettext_noop("Empty: made-up Chinese names."),
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

    @model_validator(mode="after")
    def _different(self) -> Self:
        if len(set(self.names)) != len(self.names) or len(self.names) == 1 or "" in self.names:
            raise PydanticCustomError(
                "names_not_different", gettext_noop("needs at least two names, all different")
            )
        return self
