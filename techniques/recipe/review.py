"""Review of software and parameters (GB/T 37964 5.5.2 c): settings that are allowed and yet protect little, named step by step.

Looks at the recipe alone, before or after a run. What no recipe can hold – a key of fewer than 16 bytes, a hash without a key –
is refused elsewhere and never comes here; one seed for two runs is found by who knows the runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from techniques.catalogue.encryption import (
    DeterministicEncryptionSettings,
    EncryptionSettings,
    FormatPreservingEncryptionSettings,
)
from techniques.catalogue.models import KAnonymitySettings
from techniques.catalogue.pseudonymization import KeyedHashSettings
from techniques.catalogue.randomization import DateNoiseSettings, MicroaggregationSettings, NoiseSettings
from techniques.catalogue.synthesis import PrivateSynthesisSettings
from techniques.catalogue.technique import Scope
from techniques.core.messages import _
from techniques.recipe.recipe import Recipe, Step

GENEROUS_EPSILON = 10.0
"""ε from which on the guarantee excludes hardly anything: odds of e¹⁰, some 22,000 to 1."""
SHORT_BITS = 64
"""Bits of a pseudonym below which a table of a few million values may let two of them meet."""
LITTLE_NOISE = 0.1
"""Noise of fewer standard deviations than this leaves single values as good as known."""
FEW_DAYS = 7
MUCH_KEPT = 7
LIKELY_COLLISION = 0.01


@dataclass(frozen=True)
class ParameterFinding:
    """Something to weigh in step ``number`` (from 1): ``message`` with ``params``, untranslated; ``code`` is stable."""

    number: int
    code: str
    message: str
    params: Mapping[str, Any] = field(default_factory=dict)


def review(recipe: Recipe, k: int = 0) -> list[ParameterFinding]:
    """What the settings of a recipe give reason to weigh, in the order of the steps; ``k`` is what the targets ask for."""
    found = [
        ParameterFinding(
            number, code, message, {"number": number, "columns": ", ".join(step.columns)} | params
        )
        for number, step in enumerate(recipe.steps, start=1)
        for code, message, params in _of_step(step, k)
    ]
    return sorted([*found, *_of_keys(recipe), *_of_records(recipe)], key=lambda one: one.number)


Said = tuple[str, str, dict[str, Any]]


def _of_step(step: Step, k: int) -> Iterator[Said]:
    given = step.parameters
    if isinstance(given, PrivateSynthesisSettings) and given.epsilon > GENEROUS_EPSILON:
        text = _(
            "Step %(number)d: a privacy budget of ε = %(epsilon)s is so generous that the guarantee excludes hardly anything; up to "
            "%(bound)s it says something."
        )
        yield "generous_epsilon", text, {"epsilon": f"{given.epsilon:g}", "bound": f"{GENEROUS_EPSILON:g}"}
    if isinstance(given, KeyedHashSettings) and given.bits < SHORT_BITS:
        text = _(
            "Step %(number)d: pseudonyms of %(columns)s carry %(bits)d bits only, so two values may come to share one; %(bound)d are "
            "enough for any table."
        )
        yield "short_pseudonym", text, {"bits": int(given.bits), "bound": SHORT_BITS}
    if isinstance(given, KeyedHashSettings) and given.maximum_collision_probability > LIKELY_COLLISION:
        text = _(
            "Step %(number)d: it is allowed that two values share a pseudonym with a chance of %(chance)s."
        )
        yield "likely_collision", text, {"chance": f"{given.maximum_collision_probability:g}"}
    if isinstance(given, EncryptionSettings) and given.joins_releases:
        text = _(
            "Step %(number)d: equal values of %(columns)s have equal ciphertexts in every run of the project, so whoever has two "
            "releases joins them by it."
        )
        yield "joins_releases", text, {}
    if isinstance(given, KeyedHashSettings) and given.joins_releases:
        text = _(
            "Step %(number)d: equal values of %(columns)s have equal pseudonyms in every run of the project, so whoever has two "
            "releases joins them by it."
        )
        if given.purpose:
            text = _(
                "Step %(number)d: equal values of %(columns)s have equal pseudonyms in every project of the purpose “%(purpose)s”, so "
                "whoever has releases of two of them joins them by it."
            )
        yield "joins_releases", text, {"purpose": given.purpose} if given.purpose else {}
    if (
        isinstance(given, FormatPreservingEncryptionSettings)
        and given.keep_left + given.keep_right >= MUCH_KEPT
    ):
        text = _(
            "Step %(number)d: %(kept)d characters of %(columns)s stay as they are beside the encrypted ones."
        )
        yield "much_kept", text, {"kept": given.keep_left + given.keep_right}
    if isinstance(given, DeterministicEncryptionSettings) and not given.hide_length:
        text = _("Step %(number)d: the ciphertexts of %(columns)s tell how long each value is.")
        yield "length_shown", text, {}
    if isinstance(given, NoiseSettings) and given.unit == "deviation" and given.spread < LITTLE_NOISE:
        text = _(
            "Step %(number)d: noise of %(spread)s standard deviations leaves the values of %(columns)s as good as known."
        )
        yield "little_noise", text, {"spread": f"{given.spread:g}"}
    if isinstance(given, DateNoiseSettings) and given.maximum < FEW_DAYS:
        text = _("Step %(number)d: dates of %(columns)s move by at most %(days)d days.")
        yield "little_noise", text, {"days": given.maximum}
    if isinstance(given, KAnonymitySettings | MicroaggregationSettings) and given.k < k:
        text = _("Step %(number)d is set to k = %(given)d, while the targets ask for %(wanted)d.")
        yield "k_below_target", text, {"given": given.k, "wanted": k}


def _of_keys(recipe: Recipe) -> Iterator[ParameterFinding]:
    """One key behind techniques of several kinds, and domains that several columns share by name."""
    steps = list(enumerate(recipe.steps, start=1))
    keyed = [(number, step.technique) for number, step in steps if step.needs_key]
    if len({technique for _number, technique in keyed}) > 1:
        text = _(
            "Steps %(numbers)s use different techniques and all rest on one key: whoever gets hold of it has a hand on every one of "
            "them."
        )
        said = {"numbers": ", ".join(str(number) for number, _technique in keyed)}
        yield ParameterFinding(keyed[0][0], "one_key_many_purposes", text, said)
    users: dict[tuple[str, ...], list[tuple[int, str]]] = {}
    for number, step in steps:
        if step.spec.joins_tables and (domain := getattr(step.parameters, "domain", "")):
            alike = domain, step.technique, str(getattr(step.parameters, "algorithm", ""))
            users.setdefault(alike, []).extend((number, column) for column in step.columns)
    for (domain, *_others), uses in users.items():
        if len(uses) > 1:
            text = _(
                "%(columns)s share the domain “%(domain)s”: equal values of them look alike in the result. Keep that only where they "
                "are to be joined."
            )
            said = {"columns": ", ".join(column for _number, column in uses), "domain": domain}
            yield ParameterFinding(uses[0][0], "shared_domain", text, said)


def _of_records(recipe: Recipe) -> Iterator[ParameterFinding]:
    """What records that keep their draws tell, and which steps treat an unchanged record otherwise in each release (D.5)."""
    if recipe.records is None:
        return
    for number, step in enumerate(recipe.steps, start=1):
        said = {"number": number, "columns": ", ".join(step.columns)}
        if step.parameters.keeps_draws:
            text = _(
                "Step %(number)d: an unchanged record reads alike in %(columns)s in every release under this key, so whoever has two "
                "releases sees which records did not change."
            )
            yield ParameterFinding(number, "records_joined", text, said)
        elif step.spec.random and not step.parameters.without_chance:
            text = _(
                "Step %(number)d draws %(columns)s anew for each release, so an unchanged record reads otherwise, and several releases "
                "together may tell more than each."
            )
            yield ParameterFinding(number, "record_drawn_anew", text, said)
        elif step.spec.scope is Scope.TABLE:
            text = _(
                "Step %(number)d treats a record by what other records there are, so an unchanged one may read otherwise in %(columns)s of "
                "the next release."
            )
            yield ParameterFinding(number, "record_formed_anew", text, said)
