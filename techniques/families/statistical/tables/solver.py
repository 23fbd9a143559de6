"""The library that solves linear and mixed-integer programs, HiGHS, silent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def program() -> Any:
    """An empty program (``highspy.Highs``); the library is loaded when the first one is made."""
    import highspy

    made: Any = highspy.Highs  # The library has no types.
    solver = made()
    solver.setOptionValue("output_flag", False)
    return solver


def solve(solver: Any, tick: Callable[[float], None], share: float = 0.0) -> None:
    """Run a mixed-integer program; ``tick`` hears the ``share`` again and again, and what it raises ends the run and is raised here."""
    raised: list[BaseException] = []

    def heard(event: Any) -> None:
        try:
            if not raised:
                tick(share)
        except BaseException as error:  # noqa: BLE001 – raised below, once the library has let go
            raised.append(error)
        if raised:
            event.interrupt()

    for calls in (solver.cbMipInterrupt, solver.cbSimplexInterrupt):
        calls.subscribe(heard)
    try:
        solver.run()
    finally:
        for calls in (solver.cbMipInterrupt, solver.cbSimplexInterrupt):
            calls.unsubscribe(heard)
    if raised:
        raise raised[0]
