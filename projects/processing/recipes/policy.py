"""What the organisation allows in recipes: national commercial cryptography only, or any (GB/T 37964 A.2.1).

The policy belongs to the organisation, which no stage package may import; the organisation hands in a callable
when the portal starts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from techniques.core.messages import EngineError

if TYPE_CHECKING:
    from techniques.recipe.recipe import (
        Recipe,  # loading it takes time, and every process of the portal sets the source
    )


def _anything() -> bool:
    return False


_source: Callable[[], bool] = _anything


def set_national_source(source: Callable[[], bool]) -> None:
    """Let every later question be answered by ``source`` at that moment."""
    global _source
    _source = source


def national_only() -> bool:
    """Whether recipes may use SM3 and SM4 alone."""
    return _source()


def policy_check(recipe: Recipe) -> None:
    """EngineError ``algorithm_not_national``, with the place in the recipe, where the policy forbids it."""
    if national_only():
        from techniques.recipe.policy import require_national

        require_national(recipe)


def allowed(recipe: Recipe) -> bool:
    """Whether the policy lets the recipe run."""
    try:
        policy_check(recipe)
    except EngineError:
        return False
    return True
