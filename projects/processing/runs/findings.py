"""What the steps of a run found and chose, in sentences: for page, document and API, from the run's own report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

from django.utils.translation import gettext as _

from projects.core.numbers import count, number, percent
from techniques import catalogue
from techniques.core.messages import filled, gettext_noop
from techniques.core.settings import Statement
from techniques.recipe.guarantees import private

AGGREGATION = "statistical.aggregation"
_JOINABLE = {
    "project": gettext_noop(
        "%(column)s: equal values have equal pseudonyms in every run of the project that says so, so that its releases can be joined "
        "person by person."
    ),
    "purpose": gettext_noop(
        "%(column)s: equal values have equal pseudonyms in every project of the purpose “%(purpose)s”, so that their releases can be "
        "joined person by person."
    ),
    "never": gettext_noop(
        "%(column)s: equal values have equal pseudonyms in this run only, and its key is destroyed when it ends: nobody works the "
        "pseudonyms out again from the values."
    ),
}
"""How far pseudonyms can be joined, by the setting of the keyed hash; what is as ever stands among the settings."""


def worded(said: Statement) -> str:
    """A sentence of the engine in the reader's language, with figures as everywhere."""
    return filled(_(said.message), figures_of(said))


def figures_of(said: Statement) -> dict[str, str]:
    """What stands in the sentence, as a reader sees it."""
    return {name: _figure(value) for name, value in said.params.items()}


def _figure(value: float | str) -> str:
    if isinstance(value, str):
        # Columns are listed as they are in the language.
        return value.replace(", ", _(", "))
    return count(value) if isinstance(value, int) else number(value)


def rows_stand_for(
    steps: Iterable[Mapping[str, Any]],
) -> Literal["records", "groups", "persons", "made_up"]:
    """What the rows of a result are after the ``steps`` of its recipe: records of the source, groups of them, persons whose
    records were put together, or rows in which values were made up. Figures of groups may also stand in every record."""
    known = {spec.key: spec for spec in catalogue.techniques()}
    made: set[str] = set()
    for one in steps:
        spec = known.get(one["technique"])
        if spec is None:
            continue
        made.add(spec.settings.model_construct(**one.get("parameters", {})).rows_made)
        if spec.makes_up_rows:
            made.add("made_up")
    if "groups" in made:
        return "groups"
    if "made_up" in made:
        return "made_up"
    return "persons" if "persons" in made else "records"


def step_sentences(step: Mapping[str, Any]) -> list[str]:
    """What one step of a run's report says of its result; empty where it has nothing to say."""
    result = step.get("result") or {}
    if not isinstance(result, Mapping):
        return []
    by_column = [(column, one) for column, one in result.items() if isinstance(one, Mapping)]
    return [
        *_model(result),
        *_drawn(result),
        *_groups(result),
        *_emptied(result),
        *_made_up(step, result),
        *_requested(result),
        *(filled(_(OUTLIERS), one) for one in outliers_named({"result": result})),
        *(said for column, one in by_column for said in _of_column(column, one)),
    ]


def _drawn(result: Mapping[str, Any]) -> Iterator[str]:
    """The share of a sample, which whoever computes from it needs."""
    if "sampling_fraction" in result:
        message = _("%(share)s of the rows were drawn.")
        if "persons" in result:
            message = _("%(share)s of the persons were drawn, each with all its rows.")
            if result.get("method") == "cluster":
                message = _("%(share)s of the persons have rows in the groups that were drawn.")
        yield message % {"share": percent(result["sampling_fraction"])}


def _groups(result: Mapping[str, Any]) -> Iterator[str]:
    """How many groups have figures, and how many were too small."""
    if "small_groups" in result:
        text = (
            _("%(groups)s groups have figures; %(small)s of fewer than %(least)s persons were left out.")
            if "persons" in result
            else _("%(groups)s groups have figures; %(small)s of fewer than %(least)s rows were left out.")
        )
        yield filled(text, {
            "groups": count(result["groups"]), "small": count(result["small_groups"]), "least": result["minimum_count"],
        })  # fmt: skip
    for column, one in result.get("figures", {}).items():
        if one.get("dominated"):
            text = (
                _("%(column)s: %(bad)s of its figures are dominated by one or two persons.")
                if "persons" in result
                else _("%(column)s: %(bad)s of its figures are dominated by one or two records.")
            )
            yield filled(text, {"column": column, "bad": count(one["dominated"])})


def _emptied(result: Mapping[str, Any]) -> Iterator[str]:
    """Which columns local suppression emptied cells of."""
    for column, cells in result.get("cells_by_column", {}).items():
        if cells:
            yield filled(
                _("%(column)s: %(cells)s cells were emptied."), {"column": column, "cells": count(cells)}
            )


def _made_up(step: Mapping[str, Any], result: Mapping[str, Any]) -> Iterator[str]:
    """The guarantee of made-up rows with its ledger, how close they come to real ones, and how alike they are to them."""
    if "epsilon" in result:
        yield from map(worded, private(step))
        spent = _(", ").join(
            f"{_entry(one['what'])} {one['times']} × {number(one['each'])}" for one in result["ledger"]
        )
        yield _("Spent of the budget (in %(unit)s): %(spent)s.") % {
            "unit": {"epsilon": "ε", "rho": "ρ"}.get(result["ledger_unit"], result["ledger_unit"]),
            "spent": spent,
        }
    close = result.get("closeness")
    if close is None:
        return
    yield _(
        "%(exact)s of the made-up rows equal one learned from; of the rows held out %(expected)s do. A made-up row is closer "
        "to one learned from with a chance of %(nearer)s (one half: no closer)."
    ) % {
        "exact": percent(close["exact_match_share"]), "expected": percent(close["exact_match_share_held_out"]),
        "nearer": percent(close["nearer_than_held_out"]),
    }  # fmt: skip
    if close["too_close"]:
        yield _("They are too close to real rows and may reveal them.")
    if (pairs := result.get("comparison", {}).get("pairs_mean")) is not None:
        yield _("Two columns together differ from the real ones by %(distance)s on average (0: alike, 100 %%: nothing in common).") % {
            "distance": percent(pairs)
        }  # fmt: skip


def too_close(report: Mapping[str, Any]) -> bool:
    """Whether a step made up rows that its own test found too close to real ones."""
    results = (step.get("result") or {} for step in report["steps"])
    return any(result["closeness"]["too_close"] for result in results if result.get("closeness"))


def _requested(result: Mapping[str, Any]) -> Iterator[str]:
    """How many rows ask for which protection level."""
    if "levels_requested" not in result:
        return
    for level, rows in result["levels_requested"].items():
        yield filled(
            _("Level %(level)s is requested in %(rows)s rows."), {"level": level, "rows": count(rows)}
        )
    yield filled(_("In %(rows)s rows no level is requested."), {"rows": count(result["levels_unrequested"])})


OUTLIERS = gettext_noop(
    "%(column)s: %(rows)s real rows stand alone, more than twice as far from the median as all others; %(made)s made-up values lie "
    "beyond those others and tell of them."
)


def outliers_named(step: Mapping[str, Any]) -> list[dict[str, str]]:
    """What stands in ``OUTLIERS``, for each column of which made-up values tell of real rows that stand alone."""
    columns = step["result"].get("columns")
    found = columns.items() if isinstance(columns, Mapping) else ()
    return [
        {"column": column, "rows": count(one["outliers"]["rows"]), "made": count(one["outliers"]["made_up"])}
        for column, one in found
        if isinstance(one, Mapping) and one.get("outliers")
    ]


def _gone(result: Mapping[str, Any]) -> list[str]:
    """Columns of which the model has kept nothing, whichever way it generalised them."""
    highest: dict[str, int] = result.get("highest_levels", {})
    full = [column for column, level in result.get("levels", {}).items() if highest.get(column, -1) == level]
    lost: dict[str, float] = result.get("loss_by_column", {}) if result.get("mode") == "local" else {}
    return full + [column for column, share in lost.items() if share > 1 - 1e-9]


def emptied(result: Mapping[str, Any]) -> list[str]:
    """Of which columns a model has kept nothing, and of which of them it could only keep all or nothing."""
    gone = _gone(result)
    if not gone:
        return []
    texts = [
        _("Nothing is left of %(columns)s: every value is at the top of its hierarchy.")
        % {"columns": _(", ").join(gone)}
    ]
    if bare := [column for column in gone if result.get("highest_levels", {}).get(column) == 1]:
        texts.append(
            _("The hierarchy has no step between the values and its top: %(columns)s.")
            % {"columns": _(", ").join(bare)}
        )
    return texts


def _entry(what: str) -> str:
    """An entry of the ledger in words."""
    return {
        "columns": _("single columns"),
        "choices": _("choices of pairs"),
        "pairs": _("pairs of columns"),
    }.get(what, what)


def _of_column(column: str, one: Mapping[str, Any]) -> Iterator[str]:
    """What was chosen or distorted in one column."""
    if text := _JOINABLE.get(one.get("joinable", "")):
        yield _(text) % {"column": column, "purpose": one.get("purpose", "")}
    if one.get("values_sharing_a_name"):
        yield filled(_("%(column)s: %(values)s values became %(names)s names, %(shared)s fewer: people counted by these names are too few."), {
            "column": column, "values": count(one["values"]), "names": count(one["names"]),
            "shared": count(one["values_sharing_a_name"]),
        })  # fmt: skip
    if "values_after" in one and (merged := one["values"] - one["values_after"]):
        yield filled(_("%(column)s: of %(values)s values as written %(after)s are left, so %(merged)s spellings became another's."), {
            "column": column, "values": count(one["values"]), "after": count(one["values_after"]), "merged": count(merged),
        })  # fmt: skip
    elif "values_after" in one:
        yield _("%(column)s: no two values became one.") % {"column": column}
    for side, text in (
        ("top", _("%(column)s: capped above at %(value)s.")),
        ("bottom", _("%(column)s: capped below at %(value)s.")),
    ):
        if one.get(side) is not None:
            yield text % {"column": column, "value": one[side]}
    if one.get("rare_values"):
        yield filled(_("%(column)s: %(values)s values were too rare and were replaced."), {
            "column": column, "values": count(one["rare_values"]),
        })  # fmt: skip
    if "generalised_as_requested" in one:
        yield filled(_("%(column)s: %(cells)s values were generalised because the level requested is above theirs."), {
            "column": column, "cells": count(one["generalised_as_requested"]),
        })  # fmt: skip
    if "noise_deviation" in one:
        yield _("%(column)s: the noise has a standard deviation of %(value)s.") % {
            "column": column, "value": number(one["noise_deviation"]),
        }  # fmt: skip


def _model(result: Mapping[str, Any]) -> list[str]:
    """What k-anonymity reached, in sentences."""
    if "min_class" not in result:
        return []
    text = (
        _(
            "%(classes)s groups of rows that look alike; the smallest has rows of %(smallest)s persons (k is %(k)s)."
        )
        if "persons" in result
        else _("%(classes)s groups of rows that look alike; the smallest has %(smallest)s rows (k is %(k)s).")
    )
    texts = [
        filled(
            text,
            {"classes": count(result["classes"]), "smallest": count(result["min_class"]), "k": result["k"]},
        )
    ]
    if "granularity" in result:
        texts.append(
            _("%(share)s of the detail of these columns is kept.") % {"share": percent(result["granularity"])}
        )
    texts += emptied(result)
    if result.get("mode") == "local":
        texts.append(_("Each group is generalised by itself, only as far as it needs (local recoding)."))
        lost: dict[str, float] = result.get("loss_by_column", {})
        texts += [
            _("%(column)s: %(share)s of the detail is kept.")
            % {"column": column, "share": percent(1 - value)}
            for column, value in lost.items()
        ]
        return texts
    texts.append(
        _("No allowed solution keeps more detail.")
        if result.get("proved_optimal") and result.get("objective", "geometric") == "geometric"
        else _("No allowed solution is better by the loss that was chosen.")
        if result.get("proved_optimal")
        else _("The search ended early; a solution that keeps more detail may exist.")
    )
    if not result.get("proved_optimal") and "lower_bound" in result:
        texts.append(
            _("Its loss is %(loss)s; no solution can lose less than %(bound)s.")
            % {"loss": percent(result["loss"]), "bound": percent(result["lower_bound"])}
        )
    return texts
