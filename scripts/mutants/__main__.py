"""Mutation testing of the parts that a verdict rests on: ``make mutants``, a nightly verb outside the ordinary tests.

Cosmic Ray, in an environment of its own (``scripts/mutants/mutants.lock``), says which mutants there are; each part's sample is
drawn by a seed. Its runner would write every mutant into the checkout and run the whole folder of tests for it; mutmut
leaves decorated functions alone, thus every inner loop, and constants: :mod:`judging_mutants` does it. No tool alters the
SQL of triggers: :mod:`trigger_mutants` does.

``scripts/mutants/equivalent_mutants.toml`` lists the survivors that no test can kill, with the reason, and whole kinds of them.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import re
import subprocess
import sys
import tomllib
import warnings
from collections.abc import Iterator
from datetime import UTC, datetime
from fnmatch import fnmatch
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from mutant import ROOT, TOOLS, Mutant

BAR = 0.9
"""The share of a part's mutants that its tests have to kill, those aside that no test can."""


class Part(NamedTuple):
    """``modules`` are patterns, and so are ``tests``, folders or files; loops of packages ``as_python`` are not compiled;
    of triggers what they are made into is altered, not what makes them."""

    modules: tuple[str, ...]
    tests: tuple[str, ...]
    as_python: str = ""
    triggers: bool = False


PARTS = {
    "approvals": Part(("approvals/*.py",), ("tests/approvals",)),
    "rules": Part(
        ("projects/*rules.py", "deid_portal/*rules.py"),
        ("tests/projects/**/test_rules.py", "tests/deid_portal/**/test_rules.py"),
    ),
    "triggers": Part(
        ("projects/*/trigger*.py", "deid_portal/*triggers.py"),
        (
            "tests/projects/**/test_triggers.py",
            "tests/projects/core/test_what_stays.py",
            "tests/projects/vault/test_rules.py",
            "tests/deid_portal/accounts/test_appointments.py",
            "tests/deid_portal/accounts/test_deputies.py",
            "tests/deid_portal/accounts/test_leaving.py",
            "tests/deid_portal/organisation/policies",
            "tests/deid_portal/records/test_records.py",
            "tests/approvals/governance/test_governance.py",
        ),
        triggers=True,
    ),
    "gate": Part(("projects/verification/gate/*.py",), ("tests/projects/verification/gate", "tests/truth")),
    "models": Part(("techniques/models/*.py",), ("tests/techniques/models", "tests/techniques/anonymization"), "techniques.models"),
    "risk": Part(("techniques/disclosure_risk/*.py",), ("tests/techniques/disclosure_risk",), "techniques.disclosure_risk"),
    "encryption": Part(
        ("techniques/families/encryption/*.py",), ("tests/techniques/families/encryption",), "techniques.families.encryption"
    ),
}  # fmt: skip
SKIPPED = ("*/migrations/*", "*/wording.py", "*/events.py", "*/*urls.py", "*/management/*")
"""Words and addresses: what they say is held by kept stories and by the walk of every address."""
UNSEEN = ("Operator_Eq_Is", "NotEq_IsNot")
"""Kinds of mutants of Cosmic Ray that do the same: short texts and small numbers are kept once."""


def places_of(path: str) -> Iterator[tuple[str, str, int]]:
    """Where a module can be altered: its path, the kind of mutant, and which one of that kind."""
    from cosmic_ray import plugins
    from cosmic_ray.ast import ast_nodes, get_ast

    source = (ROOT / path).read_text(encoding="utf-8")
    nodes = list(ast_nodes(get_ast(source)))
    for name in plugins.operator_names():
        operator = plugins.get_operator(name)
        if not operator.arguments() and not name.endswith(UNSEEN):
            for number in range(sum(len(list(operator().mutation_positions(node))) for node in nodes)):
                yield path, name, number


def mutant_at(path: str, kind: str, number: int) -> Mutant | None:
    """None where the mutant is no code, or differs in annotations alone."""
    from cosmic_ray import plugins
    from cosmic_ray.mutating import mutate_code

    source = (ROOT / path).read_text(encoding="utf-8")
    new = mutate_code(source, plugins.get_operator(kind)(), number)
    try:
        compile(new, path, "exec")
        if meaning(new) == meaning(source):
            return None
    except (SyntaxError, ValueError):
        return None
    # A line less is a decorator less: what comes after it stands there.
    pairs = zip(source.splitlines(), new.splitlines(), strict=False)
    line, code = next(
        (line, after.strip()) for line, (before, after) in enumerate(pairs, 1) if before != after
    )
    return Mutant(path, line, kind.removeprefix("core/"), code, new)


def meaning(source: str) -> str:
    """The code without its annotations, and without saying which arguments have to be named."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.arguments):
            node.args = [*node.posonlyargs, *node.args, *node.kwonlyargs]
            node.defaults = [*node.defaults, *(one for one in node.kw_defaults if one is not None)]
            node.posonlyargs, node.kwonlyargs, node.kw_defaults = [], [], []
        for name in ("annotation", "returns"):
            if getattr(node, name, None) is not None:
                setattr(node, name, ast.Constant(0))
    return ast.dump(tree)


def modules_of(part: Part) -> list[str]:
    return [
        path
        for top in sorted({pattern.partition("/")[0] for pattern in part.modules})
        for path in sorted(one.relative_to(ROOT).as_posix() for one in (ROOT / top).rglob("*.py"))
        if any(fnmatch(path, pattern) for pattern in part.modules)
        and not any(fnmatch(path, pattern) for pattern in SKIPPED)
    ]


def tests_of(part: Part) -> list[str]:
    return [
        path.relative_to(ROOT).as_posix() for pattern in part.tests for path in sorted(ROOT.glob(pattern))
    ]


def sample(part: Part, size: int, seed: str, only: list[str]) -> list[Mutant]:
    """``size`` mutants drawn from all of the part's modules, or those that ``only`` names, those aside that no test can
    kill."""
    known = tomllib.loads((ROOT / "scripts/mutants/equivalent_mutants.toml").read_text(encoding="utf-8"))
    paths = [path for path in modules_of(part) if not only or any(fnmatch(path, f"*{one}*") for one in only)]
    places: list[Any] = (
        [one for one in alterations() if not only or one.path in paths]
        if part.triggers
        else [one for path in paths for one in places_of(path)]
    )
    random.Random(seed).shuffle(places)  # noqa: S311
    print(f"{len(places)} places in {len(paths)} modules", flush=True)
    drawn = iter(places) if part.triggers else (one for place in places if (one := mutant_at(*place)))
    noticeable = (
        one
        for one in drawn
        if not any(is_listed(one, entry) for entry in known["mutant"])
        and not any(is_of_kind(one, entry) for entry in known["kind"])
    )
    return list(islice(noticeable, size))


def is_listed(mutant: Mutant, entry: dict[str, str]) -> bool:
    """Codes that end in … are the beginnings of many."""
    code = entry["code"]
    same = mutant.code.startswith(code.removesuffix("…")) if code.endswith("…") else mutant.code == code
    return mutant.path == entry["path"] and same


def is_of_kind(mutant: Mutant, entry: dict[str, Any]) -> bool:
    """The line and the changed line are the same but for what the kind changes; both are patterns."""
    if mutant.kind == "TRIGGER" or not any(fnmatch(mutant.path, path) for path in entry["paths"]):
        return False
    line = (ROOT / mutant.path).read_text(encoding="utf-8").splitlines()[mutant.line - 1].strip()
    around = re.split(entry["before"], line)
    return len(around) > 1 and around == re.split(entry["code"], mutant.code)


def alterations() -> list[Mutant]:
    """Those of the triggers: ``source`` says which trigger of the database is altered how."""
    said = subprocess.check_output(
        [ROOT / ".venv/bin/python", ROOT / "scripts/mutants/trigger_mutants.py"], cwd=ROOT, text=True
    )
    return [Mutant(*one) for one in json.loads(said)]


def main() -> int:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("parts", nargs="*", help=f"of {', '.join(PARTS)}; all where none is named")
    options.add_argument("--sample", type=int, default=100, help="how many mutants of each part; 0 for all")
    options.add_argument(
        "--seed", default=f"{datetime.now(UTC):%Y-%m-%d}", help="the day where none is given"
    )
    options.add_argument(
        "--only", nargs="+", default=[], help="drawn from modules whose paths hold one of these"
    )
    options.add_argument("--seconds", type=int, default=20, help="of tests that a mutant has to survive")
    options.add_argument("--again", action="store_true", help="the last run's survivors alone")
    options.add_argument("--tests", nargs="+", help="these instead of the part's")
    given = options.parse_args()
    warnings.simplefilter("ignore", SyntaxWarning)  # of mutants
    low = []
    for name in given.parts or PARTS:
        part = PARTS[name]
        results, task, left_out = (TOOLS / f"{name}.{ending}" for ending in ("results", "task", "left_out"))
        if given.again:
            mutants = [Mutant(*one[:5]) for one in judged(results) if not one[5]]
        else:
            mutants = sample(part, given.sample or sys.maxsize, given.seed, given.only)
        results.unlink(missing_ok=True)
        left_out.write_text("")
        files = {
            "results": str(results),
            "left_out": str(left_out),
            "reached": str(TOOLS / f"{name}.reached"),
        }
        task.write_text(json.dumps({"mutants": mutants, "modules": modules_of(part), **files}))
        tools = next((TOOLS / "lib").glob("python*/site-packages"))
        environment = {
            "MUTANTS": str(task),
            "MUTANTS_TOOLS": str(tools),
            "PYTHONPATH": str(ROOT / "scripts/mutants"),
        }
        environment["MUTANTS_SECONDS"] = str(given.seconds)
        if part.as_python:
            environment["MUTANTS_AS_PYTHON"] = part.as_python
        # A test that ran out of time stands on no line: only the plain traceback can be written of it.
        plugins = ["-q", "--tb=native", "-p", "judging_mutants", "-p", "no:cacheprovider"]
        plugins += ["-m", "not browser and not slow"]
        subprocess.run(
            [ROOT / ".venv/bin/python", "-m", "pytest", *plugins, *(given.tests or tests_of(part))],
            cwd=ROOT, env={**os.environ, **environment}, check=False, stdout=subprocess.DEVNULL,
        )  # fmt: skip
        found = judged(results)
        alive = [one for one in found if not one[5]]
        left = len(left_out.read_text(encoding="utf-8").splitlines())
        share = 1 - len(alive) / len(found) if found else 0.0
        said = (
            f"{name}: {len(found) - len(alive)} of {len(mutants)} killed, {share:.1%}; {left} tests left out"
        )
        print(said, flush=True)
        for path, line, kind, code, *_ in alive:
            print(f"  {path}:{line} {kind}: {code}", flush=True)
        if share < BAR or len(found) < len(mutants):
            low.append(name)
    return 1 if low else 0


def judged(results: Path) -> list[Any]:
    return [json.loads(line) for line in results.read_text().splitlines()] if results.exists() else []


if __name__ == "__main__":
    sys.exit(main())
