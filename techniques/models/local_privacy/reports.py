"""Collected answers as they arrive, one text each, and what they say of those who sent them (GB/T 37964-2019 B.2.3, B.2.5)."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence

import numpy as np

from techniques.core.messages import EngineError, _
from techniques.core.settings import Frozen, Statement
from techniques.core.subjects import Subjects
from techniques.models.local_privacy import client
from techniques.models.local_privacy.estimates import Estimate, mean, response_shares, unary_shares
from techniques.models.local_privacy.survey import Survey

CLAUSE = "GB/T 37964-2019 B.2.3, B.2.5"
_FURTHEST = 2**53


class Line(Frozen):
    """A share of those who answered, by its choice, or their mean, which has no label."""

    label: str
    value: float
    low: float
    high: float


class Findings(Frozen):
    """Of ``rows`` of a file: ``answers`` counted, those of no readable form, and further ones of a person who has one already."""

    survey: Survey
    rows: int
    answers: int
    unreadable: int
    repeated: int
    lines: tuple[Line, ...]


def findings(texts: Sequence[str | None], survey: Survey, subjects: Subjects | None = None) -> Findings:
    """What the answers say, one to a person: where ``subjects`` tell whose each row is, the first that can be read counts.

    An answer is the place of a choice from 0, a bit 0 or 1 for each choice (``0100`` or ``[0, 1, 0, 0]``), or a whole number of
    steps. Raises EngineError ``answers_missing``.
    """
    read = [_answer(text, survey) for text in texts]
    kept, seen, repeated = [], set[int](), 0
    for row, answer in enumerate(read):
        if answer is None:
            continue
        person = row if subjects is None else int(subjects[row])
        if subjects is not None and person in seen:
            repeated += 1
            continue
        seen.add(person)
        kept.append(answer)
    return Findings(
        survey=survey,
        rows=len(texts),
        answers=len(kept),
        unreadable=sum(answer is None for answer in read),
        repeated=repeated,
        lines=tuple(
            Line(label=label, value=found.value, low=found.low, high=found.high)
            for label, found in _estimated(kept, survey)
        ),
    )


def encoded(value: str, survey: Survey, draw: client.Draw = client.system_draw) -> str:
    """What a device sends for one value, as the text that :func:`findings` reads. EngineError ``value_outside``."""
    if survey.kind == "number":
        assert survey.low is not None
        assert survey.high is not None
        try:
            given = float(value)
            return str(client.noisy(given, survey.low, survey.high, survey.steps, survey.epsilon, draw))
        except ValueError:
            raise EngineError("value_outside", _("A value is no number.")) from None
    if value not in survey.choices:
        raise EngineError("value_outside", _("A value is none of the choices."))
    place, number = survey.choices.index(value), len(survey.choices)
    if survey.kind == "response":
        return str(client.response(place, number, survey.epsilon, draw))
    return "".join(map(str, client.unary(place, number, survey.epsilon, draw)))


_RANDOMISED = {
    "response": _(
        "The figures hold for answers that a randomised response with ε = %(epsilon)s has changed on the device of each person; "
        "whether it has cannot be seen from them."
    ),
    "unary": _(
        "The figures hold for answers that optimised unary encoding with ε = %(epsilon)s has changed on the device of each person; "
        "whether it has cannot be seen from them."
    ),
    "number": _(
        "The figures hold for answers that local Laplace noise with ε = %(epsilon)s has changed on the device of each person; "
        "whether it has cannot be seen from them."
    ),
}


def statements(found: Findings) -> list[Statement]:
    """What the figures hold for, and what was left out."""
    survey = found.survey
    text = (
        _("The interval holds with a confidence of about %(confidence)s %%.")
        if survey.kind == "number"
        else _("Each interval holds by itself with a confidence of at least %(confidence)s %%.")
    )
    said = [
        Statement.of("randomised", _RANDOMISED[survey.kind], epsilon=f"{survey.epsilon:g}"),
        Statement.of("confidence", text, confidence=f"{100 * survey.confidence:g}"),
    ]
    guarantee = _(
        "Whoever sees an answer learns little from it: any true value makes it at most %(factor)s times as likely as any other does "
        "(differential privacy in local mode)."
    )
    beyond = _(
        "Not covered: further answers of the same person, whose ε add up; devices that did not do as the kit does; what the figures "
        "tell of everybody alike; and answers that are not true, which the figures hold for all the same."
    )
    said += [
        Statement.of("guarantee", guarantee, factor=f"{math.exp(survey.epsilon):.4g}"),
        Statement.of("beyond", beyond),
    ]
    if survey.kind != "number" and any(not 0 <= line.value <= 1 for line in found.lines):
        text = _("A share below 0 or above 1 is left as it is: cut off, it would be biased.")
        said.append(Statement.of("outside", text))
    if found.unreadable:
        text = _("Of %(rows)d rows %(number)d hold no answer of this form; they are left out.")
        said.append(Statement.of("unreadable", text, rows=found.rows, number=found.unreadable))
    if found.repeated:
        text = _("Of each person the first answer counts; %(number)d further ones are left out.")
        said.append(Statement.of("repeated", text, number=found.repeated))
    return said


def _estimated(answers: list[list[int]], survey: Survey) -> list[tuple[str, Estimate]]:
    """The estimates by their labels. ``answers``: a place, a bit for each choice, or a number of steps."""
    if survey.kind == "number":
        assert survey.low is not None
        assert survey.high is not None
        places = [answer[0] for answer in answers]
        made = mean(
            places, survey.low, survey.high, survey.steps, survey.epsilon, confidence=survey.confidence
        )
        return [("", made)]
    size = len(survey.choices)
    if survey.kind == "response":
        counts = np.bincount([answer[0] for answer in answers] or [0], minlength=size) * bool(answers)
        shares = response_shares(counts.tolist(), survey.epsilon, confidence=survey.confidence)
    else:
        ones = np.array(answers, dtype=np.int64).reshape(-1, size).sum(axis=0).tolist()
        shares = unary_shares(ones, len(answers), survey.epsilon, confidence=survey.confidence)
    return list(zip(survey.choices, shares, strict=True))


def _answer(text: str | None, survey: Survey) -> list[int] | None:
    """The numbers of one answer; None where it is none of this survey."""
    given = (text or "").strip()
    if survey.kind == "unary":
        if given.startswith("["):
            try:
                bits = json.loads(given)
            except ValueError:
                return None
        else:
            bits = [int(sign) for sign in given] if set(given) <= {"0", "1"} else None
        fits = isinstance(bits, list) and len(bits) == len(survey.choices)
        return bits if fits and all(type(bit) is int and bit in (0, 1) for bit in bits) else None
    try:
        number = int(given)
    except ValueError:
        return None
    if survey.kind == "response":
        return [number] if 0 <= number < len(survey.choices) else None
    return [number] if abs(number) <= _FURTHEST else None
