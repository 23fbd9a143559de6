"""The result beside a population table: what the journalist risks, and whether one can tell who is in it (4.3.2 b and d)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from approvals.passages import passage
from projects.core.numbers import count, percent, probability
from projects.processing.recipes.suggestion import SAMPLING
from techniques import catalogue
from techniques.catalogue.family import FAMILIES, Family
from techniques.catalogue.technique import Scope
from techniques.core.messages import EngineError, gettext_noop

from ..reports.gate import Population, Report, TableReport
from ..reports.stored import text
from ..wording import translated

if TYPE_CHECKING:
    import pyarrow as pa

    from techniques.disclosure_risk.attacks.outside import OutsideLinkage
    from techniques.recipe.recipe import Step

    from .case import Case, Table
    from .check import TableSubject

    Act = Callable[[pa.Array], pa.Array]


def population_figures(of: TableSubject, named: Population, quasi: Sequence[str]) -> Population:
    """Journalist, marketer and δ by the population table that was named, over the quasi-identifiers that it has too.

    What the recipe did to a column value by value is done to the population as well. Where its steps looked at the whole table
    that cannot be repeated there, and it is said that the column is compared as it stands; nobody is looked for by values
    that the run drew or made. Where the two do not fit, the problem is said, and nothing is measured.
    """
    from techniques.disclosure_risk.details import with_population

    case = of.case
    population = case.population
    assert population is not None
    found = named
    try:
        known = population.columns()
        lacking = [column for column in quasi if column not in known]
        treatments = {column: _treatment(case, column) for column in quasi if column in known}
        shared = [column for column, treatment in treatments.items() if treatment is not None]
        found = named.model_copy(update={"columns": shared, "lacking": lacking, **_said_of(treatments)})
        if case.cells is not None:
            message = gettext_noop(
                "The rows of the result are groups, and nobody can be looked for among them."
            )
            raise EngineError("population_of_groups", message)
        if treatments and not shared:
            message = gettext_noop(
                "It could be compared by %(columns)s only, whose values the run drew or made."
            )
            raise EngineError("population_of_made_values", message, columns=", ".join(treatments))
        if not shared:
            message = gettext_noop("It has none of the quasi-identifiers of the result.")
            raise EngineError("population_without_columns", message)
        coarser = {
            column: treatment
            for column, treatment in treatments.items()
            if treatment is not None and treatment is not unrepeatable
        }
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


def outside_attack(case: Case) -> OutsideLinkage:
    """Look for persons of the population table in the result, by the quasi-identifiers whose treatment can be repeated on it.
    EngineError where there is none, and where it is not known whose the rows are."""
    from techniques.disclosure_risk.attacks.outside import outside_linkage

    from .persons import rows_of_persons

    population = case.population
    assert population is not None  # whoever asks has seen one
    if case.cells is not None:
        message = gettext_noop("The rows of the result are groups, and nobody can be looked for among them.")
        raise EngineError("population_of_groups", message)
    known = population.columns()
    treatments = {column: _treatment(case, column) for column in case.quasi() if column in known}
    columns = {
        column: treatment
        for column, treatment in treatments.items()
        if treatment is not None and treatment is not unrepeatable
    }
    if not columns:
        message = gettext_noop(
            "It has no quasi-identifier by which somebody could be looked for in the result."
        )
        raise EngineError("population_without_columns", message)
    return outside_linkage(
        case.source.batches(),
        case.result.batches(),
        population.batches(),
        columns,
        rows_of_persons(case).result,
    )


def unrepeatable(values: pa.Array) -> pa.Array:
    """What was done to a column and cannot be done to the population."""
    return values


def _said_of(treatments: Mapping[str, Act | None]) -> dict[str, list[str]]:
    """The columns of which something has to be said, by the fields of :class:`Population`; a field without any is left out."""
    found = {
        "unrepeated": [column for column, treatment in treatments.items() if treatment is unrepeatable],
        "made": [column for column, treatment in treatments.items() if treatment is None],
    }
    return {name: columns for name, columns in found.items() if columns}


def _treatment(case: Case, column: str) -> Act | None:
    """What brings a column of the population to what the steps made of that of the source, in their order;
    :func:`unrepeatable` where that cannot be repeated, None where they drew or made its values."""
    acts: list[Act | None] = []
    for number, step in enumerate(case.recipe.steps):
        spec = step.spec
        if column not in step.columns or column in step.parameters.kept_columns(step.columns):
            continue
        if spec.family is Family.NONE or step.technique == SAMPLING:
            continue
        if FAMILIES[spec.family].makes_values or spec.family is Family.RANDOMISATION:
            return None
        ran = case.steps[number] if number < len(case.steps) else {}
        acts.append(_repeated(step, column, ran))
    done = [act for act in acts if act is not None]
    if len(done) < len(acts):
        return unrepeatable

    def act(values: pa.Array) -> pa.Array:
        for one in done:
            values = one(values)
        return values

    return act


def _repeated(step: Step, column: str, ran: Mapping[str, Any]) -> Act | None:
    """What the step does to one value, whichever others there are; None where it looks at more."""
    level = ((ran.get("result") or {}).get("levels") or {}).get(column)
    definition = (getattr(step.parameters, "hierarchies", None) or {}).get(column)
    if level is not None and definition is not None:
        return _at_level(definition, level)
    if step.spec.scope is not Scope.COLUMN:
        return None
    return _value_by_value(step, column)


def _value_by_value(step: Step, column: str) -> Act | None:
    from techniques.core.operations import Context, ValueOperation
    from techniques.core.secrets import Secrets

    context = Context(0, (column,), 1, Secrets(b"", b""))
    operation = catalogue.implementation(step.technique)(step.parameters, context)
    if not isinstance(operation, ValueOperation) or operation.needs_counts or step.spec.needs_key:
        return None

    def act(values: pa.Array) -> pa.Array:
        """As the step does it; a value that it cannot read stands as it is, and is in no class of the result."""
        import pyarrow as pa
        import pyarrow.compute as pc

        coded = values.dictionary_encode()
        outcome = operation.apply(coded.dictionary)
        new = outcome.values
        if outcome.unfit is not None:
            new = pc.if_else(pa.array(outcome.unfit), coded.dictionary, new)
        return new.take(coded.indices)

    return act


def _at_level(definition: Any, level: int) -> Act:
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


def _brought(population: Table, coarser: Mapping[str, Act]) -> Iterator[pa.RecordBatch]:
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
                "No population table was named. The risk is that of persons whom the attacker knows "
                "to be in the data (prosecutor). It was not measured how much lower the risk is for "
                "someone who is only looked for in the data (journalist), or whether the data show "
                "who is in them (membership)."
            )
        ]
    which = {"sha256": found.sha256[:12], "rows": count(found.rows)}
    if found.problem:
        problem = _("The population table with the SHA-256 %(sha256)s… (%(rows)s rows) could not be used.")
        return [passage((problem % which, translated(found.problem)))]
    said = [
        _(
            "By the population table with the SHA-256 %(sha256)s… (%(rows)s rows) and the columns "
            "%(columns)s, someone who does not know who is in the data finds the easiest person with "
            "a probability of %(found)s, and on average %(average)s of the records (journalist). The other "
            "figures count as if the attacker knew who is in the data."
        )
        % {
            **which,
            "columns": names.join(found.columns),
            "found": probability(found.max_risk),
            "average": percent(found.average_risk),
        },
        _(
            "The probability that a person of the population is known to be in the data is %(least)s to %(most)s (δ)."
        )
        % {"least": percent(found.delta_min), "most": percent(found.delta_max)},
    ]
    if found.lacking:
        said.append(
            _("The population table does not have %(columns)s: they cannot be used to look for anyone there.")
            % {"columns": names.join(found.lacking)}
        )
    if found.unrepeated:
        said.append(
            _(
                "What the recipe did to %(columns)s depends on the whole table and was not repeated "
                "on the population table: they were compared as they are there."
            )
            % {"columns": names.join(found.unrepeated)}
        )
    if found.made:
        said.append(
            _("The run drew or made the values of %(columns)s: they cannot be used to look for anyone.")
            % {"columns": names.join(found.made)}
        )
    return said


def population_rows(report: Report) -> list[tuple[str, list[str]]]:
    """The same of each table, by its name."""
    return [(name, said) for name, one in report.by_table() if (said := population_statements(one))]
