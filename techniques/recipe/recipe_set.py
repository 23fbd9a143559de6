"""A recipe over tables: one recipe for each, and the references between their columns (referential integrity).

The same person gets the same pseudonym in all of them and foreign keys still join: columns that refer to each
other must be treated alike, by techniques that give equal results for equal values and different ones for others.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal, Self

from pydantic import Field

from techniques.catalogue.family import Family
from techniques.catalogue.table_c1 import Effect
from techniques.catalogue.technique import Scope
from techniques.core.canonical import set_hash
from techniques.core.messages import EngineError, _
from techniques.core.settings import ClosedModel
from techniques.core.validation import invalid, validated
from techniques.hierarchies.definitions import FileReader
from techniques.recipe.recipe import Recipe, Step
from techniques.recipe.text import load

if TYPE_CHECKING:
    from techniques.core.secrets import Secrets

Place = tuple[str, str]
"""Table and column."""


class Reference(ClosedModel, populate_by_name=True):
    """A foreign key and the column that it points to, each as table and column."""

    source: list[str] = Field(alias="from", min_length=2, max_length=2)
    target: list[str] = Field(alias="to", min_length=2, max_length=2)
    orphans: Literal["keep", "error"] = "keep"
    """What happens where a row's counterpart has been removed: it stays and is counted, or the run is refused."""


class RecipeSet(ClosedModel):
    """A treatment plan for tables, checked in itself and across them."""

    recipe: Literal[1] = 1
    title: str = Field(default="", max_length=200)
    tables: dict[str, Recipe] = Field(min_length=1, max_length=100)
    references: list[Reference] = Field(default_factory=list, max_length=1000)

    @classmethod
    def parse(cls, text: str, files: FileReader | None = None) -> Self:
        """Read a set, or the recipe of a table, from YAML or JSON; raises EngineError with the place in ``path``."""
        data = load(text)
        if isinstance(data, dict) and "" in (data.get("tables") or ()):
            # Whoever writes a set names its tables: a name becomes that of a file.
            raise invalid("tables", _("%(path)s: must be a name"))
        return cls.from_data(whole(data), files)

    @classmethod
    def from_data(cls, data: Any, files: FileReader | None = None) -> Self:
        """A whole set from data that are already lists and mappings."""
        if not isinstance(data, dict) or not isinstance(data.get("tables"), dict):
            raise invalid("tables", _("%(path)s: must be a mapping"))
        tables = {name: _table(name, recipe, files) for name, recipe in data["tables"].items()}
        return validated(cls, {**data, "tables": tables}, strict=True)._joined()

    def content_hash(self) -> str:
        """SHA-256 (hex) of the recipes and references; of one recipe without references that recipe's own."""
        hashes = {name: recipe.content_hash() for name, recipe in sorted(self.tables.items())}
        parts = [f"{name}\0{one}" for name, one in hashes.items()]
        parts += sorted("\0".join([*r.source, *r.target, r.orphans]) for r in self.references)
        whole = hashlib.sha256("\n".join(parts).encode()).hexdigest()
        return set_hash(list(hashes.values()), self.references, whole)

    def needs_key(self) -> bool:
        """Whether any table needs the secret key."""
        return any(recipe.needs_key() for recipe in self.tables.values())

    def needs_seed(self) -> bool:
        """Whether what a step made can be got back only with the seed of the run."""
        return any(recipe.needs_seed() for recipe in self.tables.values())

    def purposes(self) -> list[str]:
        """The purposes whose keys the pseudonyms of any table rest on."""
        return sorted({name for recipe in self.tables.values() for name in recipe.purposes()})

    def needs_key_once(self) -> bool:
        """Whether any table needs a key that is destroyed after the run."""
        return any(recipe.needs_key_once() for recipe in self.tables.values())

    # -- across the tables ------------------------------------------------------------------

    def _joined(self) -> Self:
        """The same with one domain for all columns that refer to each other; EngineError where they differ."""
        for number, reference in enumerate(self.references):
            for end, (table, _column) in (("from", reference.source), ("to", reference.target)):
                if table not in self.tables:
                    text = _("%(path)s: there is no table called %(table)s.")
                    raise EngineError(
                        "reference_unknown", text, path=f"references[{number}].{end}", table=table
                    )
        recipes = dict(self.tables)
        for group in self._groups():
            domain = ".".join(group[0])
            for table, column in group:
                recipes[table] = _with_domain(recipes[table], column, domain)
        joined = self.model_copy(update={"tables": recipes})
        for number, reference in enumerate(self.references):
            joined._compare(number, reference)
        joined._refuse_undeclared()
        return joined

    def _refuse_undeclared(self) -> None:
        """EngineError ``joinable_undeclared`` where columns of two tables could be joined that nobody has linked.

        The view that joins the tables is measured along the declared links alone. Other settings of the same
        technique, such as the length of a pseudonym, hide little of what the domain makes equal.
        """
        linked = {place: number for number, group in enumerate(self._groups()) for place in group}
        seen: dict[tuple[str, str], list[Place]] = {}
        for table, recipe in self.tables.items():
            for column in sorted(recipe.treated_columns() - recipe.removed_columns()):
                for said in _domains(recipe, column):
                    seen.setdefault(said, []).append((table, column))
        for (technique, domain), places in seen.items():
            for one, other in combinations(places, 2):
                if one[0] == other[0] or (one in linked and linked[one] == linked.get(other)):
                    continue
                raise EngineError(
                    "joinable_undeclared",
                    _(
                        "%(source)s and %(target)s are not linked, but %(technique)s with the domain “%(domain)s” gives "
                        "equal values equal results in both, so that they could be joined. Declare the link, or give "
                        "one of them another domain."
                    ),
                    path=f"tables.{other[0]}",
                    source=".".join(one),
                    target=".".join(other),
                    technique=technique,
                    domain=domain,
                )

    def _groups(self) -> list[list[Place]]:
        return linked_columns((tuple(one.source), tuple(one.target)) for one in self.references)

    def _compare(self, number: int, reference: Reference) -> None:
        """Both ends must be treated alike."""
        path = f"references[{number}]"
        ends = []
        for table, column in (reference.source, reference.target):
            recipe = self.tables[table]
            unlisted = recipe.unlisted == "remove" and column not in recipe.treated_columns()
            if unlisted or column in recipe.removed_columns():
                text = _(
                    "%(path)s: column %(column)s of table %(table)s is removed, so nothing can be joined by it."
                )
                raise EngineError("reference_removed", text, path=path, table=table, column=column)
            ends.append(_said(recipe, column))
            self._joinable(path, table, column)
        (first, shifts), (second, others) = ends
        # Dates of one subject are moved alike where both tables move them, at the same point of the treatment.
        if first != second or (shifts and others and shifts != others):
            raise EngineError(
                "reference_differs",
                _(
                    "%(path)s: %(source)s and %(target)s must be treated by the same techniques with the same settings."
                ),
                path=path,
                source=".".join(reference.source),
                target=".".join(reference.target),
            )

    def _joinable(self, path: str, table: str, column: str) -> None:
        for step in self.tables[table].steps:
            if column not in step.columns or column in step.kept_columns:
                continue
            claims = step.spec.claims
            keeps = claims is not None and claims.distinctness is Effect.YES and not step.spec.random
            if not keeps or step.spec.scope is not Scope.COLUMN or step.spec.family is Family.SUPPRESSION:
                raise EngineError(
                    "reference_not_joinable",
                    _(
                        "%(path)s: %(technique)s on column %(column)s of table %(table)s does not give equal results for "
                        "equal values in every table. Use a keyed hash or an encryption that does."
                    ),
                    path=path,
                    technique=step.technique,
                    table=table,
                    column=column,
                )


def linked_columns(links: Iterable[tuple[Any, Any]]) -> list[list[Place]]:
    """Columns that refer to each other, directly or over others, by the two ends of each link."""
    groups: list[set[Place]] = []
    for link in links:
        ends = set(link)
        touched = [group for group in groups if group & ends]
        groups = [group for group in groups if not group & ends]
        groups.append(ends.union(*touched))
    return [sorted(group) for group in groups]


def whole(content: Any) -> Any:
    """What was written, as a set: the recipe of a table is a set of one, whose table has no name."""
    written = isinstance(content, dict) and "tables" in content
    return content if written else {"recipe": 1, "tables": {"": content}}


@contextmanager
def in_table(name: str) -> Iterator[None]:
    """An EngineError raised within says which table it is about; a table without a name needs no saying."""
    try:
        yield
    except EngineError as error:
        if not name:
            raise
        path = f"tables.{name}.{error.params.get('path', '')}".rstrip(".")
        raise EngineError(error.code, error.message, **(error.params | {"path": path})) from None


def table_secrets(secrets: Secrets, table: str) -> Secrets:
    """Secrets of one table: all tables share pseudonyms, each has draws of its own. The same draws in two tables
    would give away the difference of two true values. A table without a name has the secrets of the set as they are."""
    if not table:
        return secrets
    seed = hmac.digest(secrets.seed_bytes, b"deid: table: " + table.encode(), "sha256")
    return replace(secrets, seed=seed, salt=secrets.require_salt())


def _table(name: Any, recipe: Any, files: FileReader | None) -> Recipe:
    # The name becomes that of a file.
    if not isinstance(name, str) or not re.fullmatch(r"(\w[\w \-.]{0,99})?", name):
        raise invalid(f"tables.{name}", _("%(path)s: must be a name"))
    with in_table(name):
        return Recipe.from_data(recipe, files)


def _said(recipe: Recipe, column: str) -> tuple[list[str], list[str]]:
    """What the steps do to the column, and how they shift dates by it, as texts to compare."""
    changes: list[str] = []
    shifts: list[str] = []
    for step in recipe.steps:
        if column not in step.columns:
            continue
        if column not in step.kept_columns:
            changes.append(f"{step.technique} {step.parameters.model_dump_json()}")
        elif step.technique == "randomization.date_shift":
            kept = step.parameters.model_dump(mode="json", include={"domain", "minimum", "maximum"})
            shifts.append(f"{len(changes)} {sorted(kept.items())}")
    return changes, shifts


def _domains(recipe: Recipe, column: str) -> set[tuple[str, str]]:
    """The keyed techniques on the column that treat equal values alike in all tables, each with its domain."""
    found = set()
    for step in recipe.steps:
        claims = step.spec.claims
        domain = getattr(step.parameters, "domain", None)
        if column not in step.columns or step.spec.scope is not Scope.COLUMN or domain is None:
            continue
        # Names that are given one to one are drawn for each table anew.
        drawn = getattr(step.parameters, "mode", None) == "one_to_one"
        if step.spec.needs_key and claims and claims.distinctness is not Effect.NO and not drawn:
            found.add((step.technique, domain or column))
    return found


def _with_domain(recipe: Recipe, column: str, domain: str) -> Recipe:
    """The recipe with ``domain`` in every step on the column that leaves its domain open."""
    steps: list[Step] = []
    for step in recipe.steps:
        if column not in step.columns or getattr(step.parameters, "domain", None) != "":
            steps.append(step)
            continue
        parameters = step.parameters.model_copy(update={"domain": domain})
        others = [name for name in step.columns if name != column]
        if step.spec.scope is Scope.COLUMN and others:
            # Each column is treated by itself, so a step may be two.
            steps.append(step.model_copy(update={"columns": others}))
            steps.append(step.model_copy(update={"columns": [column], "parameters": parameters}))
        elif step.spec.scope is Scope.COLUMN or column in step.kept_columns:
            steps.append(step.model_copy(update={"parameters": parameters}))
        else:
            steps.append(step)
    return recipe.model_copy(update={"steps": steps})
