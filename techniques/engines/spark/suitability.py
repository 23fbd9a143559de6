"""Which recipes run on a cluster, and what stands in the way of the others."""

from __future__ import annotations

from techniques.core.messages import EngineError, _
from techniques.recipe.recipe import Recipe


def whole_table_techniques(recipe: Recipe) -> list[str]:
    """The techniques of a recipe that need all rows on one machine, each once."""
    steps = (step for step in recipe.steps if step.spec.needs_whole_table(step.parameters))
    return list(dict.fromkeys(step.technique for step in steps))


def require_suitable(recipe: Recipe, *, writes_there: bool = True) -> None:
    """EngineError ``spark_whole_table`` or ``spark_output``, before anything is started. ``writes_there``: the cluster writes the result, too."""
    if named := whole_table_techniques(recipe):
        text = _("These techniques need all rows on one machine and do not run on Spark: %(techniques)s.")
        raise EngineError("spark_whole_table", text, techniques=", ".join(named))
    if writes_there and recipe.output.format not in ("same", "parquet"):
        text = _("On Spark a result is Parquet, but the recipe writes %(format)s.")
        raise EngineError("spark_output", text, format=recipe.output.format)
