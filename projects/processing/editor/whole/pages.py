"""What the editor shows of the newest preview of the whole result."""

from __future__ import annotations

import json
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from approvals.governance.person import Person
from projects.core.models import Project
from projects.core.numbers import count, percent
from projects.datasets.models import Table
from projects.datasets.store.store import store_open
from projects.datasets.tables.selectors import dataset_now
from projects.jobs.models import Job
from projects.objective.selectors import risk_targets

from ...models import WholePreview
from ..preview import COMMON
from .services import may_preview, previews_of


def overview(table: Table, user: Person, *, own: str) -> dict[str, Any]:
    """``whole``: the newest preview of the table as the data are now, the job under way, and what was found.

    ``own``: that which was made of the entries as they are. Another person, or a program, may have had a newer one made of
    something else.
    """
    dataset = dataset_now(table)
    newest = None if dataset is None else previews_of(table.project).filter(dataset=dataset).first()
    job = None
    if newest is not None and newest.measured_at is None and newest.job_id:
        job = Job.objects.filter(pk=newest.job_id).select_related("project", "requested_by").first()
    found = newest is not None and newest.measured_at is not None
    return {
        "whole": {
            "preview": newest,
            "job": job,
            "is_active": bool(job and job.is_active),
            "is_current": newest is not None and str(newest.pk) == own,
            "may_preview": may_preview(user, table),
            "shown": shown(newest, table.project) if found and newest else None,
        }
    }


def shown(preview: WholePreview, project: Project) -> dict[str, Any]:
    """The figures in words, and a line a column with what is shown of it."""
    found = preview.result
    rows = rows_of(preview)
    places = {name: place for place, name in enumerate(rows.get("columns", ()))}
    columns = list(preview.dataset.columns)
    return {
        "figures": figures(found, project),
        "common": count(COMMON),
        "rows": [one["kept"] for one in rows.get("rows", ())],
        "columns": [
            {
                "name": name,
                "gone": name in found["removed_columns"],
                "stars": percent(found["stars"].get(name, 0.0)),
                "has_stars": found["stars"].get(name, 0.0) > 0,
                "kept": percent(found["detail"][name]) if name in found["detail"] else "",
                "cells": [one["cells"][places[name]] + [one["kept"]] for one in rows["rows"]]
                if name in places
                else [],
            }
            for name in columns
        ],
    }


def rows_of(preview: WholePreview) -> dict[str, Any]:
    """The rows that are shown, masked when they were chosen; nothing where a later preview took their place."""
    if preview.rows is None or preview.rows.destroyed_at is not None:
        return {}
    with store_open(preview.rows) as stream:
        found: dict[str, Any] = json.loads(stream.read())
    return found


def figures(found: dict[str, Any], project: Project) -> list[tuple[str, str, str]]:
    """(what, figure, tone) of the whole result."""
    return [
        (_("Smallest class"), *_class_text(found, risk_targets(project).k)),
        (_("Information lost"), _loss_text(found), "neutral"),
        (_("Not in the result"), _gone_text(found), "neutral"),
        (_("What became *"), *_stars_text(found)),
    ]


def _class_text(found: dict[str, Any], target: int) -> tuple[str, str]:
    if not found["are_records"]:
        return _("not counted: the rows of the result are groups or made up"), "neutral"
    if not found["quasi"]:
        return _("none: no quasi-identifier is left"), "neutral"
    if found["smallest"] is None:
        return _("none: no row is left"), "warn"
    of = (
        ngettext("k = %(k)s person", "k = %(k)s persons", found["smallest"])
        if found["persons_in"] is not None
        else ngettext("k = %(k)s record", "k = %(k)s records", found["smallest"])
    ) % {"k": count(found["smallest"])}
    said = _("%(of)s; target %(target)s; %(before)s in the source") % {
        "of": of,
        "target": count(target),
        "before": count(found["smallest_before"]) if found["smallest_before"] else "–",
    }
    return said, "ok" if found["smallest"] >= target else "warn"


def _loss_text(found: dict[str, Any]) -> str:
    detail = found["detail"]
    if not detail:
        return "–"
    return _("%(share)s of the detail, mean of %(columns)s columns") % {
        "share": percent(1 - sum(detail.values()) / len(detail)),
        "columns": count(len(detail)),
    }


def _gone_text(found: dict[str, Any]) -> str:
    if not found["are_records"]:
        return _("%(rows)s rows became %(out)s") % {
            "rows": count(found["rows_in"]),
            "out": count(found["rows_out"]),
        }
    if found["persons_in"] is not None:
        gone, all_ = found["persons_in"] - found["persons_out"], found["persons_in"]
        said = _("%(gone)s of %(all)s persons (%(share)s)")
    else:
        gone, all_ = found["rows_in"] - found["rows_out"], found["rows_in"]
        said = _("%(gone)s of %(all)s records (%(share)s)")
    return said % {
        "gone": count(gone),
        "all": count(all_),
        "share": percent(gone / all_ if all_ else 0.0),
    }


def _stars_text(found: dict[str, Any]) -> tuple[str, str]:
    wholly = [name for name, share in found["stars"].items() if share == 1.0]
    partly = [name for name, share in found["stars"].items() if 0 < share < 1]
    texts = []
    if wholly:
        texts.append(_("wholly: %(columns)s") % {"columns": _(", ").join(wholly)})
    if partly:
        texts.append(_("in part: %(columns)s") % {"columns": _(", ").join(partly)})
    if found["starred_persons"] is not None:
        hidden = ngettext(
            "all quasi-identifiers of %(n)s person",
            "all quasi-identifiers of %(n)s persons",
            found["starred_persons"],
        )
        texts.append(hidden % {"n": count(found["starred_persons"])})
    elif found["starred"]:
        hidden = ngettext(
            "all quasi-identifiers of %(n)s record",
            "all quasi-identifiers of %(n)s records",
            found["starred"],
        )
        texts.append(hidden % {"n": count(found["starred"])})
    return _("; ").join(texts) or _("no cell"), "warn" if wholly else "neutral"
