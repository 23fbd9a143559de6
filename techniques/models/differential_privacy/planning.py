"""How a question will be answered and what that costs, worked out of the question alone: no data, and no library of numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from techniques.models.differential_privacy import scales as sizes
from techniques.models.differential_privacy.loss import (
    NOTHING,
    Budget,
    Charge,
    Loss,
    Neighbours,
    parts_of,
    rho_of,
)
from techniques.models.differential_privacy.question import Question
from techniques.models.differential_privacy.sensitivity import (
    Sensitivity,
    of_counts,
    of_ranks,
    of_sums,
    ratio,
)


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
    scale = sizes.laplace_scale(change.l1, granted)
    threshold = sizes.key_threshold(change.cells, change.single, scale, delta)
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
        each = level(question, len(parts))
        if error is not None:
            scales[name] = (sizes.gaussian_scale_for if gaussian else sizes.laplace_scale_for)(error, each)
        elif gaussian:
            scales[name] = sizes.gaussian_scale(change.l2, rho_of(_share(question), delta) / len(parts))
        else:
            scales[name] = sizes.laplace_scale(change.l1, _share(question) / len(parts))
        if gaussian:
            rho += sizes.gaussian_cost(change.l2, scales[name])
        else:
            epsilon += sizes.laplace_cost(change.l1, scales[name])
    sensitivities = {name: change for name, (change, _error) in parts.items()}
    loss = Loss.gaussian(rho, delta) if gaussian else Loss.pure(_not_above(epsilon, question))
    return Plan(question, neighbours, scales, sensitivities, loss)


def _not_above(epsilon: float, question: Question) -> float:
    """``epsilon`` as it was asked for where it is that but for the last digits of a sum."""
    if question.epsilon is None:
        return epsilon
    asked = _share(question)
    return asked if epsilon <= asked * (1 + 1e-14) else epsilon


def level(question: Question, parts: int) -> float:
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


def candidates(question: Question) -> int:
    """How many values a choice is made among."""
    if question.kind == "mode":
        return len(question.candidates or ())
    low, high = question.steps
    return high - low + 1


def _choice(question: Question, neighbours: Neighbours) -> Plan:
    """Choices in each group: together they cost what a sum over the groups that a person touches costs."""
    change = of_counts(question, neighbours) if question.kind == "mode" else of_ranks(question, neighbours)
    unit = 1 if question.kind == "mode" else ratio(question)[1]
    if question.error is not None:
        scale = sizes.choice_scale_for(question.error * unit, candidates(question), question.confidence)
    else:
        scale = sizes.choice_scale(change.l1, _share(question))
    # The sum of the epsilons of the cells that a person touches.
    cost = sizes.choice_cost(change.l1, scale)
    loss = Loss.choice(_not_above(cost, question))
    return Plan(question, neighbours, {"choice": scale}, {"choice": change}, loss)


def noise_error(of: Plan, name: str, parts: int = 1) -> int:
    """How many steps the noise of the part ``name`` moves it at most, with a confidence that ``parts`` such parts hold together."""
    error = sizes.gaussian_error if of.question.noise == "gaussian" else sizes.laplace_error
    return error(of.scales[name], level(of.question, parts))


def choice_off(of: Plan) -> float | None:
    """How many rows a chosen value is worse than the best candidate at most; None where nothing is chosen."""
    if "choice" not in of.scales:
        return None
    unit = 1 if of.question.kind == "mode" else ratio(of.question)[1]
    return sizes.choice_error(of.scales["choice"], candidates(of.question), of.question.confidence) / unit


def mean_error(of: Plan, rows: int) -> float:
    """How much noise moves the mean of ``rows`` rows at most, in the unit of the column; see :func:`_mean`."""
    low, high = of.question.steps
    sums, counts = (noise_error(of, name, 2) for name in ("sums", "counts"))
    most = high - low
    if rows <= counts:
        return most * of.question.width
    return min(most, (sums + (most + 1) / 2 * counts) / (rows - counts)) * of.question.width


def charge_of(of: Plan, budget: Budget, *, per_row: bool) -> Charge:
    """What the account is charged: the parts that the query's conditions confine it to, where a row is a person."""
    return Charge(of.loss, parts_of(of.question.where, budget.part, per_row=per_row))
