"""The page of protection levels: how many ask for which, what becomes of the values, and what α and l allow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from approvals.governance.person import Person
from projects.core.numbers import count, percent
from projects.datasets.models import Dataset, Table
from projects.datasets.selectors import dataset_columns
from projects.datasets.tables.selectors import dataset_now
from projects.identification.enums import ColumnRole
from projects.identification.selectors import columns_with_role
from projects.jobs.enums import JobStatus
from projects.jobs.models import Job
from techniques.catalogue import bases
from techniques.values.levels import MOST_LEVEL

from ... import rules
from ...models import LevelCount
from ..selectors import current_recipe
from .forms import AnswersForm, ColumnsForm, ValuesForm, entries_of, height
from .joining import answers_of, may_join
from .services import counts_of, may_count

STEP = "generalization.personal_levels"
Entries = Mapping[str, tuple[int, list[str]]]


def overview(table: Table, user: Person) -> dict[str, Any]:
    """The context of a table's page without its forms' entries."""
    found = list(counts_of(table.project).filter(dataset__table=table)[:10])
    newest = found[0] if found else None
    job = None
    if newest is not None and newest.measured_at is None and newest.job_id:
        job = Job.objects.filter(pk=newest.job_id).select_related("project", "requested_by").first()
    counted = next((one for one in found if one.measured_at is not None), None)
    dataset = dataset_now(table)
    return {
        "may_count": may_count(user, table),
        "may_edit": rules.may_edit_recipe(user, table.project),
        "job": job if job and (job.is_active or job.status == JobStatus.FAILED) else None,
        "counted": counted,
        "is_current": counted is not None and counted.dataset == dataset,
        "shown": shown(counted) if counted else None,
        "columns_form": columns_form(table, dataset, counted),
    } | _answers(table, user, dataset)


def _answers(table: Table, user: Person, dataset: Dataset | None) -> dict[str, Any]:
    """Answers of the form: whether they may be sent now, and what became of the last ones."""
    last = answers_of(table.project).filter(dataset__table=table).first()
    job = None
    if last is not None and last.measured_at is None and last.job_id:
        job = Job.objects.filter(pk=last.job_id).select_related("project", "requested_by").first()
    may = may_join(user, table)
    form = AnswersForm(columns=dataset_columns(dataset)) if may and dataset is not None else None
    return {
        "may_join": may,
        "answers_form": form,
        "answers_job": job if job and (job.is_active or job.status == JobStatus.FAILED) else None,
        "joined": last if last is not None and last.measured_at is not None else None,
        "joined_rows": joined_rows(last.result) if last is not None and last.measured_at is not None else [],
    }


def joined_rows(found: Mapping[str, int]) -> list[tuple[str, str]]:
    """What became of the answers, and of the persons who gave none, as (what, how many)."""
    words = (
        ("answered", _("Persons of the table who answered")),
        (
            "missing",
            _(
                "Persons who have the same value in every quasi-identifier; a class of k hides each of them among k."
            ),
        ),
        ("without_key", _("Records whose key is empty, so that they belong to nobody")),
        ("strangers", _("Answers of persons who are not in the table: left out")),
        ("repeated", _("Further answers of the same person: the highest level counts")),
        (
            "unreadable",
            _("Answers without a key, or whose level is not a whole number from 1 upwards: left out"),
        ),
    )
    return [(word, count(found[name])) for name, word in words]


def columns_form(
    table: Table, dataset: Dataset | None, counted: LevelCount | None, data: Any = None
) -> ColumnsForm:
    """The form that says which columns are counted, as they were counted last."""
    sensitive = columns_with_role(table, ColumnRole.SENSITIVE)
    columns = [one for one in (dataset_columns(dataset) if dataset else ()) if one not in sensitive[:1]]
    before = {"column": counted.column, "level_column": counted.level_column} if counted else None
    return ColumnsForm(data, sensitive=sensitive, columns=columns, initial=before)


def values_form(counted: LevelCount, data: Any = None) -> ValuesForm:
    """The form of the values that were counted, as the recipe has them already."""
    values = [one["value"] for one in counted.result["values"]]
    recipe = current_recipe(counted.project)
    part = recipe.part_of(counted.dataset.table) if recipe else None
    steps = [
        step
        for step in (part["steps"] if part else ())
        if step["technique"] == STEP and counted.column in step["columns"]
    ]
    return ValuesForm(data, values=values, known=entries_of(steps[0]) if steps else None)


def shown(counted: LevelCount) -> dict[str, Any]:
    """The distribution of the levels as the page says and draws it; what few ask for is told together."""
    found = counted.result
    levels = {int(level): number for level, number in found["levels"].items()}
    units, pooled = found["units"], found.get("pooled", 0)
    if not pooled:
        levels.setdefault(0, 0)
    return {
        "basis": _(bases.PERSONAL_LEVELS),
        "limits": _(bases.LEVELS_LIMITS),
        "of_persons": found["of_persons"],
        "asked": count(units - levels[0]) if 0 in levels else "",
        "none": count(levels[0]) if 0 in levels else "",
        "units": count(units),
        "pooled": count(pooled) if pooled else "",
        "bars": [(_("none") if level == 0 else str(level), levels[level]) for level in sorted(levels)]
        + ([(_("others"), pooled)] if pooled else []),
        "unreadable": found["unreadable"],
        "most": MOST_LEVEL,
        "unnamed": found["unnamed"],
        "others": count(sum(found["others"].values()) + found.get("others_pooled", 0)),
    }


def effect(counted: LevelCount, entries: Entries) -> dict[str, Any]:
    """What the step would do with the entries: records that become coarser, by level and by value, and what α and l allow."""
    top = height(entries)
    values: list[dict[str, Any]] = []
    changed: Counter[int] = Counter()
    of_level: Counter[int] = Counter()
    total, pooled = counted.result["records"], 0
    for one in counted.result["values"]:
        own, above = entries.get(one["value"], (1, []))
        records = {int(level): number for level, number in one["records"].items()}
        all_of_it = sum(records.values()) + one.get("pooled", 0)
        pooled += one.get("pooled", 0)
        coarser = {level: number for level, number in records.items() if level > own}
        changed.update(coarser)
        of_level[min(own, top)] += all_of_it
        values.append({
            "value": one["value"], "level": own, "branch": [one["value"], *above, *["*"] * (top - 1 - len(above))],
            "records": count(all_of_it), "changed": count(sum(coarser.values())),
        })  # fmt: skip
    requested = sorted({int(level) for one in counted.result["values"] for level in one["records"]} - {0})
    greatest = max(of_level, key=lambda level: (of_level[level], -level), default=0)
    return {
        "height": top,
        "values": values,
        "changed": count(sum(changed.values())),
        "pooled": count(pooled) if pooled else "",
        "bars": [(str(level), changed[level]) for level in requested],
        "too_high": count(sum(number for level, number in _records(counted).items() if level > top)),
        "shares": [
            (_("Level %(level)s") % {"level": level}, of_level[level] / total) for level in sorted(of_level)
        ] if total else [],
        # α of classes is counted by persons where there is a key of them; of records says nothing then.
        "alpha": percent(of_level[greatest] / total) if of_level and not counted.result["of_persons"] else "",
        "alpha_level": greatest,
        "distinct": count(len(values) + counted.result["unnamed"]),
        "out_of_tree": [one["value"] for one in values if one["level"] > top],
    }  # fmt: skip


def meanings(top: int) -> list[tuple[int, str]]:
    """What each level means to who asks for it."""
    found = [
        (0, _("Requests nothing: the value stays as it is.")),
        (1, _("The least: the value stays as it is.")),
    ]
    for level in range(2, top):
        text = _(
            "Where the value is less sensitive than level %(level)s, it is replaced by what is %(steps)s above it."
        )
        found.append((level, text % {"level": level, "steps": level - 1}))
    text = _("Where the value is less sensitive than level %(level)s, it is not given at all (*).")
    return [*found, (top, text % {"level": top})]


def _records(counted: LevelCount) -> Counter[int]:
    """Records of the values that are listed, by the level that they ask for."""
    found: Counter[int] = Counter()
    for one in counted.result["values"]:
        found.update({int(level): number for level, number in one["records"].items()})
    return found
