"""What the file of a recipe may hold beside the recipe: variables, steps of other files, and tests of its own.

A template becomes a recipe before anything of it is checked, hashed or carried out: run, report and hash know the recipe
alone. So a value that somebody gives stands where all may read it, and no secret has a place here.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from pydantic import Field

from techniques.core.messages import EngineError, _
from techniques.core.settings import ClosedModel
from techniques.core.validation import invalid, validated
from techniques.recipe.recipe_set import RecipeSet
from techniques.recipe.text import line_of, load

Read = Callable[[str], bytes]
Cell = str | int | float | bool | None
MOST_INCLUDED: Final = 100
_NAME = re.compile(r"[A-Za-z_]\w{0,63}")
_USE = re.compile(r"\$\{([^}]*)\}")
_SECRET = re.compile(r"(?i)(^|_)(key|secret|password|passphrase|token|seed|salt)s?($|_)")
_ADDED: Final = ("variables", "tests")


class RecipeTest(ClosedModel):
    """Rows that are given and those that the recipe has to make of them, in any order; a column that ``expected`` does not name
    is not looked at."""

    name: str = Field(min_length=1, max_length=200)
    variables: dict[str, Any] = Field(default_factory=dict)
    given: list[dict[str, Cell]] = Field(min_length=1, max_length=1000)
    expected: list[dict[str, Cell]] = Field(max_length=1000)


@dataclass
class Template:
    """A recipe's file with all that it includes. ``variables`` have what each is without being given, None where it must be."""

    data: Any
    variables: dict[str, Any] = field(default_factory=dict)
    tests: list[RecipeTest] = field(default_factory=list)
    _texts: dict[str, str] = field(default_factory=dict)
    _places: dict[tuple[str, int], tuple[str, int]] = field(default_factory=dict)
    _read: Read | None = None
    _includes: int = 0
    _name: str = ""

    @classmethod
    def parse(cls, text: str, read: Read, name: str) -> Template:
        """Read a template; ``read`` gives files by their names from its folder on, ``name`` is its own in messages. EngineError."""
        made = cls(load(text), _texts={name: text}, _read=read, _name=name)
        data = made.data
        if not isinstance(data, dict):
            return made
        data = dict(data)
        made._declare(data.pop("variables", {}), name)
        if "tests" in data:
            if "tables" in data:
                raise invalid("tests", _("%(path)s: are for a recipe of one table"))
            tests = data.pop("tests")
            if not isinstance(tests, list):
                raise invalid("tests", _("%(path)s: must be a list"))
            made.tests = [
                validated(RecipeTest, one, f"tests[{i}]", strict=True) for i, one in enumerate(tests)
            ]
        if isinstance(data.get("tables"), dict):
            data["tables"] = {
                table: made._with_steps(recipe, str(table), name, ("tables", table))
                for table, recipe in data["tables"].items()
            }
        else:
            data = made._with_steps(data, "", name, ())
        made.data = data
        return made

    def with_values(self, given: Mapping[str, Any]) -> tuple[RecipeSet, dict[str, Any]]:
        """(the recipe, the values of its variables). ``given`` are values, or texts as a command has them. EngineError
        ``variable_unknown``, ``variable_missing``, ``recipe_place`` and those of a recipe."""
        for name in given:
            if name not in self.variables:
                known = ", ".join(self.variables) or "–"
                text = _("There is no variable called %(name)s; those of the recipe are: %(known)s.")
                raise EngineError("variable_unknown", text, name=name, known=known)
        values = self.variables | dict(given)
        for name, value in values.items():
            if value is None:
                text = _("The variable %(name)s needs a value: --set %(name)s=VALUE.")
                raise EngineError("variable_missing", text, name=name)
        data = self._filled(self.data, values) if self.variables else self.data
        if isinstance(data, dict) and "" in (data.get("tables") or ()):
            # Whoever writes a set names its tables: a name becomes that of a file.
            raise invalid("tables", _("%(path)s: must be a name"))
        from techniques.recipe.recipe_set import whole

        try:
            return RecipeSet.from_data(whole(data), self._read), values
        except EngineError as error:
            place = self._included_place(error)
            if place is None:
                raise
            problem = str(error)
        raise _at(*place, problem)

    # -- other files ----------------------------------------------------------------------------

    def _with_steps(self, recipe: Any, table: str, name: str, path: tuple[Any, ...]) -> Any:
        if not isinstance(recipe, dict) or not isinstance(recipe.get("steps"), list):
            return recipe
        steps: list[Any] = []
        for number, step in enumerate(recipe["steps"]):
            if isinstance(step, dict) and "include" in step:
                for found, place in self._included(step, name, (*path, "steps", number), (name,)):
                    self._places[table, len(steps)] = place
                    steps.append(found)
            else:
                steps.append(step)
        return recipe | {"steps": steps}

    def _included(
        self, step: dict[str, Any], name: str, path: tuple[Any, ...], above: tuple[str, ...]
    ) -> list[tuple[Any, tuple[str, int]]]:
        """The steps of a file that ``step`` of the file ``name`` includes, each with its place."""
        line = line_of(self._texts[name], path)
        target = step["include"]
        if set(step) != {"include"} or not isinstance(target, str) or not target:
            raise _at(name, line, "include: FILE.yaml, and nothing else")
        if posixpath.isabs(target) or "://" in target:
            raise _at(name, line, f"{target}: a file is named from the folder of the one that includes it")
        file = posixpath.normpath(posixpath.join(posixpath.dirname(name), target))
        if file in above:
            raise _at(name, line, f"{target} includes itself ({' → '.join([*above, file])})")
        self._includes += 1
        if self._includes > MOST_INCLUDED:
            raise _at(name, line, f"more than {MOST_INCLUDED} files are included")
        data = self._file(file, name, line, target)
        if not isinstance(data, dict) or not isinstance(data.get("steps"), list):
            raise _at(file, 1, "a file that is included is a mapping with steps")
        more = set(data) - {"recipe", "title", "variables", "steps", "tests"}
        if more:
            key = min(map(str, more))
            raise _at(
                file, line_of(self._texts[file], (key,)), f"{key}: is not known in a file that is included"
            )
        self._declare(data.get("variables", {}), file)
        found: list[tuple[Any, tuple[str, int]]] = []
        for number, inner in enumerate(data["steps"]):
            if isinstance(inner, dict) and "include" in inner:
                found += self._included(inner, file, ("steps", number), (*above, file))
            else:
                place = (file, line_of(self._texts[file], ("steps", number)))
                found.append((_from_folder(inner, posixpath.dirname(file)), place))
        return found

    def _file(self, file: str, name: str, line: int, target: str) -> Any:
        try:
            if file not in self._texts and self._read is not None:
                self._texts[file] = self._read(file).decode("utf-8-sig")
        except (OSError, KeyError, UnicodeDecodeError):
            raise _at(name, line, f"{target} cannot be read") from None
        try:
            return load(self._texts[file])
        except EngineError as error:
            raise _at(file, error.params.get("line", 1), str(error)) from None

    def _included_place(self, error: EngineError) -> tuple[str, int] | None:
        """Where the step stands that an error is about, if it stands in another file."""
        found = re.match(r"(?:tables\.(.*?)\.)?steps\[(\d+)\]", str(error.params.get("path", "")))
        return self._places.get((found[1] or "", int(found[2]))) if found else None

    # -- variables ------------------------------------------------------------------------------

    def _declare(self, declared: Any, name: str) -> None:
        """Whoever includes a file decides what its variables are unless given."""
        if not isinstance(declared, dict):
            raise _at(name, line_of(self._texts[name], ("variables",)), "variables: must be a mapping")
        for one, value in declared.items():
            line = line_of(self._texts[name], ("variables", one))
            if not isinstance(one, str) or not _NAME.fullmatch(one):
                raise _at(name, line, f"{one}: a variable is called by letters, digits and _")
            if _SECRET.search(one):
                raise _at(
                    name,
                    line,
                    f"{one}: variables stand in recipe and report; keys come by --key-file, seeds by --seed-file",
                )
            self.variables.setdefault(one, value)

    def _filled(self, data: Any, values: Mapping[str, Any]) -> Any:
        if isinstance(data, dict):
            return {self._filled(key, values): self._filled(one, values) for key, one in data.items()}
        if isinstance(data, list):
            return [self._filled(one, values) for one in data]
        if not isinstance(data, str):
            return data
        alone = _USE.fullmatch(data)
        if alone:
            return self._value(alone[1], values)
        return _USE.sub(lambda use: str(self._value(use[1], values)), data)

    def _value(self, name: str, values: Mapping[str, Any]) -> Any:
        if name in values:
            return values[name]
        used = "${" + name + "}"
        for file, text in self._texts.items():
            for number, line in enumerate(text.splitlines(), start=1):
                if used in line:
                    raise _at(file, number, f"there is no variable called {name}")
        raise _at(self._name, 1, f"there is no variable called {name}")


def given_values(given: list[str], template: Template) -> dict[str, Any]:
    """The values of ``NAME=VALUE`` texts: of a variable that is a text, that text, else what YAML says. EngineError."""
    values: dict[str, Any] = {}
    for one in given:
        name, sign, text = one.partition("=")
        if not sign or name in values:
            reason = _("--set %(given)s is not NAME=VALUE, or the name is given twice.")
            raise EngineError("variable_unclear", reason, given=name)
        values[name] = text if isinstance(template.variables.get(name), str) else load(text)
    return values


def _from_folder(step: Any, folder: str) -> Any:
    """A step with the files of its hierarchies as seen from the recipe."""
    if isinstance(step, dict):
        moved = {key: _from_folder(one, folder) for key, one in step.items()}
        if step.get("kind") == "file" and isinstance(step.get("file"), str):
            moved["file"] = posixpath.normpath(posixpath.join(folder, step["file"]))
        return moved
    return [_from_folder(one, folder) for one in step] if isinstance(step, list) else step


def _at(file: str, line: Any, problem: str) -> EngineError:
    return EngineError(
        "recipe_place", _("%(file)s, line %(line)s: %(problem)s"), file=file, line=line, problem=problem
    )
