"""What an answer guarantees and what not, in sentences that page, API and command line share."""

from __future__ import annotations

from decimal import Decimal

from techniques.core.messages import _
from techniques.core.settings import Statement
from techniques.models.differential_privacy.outcome import Answer, plain, times
from techniques.models.differential_privacy.question import Question

CLAUSE = "GB/T 37964-2019 B.2.2, B.2.4; T/ISC 0078-2025 10.4"


def statements(answer: Answer) -> list[Statement]:
    """The guarantee, how it was kept, how far off the answer may be, and what is not covered."""
    question = Question.model_validate(answer.question)
    found = [
        _guarantee(answer),
        _neighbours(answer),
        *_bounds(answer, question),
        _mechanism(answer, question),
    ]
    if question.finds_keys:
        text = _(
            "Groups were not stated: one comes out where its noisy number of rows reaches %(threshold)d, and others are left out without a word."
        )
        noise = f"b = S/ε = {answer.scales['keys']:.6g}, S = {answer.sensitivities['keys_l1']:g}"
        found.append(Statement.of("keys_by_threshold", text, noise, threshold=answer.threshold or 0))
    else:
        text = _(
            "Groups are those that were asked for; rows of other values, and rows without the values that are needed, are not counted."
        )
        found.append(Statement.of("keys_stated", text))
    return [*found, *_accuracy(answer, question), limits()]


def beside(answer: Answer) -> Statement | None:
    """What stands where other answers have an interval; None where they have one."""
    if answer.off is None:
        return None
    text = _("at most %(rows).1f rows worse than the best")
    return Statement.of("beside", text, rows=answer.off)


def _guarantee(answer: Answer) -> Statement:
    if Decimal(answer.loss["delta"]) == 0:
        text = _(
            "One person's data make any answer %(times)s times as likely at most (e^ε, ε = %(epsilon)s)."
        )
        return Statement.of(
            "guarantee", text, times=times(answer.loss["epsilon"]), epsilon=plain(answer.loss["epsilon"])
        )
    text = _(
        "One person's data make any answer %(times)s times as likely at most, but for a chance of %(delta)s (e^ε, ε = %(epsilon)s, δ = %(delta)s)."
    )
    return Statement.of(
        "guarantee_delta",
        text,
        times=times(answer.loss["epsilon"]),
        epsilon=plain(answer.loss["epsilon"]),
        delta=f"{float(answer.loss['delta']):.3g}",
    )


def _neighbours(answer: Answer) -> Statement:
    if answer.neighbours == "change":
        text = _(
            "Compared are tables in which one person's data are exchanged for another's; how many persons there are is public."
        )
        return Statement.of("neighbours_change", text)
    return Statement.of("neighbours_add", _("Compared are tables with and without all data of one person."))


def _bounds(answer: Answer, question: Question) -> list[Statement]:
    found = []
    if answer.per_person:
        text = _(
            "A person counts with at most %(rows)d rows in each of at most %(groups)d groups; which ones is drawn by chance with a secret seed. A row in which the whole key of the person is missing counts as a person of its own."
        )
        found.append(
            Statement.of("person", text, rows=question.rows_per_group, groups=question.groups_per_person)
        )
    else:
        text = _(
            "A row was taken to be a person: of whoever has several rows, each row is protected by itself only."
        )
        found.append(Statement.of("row_is_person", text))
    if question.kind in ("sum", "mean", "quantile"):
        low, high = (bound * question.width for bound in question.steps)
        text = _(
            "Values are clamped to %(lower)s … %(upper)s and rounded to %(step)s; both were stated, not read from the data."
        )
        found.append(
            Statement.of(
                "clamped", text, lower=f"{low:.12g}", upper=f"{high:.12g}", step=f"{question.width:.12g}"
            )
        )
    return found


def _mechanism(answer: Answer, question: Question) -> Statement:
    if question.noise == "exponential":
        text = _(
            "The answer is drawn by the exponential mechanism: one person moves a score by %(change)s at most in all groups together."
        )
        return Statement.of(
            "exponential",
            text,
            f"P ∝ exp(q/{answer.scales['choice']:.6g})",
            change=plain(answer.sensitivities["choice_l1"]),
        )
    parts = [name for name in ("sums", "counts") if name in answer.scales]
    gaussian = question.noise == "gaussian"
    sign, norm = ("σ = Δ/√(2ρ)", "l2") if gaussian else ("b = S/ε", "l1")
    amounts = [(answer.scales[name], answer.sensitivities[f"{name}_{norm}"]) for name in parts]
    formula = "; ".join(
        f"{sign} = {scale:.6g}, {'Δ' if gaussian else 'S'} = {change:g}" for scale, change in amounts
    )
    text = (
        _("Discrete Gaussian noise; a scale is said in steps of the answer.")
        if gaussian
        else _("Discrete Laplace noise; a scale is said in steps of the answer.")
    )
    return Statement.of("gaussian" if gaussian else "laplace", text, formula)


def _accuracy(answer: Answer, question: Question) -> list[Statement]:
    percent = plain(round(100 * question.confidence, 4))
    if answer.off is not None:
        text = _(
            "With %(percent)s %% confidence the value chosen in a group is at most %(rows).1f rows worse than the best that could be chosen there."
        )
        return [Statement.of("off", text, percent=percent, rows=answer.off)]
    text = _(
        "Each interval holds the answer without noise with %(percent)s %% confidence, one group taken by itself. Clamping, rounding and rows that are not counted are no part of it."
    )
    return [Statement.of("interval", text, percent=percent)]


def limits() -> Statement:
    """What no answer and no account covers."""
    text = _(
        "Not covered: answers from elsewhere about the same persons, what is true of a group as a whole and thereby of its members, and how long an answer takes."
    )
    return Statement.of("limits", text)
