"""Local recoding as a step of a recipe: worked out on the distinct combinations, then looked up row by row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from time import thread_time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from techniques.catalogue.models import KAnonymitySettings
from techniques.core.operations import Context, Learned, StringArray, TableOperation, TableOutcome, Tally
from techniques.core.subjects import Persons
from techniques.core.tuples import Codes, TupleKeys, positions
from techniques.hierarchies.build import build
from techniques.hierarchies.definitions import Free, ModelHierarchy
from techniques.models.k_anonymity.reading import judged, levels_of, refuse_unfit
from techniques.models.k_anonymity.sensitive import Sensitive, SensitiveOfPersons
from techniques.models.local_recoding.persons import Demand
from techniques.models.local_recoding.recoding import Recoded, recode
from techniques.models.local_recoding.shapes import Shape, free, of_hierarchy


class LocalRecoding(TableOperation):
    """B.1.1 to B.1.3 class by class: the same value may be written more or less coarsely in different classes.

    A missing value is a value of its own. Suppressed rows are removed, or kept with ``*`` in every
    quasi-identifier; they do not count as an equivalence class. Rows that agree in quasi-identifiers and sensitive
    attributes always become alike, so nothing of their order shows in the result.
    """

    reads = True

    def __init__(self, settings: KAnonymitySettings, context: Context) -> None:
        self.settings: KAnonymitySettings = settings
        self.columns = context.columns
        self.search_seconds = 0.0
        """Processor time of the last recoding; no part of the report, which must be repeatable."""

    def fit(self, tally: Tally, tick: Any) -> Learned:
        """Recode the combinations. Raises EngineError ``k_too_large``, ``no_solution``, ``level_unknown``,
        ``hierarchy_no_tree``; Unfit."""
        count = len(self.columns)
        shapes = [
            shape_of(self.settings, number, column, dictionary, codes)
            for number, (column, dictionary, codes) in enumerate(
                zip(self.columns, tally.dictionaries[:count], tally.codes[:count], strict=True)
            )
        ]
        entries = len(tally.counts)
        sensitive = judged(
            self.settings, tally.dictionaries[count:], tally.codes[count:], tally.counts,
            np.arange(entries + 1), count,
        )  # fmt: skip
        demand = demanded(
            self.settings, tally.dictionaries[count:], tally.codes[count:], tally.persons, count
        )
        started = thread_time()
        found = recoded(
            self.settings, self.columns, shapes, tally.codes[:count], tally.counts, sensitive, tick, demand
        )
        self.search_seconds = thread_time() - started
        arrays: dict[str, Any] = {
            "sizes": np.array([len(dictionary) for dictionary in tally.dictionaries], dtype=np.int64),
            "suppressed": found.suppressed.astype(np.uint8),
        }
        for i, codes in enumerate(tally.codes):
            arrays[f"in{i}"] = codes
        for i, (dictionary, codes) in enumerate(zip(found.dictionaries, found.codes, strict=True)):
            arrays[f"dictionary{i}"], arrays[f"out{i}"] = dictionary, codes
        report = local_report(self.settings, self.columns, shapes, found, sensitive, tally.counts, demand)
        return Learned(arrays, {"report": report})

    def restore(self, learned: Learned) -> list[StringArray]:
        """What each combination becomes; the dictionaries hold ``*`` for suppressed rows."""
        arrays = learned.arrays
        self.keys = TupleKeys(arrays["sizes"].tolist())
        keys = self.keys.encode([arrays[f"in{i}"] for i in range(len(arrays["sizes"]))])
        order = np.argsort(keys, kind="stable")
        self.known = keys[order]
        self.suppressed = arrays["suppressed"].astype(bool)[order]
        self.out: list[Codes] = [arrays[f"out{i}"][order] for i in range(len(self.columns))]
        return [arrays[f"dictionary{i}"] for i in range(len(self.columns))]

    def apply(self, codes: list[Codes]) -> TableOutcome:
        """Treat n rows, given by their codes in the step's columns and in those that it reads.

        Entries that were not counted belong to rows that an earlier step has removed; they count as suppressed.
        """
        at = positions(self.known, self.keys.encode(codes))
        suppressed = self.suppressed[at] | (at < 0)
        gone = suppressed if self.settings.suppressed_rows == "remove" else np.zeros(len(at), dtype=bool)
        return TableOutcome([column[at] for column in self.out], gone, suppressed)


def shape_of(
    settings: KAnonymitySettings, number: int, column: str, dictionary: StringArray, codes: Codes
) -> Shape:
    """How one quasi-identifier, the step's column ``number``, may be generalised."""
    definition: ModelHierarchy = settings.hierarchies[column]
    missing = bool((codes < 0).any())
    if isinstance(definition, Free):
        return free(dictionary, missing)
    hierarchy = build(definition, dictionary)
    if settings.unfit != "suppress":
        refuse_unfit(hierarchy, codes, number)
    lowest, highest = levels_of(settings, column, hierarchy)
    return of_hierarchy(hierarchy, missing or bool(hierarchy.unfit.any()), column, lowest, highest)


def demanded(
    settings: KAnonymitySettings,
    dictionaries: Sequence[StringArray],
    codes: Sequence[Codes],
    persons: Persons | None,
    before: int,
) -> Demand | None:
    """What a step demands of the ``persons`` of entries, by their sensitive values; ``before``: columns before these."""
    if persons is None:
        return None
    entries = len(persons.start) - 1
    none = np.empty(0, dtype=np.int64)
    judge = judged(settings, dictionaries, codes, none, np.arange(entries + 1), before, persons)
    sensitive = [one for one in judge if isinstance(one, SensitiveOfPersons)]
    return Demand(persons, sensitive, settings.least, settings.average_risk)


def recoded(
    settings: KAnonymitySettings,
    columns: Sequence[str],
    shapes: Sequence[Shape],
    codes: Sequence[Codes],
    counts: NDArray[np.int64] | None,
    sensitive: Sequence[Sensitive],
    tick: Any,
    demand: Demand | None = None,
) -> Recoded:
    """The recoding that a step's settings ask for."""
    found = recode(
        shapes,
        codes,
        settings.least,
        counts=counts,
        sensitive=[(one, one.entries.values) for one in sensitive],
        limit=settings.suppression_limit,
        average_risk=settings.average_risk,
        weights=[float(settings.weights.get(column, 1.0)) for column in columns],
        effort=settings.effort,
        tick=tick,
        demand=demand,
        stay=settings.suppressed_rows == "star",
    )
    return found if settings.unfit != "suppress" else given_up(found, shapes, codes, counts)


def given_up(
    found: Recoded, shapes: Sequence[Shape], codes: Sequence[Codes], counts: NDArray[np.int64] | None
) -> Recoded:
    """The figures with the values that are given up because no hierarchy covers them as lost; what is missing in the
    table itself is kept."""
    rows = np.ones(len(found.suppressed), dtype=np.int64) if counts is None else counts
    shares, ncp = found.shares.copy(), found.ncp
    for i, (shape, column, out) in enumerate(zip(shapes, codes, found.codes, strict=True)):
        gone = shape.by_levels().unfit[column + 1] & (out < 0) & ~found.suppressed
        lost = float(rows[gone].sum() / rows.sum())
        shares[i] += lost * (1 - 1 / shape.leaves)
        ncp += lost / len(shapes)
    return replace(found, shares=shares, ncp=ncp)


def local_report(
    settings: KAnonymitySettings,
    columns: Sequence[str],
    shapes: Sequence[Shape],
    found: Recoded,
    sensitive: Sequence[Sensitive],
    counts: NDArray[np.int64] | None = None,
    demand: Demand | None = None,
) -> dict[str, Any]:
    """What a local recoding says of itself, JSON-ready; ``counts`` are the rows of each entry, ``demand`` what was asked of
    persons."""
    rows = len(found.suppressed) if counts is None else int(counts.sum())
    kept = rows - found.suppressed_rows
    least = np.array([1 / shape.leaves for shape in shapes])
    wide = least < 1
    lost = np.where(wide, (found.shares - least) / np.where(wide, 1 - least, 1), 0.0)
    room = float((1 - least).sum())
    report: dict[str, Any] = {
        "mode": "local",
        "k": settings.least,
        "levels": dict.fromkeys(columns),
        "suppressed": found.suppressed_rows,
        "suppression_limit": settings.suppression_limit,
        "suppressed_rows": settings.suppressed_rows,
        "classes": found.classes,
        "min_class": found.smallest,
        "granularity": 1 - float((found.shares - least).sum()) / room if room else 1.0,
        "ncp": found.ncp,
        "loss": float(np.prod(1 + lost) ** (1 / len(columns)) - 1),
        "loss_by_column": dict(zip(columns, lost.tolist(), strict=True)),
        "average_class_size": kept / found.classes if found.classes else 0.0,
        "average_risk": found.average_risk,
        "proved_optimal": False,
    }
    if demand is not None:
        report |= _persons_report(demand.persons, found.suppressed)
    if sensitive:
        # Entries without a class are one that is not kept.
        class_of, kept_classes = found.class_of + 1, np.arange(found.classes + 1) > 0
        report["sensitive"] = {
            column: one.by_class(class_of, kept_classes).as_dict()
            for column, one in zip(
                settings.sensitive, sensitive if demand is None else demand.sensitive, strict=True
            )
        }
    return report


def _persons_report(persons: Persons, suppressed: NDArray[np.bool_]) -> dict[str, int]:
    """How many persons there are, have no row left, and have lost a row."""
    return {
        "persons": persons.number,
        "suppressed_persons": persons.without(~suppressed),
        "touched_persons": persons.number - persons.without(suppressed),
    }
