"""A.7 a: whether made-up rows are so close to real ones that they may give them away.

Rows that were held out are the measure: made-up rows should be no closer to the rows learned from than these are.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from techniques.core.messages import EngineError, _
from techniques.core.operations import StringArray
from techniques.core.secrets import Secrets
from techniques.core.subjects import Subjects, persons
from techniques.core.tuples import Codes, TupleKeys
from techniques.families.synthesis import kernels
from techniques.families.synthesis.columns import LearnedColumn, Reals, spread

SAMPLED = 500
"""Made-up rows, and held-out rows, whose closest row is looked for."""
REFERENCE = 200_000
"""Rows learned from among which it is looked for; equal rows are looked for among all."""
LIMIT = 0.6
"""Chance that a made-up row is closer than a held-out one from which on the fit is too close; 0.5 is none at all."""
MORE = 1.25
"""How many times the share of held-out rows that equal one learned from may come up among the made-up ones."""
_ERRORS = 4
"""Standard errors that must lie between what was measured and chance."""


@dataclass(frozen=True)
class Closeness:
    """What the test found. Shares are of rows, 0 to 1; distances are per column, 0 to 1.

    ``membership`` is the chance that an attacker who has a row learned from and one held out, and takes the one that is
    closer to a made-up row for the one learned from, is right: 0.5 is guessing (membership inference).
    """

    exact: float
    exact_expected: float
    exact_unique: int
    distance: float
    distance_expected: float
    nearer: float
    membership: float
    judged: float
    """The chance that comes closest to what may be, or exceeds it most, and what it may be: more where few rows show it."""
    limit: float
    too_close: bool

    def as_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "exact_match_share": round(self.exact, 6),
            "exact_match_share_held_out": round(self.exact_expected, 6),
            "matches_of_unique_rows": self.exact_unique,
            "median_distance_to_closest": round(self.distance, 6),
            "median_distance_to_closest_held_out": round(self.distance_expected, 6),
            "nearer_than_held_out": round(self.nearer, 4),
            "membership": round(self.membership, 4),
            "judged": round(self.judged, 4),
            "limit": (floor if self.judged > self.limit else ceil)(self.limit * 10**4) / 10**4,
            "too_close": self.too_close,
        }


def split(
    secrets: Secrets, label: str, rows: int, share: float, subjects: Subjects | None = None
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Rows to learn from, and rows held out: those of whole persons, where ``subjects`` say whose they are, because a row held
    out lies close to the others of its person. EngineError ``rows_too_few``, ``persons_too_few``."""
    who, number = (np.arange(rows), rows) if subjects is None else persons(subjects)
    held = max(1, round(share * number))
    if rows < 20 or rows - held < 10:
        raise EngineError("rows_too_few", _("%(rows)d rows are too few to make up others from."), rows=rows)
    if number < 20:
        text = _("%(persons)d persons are too few to make up the rows of others from.")
        raise EngineError("persons_too_few", text, persons=number)
    order = np.argsort(secrets.uniform(f"{label} held out", number), kind="stable")
    if subjects is None:
        return np.sort(order[held:]), np.sort(order[:held])
    out = np.zeros(number, dtype=bool)
    out[order[:held]] = True
    return np.flatnonzero(~out[who]), np.flatnonzero(out[who])


def closeness(
    learned: list[LearnedColumn],
    parts: tuple[NDArray[np.int64], NDArray[np.int64]],
    made_up: list[tuple[StringArray, Codes]],
    lines: list[Reals | None],
    secrets: Secrets,
    label: str,
) -> Closeness:
    """Compare made-up rows with those learned from and those held out (``parts``).

    ``lines`` are the places of made-up numbers between which values may lie; None: their codes say it.
    """
    train, held = parts
    pairs = [column.keys(cells) for column, cells in zip(learned, made_up, strict=True)]
    keys = TupleKeys([len(column.dictionary) + 1 for column in learned])
    real = keys.encode([own for own, _ in pairs])
    # A made-up value that nobody has takes a code of its own, so that its row matches none.
    made = keys.encode(
        [
            np.where(here == -2, len(column.dictionary), here).astype(np.int32)
            for (_, here), column in zip(pairs, learned, strict=True)
        ]
    )
    distinct, counts = np.unique(real[train], return_counts=True)
    exact = np.isin(made, distinct)
    expected = np.isin(real[held], distinct)
    unique = int(np.isin(made, distinct[counts == 1]).sum())
    real_numbers, real_codes = spread(
        learned, train, [None] * len(learned), [column.codes for column in learned]
    )
    made_numbers, made_codes = spread(learned, train, lines, [here for _, here in pairs])
    some = _some(secrets, f"{label} made up", len(made))
    others = held[_some(secrets, f"{label} unseen", len(held))]
    near = np.empty(len(some))
    far = np.empty(len(others))
    reference = train[_some(secrets, f"{label} reference", len(train), REFERENCE)]
    known = (real_numbers[reference], real_codes[reference])
    kernels.nearest(made_numbers[some], made_codes[some], *known, near)
    kernels.nearest(real_numbers[others], real_codes[others], *known, far)
    nearer = _chance(near, far)
    inside = train[_some(secrets, f"{label} member", len(train))]
    target = _some(secrets, f"{label} made up reference", len(made), REFERENCE)
    shown = (made_numbers[target], made_codes[target])
    member, stranger = np.empty(len(inside)), np.empty(len(others))
    kernels.nearest(real_numbers[inside], real_codes[inside], *shown, member)
    kernels.nearest(real_numbers[others], real_codes[others], *shown, stranger)
    membership = _chance(member, stranger)
    error = np.sqrt((1 / len(near) + 1 / len(far)) / 12)
    member_error = np.sqrt((1 / len(member) + 1 / len(stranger)) / 12)
    share, share_expected = float(exact.mean()), float(expected.mean())
    share_error = np.sqrt(max(share_expected * (1 - share_expected), 1 / len(held)) / len(held))
    judged, limit = max(
        (
            (chance, max(LIMIT, 0.5 + _ERRORS * float(off)))
            for chance, off in ((nearer, error), (membership, member_error))
        ),
        key=lambda one: one[0] - one[1],
    )
    return Closeness(
        share,
        share_expected,
        unique,
        float(np.median(near)) / len(learned),
        float(np.median(far)) / len(learned),
        nearer,
        membership,
        judged,
        limit,
        bool(judged > limit or share > MORE * share_expected + max(0.02, _ERRORS * share_error)),
    )


def verdict(found: Closeness, wanted: Literal["warn", "error"]) -> dict[str, Any]:
    """What the report says; EngineError ``synthesis_too_close`` where the run is to stop."""
    if found.too_close and wanted == "error":
        text = _(
            "Made-up rows are too close to real ones: %(exact)s of them equal one, of held-out rows %(expected)s. "
            "Draw each value from more rows, or generalise first."
        )
        raise EngineError(
            "synthesis_too_close", text, exact=f"{found.exact:.2%}", expected=f"{found.exact_expected:.2%}"
        )
    said = found.as_dict()
    if found.too_close:
        said["warning"] = WARNING
    return said


WARNING = _(
    "Made-up rows are closer to the rows learned from than held-out rows are: they may give them away."
)


def _some(secrets: Secrets, label: str, rows: int, most: int = SAMPLED) -> NDArray[np.int64]:
    if rows <= most:
        return np.arange(rows)
    return np.argsort(secrets.uniform(label, rows), kind="stable")[:most]


def _chance(near: Reals, far: Reals) -> float:
    """Chance that one of ``near`` is smaller than one of ``far``, ties counting half."""
    ordered = np.sort(far)
    above = len(far) - np.searchsorted(ordered, near, side="right")
    ties = np.searchsorted(ordered, near, side="right") - np.searchsorted(ordered, near, side="left")
    return float((above + ties / 2).mean() / len(far))
