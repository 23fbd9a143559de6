"""Values to one level of a hierarchy (GB/T 37964 A.5.1)."""

from __future__ import annotations

from techniques.catalogue.generalization import HierarchyGeneralizationSettings
from techniques.core.messages import EngineError, _
from techniques.core.operations import Context, Outcome, StringArray, UnfitText, ValueOperation
from techniques.hierarchies.build import build_level, level_count


class HierarchyGeneralization(ValueOperation):
    """A.5.1: the ancestor at one level of a hierarchy."""

    def __init__(self, settings: HierarchyGeneralizationSettings, context: Context) -> None:
        self.settings: HierarchyGeneralizationSettings = settings
        self.column = context.columns[0]
        self.unfit_text: UnfitText | None = None

    def apply(self, values: StringArray) -> Outcome:
        """Labels at the level; EngineError ``level_unknown`` if the hierarchy is not that high."""
        highest = level_count(self.settings.hierarchy) - 1
        if self.settings.level > highest:
            text = _("Column %(column)s: the hierarchy's highest level is %(highest)d.")
            raise EngineError("level_unknown", text, column=self.column, highest=highest)
        level = build_level(self.settings.hierarchy, values, self.settings.level)
        self.unfit_text = level.unfit_text
        return Outcome(level.labels, level.unfit)
