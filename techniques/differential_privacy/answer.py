"""An answer: what is measured, the noise on it, its interval, and what it costs.

Nothing here looks at the account: who gives an answer has charged the loss of its :func:`plan` before.
"""

from __future__ import annotations

import math
import secrets as system
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from techniques.core.messages import EngineError, _
from techniques.core.secrets import Secrets
from techniques.core.settings import Frozen
from techniques.core.subjects import Subjects
from techniques.differential_privacy import noise, reading
from techniques.differential_privacy.contributions import bounded
from techniques.differential_privacy.loss import NOTHING, Budget, Charge, Loss, Neighbours, rho_of
from techniques.differential_privacy.question import MOST_CELLS, Question
from techniques.differential_privacy.sensitivity import Sensitivity, of_counts, of_ranks, of_sums, ratio

Whole = NDArray[np.int64]


class Cell(Frozen):
    """The answer for one group: ``low`` and ``high`` enclose the answer without noise with the confidence of the question, each cell by
    itself. A choice among candidates has no such bounds; what it may miss stands in :attr:`Answer.off`."""

    labels: tuple[str, ...]
    value: float | str | None
    low: float | None = None
    high: float | None = None


class Answer(Frozen):
    """What leaves: the cells, and how they were made. ``scales`` and ``sensitivities`` are in steps; ``off`` is how many rows a
    chosen value is at most worse than the best candidate."""

    question: dict[str, Any]
    cells: list[Cell]
    margins: list[Cell] = []
    loss: dict[str, str]
    neighbours: Neighbours
    per_person: bool
    scales: dict[str, float]
    sensitivities: dict[str, float]
    threshold: int | None = None
    off: float | None = None


@dataclass(frozen=True)
class Plan:
    """How a question will be answered: by which noise, and what that costs. Worked out of the question alone."""

    question: Question
    neighbours: Neighbours
    scales: dict[str, float] = field(default_factory=dict)
    sensitivities: dict[str, Sensitivity] = field(default_factory=dict)
    loss: Loss = NOTHING
    threshold: int | None = None


def plan(question: Question, neighbours: Neighbours) -> Plan:
    """Scales of all noise, and the loss; EngineError ``noise_too_great``, ``error_too_small``, ``groups_with_keys``."""
    measured = {
        "count": _count, "histogram": _count, "contingency": _count, "sum": _sum, "mean": _mean,
        "quantile": _choice, "mode": _choice,
    }[question.kind](question, neighbours)  # fmt: skip
    if not question.finds_keys:
        return measured
    # Keys get as much as the answer does.
    change = of_counts(question, neighbours)
    delta = question.delta / 2 if question.noise == "gaussian" else question.delta
    granted = float(measured.loss.epsilon)
    scale = noise.laplace_scale(change.l1, granted)
    threshold = noise.key_threshold(change.cells, change.l1, change.single, scale, delta)
    loss = measured.loss.together(Loss.pure(granted, delta))
    return Plan(
        question,
        neighbours,
        measured.scales | {"keys": scale},
        measured.sensitivities | {"keys": change},
        loss,
        threshold,
    )


def _share(question: Question) -> float:
    """The part of a stated epsilon that is left beside what keys cost."""
    assert question.epsilon is not None
    return question.epsilon / 2 if question.finds_keys else question.epsilon


def _noise(
    question: Question, parts: dict[str, tuple[Sensitivity, float | None]], neighbours: Neighbours
) -> Plan:
    """Noise of the parts of an answer, each with its sensitivity and the error in steps that is accepted of it; where an epsilon is
    stated instead they share it equally."""
    gaussian = question.noise == "gaussian"
    delta = question.delta / 2 if question.finds_keys else question.delta
    scales: dict[str, float] = {}
    epsilon = rho = 0.0
    for name, (change, error) in parts.items():
        level = _level(question, len(parts))
        if error is not None:
            scales[name] = (noise.gaussian_scale_for if gaussian else noise.laplace_scale_for)(error, level)
        elif gaussian:
            scales[name] = noise.gaussian_scale(change.l2, rho_of(_share(question), delta) / len(parts))
        else:
            scales[name] = noise.laplace_scale(change.l1, _share(question) / len(parts))
        if gaussian:
            rho += noise.gaussian_cost(change.l2, scales[name])
        else:
            epsilon += noise.laplace_cost(change.l1, scales[name])
    sensitivities = {name: change for name, (change, _error) in parts.items()}
    loss = Loss.gaussian(rho, delta) if gaussian else Loss.pure(_not_above(epsilon, question))
    return Plan(question, neighbours, scales, sensitivities, loss)


def _not_above(epsilon: float, question: Question) -> float:
    """``epsilon`` as it was asked for where it is that but for the last digits of a sum."""
    if question.epsilon is None:
        return epsilon
    asked = _share(question)
    return asked if epsilon <= asked * (1 + 1e-14) else epsilon


def _level(question: Question, parts: int) -> float:
    """The confidence of each of several parts, so that all hold together with that of the question."""
    return 1 - (1 - question.confidence) / parts


def _count(question: Question, neighbours: Neighbours) -> Plan:
    error = None if question.error is None else math.floor(question.error + 1e-9)
    return _noise(question, {"counts": (of_counts(question, neighbours), error)}, neighbours)


def _sum(question: Question, neighbours: Neighbours) -> Plan:
    error = None if question.error is None else math.floor(question.error / question.width + 1e-9)
    return _noise(question, {"sums": (of_sums(question, neighbours), error)}, neighbours)


def centre(question: Question) -> int:
    """The middle between the bounds, in steps: sums of a mean are taken from there, so that a person moves them least."""
    return sum(question.steps) // 2


def _mean(question: Question, neighbours: Neighbours) -> Plan:
    """A mean is the centre and a sum over a count: with sums off by s and counts by c, the mean of n rows is off by (s + h c)/(n − c)
    at most, where h is half the distance of the bounds. Each part gets half of the error for ``least_count`` rows."""
    counts, sums = of_counts(question, neighbours), of_sums(question, neighbours, centre(question))
    errors: tuple[float | None, float | None] = (None, None)
    if question.error is not None:
        assert question.least_count is not None
        low, high = question.steps
        half = (high - low + 1) / 2
        accepted = question.error / question.width
        # c from h c/(n - c) = a/2; then s from s/(n - c) = a/2.
        off = math.floor(question.least_count * accepted / (2 * half + accepted))
        errors = (math.floor((question.least_count - off) * accepted / 2), off)
    return _noise(question, {"sums": (sums, errors[0]), "counts": (counts, errors[1])}, neighbours)


def _candidates(question: Question) -> int:
    if question.kind == "mode":
        return len(question.candidates or ())
    low, high = question.steps
    return high - low + 1


def _choice(question: Question, neighbours: Neighbours) -> Plan:
    """Choices in each group: together they cost what a sum over the groups that a person touches costs."""
    change = of_counts(question, neighbours) if question.kind == "mode" else of_ranks(question, neighbours)
    unit = 1 if question.kind == "mode" else ratio(question)[1]
    if question.error is not None:
        scale = noise.choice_scale_for(question.error * unit, _candidates(question), question.confidence)
    else:
        scale = noise.choice_scale(change.l1, _share(question))
    # The sum of the epsilons of the cells; what OpenDP's map says of one cell is the same by its change alone.
    cost = noise.choice_cost(1, scale) * change.l1
    loss = Loss.choice(_not_above(cost, question))
    return Plan(question, neighbours, {"choice": scale}, {"choice": change}, loss)


def charge_of(of: Plan, budget: Budget, *, per_row: bool) -> Charge:
    """What the account is charged. A query is confined to parts where its conditions say so and a row is a person, since a person
    of several rows may be in several parts."""
    parts = of.question.where.get(budget.part) if budget.part and per_row else None
    return Charge(of.loss, None if parts is None else frozenset(parts))


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
        keys = noise.released_keys(counts, of.scales["keys"], of.threshold)[:MOST_CELLS]
        renamed = np.full(len(labels) + 1, -1, np.int64)
        renamed[keys] = np.arange(len(keys))
        place = renamed[place]
        values = None if values is None else values[place >= 0]
        place, labels = place[place >= 0], [labels[key] for key in keys.tolist()]
        # The order in which values first stand in the data is nobody's business.
        order = sorted(range(len(labels)), key=lambda one: labels[one])
        ranks = np.argsort(np.array(order, np.int64)) if order else np.zeros(0, np.int64)
        place, labels = ranks[place] if order else place, [labels[one] for one in order]
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
        scales=of.scales, sensitivities=change, threshold=of.threshold, off=_off(of),
    )  # fmt: skip


def _drawn(of: Plan, name: str, values: Whole) -> Whole:
    if not len(values):
        return values
    return (noise.gaussian if of.question.noise == "gaussian" else noise.laplace)(values, of.scales[name])


def _error(of: Plan, name: str, parts: int = 1) -> int:
    error = noise.gaussian_error if of.question.noise == "gaussian" else noise.laplace_error
    return error(of.scales[name], _level(of.question, parts))


def _summing(place: Whole, values: Whole, cells: int) -> Whole:
    found = np.zeros(cells, np.int64)
    np.add.at(found, place, values)
    return found


def _counted(of: Plan, place: Whole, _values: Whole | None, labels: list[tuple[str, ...]]) -> list[Cell]:
    noisy = _drawn(of, "counts", np.bincount(place, minlength=len(labels)).astype(np.int64))
    off = _error(of, "counts")
    return [
        Cell(labels=label, value=value, low=max(0, value - off), high=max(0, value + off))
        for label, value in zip(labels, noisy.tolist(), strict=True)
    ]


def _summed(of: Plan, place: Whole, values: Whole | None, labels: list[tuple[str, ...]]) -> list[Cell]:
    assert values is not None
    noisy = _drawn(of, "sums", _summing(place, values, len(labels)))
    off, width = _error(of, "sums"), of.question.width
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
    sum_off, count_off = _error(of, "sums", 2), _error(of, "counts", 2)
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
    question, size = of.question, _candidates(of.question)
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


def _off(of: Plan) -> float | None:
    if "choice" not in of.scales:
        return None
    unit = 1 if of.question.kind == "mode" else ratio(of.question)[1]
    return noise.choice_error(of.scales["choice"], _candidates(of.question), of.question.confidence) / unit


def _margins(of: Plan, cells: list[Cell]) -> list[Cell]:
    """Totals over each dimension, and over all, of the noisy cells: they cost nothing more. Their errors add up at most."""
    dimensions = len(of.question.by)
    off = {1: _error(of, "counts")}
    totals: dict[tuple[str, ...], tuple[int, int]] = {}
    for cell in cells:
        assert isinstance(cell.value, (int, float))
        for kept in [*(frozenset({one}) for one in range(dimensions)), frozenset[int]()]:
            label = tuple(name if one in kept else "" for one, name in enumerate(cell.labels))
            value, parts = totals.get(label, (0, 0))
            totals[label] = value + int(cell.value), parts + 1
    for parts in {parts for _value, parts in totals.values()}:
        # Each within its interval of a higher confidence, so that all are together.
        off.setdefault(parts, parts * _error(of, "counts", parts))
    return [
        Cell(labels=label, value=value, low=max(0, value - off[parts]), high=max(0, value + off[parts]))
        for label, (value, parts) in totals.items()
    ]


def _tidy(value: float) -> float:
    """A multiple of a decimal step without the last digits of a binary product."""
    return float(f"{value:.12g}")
