"""The page of the catalogue in the documentation, made from the catalogue: ``python -m techniques.cli.catalogue_page``."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from techniques import catalogue
from techniques.catalogue.family import FAMILIES, Family
from techniques.catalogue.technique import MISSING_TEXTS, Scope, Technique
from techniques.core.fields import ParameterField

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "techniques.md"
_HEAD = """# Techniques

Made from the catalogue by `make techniques-page`; do not edit. Every technique is used in a recipe
([recipes](recipes.md)), in the portal's editor and by `deid run`.

What a technique keeps is said of the values that stay: *yes* for every input, *partly* as the note says. Clauses
are those of GB/T 37964-2019 where no other standard is named, "Table C.1" its row there; a value in brackets is not readable in print and follows
ISO/IEC 20889. *Spark*: whether it runs on a cluster ([how](../how-to/cluster.md)); a model does not where its recoding is `top_down`.
"""


def page() -> str:
    lines = [_HEAD.strip(), "", *_overview()]
    for family in Family:
        specs = [spec for spec in catalogue.techniques() if spec.family is family]
        if specs:
            lines += ["", f"## {FAMILIES[family].name}"]
        for spec in specs:
            lines += ["", *_technique(spec)]
    return "\n".join(lines) + "\n"


def _overview() -> Iterator[str]:
    yield "| Technique | Order | Format | Type | Distinctness | Statistics | Reversible | Key | Draws | Spark |"
    yield "|---|---|---|---|---|---|---|---|---|---|"
    for spec in catalogue.techniques():
        if spec.claims is not None:
            facts = (spec.needs_key, spec.random, not spec.whole_table)
            traits = ("yes" if trait else "no" for trait in facts)
            yield _row(f"`{spec.key}`", *asdict(spec.claims).values(), *traits)


def _technique(spec: Technique) -> Iterator[str]:
    yield f"### {spec.name}"
    yield f"`{spec.key}`. {spec.summary}"
    if spec.claims is not None:
        yield ""
        yield f"- Keeps: {spec.keeps}"
        yield f"- When not: {spec.not_for}"
    if spec.scope is not Scope.STRUCTURE:
        yield f"- Missing: {MISSING_TEXTS[spec.missing]}"
    row = spec.properties
    if row is not None:
        words = {
            "truth of records": "kept" if row.truthful else "lost",
            "singling out": row.singling_out.value,
            "linking": row.linking.value,
            "inference": row.inference.value,
            "cost": row.cost.value.replace("_", " "),
        }
        uncertain = {"truthful": "truth of records"} | {
            name: name.replace("_", " ") for name in row.uncertain
        }
        doubtful = {uncertain[name] for name in row.uncertain}
        shown = [f"{k} {f'[{v}]' if k in doubtful else v}" for k, v in words.items()]
        yield f"- Table C.1, {row.row}: {', '.join(shown)}"
    yield f"- Clauses: {', '.join(spec.clauses)}"
    fields = catalogue.parameter_fields(spec.key)
    if fields:
        yield ""
        yield "| Setting | Values | Default | Meaning |"
        yield "|---|---|---|---|"
    for field in fields:
        yield _row(f"`{field.name}`", _values(field), _default(field), f"{field.title}. {field.help}".strip())


def _values(field: ParameterField) -> str:
    choices = field.choices or field.item_choices
    if choices:
        return ", ".join(f"`{choice.value}`" for choice in choices)
    bounds = []
    if field.minimum is not None:
        bounds.append(f"{'over' if field.exclusive_minimum else 'from'} {field.minimum:.12g}")
    if field.maximum is not None:
        bounds.append(f"to {field.maximum:.12g}")
    return " ".join([field.kind, *bounds])


def _default(field: ParameterField) -> str:
    if field.required:
        return "required"
    if field.default in (None, "", [], {}):
        return "–"
    return f"`{str(field.default).lower() if isinstance(field.default, bool) else field.default}`"


def _row(*cells: str) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def main(arguments: Sequence[str]) -> int:
    """Write the page, or with ``--check`` say whether it is up to date."""
    made = page()
    if "--check" in arguments:
        if PAGE.read_text(encoding="utf-8") == made:
            return 0
        sys.stderr.write("docs/reference/techniques.md is out of date: make techniques-page\n")
        return 1
    PAGE.write_text(made, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
