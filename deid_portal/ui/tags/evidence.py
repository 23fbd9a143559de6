"""Why a number is what it is: formulas with the real values, and differences between two versions."""

import difflib
import re
from collections.abc import Iterable
from typing import Any

from django.template import Library

from deid_portal.ui.tags.common import picked

register = Library()

DIFFERENCE_ELEMENTS = {"removed": "del", "added": "ins", "same": ""}
# Chinese is compared character by character, other scripts word by word.
_TOKENS = re.compile(r"[A-Za-z0-9_]+|\s+|.", re.DOTALL)


@register.inclusion_tag("components/formula.html")
def formula(
    expression: str,
    substituted: str = "",
    result: object = "",
    terms: Iterable[Any] = (),
    source: str = "",
    summary: str = "",
) -> dict[str, Any]:
    """ "Show the formula with the real values": the formula, the same with numbers, and what each sign means.

    ``terms``: (sign, meaning, value) triples or {sign, meaning, value}; ``source`` names the clause or paper.
    """
    rows = []
    for item in terms or ():
        if isinstance(item, (tuple, list)):
            sign, meaning, value = (*item, "", "")[:3]
        else:
            sign, meaning, value = picked(item, "sign meaning value").values()
        rows.append({"sign": sign, "meaning": meaning, "value": value})
    return {
        "expression": expression, "substituted": substituted, "result": result, "terms": rows,
        "source": source, "summary": summary,
    }  # fmt: skip


@register.inclusion_tag("components/diff_table.html")
def diff_table(rows: Iterable[Any], before: str = "", after: str = "", caption: str = "") -> dict[str, Any]:
    """Before and after, field by field: {label, before, after} or (label, before, after)."""
    out = []
    for item in rows:
        label, old, new = (
            item if isinstance(item, (tuple, list)) else picked(item, "label before after").values()
        )
        if old == new:
            kind = "same"
        elif old in ("", None):
            kind = "added"
        elif new in ("", None):
            kind = "removed"
        else:
            kind = "changed"
        out.append({"label": label, "before": old, "after": new, "kind": kind})
    changed = sum(row["kind"] != "same" for row in out)
    return {"rows": out, "before": before, "after": after, "caption": caption, "changed": changed}


def difference(before: str, after: str) -> list[tuple[str, str]]:
    """Runs of (kind, text) with kind same, removed or added; texts beyond 20,000 characters are not aligned."""
    if len(before) + len(after) > 20_000:
        return [("removed", before), ("added", after)]
    old, new = _TOKENS.findall(before), _TOKENS.findall(after)
    runs: list[tuple[str, str]] = []
    for kind, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            runs.append(("same", "".join(old[a:b])))
            continue
        if b > a:
            runs.append(("removed", "".join(old[a:b])))
        if d > c:
            runs.append(("added", "".join(new[c:d])))
    return runs


@register.inclusion_tag("components/text_diff.html")
def text_diff(before: object, after: object, label: str = "") -> dict[str, Any]:
    """The changes of a text inline, removals struck out and additions underlined."""
    runs = [
        (DIFFERENCE_ELEMENTS[kind], text) for kind, text in difference(str(before or ""), str(after or ""))
    ]
    return {"runs": runs, "label": label}
