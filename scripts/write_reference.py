"""Write the pages of docs/ that the code gives: ``python scripts/write_reference.py [--check]``.

Audit events, states and other closed vocabularies, commands and verbs, the addresses of the API, the front door in Python,
what serves each clause of the standards, and the users' terms in the glossary. In a page that has other text too only what stands between the two marks is written. With ``--check``
nothing is written, and the exit code is 1 when a page is not what the code gives.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import is_dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deid_portal.settings_test")

import django  # noqa: E402

django.setup()

from clause_coverage import coverage  # noqa: E402
from django.core.management import get_commands, load_command_class  # noqa: E402
from django.db.models import Choices  # noqa: E402
from django.utils import translation  # noqa: E402
from drf_spectacular.generators import SchemaGenerator  # noqa: E402
from house_imports import PRODUCT, read_house  # noqa: E402

import techniques  # noqa: E402
from approvals.audit.registry import SENTENCES  # noqa: E402
from projects.core.help.glossary import TERMS  # noqa: E402
from projects.verification.gate.checks import CHECKS  # noqa: E402
from techniques.cli.main import command_parser  # noqa: E402
from techniques.data_utility.loss import ColumnLoss, InformationLoss  # noqa: E402
from techniques.data_utility.measure import ColumnComparison  # noqa: E402
from techniques.data_utility.whole import WholeTable  # noqa: E402
from techniques.disclosure_risk.report import DropOne, Figures, RiskReport  # noqa: E402
from techniques.identification.verdict import Suggestion  # noqa: E402

BEGIN, END = "<!-- what the code gives: make reference -->", "<!-- until here -->"


def table(heads: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A Markdown table; a bar within a cell is escaped, an end of line becomes a space."""
    heads = list(heads)
    lines = [heads, ["---"] * len(heads), *rows]
    cells = ([re.sub(r"\s+", " ", str(cell)).strip().replace("|", "\\|") for cell in line] for line in lines)
    return "".join(f"| {' | '.join(line)} |\n" for line in cells)


def first_paragraph(text: str | None) -> str:
    """The first paragraph of a docstring or description, as Markdown writes code."""
    return inspect.cleandoc(text or "").partition("\n\n")[0].replace("``", "`")


def capitalised(text: str) -> str:
    """The text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def events() -> str:
    """Every audit event with its sentence, by the package that registers it."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for action, sentence in sorted(SENTENCES.items()):
        groups.setdefault(action.partition(".")[0], []).append((f"`{action}`", str(sentence)))
    return "\n".join(f"## {group}\n\n{table(['Event', 'Sentence'], rows)}" for group, rows in groups.items())


def vocabularies() -> list[type[Choices]]:
    """Every closed vocabulary with labels that the product defines."""
    house = read_house(ROOT)
    for name, path in house.modules.items():
        if path.exists() and re.search(r"(Choices|Reason)\):", path.read_text(encoding="utf-8")):
            importlib.import_module(name)

    def below(parent: type) -> Iterator[type[Choices]]:
        for child in parent.__subclasses__():
            yield from below(child)
            if child.__module__.partition(".")[0] in PRODUCT:
                yield child

    return sorted(
        (one for one in set(below(Choices)) if len(one)), key=lambda one: (one.__name__, one.__module__)
    )


def states() -> str:
    """Every value of every vocabulary, with what a reader sees in English and Chinese."""
    parts = []
    for vocabulary in vocabularies():
        with translation.override("en"):
            english = [str(label) for label in vocabulary.labels]
        with translation.override("zh-hans"):
            chinese = [str(label) for label in vocabulary.labels]
        parts.append(
            f"## {vocabulary.__name__}\n\n`{'.'.join(vocabulary.__module__.split('.')[:2])}`: "
            f"{first_paragraph(vocabulary.__doc__)}\n\n"
            + table(
                ["Value", "English", "Chinese"],
                zip((f"`{value}`" for value in vocabulary.values), english, chinese, strict=True),
            )
        )
    return "\n".join([*parts, checks()])


def checks() -> str:
    """Every check of the gate: what is stored of it, its clause, and what a reader sees in English and Chinese."""
    rows = []
    for check in CHECKS:
        with translation.override("en"):
            english = str(check.label)
        with translation.override("zh-hans"):
            rows.append((f"`{check.kind}`", check.clause, english, str(check.label)))
    about = "The checks of the gate, in the order of measurement, with their clauses of GB/T 37964."
    return f"## Checks\n\n`projects.verification`: {about}\n\n{table(['Value', 'Clause', 'English', 'Chinese'], rows)}"


def engine_commands() -> str:
    """``deid`` and its commands, each with its arguments."""
    (commands,) = (
        action for action in command_parser()._actions if isinstance(action, argparse._SubParsersAction)
    )
    parts = []
    for choice in commands._choices_actions:
        parser = commands.choices[choice.dest]
        rows = [
            (
                f"`{', '.join(action.option_strings) or action.metavar or action.dest}`",
                (action.help or "one of " + ", ".join(map(str, action.choices or ())))
                % {"default": action.default, "prog": "deid"},
            )
            for action in parser._actions
            if not isinstance(action, argparse._HelpAction)
        ]
        parts.append(
            f"### deid {choice.dest}\n\n{capitalised(choice.help or '')}.\n\n{table(['Argument', 'Meaning'], rows)}"
        )
    return "\n".join(parts)


def portal_commands() -> str:
    """The commands of ``manage.py`` that are the product's own."""
    own = {name: app for name, app in get_commands().items() if str(app).partition(".")[0] in PRODUCT}
    rows = [(f"`manage.py {name}`", load_command_class(app, name).help) for name, app in sorted(own.items())]
    return table(["Command", "Does"], rows)


def verbs() -> str:
    """The verbs of the Makefile."""
    lines = re.findall(
        r"^([a-z-]+):[^#\n]*## (.*)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE
    )
    return table(["Verb", "Does"], ((f"`make {verb}`", text) for verb, text in lines))


def commands() -> str:
    """Everything that is typed."""
    return "\n".join(
        (
            f"## make\n\n{verbs()}",
            f"## manage.py\n\nAnd Django's own commands. `.venv/bin/python manage.py COMMAND`.\n\n{portal_commands()}",
            f"## deid\n\nThe engine without the portal. `.venv/bin/deid COMMAND --help`.\n\n{engine_commands()}",
        )
    )


def addresses() -> str:
    """Every address of the API, by its first part, with what the OpenAPI description says of it."""
    groups: dict[str, list[tuple[str, str, str]]] = {}
    for path, operations in SchemaGenerator().get_schema(public=True)["paths"].items():
        parts = path.strip("/").split("/")[1:]
        in_project = parts[:2] == ["projects", "{project_id}"] and len(parts) > 2
        group = f"In a project: {parts[2]}" if in_project else capitalised(parts[0])
        said: dict[str, list[str]] = {}
        for method, operation in operations.items():
            said.setdefault(first_paragraph(operation.get("description")), []).append(method.upper())
        for text, methods in said.items():
            groups.setdefault(group, []).append((" ".join(methods), f"`{path}`", text))
    return "\n".join(
        f"### {group}\n\n{table(['Method', 'Address', ''], rows)}" for group, rows in groups.items()
    )


def _prose(text: str | None) -> str:
    """A docstring as Markdown: code in single ticks, a paragraph in one line, roles of names left out."""
    plain = re.sub(r":\w+:`~?(.+?)`", r"`\1`", inspect.cleandoc(text or "")).replace("``", "`")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in plain.split("\n\n")) + "\n"


def _annotation(given: object) -> str:
    return given if isinstance(given, str) else getattr(given, "__name__", str(given))


def _call(name: str, function: Callable[..., object]) -> str:
    """A function as it is called, one argument a line."""
    lines, by_name = [], False
    signature = inspect.signature(function)
    for one in signature.parameters.values():
        if one.kind is one.KEYWORD_ONLY and not by_name:
            by_name = True
            lines.append("*")
        stars = "**" if one.kind is one.VAR_KEYWORD else ""
        default = "" if one.default is one.empty else f" = {one.default!r}"
        lines.append(f"{stars}{one.name}: {_annotation(one.annotation)}{default}")
    arguments = "".join(f"    {line},\n" for line in lines)
    return f"```\n{name}(\n{arguments}) -> {_annotation(signature.return_annotation)}\n```\n"


def _fields(kind: type) -> str:
    """The fields of a class of results, with their types."""
    typed = inspect.get_annotations(kind)
    return table(["Field", "Type"], ((f"`{field}`", f"`{_annotation(one)}`") for field, one in typed.items()))


def front_door() -> str:
    """Everything that the package of the engine offers, and what its functions return."""
    parts = [_prose(techniques.__doc__)]
    offered = {name: getattr(techniques, name) for name in techniques.__all__}
    for name, one in sorted(offered.items(), key=lambda pair: inspect.isclass(pair[1])):
        parts.append(
            f"## {name}\n\n{'' if inspect.isclass(one) else _call(name, one) + chr(10)}{_prose(one.__doc__)}"
        )
        if is_dataclass(one):
            parts.append(_fields(one))
    parts.append("## What is returned in them\n")
    for kind in (
        Suggestion,
        RiskReport,
        Figures,
        DropOne,
        ColumnComparison,
        WholeTable,
        InformationLoss,
        ColumnLoss,
    ):
        parts.append(f"### {kind.__name__}\n\n{_prose(kind.__doc__)}\n{_fields(kind)}")
    return "\n".join(parts)


def terms() -> str:
    """The terms that the portal explains to its users."""
    with translation.override("en"):
        return table(
            ["Term", "Chinese", "Meaning", "Clause"],
            ((term.en, term.zh, str(term.text), term.clause or "–") for term in TERMS),
        )


PAGES: dict[str, Callable[[], str]] = {
    "docs/reference/events.md": events,
    "docs/reference/states.md": states,
    "docs/reference/commands.md": commands,
    "docs/reference/api.md": addresses,
    "docs/reference/python.md": front_door,
    "docs/reference/coverage.md": coverage,
    "docs/glossary.md": terms,
}


def written(page: Path, given: str) -> str:
    """The page with what the code gives between its marks."""
    before, _, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    _, mark, after = rest.partition(END)
    if not mark:
        raise SystemExit(f"{page.name} has no marks between which the code's part could stand")
    return f"{before}{BEGIN}\n\n{given}\n{END}{after}"


def main() -> int:
    """Write the pages, or compare them."""
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("--check", action="store_true", help="only compare")
    check = parser.parse_args().check
    stale = []
    translation.activate("en")
    for name, give in PAGES.items():
        page = ROOT / name
        text = written(page, give())
        if page.read_text(encoding="utf-8") != text:
            stale.append(name)
            if not check:
                page.write_text(text, encoding="utf-8")
    if check and stale:
        sys.stderr.write(f"not what the code gives: {', '.join(stale)}. Write them by: make reference\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
