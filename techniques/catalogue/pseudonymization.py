"""Pseudonymisation (GB/T 37964 A.4): settings and rows."""

from __future__ import annotations

import math
from typing import Literal, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from techniques.catalogue.family import Family
from techniques.catalogue.table_c1 import NO, PARTLY, TABLE_C1, YES
from techniques.catalogue.technique import ANY_TYPE, IDENTIFYING, Claims, Scope, Technique, WayBack
from techniques.core.attributes import AttributeRole, DataType
from techniques.core.messages import gettext_noop
from techniques.core.settings import TechniqueSettings, labels

ALPHABETS = {
    "hex": "0123456789abcdef",
    "base32": "0123456789ABCDEFGHJKMNPQRSTVWXYZ",  # without I, L, O, U: read aloud without mistakes
    "digits": "0123456789",
}
DIGEST_BITS = 256


class KeyedHashSettings(TechniqueSettings):
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


KEYED_HASH = Technique(
    key="pseudonymization.keyed_hash",
    family=Family.PSEUDONYMISATION,
    name=gettext_noop("Pseudonym by keyed hash"),
    summary=gettext_noop(
        "The same value always gets the same pseudonym under one key; without the key it can neither be "
        "reversed nor guessed by trying all values."
    ),
    clauses=("A.4.3", "A.2.1", "A.4.1"),
    scope=Scope.COLUMN,
    settings=KeyedHashSettings,
    implementation="techniques.families.pseudonymization.keyed_hash:KeyedHash",
    roles=IDENTIFYING,
    data_types=ANY_TYPE,
    properties=TABLE_C1["pseudonymisation"],
    needs_key=True,
    claims=Claims(
        order=NO,
        format=NO,
        type=NO,
        distinctness=YES,
        statistics=PARTLY,
        reversible=NO,
        notes=gettext_noop(
            "How often each value occurs stays; two values share a pseudonym with no more than the stated chance."
        ),
        not_for=gettext_noop(
            "Not as the only measure: who knows when a person appears may still find the rows."
        ),
    ),
    way_back=WayBack.RECOMPUTATION,
    joins_tables=True,
)


class RandomPseudonymSettings(TechniqueSettings):
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

    @property
    def one_to_one(self) -> bool:
        """Always."""
        return True


RANDOM_PSEUDONYM = Technique(
    key="pseudonymization.random",
    family=Family.PSEUDONYMISATION,
    name=gettext_noop("Random pseudonym with a mapping table"),
    summary=gettext_noop(
        "Each value gets a pseudonym that has nothing to do with it; only the mapping table of the run tells "
        "which is whose."
    ),
    clauses=("A.4.2", "A.4.1", "C.2.1", "C.2.5"),
    scope=Scope.COLUMN,
    settings=RandomPseudonymSettings,
    implementation="techniques.families.pseudonymization.random:RandomPseudonym",
    roles=IDENTIFYING,
    data_types=ANY_TYPE,
    properties=TABLE_C1["pseudonymisation"],
    random=True,
    claims=Claims(
        order=NO,
        format=NO,
        type=NO,
        distinctness=YES,
        statistics=PARTLY,
        reversible=PARTLY,
        notes=gettext_noop(
            "How often each value occurs stays; the values come back with the mapping table alone, which is "
            "made anew by a run with the same seed and source."
        ),
        not_for=gettext_noop(
            "Not where several tables or releases are to be joined: use the keyed hash for that."
        ),
    ),
    way_back=WayBack.MAPPING_TABLE,
)


class NameDictionarySettings(TechniqueSettings):
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

    @property
    def one_to_one(self) -> bool:
        """Where that is chosen; else several values may share a name."""
        return self.mode == "one_to_one"


NAME_DICTIONARY = Technique(
    key="pseudonymization.name_dictionary",
    family=Family.PSEUDONYMISATION,
    name=gettext_noop("Names from a dictionary"),
    summary=gettext_noop("Each name becomes one from a dictionary, shared with others or of its own."),
    clauses=("A.4.5", "A.4.4", "C.2.1"),
    scope=Scope.COLUMN,
    settings=NameDictionarySettings,
    implementation="techniques.families.pseudonymization.name_dictionary:NameDictionary",
    roles=frozenset({AttributeRole.DIRECT_IDENTIFIER}),
    data_types=frozenset({DataType.TEXT}),
    properties=TABLE_C1["pseudonymisation"],
    needs_key=True,
    random=True,
    claims=Claims(
        order=NO,
        format=NO,
        type=YES,
        distinctness=PARTLY,
        statistics=PARTLY,
        reversible=NO,
        notes=gettext_noop(
            "Equal values get equal names. Many to one, different values may share a name, and counts of "
            "people come out too low; the report says by how many."
        ),
        not_for=gettext_noop(
            "Not without a note that the names are made up: a result may be the name of a real person."
        ),
    ),
    way_back=WayBack.MAPPING_TABLE,
)


TECHNIQUES = (
    KEYED_HASH,
    RANDOM_PSEUDONYM,
    NAME_DICTIONARY,
)
