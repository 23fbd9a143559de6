"""What is going to be proposed, tried on the data first: it runs, and empties no column that another way would keep.

The whole recipe is carried out on the whole table, with a key and draws that nobody keeps. Where its model leaves a column ``*`` in every
row of the result, or finds nothing, other ways to the same bounds are tried: coarser levels elsewhere, rows within the same limit, classes
one by one. No bound of the model is ever loosened.
"""

from __future__ import annotations

import secrets as randomness
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from techniques.anonymization.settings import changed, model_step, treated_before
from techniques.anonymization.sparing import sparing
from techniques.catalogue.models import KAnonymitySettings
from techniques.core.messages import EngineError
from techniques.core.secrets import Secrets
from techniques.core.subjects import Subjects, persons, persons_of_groups
from techniques.core.tuples import TupleKeys
from techniques.engines.local import LocalRun
from techniques.engines.parts import Source, Tick
from techniques.engines.workspace import Workspace
from techniques.hierarchies import ROOT
from techniques.recipe.recipe import Output, Recipe
from techniques.tables import open_table
from techniques.tables.dictionary import EncodedColumn, encode_columns
from techniques.tables.subjects import read_subjects

Variant = Literal["suggested", "sparing", "local", "local_free", "unlimited"]
Place = Callable[[], AbstractContextManager[Workspace]]
_EFFORT = 2_000
"""Checks of one search among fewer emptied columns, as the page of solutions has them."""


@dataclass(frozen=True)
class Attempt:
    """One way as it was carried out: ``error`` where it made nothing, else what was counted in the written result.

    ``emptied`` are the model's columns that are ``*`` in every row that is left, ``smallest`` the rows, or persons where they are counted, of the
    smallest class, ``suppressed`` the rows that are gone or ``*`` in all these columns, of ``rows``.
    """

    variant: Variant
    recipe: Recipe
    error: EngineError | None = None
    emptied: tuple[str, ...] = ()
    smallest: int = 0
    suppressed: int = 0
    rows: int = 0

    def as_dict(self) -> dict[str, Any]:
        """Figures, names of columns and codes; no value of the data."""
        error = self.error
        said = (
            {"code": error.code, "message": error.message, "params": _plain(error.params)} if error else None
        )
        return {
            "variant": self.variant,
            "error": said,
            "emptied": list(self.emptied),
            "smallest": self.smallest,
            "suppressed": self.suppressed,
            "rows": self.rows,
        }


@dataclass(frozen=True)
class Proposal:
    """The ways in the order in which they were tried; ``taken`` is the one to propose, None where none made a result.

    ``starred`` are columns whose hierarchy read too little of their values, so that they have ``*`` alone above them. ``complete`` tells that
    each smaller set of emptied columns was ruled out for columns that are generalised as a whole.
    """

    attempts: tuple[Attempt, ...]
    taken: Attempt | None
    k: int
    persons: int | None
    starred: tuple[str, ...] = ()
    complete: bool = False

    def as_dict(self) -> dict[str, Any]:
        return {
            "attempts": [one.as_dict() for one in self.attempts],
            "taken": self.taken.variant if self.taken else None,
            "settings": _settings_of(self.taken.recipe) if self.taken else None,
            "k": self.k,
            "persons": self.persons,
            "starred": list(self.starred),
            "complete": self.complete,
        }


def proposal(recipe: Recipe, source: Source, place: Place, tick: Tick = lambda share: None) -> Proposal:
    """Try ``recipe`` and, where needed, other ways to the bounds of its model; the first that empties the fewest columns is taken.

    ``place`` gives a workspace for one run, emptied when it is left: raw data lie in it. Work: a run a way, and a search a set of columns.
    """
    whose = _subjects(source, recipe)
    trying = _Trying(recipe, source, place, whose)
    first = trying.fitted(tick)
    tick(0.3)
    step = model_step(trying.recipe)
    if step is not None and _wanting(first):
        for number, make in enumerate((trying.spared, trying.local, trying.local_free, trying.unlimited)):
            if not _wanting(trying.best()):
                break
            make(partial(_part, tick, 0.3 + 0.15 * number))
            tick(0.3 + 0.15 * (number + 1))
    best = trying.best()
    tick(1.0)
    settings = step.parameters if step is not None else None
    return Proposal(
        attempts=tuple(trying.attempts),
        taken=None if best.error else best,
        k=settings.k if isinstance(settings, KAnonymitySettings) else 0,
        persons=None if whose is None else persons(whose)[1],
        starred=tuple(trying.starred),
        complete=trying.complete,
    )


def _settings_of(recipe: Recipe) -> dict[str, Any] | None:
    """Those of the model, JSON-ready; None without a model."""
    step = model_step(recipe)
    found: dict[str, Any] | None = step.parameters.model_dump(mode="json") if step is not None else None
    return found


def _wanting(attempt: Attempt) -> bool:
    return bool(attempt.error or attempt.emptied)


def _part(tick: Tick, done: float, share: float) -> None:
    tick(min(1.0, done + 0.15 * share))


@dataclass
class _Trying:
    recipe: Recipe
    source: Source
    place: Place
    whose: Subjects | None
    attempts: list[Attempt] = field(default_factory=list)
    starred: list[str] = field(default_factory=list)
    complete: bool = False

    def best(self) -> Attempt:
        """The first of those that made a result with the fewest emptied columns, else the first."""
        made = [one for one in self.attempts if one.error is None]
        return min(made, key=lambda one: len(one.emptied)) if made else self.attempts[0]

    def fitted(self, tick: Tick) -> Attempt:
        """The recipe as it is; a hierarchy that does not read its column's values gives way to ``*`` alone, which reads all."""
        while True:
            found = self._carried_out("suggested", self.recipe, tick)
            column = _misread(found.error)
            step = model_step(self.recipe)
            if step is None or column is None or column in self.starred or column not in step.columns:
                self.attempts.append(found)
                return found
            self.starred.append(column)
            settings = step.parameters
            assert isinstance(settings, KAnonymitySettings)
            levels = {name: most for name, most in settings.maximum_levels.items() if name != column}
            hierarchies = {**settings.hierarchies, column: {"kind": "star"}}
            self.recipe = self._with(hierarchies=hierarchies, maximum_levels=levels)

    def spared(self, tick: Tick) -> None:
        """Columns as a whole, with as few of them emptied as can be."""
        settings = self._settings()
        if settings.recoding != "full_domain" or self.best().error is not None:
            return
        quasi, sensitive = self._columns()
        bounded = changed(settings, effort=min(settings.effort, _EFFORT))
        found = sparing(quasi, sensitive, bounded, tick, subjects=self.whose)
        if found is None:
            return
        self.complete = found.proved
        if len(found.emptied) < len(found.best):
            most = {name: level for name, level in found.levels.items() if name not in found.emptied}
            self._try("sparing", maximum_levels={**settings.maximum_levels, **most})

    def local(self, tick: Tick) -> None:
        """Classes one by one, by the same hierarchies."""
        self._try("local", recoding="local", loss="geometric", tick=tick)

    def local_free(self, tick: Tick) -> None:
        """Classes one by one, where the columns without a hierarchy of their own may take any intervals and sets of values."""
        settings = self._settings()
        free = {name: {"kind": "free"} for name, one in settings.hierarchies.items() if one.kind == "star"}
        if free:
            hierarchies = {**settings.hierarchies, **free}
            self._try("local_free", recoding="local", loss="geometric", hierarchies=hierarchies, tick=tick)

    def unlimited(self, tick: Tick) -> None:
        """Columns as a whole, each as coarse as its hierarchy goes; for where nothing else makes a result."""
        if self._settings().maximum_levels and self.best().error is not None:
            self._try("unlimited", maximum_levels={}, tick=tick)

    def _try(self, variant: Variant, tick: Tick = lambda share: None, **settings: Any) -> None:
        try:
            made = self._with(**settings)
        except EngineError as error:
            self.attempts.append(Attempt(variant, self.recipe, error))
            return
        self.attempts.append(self._carried_out(variant, made, tick))

    def _settings(self) -> KAnonymitySettings:
        step = model_step(self.recipe)
        assert step is not None
        assert isinstance(step.parameters, KAnonymitySettings)
        return step.parameters

    def _with(self, **settings: Any) -> Recipe:
        """The recipe with these settings of its model; EngineError where it is then none."""
        content = self.recipe.model_dump(mode="json")
        place = next(
            number
            for number, step in reversed([*enumerate(self.recipe.steps)])
            if isinstance(step.parameters, KAnonymitySettings)
        )
        content["steps"][place]["parameters"] |= {
            name: {c: h if isinstance(h, Mapping) else h.model_dump(mode="json") for c, h in value.items()}
            if name == "hierarchies"
            else value
            for name, value in settings.items()
        }
        return Recipe.from_data(content)

    def _carried_out(self, variant: Variant, recipe: Recipe, tick: Tick) -> Attempt:
        try:
            with self.place() as workspace:
                run = LocalRun(_whole(recipe), self.source, workspace, _secrets(recipe), "csv")
                run.execute_all(tick)
                return _counted(variant, recipe, run, self.source.rows)
        except EngineError as error:
            return Attempt(variant, recipe, error)

    def _columns(self) -> tuple[dict[str, EncodedColumn], dict[str, EncodedColumn]]:
        """The model's columns as it sees them: as the steps before it leave them."""
        step = model_step(self.recipe)
        assert step is not None
        names, read = list(step.columns), list(self._settings().sensitive)
        if not treated_before(self.recipe):
            table = encode_columns(_batches(self.source), [*names, *read])
        else:
            steps = self.recipe.steps[: self.recipe.steps.index(step)]
            with self.place() as workspace:
                beginning = _whole(self.recipe).model_copy(update={"steps": steps, "unlisted": "keep"})
                run = LocalRun(beginning, self.source, workspace, _secrets(self.recipe), "csv")
                run.execute_all()
                table = encode_columns(_written(run), [*names, *read])
        return {name: table[name] for name in names}, {name: table[name] for name in read}


def _plain(params: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value if isinstance(value, (int, float)) else str(value) for name, value in params.items()}


def _misread(error: EngineError | None) -> str | None:
    """The column whose hierarchy does not read its values, if the run stopped for that: such an error says in which rows."""
    if error is None or "rows" not in error.params:
        return None
    return str(error.params.get("column", "")) or None


def _whole(recipe: Recipe) -> Recipe:
    """The recipe with rows in their order and all in one file, so that the result can be counted beside its source."""
    return recipe.model_copy(update={"order": "kept", "output": Output()})


def _secrets(recipe: Recipe) -> Secrets:
    keys = randomness.token_bytes(64)
    return Secrets(keys[:32], keys[32:], purposes=dict.fromkeys(recipe.purposes(), keys[:32]), once=keys[32:])


def _subjects(source: Source, recipe: Recipe) -> Subjects | None:
    return read_subjects(_batches(source), list(recipe.subject)) if recipe.subject else None


def _batches(source: Source) -> Iterator[pa.RecordBatch]:
    with source.open() as stream:
        yield from open_table(stream, source.format).batches()


def _written(run: LocalRun) -> Iterator[pa.RecordBatch]:
    with run.workspace.open_read(run.result_name) as stream:
        yield from open_table(stream, run.format).batches()


def _counted(variant: Variant, recipe: Recipe, run: LocalRun, rows: int) -> Attempt:
    """What stands in the written result, whatever the model says of itself."""
    step = model_step(recipe)
    if step is None:
        return Attempt(variant, recipe, rows=rows)
    table = encode_columns(_written(run), step.columns)
    stars = [_stars(table[name]) for name in step.columns]
    gone = np.logical_and.reduce(stars)
    # A row of nothing but * is a suppressed one, unless all are: then the columns are emptied, not the rows.
    left = ~gone if not gone.all() else np.ones(len(gone), dtype=np.bool_)
    emptied = [name for name, star in zip(step.columns, stars, strict=True) if len(star) and star[left].all()]
    smallest = _smallest([table[name] for name in step.columns], run.subjects())
    return Attempt(variant, recipe, None, tuple(emptied), smallest, rows - int(left.sum()), rows)


def _stars(column: EncodedColumn) -> NDArray[np.bool_]:
    star = [code for code, value in enumerate(column.values.to_pylist()) if value == ROOT]
    return np.isin(column.codes, star)


def _smallest(columns: list[EncodedColumn], whose: Subjects | None) -> int:
    """Rows of the smallest class, or its persons; 0 where nothing is left. Rows of nothing but ``*`` are a class of their own, as
    the gate has them."""
    if not len(columns[0].codes):
        return 0
    keys = TupleKeys([len(column.values) for column in columns])
    found, class_of = np.unique(keys.encode([column.codes for column in columns]), return_inverse=True)
    return int(persons_of_groups(class_of.reshape(-1), len(found), whose).min())
