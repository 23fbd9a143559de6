"""What the steps of a recipe keep of one column, on one line of the sheet."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from techniques import catalogue
from techniques.catalogue.table_c1 import Effect

from ..recipes.suggestion import REMOVAL
from .preview import claims

_RANKS = [Effect.NO, Effect.PARTLY, Effect.YES]
_NAMES = ("order", "format", "type", "distinctness", "statistics", "reversible")


def kept_text(techniques: Sequence[str]) -> str:
    """What is left of a column after these techniques, the first of them first; empty where nothing treats it.

    Several together promise no more than the one that promises least.
    """
    if not techniques:
        return ""
    if REMOVAL in techniques:
        return _("nothing: the column is removed")
    specs = [catalogue.get(key) for key in techniques]
    making = [spec for spec in specs if spec.claims is not None]
    if not making:
        return _("everything")
    words = [name for name, _tone, _word in claims(making[0])]
    kept: dict[Effect, list[str]] = {Effect.YES: [], Effect.PARTLY: []}
    for name, word in zip(_NAMES, words, strict=True):
        least = min((getattr(spec.claims, name) for spec in making), key=_RANKS.index)
        if least is not Effect.NO:
            kept[least].append(word)
    parts = [_(", ").join(kept[Effect.YES])] if kept[Effect.YES] else []
    if kept[Effect.PARTLY]:
        parts.append(_("in part: %(what)s") % {"what": _(", ").join(kept[Effect.PARTLY])})
    return _("; ").join(parts) or _("nothing that is guaranteed")
