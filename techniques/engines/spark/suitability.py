"""Which recipes run on a cluster, and what stands in the way of the others."""

from __future__ import annotations

from techniques.core.messages import EngineError, _
from techniques.recipe.recipe import Recipe


def require_suitable(recipe: Recipe) -> None:
    """EngineError ``spark_whole_table`` or ``spark_output``, before anything is started."""
    named = list(
        dict.fromkeys(step.technique for step in recipe.steps if step.spec.needs_whole_table(step.parameters))
    )
    if named:
        text = _("These techniques need all rows on one machine and do not run on Spark: %(techniques)s.")
        raise EngineError("spark_whole_table", text, techniques=", ".join(named))
    if recipe.output.format not in ("same", "parquet"):
        text = _("On Spark a result is Parquet, but the recipe writes %(format)s.")
        raise EngineError("spark_output", text, format=recipe.output.format)
