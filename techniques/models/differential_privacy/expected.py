"""How far off an answer is going to be, said of the question alone and before anything is spent (GB/T 37964-2019 B.2.4.3)."""

from __future__ import annotations

from techniques.core.messages import _
from techniques.core.settings import Statement
from techniques.models.differential_privacy.outcome import plain
from techniques.models.differential_privacy.planning import Plan, choice_off, mean_error, noise_error

_GROUPS = (100, 1_000, 10_000)
"""Of how many rows a mean is said where the question says none: its error hangs on that number."""


def expected(of: Plan) -> list[Statement]:
    """The error of one group of the answer by itself, with the confidence of the question."""
    question = of.question
    percent = plain(round(100 * question.confidence, 4))
    off = choice_off(of)
    if off is not None:
        text = _(
            "With %(percent)s %% confidence the value chosen in a group is at most %(rows).1f rows worse than the best that could be chosen there."
        )
        return [Statement.of("expected_off", text, percent=percent, rows=off)]
    if question.kind == "mean":
        text = _(
            "With %(percent)s %% confidence noise moves the mean of a group of %(rows)d rows by at most %(error)s."
        )
        groups = _GROUPS if question.least_count is None else (question.least_count,)
        return [
            Statement.of(
                "expected_mean", text, percent=percent, rows=rows, error=f"{mean_error(of, rows):.4g}"
            )
            for rows in groups
        ]
    if question.kind == "sum":
        text = _("With %(percent)s %% confidence noise moves the sum of a group by at most %(error)s.")
        error = noise_error(of, "sums") * question.width
        return [Statement.of("expected_sum", text, percent=percent, error=f"{error:.12g}")]
    text = _("With %(percent)s %% confidence noise moves the number of a group by at most %(error)d.")
    return [Statement.of("expected_count", text, percent=percent, error=noise_error(of, "counts"))]
