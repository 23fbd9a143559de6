"""The result beside a population table: what the journalist risks, and whether one can tell who is in it (4.3.2 b and d)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from projects.core.numbers import count, percent, times
from techniques.core.messages import EngineError, gettext_noop

from ..reports.gate import Population, Report, TableReport
from ..reports.stored import text
from ..wording import translated

if TYPE_CHECKING:
    import pyarrow as pa

    from .case import Case, Table
    from .check import TableSubject

    Coarser = dict[str, Callable[[pa.Array], pa.Array]]


def population_figures(of: TableSubject, named: Population, quasi: Sequence[str]) -> Population:
    """Journalist, marketer and δ by the population table that was named, over the quasi-identifiers that it has too.

    What the recipe's model generalised to one level is brought to that level in the population; what was treated otherwise
    is compared as it stands there. Where the two do not fit, the problem is said, and nothing is measured.
    """
    from techniques.disclosure_risk.details import with_population

    case = of.case
    population = case.population
    assert population is not None
    found = named
    try:
        known = population.columns()
        shared = [column for column in quasi if column in known]
        lacking = [column for column in quasi if column not in known]
        found = named.model_copy(update={"columns": shared, "lacking": lacking})
        if case.cells is not None:
            message = gettext_noop(
                "The rows of the result are groups, and nobody can be looked for among them."
            )
            raise EngineError("population_of_groups", message)
        if not shared:
            message = gettext_noop("It has none of the quasi-identifiers of the result.")
            raise EngineError("population_without_columns", message)
        coarser = _coarser(case, shared)
        figures = with_population(
            case.result.batches, lambda: _brought(population, coarser), shared, subjects=of.persons.result
        )
    except EngineError as error:
        found.problem = text(error.message, **error.params)
        return found
    journalist = figures["journalist"]
    return found.model_copy(
        update={name: figure for name, figure in journalist.items() if name in type(found).model_fields}
        | {name: figures[name] for name in ("marketer", "delta_min", "delta_max")}
    )


def _coarser(case: Case, columns: Sequence[str]) -> Coarser:
    """Column → its values at the level that the run chose for it, where the model alone has treated it."""
    treated: dict[str, list[Callable[[pa.Array], pa.Array]]] = {column: [] for column in columns}
    for step, ran in zip(case.recipe.steps, case.steps, strict=False):
        levels = (ran.get("result") or {}).get("levels") or {}
        definitions = getattr(step.parameters, "hierarchies", None) or {}
        for column in set(step.columns) & set(columns):
            level, definition = levels.get(column), definitions.get(column)
            known = level is not None and definition is not None
            treated[column].append(_at_level(definition, level) if known and level is not None else _as_it_is)
    return {column: acts[0] for column, acts in treated.items() if len(acts) == 1}


def _as_it_is(values: pa.Array) -> pa.Array:
    return values


def _at_level(definition: Any, level: int) -> Callable[[pa.Array], pa.Array]:
    def act(values: pa.Array) -> pa.Array:
        """The labels of ``values``, as they stand where they do not fit the hierarchy."""
        import pyarrow as pa
        import pyarrow.compute as pc

        from techniques.hierarchies.build import build_level

        coded = values.dictionary_encode()
        found = build_level(definition, coded.dictionary, level)
        labels = pc.if_else(pa.array(found.unfit), coded.dictionary, found.labels)
        return labels.take(coded.indices)

    return act


def _brought(population: Table, coarser: Coarser) -> Iterator[pa.RecordBatch]:
    """The population's batches with the columns of ``coarser`` at their levels."""
    import pyarrow as pa

    for batch in population.batches():
        arrays = {
            name: coarser[name](batch.column(name).cast(pa.string()))
            if name in coarser
            else batch.column(name)
            for name in batch.schema.names
        }
        yield pa.RecordBatch.from_pydict(arrays)


def population_statements(report: TableReport) -> list[str]:
    """Which population table was used and what it showed, or that none was and what that means; nothing where the result
    has no quasi-identifier by which anybody could be looked for."""
    found, names = report.population, _(", ")
    if report.risk is None:
        return []
    if found is None:
        return [
            _(
                "No population table was named. The risk is that of persons of whom the attacker knows that they are in "
                "the data (prosecutor). How much less somebody risks who is only looked for in the data (journalist), "
                "and whether it shows who is in them (membership), was not measured."
            )
        ]
    which = {"sha256": found.sha256[:12], "rows": count(found.rows)}
    if found.problem:
        problem = _("The population table with the SHA-256 %(sha256)s… (%(rows)s rows) could not be used.")
        return [f"{problem % which} {translated(found.problem)}"]
    said = [
        _(
            "By the population table with the SHA-256 %(sha256)s… (%(rows)s rows) and the columns %(columns)s, somebody "
            "who does not know who is in the data finds the easiest person one time in %(times)s, and on average "
            "%(average)s of the records (journalist). The other figures count as if the attacker knew who is in the data."
        )
        % {
            **which,
            "columns": names.join(found.columns),
            "times": times(found.max_risk),
            "average": percent(found.average_risk),
        },
        _(
            "That a person of the population is in the data is known with a probability of %(least)s to %(most)s (δ)."
        )
        % {"least": percent(found.delta_min), "most": percent(found.delta_max)},
    ]
    if found.lacking:
        said.append(
            _("The population table does not have %(columns)s: nobody can be looked for by them there.")
            % {"columns": names.join(found.lacking)}
        )
    return said


def population_rows(report: Report) -> list[tuple[str, list[str]]]:
    """The same of each table, by its name."""
    return [(name, said) for name, one in report.by_table() if (said := population_statements(one))]
