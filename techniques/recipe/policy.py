"""The policy of an organisation: national commercial cryptography only (GB/T 37964 A.2.1), checked before any data are read.

With the policy on, whoever runs a recipe also sets ``Secrets.national``, so that draws and derived keys come from
SM3 and SM4. Content hashes, which protect no secret, stay what they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from techniques.core.messages import EngineError, _
from techniques.recipe.recipe import Recipe, Step

NATIONAL = frozenset({"sm4", "sm4-siv", "ff1-sm4", "hmac-sm3"})
"""Algorithms, as recipes call them, that rest on SM3 (GB/T 32905) and SM4 (GB/T 32907) alone."""


@dataclass(frozen=True)
class Foreign:
    """Step ``number`` (from 0) of a recipe, and the ``algorithm`` that ``setting`` of it names, none of the national ones."""

    number: int
    technique: str
    setting: str
    algorithm: str


def foreign_steps(recipe: Recipe) -> Iterator[Foreign]:
    """Every step that uses other cryptography than SM3 and SM4."""
    for number, step in enumerate(recipe.steps):
        algorithm = getattr(step.parameters, "algorithm", None)
        if isinstance(algorithm, str) and algorithm not in NATIONAL:
            yield Foreign(number, step.technique, "parameters.algorithm", algorithm)
        if not step.spec.national:
            yield Foreign(number, step.technique, "technique", step.technique)


def require_national(recipe: Recipe) -> None:
    """Refuse a recipe that uses any other cryptography; EngineError ``algorithm_not_national`` with the place."""
    for found in foreign_steps(recipe):
        raise EngineError(
            "algorithm_not_national",
            _("%(path)s: only national commercial cryptography (SM3, SM4) is allowed, not %(algorithm)s."),
            path=f"steps[{found.number}].{found.setting}",
            algorithm=found.algorithm,
        )


def secret_steps(recipe: Recipe) -> list[int]:
    """The numbers, from 0, of the steps that draw or derive a key: by AES and SHA-256 where a run is not national."""
    return [number for number, step in enumerate(recipe.steps) if _uses_secrets(step)]


def _uses_secrets(step: Step) -> bool:
    return step.spec.needs_key or (step.spec.random and not step.parameters.without_chance)
