"""An answer: what is measured, the noise on it, its interval, and what it costs.

Nothing here looks at the account: who gives an answer has charged the loss of its :func:`plan` before.
"""

from __future__ import annotations

import secrets as system

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from techniques.core.messages import EngineError, _
from techniques.core.secrets import Secrets
from techniques.core.subjects import Subjects
from techniques.models.differential_privacy import noise, reading
from techniques.models.differential_privacy.contributions import bounded
from techniques.models.differential_privacy.outcome import Answer, Cell
from techniques.models.differential_privacy.planning import Plan, candidates, centre, choice_off, noise_error
from techniques.models.differential_privacy.question import MOST_CELLS
from techniques.models.differential_privacy.sensitivity import ratio

Whole = NDArray[np.int64]


def answer(of: Plan, table: pa.Table, subjects: Subjects | None, draws: Secrets | None = None) -> Answer:
    """Measure and add noise. ``subjects`` (n,) say whose the rows are; without them a row is a person.

    ``draws`` choose the rows of a person; by default they are new and secret. EngineError ``several_rows_of_nobody``.
    """
    question = of.question
    if subjects is None and (question.rows_per_group > 1 or question.groups_per_person > 1):
        text = _(
            "A row is a person here, so that a person has one row in one group: leave the numbers of rows and groups at 1."
        )
        raise EngineError("several_rows_of_nobody", text)
    noise.verify(of)
    draws = draws or Secrets(key=b"", seed=system.token_bytes(32))
    found = reading.cells(table, question)
    place, values = found.place, None
    if question.kind in ("sum", "mean", "quantile"):
        values, there = reading.amounts(table, question)
        place = np.where(there, place, -1)
    elif question.kind == "mode":
        assert question.column is not None
        values = reading.positions(table, question.column, question.candidates or [])
        place = np.where(values >= 0, place, -1)
    kept = bounded(place, subjects, question.groups_per_person, question.rows_per_group, draws)
    place, values = place[kept], None if values is None else values[kept]
    labels = found.labels
    if question.finds_keys:
        assert of.threshold is not None
        counts = np.bincount(place, minlength=len(labels)).astype(np.int64)
        found_keys = noise.released_keys(counts, of.scales["keys"], of.threshold).tolist()
        # The order in which values first stand in the data is nobody's business, nor which of too many are cut by it.
        keys = sorted(found_keys, key=lambda one: labels[one])[:MOST_CELLS]
        renamed = np.full(len(labels) + 1, -1, np.int64)
        renamed[keys] = np.arange(len(keys))
        place = renamed[place]
        values = None if values is None else values[place >= 0]
        place, labels = place[place >= 0], [labels[key] for key in keys]
    made = {"sum": _summed, "mean": _averaged, "quantile": _chosen, "mode": _chosen}.get(
        question.kind, _counted
    )
    cells = made(of, place, values, labels)
    change = {
        name: value
        for key, one in of.sensitivities.items()
        for name, value in ((f"{key}_l1", one.l1), (f"{key}_l2", one.l2))
    }
    return Answer(
        question=question.model_dump(mode="json", exclude_defaults=True), cells=cells,
        margins=_margins(of, cells) if question.kind == "contingency" else [],
        loss=of.loss.as_dict(), neighbours=of.neighbours, per_person=subjects is not None,
        scales=of.scales, sensitivities=change, threshold=of.threshold, off=choice_off(of),
    )  # fmt: skip


def _drawn(of: Plan, name: str, values: Whole) -> Whole:
    if not len(values):
        return values
    return (noise.gaussian if of.question.noise == "gaussian" else noise.laplace)(values, of.scales[name])


def _summing(place: Whole, values: Whole, cells: int) -> Whole:
    found = np.zeros(cells, np.int64)
    np.add.at(found, place, values)
    return found


def _counted(of: Plan, place: Whole, _values: Whole | None, labels: list[tuple[str, ...]]) -> list[Cell]:
    noisy = _drawn(of, "counts", np.bincount(place, minlength=len(labels)).astype(np.int64))
    off = noise_error(of, "counts")
    return [
        Cell(labels=label, value=value, low=max(0, value - off), high=max(0, value + off))
        for label, value in zip(labels, noisy.tolist(), strict=True)
    ]


def _summed(of: Plan, place: Whole, values: Whole | None, labels: list[tuple[str, ...]]) -> list[Cell]:
    assert values is not None
    noisy = _drawn(of, "sums", _summing(place, values, len(labels)))
    off, width = noise_error(of, "sums"), of.question.width
    return [
        Cell(
            labels=label,
            value=_tidy(value * width),
            low=_tidy((value - off) * width),
            high=_tidy((value + off) * width),
        )
        for label, value in zip(labels, noisy.tolist(), strict=True)
    ]


def _averaged(of: Plan, place: Whole, values: Whole | None, labels: list[tuple[str, ...]]) -> list[Cell]:
    """The mean lies between the least and the greatest quotient of a sum and a count within their intervals, and within the bounds."""
    assert values is not None
    middle, (low, high), width = centre(of.question), of.question.steps, of.question.width
    sums = _drawn(of, "sums", _summing(place, values - middle, len(labels)))
    counts = _drawn(of, "counts", np.bincount(place, minlength=len(labels)).astype(np.int64))
    sum_off, count_off = noise_error(of, "sums", 2), noise_error(of, "counts", 2)
    cells = []
    for label, total, count in zip(labels, sums.tolist(), counts.tolist(), strict=True):
        fewest, most = max(count - count_off, 1), max(count + count_off, 1)
        ends = [(total + sign * sum_off) / rows for sign in (-1, 1) for rows in (fewest, most)]
        least, greatest = (min(max(middle + end, low), high) for end in (min(ends), max(ends)))
        value = min(max(middle + total / max(count, 1), least), greatest)
        cells.append(
            Cell(
                labels=label,
                value=_tidy(value * width),
                low=_tidy(least * width),
                high=_tidy(greatest * width),
            )
        )
    return cells


def _chosen(of: Plan, place: Whole, values: Whole | None, labels: list[tuple[str, ...]]) -> list[Cell]:
    assert values is not None
    question, size = of.question, candidates(of.question)
    first = 0 if question.kind == "mode" else question.steps[0]
    cells = []
    order = np.argsort(place, kind="stable")
    starts = np.searchsorted(place[order], np.arange(len(labels) + 1))
    for number, label in enumerate(labels):
        here = values[order[starts[number] : starts[number + 1]]] - first
        counts = np.bincount(here, minlength=size).astype(np.int64)
        scores = counts if question.kind == "mode" else _rank_scores(counts, *ratio(question))
        chosen = noise.choose(scores, of.scales["choice"])
        value = (
            (question.candidates or [])[chosen]
            if question.kind == "mode"
            else _tidy((chosen + first) * question.width)
        )
        cells.append(Cell(labels=label, value=value))
    return cells


def _rank_scores(counts: Whole, a: int, b: int) -> Whole:
    """−|(b−a)·#below − a·#above| for each candidate (n,)."""
    below = np.cumsum(counts) - counts
    above = counts.sum() - below - counts
    scores: Whole = -np.abs((b - a) * below - a * above)
    return scores


def _margins(of: Plan, cells: list[Cell]) -> list[Cell]:
    """Totals over each dimension, and over all, of the noisy cells: they cost nothing more. Their errors add up at most."""
    dimensions = len(of.question.by)
    off = {1: noise_error(of, "counts")}
    totals: dict[tuple[str, ...], tuple[int, int]] = {}
    for cell in cells:
        assert isinstance(cell.value, (int, float))
        for kept in [*(frozenset({one}) for one in range(dimensions)), frozenset[int]()]:
            label = tuple(name if one in kept else "" for one, name in enumerate(cell.labels))
            value, parts = totals.get(label, (0, 0))
            totals[label] = value + int(cell.value), parts + 1
    for parts in {parts for _value, parts in totals.values()}:
        # Each within its interval of a higher confidence, so that all are together.
        off.setdefault(parts, parts * noise_error(of, "counts", parts))
    return [
        Cell(labels=label, value=value, low=max(0, value - off[parts]), high=max(0, value + off[parts]))
        for label, (value, parts) in totals.items()
    ]


def _tidy(value: float) -> float:
    """A multiple of a decimal step without the last digits of a binary product."""
    return float(f"{value:.12g}")
