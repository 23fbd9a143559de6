"""The house as its imports show it: which module imports which, and what that means for packages.

The reading is of the code alone, without importing any of it. An import inside a function counts like one at the top of a
file: it binds two modules just as well. An import under ``if TYPE_CHECKING`` is never carried out and is counted apart.
``from package import name`` leads to ``package.name`` where that is a module, else to ``package``. The import of a package
that Python makes on the way to one of its modules is not counted, and neither are imports of other people's code.
"""

from __future__ import annotations

import ast
import configparser
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

PRODUCT = ("techniques", "approvals", "projects", "deid_portal")
# Folders that Django prescribes; what lies in them is no design of ours.
PRESCRIBED_FOLDERS = frozenset({"migrations", "management", "commands", "templatetags"})

Arrow = tuple[str, str]


@dataclass
class House:
    """The modules of the product and the imports between them."""

    root: Path
    modules: dict[str, Path] = field(default_factory=dict)
    """Dotted name → file; a package stands under its own name, for its ``__init__.py``."""
    imports: Counter[Arrow] = field(default_factory=Counter)
    """(importer, imported) → number of import statements that name it."""
    for_types_only: Counter[Arrow] = field(default_factory=Counter)
    """The same for imports under ``if TYPE_CHECKING``."""

    def is_package(self, name: str) -> bool:
        """Whether the name is a folder's."""
        return self.modules[name].name == "__init__.py"

    def children(self, package: str) -> list[str]:
        """Modules and folders that lie directly in a folder, by name, without those that Django prescribes."""
        return sorted(
            name
            for name in self.modules
            if name.rpartition(".")[0] == package and name.rpartition(".")[2] not in PRESCRIBED_FOLDERS
        )

    def packages(self) -> list[str]:
        """Every folder of the product, by name."""
        return sorted(
            name
            for name in self.modules
            if self.is_package(name) and not PRESCRIBED_FOLDERS.intersection(name.split("."))
        )


def read_house(root: Path, packages: Iterable[str] = PRODUCT) -> House:
    """Read every Python file of the packages under ``root``."""
    house = House(root)
    for package in packages:
        for path in sorted((root / package).rglob("*.py")):
            parts = path.relative_to(root).with_suffix("").parts
            house.modules[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
        house.modules.setdefault(package, root / package / "__init__.py")
    for name, path in house.modules.items():
        if not path.exists():
            continue
        for imported, typing_only in _imports(house, name, ast.parse(path.read_text(encoding="utf-8"))):
            if imported != name:
                (house.for_types_only if typing_only else house.imports)[name, imported] += 1
    return house


def _imports(house: House, name: str, tree: ast.Module) -> Iterator[tuple[str, bool]]:
    """Every module of the house that a file imports, and whether it does so for types only."""
    pending: list[tuple[ast.AST, bool]] = [(tree, False)]
    while pending:
        node, typing_only = pending.pop()
        if isinstance(node, ast.Import):
            for alias in node.names:
                if target := _nearest(house, alias.name):
                    yield target, typing_only
        elif isinstance(node, ast.ImportFrom):
            base = base_of(house, name, node)
            for target in sorted({_nearest(house, f"{base}.{alias.name}") for alias in node.names} - {""}):
                yield target, typing_only
        elif isinstance(node, ast.If) and _asks_for_type_checking(node.test):
            pending += [(child, True) for child in node.body]
            pending += [(child, typing_only) for child in node.orelse]
        else:
            pending += [(child, typing_only) for child in ast.iter_child_nodes(node)]


def _asks_for_type_checking(test: ast.expr) -> bool:
    return (isinstance(test, ast.Name) and test.id == "TYPE_CHECKING") or (
        isinstance(test, ast.Attribute) and test.attr == "TYPE_CHECKING"
    )


def base_of(house: House, name: str, node: ast.ImportFrom) -> str:
    """The package that a ``from … import`` begins at, with its dots resolved."""
    if not node.level:
        return node.module or ""
    above = name.split(".")[: None if house.is_package(name) else -1]
    above = above[: len(above) - (node.level - 1)]
    return ".".join([*above, *([node.module] if node.module else [])])


def _nearest(house: House, name: str) -> str:
    """The module that holds what an import names; empty for code that is not of the house."""
    while name and name not in house.modules:
        name = name.rpartition(".")[0]
    return name


def cycles(arrows: Iterable[Arrow]) -> list[list[str]]:
    """Groups of two or more that all reach each other (strongly connected components, after Tarjan 1972)."""
    following: dict[str, list[str]] = defaultdict(list)
    for source, target in sorted(set(arrows)):
        following[source].append(target)
    order: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    groups: list[list[str]] = []

    def visit(start: str) -> None:
        work = [(start, iter(following.get(start, ())))]
        order[start] = lowest[start] = len(order)
        stack.append(start)
        while work:
            node, rest = work[-1]
            for target in rest:
                if target not in order:
                    order[target] = lowest[target] = len(order)
                    stack.append(target)
                    work.append((target, iter(following.get(target, ()))))
                    break
                if target in stack:
                    lowest[node] = min(lowest[node], order[target])
            else:
                work.pop()
                if work:
                    lowest[work[-1][0]] = min(lowest[work[-1][0]], lowest[node])
                if lowest[node] == order[node]:
                    group = stack[stack.index(node) :]
                    del stack[stack.index(node) :]
                    if len(group) > 1:
                        groups.append(sorted(group))

    for name in list(following):
        if name not in order:
            visit(name)
    return sorted(groups)


def neighbour_arrows(house: House, package: str) -> Counter[Arrow]:
    """Imports between what lies side by side in one folder; a folder stands for all that is in it."""
    depth = len(package.split(".")) + 1
    inside = [
        (arrow, number)
        for arrow, number in house.imports.items()
        if all(n.startswith(f"{package}.") for n in arrow)
    ]
    result: Counter[Arrow] = Counter()
    for (source, target), number in inside:
        ends = (".".join(source.split(".")[:depth]), ".".join(target.split(".")[:depth]))
        if ends[0] != ends[1] and not PRESCRIBED_FOLDERS.intersection(p.rpartition(".")[2] for p in ends):
            result[ends] += number
    return result


def room(name: str) -> str:
    """The package that stands in the order of the house: a stage of ``projects``, else the top folder."""
    parts = name.split(".")
    return ".".join(parts[:2]) if parts[0] == "projects" and len(parts) > 1 else parts[0]


def room_arrows(house: House) -> Counter[Arrow]:
    """Imports between the packages of the house."""
    result: Counter[Arrow] = Counter()
    for (source, target), number in house.imports.items():
        if room(source) != room(target):
            result[room(source), room(target)] += number
    return result


def levels(root: Path) -> dict[str, int]:
    """Package → its level, from the ground: the stages as the import contract orders them, the site on top.

    Engine and approvals share the ground floor: neither may import the other.
    """
    contracts = configparser.ConfigParser()
    contracts.read(root / ".importlinter", encoding="utf-8")
    stages = [line for line in contracts["importlinter:contract:stages"]["layers"].split() if line]
    order = {"techniques": 0, "approvals": 0}
    order |= {stage: number for number, stage in enumerate(reversed(stages), start=1)}
    return order | {"deid_portal": len(stages) + 1}


def arrows_running_back(house: House, order: Mapping[str, int]) -> Counter[Arrow]:
    """Imports from a package into another of the same or a higher level, as (top folder or stage, the same) → imports.

    All of ``projects`` into ``deid_portal`` is one arrow, as the site is one room.
    """
    result: Counter[Arrow] = Counter()
    for (source, target), number in room_arrows(house).items():
        if order.get(source, 0) <= order.get(target, 0):
            both = source.startswith("projects.") and target.startswith("projects.")
            result[(source, target) if both else (source.split(".")[0], target.split(".")[0])] += number
    return result
