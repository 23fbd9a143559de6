"""One step of a pipeline: a table is treated by a recipe, and the step fails unless the result keeps a policy."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from typing import Any


class StepFailed(Exception):
    """The step did not release anything; its text holds no value of the table."""


def release(
    recipe: str,
    source: str,
    target: str,
    *,
    policy: str,
    report: str = "run.json",
    values: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Treat ``source`` and check ``target``, files or addresses as ``deid`` has them. Returns what was checked; StepFailed.

    Keys and seeds are in the environment (``DEID_KEY``, ``DEID_SEED``): what is an argument, schedulers show.
    """
    given = [part for name, value in (values or {}).items() for part in ("--set", f"{name}={value}")]
    _deid("run", recipe, source, target, "--report", report, *given)
    checked: dict[str, Any] = json.loads(
        _deid("check", target, "--policy", policy, "--original", source, "--json", also=1)
    )
    missed = [one["name"] for one in checked["checks"] if not one["passed"]]
    if missed:
        raise StepFailed(f"{target} may not go on: {', '.join(missed)}")
    return checked


def _deid(*arguments: str, also: int = 0) -> str:
    done = subprocess.run(["deid", *arguments], capture_output=True, text=True, check=False)
    if done.returncode not in (0, also):
        raise StepFailed(f"deid {arguments[0]} ended with {done.returncode}: {done.stderr.strip()}")
    return done.stdout
