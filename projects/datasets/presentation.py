"""What the data page shows of a data set, as labels and values."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _

from projects.core.numbers import count, moment
from techniques.core.messages import EngineError

from .forms import DELIMITERS, ENCODINGS
from .models import Dataset
from .samples import Sample, preview_of

KINDS = {"csv": "CSV", "xlsx": "XLSX", "parquet": "Parquet"}


def upload_limit() -> dict[str, Any]:
    limit = settings.DEID_UPLOAD_LIMIT
    return {"bytes": limit, "text": filesizeformat(limit)}


def format_text(values: dict[str, Any]) -> str:
    """One line such as "CSV · GB18030 · Comma (,) · with column names"."""
    if not values:
        return ""
    parts = [KINDS.get(values.get("kind", ""), "")]
    if values.get("kind") == "csv":
        parts.append(dict(ENCODINGS).get(values.get("encoding", ""), ""))
        parts.append(str(dict(DELIMITERS).get(values.get("delimiter", ""), "")))
    if values.get("kind") == "xlsx" and values.get("sheet"):
        parts.append(_("sheet “%(name)s”") % {"name": values["sheet"]})
    if values.get("kind") != "parquet":
        parts.append(_("with column names") if values.get("header") else _("without column names"))
    return " · ".join(part for part in parts if part)


def facts(dataset: Dataset) -> list[tuple[str, Any]]:
    rows: list[tuple[str, Any]] = [
        (_("File"), dataset.name),
        (_("State"), dataset.get_status_display()),
        (_("Size"), filesizeformat(dataset.size)),
        (_("Uploaded by"), str(dataset.uploaded_by)),
        (_("Uploaded at"), moment(dataset.uploaded_at)),
    ]
    if dataset.format:
        rows.append((_("Format"), format_text(dataset.format)))
    if dataset.is_ready:
        rows += [(_("Rows"), count(dataset.rows or 0)), (_("Columns"), len(dataset.columns))]
    return rows


def evidence(dataset: Dataset) -> list[str]:
    """Why the detection thinks so, in the reader's language."""
    texts = []
    for part in dataset.format.get("evidence", ()):
        text = _(part["message"])
        said = {
            key: count(one) if isinstance(one, int) else one for key, one in part.get("params", {}).items()
        }
        texts.append(text % said if said else text)
    return texts


def preview(dataset: Dataset) -> Sample | None:
    """Masked rows; None where there are none or the stored sample cannot be opened."""
    try:
        return preview_of(dataset)
    except EngineError:
        return None


def column_rows(dataset: Dataset) -> list[dict[str, Any]]:
    """Per column what the check counted: name, distinct, missing, longest. No values."""
    return [
        {
            "name": column["name"],
            "distinct": column.get("distinct"),
            "distinct_capped": column.get("distinct_capped", False),
            "missing": column.get("missing"),
            "longest": column.get("max_length"),
        }
        for column in dataset.profile.get("columns", ())
    ]
