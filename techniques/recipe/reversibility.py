"""Which way leads from the results in a column back to its values; needs no numerical library.

The ways themselves are in ``techniques.engines.reversal``.
"""

from __future__ import annotations

from enum import StrEnum

from techniques.recipe.recipe import Recipe


class Way(StrEnum):
    """How values are got back (GB/T 37964 A.2, A.4)."""

    DECRYPTION = "decryption"
    """With the key of the run, from the result alone."""
    MAPPING_TABLE = "mapping_table"
    """From the table of what was assigned to what (A.4.2)."""
    RECOMPUTATION = "recomputation"
    """Not from the result: by deriving the pseudonyms of the source's values anew and comparing (A.4.3)."""
    RECOMBINATION = "recombination"
    """From the files of enough holders of secret shares, row by row (A.2.6)."""


def way_back(recipe: Recipe, column: str) -> Way | None:
    """The way back from ``column`` of a result; None where there is none.

    A column that several steps have treated has none: what the last of them made is not the value.
    """
    steps = [step for step in recipe.steps if column in step.columns]
    if len(steps) != 1:
        return None
    step = steps[0]
    if step.technique == "encryption.secret_sharing":
        return Way.RECOMBINATION
    if step.spec.reversible:
        return Way.DECRYPTION
    if any(column == assigned for _step, _place, assigned in recipe.assigned_columns()):
        return Way.MAPPING_TABLE
    return Way.RECOMPUTATION if step.technique == "pseudonymization.keyed_hash" else None


def needs_result(recipe: Recipe, column: str) -> bool:
    """Whether only what stands in the result itself is got back.

    Sums of homomorphic ciphertexts stand in no result and are what that technique is for.
    """
    return not any(
        column in step.columns and step.technique == "encryption.homomorphic" for step in recipe.steps
    )
