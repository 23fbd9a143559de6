"""Every technique and model that a recipe may use, one row each.

Importing this module loads no numerical library: implementations are named by dotted path and loaded by
the engine when a run needs them.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

from techniques.catalogue import (
    encryption,
    generalization,
    models,
    preparation,
    pseudonymization,
    randomization,
    statistical,
    suppression,
    synthesis,
    untreated,
)
from techniques.catalogue.technique import Technique
from techniques.core.fields import ParameterField, describe
from techniques.core.messages import EngineError, _
from techniques.hierarchies.definitions import KINDS, MODELS_ONLY

_TECHNIQUES: tuple[Technique, ...] = (
    *preparation.TECHNIQUES,
    *statistical.TECHNIQUES,
    *encryption.TECHNIQUES,
    *suppression.TECHNIQUES,
    *pseudonymization.TECHNIQUES,
    *generalization.TECHNIQUES,
    *randomization.TECHNIQUES,
    *synthesis.TECHNIQUES,
    *models.TECHNIQUES,
    *untreated.TECHNIQUES,
)
_BY_KEY = {technique.key: technique for technique in _TECHNIQUES}


@dataclass(frozen=True)
class HierarchyKind:
    """One kind of hierarchy: its code, its (untranslated) name, and the fields of its form.

    ``models_only``: for a field of kind ``hierarchies``, not for one of kind ``hierarchy``.
    """

    kind: str
    name: str
    fields: tuple[ParameterField, ...]
    models_only: bool = False


def techniques() -> tuple[Technique, ...]:
    """All techniques, by family in the standard's order."""
    return _TECHNIQUES


def get(key: str) -> Technique:
    """The technique called ``key``; EngineError ``technique_unknown`` if there is none."""
    try:
        return _BY_KEY[key]
    except KeyError:
        raise EngineError("technique_unknown", _("There is no technique called %(key)s."), key=key) from None


def parameter_fields(key: str) -> list[ParameterField]:
    """The form fields of the technique called ``key``, in order."""
    return describe(get(key).settings)


def hierarchy_kinds() -> list[HierarchyKind]:
    """The kinds of hierarchy that a field of kind ``hierarchy`` or ``hierarchies`` lets a person choose."""
    return [
        HierarchyKind(
            kind,
            name,
            tuple(field for field in describe(definition) if field.name != "kind"),
            kind in MODELS_ONLY,
        )
        for kind, (name, definition) in KINDS.items()
    ]


def condition_fields() -> list[ParameterField]:
    """The fields for one sensitive attribute in a field of kind ``conditions``."""
    return describe(models.Conditions)


def implementation(key: str) -> Any:
    """Load what carries out ``key``: a callable ``(settings, context) -> Operation``.

    Only an engine calls this; it is the point where numerical libraries are loaded.
    """
    module, _, name = get(key).implementation.partition(":")
    return getattr(import_module(module), name)
