"""``deid test``: what a recipe's own tests say of it; ``deid recipe-schema``: what an editor wants to know of all recipes."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from techniques.cli.recipes.reading import add_variables, template_of
from techniques.core.messages import EngineError, _
from techniques.recipe.template import RecipeTest, Template, given_values

_KEY: Final = b"deid test: known to everybody"
_SEED: Final = 37964


def add_parser(new_command: Callable[..., argparse.ArgumentParser]) -> None:
    """Add the commands ``test`` and ``recipe-schema``."""
    parser = new_command(
        "test",
        help="carry out the tests that a recipe has of its own; exit code 0 or 1",
        description="Each test has rows that are given and the rows that must come out, in any order. Key and seed are fixed and known to "
        "everybody, so that pseudonyms and draws are the same each time. Exit code 0 where all pass, 1 where one does not, 2 where "
        "the recipe cannot be read or has no tests.",
    )
    parser.add_argument("recipe", type=Path, help="recipe in YAML or JSON")
    add_variables(parser)
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    parser.add_argument("--quiet", action="store_true", help="print failures only")
    parser.set_defaults(handler=run)
    schema = new_command("recipe-schema", quiet=False, help="print the JSON schema of recipes, for editors")
    schema.set_defaults(handler=_schema)


def run(options: argparse.Namespace) -> int:
    """Test and print. Exit code 0, or 1 where a test fails."""
    template, _files = template_of(options.recipe)
    given = given_values(options.set, template)
    template.with_values(
        given | {name: one for test in template.tests for name, one in test.variables.items()}
    )
    if not template.tests:
        text = _("%(path)s has no tests: write rows under tests.")
        raise EngineError("recipe_tests_none", text, path=str(options.recipe))
    found = [_outcome(template, test, given) for test in template.tests]
    failed = sum(not one["passed"] for one in found)
    if options.json:
        sys.stdout.write(
            json.dumps({"test": 1, "passed": not failed, "tests": found}, ensure_ascii=False) + "\n"
        )
        return bool(failed)
    for one in found:
        if not one["passed"]:
            print(f"FAIL {one['name']}: {_said(one)}")
        elif not options.quiet:
            print(f"ok   {one['name']}")
    if failed:
        print(f"{failed} of {len(found)} tests failed")
    elif not options.quiet:
        print(f"all {len(found)} tests passed")
    return bool(failed)


def _outcome(template: Template, test: RecipeTest, given: dict[str, Any]) -> dict[str, Any]:
    """Whether a test passed, with the rows that are missing and those that nobody expected."""
    import pyarrow as pa

    import techniques
    from techniques.tables.canonical import cell_text

    names = list(dict.fromkeys(name for row in test.given for name in row))
    columns = {
        name: pa.array([cell_text(row.get(name)) for row in test.given], pa.string()) for name in names
    }
    outcome: dict[str, Any] = {"name": test.name, "passed": False}
    try:
        recipes, _values = template.with_values(given | test.variables)
        recipe = recipes.tables[""]
        keys = dict.fromkeys(recipe.purposes(), _KEY)
        treated = techniques.run(recipe, pa.table(columns), key=_KEY, seed=_SEED, purpose_keys=keys)
    except EngineError as error:
        return outcome | {"error": str(error)}
    wanted = list(dict.fromkeys(name for row in test.expected for name in row))
    there = treated.table.column_names
    lost = [name for name in wanted if name not in there]
    if lost:
        return outcome | {"columns_missing": lost}
    made = treated.table.select(wanted).to_pylist() if wanted else [{}] * treated.table.num_rows
    rows = Counter(tuple(cell_text(row[name]) for name in wanted) for row in made)
    asked = Counter(tuple(cell_text(row.get(name)) for name in wanted) for row in test.expected)
    missing, unexpected = list((asked - rows).elements()), list((rows - asked).elements())
    return outcome | {
        "passed": not missing and not unexpected,
        "missing": [dict(zip(wanted, row, strict=True)) for row in missing],
        "unexpected": [dict(zip(wanted, row, strict=True)) for row in unexpected],
    }


def _said(outcome: dict[str, Any]) -> str:
    if "error" in outcome:
        return str(outcome["error"])
    if "columns_missing" in outcome:
        return f"the result has no column {', '.join(outcome['columns_missing'])}"
    rows = [
        f"{word} {json.dumps(outcome[key][0], ensure_ascii=False)}{f' and {more} more' if (more := len(outcome[key]) - 1) else ''}"
        for word, key in (("missing", "missing"), ("not expected", "unexpected"))
        if outcome[key]
    ]
    return "; ".join(rows)


def _schema(_options: argparse.Namespace) -> None:
    from techniques.recipe.schema import recipe_schema

    print(json.dumps(recipe_schema(), ensure_ascii=False, indent=2))
