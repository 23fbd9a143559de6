"""Data and evidence on a page: tables, key/value lists, hashes, masked values, files, formulas, differences."""

from collections.abc import Iterable
from typing import Any

from django.template import Library
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from deid_portal.ui.tags.common import address, fresh_id, pair, picked
from projects.core.numbers import count

register = Library()


@register.filter
def counted(value: float | str | None) -> str:
    """``{{ rows|counted }}``: a count as everywhere; what is in words already stays."""
    return count(value) if isinstance(value, int | float) else str(value or "")


@register.simple_block_tag(end_name="enddata_table")
def data_table(
    content: str,
    caption: str,
    filter: bool = False,
    stack: bool = False,
    dense: bool = False,
    hide_caption: bool = False,
    id: str = "",
    compact: bool = False,
) -> SafeString:
    """``{% data_table caption=… %}<thead>…<tbody>…{% enddata_table %}``: a table that scrolls inside its frame.

    ``filter`` adds a box that narrows the rows as one types; ``stack`` turns rows into cards on a phone (give
    each cell ``data-label``), ``compact`` into two lines: the first two cells beside each other, the last one, and those
    of class ``below``, under them; cells of class ``wide-only`` are left out there: another one, or the page that the row leads to, has what they say. ``dense`` is for previews of data. Number cells take ``class="num"``.
    """
    context = {
        "content": content, "caption": caption, "filter": filter, "stack": stack, "dense": dense,
        "hide_caption": hide_caption, "table_id": id or fresh_id("table"), "compact": compact,
    }  # fmt: skip
    return SafeString(render_to_string("components/data_table.html", context))


@register.simple_tag
def simple_table(
    columns: Iterable[Any],
    rows: Iterable[Iterable[Any]],
    caption: str,
    total: Iterable[Any] | None = None,
    filter: bool = False,
    dense: bool = False,
    stack: bool = True,
    hide_caption: bool = False,
) -> SafeString:
    """A whole table from data. ``columns``: texts or {label, num}; ``rows``: lists of cells; ``total``: last row.

    Cells are escaped; to put a component into a cell pass its rendered (safe) string.
    """
    heads = [c if isinstance(c, dict) else {"label": c, "num": False} for c in columns]

    def cells(row: Iterable[Any]) -> list[dict[str, Any]]:
        return [
            {"value": v, "label": h["label"], "num": h.get("num")} for v, h in zip(row, heads, strict=True)
        ]

    body = render_to_string(
        "components/simple_table_rows.html",
        {"heads": heads, "rows": [cells(r) for r in rows], "total": cells(total) if total else []},
    )
    return SafeString(
        data_table(body, caption, filter=filter, stack=stack, dense=dense, hide_caption=hide_caption)
    )


@register.inclusion_tag("components/summary_list.html")
def summary_list(items: Iterable[Any], columns: int = 1) -> dict[str, Any]:
    """Keys and values: (key, value) pairs or {key, value, hint, url, action}."""
    rows = []
    for item in items:
        key, value = pair(item, "key", "value")
        rows.append({"key": key, "value": value} | picked(item, "hint url action"))
    return {"items": rows, "columns": columns}


@register.inclusion_tag("components/content_hash.html")
def content_hash(value: object, label: str = "", algorithm: str = "SHA-256") -> dict[str, Any]:
    """A content hash: its first characters, the whole of it in details, and a button that copies it."""
    text = str(value or "")
    return {
        "value": text, "short": text[:12], "label": label, "algorithm": algorithm,
        "target": fresh_id("hash"), "panel": fresh_id("whole"),
    }  # fmt: skip


@register.inclusion_tag("components/masked_value.html")
def masked_value(value: object, reveal_url: str = "", label: str = "") -> dict[str, Any]:
    """A value that the server has masked already; ``reveal_url`` leads to the page that asks for a reason."""
    return {"value": value, "reveal_url": reveal_url, "label": label}


@register.inclusion_tag("components/file_chip.html")
def file_chip(
    name: object, url: str = "", *arguments: Any, size: object = "", kind: str = "", note: str = ""
) -> dict[str, Any]:
    """A file: its name, size (bytes as a number, or text) and kind; a link when it has an address.

    ``{% file_chip name "documents:open" document.pk size=document.size kind="PDF" %}``: see ``address``.
    """
    is_bytes, url = isinstance(size, int), address(url, arguments)
    return {"name": name, "url": url, "size": size, "is_bytes": is_bytes, "kind": kind, "note": note}


@register.inclusion_tag("components/code_block.html")
def code_block(text: object, label: str = "", copy: bool = True) -> dict[str, Any]:
    """Preformatted text with a copy button."""
    return {"text": text, "label": label, "copy": copy, "target": fresh_id("code")}
