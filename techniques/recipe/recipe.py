"""The recipe: the steps that treat the columns of a table, in order, and the form of the result.

A recipe is declarative, complete in itself (hierarchy files are taken into it when it is read) and has a
content hash; with the key, the seed and the input it determines the result byte for byte.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Self

from pydantic import Field, SerializeAsAny, field_validator, model_validator
from pydantic_core import PydanticCustomError

from techniques import catalogue
from techniques.catalogue.family import Family
from techniques.catalogue.generalization import HierarchyGeneralizationSettings
from techniques.catalogue.models import KAnonymitySettings
from techniques.catalogue.pseudonymization import KeyedHashSettings
from techniques.catalogue.statistical import AggregationSettings
from techniques.catalogue.technique import Scope, Technique
from techniques.core.attributes import DataType
from techniques.core.canonical import canonical_hash, canonical_json
from techniques.core.messages import EngineError, _
from techniques.core.settings import ClosedModel, TechniqueSettings
from techniques.core.validation import invalid, validated
from techniques.hierarchies.definitions import FileReader, ModelHierarchy, inline_files
from techniques.recipe.records import Records, check_records, read_records
from techniques.recipe.text import load

FORMAT_VERSION = 1
Order = Literal["shuffled", "kept"]


class Output(ClosedModel):
    """How the result is written. ``same`` takes the format, encoding and delimiter of the input."""

    format: Literal["same", "csv", "xlsx", "parquet"] = "same"
    encoding: Literal["same", "utf-8", "utf-8-sig", "gb18030", "utf-16"] = "same"
    delimiter: Literal["same", ",", ";", "\t", "|"] = "same"


class Step(ClosedModel):
    """One technique on one or several columns. A column technique treats each of them by itself."""

    technique: str
    columns: list[str] = Field(min_length=1, max_length=1000)
    parameters: SerializeAsAny[TechniqueSettings]

    @property
    def spec(self) -> Technique:
        """The catalogue's entry."""
        return catalogue.get(self.technique)

    @property
    def needs_key(self) -> bool:
        """Whether it needs the run's key, which is kept."""
        return self.spec.needs_key and self.parameters.rests_on_key

    @property
    def read_columns(self) -> list[str]:
        """Columns that the step looks at and leaves as they are."""
        return self.parameters.read_columns

    @property
    def kept_columns(self) -> list[str]:
        """Those of the step's columns that stay as they are."""
        return self.parameters.kept_columns(self.columns)

    @property
    def ends_records(self) -> bool:
        """Whether the rows after it are groups or nobody's."""
        return self.spec.makes_up_rows or self.parameters.rows_made == "groups"


def _nobody_said(given: object) -> bool:
    return given is None


class Recipe(ClosedModel):
    """A treatment plan that has been checked in itself; :meth:`check_columns` checks it against a file."""

    recipe: Literal[1] = 1
    title: str = Field(default="", max_length=200)
    unlisted: Literal["refuse", "keep", "remove"] = "refuse"
    subject: tuple[str, ...] | None = Field(default=None, max_length=20, exclude_if=_nobody_said)
    """The columns of the source, before any step, by which its rows belong to persons: classes then count persons.
    Empty: one row is one person; None: nobody said."""
    order: Order | None = Field(default=None, exclude_if=_nobody_said)
    """How the rows of the result stand: in an order that only the seed foretells, or as in the source, so that it is
    joined by place with any other table in that order. None: nobody said, as in recipes of before; a run then keeps it."""
    records: Records | None = Field(default=None, exclude_if=_nobody_said)
    """Which rows are the same record in each release of a data set that grows; None: what is drawn is drawn anew for each run."""
    unprepared: str | None = Field(default=None, min_length=3, max_length=500, exclude_if=_nobody_said)
    """Why nothing is prepared (5.4.2), where that was chosen; None: somebody chose a preparation, or nobody said."""
    steps: list[Step] = Field(min_length=1, max_length=1000)
    output: Output = Output()

    @field_validator("subject", mode="before")
    @classmethod
    def _named(cls, given: Any) -> Any:
        """A name alone, or a list, as recipes in YAML and JSON have them."""
        if isinstance(given, str):
            return (given,)
        return tuple(given) if isinstance(given, list) else given

    @field_validator("records", mode="before")
    @classmethod
    def _recorded(cls, given: Any) -> Any:
        return read_records(given)

    @classmethod
    def parse(cls, text: str, files: FileReader | None = None) -> Self:
        """Read a recipe from YAML or JSON text.

        ``files`` gives the content of hierarchy files that the recipe names. Raises EngineError; its
        ``path`` parameter names the place, such as ``steps[2].parameters.k``.
        """
        return cls.from_data(load(text), files)

    @classmethod
    def from_data(cls, data: Any, files: FileReader | None = None) -> Self:
        """The same from data that are already lists and mappings."""
        if not isinstance(data, dict):
            raise invalid("recipe", _("%(path)s: must be a mapping"))
        data = dict(data)
        steps = data.get("steps")
        if isinstance(steps, list):
            data["steps"] = [_step(step, f"steps[{i}]", files) for i, step in enumerate(steps)]
        return validated(cls, data, strict=True)

    @property
    def hierarchies(self) -> dict[str, ModelHierarchy]:
        """Column → the hierarchy that generalises it, where one does."""
        found: dict[str, ModelHierarchy] = {}
        for step in self.steps:
            if isinstance(step.parameters, KAnonymitySettings):
                found |= step.parameters.hierarchies
            elif isinstance(step.parameters, HierarchyGeneralizationSettings):
                found |= dict.fromkeys(step.columns, step.parameters.hierarchy)
        return found

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.subject and (len(set(self.subject)) < len(self.subject) or "" in self.subject):
            raise PydanticCustomError(
                "subject_named", _("subject names a column twice, or one without a name")
            )
        self._check_preparation()
        if self.records is not None:
            check_records([step.parameters for step in self.steps])
        removed: dict[str, int] = {}
        read: dict[str, int] = {}
        sealed: dict[str, int] = {}
        for number, step in enumerate(self.steps):
            for column in (*step.columns, *step.read_columns):
                if column in removed:
                    raise PydanticCustomError(
                        "column_already_removed",
                        _("steps[{number}] uses a column that steps[{earlier}] removes: {column}"),
                        {"number": number, "earlier": removed[column], "column": column, "fault": "removed"},
                    )
            if step.technique == "suppression.remove_column":
                removed.update(dict.fromkeys(step.columns, number))
                continue
            for column in step.columns if step.technique != "as_is" else ():
                if column in read:
                    raise PydanticCustomError(
                        "sensitive_changed_later",
                        _(
                            "steps[{number}] changes a column whose values steps[{earlier}] has looked at: {column}. "
                            "Treat it before that step."
                        ),
                        {"number": number, "earlier": read[column], "column": column, "fault": "read"},
                    )
                if column in sealed and step.spec.data_types == {DataType.NUMBER}:
                    raise PydanticCustomError(
                        "numbers_encrypted_before",
                        _(
                            "steps[{number}] needs numbers in a column that steps[{earlier}] has made ciphertexts of: {column}. "
                            "Take one of the two steps out."
                        ),
                        {"number": number, "earlier": sealed[column], "column": column, "fault": "sealed"},
                    )
            if step.spec.computable:
                sealed.update(dict.fromkeys(step.columns, number))
            read.update(dict.fromkeys(step.read_columns, number))
        return self

    def _check_preparation(self) -> None:
        """Preparation comes before treatment, and is not denied where there is some."""
        if self.unprepared is not None and not self.unprepared.strip():
            raise PydanticCustomError("reason_blank", _("must say why"))
        treated: dict[str, int] = {}
        for number, step in enumerate(self.steps):
            if step.spec.prepares and self.unprepared is not None:
                raise PydanticCustomError(
                    "prepared_after_all",
                    _(
                        "steps[{number}] prepares values, and unprepared says that nothing does. Leave out one of them."
                    ),
                    {"number": number},
                )
            for column in step.columns:
                if step.spec.family is Family.PREPARATION and column in treated:
                    raise PydanticCustomError(
                        "prepared_too_late",
                        _(
                            "steps[{number}] prepares a column that steps[{earlier}] has treated: {column}. "
                            "Prepare it before that step."
                        ),
                        {"number": number, "earlier": treated[column], "column": column, "fault": "late"},
                    )
            if step.spec.treats:
                treated |= {column: treated.get(column, number) for column in step.columns}

    @property
    def preparing(self) -> list[int]:
        """The places of the steps that prepare (5.4.2)."""
        return [number for number, step in enumerate(self.steps) if step.spec.prepares]

    def content_hash(self) -> str:
        """SHA-256 (hex) of the canonical form: independent of layout, order of keys and defaults left out."""
        return canonical_hash(self.model_dump(mode="json"))

    def canonical(self) -> str:
        """The recipe as canonical JSON, hierarchy tables and defaults included."""
        return canonical_json(self.model_dump(mode="json"))

    def treated_columns(self) -> set[str]:
        """Columns that at least one step treats, or leaves as they are with a reason; preparation does neither."""
        return {
            column
            for step in self.steps
            if step.spec.family is not Family.PREPARATION
            for column in step.columns
        }

    def touched_columns(self) -> set[str]:
        """Columns whose values some step may change."""
        return {column for step in self.steps if step.technique != "as_is" for column in step.columns}

    def removed_columns(self) -> set[str]:
        return {
            column
            for step in self.steps
            if step.technique == "suppression.remove_column"
            for column in step.columns
        }

    def needs_key(self) -> bool:
        """Whether any step needs the secret key, or what records keep rests on it."""
        by_record = self.records is not None and not self.records.purpose
        return by_record or any(step.needs_key for step in self.steps)

    def purposes(self, column: str = "") -> set[str]:
        """The purposes whose keys pseudonyms, or what records keep, rest on, of all columns or of one."""
        of_column = [step.parameters for step in self.steps if not column or column in step.columns]
        found = {one.purpose for one in of_column if isinstance(one, KeyedHashSettings)}
        if self.records is not None and any(one.keeps_draws for one in of_column):
            found.add(self.records.purpose)
        return found - {""}

    def needs_key_once(self) -> bool:
        """Whether any step needs a key that is destroyed after the run."""
        return any(getattr(step.parameters, "joinable", "") == "never" for step in self.steps)

    def needs_seed(self) -> bool:
        """Whether what a step made can be got back only with the seed of the run."""
        return any(
            step.spec.reversible and getattr(step.parameters, "joinable", "") == "run" for step in self.steps
        )

    def assigned_columns(self) -> list[tuple[int, int, str]]:
        """(step, place in the step, column) of pseudonyms that are assigned one to one and stand in a mapping table."""
        return [
            (number, place, column)
            for number, step in enumerate(self.steps)
            if step.parameters.one_to_one
            for place, column in enumerate(step.columns)
        ]

    def only_masks(self) -> bool:
        """Whether masking is all that is done, so that A.3.2 asks for further measures."""
        used = [step.spec for step in self.steps if step.spec.scope is not Scope.STRUCTURE]
        return bool(used) and all(spec.only_masks for spec in used)

    def output_columns(self, header: Sequence[str]) -> list[str]:
        """Columns of the result in the order of the file."""
        removed = self.removed_columns()
        if self.unlisted == "remove":
            removed |= set(header) - self.treated_columns()
        return [column for column in header if column not in removed]

    def needed_columns(self, header: Sequence[str]) -> list[str]:
        """Columns whose cells a run has to know, in the order of the file: those of the result, and what else a step, the subject
        or the records look at."""
        needed = {*self.output_columns(header), *(self.subject or ())}
        if self.records is not None:
            needed.update(self.records.columns)
        for step in self.steps:
            if step.spec.scope is not Scope.STRUCTURE:
                needed.update(step.columns, step.read_columns)
        return [column for column in header if column in needed]

    def check_columns(self, header: Sequence[str]) -> None:
        """Compare the recipe with the columns of a file, before any row is read.

        Raises EngineError: ``columns_missing``, ``columns_untreated`` or ``columns_none_left``.
        """
        known = set(header)
        records = () if self.records is None else self.records.columns
        for path, named in (("subject", self.subject or ()), ("records", records)):
            if lacking := [column for column in named if column not in known]:
                text = _("%(path)s: the file has no column called %(columns)s.")
                raise EngineError("columns_missing", text, path=path, columns=", ".join(lacking))
        for number, step in enumerate(self.steps):
            missing = [c for c in (*step.columns, *step.read_columns) if c not in known]
            if missing:
                text = _("%(path)s: the file has no column called %(columns)s.")
                raise EngineError(
                    "columns_missing", text, path=f"steps[{number}].columns", columns=", ".join(missing)
                )
        untreated = [column for column in header if column not in self.treated_columns()]
        if untreated and self.unlisted == "refuse":
            text = _(
                "The recipe says nothing about these columns: %(columns)s. Treat each of them, or state "
                "what happens to unlisted columns."
            )
            raise EngineError("columns_untreated", text, columns=", ".join(untreated))
        self._check_aggregation(header)
        if not self.output_columns(header):
            raise EngineError("columns_none_left", _("The recipe removes every column."))

    def _check_aggregation(self, header: Sequence[str]) -> None:
        """A row that stands for a group must not carry the values of one of its rows along."""
        for number, step in enumerate(self.steps):
            if not isinstance(step.parameters, AggregationSettings) or step.parameters.result != "table":
                continue
            left = [column for column in self.output_columns(header) if column not in step.columns]
            if left:
                raise EngineError(
                    "aggregation_leaves_columns",
                    _(
                        "%(path)s: a table of groups cannot keep these columns: %(columns)s. Remove them, make "
                        "them figures, or form the groups by them."
                    ),
                    path=f"steps[{number}].columns",
                    columns=", ".join(left),
                )


def _step(step: Any, path: str, files: FileReader | None) -> Step:
    """One step from raw data; errors name their place under ``path``."""
    if not isinstance(step, dict):
        raise invalid(path, _("%(path)s: must be a mapping"))
    unknown = set(step) - {"technique", "column", "columns", "parameters"}
    if unknown:
        raise invalid(f"{path}.{min(map(str, unknown))}", _("%(path)s: is not known here"))
    key = step.get("technique")
    if not isinstance(key, str):
        raise invalid(f"{path}.technique", _("%(path)s: is required"))
    try:
        spec = catalogue.get(key)
    except EngineError:
        text = _("%(path)s: there is no technique called %(key)s")
        raise EngineError("technique_unknown", text, path=f"{path}.technique", key=key) from None
    columns = _columns(step, path)
    parameters = inline_files(step.get("parameters") or {}, files, f"{path}.parameters")
    read = validated(spec.settings, parameters, f"{path}.parameters", strict=True)
    _check_named(read, columns, f"{path}.parameters")
    if isinstance(read, KAnonymitySettings):
        _check_hierarchies(read, columns, f"{path}.parameters")
    return Step(technique=key, columns=columns, parameters=read)


def _columns(step: dict[str, Any], path: str) -> list[str]:
    if ("column" in step) == ("columns" in step):
        raise invalid(path, _("%(path)s: needs either column or columns"))
    where = f"{path}.column" if "column" in step else f"{path}.columns"
    columns = [step["column"]] if "column" in step else step["columns"]
    if not isinstance(columns, list) or not columns or not all(isinstance(c, str) and c for c in columns):
        raise invalid(where, _("%(path)s: must be names of columns"))
    if len(set(columns)) != len(columns):
        raise invalid(where, _("%(path)s: names a column twice"))
    return columns


_NAMING = ("subject", "latitude", "longitude", "surroundings_column", "categories", "domains")
"""Settings that name columns of their step: one, several, or as the keys of a mapping."""


def _check_named(parameters: ClosedModel, columns: list[str], path: str) -> None:
    """What a setting calls a column must be one of the step."""
    for setting in _NAMING:
        named = getattr(parameters, setting, ())
        for name in [named] if isinstance(named, str) else named:
            if name and name not in columns:
                raise invalid(f"{path}.{setting}", _("%(path)s: is not a column of this step"))


def _check_hierarchies(parameters: KAnonymitySettings, columns: list[str], path: str) -> None:
    """Each quasi-identifier of a model has its hierarchy, and no other column has one."""
    for column in columns:
        if column not in parameters.hierarchies:
            text = _("%(path)s: column %(column)s has no hierarchy")
            raise EngineError("hierarchy_missing", text, path=f"{path}.hierarchies", column=column)
    for name in ("hierarchies", "minimum_levels", "maximum_levels", "weights"):
        for column in getattr(parameters, name):
            if column not in columns:
                raise invalid(f"{path}.{name}.{column}", _("%(path)s: is not a column of this step"))
    for column in parameters.sensitive:
        if column in columns:
            raise invalid(
                f"{path}.sensitive.{column}",
                _("%(path)s: a column is either a quasi-identifier or sensitive, not both"),
            )
