"""Whether a model reaches its conditions with fewer columns that are ``*`` throughout: tried on the data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any

from techniques.anonymization.release import anonymize
from techniques.anonymization.settings import changed
from techniques.catalogue.models import KAnonymitySettings
from techniques.core.messages import EngineError
from techniques.core.subjects import Subjects
from techniques.hierarchies.build import build
from techniques.models.k_anonymity.operation import NOTHING_FOUND
from techniques.tables.dictionary import EncodedColumn

MOST_SEARCHES = 200
"""Sets of columns that are tried at most."""


@dataclass(frozen=True)
class Sparing:
    """The solution of least loss among those that leave the fewest columns ``*`` in every row.

    ``best`` are the columns that the solution of least loss empties, ``emptied`` those of this one: equally many where nothing
    else reaches the conditions. ``levels`` are this one's, and ``suppressed`` its rows. ``proved`` where every smaller set of
    columns was tried and ruled out.
    """

    best: tuple[str, ...]
    emptied: tuple[str, ...]
    levels: Mapping[str, int]
    suppressed: int
    proved: bool

    def as_dict(self) -> dict[str, Any]:
        return {
            "best": list(self.best),
            "emptied": list(self.emptied),
            "levels": dict(self.levels),
            "suppressed": self.suppressed,
            "proved": self.proved,
        }


def sparing(
    quasi: Mapping[str, EncodedColumn],
    sensitive: Mapping[str, EncodedColumn],
    settings: KAnonymitySettings,
    tick: Callable[[float], None] = lambda share: None,
    *,
    subjects: Subjects | None = None,
) -> Sparing | None:
    """Keep the columns below the level at which they are ``*`` throughout, all of them but as few as possible; None where
    the full-domain ``settings`` have no solution at all.
    """
    tops = {name: build(settings.hierarchies[name], one.values).levels - 1 for name, one in quasi.items()}
    able = [
        name
        for name, top in tops.items()
        if settings.minimum_levels.get(name, 0) < top <= settings.maximum_levels.get(name, top)
    ]
    proved = True

    def tried(given_up: tuple[str, ...]) -> dict[str, Any] | None:
        nonlocal proved
        kept = {name: tops[name] - 1 for name in able if name not in given_up}
        capped = changed(settings, maximum_levels=settings.maximum_levels | kept)
        try:
            return anonymize(quasi, sensitive, capped, subjects=subjects).report
        except EngineError as error:
            if error.code not in NOTHING_FOUND:
                raise
            proved = proved and error.code == "no_solution"
            return None

    def emptied(report: Mapping[str, Any]) -> tuple[str, ...]:
        return tuple(name for name in quasi if report["levels"][name] >= tops[name] > 0)

    found = tried(tuple(able))
    if found is None:
        return None
    best, fewest = emptied(found), sum(name in able for name in emptied(found))
    total = min(MOST_SEARCHES, sum(comb(len(able), size) for size in range(fewest)))
    done = 0
    for size in range(fewest):
        if done + comb(len(able), size) > MOST_SEARCHES:
            proved = False
            break
        reached = []
        for given_up in combinations(able, size):
            reached.append(tried(given_up))
            done += 1
            tick(done / total)
        if any(reached):
            found = min((one for one in reached if one), key=lambda one: float(one["loss"]))
            break
    tick(1.0)
    return Sparing(best, emptied(found), found["levels"], int(found["suppressed"]), proved)
