"""Pseudonymisation (GB/T 37964 A.4): settings and rows."""

from __future__ import annotations

import math
from functools import partial
from typing import Literal, Self

from pydantic import model_validator
from pydantic_core import PydanticCustomError

from techniques.catalogue.family import Family
from techniques.catalogue.table_c1 import PARTLY, TABLE_C1, YES
from techniques.catalogue.technique import ANY_TYPE, IDENTIFYING, Claims, Scope, Technique, WayBack
from techniques.core.attributes import AttributeRole, DataType
from techniques.core.messages import _
from techniques.core.settings import TechniqueSettings, setting

ALPHABETS = {
    "hex": "0123456789abcdef",
    "base32": "0123456789ABCDEFGHJKMNPQRSTVWXYZ",  # without I, L, O, U: read aloud without mistakes
    "digits": "0123456789",
}
Alphabet = Literal["hex", "base32", "digits"]
DIGEST_BITS = 256

_row = partial(
    Technique, family=Family.PSEUDONYMISATION, scope=Scope.COLUMN, properties=TABLE_C1["pseudonymisation"]
)
_length = partial(setting, _("Length of the pseudonym"), _("In characters, without the prefix."))
_alphabet = partial(
    setting,
    _("Characters"),
    _("What a pseudonym is written with."),
    labels={"hex": _("Hexadecimal"), "base32": _("Letters and digits"), "digits": _("Digits only")},
)
_prefix = partial(
    setting,
    _("Prefix"),
    _("Put before each pseudonym so that it cannot be taken for a real value."),
    "",
    max_length=10,
)
_domain = partial(
    setting,
    _("Pseudonym domain"),
    _(
        "Columns and tables with the same domain and key get the same pseudonym for the same value and "
        "can be joined. Empty: the column's own name."
    ),
    "",
    max_length=100,
)


Joinable = Literal["run", "project", "purpose", "never"]


def _as_before(given: object) -> bool:
    """What recipes of before the choice mean by saying nothing is left out, so that their hashes stay."""
    return given in ("run", "")


_JOINED = {
    "project": _(
        "Equal values have equal pseudonyms in the other releases of this project that say so too. Join them with those only, as "
        "far as the agreement allows it, and with nothing else."
    ),
    "purpose": _(
        "Equal values have equal pseudonyms in the releases of every project that say so for the purpose “%(purpose)s”. Join them "
        "with those only, as far as the agreement allows it, and with nothing else."
    ),
}
"""What a recipient is told where the linking of releases was chosen."""


class KeyedHashSettings(TechniqueSettings):
    """A.4.3: a pseudonym derived by a keyed hash with a further secret input; it cannot be reversed."""

    algorithm: Literal["hmac-sm3", "hmac-sha256"] = setting(
        _("Algorithm"),
        _("Both give 256 bits; SM3 is the national commercial hash."),
        "hmac-sm3",
        labels={"hmac-sm3": "HMAC-SM3", "hmac-sha256": "HMAC-SHA-256"},
    )
    length: int = _length(32, between=(6, 64))
    alphabet: Alphabet = _alphabet("hex")
    prefix: str = _prefix()
    domain: str = _domain()
    joinable: Joinable = setting(
        _("Where equal values get equal pseudonyms"),
        _(
            "Inside one run: two releases cannot be joined by this column, and whoever is allowed to use the kept key finds out "
            "whose a pseudonym is. In the project or the purpose: whoever has two releases joins them person by person. Inside one "
            "run with a key that is destroyed: nobody works the pseudonyms out again, not even the organisation."
        ),
        "run",
        labels={
            "run": _("Only inside this run; the key is kept"),
            "project": _("In every run of the project"),
            "purpose": _("In every project of one purpose"),
            "never": _("Only inside this run; its key is destroyed after it"),
        },
        exclude_if=_as_before,
    )
    purpose: str = setting(
        _("Purpose that the projects share"),
        _(
            "Only for projects of one purpose: its name, written alike in all of them. The columns need the same pseudonym domain "
            "as well."
        ),
        "",
        max_length=60,
        exclude_if=_as_before,
    )
    maximum_collision_probability: float = setting(
        _("Highest chance that two values share a pseudonym"),
        _("The run stops when the length is too short for the number of values."),
        1e-6,
        gt=0,
        le=1,
    )

    @property
    def bits(self) -> float:
        """Bits that a pseudonym of this length carries."""
        return min(float(DIGEST_BITS), self.length * math.log2(len(ALPHABETS[self.alphabet])))

    @property
    def rests_on_key(self) -> bool:
        """Not where a purpose has a key of its own, or the key is destroyed after the run."""
        return self.joinable in ("run", "project")

    @property
    def joins_releases(self) -> bool:
        """Where the project or the purpose gives the key."""
        return self.joinable in ("project", "purpose")

    @property
    def notice(self) -> str:
        """Where the project or the purpose gives the key, its releases were made to be joined."""
        return _JOINED.get(self.joinable, "")

    @model_validator(mode="after")
    def _purpose_named(self) -> Self:
        if (self.joinable == "purpose") != bool(self.purpose.strip()):
            raise PydanticCustomError(
                "purpose_named", _("names a purpose if pseudonyms join the projects of one, and only then")
            )
        return self

    @model_validator(mode="after")
    def _within_digest(self) -> Self:
        if self.length * math.log2(len(ALPHABETS[self.alphabet])) > DIGEST_BITS:
            raise PydanticCustomError(
                "pseudonym_too_long", _("is longer than the 256 bits of the hash allow")
            )
        return self


KEYED_HASH = _row(
    key="pseudonymization.keyed_hash",
    name=_("Pseudonym by keyed hash"),
    summary=_(
        "The same value gets the same pseudonym in one run, in the project or in all projects of a purpose, as you choose; "
        "without the key it can neither be reversed nor guessed by trying all values."
    ),
    clauses=("A.4.3", "A.2.1", "A.4.1"),
    settings=KeyedHashSettings,
    implementation="techniques.families.pseudonymization.keyed_hash:KeyedHash",
    roles=IDENTIFYING,
    data_types=ANY_TYPE,
    needs_key=True,
    claims=Claims(distinctness=YES, statistics=PARTLY),
    keeps=_(
        "How often each value occurs stays; two values share a pseudonym with no more than the stated chance."
    ),
    not_for=_("Not as the only measure: who knows when a person appears may still find the rows."),
    way_back=WayBack.RECOMPUTATION,
    joins_tables=True,
)


class RandomPseudonymSettings(TechniqueSettings):
    """A.4.2: a pseudonym that has nothing to do with the value, kept in a mapping table."""

    length: int = _length(10, between=(4, 18))
    alphabet: Alphabet = _alphabet("digits")
    prefix: str = _prefix()

    @property
    def domain_size(self) -> int:
        """How many pseudonyms there are."""
        return int(len(ALPHABETS[self.alphabet]) ** self.length)

    @model_validator(mode="after")
    def _room(self) -> Self:
        if not 1_000_000 <= self.domain_size <= 1 << 62:
            raise PydanticCustomError(
                "pseudonym_length", _("must leave a million pseudonyms or more, and fit into 62 bits")
            )
        return self

    @property
    def one_to_one(self) -> bool:
        """Always."""
        return True


RANDOM_PSEUDONYM = _row(
    key="pseudonymization.random",
    name=_("Random pseudonym with a mapping table"),
    summary=_(
        "Each value gets a pseudonym that has nothing to do with it; only the mapping table of the run tells "
        "which is whose."
    ),
    clauses=("A.4.2", "A.4.1", "C.2.1", "C.2.5"),
    settings=RandomPseudonymSettings,
    implementation="techniques.families.pseudonymization.random:RandomPseudonym",
    roles=IDENTIFYING,
    data_types=ANY_TYPE,
    random=True,
    claims=Claims(distinctness=YES, statistics=PARTLY, reversible=PARTLY),
    replaces_by_made_up=True,
    keeps=_(
        "How often each value occurs stays; the values come back with the mapping table alone, which is "
        "made anew by a run with the same seed and source."
    ),
    not_for=_("Not where several tables or releases are to be joined: use the keyed hash for that."),
    way_back=WayBack.MAPPING_TABLE,
)


class NameDictionarySettings(TechniqueSettings):
    """A.4.5: each value becomes a name from a dictionary."""

    mode: Literal["many_to_one", "one_to_one"] = setting(
        _("Assignment"),
        _("Many to one hides better and distorts counts of people; one to one keeps them."),
        "many_to_one",
        labels={
            "many_to_one": _("Many to one: different values may share a name"),
            "one_to_one": _("One to one: every value has a name of its own"),
        },
    )
    size: int = setting(
        _("Number of names in the dictionary"),
        _("So many made-up names are used if you give none of your own."),
        200,
        between=(2, 100_000),
    )
    names: list[str] = setting(
        _("Names of your own"), _("Empty: made-up Chinese names."), default_factory=list, max_length=100_000
    )
    domain: str = _domain()

    @model_validator(mode="after")
    def _different(self) -> Self:
        if len(set(self.names)) != len(self.names) or len(self.names) == 1 or "" in self.names:
            raise PydanticCustomError("names_not_different", _("needs at least two names, all different"))
        return self

    @property
    def one_to_one(self) -> bool:
        """Where that is chosen; else several values may share a name."""
        return self.mode == "one_to_one"

    @property
    def notice(self) -> str:
        """Where values may share a name, equal names say nothing."""
        if self.one_to_one:
            return ""
        return _(
            "Different values may have got the same name: equal names do not tell that rows belong "
            "together, and people counted by them may be too few. Do not join them with anything "
            "else."
        )


NAME_DICTIONARY = _row(
    key="pseudonymization.name_dictionary",
    name=_("Names from a dictionary"),
    summary=_("Each name becomes one from a dictionary, shared with others or of its own."),
    clauses=("A.4.5", "A.4.4", "C.2.1"),
    settings=NameDictionarySettings,
    implementation="techniques.families.pseudonymization.name_dictionary:NameDictionary",
    roles=frozenset({AttributeRole.DIRECT_IDENTIFIER}),
    data_types=frozenset({DataType.TEXT}),
    needs_key=True,
    random=True,
    claims=Claims(type=YES, distinctness=PARTLY, statistics=PARTLY),
    replaces_by_made_up=True,
    keeps=_(
        "Equal values get equal names. Many to one, different values may share a name, and counts of "
        "people come out too low; the report says by how many."
    ),
    not_for=_("Not without a note that the names are made up: a result may be the name of a real person."),
    way_back=WayBack.MAPPING_TABLE,
)


TECHNIQUES = (KEYED_HASH, RANDOM_PSEUDONYM, NAME_DICTIONARY)
