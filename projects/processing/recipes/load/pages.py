"""The page of the load of a recipe: what was measured on samples, what it comes to on the whole table, and what runs took."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from approvals.governance.person import Person
from projects.core.models import Project
from projects.core.numbers import count
from projects.datasets.models import Table
from projects.datasets.tables.selectors import dataset_now
from projects.jobs.enums import JobStatus
from projects.jobs.models import Job
from projects.objective.enums import Met
from projects.objective.plan.need.wording import NEED
from projects.objective.selectors import needs_of

from ... import wording
from ...enums import RunStatus
from ...models import LoadMeasurement, RunTable
from ..selectors import current_recipe
from .services import may_measure_load, measurements_of


def overview(table: Table, user: Person) -> dict[str, Any]:
    """The context of a table's page: whether to measure now, the job under way, and what was found last."""
    found = list(measurements_of(table.project).filter(dataset__table=table)[:10])
    newest = found[0] if found else None
    job = None
    if newest is not None and newest.measured_at is None and newest.job_id:
        job = Job.objects.filter(pk=newest.job_id).select_related("project", "requested_by").first()
    measured = next((one for one in found if one.measured_at is not None), None)
    return {
        "may_measure_load": may_measure_load(user, table),
        "job": job if job and (job.is_active or job.status == JobStatus.FAILED) else None,
        "measurement": measured,
        "is_current": measured is not None
        and measured.recipe_version == current_recipe(table.project)
        and measured.dataset == dataset_now(table),
        "shown": shown(measured) if measured else None,
        "said": stated(table.project),
    }


def stated(project: Project) -> list[dict[str, str]]:
    """What the accepted need says of load, cost and means, in words; nothing where none was accepted."""
    need = needs_of(project).filter(is_accepted=True).first()
    if need is None:
        return []
    content = need.content
    return [
        {"key": str(NEED["bearable"].label), "value": str(Met(content["bearable"]).label), "hint": NEED["bearable"].clause},
        *(
            {"key": str(NEED[name].label), "value": content[name], "hint": NEED[name].clause}
            for name in ("points_why", "resources", "time")
            if content[name]
        ),
    ]  # fmt: skip


def shown(measurement: LoadMeasurement) -> dict[str, Any]:
    """One measurement as its page and its API show it."""
    samples, whole = measurement.result["samples"], measurement.result["whole"]
    is_whole = samples[-1]["rows"] == whole["rows"]
    rows = [_row(_("Sample"), one) for one in samples[:-1]]
    rows.append(_row(_("Whole table, measured") if is_whole else _("Sample"), samples[-1]))
    if not is_whole:
        rows.append(_row(_("Whole table, carried over"), whole))
    rows += [_run_row(one) for one in _runs(measurement)]
    return {"rows": rows, "warnings": warnings(measurement), "statements": statements(measurement)}


def statements(measurement: LoadMeasurement) -> list[str]:
    """What the figures mean, and what they do not say."""
    samples, whole = measurement.result["samples"], measurement.result["whole"]
    largest = samples[-1]["rows"]
    carried = _(
        "Rows were drawn at random. What every run takes is counted once; what grows from the smaller sample to the larger is carried over to %(rows)s rows in proportion; memory and space that do not grow stay, and times that do not say nothing."
    ) % {"rows": count(whole["rows"])}
    alone = _(
        "In a smaller sample the recipe has no solution, so one was measured: what it took is carried over to %(rows)s rows in proportion, "
        "what every run takes included."
    ) % {"rows": count(whole["rows"])}
    how = alone if len(samples) == 1 else carried
    return [
        _("The largest sample is the whole table.") if largest == whole["rows"] else how,
        _("The search for a generalisation and other steps that look at all rows together can grow faster than the rows, or slower: the whole table may take longer than is said here."),
        _("Measured by one worker on this server, with whatever else ran beside it. Processor time is that of all its threads together."),
        _("Memory is what the worker needed beyond what it held before; space is what a run keeps encrypted until it has ended, its result included."),
        _("Money is not counted: multiply processor time and space by what they cost you."),
        *([_("Samples of a workbook are read and written as CSV; a workbook takes longer, and its result has another size.")] if measurement.result["as_csv"] else []),
    ]  # fmt: skip


def warnings(measurement: LoadMeasurement) -> list[str]:
    """Where the whole table needs more than the machine has; none where it is enough or not known."""
    whole, machine = measurement.result["whole"], measurement.result["machine"]
    found = []
    if whole["memory"] and machine["memory"] and whole["memory"] > machine["memory"]:
        text = _("A run on the whole table would need about %(needed)s of memory; this server has %(there)s.")
        found.append(
            text % {"needed": filesizeformat(whole["memory"]), "there": filesizeformat(machine["memory"])}
        )
    if whole["space"] > machine["free"]:
        text = _(
            "A run on the whole table would need about %(needed)s of space; %(there)s were free when this was measured."
        )
        found.append(
            text % {"needed": filesizeformat(whole["space"]), "there": filesizeformat(machine["free"])}
        )
    return found


def _runs(measurement: LoadMeasurement) -> list[RunTable]:
    """The runs of the same version on the same data, newest first: of this table alone, so that their time is its."""
    found = RunTable.objects.filter(
        dataset=measurement.dataset,
        run__recipe_version=measurement.recipe_version,
        run__status=RunStatus.SUCCEEDED,
        run__cluster="",
    )
    if len(measurement.recipe_version.tables) != 1:
        return []
    return list(found.select_related("run", "result", "dataset").order_by("-run__number")[:3])


def _run_row(written: RunTable) -> dict[str, Any]:
    run = written.run
    assert run.finished_at is not None  # it has succeeded
    return {
        "name": _("Run %(number)s, as it was") % {"number": run.number},
        "rows": count(written.dataset.rows or 0),
        "seconds": wording.duration((run.finished_at - run.started_at).total_seconds()),
        "processor": "",
        "memory": "",
        "space": "",
        "result": filesizeformat(written.result.size) if written.result else "",
    }


def _row(name: str, load: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "name": name,
        "rows": count(load["rows"]),
        "seconds": _seconds(load["seconds"]),
        "processor": _seconds(load["processor"]),
        "memory": filesizeformat(load["memory"]) if load["memory"] is not None else _("not known"),
        "space": filesizeformat(load["space"]),
        "result": filesizeformat(load["result"]),
    }


def _seconds(value: float | None) -> str:
    """Short ones with a decimal, for a sample takes no time to speak of."""
    if value is None:
        return _("too short to be carried over")
    if value < 10:
        return ngettext("%(n)s second", "%(n)s seconds", 2) % {"n": f"{value:.1f}"}
    return wording.duration(value)
