"""The trip from the run's button to the job: the files in which a function receives the project or what was read from it.

``python scripts/trace_run.py [--root OTHER]`` prints them in the order in which they are entered, one a line with the
function that is entered first. Read from the code alone (``house_imports.py``), beginning at the service that the button
calls, with its project:

* An expression carries the project where it names it, a variable that was given what another such expression gives, or
  what one of the product's functions makes of it.
* A call of one of the product's functions with such an argument enters the file of that function, and there the parameters
  carry it. A function is entered once for each set of parameters; a file counts once.
* The engine is not entered: it is given contents, never a project, and knows of none.
* Not followed, as the review of 22 November 2026 did not either: functions that are chosen while the program runs (those
  that answer for evidence are registered in a table), methods of rows and of other objects, classes that are filled, and
  other people's code. Where a denial is returned or an error raised, the trip is over: its words are no part of the way.
"""

from __future__ import annotations

import argparse
import ast
import sys
from dataclasses import dataclass, field
from pathlib import Path

from house_imports import PRODUCT, House, base_of, read_house

BUTTON = ("projects.processing.runs.services", "run_start", frozenset({"project"}))
ENGINE = "techniques"
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass
class Module:
    """The functions of a file, ``Class.method`` for those of a class, and what its imports name."""

    functions: dict[str, Function] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    """Name in the file → what it stands for, dotted."""


class Trip:
    """Follows the project from call to call."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.entered: dict[str, str] = {}
        """File, from the root → the function that is entered first, in the order of the trip."""
        self._modules: dict[str, Module] = {}
        self._been: set[tuple[str, str, frozenset[str]]] = set()

    def enter(self, module: str, function: str, carried: frozenset[str]) -> None:
        """Go through a function whose parameters ``carried`` carry the project."""
        if (module, function, carried) in self._been:
            return
        self._been.add((module, function, carried))
        path = self.house.modules[module].relative_to(self.house.root)
        self.entered.setdefault(str(path), function)
        _Body(self, module, set(carried)).visit_all(self.module(module).functions[function].body)

    def module(self, name: str) -> Module:
        """The functions and imports of a file of the house."""
        if name not in self._modules:
            self._modules[name] = found = Module()
            path = self.house.modules[name]
            for node in ast.walk(
                ast.parse(path.read_text(encoding="utf-8")) if path.exists() else ast.Module([], [])
            ):
                if isinstance(node, ast.ImportFrom):
                    base = base_of(self.house, name, node)
                    found.names |= {a.asname or a.name: f"{base}.{a.name}".strip(".") for a in node.names}
                elif isinstance(node, ast.Import):
                    found.names |= {a.asname or a.name: a.name for a in node.names}
                elif isinstance(node, ast.Module | ast.ClassDef):
                    prefix = f"{node.name}." if isinstance(node, ast.ClassDef) else ""
                    for inner in node.body:
                        if isinstance(inner, Function):
                            found.functions[prefix + inner.name] = inner
        return self._modules[name]

    def resolve(self, module: str, called: ast.expr) -> tuple[str, str] | None:
        """(module, function) of the house that an expression names; None for everything else."""
        parts = ast.unparse(called).split(".")
        if not all(part.isidentifier() for part in parts):
            return None
        known = self.module(module)
        dotted = ".".join([known.names.get(parts[0], f"{module}.{parts[0]}"), *parts[1:]])
        holder = dotted
        while holder and holder not in self.house.modules:
            holder = holder.rpartition(".")[0]
        name = dotted[len(holder) + 1 :]
        if not holder or holder.startswith(ENGINE):
            return None
        return (holder, name) if name in self.module(holder).functions else None


class _Body(ast.NodeVisitor):
    """Goes through the statements of one function in their order; ``carrying`` are the names that carry the project."""

    def __init__(self, trip: Trip, module: str, carrying: set[str]) -> None:
        self.trip, self.module, self.carrying = trip, module, carrying

    def visit_all(self, nodes: list[ast.stmt]) -> None:
        for node in nodes:
            self.visit(node)

    def carries(self, node: ast.AST) -> bool:
        """Whether an expression is the project or something that was read from it.

        What a call gives does where it is one of the house's functions that was given as much.
        """
        if isinstance(node, ast.Name):
            return node.id in self.carrying
        if isinstance(node, ast.Call):
            given = [*node.args, *(keyword.value for keyword in node.keywords)]
            return self.trip.resolve(self.module, node.func) is not None and any(map(self.carries, given))
        return any(map(self.carries, ast.iter_child_nodes(node)))

    def give(self, target: ast.AST, value: ast.AST | None) -> None:
        """Let the names of ``target`` carry what ``value`` carries."""
        if value is not None and self.carries(value):
            self.carrying |= {one.id for one in ast.walk(target) if isinstance(one, ast.Name)}

    def visit_Assign(self, node: ast.Assign) -> None:
        self.visit(node.value)
        for target in node.targets:
            self.give(target, node.value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self.generic_visit(node)
        self.give(node.target, node.value)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self.visit(node.value)
        self.give(node.target, node.value)

    def visit_For(self, node: ast.For) -> None:
        self.visit(node.iter)
        self.give(node.target, node.iter)
        self.visit_all([*node.body, *node.orelse])

    def visit_With(self, node: ast.With) -> None:
        for item in node.items:
            self.visit(item.context_expr)
            if item.optional_vars is not None:
                self.give(item.optional_vars, item.context_expr)
        self.visit_all(node.body)

    def comprehend(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> None:
        for one in node.generators:
            self.give(one.target, one.iter)
        self.generic_visit(node)

    visit_ListComp = visit_SetComp = visit_GeneratorExp = visit_DictComp = comprehend

    def visit_Raise(self, node: ast.Raise) -> None:
        """Here the trip would end."""

    def visit_Return(self, node: ast.Return) -> None:
        is_denial = isinstance(node.value, ast.Call) and ast.unparse(node.value.func) == "deny"
        if not is_denial:
            self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        self.generic_visit(node)
        found = self.trip.resolve(self.module, node.func)
        if found is None:
            return
        given = self.trip.module(found[0]).functions[found[1]].args
        places = [one.arg for one in (*given.posonlyargs, *given.args)]
        if "." in found[1]:
            places = places[1:]  # the class itself
        carried = set()
        for number, argument in enumerate(node.args):
            if self.carries(argument):
                beyond = given.vararg.arg if given.vararg else ""
                carried.add(places[number] if number < len(places) else beyond)
        for keyword in node.keywords:
            if self.carries(keyword.value):
                named = {*places, *(one.arg for one in given.kwonlyargs)}
                carried.add(keyword.arg if keyword.arg in named else given.kwarg.arg if given.kwarg else "")
        if carried - {"", None}:
            self.trip.enter(*found, frozenset(name for name in carried if name))


def trip(house: House) -> dict[str, str]:
    """The files of the trip, each with the function that is entered first; none where there is no such button."""
    module, function, carried = BUTTON
    made = Trip(house)
    if module in house.modules:
        made.enter(module, function, carried)
    return made.entered


def main() -> int:
    """Print the trip."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    root = Path(__file__).resolve().parents[1]
    parser.add_argument("--root", type=Path, default=root, help="another copy of the code")
    found = trip(read_house(parser.parse_args().root.resolve(), PRODUCT))
    sys.stdout.write(
        "".join(f"{path}  {function}\n" for path, function in found.items()) + f"{len(found)} files\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
