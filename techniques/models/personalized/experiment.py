"""The experiment of Cao et al. 2018, section 5: three models on Adult, by k and by the number of rows."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from time import process_time
from typing import NamedTuple

import numpy as np

from techniques.models.personalized.adult import DISEASE, Experiment, drawn, read
from techniques.models.personalized.figures import Curve, line_chart
from techniques.models.personalized.forming import Goal, by_algorithm_1, by_recoding
from techniques.models.personalized.measures import (
    quasi_loss,
    recognition_rate,
    sensitive_loss,
)

MODELS = ("k_anonymity", "alpha_l", "personalized")
NAMES = {
    "k_anonymity": "k-anonymity",
    "alpha_l": "(α,l)-diversity k-anonymity",
    "personalized": "personalized (α,l)-diversity k-anonymity",
}
L, ALPHA = 4, 0.8
K = tuple(range(2, 21, 2))
K_OF_SIZES = 5
SIZES = tuple(range(5_000, 30_001, 5_000))
REPETITIONS = 10
COMPILED_BY = 2_000
"""Rows of a search that is not timed, by which its loops are compiled."""
_NOISE = 0.02
"""What the mean of some repetitions may be off by, of itself, where it is compared with another."""
_FLAT = 0.1
_MEASURES = (
    ("ncp", "Information loss (NCP)", "信息损失"),
    ("recognition_rate", "Recognition rate of sensitive values", "敏感值识别率"),
    ("seconds", "Seconds of the processor", "处理器时间（秒）"),
)


class Line(NamedTuple):
    """One run of one model; ``ncp`` summed over rows and attributes, the sensitive one included, ``seconds`` of the processor."""

    model: str
    k: int
    rows: int
    repetition: int
    ncp: float
    recognition_rate: float
    seconds: float

    def as_dict(self) -> dict[str, str | int | float]:
        """By the names of the table's columns."""
        return dict(zip(Line.__annotations__, self, strict=True))


class Plan(NamedTuple):
    """What is varied: ``k`` (never 5) at all rows, ``sizes`` at k = 5."""

    k: Sequence[int] = K
    sizes: Sequence[int] = SIZES
    repetitions: int = REPETITIONS
    seed: int = 2018


class Found(NamedTuple):
    """All runs, the size of the whole table, and our search beside Algorithm 1 (first) at k = 5: its first classes, and those after
    rows have moved between them."""

    lines: list[Line]
    rows: int
    compared: tuple[Line, Line, Line]


def run(path: Path, plan: Plan, tick: Callable[[float], None] = lambda share: None) -> Found:
    """All runs over the complete cases of the file. Diseases, levels, samples and first records are drawn from the plan's seed."""
    shapes, codes = read(path)
    rows = len(codes[0])
    sizes = [size for size in plan.sizes if size <= rows] or [rows]
    lines: list[Line] = []
    first = drawn(shapes, codes, np.random.default_rng([plan.seed, 0]))
    warm = first.part(np.arange(min(rows, 100)))
    _three(warm, K_OF_SIZES, 0, 0)  # loads the machine code, which is no part of what is timed
    by_recoding(warm.shapes, warm.codes, [(DISEASE, warm.disease)], Goal(K_OF_SIZES))
    for repetition in range(plan.repetitions):
        random = np.random.default_rng([plan.seed, repetition])
        whole = drawn(shapes, codes, random)
        for k in plan.k:
            lines += _three(whole, k, repetition, plan.seed)
        order = random.permutation(rows)
        for size in sizes:
            lines += _three(whole.part(np.sort(order[:size])), K_OF_SIZES, repetition, plan.seed)
        tick((repetition + 1) / plan.repetitions)
    return Found(lines, rows, _compared(first, plan.seed))


def _three(data: Experiment, k: int, repetition: int, seed: int) -> list[Line]:
    """The three models on the same data, by Algorithm 1."""
    found, n = [], len(data.disease)
    written = DISEASE.written(data.disease, data.wanted)
    for model, goal in (("k_anonymity", Goal(k)), ("alpha_l", Goal(k, L, ALPHA))):
        started = process_time()
        class_of = by_algorithm_1(data.shapes, data.codes, [(DISEASE, data.disease)], goal, seed + repetition)
        seconds = process_time() - started
        lost = quasi_loss(data.shapes, data.codes, class_of)
        rate = recognition_rate(class_of, data.disease, DISEASE.under)
        found.append(Line(model, k, n, repetition, lost, rate, seconds))
    started = process_time()
    DISEASE.written(data.disease, data.wanted)
    seconds += process_time() - started
    lost += sensitive_loss(written, DISEASE.under, len(DISEASE.values))
    rate = recognition_rate(class_of, written, DISEASE.under)
    found.append(Line("personalized", k, n, repetition, lost, rate, seconds))
    return found


def _compared(data: Experiment, seed: int) -> tuple[Line, Line, Line]:
    """The personalized model at k = 5 by Algorithm 1 and by local recoding, whose loops are compiled before the clock runs."""
    few = data.part(np.arange(min(len(data.disease), COMPILED_BY)))
    by_recoding(few.shapes, few.codes, [(DISEASE, few.disease)], Goal(K_OF_SIZES, L, ALPHA))
    theirs = _three(data, K_OF_SIZES, 0, seed)[2]
    return theirs, _recoded(data, "local_recoding_formed", moved=False), _recoded(data, "local_recoding")


def _recoded(data: Experiment, model: str, *, moved: bool = True) -> Line:
    goal = Goal(K_OF_SIZES, L, ALPHA)
    started = process_time()
    class_of = by_recoding(data.shapes, data.codes, [(DISEASE, data.disease)], goal, moved=moved)
    written = DISEASE.written(data.disease, data.wanted)
    seconds = process_time() - started
    lost = quasi_loss(data.shapes, data.codes, class_of) + sensitive_loss(
        written, DISEASE.under, len(DISEASE.values)
    )
    rate = recognition_rate(class_of, written, DISEASE.under)
    return Line(model, K_OF_SIZES, len(written), 0, lost, rate, seconds)


def trends(found: Found) -> dict[str, bool]:
    """Whether the means over the repetitions show what the paper's figures 2 to 5 show, and whether our search is better."""
    by_k = {model: _means(found.lines, model, "k") for model in MODELS}
    by_size = {model: _means(found.lines, model, "rows") for model in MODELS}
    plain, diverse, personal = (by_k[model] for model in MODELS)
    gap = {k: diverse[k].ncp / plain[k].ncp - 1 for k in plain}
    rest = {k: personal[k].ncp / diverse[k].ncp - 1 for k in plain}
    low, high = min(plain), max(plain)
    theirs, *ours = found.compared
    return {
        "loss grows with k": all(_rising([one.ncp for one in means.values()]) for means in by_k.values()),
        "loss grows with the rows": all(_rising([one.ncp for one in means.values()]) for means in by_size.values()),
        "loss: k-anonymity <= (α,l) <= personalized": all(
            _rising([means[model][x].ncp for model in MODELS]) for means in (by_k, by_size) for x in means[MODELS[0]]
        ),
        "losses come closer as k grows": gap[high] < gap[low] and rest[high] < rest[low],
        "recognition falls with k": all(
            _rising([-one.recognition_rate for one in means.values()]) for means in by_k.values()
        ),
        "recognition hardly depends on the rows": all(
            max(rates) <= min(rates) * (1 + _FLAT)
            for rates in ([one.recognition_rate for one in means.values()] for means in by_size.values())
        ),
        "recognition: personalized < (α,l), and that at most 2 % above k-anonymity": all(
            personal_rate < diverse_rate <= plain_rate * (1 + _NOISE)
            for means in (by_k, by_size)
            for plain_rate, diverse_rate, personal_rate in (
                [means[model][x].recognition_rate for model in MODELS] for x in means[MODELS[0]]
            )
        ),
        "our search loses less and nothing more is recognised": all(
            one.ncp < theirs.ncp and one.recognition_rate <= theirs.recognition_rate for one in ours
        ),
    }  # fmt: skip


def write(found: Found, folder: Path) -> None:
    """``table.csv`` with every run, and ``figure-1.svg`` … ``figure-6.svg`` with the means."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "table.csv").open("w", newline="", encoding="utf-8") as stream:
        rows = csv.writer(stream)
        rows.writerow(found.lines[0].as_dict())
        rows.writerows(
            (*line[:4], f"{line.ncp:.4f}", f"{line.recognition_rate:.6f}", f"{line.seconds:.4f}")
            for line in found.lines
        )
    number = 0
    for measure, label, chinese in _MEASURES:
        for axis, horizontal in (("k", "k"), ("rows", "Rows 数据集大小")):
            number += 1
            curves = [
                Curve(
                    NAMES[model],
                    {x: getattr(mean, measure) for x, mean in _means(found.lines, model, axis).items()},
                )
                for model in MODELS
            ]
            fixed = f"{found.rows:,} rows" if axis == "k" else f"k = {K_OF_SIZES}"
            drawn_chart = line_chart(f"{label} {chinese} ({fixed}, l = {L}, α = {ALPHA})", horizontal, curves)
            (folder / f"figure-{number}.svg").write_text(drawn_chart, encoding="utf-8")


class _Mean(NamedTuple):
    ncp: float
    recognition_rate: float
    seconds: float


def _means(lines: Iterable[Line], model: str, axis: str) -> dict[int, _Mean]:
    """The means over the repetitions by ``axis``: by k at all rows, or by rows at k = 5."""
    by_place: dict[int, list[tuple[float, float, float]]] = defaultdict(list)
    for line in lines:
        if line.model == model and (line.k == K_OF_SIZES) == (axis == "rows"):
            by_place[getattr(line, axis)].append(line[4:])
    return {x: _Mean(*np.mean(by_place[x], axis=0).tolist()) for x in sorted(by_place)}


def _rising(values: Sequence[float]) -> bool:
    """Whether no value is below the one before it by more than the noise."""
    return all(b >= a - abs(a) * _NOISE for a, b in pairwise(values))
