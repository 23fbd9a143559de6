"""What a run says of itself: counts per step, what techniques learned, versions. Never a data value of a row."""

from __future__ import annotations

import math
import platform
from collections import Counter
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from techniques import catalogue
from techniques.catalogue.technique import Scope
from techniques.recipe.recipe import Recipe

ENGINE_VERSION = "8"
"""Raised whenever the same recipe, secrets and source may give other bytes than before."""


def step_reports(
    recipe: Recipe, counts: list[dict[str, dict[str, int]]], learned: dict[int, dict[str, Any]]
) -> list[dict[str, Any]]:
    """One entry per step, in order, with the counts of all parts added up."""
    reports: list[dict[str, Any]] = []
    for number, step in enumerate(recipe.steps):
        total: Counter[str] = Counter()
        for part in counts:
            total.update(part.get(str(number), {}))
        clauses, papers = step.spec.basis(step.parameters)
        entry: dict[str, Any] = {
            "step": number + 1,
            "technique": step.technique,
            "clauses": clauses,
            "columns": step.columns,
            "counts": dict(sorted(total.items())),
        }
        if papers:
            entry["papers"] = papers
        if conditions := step.parameters.conditions:
            entry["conditions"] = conditions
        found = learned.get(number, {})
        if step.spec.scope is Scope.TABLE:
            entry["result"] = next(iter(found.values()), {})
        elif found:
            entry["result"] = found
        if "epsilon" in entry.get("result", {}) and (before := _looked_beyond(reports, step.columns)):
            entry["after"] = before
        if step.technique == "as_is":
            entry["reason"] = step.parameters.model_dump()["reason"]
        reports.append(entry)
    return reports


def _looked_beyond(reports: list[dict[str, Any]], columns: list[str]) -> list[int]:
    """The numbers of the steps so far by which a row may have changed others of ``columns``, or whether others are there."""
    found = []
    for one in reports:
        counts = one["counts"]
        wrote = not set(columns).isdisjoint(one["columns"])
        learned = bool(one.get("result")) or catalogue.get(one["technique"]).scope is Scope.TABLE
        if (wrote and learned) or counts.get("rows_removed") or counts.get("rows_suppressed"):
            found.append(one["step"])
    return found


def sampling_fraction(report: dict[str, Any]) -> float | None:
    """Share of the source's rows that samples have left, as risk measures need it; None where nothing was sampled."""
    shares = [
        float(step["result"]["sampling_fraction"])
        for step in report.get("steps", ())
        if step.get("technique") == "statistical.sampling"
    ]
    return math.prod(shares) if shares else None


def sampling_chances(report: dict[str, Any]) -> list[tuple[float, int]]:
    """(chance of being drawn, how many were), the greatest first, where a sample's fraction is not everybody's chance; empty where
    it is. Of several samples every one who is left is taken for one who had the greatest chance of each."""
    steps = [
        step["result"] for step in report.get("steps", ()) if step.get("technique") == "statistical.sampling"
    ]
    chances = [
        [(float(chance), int(number)) for chance, number in one.get("chances", ())]
        or [(float(one["sampling_fraction"]), 0)]
        for one in steps
    ]
    if not any("chances" in one for one in steps):
        return []
    if len(chances) == 1:
        return chances[0]
    return [(math.prod(one[0][0] for one in chances), 0)]


def versions() -> dict[str, str]:
    """What the bytes of a result may depend on beside its inputs."""
    found = {"engine": ENGINE_VERSION, "python": platform.python_version()}
    for package in ("deid-portal", "numpy", "pyarrow", "cryptography"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "unknown"
    return found
