"""What a verification tells besides its checks: how the source stood, and two scales of other standards.

None of this opens the gate. Works in the worker, on plain data, like :mod:`.gate`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from projects.core.enums import SharingType
from techniques.messages import EngineError, gettext_noop
from techniques.risk.degree import (
    ENVIRONMENT_COEFFICIENTS,
    SCENARIO_COEFFICIENTS,
    SCENARIO_NAMES,
    Capability,
    Scenario,
    degree,
    required_k,
)

from .enums import CheckKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from .case import Check, Table

# Where the data go, in the words of T/ISC 0078 C.4. An enclave's data stay inside, but outsiders work on
# them, so the stricter scenario is taken.
SCENARIO_OF: dict[SharingType, Scenario] = {
    SharingType.PUBLIC: Scenario.PUBLIC,
    SharingType.CONTROLLED: Scenario.EXTERNAL,
    SharingType.ENCLAVE: Scenario.EXTERNAL,
}
_RISK_KINDS = frozenset({CheckKind.K, CheckKind.MAX_RISK, CheckKind.AVERAGE_RISK, CheckKind.OVERALL})


def risk_before(source: Table, columns: Sequence[str], tick: Callable[[int], None]) -> dict[str, Any] | None:
    """The same figures of the source by the same columns; None where the source lacks one of them."""
    from techniques.risk.measure import measure

    try:
        return measure(source.batches(), list(columns), contributions=False, tick=tick).summary()
    except EngineError:
        return None


def degree_of(k: int | None, sharing_type: SharingType | str) -> dict[str, Any] | None:
    """The degree of anonymisation of T/ISC 0078 C.2 with its factors; None where there is no K."""
    if k is None:
        return None
    scenario = SCENARIO_OF[SharingType(sharing_type)]
    found = degree(k, scenario, Capability.MEDIUM)
    needed = required_k(SCENARIO_COEFFICIENTS[scenario], ENVIRONMENT_COEFFICIENTS[Capability.MEDIUM])
    return found.model_dump(mode="json") | {
        "scenario": scenario.value,
        "scenario_name": SCENARIO_NAMES[scenario],
        "required_k": needed,
    }


def level_of(checks: Sequence[Check], quasi: Sequence[str]) -> dict[str, Any]:
    """The level of GB/T 42460 clause 4 with the test that decided; level None where a test did not run."""
    by_kind: Mapping[str, list[Check]] = {
        kind: [c for c in checks if c.kind == kind] for kind in CheckKind.values
    }
    residual = by_kind[CheckKind.RESIDUAL]
    risk = [c for c in checks if c.kind in _RISK_KINDS]
    if not residual or any(c.passed is None for c in residual):
        return _level(None, gettext_noop("The search for direct identifiers could not run."))
    if any(c.passed is False for c in residual):
        return _level(1, gettext_noop("A direct identifier was found in the result."))
    if not risk or any(c.passed is None for c in risk):
        return _level(None, gettext_noop("The risk could not be measured."))
    if not quasi:
        return _level(4, gettext_noop("Neither direct nor quasi-identifiers are in the result."))
    if any(c.passed is False for c in risk):
        return _level(
            2, gettext_noop("No direct identifier was found; a risk is above its acceptable threshold.")
        )
    return _level(
        3, gettext_noop("No direct identifier was found; every risk is within its acceptable threshold.")
    )


def _level(level: int | None, why: str) -> dict[str, Any]:
    return {"level": level, "why": {"message": why, "params": {}}}
