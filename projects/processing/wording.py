"""Techniques, settings, levels and counts in words that a compliance officer reads."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from projects.core.numbers import count
from techniques import catalogue
from techniques.catalogue.table_c1 import Cost, Effect
from techniques.catalogue.technique import Technique
from techniques.core.fields import ParameterField, describe
from techniques.core.messages import EngineError, filled

EFFECTS: dict[Effect, Any] = {
    Effect.YES: gettext_lazy("prevented"),
    Effect.PARTLY: gettext_lazy("reduced"),
    Effect.NO: gettext_lazy("not reduced"),
}
COSTS: dict[Cost, Any] = {
    Cost.LOW: gettext_lazy("low"),
    Cost.LOW_TO_MEDIUM: gettext_lazy("low to medium"),
    Cost.MEDIUM: gettext_lazy("medium"),
    Cost.MEDIUM_TO_HIGH: gettext_lazy("medium to high"),
    Cost.HIGH: gettext_lazy("high"),
}
# The remedy for what stopped a run, by the engine's code.
REMEDIES: dict[str, Any] = {
    "no_solution": gettext_lazy(
        "Allow a higher level for one of the columns, make a hierarchy coarser, raise the limit of suppressed "
        "rows as far as the target allows, or remove a quasi-identifier that the purpose can do without."
    ),
    "effort_used_up": gettext_lazy(
        "Bound the levels of the columns, treat fewer columns as quasi-identifiers, or choose local recoding."
    ),
    "k_too_large": gettext_lazy("Choose a smaller k, or leave fewer rows out in earlier steps."),
    "suppression_over_limit": gettext_lazy(
        "Generalise the column in a step before this one, or raise the limit as far as the target allows."
    ),
    "level_unknown": gettext_lazy("Choose a level that the hierarchy has."),
    "threshold_none": gettext_lazy("Give the threshold as a number, or ask for fewer rows beyond it."),
    "pseudonym_too_short": gettext_lazy("Make the pseudonym longer."),
    "too_many_distinct": gettext_lazy("Generalise the columns in earlier steps, or treat fewer of them together."),
}  # fmt: skip
# What an administrator has to put right, and nobody else can.
ADMINISTRATORS = {
    "extra_missing", "run.no_cluster", "spark_environment", "spark_fault", "spark_given_up", "spark_java", "spark_traffic",
    "spark_unencrypted", "spark_unreachable", "store.unseen",
}  # fmt: skip
_TELL_ADMINISTRATOR = gettext_lazy("Tell an administrator, or run the recipe on this server.")
OTHER_REMEDY = gettext_lazy("Change the step that the message names, save the recipe and run it again.")


def translated(text: str) -> str:
    """A text of the engine in the reader's language; the empty text stays empty."""
    return _(text) if text else ""


def engine_text(error: EngineError, **instead: Any) -> str:
    """What the engine says, in the reader's language; ``instead`` replaces parameters, such as the path."""
    params = dict(error.params)
    if isinstance(params.get("problem"), str) and params["problem"]:
        params["problem"] = _(str(params["problem"]))
    if isinstance(params.get("columns"), str):
        # The engine knows no language, and joins what it names by commas.
        params["columns"] = str(params["columns"]).replace(", ", _(", "))
    params |= instead
    return filled(_(error.message), params) if params else _(error.message)


def run_remedy(code: str) -> str:
    """How to go on after a run failed with ``code``; empty for faults that no recipe can remedy."""
    if code in ADMINISTRATORS:
        return str(_TELL_ADMINISTRATOR)
    return "" if code.startswith("job.") else str(REMEDIES.get(code, OTHER_REMEDY))


def technique_name(key: str) -> str:
    return _(catalogue.get(key).name)


def technique_not_for(key: str) -> str:
    """When not to use it; empty where nothing is said."""
    text = catalogue.get(key).not_for
    return _(text) if text else ""


def effects(spec: Technique, joinable: str = "") -> list[tuple[str, str]]:
    """What the technique keeps and what it protects against, by Table C.1; empty without a row there. ``joinable``: how far
    equal values become equal, where the technique lets one choose."""
    chosen: dict[str, Any] = {"joinable": joinable} if joinable else {}
    row = spec.properties_with(spec.settings.model_construct(**chosen))
    rows: list[tuple[str, str]] = []
    if row is not None:
        rows = [
            (
                _("Truth of the records"),
                _("every record stays true") if row.truthful else _("records may become untrue"),
            ),
            (_("Singling out a person"), str(EFFECTS[row.singling_out])),
            (_("Linking records"), str(EFFECTS[row.linking])),
            (_("Inferring attributes"), str(EFFECTS[row.inference])),
            (_("Effort"), str(COSTS[row.cost])),
        ]
    if spec.needs_key:
        rows.append((_("Secret key"), _("needed; it stays in the vault")))
    if spec.random:
        rows.append((_("Chance"), _("may draw at random, repeatably with the run's seed")))
    return rows


def _choice(field: ParameterField, value: Any) -> str:
    words = {choice.value: choice.label for choice in (*field.choices, *field.item_choices)}
    return _(words[str(value)]) if str(value) in words else plain(value)


def plain(value: Any) -> str:
    """A number with every digit that was set, none superfluous and never as a power of ten; other values as they are."""
    if isinstance(value, float) and math.isfinite(value):
        return str(int(value)) if value == int(value) else format(Decimal(repr(value)), "f")
    return str(value)


def value_text(field: ParameterField, value: Any) -> str:
    if value is None or value in ("", [], {}):
        return _("–")
    if field.kind == "boolean":
        return _("yes") if value else _("no")
    if field.kind == "choice":
        return _choice(field, value)
    if field.kind == "hierarchy":
        return hierarchy_text(value)
    if field.kind == "list" and field.item_kind == "list":
        return ngettext("%(count)s row", "%(count)s rows", len(value)) % {"count": count(len(value))}
    if field.kind == "list":
        return _(", ").join(_choice(field, item) for item in value)
    if field.kind == "mapping":
        return ngettext("%(count)s pair", "%(count)s pairs", len(value)) % {"count": count(len(value))}
    return plain(value)


def hierarchy_text(definition: Mapping[str, Any]) -> str:
    """A hierarchy on one line: its kind and its levels."""
    from techniques.hierarchies.definitions import KINDS

    name, model = KINDS[definition["kind"]]
    parts = [
        value_text(field, definition.get(field.name))
        for field in describe(model)
        if field.name in ("widths", "units", "characters", "rows")
    ]
    return _(": ").join([_(name), *parts])


def conditions_text(conditions: Mapping[str, Any]) -> str:
    """The conditions on a sensitive attribute on one line; how a distance is measured only where one is set."""
    shown = [
        _(field.title) + _(": ") + value_text(field, value)
        for field in catalogue.condition_fields()
        if (value := conditions.get(field.name)) is not None
        and (field.name not in ("distance", "hierarchy") or conditions.get("t") is not None)
        and (field.name != "hierarchy" or conditions.get("distance") == "hierarchical")
    ]
    return _("; ").join(shown)


def parameter_lines(key: str, parameters: Mapping[str, Any]) -> list[tuple[str, str]]:
    """(setting, value in words) for every setting of a step, hierarchies per column."""
    lines = []
    for field in catalogue.parameter_fields(key):
        # What a recipe leaves out holds as it is by default: said, so that nobody takes it for nothing.
        value = parameters.get(field.name, field.default)
        if field.kind == "hierarchies":
            lines += [
                (_("Hierarchy of %(column)s") % {"column": c}, hierarchy_text(h))
                for c, h in (value or {}).items()
            ]
        elif field.kind == "conditions":
            lines += [
                (_(field.title) + _(": ") + c, conditions_text(given)) for c, given in (value or {}).items()
            ]
        elif field.name in ("minimum_levels", "maximum_levels", "weights"):
            lines += [(_(field.title) + _(": ") + c, plain(given)) for c, given in (value or {}).items()]
        else:
            lines.append((_(field.title), value_text(field, value)))
    return lines  # fmt: skip


def plain_step(step: Mapping[str, Any]) -> str:
    """What a run will do in this step, as one sentence."""
    columns = _(", ").join(step["columns"])
    return _("%(technique)s: %(columns)s") % {
        "technique": technique_name(step["technique"]),
        "columns": columns,
    }


def level_text(definition: Mapping[str, Any], level: int, highest: int) -> str:
    """What the chosen level means for the values of a column."""
    kind = definition.get("kind")
    if level == 0:
        return _("as it was")
    if kind == "table" and level < len(definition["rows"][0]):
        return _groups_text(list(dict.fromkeys(row[level] for row in definition["rows"])))
    if level >= highest:
        return _("suppressed: every value is *")
    if kind in ("dates", "regions"):
        from techniques.hierarchies.definitions import KINDS

        field = next(f for f in describe(KINDS[kind][1]) if f.name == "units")
        return _choice(field, definition["units"][level - 1])
    if kind == "intervals":
        return _("intervals of width %(width)s") % {"width": plain(definition["widths"][level - 1])}
    if kind == "mask":
        hidden = definition["characters"][level - 1]
        return ngettext("%(count)s character hidden", "%(count)s characters hidden", hidden) % {
            "count": hidden
        }
    return _("level %(level)s of the hierarchy") % {"level": level}


# So many of a level's groups are named; the recipe has all of them.
_GROUPS_NAMED = 3


def _groups_text(groups: Sequence[str]) -> str:
    """What the values of a column are at one level of a table that somebody wrote."""
    if groups == ["*"]:
        return _("suppressed: every value is *")
    if len(groups) == 1:
        return _("every value is “%(value)s”") % {"value": groups[0]}
    named = _(", ").join(groups[:_GROUPS_NAMED])
    if len(groups) <= _GROUPS_NAMED:
        return _("the groups %(groups)s") % {"groups": named}
    return _("%(count)s groups, such as %(groups)s") % {"count": count(len(groups)), "groups": named}


def top_level(definition: Mapping[str, Any], otherwise: int) -> int:
    """The level at which every value is ``*``, whatever a step's bounds allow; ``otherwise`` where only the data say it."""
    kind = definition.get("kind")
    if kind == "table":
        columns = list(zip(*definition["rows"], strict=True))
        # A last column of one value is that level already.
        return len(columns) - 1 if len(columns) > 1 and len(set(columns[-1])) == 1 else len(columns)
    if kind == "star":
        return 1
    stages = {"dates": "units", "regions": "units", "intervals": "widths", "mask": "characters"}.get(
        str(kind)
    )
    return otherwise if stages is None else len(definition[stages]) + 1


def level_lines(definitions: Mapping[str, Any], result: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Per quasi-identifier what k-anonymity chose: column, words, level and highest level; nothing where each class has
    levels of its own."""
    highest = result.get("highest_levels", {})
    return [
        {
            "column": column,
            "level": level,
            "highest": highest.get(column, level),
            "text": level_text(definitions.get(column, {}), level, highest.get(column, level + 1)),
        }
        for column, level in result.get("levels", {}).items()
        if level is not None
    ]


COUNTS: dict[str, Any] = {
    "cells_changed": gettext_lazy("%(count)s values changed"),
    "cells_suppressed": gettext_lazy("%(count)s values suppressed"),
    "rows_removed": gettext_lazy("%(count)s rows removed"),
    "rows_suppressed": gettext_lazy("%(count)s rows suppressed"),
}


def count_texts(counts: Mapping[str, int]) -> list[str]:
    """What a step counted; a count without words of its own is named by its key."""
    shown = dict(counts)
    if shown.get("rows_suppressed") == shown.get("rows_removed"):
        # Suppressed by being removed: said once.
        shown.pop("rows_suppressed", None)
    return [
        str(COUNTS.get(key, f"{key}: %(count)s")) % {"count": count(value)}
        for key, value in shown.items()
        if value or key in ("cells_changed", "rows_removed")
    ]


def duration(seconds: float) -> str:
    """About how long, in words."""
    if seconds < 60:
        whole = max(1, round(seconds))
        return ngettext("%(n)s second", "%(n)s seconds", whole) % {"n": whole}
    minutes = round(seconds / 60)
    return ngettext("%(n)s minute", "%(n)s minutes", minutes) % {"n": minutes}
