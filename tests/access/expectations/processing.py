"""Recipes and runs: the executor's, while the data are being processed."""

import json
import uuid

from django.core.files.uploadedfile import SimpleUploadedFile

from projects.datasets.tables.selectors import dataset_now, first_table
from projects.identification.enums import ColumnRole
from projects.identification.selectors import columns_with_role, verdicts_of
from projects.processing.models import SavedRecipe
from projects.processing.recipes.levels.services import counts_of
from projects.processing.recipes.selectors import current_recipe
from projects.processing.recipes.suggestion import recipe_suggest
from projects.processing.solutions.services import explorations_of
from projects.workflow import State

from ..checkpoints import at, since
from ..language import Table, acts, reads

PROCESSING = at(State.PROCESSING)
SAVED = since("processing+recipe")
RUNS = at("processing+recipe", "processing+complete")
# The questions about the model were answered there; elsewhere there is nothing to take.
ADVISED = at("processing+complete")


def _suggest(world):
    """The button that fills the editor with the suggestion; nothing is saved by it."""
    dataset = dataset_now(first_table(world.project))
    return {"do": "suggest", "dataset": str(dataset.pk) if dataset else "", "g-note": ""}


def _look(world):
    """A step that leaves the first column as it is; its values stay masked."""
    dataset = dataset_now(first_table(world.project))
    return {
        "dataset": str(dataset.pk) if dataset else "",
        "s0-technique": "as_is",
        "s0-columns": "0",
        "s0-p-reason": "a try",
    }


def _content(world):
    """The saved recipe, else the suggested one; where there can be none yet, something of its shape."""
    saved = current_recipe(world.project)
    if saved:
        return saved.tables[""]
    suggested = recipe_suggest(first_table(world.project))
    return suggested | {"unprepared": "One form everywhere."} if suggested else {"steps": []}


def _saved(world):
    """A recipe that the executor saved, where there is one."""
    mine = SavedRecipe.objects.filter(saved_by=world.people.executor)
    return str(mine.values_list("pk", flat=True).first() or "none")


def _answers(world):
    """About one column that has a verdict, where there is one."""
    column = next(iter(verdicts_of(first_table(world.project))), "nothing")
    return {"columns": {column: {"data_type": "text"}}}


def _text(world):
    return {"text": json.dumps(_content(world), ensure_ascii=False), "note": "as it was"}


def _save(world):
    return {"content": _content(world), "note": "as it was"}


def _other_levels(world):
    """A solution that keeps the conditions and is not the best one, where the solutions were looked at."""
    found = explorations_of(world.project).first()
    nodes = found.result["space"]["nodes"] if found else []
    return next((one["levels"] for one in nodes if one["satisfies"] and not one["best"]), [0])


def _solution(world):
    return {"levels": ",".join(map(str, _other_levels(world))), "reason": "finer dates"}


def _solution_api(world):
    return {"levels": _other_levels(world), "reason": "finer dates"}


def _attack(world):
    return {"known": "0.3", "most_known": "16", "sensitive": "0.5", "quasi": "0.05"}


def _levels(world):
    """The sensitive attribute, where there is a verdict on one."""
    found = columns_with_role(first_table(world.project), ColumnRole.SENSITIVE)
    return {"column": next(iter(found), "nothing"), "level_column": ""}


def _level_entries(world):
    """Every value that was counted at level 1, where levels were."""
    found = counts_of(world.project).first()
    values = found.result.get("values", []) if found else []
    return {"further": "", "do": "show"} | {f"level-{place}": "1" for place in range(len(values))}


# Where this package is walked at identification there are no data yet; tests of the joining send answers.
NO_DATA = "no data are there that answers could be joined to"


def _answers_of_levels(world):
    return {"key": "no such column", "file": SimpleUploadedFile("answers.csv", b"id,protection_level\n1,2\n")}


def _answers_api(world):
    return {"key": "no such column", "answers": "id,protection_level\n1,2\n"}


TABLE: Table = {
    "processing:page": {"GET": reads()},
    "processing:scenes": {"GET": reads()},
    "processing:recipe": {
        "GET": acts(("executor", PROCESSING)),
        "POST": acts(("executor", PROCESSING), body=_suggest),
    },
    "processing:recipe_look": {
        "POST": acts(("executor", PROCESSING), arguments={"number": 1}, body=_look, answers=frozenset({200}))
    },
    "processing:recipe_whole": {"GET": acts(("executor", PROCESSING))},
    "api:processing-previews": {
        "GET": reads(),
        "POST": acts(("executor", PROCESSING), body=lambda world: {"recipe": _content(world)}),
    },
    # Another name each time: one that was given already is refused.
    "processing:saved": {
        "GET": acts(("executor", PROCESSING)),
        "POST": acts(("executor", RUNS), body=lambda world: {"do": "save", "name": f"Walk {uuid.uuid4()}"}),
    },
    "api:processing-saved-recipes": {
        "GET": acts(("executor", PROCESSING)),
        "POST": acts(("executor", RUNS), body=lambda world: {"name": f"Walk {uuid.uuid4()}"}),
    },
    # Where nothing was saved, who may is told so.
    "api:processing-saved-recipe-fit": {
        "POST": acts(("executor", PROCESSING), body=lambda world: {"saved": _saved(world)})
    },
    # There is no step of that number in the draft of the walk: who may is led back to the editor.
    "processing:hierarchy": {
        "GET": acts(("executor", PROCESSING), arguments={"number": 900, "place": "h"}),
        "POST": acts(
            ("executor", PROCESSING),
            arguments={"number": 900, "place": "h"},
            body=lambda world: {"do": "cells"},
        ),
    },
    "processing:recipe_text": {
        "GET": acts(("executor", PROCESSING)),
        "POST": acts(("executor", PROCESSING), body=_text),
    },
    "processing:version": {"GET": reads(exists=SAVED, arguments={"number": 1})},
    "processing:run": {"POST": acts(("executor", RUNS))},
    "processing:run_detail": {"GET": reads()},
    "processing:report": {"GET": reads(redirects=True)},
    "processing:advice": {"GET": reads(), "POST": acts(("executor", PROCESSING))},
    "api:processing-advice": {"GET": reads(), "POST": acts(("executor", PROCESSING), body=_answers)},
    "processing:solutions": {"GET": reads()},
    "processing:explore": {"POST": acts(("executor", RUNS))},
    "processing:solution_choose": {"POST": acts(("executor", ADVISED), body=_solution)},
    "api:processing-explorations": {"GET": reads(), "POST": acts(("executor", RUNS))},
    "api:processing-solution-choice": {"POST": acts(("executor", ADVISED), body=_solution_api)},
    "processing:propose": {"POST": acts(("executor", PROCESSING))},
    "api:processing-proposals": {"GET": reads(), "POST": acts(("executor", PROCESSING))},
    "processing:forecast": {"GET": reads()},
    "processing:forecast_start": {"POST": acts(("executor", RUNS), body=_attack)},
    "api:processing-forecasts": {"GET": reads(), "POST": acts(("executor", RUNS))},
    "processing:load": {"GET": reads()},
    "processing:load_start": {"POST": acts(("executor", RUNS), body=lambda world: {"rows": 1000})},
    "api:processing-loads": {"GET": reads(), "POST": acts(("executor", RUNS))},
    "processing:levels": {"GET": reads()},
    "processing:levels_form": {"GET": reads()},
    "processing:levels_count": {"POST": acts(("executor", PROCESSING), body=_levels)},
    # Once there are data that were checked; what is sent has a key that the table does not.
    "processing:levels_answers": {
        "POST": acts(("executor", frozenset()), body=_answers_of_levels, media="multipart", never=NO_DATA)
    },
    "api:processing-level-answers": {
        "GET": reads(),
        "POST": acts(("executor", frozenset()), body=_answers_api, never=NO_DATA),
    },
    "processing:levels_take": {
        "POST": acts(("executor", ADVISED), body=_level_entries, answers=frozenset({200, 422}))
    },
    "api:processing-level-counts": {"GET": reads(), "POST": acts(("executor", PROCESSING), body=_levels)},
    "processing:model_advice": {"GET": reads(), "POST": acts(("executor", PROCESSING))},
    "processing:model_advice_take": {"POST": acts(("executor", ADVISED))},
    "api:processing-model-advice": {
        "GET": reads(),
        "POST": acts(("executor", PROCESSING), body=lambda world: {"knows": True}),
    },
    "api:processing-model-advice-take": {"POST": acts(("executor", ADVISED))},
    "api:processing-techniques": {"GET": reads()},
    "api:processing-scenes": {"GET": reads()},
    "api:processing-suggestion": {"GET": reads()},
    "api:processing-recipes": {"GET": reads(), "POST": acts(("executor", PROCESSING), body=_save)},
    "api:processing-recipe": {"GET": reads(exists=SAVED, arguments={"number": 1})},
    "api:processing-runs": {"GET": reads(), "POST": acts(("executor", RUNS))},
    "api:processing-run": {"GET": reads()},
}
