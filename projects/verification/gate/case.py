"""What one verification judges: plain data for the worker."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Any, BinaryIO

from projects.objective.surroundings.coefficients import SHIPPED, Coefficients
from projects.objective.targets.risk import RiskTargets
from projects.processing.recipes.suggestion import SAMPLING
from techniques.core.attributes import AttributeRole
from techniques.core.messages import EngineError
from techniques.disclosure_risk.sizes import THRESHOLD_OF
from techniques.tables import open_table, plain_batches, plain_names

from .rows import Cells, cells_of, made_up_columns

if TYPE_CHECKING:
    from techniques.core.subjects import Subjects
    from techniques.disclosure_risk.classes import CodedColumns
    from techniques.disclosure_risk.scales.attack import Attack
    from techniques.identification.metadata.forms import ValueForm
    from techniques.recipe.recipe import Recipe
    from techniques.tables.dictionary import EncodedColumn
    from techniques.tables.formats import FileFormat
    from techniques.tables.readers.reader import TableReader


@dataclass(frozen=True)
class Table:
    """A table that can be read again and again.

    A source is compared as the recipe's preparation leaves it: what was only written otherwise is the same value.
    Cells that stand in a file with an apostrophe, because a spreadsheet would run them as formulas, are read without it:
    source and result are compared. Columns of a result are called as in the source, whose columns are ``names``.
    """

    open: Callable[[], BinaryIO]
    format: FileFormat
    rows: int
    names: Container[str] = ()
    prepare: Callable[[Iterable[Any]], Iterator[Any]] = iter
    """What brings its batches into the form that the recipe treats (5.4.2 a)."""
    _held: dict[str, EncodedColumn] = field(default_factory=dict, init=False, repr=False, compare=False)
    lengths: list[int] = field(default_factory=list, init=False, repr=False, compare=False)
    """Rows of each batch, once columns are held."""
    _opened: list[TableReader] = field(default_factory=list, init=False, repr=False, compare=False)
    """What the header was read by, for who reads the rows next."""

    def batches(self, columns: Sequence[str] | None = None, *, coded: bool = False) -> Iterator[Any]:
        """The batches with ``columns`` at least, all of them if none are named; out of memory where they are held, then ``coded`` as
        dictionaries if that is asked for."""
        names = columns if columns is not None or not self._held else self.columns()
        if names is not None and self.lengths and {*names} <= self._held.keys():
            return _batches_of({name: self._held[name] for name in names}, self.lengths, coded=coded)
        return self.prepare(self._plain())

    def hold(
        self, columns: Sequence[str], alive: Callable[[], None] = lambda: None
    ) -> dict[str, EncodedColumn]:
        """These columns in codes, kept for every check that asks for them until :meth:`let_go`; ``alive`` is called with each batch
        that is read for it."""
        from techniques.tables.dictionary import encode_columns

        if left := [name for name in columns if name not in self._held]:
            lengths: list[int] = []
            self._held.update(encode_columns(_measured(self.prepare(self._plain()), lengths, alive), left))
            self.lengths[:] = lengths
        return {name: self._held[name] for name in columns}

    def held(self, columns: Iterable[str]) -> dict[str, EncodedColumn]:
        """Those of the columns that are held."""
        return {name: self._held[name] for name in columns if name in self._held}

    def coded(self, columns: Sequence[str], tick: Callable[[int], None] | None = None) -> CodedColumns:
        """These columns as classes are formed of them; nothing is read or spelled anew where they are held. ``tick`` is called with
        the rows so far. EngineError as :func:`techniques.disclosure_risk.classes.encode`."""
        from techniques.disclosure_risk.classes import coded_columns, encode

        if not columns or not {*columns} <= self._held.keys():
            return encode(self.batches(columns), columns, tick)
        if tick is not None:
            for rows in accumulate(self.lengths):
                tick(rows)
        return coded_columns({name: self._held[name] for name in columns})

    def encoded(self, columns: Sequence[str]) -> dict[str, EncodedColumn]:
        """These columns in codes, those that are held as they are; of others none is kept."""
        from techniques.tables.dictionary import encode_columns

        if {*columns} <= self._held.keys():
            return {name: self._held[name] for name in columns}
        return encode_columns(self.batches(columns), columns)

    def subjects(self, key: Sequence[str]) -> Subjects | None:
        """Whose each row is by the columns of ``key``; None where it is empty, so that one row is one person."""
        from techniques.core.subjects import subject_codes
        from techniques.tables.subjects import read_subjects

        if not key or not {*key} <= self._held.keys():
            return read_subjects(self.batches(key), key)
        held = [self._held[name] for name in key]
        return subject_codes([column.codes for column in held], [len(column.values) for column in held])

    def let_go(self, keep: Collection[str] = ()) -> None:
        """Hold no column any more but those of ``keep``."""
        self._opened.clear()
        for name in self._held.keys() - {*keep}:
            del self._held[name]

    def _plain(self) -> Any:
        return (
            self.as_written()
            if self.format.kind == "parquet"
            else plain_batches(self.as_written(), self.names)
        )

    def as_written(self) -> Any:
        """The batches as they stand in the file, for who has the file's own hierarchies."""
        reader = self._opened.pop() if self._opened else open_table(self.open(), self.format)
        return reader.batches()

    def columns(self) -> list[str]:
        return [*self._columns]

    @cached_property
    def _columns(self) -> list[str]:
        self._opened.append(open_table(self.open(), self.format))
        found = list(self._opened[-1].columns)
        return found if self.format.kind == "parquet" else plain_names(found, self.names)


def _measured(batches: Iterable[Any], lengths: list[int], alive: Callable[[], None]) -> Iterator[Any]:
    for batch in batches:
        lengths.append(batch.num_rows)
        yield batch
        alive()


def _batches_of(
    columns: Mapping[str, EncodedColumn], lengths: Sequence[int], *, coded: bool = False
) -> Iterator[Any]:
    """Columns in batches as long as those of their file."""
    import pyarrow as pa

    from techniques.tables.coding import part_of

    end = 0
    for length in lengths:
        place = slice(end, end := end + length)
        if not columns:
            # Without a column there are rows all the same.
            nothing = pa.StructArray.from_buffers(pa.struct([]), length, [None])
            yield pa.RecordBatch.from_struct_array(nothing)
            continue
        if coded:
            cells = [part_of(one, place) for one in columns.values()]
        else:
            parts = [replace(one, codes=one.codes[place]) for one in columns.values()]
            cells = [one.gather(one.values) for one in parts]
        yield pa.RecordBatch.from_arrays(cells, names=list(columns))


@dataclass(frozen=True)
class Case:
    """One written table and everything that it is judged by."""

    source: Table
    result: Table
    recipe: Recipe
    roles: Mapping[str, AttributeRole]
    risk: RiskTargets
    utility: Sequence[Any]
    file_name: str
    result_sha256: str
    rows_in: int
    sharing_type: str
    read_sha256: str = ""
    """SHA-256 of the file as it was just read, beside the one that the run recorded; empty where it is not sound."""
    unjudged: Collection[str] = ()
    """Columns of the source about which no verdict stands; one of them may be a quasi-identifier."""
    same_seed: Sequence[int] = ()
    """Numbers of other runs that drew with this run's seed."""
    steps: Sequence[Mapping[str, Any]] = ()
    """What the run's report says of each step."""
    sampling_fraction: float | None = None
    """Share of the source's rows that the recipe has drawn; None where it draws no sample."""
    sampling_chances: Sequence[tuple[float, int]] = ()
    """(chance of being drawn, how many had it), the greatest first, where the fraction is not everybody's chance."""
    rows_not_drawn: int = 0
    """Rows of the source that no sample drew."""
    persons_not_drawn: int = 0
    """Persons of the source whom no sample drew."""
    coefficients: Coefficients = SHIPPED
    """What the organisation gives each capability of a recipient in the degree of anonymisation."""
    assessment: Mapping[str, Any] | None = None
    """The newest assessment of the surroundings: its number and what it found; None where nobody made one."""
    factors: Mapping[str, Any] | None = None
    scope: Mapping[str, Any] | None = None
    """What the plan says of techniques and risk model (5.2.3), as its form saved it; None where it says nothing."""
    exempted: Mapping[str, str] = field(default_factory=dict)
    """Columns that may stay although they tell rows apart, each with the reason that a person gave against the finding."""
    attack: Attack | None = None
    """What is assumed of the attacker in the risk by information entropy; None: what its source assumes."""
    hierarchies: Mapping[str, dict[str, Any]] = field(default_factory=dict)
    """The hierarchy to start from for a quasi-identifier that no model of the recipe generalises yet."""

    severities: Mapping[str, str] = field(default_factory=dict)
    """Sensitive attributes of the source of which somebody said how much harm it does when they become known."""
    forms: Sequence[ValueForm] = ()
    """Rules on values of the organisation's own, which stand in version ``forms_version`` of its metadata table."""
    forms_version: str = ""
    population: Table | None = None
    """The population table that was named, in which persons of the source can be looked for; None where none was."""
    population_sha256: str = ""
    person_key: tuple[str, ...] | None = None
    """The columns of the source by which its rows are of one person: () where one row is one, None where nobody said."""
    subjects: Callable[[], Subjects | None] = lambda: None
    """Whose each row of the result is, as the run wrote it down; None where it did not."""

    def severities_left(self) -> dict[str, str]:
        """Those that are in the result, the most harmful first; all of them where the result cannot be read."""
        try:
            left = [*self.result.columns()] if self.severities else []
        except EngineError:
            left = [*self.severities]
        found = sorted(
            {*left} & {*self.severities},
            key=lambda one: (THRESHOLD_OF[self.severities[one]], left.index(one)),
        )
        return {name: self.severities[name] for name in found}

    def at_severity(self) -> Case:
        """The same, judged by the threshold of the overall risk that the most harmful attribute of the result asks for, where
        the target allows more."""
        return replace(self, risk=self.risk.at_severity(self.severities_left().values()))

    def quasi(self) -> list[str]:
        """The quasi-identifiers that are left in the result and say something about a person: made-up rows stand for
        nobody."""
        return [name for name in self._left() if name not in self.made_up_columns]

    def made_up(self) -> list[str]:
        """The quasi-identifiers of the result that were made up from row to row."""
        return [name for name in self._left() if name in self.made_up_columns]

    def emptied(self) -> list[str]:
        """The quasi-identifiers of the result in which local suppression has emptied cells (A.3.3)."""
        from techniques.catalogue.suppression import RareCombinationsSettings

        named = {
            column
            for step in self.recipe.steps
            if isinstance(step.parameters, RareCombinationsSettings)
            for column in step.columns
        }
        return [name for name in self.quasi() if name in named]

    @property
    def made_up_columns(self) -> set[str]:
        """Columns, identifiers or not, that were made up from row to row."""
        return made_up_columns(self.steps)

    def _left(self) -> list[str]:
        return [
            name for name in self.result.columns() if self.roles.get(name) == AttributeRole.QUASI_IDENTIFIER
        ]

    def unjudged_in_result(self) -> list[str]:
        """Columns of the result about which no verdict stands."""
        return [name for name in self.result.columns() if name in self.unjudged] if self.unjudged else []

    def untouched(self) -> set[str]:
        """Columns of the result that hold what the source holds, but for rows that are gone."""
        treating = [one for one in self.recipe.steps if one.technique not in ("as_is", SAMPLING)]
        if any(not one.columns for one in treating):
            return set()
        named = {column for one in treating for column in one.columns}
        return {*self.result.columns()} & {*self.source.columns()} - named

    @property
    def rows_drawn(self) -> int:
        """Rows of the source that could be in the result: what a sample leaves out by its plan is not suppressed."""
        return self.rows_in - self.rows_not_drawn

    @property
    def rows_suppressed(self) -> int:
        """Rows that were drawn and stand for nothing in the result; a row of a table of groups stands for all of its group."""
        cells = self.cells
        return self.rows_drawn - (self.result.rows if cells is None else cells.rows)

    @property
    def cells(self) -> Cells | None:
        """The groups that the rows of the result are; None where they are persons' or nobody's."""
        return cells_of(self.steps, self.result.rows)


def own_cases(cases: Mapping[str, Case]) -> dict[str, Case]:
    """Targets about columns are for the table that has them; where none has, the first table fails them. The threshold is that
    of the table's own most harmful attribute."""
    headers = [set(case.source.columns()) for case in cases.values()]
    if len(cases) > 1:
        # The files of many tables are not kept open together.
        for case in cases.values():
            case.source.let_go()
            case.result.let_go()
    own = {}
    for number, (name, case) in enumerate(cases.items()):
        kept = []
        for target in case.utility:
            has = [{*target.needed_columns()} <= header for header in headers]
            if has[number] or (number == 0 and not any(has)):
                kept.append(target)
        own[name] = replace(case, utility=kept).at_severity()
    return own
